"""The tiered policy at work: what falls silent goes down, is told no longer, and goes at last."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from graphmem.ids import new_id
from graphmem.maintain.decay.value import DECAYING, count_live
from graphmem.maintain.orphans import clean_orphans, counted
from graphmem.maintain.removal import BATCH, Loss, remove
from graphmem.maintain.runs import KEPT_IDS, Run, run_in
from graphmem.maintenance import RemovalMode, RemovedNode, TierReport
from graphmem.operation import Progress
from graphmem.queries import get_query
from graphmem.tiering import TierPolicy, TierUsage

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.settings.maintain import MaintainSettings

__all__ = ["Placed", "TierRequest", "decay_by_tiers", "page_tiers", "tier_request"]

logger = logging.getLogger(__name__)

# Nodes that are scored in one statement.
_PAGE = 1000
# No id comes behind it.
_END = "\uffff"
_ORDER = ("peripheral", "working", "core")
_CHANGES = ("promoted", "demoted", "deprecated", "purged")


@dataclass(frozen=True, slots=True)
class TierRequest:
    """What the tiered policy is to do.

    Attributes:
        policy: Its numbers.
        is_enabled: Whether nodes move and are deprecated; what was deprecated is purged anyhow.
        purge_after_days: How long what decay deprecated is kept; 0 = for good.
        is_dry_run: Whether nothing is changed.
        cleans_orphans: Whether what led to what went goes too.
    """

    policy: TierPolicy
    is_enabled: bool = True
    purge_after_days: float = 60.0
    is_dry_run: bool = False
    cleans_orphans: bool = True


def tier_request(
    settings: MaintainSettings, *, is_dry_run: bool = False, cleans_orphans: bool = True
) -> TierRequest:
    """Return what the tiered policy is to do under some settings."""
    return TierRequest(
        TierPolicy(
            auto_deprecate=settings.decay_auto_deprecate,
            deprecate_after_days=settings.decay_auto_deprecate_after_days,
        ),
        is_enabled=settings.decay_enabled,
        purge_after_days=settings.decay_purge_after_days,
        is_dry_run=is_dry_run,
        cleans_orphans=cleans_orphans,
    )


@dataclass(frozen=True, slots=True)
class Placed:
    """A node with the tier that it belongs to, factor by factor."""

    id: str
    text: str
    status: str
    tier: str
    next_tier: str
    uses: int
    idle_days: float
    age_days: float
    importance: float
    rank: float
    recency: float
    frequency: float
    intrinsic: float
    score: float
    is_silent: bool
    protected: str

    @property
    def usage(self) -> TierUsage:
        """What the policy knows of it."""
        return TierUsage(
            self.tier, self.uses, self.idle_days, self.age_days, self.importance, self.rank
        )

    def why(self, policy: TierPolicy) -> str:
        """Return one sentence on why it is deprecated."""
        return (
            f"peripheral and silent for {self.idle_days:.1f} days: {self.score:.3f} is less than "
            f"{policy.low:g}: recency {self.recency:.3f}, frequency {self.frequency:.3f}, "
            f"intrinsic {self.intrinsic:.3f}"
        )


@dataclass(frozen=True, slots=True)
class _Page:
    checked: int
    future: int
    nodes: tuple[Placed, ...]


async def page_tiers(
    db: Database,
    scope: str,
    node_type: str,
    policy: TierPolicy,
    *,
    now: datetime,
    ids: Iterable[str] = (),
    everything: bool = False,
    after: str = "",
    until: str = _END,
) -> AsyncIterator[_Page]:
    """Yield the live nodes of a type that move or fell silent, page by page.

    Args:
        db: The store.
        scope: Whose memory it is.
        node_type: "semantic" or "procedural".
        policy: The numbers.
        now: The instant that is asked about.
        ids: Only these, whatever their status.
        everything: Also those that stay as they are.
        after: Begin behind this id.
        until: End with it.
    """
    wanted = list(ids)
    while True:
        (row,) = await db.run(
            get_query("maintain/score_tiers"),
            scope=scope,
            kind=DECAYING[node_type],
            after=after,
            until=until,
            ids=wanted,
            limit=_PAGE,
            now=now,
            policy=asdict(policy),
            everything=everything,
        )
        yield _Page(
            row["checked"],
            row["future"],
            tuple(Placed(**entry) for entry in row["nodes"]),
        )
        if wanted or row["checked"] < _PAGE:
            return
        after = row["last"]


async def decay_by_tiers(
    db: Database,
    scope: str,
    request: TierRequest,
    *,
    clock: Clock,
    undo_window: timedelta,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> TierReport:
    """Move the nodes of a scope between tiers, deprecate silent ones, purge the long deprecated.

    Where its time is bounded it begins anywhere, so that a scope too large for one time is gone
    through in several.

    Args:
        db: The store.
        scope: Where.
        request: What, and how.
        clock: Tells the time.
        undo_window: How long it can be taken back.
        part_of: The run that holds the scope already; None = this one takes it.
        progress: Called after each page.

    Raises:
        BudgetOver: The time of the run that it is a part of is over; what was found is done.
        MaintenanceBusy: Another operation works in that scope.
        StoreError: The server failed; what was done until then stays so.
    """
    params = {
        "policy": "tiered",
        "enabled": request.is_enabled,
        "auto_deprecate": request.policy.auto_deprecate,
        "auto_deprecate_after_days": request.policy.deprecate_after_days,
        "purge_after_days": request.purge_after_days,
    }
    async with run_in(
        db,
        scope,
        "decay",
        clock=clock,
        params=params,
        undo_window=undo_window,
        part_of=part_of,
        is_dry_run=request.is_dry_run,
    ) as run:
        return await _work(_Tiers(db, run, request), progress)


async def _work(tiers: _Tiers, progress: Progress | None) -> TierReport:
    try:
        # First, so that what is deprecated now is not looked at again.
        if tiers.request.purge_after_days > 0:
            await tiers.purge()
        if tiers.request.is_enabled:
            await tiers.place_all(progress)
    finally:
        # Also of one that is broken off.
        tiers.record()
    if tiers.request.cleans_orphans:
        await tiers.clean()
    return tiers.report()


@dataclass(slots=True)
class _Tiers:
    """A run of the tiered policy that is under way, and what it has counted so far."""

    db: Database
    run: Run
    request: TierRequest
    protected: Counter[str] = field(default_factory=Counter)
    deprecated: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)
    removed: list[RemovedNode] = field(default_factory=list)
    orphans: list[RemovedNode] = field(default_factory=list)

    async def place_all(self, progress: Progress | None) -> None:
        """Go through all live nodes."""
        total = None if progress is None else await count_live(self.db, self.run.scope, DECAYING)
        # Ids are digests: whichever one it begins behind, in the long run all have their turn.
        start = "" if self.run.deadline is None else new_id()
        stretches = (("", _END),) if not start else ((start, _END), ("", start))
        for after, until in stretches:
            for node_type, kind in DECAYING.items():
                async for page in page_tiers(
                    self.db,
                    self.run.scope,
                    node_type,
                    self.request.policy,
                    now=self.run.now,
                    after=after,
                    until=until,
                ):
                    await self._place(kind, page)
                    if progress is not None:
                        progress(self.run.counts["checked"], total)
                    await self.run.renew()

    async def _place(self, kind: str, page: _Page) -> None:
        self.run.counts["checked"] += page.checked
        self.run.counts["future"] += page.future
        moves = [node for node in page.nodes if node.tier != node.next_tier]
        moves = [node for node in moves if node.protected != "pinned"]
        await self._move(kind, moves)
        silent = [node for node in page.nodes if node.is_silent]
        self.protected.update(node.protected for node in silent if node.protected)
        losses = {
            node.id: (node.text, Loss(node.id, node.why(self.request.policy)), node.score)
            for node in silent
            if not node.protected
        }
        self.deprecated += await self._remove(kind, losses, "deprecate", ("active",))

    async def _move(self, kind: str, nodes: Sequence[Placed]) -> None:
        if not nodes:
            return
        moves = [{"id": node.id, "tier": node.tier, "next_tier": node.next_tier} for node in nodes]
        if self.request.is_dry_run:
            self.run.counts.update(_directions(moves))
            return
        await self.run.write(
            get_query("maintain/move_tiers"),
            _directions,
            scope=self.run.scope,
            kind=kind,
            moves=moves,
        )

    async def purge(self) -> None:
        """Delete what decay deprecated long enough ago; nothing else was deprecated for that."""
        if not self.request.is_dry_run:
            await self._date()
        until = self.run.now - timedelta(days=self.request.purge_after_days)
        for kind in DECAYING.values():
            after = ""
            while True:
                rows = await self.db.run(
                    get_query("maintain/page_deprecated"),
                    scope=self.run.scope,
                    kind=kind,
                    until=until,
                    after=after,
                    limit=BATCH,
                )
                self.protected.update(row["protected"] for row in rows if row["protected"])
                losses = {
                    row["id"]: (row["text"], Loss(row["id"], self._since(row)), None)
                    for row in rows
                    if not row["protected"]
                }
                self.purged += await self._remove(
                    kind, losses, "delete", ("deprecated",), also=["purged"]
                )
                if len(rows) < BATCH:
                    break
                after = rows[-1]["id"]

    def _since(self, row: dict[str, datetime]) -> str:
        days = (self.run.now - row["deprecated_at"]) / timedelta(days=1)
        return f"decay deprecated it {days:.1f} days ago, and nobody stated it again"

    async def _date(self) -> None:
        while True:
            (row,) = await self.run.write(
                get_query("maintain/date_deprecated"),
                lambda rows: {"dated": rows[0]["dated"]},
                scope=self.run.scope,
                now=self.run.now,
                limit=BATCH,
            )
            if row["dated"] < BATCH:
                return

    async def _remove(
        self,
        kind: str,
        losses: Mapping[str, tuple[str, Loss, float | None]],
        mode: RemovalMode,
        statuses: Sequence[str],
        also: Sequence[str] = (),
    ) -> list[str]:
        gone = list(losses)
        if not self.request.is_dry_run:
            gone = await remove(
                self.run,
                kind,
                [loss for _, loss, _ in losses.values()],
                mode=mode,
                by="decay",
                statuses=statuses,
                also=also,
            )
        for node_id in gone[: max(0, KEPT_IDS - len(self.removed))]:
            text, loss, score = losses[node_id]
            self.removed.append(
                RemovedNode(id=node_id, kind=kind, text=text, reason=loss.reason, score=score)
            )
        return gone

    async def clean(self) -> None:
        """Remove what led to what went."""
        # Also where nothing went: what led to what an earlier run removed that was broken off.
        self.orphans = await clean_orphans(
            self.db,
            self.run,
            dry_run=self.request.is_dry_run,
            gone=[*self.deprecated, *self.purged],
        )

    def record(self) -> None:
        """Let the receipt tell what was protected, and the log what was changed."""
        counts = self.run.counts
        counts.update({f"protected_{why}": n for why, n in self.protected.items()})
        if not self.request.is_dry_run and any(counts[name] for name in _CHANGES):
            logger.info(
                "maintain.tiered promoted=%d demoted=%d deprecated=%d purged=%d",
                *(counts[name] for name in _CHANGES),
            )

    def report(self) -> TierReport:
        """Return what came of it."""
        return TierReport(
            run_id=self.run.id,
            is_dry_run=self.request.is_dry_run,
            orphans=counted(self.orphans),
            protected=dict(self.protected),
            deprecated_ids=tuple(self.deprecated),
            purged_ids=tuple(self.purged),
            removed=(*self.removed, *self.orphans)[:KEPT_IDS],
            deprecated=len(self.deprecated),
            purged=len(self.purged),
            **{
                name: self.run.counts[name]
                for name in ("checked", "promoted", "demoted", "dated", "future")
            },
        )


def _directions(moves: Sequence[Mapping[str, str]]) -> Counter[str]:
    return Counter(
        "promoted" if _ORDER.index(move["next_tier"]) > _rank(move["tier"]) else "demoted"
        for move in moves
    )


def _rank(tier: str) -> int:
    # A tier that nobody knows counts as the middle one.
    return _ORDER.index(tier) if tier in _ORDER else 1
