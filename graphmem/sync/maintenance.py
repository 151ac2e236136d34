"""Upkeep for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.maintenance import MaintenanceReport, MaintenanceRun, RemovalReport, UndoReport
from graphmem.operation import Progress
from graphmem.sync.cleaning import SyncCleaning
from graphmem.sync.communities import SyncCommunities
from graphmem.sync.decay import SyncDecay
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.maintenance import AsyncMaintenance

__all__ = ["SyncMaintenance"]


class SyncMaintenance(SyncCleaning, SyncCommunities, SyncDecay):
    """The upkeep of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncMaintenance` does.
    """

    _inner: AsyncMaintenance
    _loop: BackgroundLoop

    def maintain(
        self,
        *,
        budget_s: float | None = None,
        steps: Iterable[str] | None = None,
        progress: Progress | None = None,
    ) -> MaintenanceReport:
        """Keep this scope clean once; the background does the same by itself."""
        return self._loop.run(
            self._inner.maintain(budget_s=budget_s, steps=steps, progress=progress)
        )

    def runs(
        self, *, limit: int = 100, operations: Iterable[str] = (), parts: bool = True
    ) -> list[MaintenanceRun]:
        """Return what upkeep did in this scope, newest first."""
        return self._loop.run(self._inner.runs(limit=limit, operations=operations, parts=parts))

    def run(self, run_id: str) -> MaintenanceRun:
        """Return one run."""
        return self._loop.run(self._inner.run(run_id))

    def undo(self, run_id: str) -> UndoReport:
        """Take back what a run deleted or deprecated."""
        return self._loop.run(self._inner.undo(run_id))

    def clean_orphans(self, *, dry_run: bool = False) -> RemovalReport:
        """Delete what leads nowhere any more, across this scope."""
        return self._loop.run(self._inner.clean_orphans(dry_run=dry_run))
