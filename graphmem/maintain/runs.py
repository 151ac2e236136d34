"""Runs of upkeep: one at a time in a scope, each with a receipt in the graph."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from graphmem.errors import GraphmemError, InputError, MaintenanceBusy
from graphmem.ids import new_id
from graphmem.maintenance import MaintenanceRun, RunState
from graphmem.owner import give_up, is_dead, new_owner
from graphmem.queries import Query, get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.db.database import Row, Transaction

__all__ = [
    "KEPT_IDS",
    "BudgetOver",
    "Run",
    "Tally",
    "count_facts",
    "each",
    "finish",
    "get_run",
    "list_runs",
    "run_in",
]

logger = logging.getLogger(__name__)

T = TypeVar("T")

# What a receipt names itself, and a report with its text: all of it is counted, and hangs on
# the relationships of the receipt.
KEPT_IDS = 1000
_KEPT_ERRORS = 100
_BROKEN_OFF = "broken off: the memory was closed, or its caller gave up"
# A run renews its hold on the scope with each batch, and three times in this while no batch comes.
_HOLD = timedelta(seconds=120)
_TRIES = 3

# What the receipt counts of the rows of a batch, by word.
Tally = Callable[["Sequence[Row]"], Mapping[str, int]]


def each(*words: str) -> Tally:
    """Return what counts each row of a batch, under every one of these words."""
    return lambda rows: dict.fromkeys(words, len(rows))


class BudgetOver(Exception):  # noqa: N818 - it is no fault: the next tick goes on
    """The time of a tick is over; raised between two batches, so that nothing is half done."""


@dataclass(slots=True)
class Run:
    """A run that is under way.

    Attributes:
        id: Of its MaintenanceRun.
        scope: Where it works.
        operation: What it does.
        now: When it began; everything it decides by time is decided by this instant.
        undo_until: Until when what it does can be taken back.
        owner: Which process it runs in.
        counts: What it counts; goes into the receipt.
        errors: What went wrong without ending it.
        ids: What it changed, up to `KEPT_IDS`.
        deadline: When its time is over, by `time.monotonic`; None = it takes what it needs.
        parts: The runs that are a part of it, in their order.
    """

    id: str
    scope: str
    operation: str
    now: datetime
    undo_until: datetime
    owner: str
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    deadline: float | None = None
    parts: list[Run] = field(default_factory=list)
    _db: Database | None = None
    _clock: Clock | None = None
    _holder: str = ""

    def changed(self, ids: Iterable[str]) -> None:
        """Note what it changed."""
        self.ids = [*self.ids, *ids][:KEPT_IDS]

    def note(self, error: str) -> None:
        """Note what went wrong without ending it."""
        self.errors.append(error)

    def is_over(self) -> bool:
        """Return whether its time is over."""
        return self.deadline is not None and time.monotonic() > self.deadline

    async def renew(self) -> None:
        """Hold the scope for longer; to be called where much is read between two batches.

        Raises:
            BudgetOver: The time of the tick that it is a part of is over.
            MaintenanceBusy: Another process found this run dead and took over.
        """
        if self.is_over():
            raise BudgetOver
        await self._hold_on()

    async def hold_while(self, work: Awaitable[T]) -> T:
        """Hold the scope while something works that comes to no batch, such as a thread.

        It is not ended by the budget: what it found out would be lost.

        Args:
            work: Cancelled, and waited for, where the scope is lost or the caller gives up. A
                thread that it waits for runs on; what that returns then goes nowhere.

        Returns:
            What came of it.

        Raises:
            MaintenanceBusy: As `renew`.
        """
        task = asyncio.ensure_future(work)
        try:
            while not (await asyncio.wait([task], timeout=_HOLD.total_seconds() / 3))[0]:
                await self._hold_on()
            return await task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def write(self, query: Query, /, tally: Tally, **params: Any) -> list[Row]:
        """Do a batch of one query; see `transact`."""
        return await self.transact(lambda transaction: transaction.run(query, **params), tally)

    async def transact(
        self, work: Callable[[Transaction], Awaitable[list[Row]]], tally: Tally
    ) -> list[Row]:
        """Do a batch in one transaction with what the receipt tells of it.

        Whatever ends this process, the receipt knows of each batch that was done; and none is
        done in a scope that another process took over meanwhile.

        Args:
            work: As of `Database.transact`; the `id` of a row is noted as changed.
            tally: What to count of its rows.

        Raises:
            BudgetOver: As `renew`.
            MaintenanceBusy: As `renew`; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        if self.is_over():
            raise BudgetOver
        if self._db is None:
            raise ValueError("a run that only looks writes nothing")

        async def batch(transaction: Transaction) -> tuple[list[Row], Counter[str], list[str]]:
            rows = await work(transaction)
            counts = self.counts.copy()
            counts.update(tally(rows))
            ids = [*self.ids, *(row["id"] for row in rows if "id" in row)][:KEPT_IDS]
            await self._hold(transaction, counts, ids)
            return rows, counts, ids

        rows, self.counts, self.ids = await self._db.transact(batch)
        return rows

    async def _hold_on(self) -> None:
        if self._db is not None:
            await self._db.transact(lambda inner: self._hold(inner, self.counts, self.ids))

    async def _hold(
        self, transaction: Transaction, counts: Mapping[str, int], ids: Sequence[str]
    ) -> None:
        assert self._clock is not None  # noqa: S101 - it is there where the store is
        rows = await transaction.run(
            get_query("maintain/renew_run"),
            scope=self.scope,
            id=self.id,
            holder=self._holder,
            owner=self.owner,
            due_at=self._clock.now() + _HOLD,
            counts=json.dumps(dict(counts)),
            ids=ids,
        )
        if not rows:
            raise _busy(self.operation, self.scope, "it was taken over by another process", self.id)


@asynccontextmanager
async def run_in(
    db: Database,
    scope: str,
    operation: str,
    *,
    clock: Clock,
    params: Mapping[str, Any],
    undo_window: timedelta,
    part_of: Run | None = None,
    budget_s: float | None = None,
    is_dry_run: bool = False,
) -> AsyncIterator[Run]:
    """Hold a scope for one operation of upkeep, and leave its receipt.

    Args:
        db: The store.
        scope: Where it works.
        operation: What it does, such as "decay".
        clock: Tells when it begins and ends.
        params: What it was called with; goes into the receipt.
        undo_window: How long it can be taken back, >= 0.
        part_of: The run that holds the scope already; None = this one takes it.
        budget_s: How long it may work; None = as long as it takes, or as that one may.
        is_dry_run: It only looks: it holds nothing, and leaves no receipt.

    Yields:
        The run.

    Raises:
        MaintenanceBusy: Another run works in that scope.
        StoreError: The server failed.
    """
    now = clock.now()
    if is_dry_run:
        yield Run(id="", scope=scope, operation=operation, now=now, undo_until=now, owner="")
        return
    run = Run(
        id=new_id(),
        scope=scope,
        operation=operation,
        now=now,
        undo_until=now + undo_window,
        owner=new_owner() if part_of is None else part_of.owner,
        deadline=_deadline(budget_s, part_of),
    )
    run._db, run._clock = db, clock  # noqa: SLF001 - its own maker
    run._holder = run.id if part_of is None else part_of.id  # noqa: SLF001 - as above
    told = json.dumps(dict(params), default=str, ensure_ascii=False)
    taking = (
        _take(db, run, told, due_at=now + _HOLD)
        if part_of is None
        else _take_part(db, run, told, part_of)
    )
    try:
        await finish(taking)
    except asyncio.CancelledError:
        # It was written down nonetheless, unless another one holds the scope.
        run.errors.append(_BROKEN_OFF)
        await finish(_end(db, run, RunState.BROKEN, clock.now()))
        raise
    if part_of is not None:
        part_of.parts.append(run)
    state = RunState.FAILED
    try:
        yield run
        state = RunState.DONE
    except BudgetOver:
        run.counts["unfinished"] = 1
        state = RunState.DONE
        raise
    except GraphmemError as error:
        run.errors.append(f"{error.kind}: {error}")
        raise
    except asyncio.CancelledError:
        state = RunState.BROKEN
        run.errors.append(_BROKEN_OFF)
        raise
    except BaseException as error:
        run.errors.append(type(error).__name__)
        raise
    finally:
        # Also when the caller is cancelled: a scope that stays held rests until its hold ends.
        await finish(_end(db, run, state, clock.now()))


async def count_facts(db: Database, scope: str) -> int:
    """Return how many facts a scope has, of any status."""
    (row,) = await db.run(get_query("maintain/count_facts"), scope=scope)
    return int(row["facts"])


async def list_runs(
    db: Database,
    scope: str,
    *,
    limit: int,
    operations: Iterable[str] = (),
    has_parts: bool = True,
) -> list[MaintenanceRun]:
    """Return the runs of a scope, newest first; with the parts of ticks, or without."""
    rows = await db.run(
        get_query("maintain/list_runs"),
        scope=scope,
        limit=limit,
        operations=list(operations),
        has_parts=has_parts,
    )
    return [_to_run(row["run"]) for row in rows]


async def get_run(db: Database, scope: str, run_id: str) -> MaintenanceRun:
    """Return one run.

    Raises:
        InputError: There is none of that id.
    """
    rows = await db.run(get_query("maintain/get_run"), scope=scope, id=run_id)
    if not rows:
        raise InputError(
            f"there is no run {run_id!r} in scope {scope!r}: runs() and `graphmem runs list` show "
            "those that are",
            kind="run-not-found",
            ids=[run_id],
        )
    return _to_run(rows[0]["run"])


async def _take(db: Database, run: Run, params: str, *, due_at: datetime) -> None:
    for _ in range(_TRIES):
        (held,) = await db.run(
            get_query("maintain/begin_run"),
            scope=run.scope,
            id=run.id,
            operation=run.operation,
            params=params,
            owner=run.owner,
            due_at=due_at,
            now=run.now,
            undo_until=run.undo_until,
        )
        if held["id"] == run.id:
            return
        if not is_dead(held["owner"]) and held["due_at"] > run.now:
            raise _busy(run.operation, run.scope, f"{held['operation']} works in it", held["id"])
        await db.run(
            get_query("maintain/break_run"),
            scope=run.scope,
            id=held["id"],
            owner=held["owner"],
            due_at=held["due_at"],
            now=run.now,
        )
        logger.info("maintain.took_over scope=%s operation=%s", run.scope, held["operation"])
    raise _busy(run.operation, run.scope, "others take it again and again", run.id)


async def _take_part(db: Database, run: Run, params: str, whole: Run) -> None:
    rows = await db.run(
        get_query("maintain/begin_part"),
        scope=run.scope,
        id=run.id,
        part_of=whole.id,
        ordinal=len(whole.parts) + 1,
        operation=run.operation,
        params=params,
        owner=run.owner,
        now=run.now,
        undo_until=run.undo_until,
    )
    if not rows:
        raise _busy(run.operation, run.scope, "it was taken over by another process", whole.id)


async def _end(db: Database, run: Run, state: RunState, now: datetime) -> None:
    try:
        await db.run(
            get_query("maintain/end_run"),
            scope=run.scope,
            id=run.id,
            owner=run.owner,
            state=state,
            counts=json.dumps(dict(run.counts)),
            ids=run.ids,
            errors=run.errors[:_KEPT_ERRORS],
            now=now,
        )
    except GraphmemError as error:
        # What it did is done. Its hold ends by itself; here nobody has to wait for that.
        if run._holder == run.id:  # noqa: SLF001 - its own maker
            give_up(run.owner)
        logger.warning("maintain.no_receipt operation=%s kind=%s", run.operation, error.kind)


async def finish(
    work: Coroutine[Any, Any, T], *, on_cancel: Callable[[], object] | None = None
) -> T:
    """Do something to its end, also when the caller is cancelled meanwhile.

    Args:
        work: What is waited for in any case.
        on_cancel: Called when the caller is cancelled, such as to let it end sooner.

    Returns:
        What came of it.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        if on_cancel is not None:
            on_cancel()
        await asyncio.wait([task])
        # Looked at, so that nobody is told of an error that came after the end.
        if not task.cancelled():
            task.exception()
        raise


def _deadline(budget_s: float | None, part_of: Run | None) -> float | None:
    if budget_s is not None:
        return time.monotonic() + budget_s
    return None if part_of is None else part_of.deadline


def _busy(operation: str, scope: str, why: str, run_id: str) -> MaintenanceBusy:
    return MaintenanceBusy(
        f"{operation} cannot begin in scope {scope!r}: {why}; wait until it is through (runs() "
        "lists what runs), and call again",
        ids=[run_id],
    )


def _to_run(entry: Mapping[str, Any]) -> MaintenanceRun:
    values = dict(entry)
    values["params"] = json.loads(values["params"])
    values["counts"] = json.loads(values["counts"])
    values["parts"] = tuple(_to_run(part) for part in values.get("parts", ()))
    return MaintenanceRun(**values)
