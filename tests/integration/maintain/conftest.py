"""An open memory in a scope of its own, and a picture of everything in a scope."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask, Configure

Picture = Callable[[AsyncGraphMemory], Awaitable[dict[str, Any]]]


@pytest.fixture
def clock() -> FrozenClock:
    """Time stands still unless a test moves it."""
    return FrozenClock(datetime(2026, 6, 1, tzinfo=UTC))


@pytest.fixture
async def memory(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> AsyncIterator[AsyncGraphMemory]:
    """A memory without a model."""
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, clock=clock
    ) as opened:
        yield opened


@pytest.fixture
def picture(ask: Ask) -> Picture:
    """All nodes of a scope with their properties and all its relationships; receipts left out.

    Taken when the background has given it the vectors that it owed.
    """

    async def take(memory: AsyncGraphMemory) -> dict[str, Any]:
        await memory.flush()
        nodes = await ask(
            "MATCH (n) WHERE n.scope = $scope AND NOT n:MaintenanceRun "
            "RETURN labels(n) AS labels, properties(n) AS props ORDER BY labels(n)[0], n.id",
            scope=memory.scope,
        )
        links = await ask(
            "MATCH (n)-[r]->(m) WHERE n.scope = $scope AND NOT n:MaintenanceRun "
            "RETURN n.id AS start, type(r) AS type, properties(r) AS props, m.id AS end "
            "ORDER BY n.id, type(r), m.id",
            scope=memory.scope,
        )
        return {"nodes": nodes, "links": links}

    return take
