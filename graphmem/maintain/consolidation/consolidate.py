"""Facts that nearly say the same become one: the one that is worth most stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from graphmem.checks import check_flag, check_number, check_word
from graphmem.maintain.consolidation.comparing import Comparison
from graphmem.maintain.consolidation.marks import clear_marks, page_marks
from graphmem.maintain.consolidation.merging import Guard, Plan, merge, tell
from graphmem.maintain.consolidation.neighbours import PROBED, Neighbours
from graphmem.maintain.consolidation.pool import PAGE, Pool, VectorSpace, read_pool
from graphmem.maintain.orphans import clean_orphans, counted
from graphmem.maintain.runs import KEPT_IDS, Run, run_in
from graphmem.maintenance import REMOVAL_MODES, RemovalMode, RemovalReport, RemovedNode
from graphmem.operation import Progress
from graphmem.scoring import FACT_VALUE, ValueCurve

if TYPE_CHECKING:
    from datetime import timedelta

    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = [
    "THRESHOLD",
    "Candidates",
    "ConsolidationRequest",
    "consolidate",
    "consolidation_request",
]

Candidates = Literal["tags", "all"]
_CANDIDATES: tuple[Candidates, ...] = ("tags", "all")

_OPERATION = "consolidate"
# Raw cosine above which facts say nearly the same (Mnemosyne, "Semantic Consolidation").
THRESHOLD = 0.85


@dataclass(frozen=True, slots=True)
class ConsolidationRequest:
    """What is to be consolidated, checked.

    Attributes:
        threshold: Raw cosine above which facts say nearly the same.
        candidates: "tags" = pairs that share a Tag, "all" = any pair.
        mode: Whether what goes is deleted or deprecated.
        is_dry_run: Whether nothing is changed.
        curve: How the value of a fact falls and rises.
        only_waiting: Whether only facts are compared that wait for it (`needs_comparison`), each
            with those nearest to it.
        cleans_orphans: Whether what led to what went goes too.
    """

    threshold: float = THRESHOLD
    candidates: Candidates = "tags"
    mode: RemovalMode = "delete"
    is_dry_run: bool = False
    curve: ValueCurve = FACT_VALUE
    only_waiting: bool = False
    cleans_orphans: bool = True

    @property
    def shares_tags(self) -> bool:
        """Whether a pair needs a Tag in common."""
        return self.candidates == "tags"

    @property
    def params(self) -> dict[str, Any]:
        """What the receipt keeps."""
        return {
            "threshold": self.threshold,
            "candidates": self.candidates,
            "mode": self.mode,
            "only_waiting": self.only_waiting,
        }


def consolidation_request(
    threshold: object,
    *,
    candidates: object = "tags",
    mode: object = "delete",
    dry_run: object = False,
    curve: ValueCurve = FACT_VALUE,
    only_waiting: bool = False,
    cleans_orphans: bool = True,
) -> ConsolidationRequest:
    """Return a consolidation that keeps the bounds.

    Args:
        threshold: Above 0, up to 1.
        candidates: "tags" or "all".
        mode: "delete" or "deprecate".
        dry_run: Whether nothing is changed.
        curve: Of facts.
        only_waiting: Whether only facts are compared that wait for it.
        cleans_orphans: Whether what led to what went goes too.

    Raises:
        InputError: Something is out of bounds; the message names the parameter.
    """
    return ConsolidationRequest(
        check_number(threshold, "threshold", 0, 1, is_open=True),
        check_word(candidates, "candidates", _CANDIDATES),
        check_word(mode, "mode", REMOVAL_MODES),
        check_flag(dry_run, "dry_run"),
        curve,
        only_waiting,
        cleans_orphans,
    )


async def consolidate(
    db: Database,
    scope: str,
    request: ConsolidationRequest,
    *,
    space: VectorSpace | None,
    guard: Guard,
    clock: Clock,
    undo_window: timedelta,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> RemovalReport:
    """Let facts of a scope that nearly say the same become one, then clean up what led to them.

    Facts are taken in a fixed order, the most valuable first, then by id. One stays unless it is
    too near to one that stays; it hands what it has to the nearest of these. No model is asked.

    Args:
        db: The store.
        scope: Where.
        request: What, and how.
        space: Which vectors are compared; None = there are none: nothing is compared then.
        guard: Keeps apart what is near and not the same.
        clock: Tells the time.
        undo_window: How long it can be taken back.
        part_of: The run that holds the scope already; None = this one takes it.
        progress: Called with the facts that were compared, and of how many.

    Raises:
        BudgetOver: The time of the run that it is a part of is over; what was found is done.
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
        return await _Work(db, run, request, space=space, guard=guard, progress=progress).report()


class _Work:
    """A consolidation that is under way."""

    def __init__(
        self,
        db: Database,
        run: Run,
        request: ConsolidationRequest,
        *,
        space: VectorSpace | None,
        guard: Guard,
        progress: Progress | None,
    ) -> None:
        self._db = db
        self._run = run
        self._request = request
        self._space = space
        self._guard = guard
        self._progress = progress
        self._protected: dict[str, str] = {}
        self._missed: set[str] = set()
        self._gone: list[str] = []
        self._told: list[RemovedNode] = []

    async def report(self) -> RemovalReport:
        """Do it, and return what came of it."""
        if not self._request.only_waiting:
            await self._compare_all(self._space)
        elif self._space is not None:
            await self._compare_waiting(self._space)
        orphans: Sequence[RemovedNode] = ()
        if self._request.cleans_orphans:
            orphans = await clean_orphans(
                self._db, self._run, dry_run=self._request.is_dry_run, gone=self._gone
            )
        return self._report(orphans)

    async def _compare_all(self, space: VectorSpace | None) -> None:
        """Compare what holds with all that shares a Tag with it: vectors are read once."""
        # A tick would find more with its lower threshold.
        clears = self._request.threshold <= THRESHOLD and not self._request.is_dry_run
        marks = await self._all_marks(space) if clears and space is not None else {}
        pool = await read_pool(self._db, self._run, space, self._request.curve)
        self._run.counts.update(checked=pool.checked, skipped=pool.skipped)
        if space is None:
            return
        comparison = Comparison(
            self._db,
            self._run,
            pool,
            threshold=self._request.threshold,
            progress=self._progress,
        )
        near = await comparison.near(space, shares_tags=self._request.shares_tags)
        self._run.counts["cut"] += comparison.cut
        await self._merge(pool, near)
        await self._clear(marks, set(pool.ids))

    async def _all_marks(self, space: VectorSpace) -> dict[str, int]:
        marks: dict[str, int] = {}
        while page := await page_marks(
            self._db, self._run, space, after=next(reversed(marks), ""), limit=PAGE
        ):
            marks |= page
        return marks

    async def _clear(self, marks: Mapping[str, int], compared: Set[str]) -> None:
        due = compared - self._missed
        await clear_marks(self._run, {one: n for one, n in marks.items() if one in due})

    async def _compare_waiting(self, space: VectorSpace) -> None:
        """Compare page by page what waits for it, until nothing does or the time is over."""
        after = ""
        while marks := await page_marks(self._db, self._run, space, after=after, limit=PROBED):
            # What was begun is ended, else the next tick would begin with it, and come no further.
            deadline, self._run.deadline = self._run.deadline, None
            await self._compare_page(space, marks)
            self._run.deadline = deadline
            after = next(reversed(marks))

    async def _compare_page(self, space: VectorSpace, marks: Mapping[str, int]) -> None:
        neighbours = Neighbours(
            self._db,
            self._run,
            space,
            threshold=self._request.threshold,
            waiting=marks,
        )
        await neighbours.ask(list(marks))
        await neighbours.ask_on()
        pool = await read_pool(
            self._db,
            self._run,
            space,
            self._request.curve,
            ids=sorted({one for pair in neighbours.pairs for one in pair}),
        )
        near = pool.near_among(neighbours.pairs, shares_tags=self._request.shares_tags)
        gone = await self._merge(pool, near)
        self._run.counts.update(checked=len(neighbours.asked), cut=len(neighbours.full))
        # Of many only the nearest are named: who is among them looks again while they get fewer.
        crowded = neighbours.crowded(gone) - gone
        if not self._request.is_dry_run:
            await self._clear(neighbours.waiting, neighbours.asked - crowded)

    async def _merge(self, pool: Pool, near: Mapping[int, Sequence[tuple[int, float]]]) -> set[str]:
        """Let go who is near to one that is worth more; return who went, or would."""
        plan = Plan(pool, self._guard)
        await plan.make(self._db, self._run, near)
        # What is deleted can be told no longer.
        told = await tell(self._db, self._run, plan.merges[: KEPT_IDS - len(self._told)])
        gone = [one.goes for one in plan.merges]
        if not self._request.is_dry_run:
            went = set(await merge(self._run, plan.merges, mode=self._request.mode))
            # What they were to go for is gone meanwhile, or they changed: another may be near.
            self._missed |= set(gone) - went
            gone = [one for one in gone if one in went]
            told = [one for one in told if one.id in went]
        # In a tick the same one is met once for every page of facts near to it.
        met = {one: why for one, why in plan.protected.items() if one not in self._protected}
        self._protected |= met
        self._gone += gone
        self._told += told
        self._run.counts.update(f"protected_{why}" for why in met.values())
        return set(gone)

    def _report(self, orphans: Sequence[RemovedNode]) -> RemovalReport:
        counts = self._run.counts
        # Nothing of a kind is a number too.
        counts.update(dict.fromkeys(("checked", "deprecated", "skipped", "cut"), 0))
        is_deleting = self._request.mode == "delete"
        deleted_ids = (*(self._gone if is_deleting else ()), *(orphan.id for orphan in orphans))
        deprecated_ids = () if is_deleting else tuple(self._gone)
        return RemovalReport(
            run_id=self._run.id,
            operation=_OPERATION,
            mode=self._request.mode,
            is_dry_run=self._request.is_dry_run,
            checked=counts["checked"],
            deleted=len(deleted_ids),
            deprecated=len(deprecated_ids),
            orphans=counted(orphans),
            protected=dict(Counter(self._protected.values())),
            skipped=counts["skipped"],
            cut=counts["cut"],
            deleted_ids=deleted_ids,
            deprecated_ids=deprecated_ids,
            removed=(*self._told, *orphans)[:KEPT_IDS],
        )
