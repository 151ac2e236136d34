"""Kept answers for programs without an event loop."""

from __future__ import annotations

from datetime import datetime

from graphmem.explanation import Explanation, RecallTrace
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.traces import AsyncTraces

__all__ = ["SyncTraces"]


class SyncTraces:
    """The kept answers of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncTraces` does.
    """

    _inner: AsyncTraces
    _loop: BackgroundLoop

    def recall_trace(self, trace_id: str) -> Explanation | None:
        """Return a kept answer with its reasons, as they were when it was asked, or None."""
        return self._loop.run(self._inner.recall_trace(trace_id))

    def recall_traces(self, limit: int = 100) -> list[RecallTrace]:
        """Return the kept answers of this scope, newest first."""
        return self._loop.run(self._inner.recall_traces(limit))

    def drop_traces(self, before: datetime | None = None) -> int:
        """Delete kept answers; their turns and facts stay."""
        return self._loop.run(self._inner.drop_traces(before))
