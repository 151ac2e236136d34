"""What each part of the ranking brings: the same store, asked with parts switched on in turn.

Each step is a change of hot settings; names of parts and links are those of `recall_weights`
and `link_weights`, and each that is on has the weight that ships.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.config import Settings

__all__ = ["SHIPPED", "Step", "steps_of"]

# Name of the step that changes nothing.
SHIPPED = "as it ships"

# Added behind all others, since they need the graph; the others one by one, as they are declared.
_FROM_GRAPH = ("graph", "facts")
_LINKS: Mapping[str, tuple[str, ...]] = {
    "NEXT and HAS_TURN in the walk": ("NEXT", "HAS_TURN"),
    "facts as seeds": ("STATES", "SUBJECT", "OBJECT"),
    "SIMILAR": ("SIMILAR",),
    "routing by Tags": ("TAGGED",),
}
# Where usage orders nothing by default, this much of it shows what it would do.
_VALUE_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Step:
    """One row of the table: its name, and the hot settings that make it."""

    name: str
    settings: Mapping[str, Any]


def steps_of(settings: Settings) -> list[Step]:
    """Return the steps, from one leg alone to everything, and everything but one part.

    Args:
        settings: As they ship: the weights of what is on.
    """
    parts, links = dict(settings.recall_weights), dict(settings.link_weights)

    def step(
        name: str,
        on: Collection[str],
        walked: Collection[str] = (),
        *,
        fusion: str = "weighted",
        value: float = 0.0,
    ) -> Step:
        return Step(
            name,
            {
                "recall_fusion": fusion,
                "recall_weights": {key: parts[key] if key in on else 0.0 for key in parts},
                "link_weights": {key: links[key] if key in walked else 0.0 for key in links},
                "recall_value_weight": value,
            },
        )

    steps = [
        step("text alone", ["text"]),
        step("dense alone", ["vector"]),
        step("text and dense, rrf", ["text", "vector"], fusion="rrf"),
        step("text and dense, weighted", ["text", "vector"]),
    ]
    on, walked = ["text", "vector"], ["MENTIONS"]
    for part in parts:
        if part not in (*on, *_FROM_GRAPH):
            on.append(part)
            steps.append(step(f"+ {part}", on))
    on.append("graph")
    steps.append(step("+ PageRank over Terms", on, walked))
    for name, added in _grouped_links(links).items():
        walked += added
        steps.append(step(f"+ {name}", on, walked))
    for part in parts:
        if part not in on:
            on.append(part)
            steps.append(step(f"+ {part}", on, walked))
    value = settings.recall_value_weight or _VALUE_WEIGHT
    steps += [
        step(f"+ value ({value:g})", on, walked, value=value),
        Step(SHIPPED, _as_shipped(settings)),
        step("everything, rrf", on, walked, fusion="rrf"),
    ]
    for part in parts:
        kept = {key: 0.0 if key == part else weight for key, weight in parts.items()}
        steps.append(Step(f"without {part}", {**_as_shipped(settings), "recall_weights": kept}))
    return steps


def _grouped_links(links: Mapping[str, float]) -> dict[str, list[str]]:
    """Return the links behind MENTIONS by the name of their step."""
    grouped = {
        name: [link for link in members if link in links] for name, members in _LINKS.items()
    }
    named = {link for members in grouped.values() for link in members}
    for link in links:
        if link != "MENTIONS" and link not in named:
            grouped[f"{link} in the walk"] = [link]
    return {name: members for name, members in grouped.items() if members}


def _as_shipped(settings: Settings) -> dict[str, Any]:
    return {
        "recall_fusion": settings.recall_fusion,
        "recall_weights": dict(settings.recall_weights),
        "link_weights": dict(settings.link_weights),
        "recall_value_weight": settings.recall_value_weight,
    }
