"""Answers that were kept with their reasons."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.clock import as_utc
from graphmem.explanation import Explanation, RecallTrace
from graphmem.ids import check_ids
from graphmem.operation import operation
from graphmem.recall.traces import drop_traces, get_trace, list_traces
from graphmem.tiers.requests import check_limit

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["AsyncTraces"]


class AsyncTraces:
    """The kept answers of one scope: a part of `AsyncGraphMemory`."""

    _engine: Engine
    _scope: str

    async def recall_trace(self, trace_id: str) -> Explanation | None:
        """Return a kept answer with its reasons, as they were when it was asked, or None."""
        (checked,) = check_ids([trace_id], "trace_id")
        with operation("recall.get_trace", self._scope):
            return await get_trace(self._engine.db, self._scope, checked)

    async def recall_traces(self, limit: int = 100) -> list[RecallTrace]:
        """Return the kept answers of this scope, newest first."""
        check_limit(limit)
        with operation("recall.list_traces", self._scope):
            return await list_traces(self._engine.db, self._scope, limit)

    async def drop_traces(self, before: datetime | None = None) -> int:
        """Delete kept answers; their turns and facts stay.

        Args:
            before: Only those that were asked before this instant (aware); None = all.

        Returns:
            How many were deleted.
        """
        end = None if before is None else as_utc(before, name="before")
        with operation("recall.drop_traces", self._scope) as current:
            current.fields["dropped"] = dropped = await drop_traces(
                self._engine.db, self._scope, end
            )
            return dropped
