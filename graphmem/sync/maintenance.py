"""Upkeep for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.maintenance import MaintenanceRun, UndoReport
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
