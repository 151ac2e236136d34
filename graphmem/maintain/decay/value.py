"""Removing what usage says is of no use: the policy of value."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from graphmem.checks import check_flag, check_number, check_word
from graphmem.errors import InputError
from graphmem.maintain.orphans import clean_orphans, counted
from graphmem.maintain.removal import Loss, remove
from graphmem.maintain.runs import KEPT_IDS, Run, run_in
from graphmem.maintenance import REMOVAL_MODES, RemovalMode, RemovalReport, RemovedNode
from graphmem.operation import Progress
from graphmem.queries import get_query
from graphmem.scoring import ValueCurve, ValueCurves
from graphmem.weights import value_curves

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = [
    "DECAYING",
    "DecayRequest",
    "Valued",
    "ValuedPage",
    "check_types",
    "count_live",
    "decay_nodes",
    "decay_request",
    "page_values",
]

# Mnemosyne's words for what decays, and the labels here.
DECAYING = {"semantic": "Fact", "procedural": "Procedure"}
# Nodes that are scored in one statement.
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class DecayRequest:
    """What is to decay, checked.

    Attributes:
        threshold: What is worth less than that goes.
        curves: How value falls, by type of node: "semantic", "procedural".
        mode: Whether nodes are deleted or deprecated.
        is_dry_run: Whether nothing is changed.
        gone: Of a dry run: ids of facts that count as gone already.
        gone_orphans: Likewise of what led to them.
    """

    threshold: float
    curves: Mapping[str, ValueCurve]
    mode: RemovalMode = "delete"
    is_dry_run: bool = False
    gone: frozenset[str] = frozenset()
    gone_orphans: frozenset[str] = frozenset()

    @property
    def params(self) -> dict[str, Any]:
        """What the receipt keeps."""
        return {
            "policy": "value",
            "threshold": self.threshold,
            "mode": self.mode,
            "curves": {name: _knobs(curve) for name, curve in self.curves.items()},
        }


def decay_request(
    threshold: object,
    *,
    node_types: object,
    mode: object = "delete",
    dry_run: object = False,
    centred_reward: object = False,
    curves: object = None,
    configured: Mapping[str, Mapping[str, float]],
) -> DecayRequest:
    """Return a decay that keeps the bounds.

    Args:
        threshold: From 0 to 1.
        node_types: "semantic", "procedural", or both.
        mode: "delete" or "deprecate".
        dry_run: Whether nothing is changed.
        centred_reward: Whether a reward of one half counts as none does.
        curves: Knobs of this call, by type; they win over the configured ones, key by key.
        configured: The setting `value_curves`.

    Raises:
        InputError: Something is out of bounds; the message names the parameter.
    """
    least = check_number(threshold, "threshold", 0, 1)
    is_centred = check_flag(centred_reward, "centred_reward")
    wanted = check_types(node_types)
    try:
        knobs = value_curves({} if curves is None else curves, over=configured)
    except ValueError as error:
        raise InputError(f"curves: {error}") from None
    known = ValueCurves.of(knobs, is_centred=is_centred)
    return DecayRequest(
        least,
        {name: getattr(known, name) for name in wanted},
        check_word(mode, "mode", REMOVAL_MODES),
        check_flag(dry_run, "dry_run"),
    )


def check_types(node_types: object) -> tuple[str, ...]:
    """Return the types of nodes that decay, each once.

    Raises:
        InputError: One is unknown, or there is none.
    """
    if isinstance(node_types, str) or not isinstance(node_types, Iterable):
        raise InputError(f"node_types must be a list such as ['semantic'], got {node_types!r}")
    told = list(node_types)
    unknown = [name for name in told if not isinstance(name, str) or name not in DECAYING]
    wanted = tuple(dict.fromkeys(told)) if not unknown else ()
    if unknown or not wanted:
        raise InputError(
            f"node_types must be some of {', '.join(DECAYING)}, got "
            f"{', '.join(map(repr, unknown)) or 'none'}"
        )
    return wanted


@dataclass(frozen=True, slots=True)
class Valued:
    """A node with what usage says of it, factor by factor."""

    id: str
    text: str
    tier: str
    status: str
    uses: int
    reward_count: int
    idle_h: float
    recency: float
    frequency: float
    reward: float
    score: float
    protected: str

    def why(self, threshold: float) -> str:
        """Return one sentence on why it goes."""
        rated = "not rated" if not self.reward_count else _many(self.reward_count, "reward")
        return (
            f"worth {self.score:.3f}, less than {threshold:g}: recency {self.recency:.3f} "
            f"(idle for {self.idle_h / 24:.1f} days) x frequency {self.frequency:.3f} "
            f"({_many(self.uses, 'use')}) x reward {self.reward:.3f} ({rated})"
        )


@dataclass(frozen=True, slots=True)
class ValuedPage:
    """Some nodes of a scope, in the order of their ids.

    Attributes:
        checked: How many.
        future: Of these, whose last use lies ahead.
        low: Those below the threshold; and those that are protected, where these are wanted.
        later: Of each other one that falls below it soon: in how many whole days.
    """

    checked: int
    future: int
    low: tuple[Valued, ...]
    later: tuple[int, ...]


async def page_values(
    db: Database,
    scope: str,
    node_type: str,
    curve: ValueCurve,
    *,
    threshold: float,
    now: datetime,
    days: int = 0,
    ids: Iterable[str] = (),
    with_protected: bool = False,
) -> AsyncIterator[ValuedPage]:
    """Yield all live nodes of a type, scored, page by page; or those with some ids.

    Args:
        db: The store.
        scope: Whose memory it is.
        node_type: "semantic" or "procedural".
        curve: How their value falls.
        threshold: Below which they are of no use.
        now: The instant that is asked about.
        days: How far to look ahead.
        ids: Only these, whatever their status.
        with_protected: Tell also of those above the threshold that are protected.
    """
    wanted = list(ids)
    after = ""
    while True:
        (row,) = await db.run(
            get_query("maintain/score_value"),
            scope=scope,
            kind=DECAYING[node_type],
            after=after,
            ids=wanted,
            limit=_PAGE,
            now=now,
            threshold=threshold,
            days=days,
            with_protected=with_protected,
            is_centred=curve.is_centred,
            **_knobs(curve),
        )
        yield ValuedPage(
            row["checked"],
            row["future"],
            tuple(Valued(**entry) for entry in row["low"]),
            tuple(row["later"]),
        )
        if wanted or row["checked"] < _PAGE:
            return
        after = row["last"]


async def decay_nodes(
    db: Database,
    scope: str,
    request: DecayRequest,
    *,
    clock: Clock,
    undo_window: timedelta,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> RemovalReport:
    """Remove the nodes of a scope that are worth less than a threshold, then what led to them.

    Args:
        db: The store.
        scope: Where.
        request: What, and how.
        clock: Tells the time.
        undo_window: How long it can be taken back.
        part_of: The run that holds the scope already; None = this one takes it.
        progress: Called after each page.

    Raises:
        MaintenanceBusy: Another operation works in that scope.
        StoreError: The server failed; what was removed until then stays so.
    """
    async with run_in(
        db,
        scope,
        "decay",
        clock=clock,
        params=request.params,
        undo_window=undo_window,
        part_of=part_of,
        is_dry_run=request.is_dry_run,
    ) as run:
        return await _decay(db, run, request, progress)


async def _decay(
    db: Database, run: Run, request: DecayRequest, progress: Progress | None
) -> RemovalReport:
    work = _Decay(db, run, request)
    total = None if progress is None else await count_live(db, run.scope, request.curves)
    try:
        for node_type, curve in request.curves.items():
            async for page in page_values(
                db, run.scope, node_type, curve, threshold=request.threshold, now=run.now
            ):
                await run.renew()
                await work.take(DECAYING[node_type], page)
                if progress is not None:
                    progress(work.checked, total)
    finally:
        # Also of one that is broken off.
        work.record()
    if "semantic" in request.curves:
        work.checked -= len(request.gone)
    gone = [*request.gone, *work.gone]
    orphans = await clean_orphans(db, run, dry_run=request.is_dry_run, gone=gone)
    return work.report([one for one in orphans if one.id not in request.gone_orphans])


@dataclass(slots=True)
class _Decay:
    """A decay that is under way, and what it has counted so far."""

    db: Database
    run: Run
    request: DecayRequest
    checked: int = 0
    future: int = 0
    protected: Counter[str] = field(default_factory=Counter)
    gone: list[str] = field(default_factory=list)
    removed: list[RemovedNode] = field(default_factory=list)

    async def take(self, kind: str, page: ValuedPage) -> None:
        """Remove what is low on a page, and count."""
        self.checked += page.checked
        self.future += page.future
        self.protected.update(node.protected for node in page.low if node.protected)
        going = [
            node for node in page.low if not node.protected and node.id not in self.request.gone
        ]
        if not self.request.is_dry_run:
            gone = await self._remove(kind, going)
            going = [node for node in going if node.id in gone]
        for node in going:
            self.gone.append(node.id)
            if len(self.removed) < KEPT_IDS:
                self.removed.append(
                    RemovedNode(
                        id=node.id,
                        kind=kind,
                        text=node.text,
                        reason=node.why(self.request.threshold),
                        score=node.score,
                    )
                )

    async def _remove(self, kind: str, going: Iterable[Valued]) -> set[str]:
        losses = [Loss(node.id, node.why(self.request.threshold)) for node in going]
        gone = await remove(
            self.run,
            kind,
            losses,
            mode=self.request.mode,
            by="decay",
        )
        return set(gone)

    def record(self) -> None:
        """Let the receipt tell what was counted."""
        self.run.counts.update(
            {
                "checked": self.checked,
                "future": self.future,
                **{f"protected_{why}": count for why, count in self.protected.items()},
            }
        )

    def report(self, orphans: Sequence[RemovedNode]) -> RemovalReport:
        """Return what came of it."""
        is_deleting = self.request.mode == "delete"
        deleted = [*(self.gone if is_deleting else ()), *(orphan.id for orphan in orphans)]
        deprecated = () if is_deleting else tuple(self.gone)
        return RemovalReport(
            run_id=self.run.id,
            operation="decay",
            mode=self.request.mode,
            is_dry_run=self.request.is_dry_run,
            checked=self.checked,
            deleted=len(deleted),
            deprecated=len(deprecated),
            orphans=counted(orphans),
            protected=dict(self.protected),
            future=self.future,
            deleted_ids=tuple(deleted),
            deprecated_ids=deprecated,
            removed=(*self.removed, *orphans)[:KEPT_IDS],
        )


async def count_live(db: Database, scope: str, node_types: Iterable[str]) -> int:
    """Return how many live nodes of some types a scope has."""
    (row,) = await db.run(get_query("maintain/count_live"), scope=scope)
    counts = {"semantic": row["facts"], "procedural": row["procedures"]}
    return sum(int(counts[name]) for name in node_types)


def _knobs(curve: ValueCurve) -> dict[str, float]:
    return {
        "rate_per_h": curve.rate_per_h,
        "half_uses": curve.half_uses,
        "floor": curve.floor,
        "slope": curve.slope,
    }


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
