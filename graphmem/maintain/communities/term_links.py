"""How much each two names have to do with each other, read from the store page by page.

The same as cypher/maintain/project_terms.cypher makes for the Graph Data Science library: names
that a turn mentions together share one vote in each of them, names that a fact links get one;
both are divided by how often the two are spoken of at all, so that a name of every turn does not
draw all others to it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.maintain.communities.label_propagation import Links
from graphmem.maintain.communities.paging import paged

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = [
    "MOST_TERMS",
    "TermGraph",
    "read_graph",
]

# Names of one turn that count, the weightiest first: pairs grow with their square. Turns of a
# talk mention 5 to 7.
MOST_TERMS = 20


@dataclass(slots=True)
class TermGraph:
    """Links between names.

    Attributes:
        ranks: That of every live name by its key, in order; None where it has none yet.
        shares: How often two are told of together, by both; what PageRank walks on.
        weights: The same over how often each is told of; what labels spread along.
    """

    ranks: dict[str, float | None]
    shares: dict[str, dict[str, float]]
    weights: Links


async def read_graph(db: Database, run: Run) -> TermGraph:
    """Return the live names of the run's scope, and the links between them."""
    ranks: dict[str, float | None] = {}
    links: dict[str, int] = {}
    async for key, count, rank in paged(db, run, "page_terms"):
        ranks[key] = rank
        links[key] = count
    shares: dict[str, dict[str, float]] = {key: {} for key in links}
    async for _, keys in paged(db, run, "page_mentions", most_terms=MOST_TERMS):
        _add_together(shares, keys)
    async for _, subjects, objects in paged(db, run, "page_facts"):
        _add_fact(shares, subjects, objects)
    weights = await asyncio.to_thread(_weighted, shares, links)
    return TermGraph(ranks, shares, weights)


def _add_together(shares: Mapping[str, dict[str, float]], keys: Sequence[str]) -> None:
    """Add what a turn that mentions these names says of each two: one vote of each, shared."""
    for place, one in enumerate(keys):
        for other in keys[:place]:
            _add(shares, one, other, 1.0 / (len(keys) - 1))


def _weighted(shares: Links, links: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Return shares over how often both ends are told of: their cosine, as it were."""
    roots = {key: math.sqrt(count) for key, count in links.items()}
    return {
        one: {other: share / (roots[one] * roots[other]) for other, share in near.items()}
        for one, near in shares.items()
    }


def _add_fact(
    shares: Mapping[str, dict[str, float]], subjects: Iterable[str], objects: Sequence[str]
) -> None:
    for one in subjects:
        for other in objects:
            if one != other:
                _add(shares, one, other, 1.0)


def _add(shares: Mapping[str, dict[str, float]], one: str, other: str, share: float) -> None:
    # Written since the names were read: it waits for the next time.
    if one in shares and other in shares:
        shares[one][other] = shares[one].get(other, 0.0) + share
        shares[other][one] = shares[other].get(one, 0.0) + share
