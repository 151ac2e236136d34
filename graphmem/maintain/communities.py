"""Putting the names of a scope into communities: all anew, or around what has changed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from graphmem.communities import Community, CommunityReport, CommunityTerm
from graphmem.errors import ConfigError, StoreError
from graphmem.ids import new_id
from graphmem.maintain.gds import can_project, propagate_terms
from graphmem.maintain.label_propagation import Partition, propagate, revote
from graphmem.maintain.membership import OldCommunity, place_groups
from graphmem.maintain.membership_writing import (
    Written,
    drop_empty,
    read_old,
    write_moves,
    write_placed,
)
from graphmem.maintain.ranks import page_ranks, scaled
from graphmem.maintain.runs import Run, list_runs, run_in
from graphmem.maintain.summaries import Summarised, summarise
from graphmem.maintain.term_links import MOST_TERMS, Standing, read_graph, read_standings
from graphmem.maintenance import RunState
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.communities import CommunityEngine, SummaryMode
    from graphmem.db import Database
    from graphmem.llm import ChatModel

__all__ = ["OPERATION", "list_communities", "update_communities"]

logger = logging.getLogger(__name__)

OPERATION = "communities"

# Terms that wait, taken up in one transaction.
_TAKEN = 5000
# Terms whose links are read at once.
_LINKED = 200
# One of which more is told is not moved by what is new of it: its links alone would be a scan.
_HUB_LINKS = 1000
# Rounds of votes around what changed; whoever is not at rest then waits for the next rebuild.
_FOLLOWED_ROUNDS = 20
# Where more of the scope than this has changed, finding all anew costs no more.
_REBUILT_SHARE = 3
# In front of the key of a Term whose community is to be made; behind every id.
_NEW = "~"
_SHOWN_TERMS = 5
# A rank that moves by less says the same.
_SAME_RANK = 1e-6


@dataclass(slots=True)
class _Work:
    """A run with what it found out so far."""

    db: Database
    run: Run
    engine: CommunityEngine
    progress: Progress | None
    terms: int
    waiting: int
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    used: Literal["gds", "python", ""] = ""
    partition: Partition = field(default_factory=lambda: Partition({}, 0, converged=True))
    written: Written = field(default_factory=lambda: Written(0, 0, 0))
    dropped: int = 0
    done: int = 0
    total: int | None = None

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - started

    def advance(self, count: int) -> None:
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total)


async def update_communities(
    db: Database,
    scope: str,
    *,
    clock: Clock,
    undo_window: timedelta,
    rebuild: bool = False,
    engine: CommunityEngine = "auto",
    summaries: SummaryMode = "local",
    chat_model: ChatModel | None = None,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> CommunityReport:
    """Put the live Terms of a scope into communities, and say what those are about.

    Only Terms that changed since the last time vote anew, and those whom that moves. All vote
    where there is no community yet, more than a third of the Terms changed, or the last run did
    not come to its end.

    Args:
        db: The store.
        scope: Whose memory it is; nothing of another one is read or written.
        clock: Tells when it begins and ends.
        undo_window: Goes into the receipt; communities are derived, and not undone.
        rebuild: Let all vote anew.
        engine: What does that: the Graph Data Science library or Python; "auto" = the library
            where the server has it. What changed in between is always followed in Python.
        summaries: "llm" asks the model for them.
        chat_model: That model.
        part_of: The run that holds the scope already.
        progress: Called with the Terms and summaries done, and of how many.

    Raises:
        ConfigError: The library or a model was asked for, and there is none.
        MaintenanceBusy: Another run works in that scope.
        StoreError: The server failed.
    """
    if summaries == "llm" and chat_model is None:
        raise ConfigError(
            "summaries='llm' needs a model, and none is configured: set GRAPHMEM_LLM_MODEL (and "
            "its key or base URL), or leave summaries='local'"
        )
    if engine == "gds" and not await can_project(db):
        raise ConfigError(
            "engine='gds' needs the Graph Data Science library in the server, and a connection "
            "that graphmem made itself; engine='python' needs neither"
        )
    params = {"rebuild": rebuild, "engine": engine, "summaries": summaries}
    async with run_in(
        db,
        scope,
        OPERATION,
        clock=clock,
        params=params,
        undo_window=undo_window,
        part_of=part_of,
    ) as run:
        (survey,) = await db.run(get_query("maintain/survey_communities"), scope=scope)
        work = _Work(db, run, engine, progress, survey["terms"], survey["waiting"])
        is_rebuild = (
            rebuild
            or not survey["communities"]
            or survey["waiting"] * _REBUILT_SHARE > survey["terms"]
            or not await _was_whole(db, run)
        )
        if is_rebuild or not await _follow(work):
            is_rebuild = True
            await _rebuild(work)
        with work.timed("write"):
            work.dropped = await drop_empty(db, run)
        with work.timed("summarise"):
            told = await summarise(
                db,
                run,
                mode=summaries,
                chat_model=chat_model,
                now=run.now,
                advance=work.advance,
            )
        return await _report(work, told, is_rebuild=is_rebuild)


async def list_communities(db: Database, scope: str, *, limit: int) -> list[Community]:
    """Return the communities of a scope, largest first."""
    rows = await db.run(
        get_query("maintain/list_communities"), scope=scope, limit=limit, most_terms=_SHOWN_TERMS
    )
    return [
        Community(**{**row, "terms": tuple(CommunityTerm(**term) for term in row["terms"])})
        for row in rows
    ]


async def _was_whole(db: Database, run: Run) -> bool:
    """Return whether the run before this one came to its end: else some Terms are half moved."""
    earlier = [
        one
        for one in await list_runs(db, run.scope, limit=2, operations=[OPERATION])
        if one.id != run.id
    ]
    return all(one.state is RunState.DONE for one in earlier[:1])


async def _take_waiting(work: _Work) -> dict[str, tuple[bool, str | None]]:
    """Take up the Terms that wait: whether each is live, and where it is."""
    taken: dict[str, tuple[bool, str | None]] = {}
    while True:
        await work.run.renew()
        rows = await work.db.run(
            get_query("maintain/take_waiting_terms"), scope=work.run.scope, limit=_TAKEN
        )
        for row in rows:
            taken[row["key"]] = (row["is_live"], row["community_id"])
        if len(rows) < _TAKEN:
            return taken


# All anew -----------------------------------------------------------------------------------


async def _rebuild(work: _Work) -> None:
    db, run = work.db, work.run
    with work.timed("read"):
        # First: what is written from now on waits for the next run.
        await _take_waiting(work)
        standings = await read_standings(db, run.scope, renew=run.renew)
        old = await read_old(db, run)
    work.terms = len(standings)
    work.total = len(standings)
    scores: Mapping[str, float] = {}
    if standings:
        scores = await _propagate(work, standings)
    with work.timed("write"):
        groups: dict[str, list[str]] = defaultdict(list)
        for key, label in work.partition.labels.items():
            groups[label].append(key)
        community_of = {key: standing.community_id for key, standing in standings.items()}
        placed = await asyncio.to_thread(place_groups, groups.values(), old.values(), community_of)
        # The summaries that follow.
        work.total += sum(one.is_changed for one in placed)
        work.written = await write_placed(
            db,
            run,
            placed,
            old,
            community_of=community_of,
            ranks=_moved_ranks(scaled(scores), standings),
            advance=work.advance,
        )


async def _propagate(work: _Work, standings: Mapping[str, Standing]) -> Mapping[str, float]:
    """Let all vote; return what ranks follow from."""
    if work.engine != "python" and await can_project(work.db):
        try:
            with work.timed("propagate"):
                projected = await propagate_terms(work.db, work.run.scope)
        except StoreError as error:
            if work.engine == "gds":
                raise
            # Such as too little memory for a copy: Python needs none of the server's.
            logger.warning("maintain.gds_failed kind=%s", error.kind)
            work.run.errors.append(f"gds: {error.kind}: {error}")
        else:
            work.used = "gds"
            work.partition = projected.partition
            return projected.scores
    with work.timed("read"):
        graph = await read_graph(work.db, work.run.scope, standings, renew=work.run.renew)
    with work.timed("propagate"):
        # In a thread: it keeps a processor busy for seconds where there are many.
        work.partition = await asyncio.to_thread(propagate, graph.weights)
        scores = await asyncio.to_thread(page_ranks, graph.shares)
    work.used = "python"
    return scores


def _moved_ranks(ranks: Mapping[str, float], standings: Mapping[str, Standing]) -> dict[str, float]:
    return {
        key: rank
        for key, rank in ranks.items()
        if key in standings
        and ((before := standings[key].rank) is None or abs(before - rank) > _SAME_RANK)
    }


# Around what changed ------------------------------------------------------------------------


async def _follow(work: _Work) -> bool:
    """Let those vote that changed, and whom that moves; return False where all had better."""
    db, run = work.db, work.run
    with work.timed("read"):
        taken = await _take_waiting(work)
        old = await read_old(db, run)
    waiting = {key for key, (is_live, _) in taken.items() if is_live}
    work.total = len(waiting)
    with work.timed("propagate"):
        voted = await _vote(work, waiting, old)
    if voted is None:
        return False
    if taken:
        work.used = "python"
    moves: dict[str, str | None] = dict(voted.moves)
    # What does not stand for itself any more is in none.
    moves |= {key: None for key, (is_live, where) in taken.items() if not is_live and where}
    was = {**voted.was, **{key: where for key, (_, where) in taken.items()}}
    # Terms that went by another way left a gap.
    affected = {one.id for one in old.values() if one.key is None or one.size != one.members}
    affected |= {new for new in moves.values() if new is not None}
    affected |= {where for key in moves if (where := was.get(key)) is not None}
    with work.timed("write"):
        work.written = await write_moves(
            db,
            run,
            moves,
            old,
            affected=affected,
            touched={where for _, where in taken.values() if where is not None},
        )
    work.advance(len(waiting))
    return True


@dataclass(frozen=True, slots=True)
class _Voted:
    """Where Terms belong from now on, of those that move, and where they have been."""

    moves: Mapping[str, str]
    was: Mapping[str, str | None]


async def _vote(work: _Work, waiting: set[str], old: Mapping[str, OldCommunity]) -> _Voted | None:
    links: dict[str, dict[str, float]] = {}
    was: dict[str, str | None] = {}
    labels: dict[str, str] = {}
    asked = set(waiting)
    rounds = 0
    while asked and rounds < _FOLLOWED_ROUNDS:
        for key in await _read_links(work, sorted(asked - links.keys()), links, was, labels):
            # Nothing links it any more: it belongs nowhere but to itself.
            where = was[key]
            if where is not None and where in old and old[where].members > 1:
                labels[key] = _NEW + key
        if len(links) * _REBUILT_SHARE > work.terms:
            return None
        changed = revote((key for key in asked if key in links), links, labels)
        rounds += bool(changed)
        asked = {near for key in changed for near in links[key]}
    work.partition = Partition({}, rounds, converged=not asked)
    new_ids: dict[str, str] = {}
    moves = {}
    for key, label in labels.items():
        is_new = label.startswith(_NEW)
        target = new_ids.setdefault(label, new_id()) if is_new else label
        if (key in links or is_new) and target != was[key]:
            moves[key] = target
    return _Voted(moves, was)


async def _read_links(
    work: _Work,
    keys: list[str],
    links: dict[str, dict[str, float]],
    was: dict[str, str | None],
    labels: dict[str, str],
) -> list[str]:
    """Read the links of Terms and where their neighbours are; return those that have none."""
    alone = []
    for start in range(0, len(keys), _LINKED):
        await work.run.renew()
        rows = await work.db.run(
            get_query("maintain/link_terms"),
            scope=work.run.scope,
            keys=keys[start : start + _LINKED],
            most_terms=MOST_TERMS,
            hub_links=_HUB_LINKS,
        )
        for row in rows:
            key = row["key"]
            links[key] = {other: weight for other, weight, _ in row["near"]}
            for name, where in [(key, row["community_id"]), *((o, c) for o, _, c in row["near"])]:
                was.setdefault(name, where)
                labels.setdefault(name, was[name] or _NEW + name)
            if not row["near"] and not row["is_hub"]:
                alone.append(key)
    return alone


async def _report(work: _Work, told: Summarised, *, is_rebuild: bool) -> CommunityReport:
    (after,) = await work.db.run(get_query("maintain/survey_communities"), scope=work.run.scope)
    written = work.written
    work.run.errors.extend(told.errors)
    report = CommunityReport(
        run_id=work.run.id,
        engine=work.used,
        is_rebuild=is_rebuild,
        terms=after["terms"],
        communities=after["communities"],
        moved=written.moved,
        created=written.created,
        changed=written.changed,
        kept=max(0, after["communities"] - written.created - written.changed),
        dropped=work.dropped,
        rounds=work.partition.rounds,
        converged=work.partition.converged,
        summaries=told.local,
        llm_summaries=told.by_model,
        llm_calls=told.calls,
        llm_failed=told.failed,
        prompt_tokens=told.prompt_tokens,
        completion_tokens=told.completion_tokens,
        seconds={step: round(seconds, 4) for step, seconds in work.seconds.items()},
        errors=tuple(work.run.errors),
    )
    names = ("terms", "communities", "moved", "created", "changed", "dropped", "summaries")
    work.run.counts.update({name: getattr(report, name) for name in (*names, "llm_summaries")})
    if not report.converged:
        work.run.errors.append("label propagation was broken off at its cap on rounds")
    return report
