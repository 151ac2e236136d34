"""Vectors that a bulk load leaves behind: they follow when the load is through.

Embedding is the slowest step by far. A turn that comes alone waits for it; of a bulk load each
batch is in the graph first, found by text and by links, and gets its vectors afterwards.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from graphmem.errors import GraphmemError

if TYPE_CHECKING:
    from graphmem.pipeline import Pipeline

__all__ = ["VectorFiller"]

logger = logging.getLogger(__name__)


class VectorFiller:
    """Fills in vectors, scope by scope, while nothing else is to be done.

    The truth is in the store, where a node that has none is marked: what this process leaves is
    done by the next one that works in the scope.

    Args:
        pipeline: Embeds a bounded round of nodes at a time.
        until_idle: Returns when no turn waits for its extraction.
    """

    def __init__(self, pipeline: Pipeline, until_idle: Callable[[], Awaitable[object]]) -> None:
        self._pipeline = pipeline
        self._until_idle = until_idle
        self._scopes: dict[str, None] = {}
        self._task: asyncio.Task[None] | None = None

    def owe(self, scope: str) -> None:
        """Note that nodes of `scope` wait for their vectors."""
        self._scopes[scope] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(
                self._fill(), name="graphmem-filler"
            )

    async def wait(self, timeout_s: float | None) -> bool:
        """Wait until nothing is owed, up to `timeout_s` seconds; return whether that is so."""
        if self._task is not None:
            await asyncio.wait([self._task], timeout=timeout_s)
        return not self._scopes

    async def close(self) -> None:
        """Break off; what is left waits in the store."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _fill(self) -> None:
        while self._scopes:
            await self._until_idle()
            scope = next(iter(self._scopes))
            try:
                is_done = not await self._pipeline.late.backfill_some(scope)
            except GraphmemError as error:
                # Marked in the store: the sweep of this or another process comes back to it.
                logger.warning("embed.fill_failed kind=%s", error.kind)
                is_done = True
            if is_done:
                self._scopes.pop(scope, None)
