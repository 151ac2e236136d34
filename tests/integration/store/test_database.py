"""Running queries on a real server: values, transactions, routing, retries, closing."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import subprocess
import sys
import threading
import warnings
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import psutil
import pytest
from neo4j.exceptions import TransientError

from graphmem.clock import OPEN_FROM, OPEN_TO
from graphmem.config import Settings
from graphmem.db import Database, database
from graphmem.db.database import Transaction
from graphmem.errors import InputError, StoreError
from graphmem.queries import Query, get_query

Make = Callable[..., Query]

CREATE = "CREATE (n:Probe {scope: $scope, id: $id}) RETURN n.id AS id"
COUNT = "MATCH (n:Probe {scope: $scope}) RETURN count(n) AS n"


async def count(db: Database, statement: Make, scope: str) -> int:
    """Return how many probes a scope has."""
    rows = await db.run(statement(COUNT, scope="STRING"), scope=scope)
    return int(rows[0]["n"])


async def test_times_and_texts_come_back_as_they_went_in(
    db: Database, statement: Make, scope: str
) -> None:
    """Also the ends of time, and text in any script."""
    query = statement(
        "CREATE (n:Probe {scope: $scope, id: '1', at: $at, open: $open, ends: $ends})\n"
        "SET n.text = $text\n"
        "RETURN n.at AS at, n.open AS open, n.ends AS ends, n.text AS text, properties(n) AS all",
        "write",
        scope="STRING",
        at="ZONED DATETIME",
        open="ZONED DATETIME",
        ends="LIST<ZONED DATETIME>",
        text="STRING",
    )
    at = datetime(2026, 5, 1, 10, 30, 15, 123456, tzinfo=UTC)
    text = "שלום 你好 🎈 \u202eright"

    row = (
        await db.run(
            query, scope=scope, at=at, open=OPEN_FROM, ends=[OPEN_FROM, OPEN_TO], text=text
        )
    )[0]

    assert (at, OPEN_FROM, [OPEN_FROM, OPEN_TO], text) == (
        row["at"],
        row["open"],
        row["ends"],
        row["text"],
    )
    assert (at, UTC) == (row["all"]["at"], row["all"]["at"].tzinfo)


async def test_a_vector_is_stored_as_numbers(db: Database, statement: Make, scope: str) -> None:
    """It crosses as bytes, and is a list of 32-bit floats in the store."""
    query = statement(
        "UNWIND $rows AS row\nCREATE (n:Probe {scope: $scope, id: row.id})\n"
        "WITH n, row\nCALL db.create.setNodeVectorProperty(n, 'embedding_a', row.vector)\n"
        "RETURN n.embedding_a AS stored, vector.similarity.cosine(n.embedding_a, $asked) AS score",
        "write",
        scope="STRING",
        rows="LIST<MAP>",
        asked="VECTOR",
    )
    vector = np.array([0.6, 0.8], dtype=np.float32)

    row = (await db.run(query, scope=scope, rows=[{"id": "1", "vector": vector}], asked=-vector))[0]

    assert pytest.approx([0.6, 0.8]) == row["stored"]
    assert pytest.approx(0.0, abs=1e-6) == row["score"]


async def test_a_write_is_read_at_once(db: Database, statement: Make, scope: str) -> None:
    """Bookmarks carry what one session wrote to the next one."""
    await db.run(statement(CREATE, "write", scope="STRING", id="STRING"), scope=scope, id="1")

    assert 1 == await count(db, statement, scope)


async def test_asking_is_counted(db: Database, statement: Make, scope: str) -> None:
    """Tests hold operations to their budget of round trips and transactions."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    before = db.count.copy()

    await db.run_together([(create, {"scope": scope, "id": str(i)}) for i in range(3)])
    await count(db, statement, scope)

    since = db.count.since(before)
    assert (1, 3, 1) == (since.writes, since.write_statements, since.reads)
    assert 4 == since.round_trips


async def test_a_batch_is_written_whole_or_not_at_all(
    db: Database, statement: Make, scope: str
) -> None:
    """When its second statement fails, the first one is undone."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    broken = statement("RETURN 1 / $zero AS x", "write", zero="INTEGER")

    with pytest.raises(StoreError, match="tests/adhoc"):
        await db.run_together([(create, {"scope": scope, "id": "1"}), (broken, {"zero": 0})])

    assert 0 == await count(db, statement, scope)


async def test_an_empty_batch_asks_nothing(db: Database) -> None:
    """There is nothing to commit."""
    before = db.count.copy()

    assert [] == await db.run_together([])
    assert 0 == db.count.since(before).round_trips


async def test_a_batch_takes_no_schema_statements(db: Database) -> None:
    """The server refuses to mix them with data."""
    with pytest.raises(StoreError, match="part of a transaction"):
        await db.run_together([(get_query("schema/turn_id"), {})])


async def test_writers_in_each_other_s_way_all_come_through(
    db: Database, statement: Make, scope: str
) -> None:
    """A deadlock is retried and does not reach the caller."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    await db.run_together([(create, {"scope": scope, "id": i}) for i in "ab"])
    touch = statement(
        "MATCH (n:Probe {scope: $scope, id: $id})\nSET n.seen = coalesce(n.seen, 0) + 1",
        "write",
        scope="STRING",
        id="STRING",
    )

    async def write(order: str) -> None:
        await db.run_together([(touch, {"scope": scope, "id": i}) for i in order])

    await asyncio.gather(*(write("ab" if i % 2 else "ba") for i in range(16)))

    rows = await db.run(
        statement("MATCH (n:Probe {scope: $scope}) RETURN n.seen AS seen", scope="STRING"),
        scope=scope,
    )
    assert [16, 16] == [row["seen"] for row in rows]


async def test_a_fault_of_the_caller_takes_a_transaction_back(
    db: Database, statement: Make, scope: str
) -> None:
    """An error between two queries leaves nothing of the first one, and counts no write."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    before = db.count.copy()

    async def work(transaction: Transaction) -> None:
        await transaction.run(create, scope=scope, id="1")
        raise InputError("a fault of the caller")

    with pytest.raises(InputError, match="of the caller"):
        await db.transact(work)

    assert (0, 0) == (db.count.since(before).writes, db.count.since(before).retries)
    assert 0 == await count(db, statement, scope)


async def test_a_transaction_begins_anew_after_a_passing_fault(
    db: Database, statement: Make, scope: str
) -> None:
    """From its first query on; what the first attempt wrote is not there twice."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    before, attempts = db.count.copy(), 0

    async def work(transaction: Transaction) -> str:
        nonlocal attempts
        attempts += 1
        await transaction.run(create, scope=scope, id=str(attempts))
        if attempts == 1:
            raise TransientError("as a deadlock does")
        return "done"

    done = await db.transact(work)

    asked = db.count.since(before)
    assert ("done", 2) == (done, attempts)
    assert (1, 1, 1) == (asked.writes, asked.write_statements, asked.retries)
    assert 1 == await count(db, statement, scope)


async def test_a_query_of_a_transaction_sees_what_the_one_before_it_wrote(
    db: Database, statement: Make, scope: str
) -> None:
    """Reads and writes take turns in it, and nobody else sees them before it ends."""
    create = statement(CREATE, "write", scope="STRING", id="STRING")
    read = statement(COUNT, scope="STRING")

    async def work(transaction: Transaction) -> tuple[int, int]:
        await transaction.run(create, scope=scope, id="1")
        inside = await transaction.run(read, scope=scope)
        return int(inside[0]["n"]), await count(db, statement, scope)

    assert (1, 0) == await db.transact(work)
    assert 1 == await count(db, statement, scope)


async def test_a_transaction_of_a_closed_store_or_another_loop_is_refused(
    store_settings: Settings,
) -> None:
    """Before anything is asked, with what is wrong."""

    async def work(_: Transaction) -> None:
        pytest.fail("it was begun")

    def elsewhere(database: Database) -> str:
        with pytest.raises(StoreError) as caught:
            asyncio.run(database.transact(work))
        return caught.value.kind

    async with await Database.open(store_settings) as database:
        in_another_loop = await asyncio.to_thread(elsewhere, database)

    with pytest.raises(StoreError) as caught:
        await database.transact(work)
    assert ("wrong-event-loop", "closed") == (in_another_loop, caught.value.kind)


async def test_a_read_cannot_write(db: Database, statement: Make, scope: str) -> None:
    """Reads go to readers, which refuse to write."""
    with pytest.raises(StoreError):
        await db.run(statement(CREATE, "read", scope="STRING", id="STRING"), scope=scope, id="1")

    assert 0 == await count(db, statement, scope)


async def test_batches_of_the_server_s_own_making_run(
    db: Database, statement: Make, scope: str
) -> None:
    """CALL … IN TRANSACTIONS needs MODE implicit."""
    query = statement(
        "UNWIND range(1, 25) AS i\n"
        "CALL (i) { CREATE (n:Probe {scope: $scope, id: toString(i)}) } IN TRANSACTIONS OF 10 ROWS",
        "implicit",
        scope="STRING",
    )

    await db.run(query, scope=scope)

    assert (25, 1) == (await count(db, statement, scope), db.count.implicit)


@pytest.mark.parametrize("params", [{}, {"scope": "x", "more": 1}, {"scope": None}])
async def test_parameters_must_fit(
    db: Database, statement: Make, params: dict[str, object]
) -> None:
    """One that is missing, unknown or null is refused before anything is sent."""
    before = db.count.copy()

    with pytest.raises(StoreError) as caught:
        await db.run(statement(COUNT, scope="STRING"), **params)

    assert "query-parameters" == caught.value.kind
    assert 0 == db.count.since(before).round_trips


@pytest.mark.parametrize("value", ["\ud800", 2**70])
async def test_a_value_that_cannot_cross_is_told(
    db: Database, statement: Make, value: object
) -> None:
    """A lone surrogate or a huge integer is an error of graphmem's, and harms nothing."""
    with pytest.raises(StoreError) as caught:
        await db.run(statement("RETURN $value AS value", value="ANY"), value=value)

    assert "query-parameters" == caught.value.kind
    assert [{"value": 1}] == await db.run(statement("RETURN $value AS value", value="ANY"), value=1)


async def test_needs_that_are_not_met_are_told(db: Database, statement: Make) -> None:
    """A query that wants a newer plugin is not sent."""
    with pytest.raises(StoreError, match=r"Graph Data Science 99\.1") as caught:
        await db.run(statement("RETURN 1 AS one", needs="gds >= 99.1"))

    assert "needs-not-met" == caught.value.kind


async def test_an_unknown_database_fails_when_it_is_opened(
    neo4j_server: Any, settings_of: Callable[..., Settings]
) -> None:
    """The name is checked at once."""
    with pytest.raises(StoreError, match="NEO4J_DATABASE") as caught:
        await Database.open(settings_of(neo4j_server, neo4j_database="nosuch"))

    assert "database-not-found" == caught.value.kind


@pytest.mark.parametrize("mode", ["read", "write", "schema", "implicit"])
async def test_every_kind_of_call_honours_the_database(
    db: Database, statement: Make, mode: str
) -> None:
    """None of them falls back to the home database."""
    db.name = "nosuch"

    with pytest.raises(StoreError) as caught:
        await db.run(statement("RETURN 1 AS one", mode))

    assert "database-not-found" == caught.value.kind


async def test_wrong_credentials_are_tried_once(
    neo4j_server: Any, settings_of: Callable[..., Settings]
) -> None:
    """More tries would lock the user out."""
    settings = settings_of(neo4j_server, neo4j_username="nobody", neo4j_password="wrong")

    with pytest.raises(StoreError, match="NEO4J_PASSWORD") as caught:
        async with asyncio.timeout(5):
            await Database.open(settings)

    assert ("wrong-credentials", False) == (caught.value.kind, caught.value.retryable)
    assert "wrong" not in str(caught.value).replace("wrong-", "").split("(")[0]


async def test_a_single_server_is_reached_by_routing_too(
    neo4j_server: Any, settings_of: Callable[..., Settings], statement: Make, scope: str
) -> None:
    """neo4j:// works where the server's advertised address can be reached."""
    uri = neo4j_server.uri.replace("bolt://", "neo4j://")

    async with await Database.open(settings_of(neo4j_server, neo4j_uri=uri)) as routed:
        await routed.run(
            statement(CREATE, "write", scope="STRING", id="STRING"), scope=scope, id="1"
        )
        found = await count(routed, statement, scope)

    assert 1 == found


async def test_encryption_that_the_server_lacks_is_told(
    neo4j_server: Any, settings_of: Callable[..., Settings]
) -> None:
    """The hint names the scheme without it."""
    uri = neo4j_server.uri.replace("bolt://", "bolt+s://")

    with pytest.raises(StoreError, match=r"bolt://") as caught:
        await Database.open(settings_of(neo4j_server, neo4j_uri=uri))

    assert "unreachable" == caught.value.kind


async def test_after_closing_nothing_is_asked(db: Database, statement: Make) -> None:
    """A closed database does not quietly open again; closing twice is fine."""
    await db.close()
    await db.close()

    with pytest.raises(StoreError) as caught:
        await db.run(statement("RETURN 1 AS one"))

    assert "closed" == caught.value.kind


def connections_to(port: int) -> list[Any]:
    """Return this process's connections to a port."""
    ours = psutil.Process().net_connections(kind="tcp")
    return [c for c in ours if c.raddr and c.raddr.port == port and c.status != "TIME_WAIT"]


async def test_closing_leaves_no_connection(
    neo4j_server: Any, settings_of: Callable[..., Settings]
) -> None:
    """Neither after use nor after an opening that failed."""
    port = int(neo4j_server.uri.rpartition(":")[2])

    for name in (None, "nosuch", None):
        try:
            opened = await Database.open(settings_of(neo4j_server, neo4j_database=name))
        except StoreError:
            continue
        await opened.close()

    # A closed socket is let go of in one of the loop's next rounds.
    for _ in range(50):
        await asyncio.sleep(0.02)
        if not (left := connections_to(port)):
            break
    assert [] == left


async def test_a_borrowed_driver_stays_open(
    neo4j_server: Any, settings_of: Callable[..., Settings]
) -> None:
    """Who made it closes it."""
    from neo4j import AsyncGraphDatabase

    auth = (neo4j_server.username, neo4j_server.password)
    async with AsyncGraphDatabase.driver(neo4j_server.uri, auth=auth) as driver:
        borrowed = await Database.open(settings_of(neo4j_server), driver=driver)
        await borrowed.close()
        records, _, _ = await driver.execute_query("RETURN 1 AS one")

    assert [1] == [record["one"] for record in records]


async def test_another_event_loop_is_refused_at_once(db: Database, statement: Make) -> None:
    """Its connections belong to the loop that it was opened in."""
    caught: list[StoreError] = []

    def ask() -> None:
        try:
            asyncio.run(db.run(statement("RETURN 1 AS one")))
        except StoreError as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    await asyncio.to_thread(thread.join)

    assert ["wrong-event-loop"] == [error.kind for error in caught]


class Proxy:
    """A way to the server that can be cut and held up."""

    def __init__(self, port: int) -> None:
        self.uri = ""
        self.is_held = False
        self._port = port
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.uri = f"bolt://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Drop every connection that there is."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers += [writer, far_writer]
        for source, target in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._pump(source, target))
            self._tasks.add(task)

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                if not self.is_held:
                    target.write(data)
                    await target.drain()
        except OSError:
            pass
        finally:
            target.close()


@pytest.fixture
async def proxy(neo4j_server: Any) -> AsyncIterator[Proxy]:
    """A proxy before the shared server."""
    async with Proxy(int(neo4j_server.uri.rpartition(":")[2])) as made:
        yield made


async def test_a_lost_connection_does_not_reach_the_caller(
    proxy: Proxy,
    neo4j_server: Any,
    settings_of: Callable[..., Settings],
    statement: Make,
    scope: str,
) -> None:
    """Reads and writes are tried again on a new one."""
    async with await Database.open(settings_of(neo4j_server, neo4j_uri=proxy.uri)) as cut_off:
        proxy.cut()
        before = await count(cut_off, statement, scope)
        proxy.cut()
        await cut_off.run(
            statement(CREATE, "write", scope="STRING", id="STRING"), scope=scope, id="1"
        )
        after = await count(cut_off, statement, scope)

    assert (0, 1) == (before, after)


async def test_a_server_that_hangs_is_told_in_time(
    proxy: Proxy,
    neo4j_server: Any,
    settings_of: Callable[..., Settings],
    statement: Make,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A read has a deadline, and the database can be used afterwards."""
    monkeypatch.setattr(database, "_READ_DEADLINE_S", 0.3)
    async with await Database.open(settings_of(neo4j_server, neo4j_uri=proxy.uri)) as hung:
        proxy.is_held = True
        with pytest.raises(StoreError) as caught:
            await hung.run(statement("RETURN 1 AS one"))
        proxy.is_held = False
        rows = await hung.run(statement("RETURN 1 AS one"))

    assert ("timeout", True) == (caught.value.kind, caught.value.retryable)
    assert [{"one": 1}] == rows


def test_notices_of_the_server_stay_off_stderr(neo4j_server: Any) -> None:
    """Labels that the store does not know yet and retried deadlocks print nothing."""
    program = """
import asyncio, sys
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.queries import get_query, parse_query
HEAD = "// NAME     a/b\\n// DOES     x\\n// MODE     {}\\n// NEEDS    neo4j >= 2026.02\\n" \\
    "// PARAMS   none\\n// RETURNS  x\\n// SOURCE   x\\n// TRY      none\\n"
unknown = parse_query(
    HEAD.format("write") + "MATCH (n:NeverSeen {scope: 'x', nothing: 1}) RETURN n",
    name="a/b",
    path="",
)
async def main():
    names = ("neo4j_uri", "neo4j_username", "neo4j_password")
    settings = Settings(**dict(zip(names, sys.argv[1:])))
    async with await Database.open(settings) as db:
        await db.run(get_query("schema/active_embedder"))
        await db.run(unknown)
asyncio.run(main())
"""
    address = (neo4j_server.uri, neo4j_server.username, neo4j_server.password)

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *address],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


async def test_who_is_cancelled_leaves_no_socket_behind(
    settings_of: Callable[..., Settings], neo4j_server: Any, statement: Make, scope: str
) -> None:
    """At whatever moment: while it connects, while it asks, in reads and in writes."""
    read, write = (
        statement(COUNT, scope="STRING"),
        statement(CREATE, "write", scope="STRING", id="STRING"),
    )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")

        async with await Database.open(settings_of(neo4j_server)) as db:
            for place in range(40):
                asked = [
                    *(db.run(read, scope=scope) for _ in range(3)),
                    db.run(write, scope=scope, id=str(place)),
                ]
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.0004 * place):
                        await asyncio.gather(*asked)
            rows = await db.run(read, scope=scope)
        gc.collect()

    assert 0 <= rows[0]["n"] <= 40
    assert [] == [str(one.message) for one in told if issubclass(one.category, ResourceWarning)]
