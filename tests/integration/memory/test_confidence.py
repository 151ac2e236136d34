"""Knowing that nothing is known: an answer says whether it can be relied on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graphmem import AsyncGraphMemory, EmbeddingError, InputError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask
from tests.integration.memory.conftest import Configure

NOTES = [
    "The kiln in the yard reaches 1240 degrees.",
    "Ana moved her bakery to the north of Lyon.",
    "Omar repairs old violins and cellos at home.",
    "We planted lentils behind the green shed today.",
    "The ferry to the island leaves at noon.",
]


@pytest.fixture
async def uncalibrated(ask: Ask) -> AsyncIterator[None]:
    """What a test measures of the store's embedder is gone after it."""
    yield
    await ask("MATCH (e:Embedder) REMOVE e.calibrated_at")


async def fill(memory: AsyncGraphMemory, times: int = 1) -> None:
    """Add notes, each in other words."""
    await memory.add_turns(
        [
            {"question": f"{note} Number{place}x{n}.", "session_id": f"s{place}"}
            for n in range(times)
            for place, note in enumerate(NOTES)
        ],
        wait=True,
    )
    # Of many turns the vectors follow later.
    await memory.flush()


async def test_an_answer_that_holds_the_question_is_reliable(memory: AsyncGraphMemory) -> None:
    """And nothing was rejected."""
    await fill(memory)

    found = await memory.recall("How hot does the kiln get, in degrees?")

    assert (True, None) == (found.confident, found.best_rejected)


async def test_an_answer_to_something_else_is_not(memory: AsyncGraphMemory) -> None:
    """Turns come all the same, with the best cosine that was not enough."""
    await fill(memory)

    found = await memory.recall("Which submarine surveyed glaciers near Svalbard?")

    assert found.turns
    assert not found.confident
    assert found.best_rejected == max(hit.cosine or 0.0 for hit in found.turns)
    assert "Nothing here answers the question for certain" in found.prompt(2000)


async def test_a_memory_may_keep_silent(memory: AsyncGraphMemory) -> None:
    """With `recall_abstains` an unreliable answer is empty, a reliable one whole."""
    await fill(memory)
    await memory.configure(recall_abstains=True)

    silent = await memory.recall("Which submarine surveyed glaciers near Svalbard?")
    found = await memory.recall("How hot does the kiln get, in degrees?")

    assert ((), (), False) == (silent.turns, silent.facts, silent.confident)
    assert silent.best_rejected is not None
    assert found.turns


@pytest.mark.parametrize("limit", [0, 6])
async def test_an_empty_store_is_no_reliable_answer(memory: AsyncGraphMemory, limit: int) -> None:
    """Nothing is there to be rejected either."""
    found = await memory.recall("kiln", limit=limit)

    assert ((), False, None) == (found.turns, found.confident, found.best_rejected)


async def test_by_words_alone_an_answer_can_be_relied_on_too(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """While the embedder is down; what was rejected is told in words."""
    await fill(memory)
    embedder.is_down = True

    found = await memory.recall("How hot does the kiln get, in degrees?")
    other = await memory.recall("Which submarine near Svalbard surveyed glaciers from the island?")

    assert (("vector",), True) == (found.degraded, found.confident)
    assert other.best_rejected is not None
    assert 0 < other.best_rejected < 0.2


@pytest.mark.usefixtures("uncalibrated")
async def test_calibrating_measures_the_embedder_on_the_turns_of_the_scope(
    memory: AsyncGraphMemory,
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
) -> None:
    """Halves are nearer to their own turn; it is kept in the store, and doctor tells it."""
    await fill(memory, times=5)

    found = await memory.calibrate()

    assert found.same_median > found.threshold > found.different_median
    assert found.different_p90 >= found.different_median
    assert (25, clock.now()) == (found.sample, found.at)
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as other:
        assert found == (await other.doctor()).calibration
        answer = await other.recall("The kiln in the yard reaches 1240 degrees")
        unanswered = await other.recall("Which submarine surveyed glaciers near Svalbard?")
    assert (True, False) == (answer.confident, unanswered.confident)


async def test_too_few_turns_measure_nothing(memory: AsyncGraphMemory) -> None:
    """Turns of other scopes are not taken; the error says what to do."""
    await fill(memory)

    with pytest.raises(InputError, match="5 turns") as caught:
        await memory.calibrate()

    assert "too-few-turns" == caught.value.kind


async def test_an_embedder_that_is_down_measures_nothing(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """It is an error of its own kind, and the store keeps what it had."""
    await fill(memory, times=5)
    embedder.is_down = True

    with pytest.raises(EmbeddingError):
        await memory.calibrate()
