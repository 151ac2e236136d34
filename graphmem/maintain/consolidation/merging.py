"""Which of the facts that are near to one another become one, and that they do."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from graphmem.maintain.consolidation.pool import PAGE, pages
from graphmem.maintain.removal import BATCH, Loss
from graphmem.maintenance import RemovalMode, RemovedNode
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Row, Transaction
    from graphmem.maintain.consolidation.pool import Pool
    from graphmem.maintain.runs import Run

__all__ = ["Guard", "Merge", "Plan", "Said", "merge", "tell"]

# Facts that are decided about before the run renews its hold.
_DECIDED = 500
# How a receipt counts those that hold from earlier on.
_WIDENED = "widened"


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
class Merge:
    """A fact that goes, and the one that stays for it.

    Attributes:
        goes: Id of the one that is worth less.
        stays: Id of the other one.
        cosine: How near they are.
        goes_worth: What the one is worth.
        stays_worth: What the other one is worth.
        goes_from: Since when the one holds.
        stays_from: Since when the other one does.
    """

    goes: str
    stays: str
    cosine: float
    goes_worth: float
    stays_worth: float
    goes_from: datetime
    stays_from: datetime

    @property
    def reason(self) -> str:
        """Why it goes, in one sentence."""
        return f"it says nearly the same as one that is worth more (cosine {self.cosine:.3f})"


class Plan:
    """What is to become one.

    Facts are gone through in the order of worth: who is too near to one that stays goes for it.

    Attributes:
        merges: In that order; none that stays for another one goes as well.
        protected: Of those that would go and are protected, what protects each, by id.
    """

    def __init__(self, pool: Pool, guard: Guard) -> None:
        self.merges: list[Merge] = []
        self.protected: dict[str, str] = {}
        self._pool = pool
        self._guard = guard
        self._gone: set[int] = set()

    async def make(
        self, db: Database, run: Run, near: Mapping[int, Sequence[tuple[int, float]]]
    ) -> None:
        """Find out who goes.

        Args:
            db: The store.
            run: The run that wants to know.
            near: Of each fact that is near to some before it those with their cosines, the
                nearest first; by their numbers in the pool.
        """
        for laters in pages(list(near), _DECIDED):
            await run.renew()
            wanted = {one for later in laters for one, _ in near[later]} | set(laters)
            said = await self._said(db, run.scope, wanted - self._gone)
            candidates = {later: near[later] for later in laters}
            # Guards read words: nobody else is to wait for them.
            await run.hold_while(asyncio.to_thread(self._go_through, candidates, said))

    def _go_through(
        self, near: Mapping[int, Sequence[tuple[int, float]]], said: Mapping[int, Said]
    ) -> None:
        for later, candidates in near.items():
            found = self._merge_of(later, candidates, said)
            if found is None:
                continue
            if protection := self._pool.protections[later]:
                self.protected[self._pool.ids[later]] = protection
                continue
            self._gone.add(later)
            self.merges.append(found)

    def _merge_of(
        self, later: int, candidates: Sequence[tuple[int, float]], said: Mapping[int, Said]
    ) -> Merge | None:
        pool = self._pool
        for earlier, cosine in candidates:
            if earlier in self._gone or earlier not in said or later not in said:
                continue
            # The times of a supersede chain are settled: it cannot stand for an earlier one.
            if pool.chained[earlier] and pool.valid_from[later] < pool.valid_from[earlier]:
                continue
            if self._guard(said[later], said[earlier]) is None:
                return Merge(
                    goes=pool.ids[later],
                    stays=pool.ids[earlier],
                    cosine=cosine,
                    goes_worth=pool.scores[later],
                    stays_worth=pool.scores[earlier],
                    goes_from=pool.valid_from[later],
                    stays_from=pool.valid_from[earlier],
                )
        return None

    async def _said(self, db: Database, scope: str, wanted: Iterable[int]) -> dict[int, Said]:
        place = {self._pool.ids[one]: one for one in sorted(wanted)}
        said: dict[int, Said] = {}
        for page in pages(list(place), PAGE):
            rows = await db.run(get_query("maintain/get_said"), scope=scope, ids=page)
            said |= {place[row["id"]]: Said(**row) for row in rows}
        return said


async def tell(db: Database, run: Run, merges: Sequence[Merge]) -> list[RemovedNode]:
    """Return what is to go in words."""
    ids = sorted({end for one in merges for end in (one.goes, one.stays)})
    rows = await db.run(get_query("maintain/get_texts"), scope=run.scope, ids=ids)
    texts = {row["id"]: row["text"] for row in rows}
    return [
        RemovedNode(
            id=one.goes,
            kind="Fact",
            text=texts.get(one.goes, ""),
            reason=one.reason,
            score=one.goes_worth,
            survivor_id=one.stays,
            survivor_text=texts.get(one.stays, ""),
            survivor_score=one.stays_worth,
            cosine=one.cosine,
        )
        for one in merges
    ]


async def merge(run: Run, merges: Sequence[Merge], *, mode: RemovalMode) -> list[str]:
    """Let facts become one, in batches.

    Returns:
        Ids of those that went: others are protected, changed or gone meanwhile.
    """
    gone: list[str] = []
    for page in pages(sorted(merges, key=lambda one: one.goes), BATCH):
        rows = await run.transact(
            partial(_merge_some, run=run, merges=page, mode=mode),
            lambda rows: Counter(row["outcome"] for row in rows),
        )
        gone += [row["id"] for row in rows if row["outcome"] != _WIDENED]
    return gone


async def _merge_some(
    transaction: Transaction, *, run: Run, merges: Sequence[Merge], mode: RemovalMode
) -> list[Row]:
    removed = await transaction.run(
        get_query("maintain/remove_facts"),
        scope=run.scope,
        run_id=run.id,
        how=mode,
        by="consolidation",
        statuses=["active"],
        now=run.now,
        purge_after=run.undo_until,
        losses=[asdict(Loss(one.goes, one.reason, one.stays)) for one in merges],
    )
    went = {row["id"] for row in removed}
    # Only for those that went: of what stays after all the other one knows nothing.
    earlier = _earlier(one for one in merges if one.goes in went)
    widened = await transaction.run(
        get_query("maintain/widen_facts"),
        scope=run.scope,
        run_id=run.id,
        now=run.now,
        rows=[{"id": stays, "valid_from": earlier[stays]} for stays in sorted(earlier)],
    )
    return [
        *({"id": row["id"], "outcome": f"{mode}d"} for row in removed),
        *({"id": row["id"], "outcome": _WIDENED} for row in widened),
    ]


def _earlier(merges: Iterable[Merge]) -> dict[str, datetime]:
    """Return since when those hold that stay for one that holds from earlier on."""
    since: dict[str, datetime] = {}
    for one in merges:
        if one.goes_from < since.get(one.stays, one.stays_from):
            since[one.stays] = one.goes_from
    return since
