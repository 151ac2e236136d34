"""What a person pastes into Neo4j Browser fits together, with the values that the files give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, RunState
from graphmem.queries import get_query
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.test_communities_copies import tell

Paste = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
def paste(memory: AsyncGraphMemory, ask: Ask) -> Paste:
    """Run what `graphmem cypher show` prints for the scope of this test, edited at one place."""

    async def run(name: str, old: str = "", new: str = "") -> list[dict[str, Any]]:
        query = get_query(f"maintain/{name}")
        scope = {"scope": memory.scope} if "scope" in query.params else {}
        printed = query.filled(**scope)
        assert old in printed
        return await ask(printed.replace(old, new) if old else printed)

    return run


async def test_the_copy_that_is_tried_is_dropped_again(
    memory: AsyncGraphMemory, paste: Paste, ask: Ask
) -> None:
    """Copied, labelled, ranked and dropped by four pastes: the next try finds its name free."""
    await tell(memory)

    try:
        await paste("project_terms")
        labelled = await paste("label_projected_terms")
        ranked = await paste("rank_projected_terms")
        dropped = await paste("drop_copies")
    finally:
        left = await ask("CALL gds.graph.drop('try', false) YIELD graphName RETURN graphName")

    assert labelled[0]["converged"]
    assert 3 == sum(len(row["terms"]) for row in ranked)
    assert [{"dropped": 1}] == dropped
    assert [] == left


async def test_what_a_person_takes_away_comes_back(
    memory: AsyncGraphMemory, paste: Paste, clock: FrozenClock
) -> None:
    """A run made by hand can be undone like any other while what it removed is there."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")

    (run,) = await paste("begin_run")
    removed = await paste("remove_facts", "UNWIND []", f"UNWIND [{{id: '{fact.id}', reason: ''}}]")
    await paste("end_run")
    gone = await memory.semantic.list()
    clock.advance(_until_tomorrow(clock))
    report = await memory.undo(run["id"])

    assert [{"id": fact.id}] == removed
    assert [] == gone
    assert 1 == report.restored


async def test_a_run_that_a_person_left_open_keeps_nobody_out(
    memory: AsyncGraphMemory, paste: Paste, clock: FrozenClock
) -> None:
    """Who forgot to end it is told so by its state."""
    (run,) = await paste("begin_run")
    clock.advance(_until_tomorrow(clock))

    report = await memory.clean_orphans()

    assert 0 == report.deleted
    assert RunState.BROKEN == (await memory.run(run["id"])).state


def _until_tomorrow(clock: FrozenClock) -> timedelta:
    """Return how far it is to tomorrow by the server's clock, which counts in what is pasted."""
    return datetime.now(UTC) + timedelta(days=1) - clock.now()
