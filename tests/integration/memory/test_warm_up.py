"""Opening a memory has the server plan a recall's statements, and nobody notices."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.clock import SystemClock
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.queries import Query
from graphmem.testing import HashedEmbedder
from graphmem.vectorise import Vectoriser
from graphmem.warm_up import WarmUp
from tests.integration.memory.conftest import Configure


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement of a recall that was run, by name and slot."""
    names: list[str] = []
    run = Database.run

    async def recorded(self: Database, query: Query, /, **params: Any) -> list[dict[str, Any]]:
        rows = await run(self, query, **params)
        if query.stage == "recall" and query.mode == "read":
            names.append(f"{query.name} {query.slot}")
        return rows

    monkeypatch.setattr(Database, "run", recorded)
    return names


async def test_what_a_recall_sends_was_planned_before(
    settings_with: Configure, embedder: HashedEmbedder, sent: list[str]
) -> None:
    """Opening sends each statement of a recall once; a new one that is left out is found here.

    A question to the whole scope and one to a session send all of them.
    """
    async with await AsyncGraphMemory.open(
        settings_with(warm_up=True), embedder=embedder
    ) as memory:
        await memory._engine.warm_up.wait()
        planned, sent[:] = list(sent), []
        await memory.add_turn("Where is the kiln?", "In the yard.", wait=True)
        await memory.recall("Where is the kiln?")
        whole, sent[:] = list(sent), []
        await memory.recall("Where is the kiln?", session_id="default")

    assert 7 == len(planned)
    assert [6, 6] == [len(whole), len(sent)]
    assert set(planned) == {*whole, *sent}


async def test_without_vectors_the_text_way_is_planned(
    settings_with: Configure, sent: list[str]
) -> None:
    """A memory without an embedder asks other statements, and those are planned."""
    settings = settings_with(warm_up=True, embedding_model="none")

    async with await AsyncGraphMemory.open(settings) as memory:
        await memory._engine.warm_up.wait()

    assert ["recall/find_by_name None", "recall/find_by_text None", "recall/walk_graph a"] == sent[
        :3
    ]


async def test_it_embeds_nothing(settings_with: Configure, embedder: HashedEmbedder) -> None:
    """An endpoint that is paid by the call is not called for it."""
    async with await AsyncGraphMemory.open(
        settings_with(warm_up=True), embedder=embedder
    ) as memory:
        await memory._engine.warm_up.wait()

    assert [] == embedder.texts


async def test_closing_breaks_it_off(settings_with: Configure, embedder: HashedEmbedder) -> None:
    """Who opens and closes at once waits for no plan, and no task is left."""
    memory = await AsyncGraphMemory.open(settings_with(warm_up=True), embedder=embedder)

    await memory.close()

    left = {task.get_name() for task in asyncio.all_tasks()}
    assert "graphmem-warm-up" not in left
    assert len(memory._engine.warm_up.planned) < 3


async def test_it_can_be_switched_off(
    settings_with: Configure, embedder: HashedEmbedder, sent: list[str]
) -> None:
    """A setting leaves a server in peace that many short programs open."""
    async with await AsyncGraphMemory.open(
        settings_with(warm_up=False), embedder=embedder
    ) as memory:
        await memory._engine.warm_up.wait()

    assert [] == sent


async def test_a_server_that_refuses_troubles_nobody(store_settings: Settings) -> None:
    """The failure is the recall's to tell, when there is one."""
    db = await Database.open(store_settings)
    vectoriser = Vectoriser(db, None, on_mismatch="error", clock=SystemClock())
    warm_up = WarmUp(db, vectoriser, SystemClock())
    await db.close()

    warm_up.start()
    await warm_up.wait()
    await warm_up.close()

    assert () == warm_up.planned
