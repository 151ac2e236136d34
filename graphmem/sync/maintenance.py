"""Upkeep for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphmem.maintain.decay import Progress
from graphmem.maintenance import MaintenanceRun, RemovalMode, RemovalReport, UndoReport
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.maintenance import AsyncMaintenance

__all__ = ["SyncMaintenance"]


class SyncMaintenance:
    """The upkeep of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncMaintenance` does.
    """

    _inner: AsyncMaintenance
    _loop: BackgroundLoop

    def runs(self, *, limit: int = 100, operations: Iterable[str] = ()) -> list[MaintenanceRun]:
        """Return what upkeep did in this scope, newest first."""
        return self._loop.run(self._inner.runs(limit=limit, operations=operations))

    def run(self, run_id: str) -> MaintenanceRun:
        """Return one run."""
        return self._loop.run(self._inner.run(run_id))

    def undo(self, run_id: str) -> UndoReport:
        """Take back what a run deleted or deprecated."""
        return self._loop.run(self._inner.undo(run_id))

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

    def clean_orphans(self, *, dry_run: bool = False) -> RemovalReport:
        """Delete what leads nowhere any more, across this scope."""
        return self._loop.run(self._inner.clean_orphans(dry_run=dry_run))
