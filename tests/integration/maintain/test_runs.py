"""Runs of upkeep: one at a time in a scope, and a receipt for each."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState
from graphmem.db import Database
from graphmem.maintain.runs import run_in
from graphmem.queries import Query
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask

WEEK = timedelta(days=7)


def begin(db: Database, scope: str, clock: FrozenClock, operation: str = "decay", **kw: Any) -> Any:
    """Return a run that is not begun yet."""
    return run_in(
        db, scope, operation, clock=clock, params={"threshold": 0.1}, undo_window=WEEK, **kw
    )


async def test_a_run_leaves_a_receipt(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """It says what ran, with what, what was counted, and how it ended."""
    async with begin(db, scope, clock) as run:
        run.counts["checked"] += 3
        run.changed(["a", "b"])
        clock.advance(2)

    (found,) = await memory.runs()

    assert found.operation == "decay"
    assert found.params == {"threshold": 0.1}
    assert found.counts == {"checked": 3}
    assert found.ids == ("a", "b")
    assert found.state is RunState.DONE
    assert found.ended_at == found.at + timedelta(seconds=2)
    assert found.undo_until == found.at + WEEK
    assert found == await memory.run(found.id)


async def test_a_run_that_fails_says_why(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Its receipt holds the fault, and the scope is free again."""
    with pytest.raises(InputError):
        async with begin(db, scope, clock):
            raise InputError("no such thing")

    (found,) = await memory.runs()

    assert found.state is RunState.FAILED
    assert found.errors == ("input: no such thing",)
    async with begin(db, scope, clock):
        pass


async def test_a_second_run_in_the_scope_is_refused(
    db: Database, scope: str, clock: FrozenClock
) -> None:
    """It names the one that works; another scope is free."""
    async with begin(db, scope, clock) as first:
        with pytest.raises(MaintenanceBusy) as refused:
            async with begin(db, scope, clock, "consolidate"):
                pytest.fail("it began")
        async with begin(db, f"{scope}/other", clock):
            pass

    assert refused.value.ids == (first.id,)
    assert refused.value.retryable


async def test_of_many_at_once_one_begins(db: Database, scope: str, clock: FrozenClock) -> None:
    """All others are told that it is busy."""
    may_end = asyncio.Event()

    async def work() -> str:
        try:
            async with begin(db, scope, clock):
                await may_end.wait()
        except MaintenanceBusy:
            return "busy"
        return "done"

    tasks = [asyncio.create_task(work()) for _ in range(8)]
    while sum(task.done() for task in tasks) < 7:
        await asyncio.sleep(0.01)
    may_end.set()

    assert ["busy"] * 7 + ["done"] == sorted(await asyncio.gather(*tasks))


async def test_a_part_needs_the_lock_of_the_whole(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """It takes none of its own, and cannot begin once the whole is over."""
    whole_run = begin(db, scope, clock, "maintain")
    async with whole_run as whole, begin(db, scope, clock, part_of=whole) as part:
        pass

    with pytest.raises(MaintenanceBusy):
        async with begin(db, scope, clock, part_of=whole):
            pytest.fail("it began")
    runs = {run.id: run for run in await memory.runs()}
    assert runs[part.id].part_of == whole.id
    assert runs[whole.id].part_of == ""


@pytest.mark.parametrize("is_due", [True, False], ids=["its hold is over", "its process ended"])
async def test_a_run_that_was_broken_off_is_taken_over(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    ask: Ask,
    is_due: bool,
) -> None:
    """Of a dead process at once, of one that cannot be judged when its hold is over."""
    left = begin(db, scope, clock)
    broken = await left.__aenter__()
    if is_due:
        clock.advance(timedelta(minutes=10))
    else:
        machine = broken.owner.split(":")[0]
        await ask(
            "MATCH (r:MaintenanceRun {scope: $scope}) SET r.owner = $owner",
            scope=scope,
            owner=f"{machine}:999999999:x",
        )

    async with begin(db, scope, clock) as run:
        pass

    states = {found.id: found.state for found in await memory.runs()}
    assert states == {broken.id: RunState.BROKEN, run.id: RunState.DONE}
    if is_due:
        with pytest.raises(MaintenanceBusy):
            await broken.renew()
    await left.__aexit__(None, None, None)


async def held_until(ask: Ask, scope: str) -> datetime:
    """Return until when the scope is held."""
    (row,) = await ask(
        "MATCH (r:MaintenanceRun {scope: $scope}) RETURN r.due_at AS at", scope=scope
    )
    due_at: datetime = row["at"].to_native()
    return due_at


@pytest.fixture
def short_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scope is held for a moment only."""
    monkeypatch.setattr("graphmem.maintain.runs._HOLD", timedelta(seconds=0.03))


@pytest.mark.usefixtures("short_hold")
async def test_a_scope_is_held_while_something_works_for_long(
    db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Again and again, and also past the time of a tick; what came of it is returned."""

    async def work() -> str:
        for _ in range(2):
            before = await held_until(ask, scope)
            clock.advance(60)
            async with asyncio.timeout(60):
                while await held_until(ask, scope) <= before:
                    pass
        return "found"

    async with begin(db, scope, clock) as run:
        run.deadline = 0.0
        found = await run.hold_while(work())

    assert "found" == found


@pytest.mark.usefixtures("short_hold")
async def test_what_works_for_long_ends_where_the_scope_is_lost(
    db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """It is broken off before the error is told, so that nothing goes on unheld."""
    ends = []

    async def work() -> None:
        await ask("MATCH (r:MaintenanceRun {scope: $scope}) SET r.owner = 'you'", scope=scope)
        try:
            async with asyncio.timeout(60):
                await asyncio.Event().wait()
        finally:
            ends.append("broken off")

    async with begin(db, scope, clock) as run:
        with pytest.raises(MaintenanceBusy, match="taken over by another process"):
            await run.hold_while(work())
        ends.append("told")

    assert ["broken off", "told"] == ends


async def test_what_works_for_long_ends_where_its_caller_gives_up(
    db: Database, scope: str, clock: FrozenClock
) -> None:
    """It is waited for."""
    begun = asyncio.Event()
    ends = []

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ends.append("broken off")

    async with begin(db, scope, clock) as run:
        task = asyncio.create_task(run.hold_while(work()))
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])

    assert task.cancelled()
    assert ["broken off"] == ends


async def test_an_error_of_what_works_for_long_is_that_of_its_caller(
    db: Database, scope: str, clock: FrozenClock
) -> None:
    """As it is."""

    async def work() -> None:
        raise InputError("no such thing")

    async with begin(db, scope, clock) as run:
        with pytest.raises(InputError, match="no such thing"):
            await run.hold_while(work())


async def test_who_gives_up_while_it_begins_holds_nothing(
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The server has written it down by then: it is broken off at once, and the scope is free."""
    written = asyncio.Event()
    ask = Database.run

    async def answer_late(self: Database, query: Query, /, **params: Any) -> list[dict[str, Any]]:
        rows = await ask(self, query, **params)
        if query.name == "maintain/begin_run" and not written.is_set():
            written.set()
            await asyncio.sleep(0.1)
        return rows

    async def work() -> None:
        async with begin(db, scope, clock):
            pytest.fail("it began")

    monkeypatch.setattr(Database, "run", answer_late)
    task = asyncio.create_task(work())
    await written.wait()

    task.cancel()
    await asyncio.wait([task])

    assert task.cancelled()
    assert [RunState.BROKEN] == [run.state for run in await memory.runs()]
    async with begin(db, scope, clock):
        pass


async def test_a_cancelled_run_lets_go(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """The scope is free at once, and the receipt says that it was broken off."""
    begun = asyncio.Event()

    async def work() -> None:
        async with begin(db, scope, clock):
            begun.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(work())
    await begun.wait()
    task.cancel()
    await asyncio.wait([task])

    async with begin(db, scope, clock):
        pass
    assert {run.state for run in await memory.runs()} == {RunState.DONE, RunState.BROKEN}


async def test_runs_are_listed_by_operation(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Newest first, and no more than asked for."""
    # What a version before called otherwise is listed as it was called.
    for operation in ("decay", "orphans", "tiered_decay"):
        async with begin(db, scope, clock, operation):
            clock.advance(1)

    assert ["tiered_decay", "orphans", "decay"] == [run.operation for run in await memory.runs()]
    assert ["orphans"] == [run.operation for run in await memory.runs(operations=["orphans"])]
    assert 1 == len(await memory.runs(limit=1))
    with pytest.raises(InputError, match="limit"):
        await memory.runs(limit=-1)
    with pytest.raises(InputError, match="operations"):
        await memory.runs(operations="decay")
    with pytest.raises(InputError, match="unknown: 'tidy'; there are maintain, communities"):
        await memory.runs(operations=["tidy"])
    with pytest.raises(InputError, match="there is no run 'nowhere'"):
        await memory.run("nowhere")
