"""An open memory on the shared server, in a scope of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel
from tests.integration.conftest import Configure


@pytest.fixture
def clock() -> FrozenClock:
    """Time stands still unless a test moves it."""
    return FrozenClock()


@pytest.fixture
async def memory(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> AsyncIterator[AsyncGraphMemory]:
    """A memory without a model: turns are extracted locally."""
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, clock=clock
    ) as opened:
        yield opened


@pytest.fixture
def model() -> ScriptedModel:
    """A scripted endpoint of the OpenAI protocol on loopback; not started yet."""
    return ScriptedModel()
