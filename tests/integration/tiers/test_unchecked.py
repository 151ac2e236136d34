"""Facts that were stated while the embedder was down, once their vectors are there."""

from __future__ import annotations

from graphmem import AsyncGraphMemory
from graphmem.decisions import Decision
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.conftest import DIMENSIONS
from tests.integration.tiers.conftest import Configure, day


async def log_with_vectors(settings: Configure, clock: FrozenClock) -> dict[str, Decision]:
    """Return the conflict log after a restart with the embedder up, by the decisions' ids."""
    async with await AsyncGraphMemory.open(
        settings(), embedder=HashedEmbedder(DIMENSIONS), clock=clock
    ) as restarted:
        assert await restarted.backfill_vectors() > 0
        return {decision.id: decision for decision in await restarted.semantic.conflicts()}


async def test_what_superseded_without_a_vector_keeps_its_reason(
    memory: AsyncGraphMemory,
    embedder: HashedEmbedder,
    settings_with: Configure,
    clock: FrozenClock,
) -> None:
    """What it ended is over when the vector comes, and would be no reason any more."""
    embedder.is_down = True
    first = await memory.semantic.remember("Ines lives in Bergen.", valid_from=day(1))
    done = await memory.semantic.remember_with_decision("Ines lives in Tromso.", valid_from=day(3))

    log = await log_with_vectors(settings_with, clock)

    assert ("supersede", (first.id,)) == (done.decision.kind, done.decision.against)
    assert done.decision == log[done.decision.id]


async def test_what_was_forgotten_before_its_vector_came_keeps_its_reason(
    memory: AsyncGraphMemory,
    embedder: HashedEmbedder,
    settings_with: Configure,
    clock: FrozenClock,
) -> None:
    """Near to another one or not: nothing becomes of it any more."""
    embedder.is_down = True
    await memory.semantic.remember("The loom in the back room is oiled each spring.")
    done = await memory.semantic.remember_with_decision(
        "The loom in the back room is oiled every spring."
    )
    await memory.semantic.forget(done.fact.id, "nobody oils it")

    log = await log_with_vectors(settings_with, clock)

    assert "unchecked" == done.decision.state
    assert done.decision.model_copy(update={"state": "settled"}) == log[done.decision.id]
