"""Many writers that contradict each other: one fact holds at the end, and never none meanwhile."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack
from datetime import timedelta
from uuid import uuid4

import pytest

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.models import FactDraft
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, captured, put, triple

ROUNDS = 10
LIVE = """
MATCH (f:Fact {scope: $scope}) WHERE f.status IN ['active', 'pending']
RETURN f.object AS object, f.text AS text, f.validated_count AS n
"""
CHAIN = """
MATCH (f:Fact {scope: $scope})
RETURN count(f) AS facts, count(DISTINCT f.id) AS ids,
  sum(CASE WHEN f.status = 'superseded' THEN 1 ELSE 0 END) AS ended,
  sum(COUNT { (f)-[:SUPERSEDES]->() }) AS links
"""


@pytest.fixture
async def writers(store_settings: Settings, db: Database) -> list[Database]:
    """Eight stores, each with connections of its own."""
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(await Database.open(store_settings)) for _ in range(7)
        ]
        yield [db, *others]


@pytest.mark.parametrize("form", ["triple", "sentence"])
async def test_eight_who_contradict_each_other_leave_one_fact(
    writers: list[Database], ask: Ask, form: str
) -> None:
    """Ten times for each form, all at once: the latest holds, each other one is superseded."""
    for _ in range(ROUNDS):
        scope = f"test/{uuid4().hex}"
        items = []
        for number in range(len(writers)):
            draft = triple("Ada", "lives in", f"Town{number}")
            if form == "sentence":
                draft = FactDraft(text=f"{draft.text}.")
            at = AT - timedelta(days=100 - number)
            items.append(await captured(writers[0], scope, draft, key=str(number), at=at))

        await asyncio.gather(
            *(put(db, scope, item) for db, item in zip(writers, items, strict=True))
        )

        (live,) = await ask(LIVE, scope=scope)
        assert live["text"].startswith("Ada lives in Town7")
        (chain,) = await ask(CHAIN, scope=scope)
        assert {"facts": 8, "ids": 8, "ended": 7, "links": 7} == chain


_PROCESS = """
import asyncio, sys
from datetime import timedelta
from pydantic import SecretStr
from graphmem.config import Settings
from graphmem.db import Database
from tests.integration.graph.conftest import AT, captured, put, triple

async def main():
    uri, username, scope, name, count = sys.argv[1:]
    settings = Settings(
        neo4j_uri=uri, neo4j_username=username, neo4j_password=SecretStr(sys.stdin.read())
    )
    async with await Database.open(settings) as db:
        print("ready", flush=True)
        for n in range(int(count)):
            fact = triple("Ada", "lives in", f"{name}{n}")
            item = await captured(
                db, scope, fact, triple("Ada", "knows", "Bo"), key=f"{name}-{n}",
                at=AT - timedelta(days=1000 - n, hours=len(name)),
            )
            await put(db, scope, item)

asyncio.run(main())
"""


async def _started(
    settings: Settings, scope: str, name: str, count: int
) -> asyncio.subprocess.Process:
    assert settings.neo4j_uri is not None
    assert settings.neo4j_password is not None
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        _PROCESS,
        settings.neo4j_uri,
        settings.neo4j_username,
        scope,
        name,
        str(count),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(settings.neo4j_password.get_secret_value().encode())
    process.stdin.close()
    return process


async def test_two_processes_that_contradict_each_other_leave_one_fact(
    store_settings: Settings, db: Database, scope: str, ask: Ask
) -> None:
    """They know nothing of each other; what both say counts twice."""
    running = [await _started(store_settings, scope, name, 10) for name in ("Ulm", "Bonn")]

    codes = [await process.wait() for process in running]

    assert [0, 0] == codes
    live = {row["object"]: row["n"] for row in await ask(LIVE, scope=scope)}
    assert 20 == live.pop("Bo")
    assert {"Ulm9"} == set(live)


async def test_a_writer_that_is_killed_never_leaves_nothing_where_something_was(
    store_settings: Settings, db: Database, scope: str, ask: Ask
) -> None:
    """At whatever moment: the old home or the new one holds, and never both."""
    await put(
        db,
        scope,
        await captured(db, scope, triple("Ada", "lives in", "Rome"), at=AT - timedelta(days=2000)),
    )

    for round_ in range(3):
        process = await _started(store_settings, scope, f"Town{round_}-", 1000)
        assert process.stdout is not None
        await process.stdout.readline()
        await asyncio.sleep(0.15 + 0.07 * round_)
        os.kill(process.pid, signal.SIGKILL)
        await process.wait()

        rows = [row["object"] for row in await ask(LIVE, scope=scope) if row["object"] != "Bo"]
        assert 1 <= len(rows)
        (chain,) = await ask(CHAIN, scope=scope)
        assert chain["links"] >= chain["ended"]
