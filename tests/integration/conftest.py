"""What tests on a real server share: an open store, a scope of their own, and a plain question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import uuid4

import pytest
from neo4j import AsyncGraphDatabase, NotificationMinimumSeverity
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.schema import prepare
from graphmem.testing import HashedEmbedder
from tests.conftest import DIMENSIONS, ServerAddress

Ask = Callable[..., Awaitable[list[dict[str, Any]]]]
Configure = Callable[..., Settings]


@pytest.fixture
def store_settings(neo4j_server: ServerAddress) -> Settings:
    """Settings that lead to the shared server."""
    return Settings(
        neo4j_uri=neo4j_server.uri,
        neo4j_username=neo4j_server.username,
        neo4j_password=SecretStr(neo4j_server.password),
        # Planned once for all tests, by the first that asks.
        warm_up=False,
        # Tests that want upkeep ask for it.
        maintenance_interval=0,
        maintenance_every_h=0,
    )


@pytest.fixture
async def db(store_settings: Settings) -> AsyncIterator[Database]:
    """An open store whose schema is made."""
    async with await Database.open(store_settings) as database:
        await prepare(database, None)
        yield database


@pytest.fixture
def scope() -> str:
    """A scope that no other test acts in."""
    return f"test/{uuid4().hex}"


@pytest.fixture
def embedder() -> HashedEmbedder:
    """The embedder that the shared server's store is locked to."""
    return HashedEmbedder(DIMENSIONS)


@pytest.fixture
def settings_with(store_settings: Settings, scope: str) -> Configure:
    """Settings of the shared server and of this test's scope, with changes."""

    def changed(**changes: object) -> Settings:
        return store_settings.model_copy(update={"scope": scope, **changes})

    return changed


@pytest.fixture
async def ask(neo4j_server: ServerAddress) -> AsyncIterator[Ask]:
    """Ask the server any Cypher, past graphmem; rows as plain dicts."""
    auth = (neo4j_server.username, neo4j_server.password)
    async with AsyncGraphDatabase.driver(
        neo4j_server.uri, auth=auth, notifications_min_severity=NotificationMinimumSeverity.OFF
    ) as driver:

        async def run(cypher: str, **params: Any) -> list[dict[str, Any]]:
            result = await driver.execute_query(cypher, params)
            return [record.data() for record in result.records]

        yield run
