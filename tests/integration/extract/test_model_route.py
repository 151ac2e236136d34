"""Turns that a model extracts, on a real server: done, quarantined, or still pending."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import pytest

from graphmem import AsyncGraphMemory
from graphmem.config import Settings
from graphmem.models import ExtractionState
from graphmem.testing import ScriptedModel, ScriptedReply, ScriptedRequest
from tests.integration.conftest import Ask

_LOOM = {
    "summary": "Iris bought a loom.",
    "triples": [["Iris", "bought", "loom"], ["iris", "BOUGHT", "loom "], ["Iris", "bought"]],
}


class Opener(Protocol):
    """Opens a memory whose model is the given server."""

    def __call__(
        self, server: ScriptedModel, *, llm_timeout_s: float = 1.0
    ) -> AbstractAsyncContextManager[AsyncGraphMemory]:
        """Return the open memory."""
        ...


@pytest.fixture
def opened(store_settings: Settings, scope: str) -> Opener:
    """Open a memory in the test's own scope, with a scripted model and no embedder."""

    @asynccontextmanager
    async def with_model(
        server: ScriptedModel, *, llm_timeout_s: float = 1.0
    ) -> AsyncIterator[AsyncGraphMemory]:
        settings = store_settings.model_copy(
            update={
                "scope": scope,
                "llm_model": "scripted",
                "llm_base_url": server.base_url,
                "llm_timeout_s": llm_timeout_s,
                "embedding_model": "none",
                "close_timeout_s": 0.0,
            }
        )
        async with await AsyncGraphMemory.open(settings) as memory:
            yield memory

    return with_model


async def test_a_good_reply_is_in_the_graph_once(opened: Opener) -> None:
    """Repeats in a reply make one fact; what was dropped is in the receipt."""
    with ScriptedModel([_LOOM]) as server:
        async with opened(server) as memory:
            receipt = await (await memory.add_turn("I bought a loom.")).wait()
            evidence = await memory.get_turn(receipt.turn_id)

    assert evidence is not None
    assert ExtractionState.DONE == evidence.turn.extraction
    assert "Iris bought a loom." == evidence.turn.summary
    assert [("Iris", "bought", "loom")] == [
        (fact.subject, fact.predicate, fact.object) for fact in evidence.facts
    ]
    assert 1 == len(receipt.dropped)
    assert 1 == len(server.chat_requests)


async def test_a_schema_for_an_answer_leaves_the_source_alone(
    opened: Opener, ask: Ask, scope: str
) -> None:
    """Nothing but the turn is stored, with the reason, the reply's length and its hash."""
    schema = {"type": "object", "properties": {"summary": {"type": "string"}}}
    with ScriptedModel([schema]) as server:
        async with opened(server) as memory:
            receipt = await (await memory.add_turn("I bought a loom.")).wait()
            quarantined = await memory.quarantine()
            stats = await memory.stats()

    rows = await ask("MATCH (t:Turn {scope: $scope}) RETURN keys(t) AS keys", scope=scope)
    assert ExtractionState.QUARANTINED == receipt.extraction
    assert (0, 0) == (stats.nodes["Fact"], stats.nodes["Term"])
    assert "schema" in quarantined[0].reason
    assert quarantined[0].reply_length > 0
    assert 64 == len(quarantined[0].reply_hash)
    assert not {"properties", "type"} & set(rows[0]["keys"])


async def test_an_explicit_retry_may_be_twice_as_long(opened: Opener) -> None:
    """A truncated reply is not asked for again by itself; the retry gets twice the limit."""
    cut = ScriptedReply(content='{"summary": "Iris bou', finish_reason="length")
    with ScriptedModel([cut, _LOOM]) as server:
        async with opened(server) as memory:
            first = await (await memory.add_turn("I bought a loom.")).wait()
            calls = len(server.chat_requests)
            second = [await receipt.wait() for receipt in await memory.retry_extraction()]

    limits = [request.body["max_tokens"] for request in server.chat_requests]
    assert (ExtractionState.QUARANTINED, 1) == (first.extraction, calls)
    assert [ExtractionState.DONE] == [receipt.extraction for receipt in second]
    assert limits[0] * 2 == limits[1]


async def test_a_busy_endpoint_leaves_the_turn_pending(opened: Opener) -> None:
    """After the budget of a rate limit the turn is there, found by text, and waits."""
    busy = ScriptedReply.failure(429, "busy", retry_after_s=0.4)
    with ScriptedModel([busy] * 20) as server:
        async with opened(server) as memory:
            receipt = await (await memory.add_turn("I bought a loom.")).wait()
            recall = await memory.recall("loom")
            stats = await memory.stats()

    assert ExtractionState.PENDING == receipt.extraction
    assert receipt.error
    assert [receipt.turn_id] == [hit.turn.id for hit in recall.turns]
    assert 1 == stats.extraction["pending"]
    assert not stats.extraction.get("quarantined")


async def test_no_lock_is_held_while_a_model_thinks(opened: Opener, ask: Ask, scope: str) -> None:
    """Others can write to the turn and its session while an endpoint says nothing."""
    was_asked = threading.Event()

    def say_nothing(request: ScriptedRequest) -> ScriptedReply:
        was_asked.set()
        return ScriptedReply(is_hanging=True)

    with ScriptedModel(say_nothing) as server:
        async with opened(server, llm_timeout_s=60.0) as memory:
            receipt = await memory.add_turn("I bought a loom.")
            await asyncio.to_thread(was_asked.wait, 10)
            rows = await asyncio.wait_for(
                ask(
                    "MATCH (s:Session {scope: $scope})-[:HAS_TURN]->(t:Turn {scope: $scope}) "
                    "SET s.probe = true, t.probe = true RETURN t.id AS id",
                    scope=scope,
                ),
                timeout=10,
            )

    assert [receipt.turn_id] == [row["id"] for row in rows]
