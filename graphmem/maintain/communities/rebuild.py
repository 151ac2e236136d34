"""Finding all communities of a scope anew: by the Graph Data Science library, or without it."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.errors import StoreError
from graphmem.maintain.communities.gds import can_project, drop_copies, propagate_terms
from graphmem.maintain.communities.label_propagation import propagate
from graphmem.maintain.communities.membership import place_groups
from graphmem.maintain.communities.membership_writing import read_old, write_placed
from graphmem.maintain.communities.ranks import page_ranks, scaled
from graphmem.maintain.communities.term_links import read_graph
from graphmem.maintain.runs import each
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.maintain.communities.work import CommunityWork

__all__ = ["rebuild_communities"]

logger = logging.getLogger(__name__)

# Terms that wait no longer, in one transaction.
_CLEARED = 10_000
# A rank that moves by less says the same. It is a share of the highest one: where that one moves by
# a hundredth, all do.
_SAME_RANK = 0.005


@dataclass(frozen=True, slots=True)
class _Found:
    """What an engine found.

    Attributes:
        groups: Keys of the Terms that belong together.
        scores: PageRank by key, not scaled.
        ranks: What each of them had before, None = none.
    """

    groups: Collection[Sequence[str]] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    ranks: Mapping[str, float | None] = field(default_factory=dict)


async def rebuild_communities(work: CommunityWork) -> None:
    """Let all Terms vote, and write which communities that makes, and their ranks."""
    db, run = work.db, work.run
    with work.timed("read"):
        # First: what is written from now on waits for the next run.
        await _clear_waiting(work)
        await _drop_copies(work)
    work.total = work.terms
    # Beside it: the server works for each of them with one processor.
    reading = asyncio.create_task(read_old(db, run))
    try:
        found = await run.hold_while(_find(work)) if work.terms else _Found()
        with work.timed("read"):
            old = await reading
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    work.total = work.terms = len(found.ranks)
    with work.timed("write"):
        # In a thread, as all that keeps a processor busy for long where there are many.
        placed = await run.hold_while(asyncio.to_thread(place_groups, found.groups, old.values()))
        # The summaries that follow.
        work.total += sum(one.is_changed for one in placed)
        work.written = await write_placed(
            run,
            placed,
            old,
            ranks=_moved_ranks(scaled(found.scores), found.ranks),
            advance=work.advance,
        )


async def _clear_waiting(work: CommunityWork) -> None:
    query = get_query("maintain/clear_waiting_terms")
    cleared = _CLEARED
    while cleared == _CLEARED:
        (row,) = await work.run.write(query, each(), scope=work.run.scope, limit=_CLEARED)
        cleared = row["cleared"]


async def _drop_copies(work: CommunityWork) -> None:
    """Drop what the run before this one left where it was killed."""
    try:
        await drop_copies(work.db, work.run.scope)
    except StoreError as error:
        # Such as a user who may not list copies: who needs none is not kept by that.
        _note(work, error)


async def _find(work: CommunityWork) -> _Found:
    if work.engine != "python" and await can_project(work.db):
        try:
            with work.timed("propagate"):
                return await _find_with_library(work)
        except StoreError as error:
            if work.engine == "gds":
                raise
            # Such as too little memory for a copy: Python needs none of the server's.
            _note(work, error)
    return await _find_in_python(work)


def _note(work: CommunityWork, error: StoreError) -> None:
    logger.warning("maintain.gds_failed kind=%s", error.kind)
    work.run.note(f"gds: {error.kind}: {error}")


async def _find_with_library(work: CommunityWork) -> _Found:
    projected = await propagate_terms(work.db, work.run.scope, work.run.id)
    work.used = "gds"
    work.rounds, work.converged = projected.rounds, projected.converged
    return _Found(projected.groups, projected.scores, projected.ranks)


async def _find_in_python(work: CommunityWork) -> _Found:
    with work.timed("read"):
        graph = await read_graph(work.db, work.run)
    with work.timed("propagate"):
        partition = await asyncio.to_thread(propagate, graph.weights)
        scores = await asyncio.to_thread(page_ranks, graph.shares)
    work.used = "python"
    work.rounds, work.converged = partition.rounds, partition.converged
    groups: dict[str, list[str]] = defaultdict(list)
    for key, label in partition.labels.items():
        groups[label].append(key)
    return _Found(groups.values(), scores, graph.ranks)


def _moved_ranks(
    ranks: Mapping[str, float], ranks_before: Mapping[str, float | None]
) -> dict[str, float]:
    return {
        key: rank
        for key, rank in ranks.items()
        if (before := ranks_before[key]) is None or abs(before - rank) > _SAME_RANK
    }
