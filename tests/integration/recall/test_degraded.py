"""Recall with an index gone, on a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from neo4j import AsyncGraphDatabase
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.errors import StoreError
from graphmem.schema import prepare
from graphmem.server import ManagedServer
from tests.conftest import address_of
from tests.integration.recall.conftest import DIMENSIONS, Memory, ids

KILN = "The kiln reaches 1240 degrees."
QUERY = "do you remember how hot that kiln of ours can get"


@pytest.fixture
async def own_memory(module_server: ManagedServer, scope: str) -> AsyncIterator[Memory]:
    """A memory with all its indexes on the module's own server."""
    address = address_of(module_server)
    settings = Settings(
        neo4j_uri=address.uri,
        neo4j_username=address.username,
        neo4j_password=SecretStr(address.password),
    )
    async with await Database.open(settings) as db:
        await prepare(db, EmbedderInfo("hashed", "words", DIMENSIONS))
        yield Memory(db, scope)


async def drop(server: ManagedServer, *names: str) -> None:
    """Take indexes away, as somebody at the database might."""
    address = address_of(server)
    auth = (address.username, address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=auth) as driver:
        for name in names:
            await driver.execute_query(f"DROP INDEX {name}")


@pytest.mark.parametrize(
    ("index", "leg"),
    [
        ("turn_text", "text"),
        ("fact_text", "text"),
        ("turn_embedding_a", "vector"),
        ("fact_embedding_a", "vector"),
    ],
)
async def test_one_leg_answers_for_the_other(
    own_memory: Memory, module_server: ManagedServer, index: str, leg: str
) -> None:
    """With an index gone the turn is still found, and the answer says what was missing."""
    kiln = await own_memory.add("Notes", KILN)
    whole = await own_memory.ask(QUERY)
    await drop(module_server, index)

    found = await own_memory.ask(QUERY)

    assert whole.degraded == ()
    assert found.degraded == (leg,)
    assert ids(whole) == ids(found) == [kiln]


async def test_with_both_legs_gone_recall_is_an_error(
    own_memory: Memory, module_server: ManagedServer
) -> None:
    """An empty answer would pass for 'nothing is known'."""
    await own_memory.add("Notes", KILN)
    await drop(module_server, "turn_text", "turn_embedding_a")

    with pytest.raises(StoreError, match="open the memory again") as caught:
        await own_memory.ask(QUERY)

    assert caught.value.kind == "index-missing"
