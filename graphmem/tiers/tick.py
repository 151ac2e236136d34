"""One tick of upkeep: every step in its order, each with a receipt, within a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from graphmem.checks import check_number, check_words
from graphmem.errors import GraphmemError, InputError, MaintenanceBusy
from graphmem.maintain.communities.update import update_communities
from graphmem.maintain.consolidation.consolidate import THRESHOLD, consolidation_request
from graphmem.maintain.decay.tiered import decay_by_tiers, tier_request
from graphmem.maintain.orphans import remove_orphans
from graphmem.maintain.removal import drop_tombstones
from graphmem.maintain.retention import retain_messages, retention_request
from graphmem.maintain.runs import BudgetOver, Run, list_runs, run_in
from graphmem.maintenance import (
    STEPS,
    MaintenanceReport,
    MaintenanceStep,
    StepState,
)
from graphmem.operation import Progress
from graphmem.scoring import ValueCurves
from graphmem.tiers.cleaning import consolidate_scope

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["check_budget", "check_steps", "tick"]

_OPERATION = "maintain"
# With the name of a step behind it: how a receipt counts that there was no time for that one.
_SKIPPED = "skipped "
# A year: who wants more wants no bound.
_MOST_S = 366 * 86_400


async def tick(
    engine: Engine,
    scope: str,
    *,
    budget_s: float | None = None,
    steps: Iterable[str] = STEPS,
    progress: Progress | None = None,
) -> MaintenanceReport:
    """Keep a scope clean once; an error of one step does not keep the others.

    A tick with a time to keep begins with what the last one had no time for, so that a step that
    is never through does not keep the others either.

    Args:
        engine: What all scopes share.
        scope: Where.
        budget_s: How long it may work; None = as long as it takes.
        steps: Which of `STEPS`; they are done in that order, whatever the order here; see above.
        progress: Called after each step.

    Raises:
        MaintenanceBusy: Another operation works in that scope.
        StoreError: The server failed at the begin.
    """
    chosen = check_steps(steps)
    started = time.perf_counter()
    done: list[MaintenanceStep] = []
    async with run_in(
        engine.db,
        scope,
        _OPERATION,
        clock=engine.clock,
        params={"steps": chosen, "budget_s": budget_s},
        undo_window=engine.undo_window,
        budget_s=budget_s,
    ) as whole:
        work = _Tick(engine, scope, whole)
        for name in chosen if budget_s is None else await _turned(work, chosen):
            done.append(await _do(work, name))
            if progress is not None:
                progress(len(done), len(chosen))
        for step in done:
            whole.counts.update(step.counts)
            if step.error:
                whole.note(f"{step.name}: {step.error}")
            if step.state == "skipped":
                whole.counts[_SKIPPED + step.name] = 1
    return MaintenanceReport(
        run_id=whole.id, steps=tuple(done), duration_ms=(time.perf_counter() - started) * 1000
    )


def check_budget(budget_s: object) -> float | None:
    """Return how long a tick may work.

    Raises:
        InputError: It is no positive number of seconds, up to a year.
    """
    if budget_s is None:
        return None
    return check_number(budget_s, "budget_s", 0, _MOST_S, is_open=True)


def check_steps(steps: object) -> list[str]:
    """Return the steps that are wanted, in their order.

    Raises:
        InputError: It is no list, it is empty, or one of them is unknown.
    """
    if not (wanted := check_words(steps, "steps", STEPS)):
        raise InputError(f"steps: none is named; there are {', '.join(STEPS)}")
    return [step for step in STEPS if step in wanted]


@dataclass(frozen=True, slots=True)
class _Tick:
    """A tick that is under way."""

    engine: Engine
    scope: str
    whole: Run


async def _turned(work: _Tick, steps: list[str]) -> list[str]:
    """Return the steps from the first that the last tick had no time for, then the others."""
    runs = await list_runs(work.engine.db, work.scope, limit=2, operations=[_OPERATION])
    counts = next((run.counts for run in runs if run.id != work.whole.id), {})
    skipped = [word.removeprefix(_SKIPPED) for word in counts if word.startswith(_SKIPPED)]
    at = next((steps.index(step) for step in skipped if step in steps), 0)
    return steps[at:] + steps[:at]


async def _do(work: _Tick, name: str) -> MaintenanceStep:
    started = time.perf_counter()
    if work.whole.is_over():
        return MaintenanceStep(name=name, state="skipped")
    run_id, counts, error = "", Counter[str](), ""
    state: StepState = "done"
    begun = len(work.whole.parts)
    try:
        run_id = await _STEPS[name](work, counts)
    except BudgetOver:
        state = "cut"
    except MaintenanceBusy:
        # Another process took over: nothing more may be done here.
        raise
    except GraphmemError as fault:
        state, error = "failed", f"{fault.kind}: {fault}"
    if state != "done":
        # It did not come to say what it did; its receipt does, where it leaves one.
        for part in work.whole.parts[begun:]:
            run_id = part.id
            counts = Counter({word: n for word, n in part.counts.items() if word != "unfinished"})
    return MaintenanceStep(
        name=name,
        state=state,
        run_id=run_id,
        counts={word: count for word, count in counts.items() if count},
        duration_ms=(time.perf_counter() - started) * 1000,
        error=error,
    )


async def _backfill(work: _Tick, counts: Counter[str]) -> str:
    """Take up turns that wait; embed what has no vector, then link it, and decide about it."""
    await work.engine.backlog.sweep(work.scope)
    while count := await work.engine.pipeline.late.backfill_some(work.scope):
        counts["backfilled"] += count
        await work.whole.renew()
    return ""


async def _communities(work: _Tick, counts: Counter[str]) -> str:
    engine = work.engine
    report = await update_communities(
        engine.db,
        work.scope,
        clock=engine.clock,
        undo_window=engine.undo_window,
        part_of=work.whole,
    )
    engine.backlog.owe_vectors(work.scope)
    counts["moved"] = report.moved
    return report.run_id


async def _consolidate(work: _Tick, counts: Counter[str]) -> str:
    engine = work.engine
    curve = ValueCurves.of(engine.settings.value_curves).semantic
    report = await consolidate_scope(
        engine,
        work.scope,
        consolidation_request(
            THRESHOLD,
            mode="deprecate",
            curve=curve,
            # All with all takes longer the more there is, and no tick would come to its end.
            only_waiting=work.whole.deadline is not None,
            # There is a step of its own for what leads nowhere then.
            cleans_orphans=False,
        ),
        part_of=work.whole,
    )
    counts["merged"] = report.deprecated
    return report.run_id


async def _decay(work: _Tick, counts: Counter[str]) -> str:
    engine = work.engine
    report = await decay_by_tiers(
        engine.db,
        work.scope,
        # There is a step of its own for what leads nowhere then.
        tier_request(engine.settings, cleans_orphans=False),
        clock=engine.clock,
        undo_window=engine.undo_window,
        part_of=work.whole,
    )
    counts.update(
        promoted=report.promoted,
        demoted=report.demoted,
        deprecated=report.deprecated,
        purged=report.purged,
    )
    return report.run_id


async def _orphans(work: _Tick, counts: Counter[str]) -> str:
    engine = work.engine
    report = await remove_orphans(
        engine.db,
        work.scope,
        clock=engine.clock,
        undo_window=engine.undo_window,
        part_of=work.whole,
    )
    counts["orphans"] = report.deleted
    return report.run_id


async def _retention(work: _Tick, counts: Counter[str]) -> str:
    """Let raw messages go as far as the settings say; as a rule they keep all."""
    engine, settings = work.engine, work.engine.settings
    if settings.message_retention == "all":
        return ""
    report = await retain_messages(
        engine.db,
        work.scope,
        retention_request(
            settings.message_retention,
            recent_turns=settings.message_recent_turns,
            days=settings.message_retention_days,
        ),
        clock=engine.clock,
        undo_window=engine.undo_window,
        part_of=work.whole,
    )
    counts["messages"] = report.deleted
    return report.run_id


async def _tombstones(work: _Tick, counts: Counter[str]) -> str:
    """Delete for good what can be taken back no longer."""
    engine = work.engine
    async with run_in(
        engine.db,
        work.scope,
        "tombstones",
        clock=engine.clock,
        params={},
        undo_window=engine.undo_window,
        part_of=work.whole,
    ) as run:
        counts["gone"] = await drop_tombstones(run)
        return run.id


# Each returns its receipt, "" where it leaves none, and fills in what it counted.
_STEPS: Mapping[str, Callable[[_Tick, Counter[str]], Awaitable[str]]] = MappingProxyType(
    {
        "backfill": _backfill,
        "communities": _communities,
        "consolidate": _consolidate,
        "decay": _decay,
        "orphans": _orphans,
        "retention": _retention,
        "tombstones": _tombstones,
    }
)
