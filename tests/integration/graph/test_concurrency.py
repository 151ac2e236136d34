"""Many writers at once: no node twice, no fact lost, no deadlock that reaches the caller."""

from __future__ import annotations

import asyncio
import gc
import sys
from contextlib import AsyncExitStack
from itertools import pairwise
from uuid import uuid4

import pytest

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.graph.store import GraphCounts
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import (
    captured,
    captured_all,
    embedded,
    put,
    triple,
)

DOUBLES = """
CALL () {
  MATCH (n:Term|Tag {scope: $scope}) WITH labels(n)[0] AS kind, n.key AS key, count(*) AS n
  WHERE n > 1 RETURN kind, key
  UNION ALL
  MATCH (f:Fact {scope: $scope, status: 'active'}) WITH f.canonical_hash AS key, count(*) AS n
  WHERE n > 1 RETURN 'Fact' AS kind, key
  UNION ALL
  MATCH (t:Turn {scope: $scope})-[m:MENTIONS]->(e:Term) WITH t.id + e.key AS key, count(m) AS n
  WHERE n > 1 RETURN 'MENTIONS' AS kind, key
  UNION ALL
  MATCH (t:Turn {scope: $scope})-[m:STATES]->(f:Fact) WITH t.id + f.id AS key, count(m) AS n
  WHERE n > 1 RETURN 'STATES' AS kind, key
}
RETURN kind, key
"""


@pytest.fixture
async def writers(store_settings: Settings, db: Database) -> list[Database]:
    """Eight stores, each with connections of its own."""
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(await Database.open(store_settings)) for _ in range(7)
        ]
        yield [db, *others]


async def test_eight_writers_of_the_same_names_make_one_node_of_each(
    writers: list[Database], ask: Ask
) -> None:
    """Twenty times, each in a fresh scope."""
    for _ in range(20):
        scope = f"test/{uuid4().hex}"
        same = triple("Nimbus", "runs on", "Linux")
        items = await captured_all(writers[0], scope, [(str(n), same) for n in range(8)])

        await asyncio.gather(
            *(put(db, scope, item) for db, item in zip(writers, items, strict=True))
        )

        assert [] == await ask(DOUBLES, scope=scope)
        (fact,) = await ask(
            "MATCH (f:Fact {scope: $scope}) RETURN f.validated_count AS n, "
            "COUNT { (f)<-[:STATES]-() } AS turns",
            scope=scope,
        )
        assert {"n": 8, "turns": 8} == fact


async def test_the_same_turn_from_eight_writers_counts_once(
    writers: list[Database], scope: str, ask: Ask
) -> None:
    """As when two processes have taken it up."""
    item = await captured(writers[0], scope, triple("Nimbus", "runs on", "Linux"))
    vectors = await embedded(writers[0], scope, [item])

    results = await asyncio.gather(*(put(db, scope, item, vectors=vectors) for db in writers))

    assert all(isinstance(row, GraphCounts) and row.is_written for (row,) in results)
    assert [] == await ask(DOUBLES, scope=scope)
    rows = await ask("MATCH (f:Fact {scope: $scope}) RETURN f.validated_count AS n", scope=scope)
    assert [{"n": 1}] == rows


async def test_batches_in_opposite_orders_do_not_block_each_other(
    writers: list[Database], scope: str, ask: Ask
) -> None:
    """Locks are taken in the order of the keys, whatever the order of the items."""
    names = [f"name {n}" for n in range(12)]
    batches = []
    for number in range(len(writers)):
        order = names if number % 2 else names[::-1]
        facts = [(f"{number}-{a}", triple(a, "knows", b)) for a, b in pairwise(order)]
        batches.append(await captured_all(writers[0], scope, facts))
    before = [db.count.copy() for db in writers]

    await asyncio.gather(
        *(put(db, scope, *batch) for db, batch in zip(writers, batches, strict=True))
    )

    assert [] == await ask(DOUBLES, scope=scope)
    rows = await ask(
        "MATCH (:Turn {scope: $scope})-[s:STATES]->() RETURN count(s) AS n", scope=scope
    )
    assert [{"n": 8 * 11}] == rows
    retries = sum(db.count.since(was).retries for db, was in zip(writers, before, strict=True))
    assert 0 == retries


# The driver drops the connection of a cancelled call without closing its socket first.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_a_write_that_is_cancelled_is_whole_or_not_there(
    db: Database, scope: str, ask: Ask
) -> None:
    """At whichever statement it is; the repeated write ends as a clean one does."""
    facts = [triple(f"name {n}", "knows", f"name {n + 1}") for n in range(20)]
    item = await captured(db, scope, *facts)
    count = "MATCH (n:Term|Fact|Tag {scope: $scope}) RETURN count(n) AS n"
    whole = 20 + 21 + 21

    for pause_s in (0.0, 0.004, 0.008, 0.012, 0.02, 0.03):
        task = asyncio.create_task(put(db, scope, item))
        await asyncio.sleep(pause_s)
        task.cancel()
        await asyncio.wait([task])
        (row,) = await ask(count, scope=scope)
        assert row["n"] in (0, whole)

    (counts,) = await put(db, scope, item)
    assert counts.facts == 20
    assert [] == await ask(DOUBLES, scope=scope)
    assert [{"n": whole}] == await ask(count, scope=scope)
    gc.collect()


_PROCESS = """
import asyncio, sys
from pydantic import SecretStr
from graphmem.config import Settings
from graphmem.db import Database
from tests.integration.graph.conftest import captured, put, triple

async def main():
    uri, username, scope, name = sys.argv[1:]
    settings = Settings(
        neo4j_uri=uri, neo4j_username=username, neo4j_password=SecretStr(sys.stdin.read())
    )
    async with await Database.open(settings) as db:
        for n in range(10):
            fact = triple("Nimbus", "runs on", f"host {n}")
            await put(db, scope, await captured(db, scope, fact, key=f"{name}-{n}"))

asyncio.run(main())
"""


async def test_two_processes_make_one_node_of_each_name(
    store_settings: Settings, db: Database, scope: str, ask: Ask
) -> None:
    """They know nothing of each other."""
    assert store_settings.neo4j_uri is not None
    assert store_settings.neo4j_password is not None
    password = store_settings.neo4j_password.get_secret_value().encode()
    arguments = [store_settings.neo4j_uri, store_settings.neo4j_username, scope]
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", _PROCESS, *arguments, name, stdin=asyncio.subprocess.PIPE
        )
        for name in ("one", "two")
    ]

    await asyncio.gather(*(process.communicate(password) for process in running))

    assert [0, 0] == [process.returncode for process in running]
    assert [] == await ask(DOUBLES, scope=scope)
    rows = await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.validated_count AS n, count(*) AS facts",
        scope=scope,
    )
    assert [{"n": 2, "facts": 10}] == rows
    turns = await ask(
        "MATCH (t:Turn {scope: $scope}) RETURN count(t) AS n, max(t.seq) AS last", scope=scope
    )
    assert [{"n": 20, "last": 20}] == turns
