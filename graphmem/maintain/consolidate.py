"""Facts that nearly say the same become one: the one that is worth most stays."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from graphmem.errors import InputError
from graphmem.maintain.nearness import (
    MARGIN,
    MOST_IN_GROUP,
    Group,
    Near,
    batches,
    groups_of,
    near_in,
)
from graphmem.maintain.orphans import clean_orphans, counted
from graphmem.maintain.removal import BATCH, Loss, remove
from graphmem.maintain.runs import KEPT_IDS, Run, run_in, unrecorded
from graphmem.maintenance import RemovalMode, RemovalReport, RemovedNode
from graphmem.queries import get_query
from graphmem.scoring import FACT_VALUE, Usage, ValueCurve, value

if TYPE_CHECKING:
    from datetime import timedelta

    import numpy as np
    from numpy.typing import NDArray

    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = [
    "Candidates",
    "ConsolidationRequest",
    "Guard",
    "Said",
    "VectorSpace",
    "consolidate",
    "consolidation_request",
]

T = TypeVar("T")

Candidates = Literal["tags", "all"]
# Called with how many facts were compared, and of how many.
Progress = Callable[[int, int | None], None]

OPERATION = "consolidate"
# Facts that are read, vectors that are fetched, facts that are probed for in one statement.
_PAGE = 2000
_PROBED = 100
_NEAREST = 10
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
class VectorSpace:
    """Where the vectors lie that can be compared.

    Attributes:
        slot: "a" or "b".
        embedder_id: Whose they are.
        width: How many numbers one has.
    """

    slot: str
    embedder_id: str
    width: int


@dataclass(frozen=True, slots=True)
class ConsolidationRequest:
    """What is to be consolidated, checked.

    Attributes:
        threshold: Raw cosine above which facts say nearly the same.
        candidates: "tags" = pairs that share a Tag, "all" = any pair.
        mode: Whether what goes is deleted or deprecated.
        is_dry_run: Whether nothing is changed.
        curve: How the value of a fact falls and rises.
    """

    threshold: float = 0.85
    candidates: Candidates = "tags"
    mode: RemovalMode = "delete"
    is_dry_run: bool = False
    curve: ValueCurve = FACT_VALUE

    @property
    def params(self) -> dict[str, Any]:
        """What the receipt keeps."""
        return {"threshold": self.threshold, "candidates": self.candidates, "mode": self.mode}


def consolidation_request(
    threshold: object,
    *,
    candidates: object = "tags",
    mode: object = "delete",
    dry_run: object = False,
    curve: ValueCurve = FACT_VALUE,
) -> ConsolidationRequest:
    """Return a consolidation that keeps the bounds.

    Args:
        threshold: Above 0, up to 1.
        candidates: "tags" or "all".
        mode: "delete" or "deprecate".
        dry_run: Whether nothing is changed.
        curve: Of facts.

    Raises:
        InputError: Something is out of bounds; the message names the parameter.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise InputError(f"threshold must be a number, got {type(threshold).__name__}")
    if not 0 < threshold <= 1:  # true for NaN too
        raise InputError(f"threshold must be a raw cosine above 0 and up to 1, got {threshold}")
    if candidates not in ("tags", "all"):
        raise InputError(f"candidates must be 'tags' or 'all', got {candidates!r}")
    if mode not in ("delete", "deprecate"):
        raise InputError(f"mode must be 'delete' or 'deprecate', got {mode!r}")
    if not isinstance(dry_run, bool):
        raise InputError(f"dry_run must be True or False, got {dry_run!r}")
    return ConsolidationRequest(
        float(threshold),
        "tags" if candidates == "tags" else "all",
        "delete" if mode == "delete" else "deprecate",
        dry_run,
        curve,
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
        MaintenanceBusy: Another operation works in that scope.
        StoreError: The server failed; what was removed until then stays so.
    """
    if request.is_dry_run:
        run = unrecorded(scope, OPERATION, clock.now())
        return await _Work(db, run, request, space=space, guard=guard, progress=progress).report()
    async with run_in(
        db,
        scope,
        OPERATION,
        clock=clock,
        params=request.params,
        undo_window=undo_window,
        part_of=part_of,
    ) as run:
        return await _Work(db, run, request, space=space, guard=guard, progress=progress).report()


@dataclass(slots=True)
class _Pool:
    """The facts that are compared, in the order of worth: a column for each thing known of them."""

    ids: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    protections: list[str] = field(default_factory=list)
    chained: list[bool] = field(default_factory=list)
    valid_from: list[datetime] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    tags: list[tuple[int, ...]] = field(default_factory=list)

    def ordered(self) -> _Pool:
        """Return the same in the order of worth."""
        order = sorted(range(len(self.ids)), key=lambda at: (-self.scores[at], self.ids[at]))
        return _Pool(
            ids=[self.ids[at] for at in order],
            scores=[self.scores[at] for at in order],
            protections=[self.protections[at] for at in order],
            chained=[self.chained[at] for at in order],
            valid_from=[self.valid_from[at] for at in order],
            kinds=[self.kinds[at] for at in order],
            places=[self.places[at] for at in order],
            tags=[self.tags[at] for at in order],
        )


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
        self._pool = _Pool()
        self._checked = 0
        self._skipped = 0
        self._cut = 0
        self._protected: Counter[str] = Counter()

    async def report(self) -> RemovalReport:
        """Do it, and return what came of it."""
        await self._read()
        merges = await self._decide(await self._compare(self._space)) if self._space else []
        gone = [self._pool.ids[one.goes] for one in merges]
        told = await self._told(merges[:KEPT_IDS])
        if not self._request.is_dry_run:
            await self._widen(merges)
            went = set(await self._remove(merges))
            gone = [one for one in gone if one in went]
            told = [one for one in told if one.id in went]
        orphans = await clean_orphans(
            self._db, self._run, dry_run=self._request.is_dry_run, gone=gone
        )
        return self._report(gone, told, orphans)

    # What there is ------------------------------------------------------------------------

    async def _read(self) -> None:
        """Read what facts are compared by: all but their vectors and their words."""
        pool = self._pool
        numbers: dict[str, int] = {}
        kinds: dict[tuple[datetime, str], int] = {}
        after = ""
        while True:
            await self._renew()
            rows = await self._db.run(
                get_query("maintain/page_comparable"),
                scope=self._run.scope,
                after=after,
                limit=_PAGE,
                now=self._run.now,
                embedder_id=self._space.embedder_id if self._space else "",
            )
            self._checked += len(rows)
            for row in rows:
                if self._space is None or not row["has_vector"]:
                    self._skipped += 1
                    continue
                pool.ids.append(row["id"])
                pool.scores.append(self._score(row))
                pool.protections.append(row["protection"])
                pool.chained.append(row["is_chained"])
                pool.valid_from.append(row["valid_from"])
                # Two that end at different times, or may be told to others, are two facts.
                kind = (row["valid_to"], row["sensitivity"])
                pool.kinds.append(kinds.setdefault(kind, len(kinds)))
                pool.places.append(row["place"])
                pool.tags.append(
                    tuple(numbers.setdefault(tag, len(numbers)) for tag in row["tags"])
                )
            if len(rows) < _PAGE:
                break
            after = rows[-1]["id"]
        self._pool = pool.ordered()

    def _score(self, row: Mapping[str, Any]) -> float:
        idle_h = (self._run.now - row["used_at"]).total_seconds() / 3600
        usage = Usage(row["recall_count"], idle_h, row["reward_sum"], row["reward_count"])
        return value(usage, self._request.curve)

    # Who is near to whom ------------------------------------------------------------------

    async def _compare(self, space: VectorSpace) -> dict[int, list[tuple[int, float]]]:
        """Return, of each fact that is near to one before it, those with their cosines."""
        count = len(self._pool.ids)
        if self._request.candidates == "tags":
            groups, self._cut = groups_of(self._pool.tags, self._pool.places)
        elif count <= MOST_IN_GROUP:
            groups, self._cut = groups_of([(0,)] * count, self._pool.places)
        else:
            return await self._probe(space)
        found: dict[int, dict[int, float]] = {}
        total = sum(len(group.members) for group in groups)
        done = 0
        for batch, inside in batches(groups, space.width):
            vectors = await self._vectors(space, inside)
            for part in _by_size(batch):
                await self._renew()
                for near in await asyncio.to_thread(self._near, part, inside, vectors):
                    self._cut += near.cut
                    columns = (near.later.tolist(), near.earlier.tolist(), near.cosine.tolist())
                    for later, earlier, cosine in zip(*columns, strict=True):
                        found.setdefault(later, {})[earlier] = cosine
                done += sum(len(group.members) for group in part)
                self._advance(count * done // total)
        return {later: _nearest_first(near) for later, near in sorted(found.items())}

    def _near(
        self, groups: Sequence[Group], inside: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> list[Near]:
        import numpy as np

        pairs = []
        for group in groups:
            members = group.members
            kinds = np.array([self._pool.kinds[one] for one in members.tolist()], np.int64)
            rows = vectors[np.searchsorted(inside, members)]
            near = near_in(rows, kinds, self._request.threshold)
            pairs.append(Near(members[near.later], members[near.earlier], near.cosine, near.cut))
        return pairs

    async def _vectors(self, space: VectorSpace, inside: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of facts by their numbers, a row each; zeros where one is gone."""
        import numpy as np

        vectors = np.zeros((len(inside), space.width), np.float32)
        place = {self._pool.ids[one]: at for at, one in enumerate(inside.tolist())}
        for page in _pages(list(place), _PAGE):
            await self._renew()
            rows = await self._db.run(
                get_query("maintain/get_vectors", space.slot), scope=self._run.scope, ids=page
            )
            for row in rows:
                vectors[place[row["id"]]] = row["vector"].to_numpy()
        return vectors

    async def _probe(self, space: VectorSpace) -> dict[int, list[tuple[int, float]]]:
        """Ask the vector index for the nearest of each: comparing all pairs would take too long."""
        pool = self._pool
        place = {one: at for at, one in enumerate(pool.ids)}
        found: dict[int, dict[int, float]] = {}
        done = 0
        for page in _pages(pool.ids, _PROBED):
            await self._renew()
            rows = await self._db.run(
                get_query("maintain/find_near_facts", space.slot),
                scope=self._run.scope,
                ids=page,
                near=_NEAREST,
                threshold=self._request.threshold + MARGIN,
            )
            self._cut += len({row["id"] for row in rows if row["is_full"]})
            for row in rows:
                one, other = place[row["id"]], place.get(row["other"])
                if other is not None and pool.kinds[one] == pool.kinds[other]:
                    found.setdefault(max(one, other), {})[min(one, other)] = row["cosine"]
            done += len(page)
            self._advance(done)
        return {later: _nearest_first(near) for later, near in sorted(found.items())}

    # Who goes -----------------------------------------------------------------------------

    async def _decide(self, near: Mapping[int, Sequence[tuple[int, float]]]) -> list[_Merge]:
        """Go through the facts in the order of worth: who is near to one that stays goes."""
        gone: set[int] = set()
        merges: list[_Merge] = []
        for laters in _pages(list(near), _DECIDED):
            await self._renew()
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
        for page in _pages(list(place), _PAGE):
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
        for page in _pages(rows, BATCH):
            await self._renew()
            changed = await self._db.run(
                get_query("maintain/widen_facts"),
                scope=self._run.scope,
                run_id=self._run.id,
                now=self._run.now,
                rows=page,
            )
            self._run.counts["widened"] += len(changed)

    async def _remove(self, merges: Sequence[_Merge]) -> list[str]:
        ids = self._pool.ids
        return await remove(
            self._db,
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
            checked=self._checked,
            deleted=len(deleted),
            deprecated=0 if is_deleting else len(gone),
            orphans=counted(orphans),
            protected=dict(self._protected),
            skipped=self._skipped,
            cut=self._cut,
            deleted_ids=tuple(deleted),
            removed=(*told, *orphans)[:KEPT_IDS],
        )
        self._run.counts.update(
            {
                "checked": report.checked,
                "deleted": report.deleted,
                "deprecated": report.deprecated,
                "skipped": report.skipped,
                "cut": report.cut,
                **{f"protected_{why}": count for why, count in self._protected.items()},
            }
        )
        return report

    async def _renew(self) -> None:
        await self._run.renew()

    def _advance(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, len(self._pool.ids))


def _why(merge: _Merge) -> str:
    return f"it says nearly the same as one that is worth more (cosine {merge.cosine:.3f})"


def _nearest_first(near: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))


def _by_size(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield groups in parts of some thousand facts: most Tags have a few."""
    part: list[Group] = []
    size = 0
    for group in groups:
        part.append(group)
        size += len(group.members)
        if size >= _PAGE:
            yield part
            part, size = [], 0
    if part:
        yield part


def _pages(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
