"""A scope is held however long something works between two batches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta
from inspect import iscoroutinefunction
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.communities import CommunityEngine
from graphmem.maintain.communities import gds, rebuild, summaries
from graphmem.maintain.consolidation.comparing import Comparison
from graphmem.maintain.consolidation.merging import Plan
from graphmem.maintain.runs import Run
from graphmem.testing import HashedEmbedder, ScriptedModel
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.test_communities import tell
from tests.integration.maintain.test_consolidate import make, of


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[bool]]:
    """Have something last until the hold is renewed; it tells each time whether that came."""
    renewed = threading.Event()
    real_hold = Run._hold_on

    async def hold(run: Run) -> None:
        await real_hold(run)
        renewed.set()

    def lasts(owner: Any, name: str) -> list[bool]:
        real = getattr(owner, name)
        held: list[bool] = []

        def wait() -> None:
            renewed.clear()
            held.append(renewed.wait(60))

        def work(*args: Any, **more: Any) -> Any:
            wait()
            return real(*args, **more)

        async def awaited(*args: Any) -> Any:
            await asyncio.to_thread(wait)
            return await real(*args)

        monkeypatch.setattr(owner, name, awaited if iscoroutinefunction(real) else work)
        return held

    monkeypatch.setattr(Run, "_hold_on", hold)
    monkeypatch.setattr("graphmem.maintain.runs._HOLD", timedelta(seconds=0.1))
    return lasts


@pytest.mark.parametrize(
    ("owner", "name"), [(Comparison, "_near"), (Plan, "_go_through")], ids=["vectors", "words"]
)
async def test_a_scope_is_held_while_facts_are_compared(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    lasting: Callable[[Any, str], list[bool]],
    owner: Any,
    name: str,
) -> None:
    """By their vectors, and by what they say."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9)])
    held = lasting(owner, name)

    report = await memory.consolidate_semantics()

    assert ["b"] == [node.id for node in report.removed if node.kind == "Fact"]
    assert [True] == held


@pytest.mark.parametrize(
    ("engine", "owner", "name"),
    [
        ("gds", gds, "_projected"),
        ("python", rebuild, "propagate"),
        ("python", rebuild, "page_ranks"),
        ("python", rebuild, "place_groups"),
    ],
    ids=["library", "labels", "ranks", "places"],
)
async def test_a_scope_is_held_while_communities_are_found(
    memory: AsyncGraphMemory,
    lasting: Callable[[Any, str], list[bool]],
    engine: CommunityEngine,
    owner: Any,
    name: str,
) -> None:
    """By the library on the server, and in Python."""
    await tell(memory, "Ana Bo", "Dov Eli")
    held = lasting(owner, name)

    report = await memory.update_communities(engine=engine)

    assert (engine, 2) == (report.engine, report.communities)
    assert [True] == held


async def test_a_scope_is_held_while_a_model_is_asked(
    settings_with: Configure,
    embedder: HashedEmbedder,
    lasting: Callable[[Any, str], list[bool]],
) -> None:
    """However long its answer takes."""
    with ScriptedModel(lambda _: {"summary": "friends of the harbour"}) as server:
        settings = settings_with(llm_model="scripted", llm_base_url=server.base_url)
        async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
            await tell(memory, "Ana Bo")
            held = lasting(summaries, "_ask")

            report = await memory.update_communities(engine="python", summaries="llm")

    assert 1 == report.llm_summaries
    assert [True] == held
