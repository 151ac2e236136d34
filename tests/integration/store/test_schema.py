"""Making the schema, and the lock to an embedder, on a server of this module's own.

Each test leaves the schema whole, with vectors of four numbers, and no embedder locked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import numpy as np
import pytest
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo, register_embedder
from graphmem.errors import EmbedderRegistrationError, SchemaError, StoreError
from graphmem.queries import Query
from graphmem.schema import prepare, show_indexes, wanted_indexes
from graphmem.server import ManagedServer
from tests.conftest import address_of

Make = Callable[..., Query]

SMALL = EmbedderInfo("tests", "small", 4)
WIDE = EmbedderInfo("tests", "wide", 8)


@pytest.fixture(scope="module")
def settings(module_server: ManagedServer) -> Settings:
    """Settings that lead to the server of this module."""
    address = address_of(module_server)
    return Settings(
        neo4j_uri=address.uri,
        neo4j_username=address.username,
        neo4j_password=SecretStr(address.password),
    )


@pytest.fixture
async def own(settings: Settings) -> AsyncIterator[Database]:
    """This module's database."""
    async with await Database.open(settings) as database:
        yield database


async def change(own: Database, make: Make, body: str, mode: str = "schema") -> None:
    """Run a statement without parameters."""
    await own.run(make(body, mode))


async def test_fifty_simultaneous_first_starts_all_come_through(
    settings: Settings, own: Database
) -> None:
    """Each finds the whole schema online, whoever made it."""

    async def start() -> tuple[set[str], bool]:
        async with await Database.open(settings) as database:
            report = await prepare(database, SMALL)
            return {index.name for index in report.indexes}, report.has_vectors

    found = await asyncio.gather(*(start() for _ in range(50)))

    expected = {index.name for index in wanted_indexes()}
    assert [(expected, True)] * 50 == found
    assert {"ONLINE"} == {state.state for state in (await show_indexes(own)).values()}


async def test_a_later_start_asks_once(own: Database) -> None:
    """One round trip tells that all is there."""
    await prepare(own, SMALL)
    before = own.count.copy()

    report = await prepare(own, SMALL)

    assert (1, ()) == (own.count.since(before).round_trips, report.created)


async def test_what_is_missing_is_made_again(own: Database, statement: Make) -> None:
    """A dropped index comes back with the next start."""
    await prepare(own, SMALL)
    await change(own, statement, "DROP INDEX fact_hash")
    await change(own, statement, "DROP CONSTRAINT term_key")

    report = await prepare(own, SMALL)

    assert {"fact_hash", "term_key"} == set(report.created)


async def test_other_dimensions_are_an_error_that_names_both(own: Database) -> None:
    """Vectors of another width would be left out of the index, silently."""
    await prepare(own, SMALL)

    with pytest.raises(SchemaError, match=r"of 4 numbers.*makes 8") as caught:
        await prepare(own, WIDE)

    assert "schema-dimensions" == caught.value.kind


async def test_the_other_slot_may_have_other_dimensions(own: Database, statement: Make) -> None:
    """A migration fills it with another embedder's vectors."""
    await prepare(own, SMALL)
    for index in wanted_indexes():
        if index.is_vector and index.query.slot == "b":
            await change(own, statement, f"DROP INDEX {index.name}")
    await prepare(own, WIDE, slot="b")

    report = await prepare(own, SMALL)

    assert report.has_vectors
    await drop_vectors(own, statement)


async def test_too_wide_vectors_are_refused_before_anything_is_asked(own: Database) -> None:
    """An index takes up to 4,096 numbers."""
    before = own.count.copy()

    with pytest.raises(SchemaError, match="4096"):
        await prepare(own, EmbedderInfo("tests", "huge", 5000))

    assert 0 == own.count.since(before).round_trips


@pytest.mark.parametrize("embedder", [None, EmbedderInfo("tests", "down", None)])
async def test_without_dimensions_there_are_no_vector_indexes(
    own: Database, statement: Make, embedder: EmbedderInfo | None
) -> None:
    """Everything else is there, and they come when the dimensions are known."""
    await drop_vectors(own, statement)

    without = await prepare(own, embedder)
    later = await prepare(own, SMALL)

    assert (False, True) == (without.has_vectors, later.has_vectors)
    vectors = {index.name for index in wanted_indexes() if index.is_vector}
    assert vectors == set(later.created)


@pytest.mark.parametrize(
    "foreign",
    [
        "CREATE INDEX fact_hash FOR (n:Fact) ON (n.canonical_hash)",
        "CREATE INDEX fact_hash FOR (n:Other) ON (n.scope, n.canonical_hash)",
        "CREATE INDEX fact_hash FOR ()-[r:Fact]-() ON (r.scope, r.canonical_hash)",
        "CREATE TEXT INDEX fact_hash FOR (n:Fact) ON (n.canonical_hash)",
        "CREATE INDEX somebodys FOR (n:Fact) ON (n.scope, n.canonical_hash)",
    ],
)
async def test_a_foreign_index_in_the_way_is_told_by_name(
    own: Database, statement: Make, foreign: str
) -> None:
    """Whether it has the name of one of graphmem's, or its properties under another name."""
    await prepare(own, SMALL)
    await change(own, statement, "DROP INDEX fact_hash")
    await change(own, statement, foreign)

    with pytest.raises(SchemaError, match="fact_hash") as caught:
        await prepare(own, SMALL)

    assert "schema-clash" == caught.value.kind
    assert "RANGE on :Fact(scope, canonical_hash)" in str(caught.value)
    name = foreign.partition(" INDEX ")[2].partition(" ")[0]
    await change(own, statement, f"DROP INDEX {name}")


async def test_a_full_text_index_with_another_analyzer_is_told(
    own: Database, statement: Make
) -> None:
    """It would split what was analysed before."""
    await prepare(own, SMALL)
    await change(own, statement, "DROP INDEX fact_text")
    await change(
        own,
        statement,
        "CREATE FULLTEXT INDEX fact_text FOR (n:Fact) ON EACH [n.search_text, n.scope_token]",
    )

    with pytest.raises(SchemaError, match="'whitespace'") as caught:
        await prepare(own, SMALL)

    assert "schema-clash" == caught.value.kind
    await change(own, statement, "DROP INDEX fact_text")


async def test_a_failed_index_is_told_with_its_reason(own: Database, statement: Make) -> None:
    """A key beyond the size limit, written before there was an index, makes it fail."""
    await prepare(own, SMALL)
    await change(own, statement, "DROP INDEX fact_hash")
    long_hash = "reduce(text = '', i IN range(1, 900) | text + '0123456789')"
    body = f"CREATE (:Fact {{scope: 'failed', id: '1', canonical_hash: {long_hash}}})"
    await change(own, statement, body, "write")

    with pytest.raises(SchemaError, match="fact_hash failed") as caught:
        await prepare(own, SMALL)

    assert "schema-failed" == caught.value.kind
    await change(own, statement, "DROP INDEX fact_hash")
    await change(own, statement, "MATCH (n:Fact {scope: 'failed'}) DELETE n", "write")


async def test_a_filled_store_is_online_when_opening_returns(
    own: Database, statement: Make
) -> None:
    """Vectors that were there before their index are found by the first search."""
    await prepare(own, SMALL)
    await change(own, statement, "DROP INDEX turn_embedding_a")
    await fill(own, statement)

    await prepare(own, SMALL)

    search = statement(
        "MATCH (t:Turn)\nSEARCH t IN (VECTOR INDEX turn_embedding_a FOR $vector "
        "WHERE t.scope = 'filled' LIMIT 5)\nRETURN t.id AS id",
        vector="VECTOR",
    )
    rows = await own.run(search, vector=np.array([1, 0, 0, 0], dtype=np.float32))
    assert 5 == len(rows)


async def test_waiting_ends_with_how_far_it_has_come(own: Database, statement: Make) -> None:
    """The message names what is being filled, and that it goes on."""
    await prepare(own, SMALL)
    await fill(own, statement)
    await change(own, statement, "DROP INDEX turn_embedding_a")

    with pytest.raises(SchemaError, match=r"turn_embedding_a at \d+ %") as caught:
        await prepare(own, SMALL, deadline_s=0)

    assert ("schema-not-online", True) == (caught.value.kind, caught.value.retryable)
    await change(own, statement, "MATCH (n:Turn {scope: 'filled'}) DELETE n", "write")


async def test_the_first_embedder_locks_the_store(own: Database, statement: Make) -> None:
    """Registered again it is the same one."""
    await prepare(own, SMALL)

    first = await register_embedder(own, SMALL)
    again = await register_embedder(own, SMALL)

    assert ("a", "tests:small@4", True, 4) == (
        first.slot,
        first.embedder_id,
        first.is_usable,
        first.dimensions,
    )
    assert first == again
    await unlock(own, statement)


async def test_another_embedder_is_refused_with_both_ids(own: Database, statement: Make) -> None:
    """Vectors of two embedders cannot be compared."""
    await register_embedder(own, SMALL)

    with pytest.raises(EmbedderRegistrationError) as caught:
        await register_embedder(own, EmbedderInfo("tests", "other", 4))

    assert ("tests:small@4", "tests:other@4") == caught.value.ids
    assert "tests:small@4" in str(caught.value)
    assert "tests:other@4" in str(caught.value)
    await unlock(own, statement)


async def test_another_embedder_may_go_on_by_text(own: Database, statement: Make) -> None:
    """Then it is not usable, and the lock stays."""
    await register_embedder(own, SMALL)

    active = await register_embedder(own, WIDE, on_mismatch="text")

    assert ("tests:small@4", False) == (active.embedder_id, active.is_usable)
    await unlock(own, statement)


async def test_an_embedder_that_is_down_locks_nothing(own: Database, statement: Make) -> None:
    """Its width is not known; once the store is locked, provider and model tell it."""
    down = EmbedderInfo("tests", "small", None)

    before = await register_embedder(own, down)
    await register_embedder(own, SMALL)
    after = await register_embedder(own, down)

    assert ("", False) == (before.embedder_id, before.is_usable)
    assert ("tests:small@4", True) == (after.embedder_id, after.is_usable)
    await unlock(own, statement)


async def test_of_many_first_embedders_one_wins(
    settings: Settings, own: Database, statement: Make
) -> None:
    """All others are told who it was."""

    async def start(number: int) -> str:
        async with await Database.open(settings) as database:
            info = EmbedderInfo("tests", f"model{number}", 4)
            active = await register_embedder(database, info, on_mismatch="text")
            return active.embedder_id

    winners = await asyncio.gather(*(start(number) for number in range(12)))

    assert 1 == len(set(winners))
    await unlock(own, statement)


async def test_a_transaction_beyond_the_memory_limit_is_not_repeated(
    own: Database, statement: Make
) -> None:
    """The driver would try it again and again; the same size fails the same way."""
    huge = (
        "UNWIND range(1, 100000000) AS i WITH collect({number: i}) AS held RETURN size(held) AS n"
    )
    before = own.count.copy()

    with pytest.raises(StoreError) as caught:
        await own.run(statement(huge, "write"))

    assert ("transaction-too-large", False) == (caught.value.kind, caught.value.retryable)
    assert 0 == own.count.since(before).retries


@pytest.mark.parametrize("size", [8_000, 8_164, 8_165, 8_200])
async def test_a_long_key_is_an_error_of_graphmem_s(
    own: Database, statement: Make, size: int
) -> None:
    """Whatever the index holds or refuses, no driver error gets out, and nothing is half done."""
    await prepare(own, SMALL)
    create = statement(
        "CREATE (n:Term {scope: 'keys', id: $id, key: $key})", "write", id="STRING", key="STRING"
    )

    outcome = "stored"
    try:
        await own.run(create, id=str(size), key="k" * size)
    except StoreError as error:
        outcome = error.kind

    rows = await own.run(
        statement("MATCH (n:Term {scope: 'keys', id: $id}) RETURN n.id AS id", id="STRING"),
        id=str(size),
    )
    assert outcome in ("stored", "server")
    assert (outcome == "stored") == bool(rows)


async def drop_vectors(own: Database, make: Make) -> None:
    """Drop the vector indexes that there are."""
    for name in await show_indexes(own):
        if "_embedding_" in name:
            await change(own, make, f"DROP INDEX {name}")


async def fill(own: Database, make: Make) -> None:
    """Give the scope 'filled' 4,000 turns with vectors, unless it has them."""
    query = make(
        "UNWIND range(1, 4000) AS i\n"
        "MERGE (t:Turn {scope: 'filled', id: toString(i)})\n"
        "SET t.status = 'active', t.agent_id = '', t.session_id = 's', t.project = '', t.at = $at\n"
        "WITH t, [1.0, sin(i), cos(i), i / 4000.0] AS vector\n"
        "CALL db.create.setNodeVectorProperty(t, 'embedding_a', vector)\n"
        "RETURN count(t) AS n",
        "write",
        at="ZONED DATETIME",
    )
    await own.run(query, at=datetime(2026, 1, 1, tzinfo=UTC))


async def unlock(own: Database, make: Make) -> None:
    """Forget the embedder."""
    await change(own, make, "MATCH (e:Embedder) DELETE e", "write")
