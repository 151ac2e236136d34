"""Removing nodes so that it can be taken back, and taking it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from graphmem.errors import InputError, StoreError
from graphmem.maintain.runs import Run, each, get_run, run_in
from graphmem.maintenance import (
    IRREVERSIBLE,
    MaintenanceRun,
    RemovalMode,
    RunState,
    UndoReport,
)
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.db.database import Row, Transaction

__all__ = ["BATCH", "Loss", "drop_tombstones", "remove", "undo"]

# Nodes that change in one transaction.
BATCH = 500
# Changes that are looked up at once: each look goes through all that a run changed.
_PAGE = 50_000
_UNDO_TRIES = 3
_OPERATION = "undo"

_REMOVE = {"Fact": "maintain/remove_facts", "Procedure": "maintain/remove_procedures"}
# Of what it undoes the labels; what leads to facts comes back before them.
_UNDO = {
    "maintain/undo_widened": ["widened"],
    "maintain/undo_routes": ["Tag", "Term", "Intent"],
    "maintain/undo_facts": ["Fact"],
    "maintain/undo_procedures": ["Procedure"],
    "maintain/undo_messages": ["Message"],
}


@dataclass(frozen=True, slots=True)
class Loss:
    """A node that goes.

    Attributes:
        id: Of the node.
        reason: One sentence; the node and the run keep it.
        survivor_id: What stays for it and gets what it has, None where nothing does.
    """

    id: str
    reason: str
    survivor_id: str | None = None


async def remove(
    run: Run,
    kind: str,
    losses: Sequence[Loss],
    *,
    mode: RemovalMode,
    by: str,
    statuses: Sequence[str] = ("active",),
    also: Sequence[str] = (),
) -> list[str]:
    """Delete or deprecate nodes, in batches; protected ones stay, whoever asks.

    Args:
        run: The run that does it; it holds the scope.
        kind: Their label, "Fact" or "Procedure".
        losses: What goes; a survivor must not be among them.
        mode: Deleted nodes become Tombstones, deprecated ones keep their label.
        by: What they are deprecated by.
        statuses: What has another one by now stays; what is pending waits for a judge.
        also: Words that the receipt counts them under, beside "deleted" or "deprecated".

    Returns:
        Ids of those that went.
    """
    gone: list[str] = []
    ordered = sorted(losses, key=lambda loss: loss.id)
    for start in range(0, len(ordered), BATCH):
        rows = await run.write(
            get_query(_REMOVE[kind]),
            each(f"{mode}d", *also),
            scope=run.scope,
            run_id=run.id,
            how=mode,
            by=by,
            statuses=list(statuses),
            now=run.now,
            purge_after=run.undo_until,
            losses=[asdict(loss) for loss in ordered[start : start + BATCH]],
        )
        gone += [row["id"] for row in rows]
    return gone


async def undo(
    db: Database, scope: str, run_id: str, *, clock: Clock, undo_window: timedelta
) -> UndoReport:
    """Take back what a run and its parts deleted and deprecated.

    Raises:
        InputError: There is no such run, it is an undo, left nothing that could come back, was
            undone before, or its time is over.
        MaintenanceBusy: That run works still, or another one in that scope.
    """
    # What cannot be undone leaves no receipt that says so.
    _check_undoable(await get_run(db, scope, run_id), clock.now())
    async with run_in(
        db, scope, _OPERATION, clock=clock, params={"run_id": run_id}, undo_window=undo_window
    ) as run:
        # Again: another one may have held the scope until now, and undone it.
        found = await get_run(db, scope, run_id)
        _check_undoable(found, run.now)
        # What was done last comes back first.
        run_ids = [*(part.id for part in reversed(found.parts)), run_id]
        for one in run_ids:
            await _undo_one(db, run, one)
        await db.run(get_query("maintain/mark_undone"), scope=scope, run_ids=run_ids, now=run.now)
        return UndoReport(
            run_id=run_id,
            restored=run.counts["restored"],
            taken=run.counts["taken"],
            changed=run.counts["changed"],
        )


async def _undo_one(db: Database, run: Run, run_id: str) -> None:
    for query, kinds in _UNDO.items():
        page = None
        while page is None or len(page) == _PAGE:
            page = await db.run(
                get_query("maintain/list_changes"),
                scope=run.scope,
                run_id=run_id,
                kinds=kinds,
                limit=_PAGE,
            )
            changes = [row["change"] for row in page]
            for start in range(0, len(changes), BATCH):
                await _undo_batch(run, query, run_id, changes[start : start + BATCH])


async def _undo_batch(run: Run, query: str, run_id: str, changes: Sequence[str]) -> list[Row]:
    async def work(transaction: Transaction) -> list[Row]:
        rows = await transaction.run(
            get_query(query), scope=run.scope, run_id=run_id, changes=list(changes), now=run.now
        )
        handed = [row["handed"] for row in rows if row.get("handed")]
        while handed:
            # To the one that stayed, from there to the one that stayed for that, and so on.
            handed = await transaction.run(
                get_query("maintain/take_back"), scope=run.scope, rows=handed
            )
        if cut_off := sorted(row["id"] for row in rows if row.get("is_cut_off")):
            await transaction.run(get_query("graph/raise_routes"), scope=run.scope, ids=cut_off)
        return rows

    for _ in range(_UNDO_TRIES - 1):
        try:
            return await run.transact(work, _outcomes)
        except StoreError as error:
            # The same was made again by somebody between the look and the swap of the label.
            if error.kind != "constraint":
                raise
    return await run.transact(work, _outcomes)


def _outcomes(rows: Sequence[Row]) -> Mapping[str, int]:
    return Counter(row["outcome"] for row in rows)


async def drop_tombstones(run: Run) -> int:
    """Delete for good what can be taken back no longer; return how many nodes."""
    while True:
        (row,) = await run.write(
            get_query("maintain/drop_tombstones"),
            lambda rows: {"gone": rows[0]["dropped"]},
            scope=run.scope,
            now=run.now,
            batch=BATCH,
        )
        if row["dropped"] < BATCH:
            return run.counts["gone"]


def _check_undoable(found: MaintenanceRun, now: datetime) -> None:
    if found.operation == _OPERATION and found.state is not RunState.DONE:
        undone = found.params["run_id"]
        why = f"it is an undo that did not come to its end: undo({undone!r}) takes back the rest"
        kind = "undo-of-undo"
    elif found.operation in IRREVERSIBLE:
        why = IRREVERSIBLE[found.operation]
        kind = "undo-of-undo" if found.operation == _OPERATION else "nothing-to-undo"
    elif found.state is RunState.UNDONE:
        why, kind = "it was undone already", "run-undone"
    elif now > found.undo_until:
        why = f"it could be until {found.undo_until:%Y-%m-%d %H:%M}Z (setting undo_window_days)"
        kind = "undo-window-over"
    else:
        return
    raise InputError(f"run {found.id} cannot be undone: {why}", kind=kind, ids=[found.id])
