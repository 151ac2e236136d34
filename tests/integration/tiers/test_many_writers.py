"""Writers of turns and writers of facts at once: all of them finish, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask
from tests.integration.tiers.conftest import Configure, day

NAMES = [f"Person {n}" for n in range(6)]


@pytest.fixture
async def writers(
    settings_with: Configure, clock: FrozenClock
) -> AsyncIterator[list[AsyncGraphMemory]]:
    """Eight memories of one scope, as eight processes have them."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                await AsyncGraphMemory.open(
                    settings_with(), embedder=HashedEmbedder(DIMENSIONS), clock=clock
                )
            )
            for _ in range(8)
        ]


async def tell(memory: AsyncGraphMemory, writer: int) -> None:
    """Tell of each name in a turn, every other writer backwards."""
    for name in NAMES if writer % 2 else NAMES[::-1]:
        await memory.add_turn(
            f"writer {writer} met {name}",
            turn_key=f"{writer}-{name}",
            at=day(2),
            extraction={"triples": [["Ada", "knows", name]], "tags": ["friends"]},
            wait=True,
        )


async def state(memory: AsyncGraphMemory, turn_id: str) -> None:
    """State the same with the evidence of one turn."""
    for name in NAMES:
        await memory.semantic.remember(
            f"Ada knows {name}",
            subject="Ada",
            predicate="knows",
            object=name,
            turn_ids=[turn_id],
            valid_from=day(2),
        )


async def waver(memory: AsyncGraphMemory, fact_id: str) -> None:
    """Forget a fact and take it back, again and again."""
    for _ in NAMES:
        await memory.semantic.forget(fact_id, "not sure")
        await memory.semantic.restore(fact_id)


async def rename(memory: AsyncGraphMemory) -> None:
    """Join two names and part them, again and again."""
    for _ in range(4):
        await memory.merge_terms("Ada", "Adah")
        await memory.unmerge_term("Adah")


async def test_eight_writers_of_turns_and_of_facts_lose_nothing(
    writers: list[AsyncGraphMemory], ask: Ask
) -> None:
    """Each statement has all of its evidence, and what was taken back is told."""
    first = writers[0]
    receipt = await first.add_turn(
        "Adah met Ada", extraction={"triples": [["Adah", "met", "Ada"]]}, at=day(1), wait=True
    )
    kept = [await first.semantic.remember(f"Ada likes {what}") for what in ("figs", "tea")]

    await asyncio.gather(
        *(tell(memory, number) for number, memory in enumerate(writers[:4])),
        state(writers[4], receipt.turn_id),
        waver(writers[5], kept[0].id),
        waver(writers[6], kept[1].id),
        rename(writers[7]),
    )
    await first.flush()

    rows = await ask(
        "MATCH (f:Fact {scope: $scope, predicate: 'knows'}) RETURN f.object AS name, "
        "f.status AS status, f.validated_count AS n, COUNT { (:Turn)-[:STATES]->(f) } AS turns "
        "ORDER BY name",
        scope=first.scope,
    )
    each = {"status": "active", "n": 5, "turns": 5}
    assert [{"name": name, **each} for name in NAMES] == rows
    assert {"active"} == {fact.status for fact in await first.semantic.list(limit=99)}
    assert len(NAMES) + 3 == len(await first.semantic.list(limit=99))
    assert {"given": 4 * len(NAMES) + 1} == (await first.stats()).extraction
