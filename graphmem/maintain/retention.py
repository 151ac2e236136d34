"""Raw messages that nothing needs any more go, where that is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from graphmem.checks import check_flag, check_number, check_whole, check_word
from graphmem.clock import OPEN_TO
from graphmem.maintain.runs import KEPT_IDS, Run, each, run_in
from graphmem.maintenance import RemovalReport, RemovedNode
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = ["Kept", "RetentionRequest", "retain_messages", "retention_request"]

Kept = Literal["all", "referenced", "recent"]
_KEPT: tuple[Kept, ...] = ("all", "referenced", "recent")
_OPERATION = "retention"
_MOST_BATCH = 10_000
_MOST_TURNS = 1_000_000
_MOST_DAYS = 36_500
_WHY = "no turn refers to it"


@dataclass(frozen=True, slots=True)
class RetentionRequest:
    """Which messages are kept, checked.

    Attributes:
        keep: "all"; "referenced" = those that are evidence of a turn, and those of turns that
            were not extracted yet; "recent" = recent ones as well.
        recent_turns: Those of so many newest turns of each session are recent.
        days: So are those of so many last days.
        batch: Messages that are looked at, and deleted, in one transaction.
        is_dry_run: Whether nothing is changed.
    """

    keep: Kept = "all"
    recent_turns: int = 0
    days: float = 0
    batch: int = 500
    is_dry_run: bool = False

    @property
    def params(self) -> dict[str, Any]:
        """What the receipt keeps."""
        return {
            "keep": self.keep,
            "recent_turns": self.recent_turns,
            "days": self.days,
            "batch": self.batch,
        }


def retention_request(
    keep: object,
    *,
    recent_turns: object = 0,
    days: object = 0,
    batch: object = 500,
    dry_run: object = False,
) -> RetentionRequest:
    """Return a retention that keeps the bounds.

    Raises:
        InputError: Something is out of bounds; the message names the parameter.
    """
    return RetentionRequest(
        check_word(keep, "keep", _KEPT),
        check_whole(recent_turns, "recent_turns", 0, _MOST_TURNS),
        check_number(days, "days", 0, _MOST_DAYS),
        check_whole(batch, "batch", 1, _MOST_BATCH),
        check_flag(dry_run, "dry_run"),
    )


async def retain_messages(
    db: Database,
    scope: str,
    request: RetentionRequest,
    *,
    clock: Clock,
    undo_window: timedelta,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> RemovalReport:
    """Delete the raw messages of a scope that are not kept, in batches.

    Messages that are evidence of a turn, and those of turns whose extraction is not done, are
    always kept.

    Args:
        db: The store.
        scope: Where.
        request: Which are kept.
        clock: Tells the time.
        undo_window: How long it can be taken back.
        part_of: The run that holds the scope already; None = this one takes it.
        progress: Called after each batch.

    Raises:
        MaintenanceBusy: Another operation works in that scope.
        StoreError: The server failed; what was removed until then stays so.
    """
    async with run_in(
        db,
        scope,
        _OPERATION,
        clock=clock,
        params=request.params,
        undo_window=undo_window,
        part_of=part_of,
        is_dry_run=request.is_dry_run,
    ) as run:
        return await _retain(db, run, request, progress)


async def _retain(
    db: Database, run: Run, request: RetentionRequest, progress: Progress | None
) -> RemovalReport:
    checked = 0
    kept: Counter[str] = Counter()
    gone: list[str] = []
    told: list[RemovedNode] = []
    after = ""
    while request.keep != "all":
        await run.renew()
        (page,) = await db.run(
            get_query("maintain/page_messages"),
            scope=run.scope,
            after=after,
            limit=request.batch,
            recent_turns=request.recent_turns if request.keep == "recent" else 0,
            since=_since(request, run.now),
        )
        checked += page["looked"]
        run.counts["checked"] = checked
        kept.update(row["stays"] for row in page["reasons"] if row["stays"])
        spare = {row["id"]: row["content"] for row in page["reasons"] if not row["stays"]}
        went = list(spare) if request.is_dry_run else await _bury(run, list(spare))
        gone += went
        told += [
            RemovedNode(id=one, kind="Message", text=spare[one], reason=_WHY)
            for one in went[: max(0, KEPT_IDS - len(told))]
        ]
        if progress is not None:
            progress(checked, None)
        if page["looked"] < request.batch:
            break
        after = page["last"]
    return RemovalReport(
        run_id=run.id,
        operation=_OPERATION,
        is_dry_run=request.is_dry_run,
        checked=checked,
        deleted=len(gone),
        protected=dict(kept),
        deleted_ids=tuple(gone),
        removed=tuple(told),
    )


async def _bury(run: Run, ids: Sequence[str]) -> list[str]:
    if not ids:
        return []
    rows = await run.write(
        get_query("maintain/bury_messages"),
        each("deleted"),
        scope=run.scope,
        run_id=run.id,
        ids=list(ids),
        reason=_WHY,
        now=run.now,
        purge_after=run.undo_until,
    )
    return [row["id"] for row in rows]


def _since(request: RetentionRequest, now: datetime) -> datetime:
    """Return from when on a message is recent by its days; no days, none is."""
    is_counted = request.keep == "recent" and request.days > 0
    return now - timedelta(days=request.days) if is_counted else OPEN_TO
