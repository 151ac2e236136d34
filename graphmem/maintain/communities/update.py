"""Putting the names of a scope into communities: all anew, or around what has changed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from graphmem.communities import Community, CommunityReport, CommunityTerm
from graphmem.errors import ConfigError
from graphmem.maintain.communities.follow import REBUILT_SHARE, follow_changes
from graphmem.maintain.communities.gds import can_project
from graphmem.maintain.communities.membership_writing import drop_empty
from graphmem.maintain.communities.rebuild import rebuild_communities
from graphmem.maintain.communities.summaries import Summarised, summarise
from graphmem.maintain.communities.work import CommunityWork
from graphmem.maintain.runs import Run, list_runs, run_in
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.communities import CommunityEngine, SummaryMode
    from graphmem.db import Database
    from graphmem.llm import ChatModel

__all__ = ["list_communities", "update_communities"]

_OPERATION = "communities"

_SHOWN_TERMS = 5
# How a receipt counts the Terms once none waits to be placed, whatever the run comes to then.
_PLACED = "placed"


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
    not come so far as to place what it had taken up.

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
        BudgetOver: The time of the run that it is a part of is over; what was written stays.
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
        _OPERATION,
        clock=clock,
        params=params,
        undo_window=undo_window,
        part_of=part_of,
    ) as run:
        (survey,) = await db.run(get_query("maintain/survey_communities"), scope=scope)
        work = CommunityWork(db, run, engine, progress, survey["terms"], survey["waiting"])
        is_rebuild = (
            rebuild
            or not survey["communities"]
            or survey["waiting"] > REBUILT_SHARE * survey["terms"]
            or not await _was_placed(db, run)
        )
        if is_rebuild or not await follow_changes(work):
            is_rebuild = True
            # Cut off and begun anew, one that takes longer than a tick would never end.
            deadline, run.deadline = run.deadline, None
            await rebuild_communities(work)
            run.deadline = deadline
        run.counts[_PLACED] = work.terms
        with work.timed("write"):
            dropped = await drop_empty(run)
        with work.timed("summarise"):
            told = await summarise(
                db, run, mode=summaries, chat_model=chat_model, advance=work.advance
            )
        return await _report(work, told, dropped=dropped, is_rebuild=is_rebuild)


async def list_communities(db: Database, scope: str, *, limit: int) -> list[Community]:
    """Return the communities of a scope, largest first."""
    rows = await db.run(
        get_query("maintain/list_communities"), scope=scope, limit=limit, most_terms=_SHOWN_TERMS
    )
    return [
        Community(**{**row, "terms": tuple(CommunityTerm(**term) for term in row["terms"])})
        for row in rows
    ]


async def _was_placed(db: Database, run: Run) -> bool:
    """Return whether the run before this one placed all Terms: else some wait unmarked."""
    earlier = [
        one
        for one in await list_runs(db, run.scope, limit=2, operations=[_OPERATION])
        if one.id != run.id
    ]
    return all(_PLACED in one.counts for one in earlier[:1])


async def _report(
    work: CommunityWork, told: Summarised, *, dropped: int, is_rebuild: bool
) -> CommunityReport:
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
        dropped=dropped,
        rounds=work.rounds,
        converged=work.converged,
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
