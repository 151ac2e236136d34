"""Cleaning a scope for programs without an event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from graphmem.maintenance import RemovalMode, RemovalReport
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.cleaning import AsyncCleaning

__all__ = ["SyncCleaning"]


class SyncCleaning:
    """What makes a scope smaller without losing anything: a part of `SyncMaintenance`."""

    _inner: AsyncCleaning
    _loop: BackgroundLoop

    def consolidate_semantics(
        self,
        threshold: float = 0.85,
        *,
        candidates: Literal["tags", "all"] = "tags",
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        progress: Callable[[int, int | None], None] | None = None,
    ) -> RemovalReport:
        """Let facts that nearly say the same become one; the one that is worth most stays."""
        return self._loop.run(
            self._inner.consolidate_semantics(
                threshold, candidates=candidates, dry_run=dry_run, mode=mode, progress=progress
            )
        )
