"""An open memory on the shared server, in a scope of its own, for tests of facts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Configure


def day(month: int, of: int = 1, year: int = 2026) -> datetime:
    """Return a day of 2026, unless told otherwise."""
    return datetime(year, month, of, tzinfo=UTC)


@pytest.fixture
def clock() -> FrozenClock:
    """Time stands still unless a test moves it."""
    return FrozenClock(day(6))


@pytest.fixture
async def memory(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> AsyncIterator[AsyncGraphMemory]:
    """A memory without a model."""
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, clock=clock
    ) as opened:
        yield opened
