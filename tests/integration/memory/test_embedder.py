"""An embedder that is down, away, or another one than the store is locked to."""

from __future__ import annotations

import pytest

from graphmem import AsyncGraphMemory, EmbedderRegistrationError
from graphmem.testing import HashedEmbedder
from tests.conftest import DIMENSIONS
from tests.integration.memory.conftest import Configure


async def test_a_turn_stored_while_the_embedder_is_down_is_found_by_text_and_filled_in_later(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """Found by text at once, listed as waiting, embedded when the embedder is back."""
    embedder.is_down = True
    await memory.add_turn("The spare key is under the blue pot.", wait=True)
    found = await memory.recall("spare key")
    waiting = (await memory.stats()).without_vector["Turn"]
    embedder.is_down = False
    memory._engine.vectoriser._down_until = 0.0

    filled = await memory.backfill_vectors()

    after = await memory.recall("spare key")
    assert 1 == len(found.turns)
    assert ("vector",) == found.degraded
    assert 1 == waiting
    assert filled >= 1
    assert 0 == (await memory.stats()).without_vector["Turn"]
    assert () == after.degraded
    assert after.turns[0].cosine is not None


async def test_another_embedder_than_the_stores_is_refused_with_both_ids(
    memory: AsyncGraphMemory, settings_with: Configure
) -> None:
    """Opening fails before anything is written."""
    other = HashedEmbedder(48, model="others")

    with pytest.raises(EmbedderRegistrationError) as caught:
        await AsyncGraphMemory.open(settings_with(), embedder=other)

    assert (f"hashed:words@{DIMENSIONS}", "hashed:others@48") == caught.value.ids


async def test_another_embedder_can_be_left_aside_on_purpose(
    memory: AsyncGraphMemory, settings_with: Configure
) -> None:
    """`on_embedder_mismatch="text"` goes on by text, says so, and writes no vector."""
    other = HashedEmbedder(48, model="others")
    await memory.add_turn("The kiln reaches 1240 degrees.", wait=True)

    settings = settings_with(on_embedder_mismatch="text")
    async with await AsyncGraphMemory.open(settings, embedder=other) as by_text:
        found = await by_text.recall("how hot is the kiln")
        report = await by_text.doctor()

    assert 1 == len(found.turns)
    assert "vector" in found.degraded
    assert "mismatch" == report.embedder_state
    assert [] == other.texts


async def test_a_memory_without_an_embedder_works_by_text(
    memory: AsyncGraphMemory, settings_with: Configure
) -> None:
    """None is a setting, not a fault."""
    async with await AsyncGraphMemory.open(settings_with(embedding_model="none")) as without:
        await without.add_turn("Otis keeps bees on the roof.", wait=True)

        found = await without.recall("who keeps bees")

    assert 1 == len(found.turns)
    assert () == found.degraded
