"""Why each turn came: the paths in the graph, asked for after the answer."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from graphmem.errors import StoreError
from graphmem.explanation import Explanation, PathStep, TurnReason, reasons_of
from graphmem.models import Recall, WalkSeed
from graphmem.queries import get_query
from graphmem.recall.request import RecallOptions, RecallRequest

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["NAME_LENGTH", "drawn", "explain"]

logger = logging.getLogger(__name__)

# Of a statement or a turn on a path: as much as tells which one it is.
NAME_LENGTH = 200
# Ways that are followed further at each link: some twenty from each seed.
_KEPT = 400
# Ways to one turn; the first one tells most.
_PATHS = 3
# Misuse by the program, which no answer can hide.
_MISUSE = frozenset({"closed", "wrong-event-loop"})


async def explain(db: Database, found: Recall, options: RecallOptions) -> Explanation:
    """Return why each turn of an answer came.

    Args:
        db: The database.
        found: The answer.
        options: As it was asked with; `now` is when.

    Returns:
        The factors of each turn, and the ways through the graph that lead to it; without
        those, and with "paths" among `degraded`, where the server cannot be asked.

    Raises:
        StoreError: The memory is closed, or used in another event loop.
    """
    told = reasons_of(found, language=options.language, at=options.now)
    degraded = told.degraded
    paths: dict[str, tuple[tuple[PathStep, ...], ...]] = {}
    if found.turns and found.trace.seeds:
        try:
            paths = await _find_paths(db, found, options)
        except StoreError as error:
            if error.kind in _MISUSE:
                raise
            logger.warning("recall.explain_failed kind=%s", error.kind)
            degraded = (*degraded, "paths")
    turns = tuple(
        turn.model_copy(update={"paths": paths.get(turn.turn_id, ())}) for turn in told.turns
    )
    return drawn(told.model_copy(update={"turns": turns, "degraded": degraded}))


def drawn(told: Explanation) -> Explanation:
    """Return an explanation with the statement that draws it in Neo4j Browser."""
    if not told.turns and not told.facts and not told.procedures:
        return told
    ids: dict[str, list[str]] = {
        "Turn": [turn.turn_id for turn in told.turns],
        "Fact": [fact.fact_id for fact in told.facts],
        "Procedure": [way.procedure_id for way in told.procedures],
        "Term": [],
        "Tag": [],
        "Session": [],
    }
    for step in _steps(told.turns):
        ids[step.label].append(step.id)
    statement = get_query("explore/answer").filled(
        scope=told.scope,
        **{f"{label.lower()}_ids": list(dict.fromkeys(found)) for label, found in ids.items()},
    )
    return told.model_copy(update={"cypher": f"{statement};"})


def _steps(turns: Iterable[TurnReason]) -> Iterable[PathStep]:
    return (step for turn in turns for path in turn.paths for step in path)


async def _find_paths(
    db: Database, found: Recall, options: RecallOptions
) -> dict[str, tuple[tuple[PathStep, ...], ...]]:
    # Ways lead through the facts that the walk could pass: those that hold, or held then.
    asked = RecallRequest(found.query, found.scope, limit=len(found.turns), as_of=found.as_of)
    rows = await db.run(
        get_query("recall/find_paths"),
        scope=found.scope,
        **{
            f"{label.lower()}_seeds": _seed_rows(found.trace.seeds, label)
            for label in ("Turn", "Term", "Fact", "Tag")
        },
        turn_ids=[hit.turn.id for hit in found.turns],
        link_weights=dict(options.walk.link_weights),
        hub_links=options.walk.hub_links,
        kept=_KEPT,
        paths=_PATHS,
        name_length=NAME_LENGTH,
        now=asked.held_at(options.now),
        fact_statuses=list(asked.fact_statuses),
    )
    return {row["turn_id"]: tuple(_path(*path) for path in row["paths"]) for row in rows}


def _seed_rows(seeds: Iterable[WalkSeed], label: str) -> list[dict[str, Any]]:
    return [{"id": seed.id, "weight": seed.weight} for seed in seeds if seed.label == label]


def _path(nodes: Sequence[Sequence[str]], links: Sequence[Sequence[str]]) -> tuple[PathStep, ...]:
    steps = []
    for place, (label, node_id, name) in enumerate(nodes):
        link, left_from = links[place - 1] if place else ("", "")
        steps.append(
            PathStep(
                link=link,
                is_forward=not place or left_from == nodes[place - 1][1],
                label=label,
                id=node_id,
                name=name,
            )
        )
    return tuple(steps)
