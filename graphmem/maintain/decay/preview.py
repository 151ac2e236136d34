"""What decay would take and when, while nobody uses anything; nothing is changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.checks import check_whole
from graphmem.maintain.decay.tiered import Placed, TierRequest, page_tiers
from graphmem.maintain.decay.value import (
    DECAYING,
    DecayRequest,
    Valued,
    check_types,
    count_live,
    page_values,
)
from graphmem.maintain.runs import KEPT_IDS
from graphmem.maintenance import DecayPolicy, DecayPreview, Horizon, ScoredNode
from graphmem.models import LIVE
from graphmem.operation import Progress
from graphmem.queries import get_query
from graphmem.scoring import Usage, ValueCurve, falls_in_h, value
from graphmem.tiering import TierPolicy, TierUsage, deprecated_in_days

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["MOST_DAYS", "check_days", "preview_tiers", "preview_value"]

# As far as anybody looks ahead.
MOST_DAYS = 3650
_DAY_H = 24.0
# Used so often that more would make no difference.
_ENDLESS = 10**9
# What a node may have behind it from now on, for the horizons of value.
_LIVES = (
    ("never used, not rated", Usage(0, 0)),
    ("never used, rated 1", Usage(0, 0, 1.0, 1)),
    ("never used, rated 0.5", Usage(0, 0, 0.5, 1)),
    ("never used, rated 0", Usage(0, 0, 0.0, 1)),
    ("used 10 times, not rated", Usage(10, 0)),
    ("used without end, not rated", Usage(_ENDLESS, 0)),
)
# And for those of the tiers; the uses lie a day apart.
_PLACES = (
    ("never used", TierUsage("working", 0, 0, 0)),
    ("never used, of no importance", TierUsage("working", 0, 0, 0, importance=0.0)),
    ("never used, of the highest importance", TierUsage("working", 0, 0, 0, importance=1.0)),
    ("used 3 times", TierUsage("working", 3, 0, 2)),
    ("used 10 times", TierUsage("working", 10, 0, 9)),
    ("peripheral, never used", TierUsage("peripheral", 0, 0, 0)),
    ("core, used 10 times", TierUsage("core", 10, 0, 9, importance=0.8)),
)


def check_days(days: object) -> int:
    """Return how far to look ahead.

    Raises:
        InputError: It is no whole number from 1 to 3,650.
    """
    return check_whole(days, "days", 1, MOST_DAYS)


async def preview_value(
    db: Database,
    scope: str,
    request: DecayRequest,
    *,
    now: datetime,
    days: int,
    ids: Sequence[str] = (),
    progress: Progress | None = None,
) -> DecayPreview:
    """Return what `decay_nodes` would take now, and on each of the next days.

    Args:
        db: The store.
        scope: Whose memory it is.
        request: What, and how.
        now: The instant that is asked about.
        days: How far to look ahead.
        ids: Only these nodes, whatever their status and value.
        progress: Called after each page.
    """
    view = _View(days, bool(ids))
    total = None if progress is None else await count_live(db, scope, request.curves)
    for node_type, curve in request.curves.items():
        kind = DECAYING[node_type]
        pages = page_values(
            db,
            scope,
            node_type,
            curve,
            threshold=request.threshold,
            now=now,
            days=days,
            ids=ids,
            with_protected=True,
        )
        async for page in pages:
            view.checked += page.checked
            view.future += page.future
            for node in page.low:
                view.take(_valued(node, kind, request.threshold, curve))
            view.later.update(day + 1 for day in page.later)
            if progress is not None:
                progress(view.checked, total)
    return view.preview(
        policy="value",
        at=now,
        threshold=request.threshold,
        horizons=tuple(_value_horizons(request)),
    )


async def preview_tiers(
    db: Database,
    scope: str,
    request: TierRequest,
    *,
    node_types: Iterable[str],
    now: datetime,
    days: int,
    ids: Sequence[str] = (),
    progress: Progress | None = None,
) -> DecayPreview:
    """Return what the tiered policy would deprecate and purge, at one tick a day.

    Args:
        db: The store.
        scope: Whose memory it is.
        request: What, and how.
        node_types: "semantic", "procedural", or both.
        now: The instant that is asked about.
        days: How far to look ahead.
        ids: Only these nodes, whatever their status.
        progress: Called after each page.
    """
    view = _View(days, bool(ids))
    wanted = check_types(node_types)
    policy = request.policy
    total = None if progress is None else await count_live(db, scope, wanted)
    for node_type in wanted:
        pages = page_tiers(db, scope, node_type, policy, now=now, ids=ids, everything=True)
        async for page in pages:
            view.checked += page.checked
            view.future += page.future
            foreseen = await asyncio.to_thread(_foresee, page.nodes, request, days)
            for node, day in zip(page.nodes, foreseen, strict=True):
                if day == 0 or ids or node.protected:
                    view.take(_placed(node, DECAYING[node_type], day))
                elif day is not None:
                    view.later[day] += 1
            if progress is not None:
                progress(view.checked, total)
    if request.purge_after_days > 0 and not ids:
        rows = await db.run(
            get_query("maintain/foresee_purges"),
            scope=scope,
            now=now,
            after_days=request.purge_after_days,
            days=days,
        )
        view.purges.update({row["day"]: row["nodes"] for row in rows})
    return view.preview(
        policy="tiered",
        at=now,
        threshold=None,
        horizons=tuple(_tier_horizons(wanted, policy)) if request.is_enabled else (),
    )


@dataclass(slots=True)
class _View:
    """What a preview has counted so far."""

    days: int
    is_asked: bool
    checked: int = 0
    future: int = 0
    goes: int = 0
    protected: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    kept_nodes: list[ScoredNode] = field(default_factory=list)
    later: Counter[int] = field(default_factory=Counter)
    purges: Counter[int] = field(default_factory=Counter)
    nodes: list[ScoredNode] = field(default_factory=list)

    def take(self, node: ScoredNode) -> None:
        """Count a node that goes now, that is protected, or that was asked for."""
        if node.goes_in_days == 0 and node.protected:
            self.protected[node.protected] += 1
        elif node.goes_in_days == 0:
            self.goes += 1
        is_kept = bool(node.protected) and not self.is_asked
        if is_kept:
            self.kept[node.protected] += 1
        told = self.kept_nodes if is_kept else self.nodes
        # Who asks for a node wants to hear of it, however many there are.
        if self.is_asked or len(told) < KEPT_IDS:
            told.append(node)

    def preview(
        self,
        *,
        policy: DecayPolicy,
        at: datetime,
        threshold: float | None,
        horizons: tuple[Horizon, ...],
    ) -> DecayPreview:
        """Return it."""
        ahead = range(1, self.days + 1)
        return DecayPreview(
            policy=policy,
            at=at,
            days=self.days,
            threshold=threshold,
            checked=self.checked,
            goes=self.goes,
            goes_later=() if self.is_asked else tuple(self.later[day] for day in ahead),
            purges=self.purges[0],
            purges_later=tuple(self.purges[day] for day in ahead) if self.purges else (),
            protected=dict(self.protected),
            kept=dict(self.kept),
            kept_nodes=tuple(self.kept_nodes),
            future=self.future,
            nodes=tuple(self.nodes),
            horizons=horizons,
        )


def _valued(node: Valued, kind: str, threshold: float, curve: ValueCurve) -> ScoredNode:
    left_h = falls_in_h(node.score, threshold, curve)
    is_live = node.status in LIVE
    return ScoredNode(
        id=node.id,
        kind=kind,
        text=node.text,
        status=node.status,
        tier=node.tier,
        uses=node.uses,
        rewards=node.reward_count,
        idle_days=node.idle_h / _DAY_H,
        recency=node.recency,
        frequency=node.frequency,
        reward=node.reward,
        score=node.score,
        goes_in_days=None if left_h is None or not is_live else left_h / _DAY_H,
        protected=node.protected,
    )


def _placed(node: Placed, kind: str, day: int | None) -> ScoredNode:
    return ScoredNode(
        id=node.id,
        kind=kind,
        text=node.text,
        status=node.status,
        tier=node.tier,
        next_tier=node.next_tier,
        uses=node.uses,
        idle_days=node.idle_days,
        age_days=node.age_days,
        recency=node.recency,
        frequency=node.frequency,
        intrinsic=node.intrinsic,
        score=node.score,
        goes_in_days=day,
        protected=node.protected,
    )


def _foresee(nodes: Iterable[Placed], request: TierRequest, days: int) -> list[int | None]:
    if not request.is_enabled:
        return [None for _ in nodes]
    return [
        deprecated_in_days(node.usage, days, request.policy) if node.status in LIVE else None
        for node in nodes
    ]


def _value_horizons(request: DecayRequest) -> Iterable[Horizon]:
    for node_type, curve in request.curves.items():
        for usage, told in ((usage, told) for told, usage in _LIVES):
            left_h = falls_in_h(value(usage, curve), request.threshold, curve)
            yield Horizon(
                node_type=node_type,
                usage=told,
                days=None if left_h is None else left_h / _DAY_H,
            )


def _tier_horizons(node_types: Iterable[str], policy: TierPolicy) -> Iterable[Horizon]:
    lives = [(told, deprecated_in_days(usage, MOST_DAYS, policy)) for told, usage in _PLACES]
    for node_type in node_types:
        for told, days in lives:
            yield Horizon(node_type=node_type, usage=told, days=days)
