"""One thing for each event loop: clients and semaphores belong to the loop they were used on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

__all__ = ["PerLoop"]

T = TypeVar("T")


class PerLoop(Generic[T]):
    """Make a value on first use in an event loop, and close it with the loop.

    Args:
        make: Makes the value; called with the loop running.
        close: Releases it; awaited in `close`, or when the loop shuts down properly, as
            `asyncio.run` does.
    """

    def __init__(self, make: Callable[[], T], close: Callable[[T], Awaitable[None]]) -> None:
        self._make = make
        self._close = close
        self._entries: WeakKeyDictionary[
            asyncio.AbstractEventLoop, tuple[T, AsyncGenerator[None, None]]
        ] = WeakKeyDictionary()

    async def get(self) -> T:
        """Return the running loop's value."""
        loop = asyncio.get_running_loop()
        entry = self._entries.get(loop)
        if entry is None:
            value = self._make()
            # A loop finishes its asynchronous generators before it closes: this one does
            # nothing but wait for that, so that no socket outlives its loop.
            keeper = self._keep(value)
            entry = (value, keeper)
            self._entries[loop] = entry
            await anext(keeper)
        return entry[0]

    async def close(self) -> None:
        """Close the running loop's value, if there is one."""
        entry = self._entries.pop(asyncio.get_running_loop(), None)
        if entry is not None:
            await entry[1].aclose()

    async def _keep(self, value: T) -> AsyncGenerator[None, None]:
        try:
            yield
        finally:
            await self._close(value)
