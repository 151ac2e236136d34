"""The whole way, through both faces, and its behaviour at the edges of a process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import SecretStr

from graphmem import AsyncGraphMemory, GraphmemError, GraphMemory, Settings, StoreError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.conftest import ServerAddress
from tests.integration.memory.conftest import Configure

TURNS: list[dict[str, Any]] = [
    {
        "question": "Where does Ana work?",
        "answer": "At the Halcyon bakery in Lyon.",
        "session_id": "s1",
        "at": datetime(2026, 3, 2, 9, tzinfo=UTC),
        "extraction": {
            "summary": "Ana works at the Halcyon bakery in Lyon.",
            "triples": [["Ana", "works at", "Halcyon"], ["Halcyon", "is in", "Lyon"]],
        },
    },
    {
        "question": "And her brother?",
        "answer": "Omar repairs violins.",
        "session_id": "s1",
        "at": datetime(2026, 3, 2, 9, 1, tzinfo=UTC),
    },
    {
        "question": "What is for dinner?",
        "answer": "Lentil soup.",
        "session_id": "s2",
        "at": datetime(2026, 3, 3, 18, tzinfo=UTC),
    },
]


def check(found: dict[str, Any]) -> None:
    """The story's end: the source turn first, with its exact messages and its facts."""
    first = found["turns"][0]["turn"]
    assert ["Where does Ana work?", "At the Halcyon bakery in Lyon."] == [
        message["content"] for message in first["messages"]
    ]
    assert {"Ana works at Halcyon", "Halcyon is in Lyon"} <= {
        hit["fact"]["text"] for hit in found["facts"]
    }
    assert [] == found["degraded"]


async def test_the_story_through_the_asynchronous_face(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Turns go in, the source comes back."""
    clock.set(datetime(2026, 6, 1, tzinfo=UTC))
    await memory.add_turns(TURNS, wait=True)

    found = await memory.recall("Ana's employer at Halcyon")

    check(found.to_dict())
    assert "At the Halcyon bakery in Lyon." in found.prompt(500)


def test_the_story_through_the_synchronous_face(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """The same story without a loop."""
    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        receipts = memory.add_turns(TURNS)
        assert all(receipt.wait(30).extraction != "pending" for receipt in receipts)

        found = memory.recall("Ana's employer at Halcyon")

    check(found.to_dict())


def test_the_synchronous_face_tells_progress(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """A callback of a program without a loop is called after each batch."""
    told: list[tuple[int, int | None]] = []

    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        memory.add_turns(
            TURNS, batch_size=2, progress=lambda done, total: told.append((done, total))
        )

    assert [(2, 3), (3, 3)] == told


async def test_the_synchronous_face_works_inside_a_running_loop(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """As in a notebook: it never needs the caller's loop."""
    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        memory.add_turn("Otis keeps bees.", wait=True)

        found = memory.recall("bees")

    assert 1 == len(found.turns)


def test_three_loops_one_after_the_other_work(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """`asyncio.run` three times, each with a memory of its own, in one scope."""

    async def add_and_count(number: int) -> int:
        async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
            await memory.add_turn(f"Otis has {number} hives.", wait=True)
            return (await memory.stats()).nodes["Turn"]

    assert [1, 2, 3] == [asyncio.run(add_and_count(number)) for number in range(3)]


async def test_two_scopes_share_nothing(memory: AsyncGraphMemory) -> None:
    """A canary of one scope is in no answer of the other."""
    other = memory.scoped(memory.scope + "/other")
    await memory.add_turn("Wim keeps bees (canary-a1).", wait=True)
    await other.add_turn("Wim builds kites (canary-b2).", wait=True)

    answers = [
        json.dumps((await one.recall("what does Wim do")).to_dict()) for one in (memory, other)
    ]

    assert [True, False] == ["canary-a1" in answer for answer in answers]
    assert [False, True] == ["canary-b2" in answer for answer in answers]


async def test_the_same_turn_again_changes_nothing_and_says_so(memory: AsyncGraphMemory) -> None:
    """A turn key makes adding repeatable."""
    first = await memory.add_turn("Otis keeps bees.", turn_key="t-1", wait=True)
    again = await memory.add_turn("Otis keeps bees.", turn_key="t-1", wait=True)
    changed = await memory.add_turn("Otis sold the bees.", turn_key="t-1", wait=True)

    assert (True, False, False) == (first.created, again.created, changed.created)
    assert (False, True) == (again.is_other_content, changed.is_other_content)
    assert first.turn_id == again.turn_id == changed.turn_id
    assert 1 == (await memory.stats()).nodes["Turn"]


async def test_an_empty_scope_answers_every_reading_call(memory: AsyncGraphMemory) -> None:
    """A new user's first call finds nothing, and no error."""
    found = await memory.recall("anything at all")
    stats = await memory.stats()

    assert ((), ()) == (found.turns, found.facts)
    assert "" == found.prompt(100)
    assert {0} == set(stats.nodes.values())
    assert [] == await memory.quarantine()
    assert [] == await memory.retry_extraction()
    assert 0 == await memory.drop_quarantined()
    assert 0 == await memory.backfill_vectors()
    assert 0 == await memory.feedback([], 1.0)
    assert await memory.get_turn("nobody") is None
    assert () == (await memory.doctor()).faults


async def test_recall_can_be_switched_off_at_once(memory: AsyncGraphMemory) -> None:
    """A hot setting, and the answer says why it is empty."""
    await memory.add_turn("Otis keeps bees.", wait=True)
    await memory.configure(recall_enabled=False)

    found = await memory.recall("bees")

    assert ((), ("disabled",)) == (found.turns, found.degraded)


async def test_every_call_after_close_is_refused(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """A closed memory never reopens by itself."""
    memory = await AsyncGraphMemory.open(settings_with(), embedder=embedder)
    await memory.close()
    await memory.close()

    for call in (
        memory.add_turn("late"),
        memory.add_turns([{"question": "late"}]),
        memory.recall("late"),
        memory.stats(),
        memory.get_turn("late"),
        memory.doctor(),
        memory.quarantine(),
    ):
        with pytest.raises(StoreError) as caught:
            await call
        assert "closed" == caught.value.kind


async def test_a_database_that_is_not_there_is_named_at_opening(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """The configured database is honoured from the first call on."""
    with pytest.raises(StoreError, match="nosuch") as caught:
        await AsyncGraphMemory.open(settings_with(neo4j_database="nosuch"), embedder=embedder)

    assert "database-not-found" == caught.value.kind


_CHILD = """
import asyncio, os, sys
from graphmem import AsyncGraphMemory, Settings
from graphmem.testing import HashedEmbedder

async def main():
    memory = await AsyncGraphMemory.open(Settings.from_env(), embedder=HashedEmbedder(384))
    lane = memory._engine.pipeline._lane(memory.scope)
    await lane.acquire()
    for number in range(20):
        receipt = await memory.add_turn(f"Hive {number} gave honey.", turn_key=f"k{number}")
        print(receipt.turn_id, flush=True)
    print("ready", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_nothing_acknowledged_is_lost_when_the_process_is_killed(
    settings_with: Configure, embedder: HashedEmbedder, neo4j_server: ServerAddress, scope: str
) -> None:
    """After kill -9 the next start finds every turn, and extracts it without waiting."""
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD],
        stdout=subprocess.PIPE,
        text=True,
        env={
            **_environment(neo4j_server),
            "GRAPHMEM_SCOPE": scope,
        },
    )
    assert child.stdout is not None
    told = [line.strip() for line in iter(child.stdout.readline, "ready\n")]
    child.kill()
    child.wait(10)
    child.stdout.close()

    started = time.monotonic()
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        await memory.recall("honey")
        while (counts := (await memory.stats()).extraction).get("local") != len(told):
            assert time.monotonic() - started < 30, counts
            await asyncio.sleep(0.1)

    assert 20 == len(told)


def _environment(server: ServerAddress) -> dict[str, str]:
    import os

    return {
        **os.environ,
        "NEO4J_URI": server.uri,
        "NEO4J_USERNAME": server.username,
        "NEO4J_PASSWORD": server.password,
    }


def test_a_failed_opening_leaves_nothing_open(neo4j_server: ServerAddress) -> None:
    """A wrong password is one clear error, and no thread goes on."""
    import threading

    before = threading.active_count()
    settings = Settings(
        neo4j_uri=neo4j_server.uri,
        neo4j_username="graphmem-nobody",
        neo4j_password=SecretStr("wrong"),
        embedding_model="none",
    )

    with pytest.raises(GraphmemError) as caught:
        GraphMemory.open(settings)

    assert "wrong-credentials" == caught.value.kind
    assert before == threading.active_count()


def test_closing_in_another_event_loop_says_what_to_do(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Its connections belong to the loop that opened it."""
    with asyncio.Runner() as first:
        memory = first.run(AsyncGraphMemory.open(settings_with(), embedder=embedder))

        with pytest.raises(StoreError, match="one per loop") as caught:
            asyncio.run(memory.close())
        first.run(memory.close())

    assert "wrong-event-loop" == caught.value.kind
