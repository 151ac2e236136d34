"""Keeps scopes clean in the background: after so many turns, by the clock, or past a size."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.errors import GraphmemError, MaintenanceBusy

if TYPE_CHECKING:
    from graphmem.live_settings import SettingsHolder

__all__ = ["Caretaker"]

logger = logging.getLogger(__name__)

# How often clocks and sizes are looked at.
_LOOK_S = 60.0
_HOUR_S = 3600.0
# After a tick a scope rests for so many times as long as it took: upkeep takes a twentieth of the
# time, however large the scope.
_REST = 19.0
# A load that never ends must not keep every scope from being cleaned for ever.
_MOST_WAIT_S = 120.0


@dataclass(slots=True)
class _Care:
    """How a scope stands.

    Attributes:
        turns: Turns that came since the last tick.
        since: When that was, or when the scope was first used; by `time.monotonic`.
        rests_until: When the next one may begin, by the same clock.
    """

    turns: int = 0
    since: float = field(default_factory=time.monotonic)
    rests_until: float = 0.0


class Caretaker:
    """Runs one tick after the other, each when nothing else is to be done, or at last anyway.

    Args:
        holder: The settings that hold now.
        tick: Keeps one scope clean, within `maintenance_budget_s`.
        size: Tells how many facts a scope holds.
        until_idle: Returns when no turn waits for its extraction.
    """

    def __init__(
        self,
        holder: SettingsHolder,
        *,
        tick: Callable[[str], Awaitable[object]],
        size: Callable[[str], Awaitable[int]],
        until_idle: Callable[[], Awaitable[object]],
    ) -> None:
        self._holder = holder
        self._tick = tick
        self._size = size
        self._until_idle = until_idle
        self._scopes: dict[str, _Care] = {}
        self._has_news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def note(self, scope: str, turns: int) -> None:
        """Note that turns came into the graph of a scope."""
        settings = self._holder.current
        if not (
            settings.maintenance_interval
            or settings.maintenance_every_h
            or settings.maintenance_size
        ):
            return
        care = self._scopes.setdefault(scope, _Care())
        care.turns += turns
        if self._has_turns(care):
            self._has_news.set()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(
                self._care_for_ever(), name="graphmem-caretaker"
            )

    async def close(self) -> None:
        """Break off, between two batches: what is left to do, the next tick does."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _care_for_ever(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s()):
                    await self._has_news.wait()
            self._has_news.clear()
            for scope, care in list(self._scopes.items()):
                try:
                    if await self._is_due(scope, care):
                        await self._wait_until_idle()
                        await self._tick_once(scope, care)
                except MaintenanceBusy:
                    logger.info("maintain.busy scope=%s", scope)
                except GraphmemError as error:
                    logger.warning("maintain.tick_failed kind=%s", error.kind)
                except Exception:
                    # Nobody awaits this task: what went wrong must be told here.
                    logger.exception("maintain.tick_failed kind=unexpected")

    async def _wait_until_idle(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_MOST_WAIT_S):
                await self._until_idle()

    async def _tick_once(self, scope: str, care: _Care) -> None:
        turns, since = care.turns, care.since
        began = time.monotonic()
        least_s = 0.0
        care.turns, care.since = 0, began
        try:
            await self._tick(scope)
        except MaintenanceBusy:
            # The other run may do a part alone, or take something back: all stays due. To be
            # refused takes no time, so that a rest by time alone would be none.
            care.turns, care.since = care.turns + turns, since
            least_s = _LOOK_S
            raise
        finally:
            ended = time.monotonic()
            care.rests_until = ended + max(least_s, _REST * (ended - began))

    async def _is_due(self, scope: str, care: _Care) -> bool:
        if time.monotonic() < care.rests_until:
            return False
        if self._has_turns(care):
            return True
        settings = self._holder.current
        idle_s = time.monotonic() - care.since
        if settings.maintenance_every_h and idle_s >= settings.maintenance_every_h * _HOUR_S:
            return True
        if not settings.maintenance_size or not care.turns or idle_s < _HOUR_S:
            return False
        return await self._size(scope) > settings.maintenance_size

    def _has_turns(self, care: _Care) -> bool:
        interval = self._holder.current.maintenance_interval
        return bool(interval) and care.turns >= interval

    def _pause_s(self) -> float:
        """Return how long nothing will be due, unless turns come."""
        now = time.monotonic()
        rests = [care.rests_until - now for care in self._scopes.values() if self._has_turns(care)]
        return max(0.0, min(_LOOK_S, *rests)) if rests else _LOOK_S
