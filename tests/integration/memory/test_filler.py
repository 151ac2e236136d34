"""A bulk load is in the graph first; its vectors follow."""

from __future__ import annotations

import asyncio

from graphmem import AsyncGraphMemory, Flushed
from graphmem.testing import HashedEmbedder
from tests.integration.memory.conftest import Configure

MANY = [
    {
        "question": f"Hive {number} gave honey.",
        "extraction": {"triples": [["hive", "gave", f"{number} jars"]]},
    }
    for number in range(50)
]


async def test_flush_waits_for_the_vectors_of_a_bulk_load(memory: AsyncGraphMemory) -> None:
    """Every node has one then, and recall compares them."""
    await memory.add_turns(MANY)

    is_done = await memory.flush(60)

    found = await memory.recall("which hive gave honey")
    assert is_done
    assert {0} == set((await memory.stats()).without_vector.values())
    assert all(hit.cosine is not None for hit in found.turns)


async def test_a_bulk_load_is_found_before_it_has_vectors(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """No turn waits for the embedder: text and links are enough to find it."""
    asked = asyncio.Event()
    answer = embedder.embed

    async def slow(texts, *, purpose):  # type: ignore[no-untyped-def]
        if purpose == "document":
            await asked.wait()
        return await answer(texts, purpose=purpose)

    embedder.embed = slow  # type: ignore[method-assign]
    receipts = await memory.add_turns(MANY, wait=True)
    found = await memory.recall("hive 7 honey")
    is_done = await memory.flush(0.1)
    asked.set()

    assert {"given"} == {receipt.extraction for receipt in receipts}
    assert len(found.turns) > 0
    assert not is_done
    assert await memory.flush(60)


async def test_flush_tells_what_an_embedder_that_is_down_owes(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """It waits for what can be done, and does the rest as soon as the embedder is asked again."""
    embedder.is_down = True
    await memory.add_turns(MANY, wait=True)

    down = await memory.flush(60)
    stats = await memory.stats()
    embedder.is_down = False
    resting = await memory.flush(60)
    # As after half a minute.
    memory._engine.vectoriser._down_until = 0.0
    up = await memory.flush(60)

    owed = sum(stats.without_vector.values())
    names = stats.without_vector["Term"]
    assert Flushed(is_idle=True, without_vector=owed, unlinked=names, unchecked=50) == down
    assert (owed > 50, {"unchecked": 50}) == (True, stats.undecided)
    assert resting == down
    assert Flushed(is_idle=True) == up
    after = await memory.stats()
    assert ({0}, {}) == (set(after.without_vector.values()), after.undecided)


async def test_a_back_fill_tells_how_far_it_is_all_the_way(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """Embedding, linking and deciding each have their part of one whole."""
    embedder.is_down = True
    await memory.add_turns(MANY, wait=True)
    await memory.flush(60)
    nodes = (await memory.stats()).without_vector
    embedder.is_down = False
    memory._engine.vectoriser._down_until = 0.0
    told: list[tuple[int, int | None]] = []

    embedded = await memory.backfill_vectors(progress=lambda *now: told.append(now))

    # One fact of each turn.
    total = sum(nodes.values()) + nodes["Term"] + len(MANY)
    assert sum(nodes.values()) == embedded
    assert {total} == {of for _, of in told}
    assert sorted(told) == told
    assert (embedded, total) in told
    assert (embedded + nodes["Term"], total) in told
    assert (total, total) == told[-1]


async def test_vectors_that_a_closed_memory_leaves_are_filled_in_by_the_next(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """They are marked in the store."""
    settings = settings_with(close_timeout_s=0.0)
    embedder.is_down = True
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        await memory.add_turns(MANY, wait=True)
    embedder.is_down = False

    async with await AsyncGraphMemory.open(settings, embedder=HashedEmbedder(384)) as again:
        before = sum((await again.stats()).without_vector.values())
        filled = await again.backfill_vectors()

    assert before == filled
    assert before > 50
