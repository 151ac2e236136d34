"""Forgetting what is of no use, for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphmem.maintain.consolidation.consolidate import Candidates
from graphmem.maintenance import (
    DecayPolicy,
    DecayPreview,
    RemovalMode,
    RemovalReport,
    RoutineReport,
    TierReport,
)
from graphmem.operation import Progress
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.decay import AsyncDecay

__all__ = ["SyncDecay"]


class SyncDecay:
    """The decay of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncDecay` does.
    """

    _inner: AsyncDecay
    _loop: BackgroundLoop

    def decay_nodes(
        self,
        threshold: float = 0.1,
        *,
        node_types: Iterable[str] = ("semantic", "procedural"),
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        progress: Progress | None = None,
    ) -> RemovalReport:
        """Remove facts and procedures that are of no use: the policy of value, by hand."""
        return self._loop.run(
            self._inner.decay_nodes(
                threshold,
                node_types=node_types,
                dry_run=dry_run,
                mode=mode,
                centred_reward=centred_reward,
                curves=curves,
                progress=progress,
            )
        )

    def tiered_decay(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> TierReport:
        """Do what the tiered policy does by itself in the background, now."""
        return self._loop.run(self._inner.tiered_decay(dry_run=dry_run, progress=progress))

    def decay_preview(
        self,
        *,
        node_types: Iterable[str] = ("semantic", "procedural"),
        threshold: float = 0.1,
        policy: DecayPolicy = "value",
        days: int = 30,
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        ids: Iterable[str] = (),
        progress: Progress | None = None,
    ) -> DecayPreview:
        """Return what decay would take now, and on each of the next days; nothing is changed."""
        return self._loop.run(
            self._inner.decay_preview(
                node_types=node_types,
                threshold=threshold,
                policy=policy,
                days=days,
                centred_reward=centred_reward,
                curves=curves,
                ids=ids,
                progress=progress,
            )
        )

    def consolidate_and_decay(
        self,
        *,
        consolidate_threshold: float = 0.85,
        decay_threshold: float = 0.1,
        candidates: Candidates = "tags",
        node_types: Iterable[str] = ("semantic", "procedural"),
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        progress: Progress | None = None,
    ) -> RoutineReport:
        """Consolidate, then decay: in this order, since a fact may be worth enough and double."""
        return self._loop.run(
            self._inner.consolidate_and_decay(
                consolidate_threshold=consolidate_threshold,
                decay_threshold=decay_threshold,
                candidates=candidates,
                node_types=node_types,
                dry_run=dry_run,
                mode=mode,
                centred_reward=centred_reward,
                curves=curves,
                progress=progress,
            )
        )
