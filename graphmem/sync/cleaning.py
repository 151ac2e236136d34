"""Cleaning a scope for programs without an event loop."""

from __future__ import annotations

from graphmem.maintain.consolidation.consolidate import Candidates
from graphmem.maintain.retention import Kept
from graphmem.maintenance import RemovalMode, RemovalReport
from graphmem.operation import Progress
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.cleaning import AsyncCleaning

__all__ = ["SyncCleaning"]


class SyncCleaning:
    """What makes a scope smaller and loses nothing that is told: a part of `SyncMaintenance`."""

    _inner: AsyncCleaning
    _loop: BackgroundLoop

    def consolidate_semantics(
        self,
        threshold: float = 0.85,
        *,
        candidates: Candidates = "tags",
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        progress: Progress | None = None,
    ) -> RemovalReport:
        """Let facts that nearly say the same become one; the one that is worth most stays."""
        return self._loop.run(
            self._inner.consolidate_semantics(
                threshold, candidates=candidates, dry_run=dry_run, mode=mode, progress=progress
            )
        )

    def retain_messages(
        self,
        keep: Kept | None = None,
        *,
        recent_turns: int | None = None,
        days: float | None = None,
        batch: int = 500,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> RemovalReport:
        """Delete raw messages that nothing refers to any more; by default all are kept."""
        return self._loop.run(
            self._inner.retain_messages(
                keep,
                recent_turns=recent_turns,
                days=days,
                batch=batch,
                dry_run=dry_run,
                progress=progress,
            )
        )
