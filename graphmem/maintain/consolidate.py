"""Facts that nearly say the same become one: the one that is worth most stays."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from graphmem.checks import check_flag, check_number, check_word
from graphmem.maintain.comparing import Comparison, nearest_of, pages
from graphmem.maintain.orphans import clean_orphans, counted
from graphmem.maintain.pool import PAGE, Pool, VectorSpace, read_pool
from graphmem.maintain.removal import BATCH, Loss, remove
from graphmem.maintain.runs import KEPT_IDS, BudgetOver, Run, each, run_in
from graphmem.maintenance import REMOVAL_MODES, RemovalMode, RemovalReport, RemovedNode
from graphmem.operation import Progress
from graphmem.queries import get_query
from graphmem.scoring import FACT_VALUE, ValueCurve

if TYPE_CHECKING:
    from datetime import timedelta

    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = [
    "Candidates",
    "ConsolidationRequest",
    "Guard",
    "Said",
    "consolidate",
    "consolidation_request",
]

Candidates = Literal["tags", "all"]
_CANDIDATES: tuple[Candidates, ...] = ("tags", "all")

OPERATION = "consolidate"
# Facts that are decided about before the run renews its hold.
_DECIDED = 500


@dataclass(frozen=True, slots=True)
class Said:
    """What a fact says, as a guard reads it."""

    id: str
    text: str
    canonical_hash: str
    subject_key: str
    predicate_key: str
    object_key: str
    predicate: str
    is_negated: bool
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    status: str


# Says why two facts are not the same however near they are, None where they may be.
Guard = Callable[[Said, Said], str | None]


@dataclass(frozen=True, slots=True)
class ConsolidationRequest:
    """What is to be consolidated, checked.

    Attributes:
        threshold: Raw cosine above which facts say nearly the same.
        candidates: "tags" = pairs that share a Tag, "all" = any pair.
        mode: Whether what goes is deleted or deprecated.
        is_dry_run: Whether nothing is changed.
        curve: How the value of a fact falls and rises.
        since: Only pairs of which one was recorded at this instant or later; None = all.
    """

    threshold: float = 0.85
    candidates: Candidates = "tags"
    mode: RemovalMode = "delete"
    is_dry_run: bool = False
    curve: ValueCurve = FACT_VALUE
    since: datetime | None = None

    @property
    def params(self) -> dict[str, Any]:
        """What the receipt keeps."""
        return {
            "threshold": self.threshold,
            "candidates": self.candidates,
            "mode": self.mode,
            "since": None if self.since is None else self.since.isoformat(),
        }


def consolidation_request(
    threshold: object,
    *,
    candidates: object = "tags",
    mode: object = "delete",
    dry_run: object = False,
    curve: ValueCurve = FACT_VALUE,
    since: datetime | None = None,
) -> ConsolidationRequest:
    """Return a consolidation that keeps the bounds.

    Args:
        threshold: Above 0, up to 1.
        candidates: "tags" or "all".
        mode: "delete" or "deprecate".
        dry_run: Whether nothing is changed.
        curve: Of facts.
        since: Only pairs of which one was recorded since then; aware UTC.

    Raises:
        InputError: Something is out of bounds; the message names the parameter.
    """
    return ConsolidationRequest(
        check_number(threshold, "threshold", 0, 1, is_open=True),
        check_word(candidates, "candidates", _CANDIDATES),
        check_word(mode, "mode", REMOVAL_MODES),
        check_flag(dry_run, "dry_run"),
        curve,
        since,
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
        OPERATION,
        clock=clock,
        params=request.params,
        undo_window=undo_window,
        part_of=part_of,
        is_dry_run=request.is_dry_run,
    ) as run:
        return await _Work(db, run, request, space=space, guard=guard, progress=progress).report()


@dataclass(frozen=True, slots=True)
class _Merge:
    """A fact that goes, and the one that stays for it, by their numbers."""

    goes: int
    stays: int
    cosine: float


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
        self._pool = Pool()
        self._cut = 0
        self._is_cut = False
        self._protected: Counter[str] = Counter()

    async def report(self) -> RemovalReport:
        """Do it, and return what came of it."""
        near = await self._near()
        # What was found goes, also when the time is over: the next tick would have to find it
        # again, and come no further.
        deadline, self._run.deadline = self._run.deadline, None
        merges = await self._decide(near)
        gone = [self._pool.ids[one.goes] for one in merges]
        told = await self._told(merges[:KEPT_IDS])
        if not self._request.is_dry_run:
            await self._widen(merges)
            went = set(await self._remove(merges))
            gone = [one for one in gone if one in went]
            told = [one for one in told if one.id in went]
        self._run.deadline = deadline
        if self._is_cut:
            self._report(gone, told, ())
            raise BudgetOver
        orphans = await clean_orphans(
            self._db, self._run, dry_run=self._request.is_dry_run, gone=gone
        )
        return self._report(gone, told, orphans)

    async def _near(self) -> dict[int, list[tuple[int, float]]]:
        """Read the facts that are compared, and return which are near to one before them."""
        request, space = self._request, self._space
        if space is None or request.since is None:
            self._pool = await read_pool(self._db, self._run, space, request.curve)
            return await self._compare(space) if space else {}
        # What is new is looked up in the vector index: nothing else of the scope is read.
        rows = await self._db.run(
            get_query("maintain/find_recorded"),
            scope=self._run.scope,
            since=request.since,
            embedder_id=space.embedder_id,
        )
        pairs, self._cut = await nearest_of(
            self._db,
            self._run,
            space,
            [row["id"] for row in rows],
            threshold=request.threshold,
            progress=self._progress,
        )
        ids = sorted({one for pair in pairs for one in pair})
        self._pool = await read_pool(self._db, self._run, space, request.curve, ids=ids)
        self._pool.checked = len(rows)
        return self._pool.near_among(pairs, shares_tags=request.candidates == "tags")

    async def _compare(self, space: VectorSpace) -> dict[int, list[tuple[int, float]]]:
        comparison = Comparison(
            self._db,
            self._run,
            self._pool,
            threshold=self._request.threshold,
            progress=self._progress,
        )
        near = await comparison.near(space, shares_tags=self._request.candidates == "tags")
        self._cut = comparison.cut
        self._is_cut = comparison.is_cut
        return near

    # Who goes -----------------------------------------------------------------------------

    async def _decide(self, near: Mapping[int, Sequence[tuple[int, float]]]) -> list[_Merge]:
        """Go through the facts in the order of worth: who is near to one that stays goes."""
        gone: set[int] = set()
        merges: list[_Merge] = []
        for laters in pages(list(near), _DECIDED):
            await self._run.renew()
            wanted = {one for later in laters for one, _ in near[later]} | set(laters)
            said = await self._said(wanted - gone)
            merges += await asyncio.to_thread(self._decide_page, laters, near, said, gone)
        return merges

    def _decide_page(
        self,
        laters: Iterable[int],
        near: Mapping[int, Sequence[tuple[int, float]]],
        said: Mapping[int, Said],
        gone: set[int],
    ) -> list[_Merge]:
        merges = []
        for later in laters:
            merge = self._merge(later, near[later], said, gone)
            if merge is None:
                continue
            if protection := self._pool.protections[later]:
                self._protected[protection] += 1
                continue
            gone.add(later)
            merges.append(merge)
        return merges

    def _merge(
        self,
        later: int,
        near: Sequence[tuple[int, float]],
        said: Mapping[int, Said],
        gone: set[int],
    ) -> _Merge | None:
        pool = self._pool
        for earlier, cosine in near:
            if earlier in gone or earlier not in said or later not in said:
                continue
            # The times of a supersede chain are settled: it cannot stand for an earlier one.
            if pool.chained[earlier] and pool.valid_from[later] < pool.valid_from[earlier]:
                continue
            if self._guard(said[later], said[earlier]) is None:
                return _Merge(later, earlier, cosine)
        return None

    async def _said(self, wanted: Iterable[int]) -> dict[int, Said]:
        place = {self._pool.ids[one]: one for one in sorted(wanted)}
        said: dict[int, Said] = {}
        for page in pages(list(place), PAGE):
            rows = await self._db.run(
                get_query("maintain/get_said"), scope=self._run.scope, ids=page
            )
            said |= {place[row["id"]]: Said(**row) for row in rows}
        return said

    # What comes of it ---------------------------------------------------------------------

    async def _widen(self, merges: Iterable[_Merge]) -> None:
        """Let those that stay hold from as early on as what goes for them; one says the other."""
        pool = self._pool
        since: dict[int, datetime] = {}
        for one in merges:
            earliest = min(
                pool.valid_from[one.goes], since.get(one.stays, pool.valid_from[one.stays])
            )
            if earliest < pool.valid_from[one.stays]:
                since[one.stays] = earliest
        rows = sorted(
            ({"id": pool.ids[one], "valid_from": at} for one, at in since.items()),
            key=lambda row: str(row["id"]),
        )
        for page in pages(rows, BATCH):
            await self._run.write(
                get_query("maintain/widen_facts"),
                each("widened"),
                scope=self._run.scope,
                run_id=self._run.id,
                now=self._run.now,
                rows=page,
            )

    async def _remove(self, merges: Sequence[_Merge]) -> list[str]:
        ids = self._pool.ids
        return await remove(
            self._run,
            "Fact",
            [Loss(ids[one.goes], _why(one), ids[one.stays]) for one in merges],
            mode=self._request.mode,
            by="consolidation",
            statuses=("active",),
        )

    async def _told(self, merges: Sequence[_Merge]) -> list[RemovedNode]:
        """Return what is to go in words."""
        texts = await self._texts(merges)
        pool = self._pool
        return [
            RemovedNode(
                id=pool.ids[one.goes],
                kind="Fact",
                text=texts.get(pool.ids[one.goes], ""),
                reason=_why(one),
                score=pool.scores[one.goes],
                survivor_id=pool.ids[one.stays],
                survivor_text=texts.get(pool.ids[one.stays], ""),
                survivor_score=pool.scores[one.stays],
                cosine=one.cosine,
            )
            for one in merges
        ]

    async def _texts(self, merges: Sequence[_Merge]) -> dict[str, str]:
        ids = {self._pool.ids[one] for merge in merges for one in (merge.goes, merge.stays)}
        rows = await self._db.run(
            get_query("maintain/get_texts"), scope=self._run.scope, ids=sorted(ids)
        )
        return {row["id"]: row["text"] for row in rows}

    def _report(
        self, gone: Sequence[str], told: Sequence[RemovedNode], orphans: Sequence[RemovedNode]
    ) -> RemovalReport:
        is_deleting = self._request.mode == "delete"
        deleted = [*(gone if is_deleting else ()), *(orphan.id for orphan in orphans)]
        report = RemovalReport(
            run_id=self._run.id,
            operation=OPERATION,
            mode=self._request.mode,
            is_dry_run=self._request.is_dry_run,
            checked=self._pool.checked,
            deleted=len(deleted),
            deprecated=0 if is_deleting else len(gone),
            orphans=counted(orphans),
            protected=dict(self._protected),
            skipped=self._pool.skipped,
            cut=self._cut,
            deleted_ids=tuple(deleted),
            removed=(*told, *orphans)[:KEPT_IDS],
        )
        self._run.counts.update(
            {
                "checked": report.checked,
                "skipped": report.skipped,
                "cut": report.cut,
                **{f"protected_{why}": count for why, count in self._protected.items()},
            }
        )
        return report


def _why(merge: _Merge) -> str:
    return f"it says nearly the same as one that is worth more (cosine {merge.cosine:.3f})"
