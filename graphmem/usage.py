"""Counts what answers held, behind the answer: whoever asks never waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.errors import GraphmemError
from graphmem.recall.usage import Uses, record_usage

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.models import Recall

__all__ = ["UsageRecorder"]

logger = logging.getLogger(__name__)

# Answers that follow each other within it are counted in one statement.
_PAUSE_S = 0.5


class UsageRecorder:
    """Notes at once, writes soon: one statement a scope for all answers of a pause.

    Counts are a hint for the order of later answers, no memory: what cannot be written is
    logged and forgotten.
    """

    def __init__(self, db: Database) -> None:
        self._db = db
        self._noted: dict[str, tuple[dict[str, Uses], dict[str, Uses], dict[str, Uses]]] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_urgent = asyncio.Event()

    def note(self, found: Recall, at: datetime) -> None:
        """Note that the turns, facts and procedures of an answer were recalled."""
        if not found.turns and not found.facts and not found.procedures:
            return
        turns, facts, procedures = self._noted.setdefault(found.scope, ({}, {}, {}))
        _add(turns, (hit.turn.id for hit in found.turns), at)
        _add(facts, (hit.fact.id for hit in found.facts), at)
        _add(procedures, (hit.procedure.id for hit in found.procedures), at)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(
                self._write_all(), name="graphmem-usage"
            )

    async def wait(self, timeout_s: float | None) -> bool:
        """Write now what is noted, up to `timeout_s` seconds; return whether nothing is left."""
        if self._task is None or self._task.done():
            return True
        self._is_urgent.set()
        try:
            done, _ = await asyncio.wait([self._task], timeout=timeout_s)
        finally:
            self._is_urgent.clear()
        return bool(done)

    async def close(self, timeout_s: float) -> None:
        """Write what is noted, and break off at the deadline."""
        if not await self.wait(timeout_s) and self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _write_all(self) -> None:
        while self._noted:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_PAUSE_S):
                    await self._is_urgent.wait()
            noted, self._noted = self._noted, {}
            for scope, (turns, facts, procedures) in noted.items():
                try:
                    await record_usage(self._db, scope, turns, facts, procedures)
                except GraphmemError as error:
                    logger.warning("recall.usage_lost kind=%s", error.kind)
                except Exception:
                    # Nobody awaits this task: what went wrong must be told here.
                    logger.exception("recall.usage_lost kind=unexpected")


def _add(uses: dict[str, Uses], ids: Iterable[str], at: datetime) -> None:
    for node_id in ids:
        before = uses.get(node_id)
        uses[node_id] = Uses(1, at) if before is None else Uses(before.times + 1, at)
