"""Plans the statements of a recall before somebody waits for them.

The first time that a server sees a statement it plans it, which for those of a recall takes
longer than all the rest, seconds on a cold server. Whoever opens a memory will most likely ask.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphmemError
from graphmem.queries import ParamDoc, Query, get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.vectorise import Vectoriser

__all__ = ["WarmUp"]

logger = logging.getLogger(__name__)

# In the order in which a recall sends them.
_STATEMENTS = (
    "recall/find_by_name",
    "recall/find_by_text",
    "recall/find_unfiltered_by_vector",
    "recall/find_by_vector",
    "recall/link_by_vector",
    "recall/walk_graph",
    "recall/get_evidence",
)
_SLOTTED = frozenset(
    {name for name in _STATEMENTS if name.endswith("_by_vector")} | {"recall/walk_graph"}
)
# What no scope can be called, so that nothing is found.
_NOBODY = ""


class WarmUp:
    """Sends each statement of a recall once, in the background, in a scope that nobody has.

    Args:
        db: The database.
        vectoriser: Says where vectors are; it embeds nothing.
        clock: Tells the time.

    Attributes:
        planned: The statements that the server has planned, in order.
    """

    def __init__(self, db: Database, vectoriser: Vectoriser, clock: Clock) -> None:
        self._db = db
        self._vectoriser = vectoriser
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self.planned: tuple[str, ...] = ()

    def start(self) -> None:
        """Begin, and return at once."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="graphmem-warm-up")

    async def wait(self) -> None:
        """Wait until it is through; at once where it never began."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def close(self) -> None:
        """Break off."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        width = self._width()
        for name in _STATEMENTS:
            if name.endswith("_by_vector") and not width:
                continue
            query = _query(name, self._vectoriser.slot if width else None)
            params = {param.name: self._value(param, width) for param in query.params.values()}
            try:
                await self._db.run(query, **params)
            except GraphmemError as error:
                # The recall itself will tell; and there are degraded ways for it.
                logger.debug("recall.warm_up_failed query=%s kind=%s", name, error.kind)
                return
            self.planned += (query.name,)

    def _width(self) -> int:
        """Return the width of the store's vectors, 0 where there are none or it is unknown."""
        embedder = self._vectoriser.embedder
        if embedder is None or self._vectoriser.slot is None:
            return 0
        return embedder.dimensions or 0

    def _value(self, param: ParamDoc, width: int) -> Any:
        """Return a value that asks for nothing."""
        if param.type == "VECTOR" and width:
            import numpy as np

            first = np.zeros(width, dtype=np.float32)
            first[0] = 1.0
            return first
        if param.is_nullable:
            return None
        if param.type.startswith("LIST"):
            return []
        plain = {"STRING": _NOBODY, "INTEGER": 1, "FLOAT": 0.5, "BOOLEAN": False, "MAP": {}}
        return self._clock.now() if param.type == "ZONED DATETIME" else plain[param.type]


def _query(name: str, slot: str | None) -> Query:
    if name in _SLOTTED:
        # Which slot a walk without a vector names makes no difference.
        return get_query(name, slot or "a")
    return get_query(name)
