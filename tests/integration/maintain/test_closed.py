"""A memory that is closed while upkeep works."""

from __future__ import annotations

import asyncio

from graphmem import AsyncGraphMemory
from graphmem.maintain.runs import run_in
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Configure
from tests.integration.maintain.test_removal import WEEK


async def test_the_scope_is_free_at_once(
    *,
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
    memory: AsyncGraphMemory,
    scope: str,
) -> None:
    """Also where the store could not be told that the run is over."""
    closing = await AsyncGraphMemory.open(settings_with(), embedder=embedder, clock=clock)
    db = closing._engine.db
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK):
        await closing.close()

    report = await memory.clean_orphans()

    assert "orphans" == report.operation
    assert ["broken", "done"] == sorted(run.state for run in await memory.runs())


async def test_a_tick_that_is_cancelled_frees_the_scope(memory: AsyncGraphMemory) -> None:
    """Its receipt says that it was broken off."""
    for name in ("bees", "goats", "hens"):
        await memory.semantic.remember(f"Ana keeps {name}")
    tick = asyncio.create_task(memory.maintain())
    while not await memory.runs(operations=["maintain"]):
        await asyncio.sleep(0)
    tick.cancel()
    await asyncio.wait([tick])

    report = await memory.clean_orphans()

    assert "orphans" == report.operation
    (run,) = await memory.runs(operations=["maintain"])
    assert (tick.cancelled(), "broken") == (True, run.state)
