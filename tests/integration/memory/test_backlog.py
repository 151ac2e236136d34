"""Turns that wait: taken up again, kept from others meanwhile, and what settings do to them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import timedelta

from graphmem import AsyncGraphMemory, ExtractionState
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel, ScriptedReply
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask
from tests.integration.memory.conftest import Configure
from tests.integration.memory.test_pipeline import GOOD, chat

LONGER_THAN_A_LEASE = timedelta(minutes=3)


async def asked(model: ScriptedModel) -> None:
    """Wait until the model has been asked."""
    async with asyncio.timeout(20):
        while not model.chat_requests:
            await asyncio.sleep(0.02)


async def test_what_rests_after_a_fault_is_extracted_on_demand(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """Who has mended the endpoint need not wait for the pause to end."""
    with ScriptedModel(chat=[ScriptedReply.failure(401, "no such key"), GOOD]) as model:
        route = chat(model).route
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model), clock=clock
        ) as memory:
            failed = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)

            (again,) = await memory.extract_pending()
            receipt = await again.wait(20)

            evidence = await memory.get_turn(failed.turn_id)
            none_left = await memory.extract_pending()

    assert (ExtractionState.PENDING, ExtractionState.DONE) == (
        failed.extraction,
        receipt.extraction,
    )
    assert evidence is not None
    assert route == evidence.turn.extracted_by
    assert [] == none_left


async def test_a_model_may_think_for_longer_than_a_lease_lasts(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """The lease of a turn that is worked on is renewed, so that no other process takes it up."""
    with ScriptedModel(chat=[replace(GOOD, delay_s=1.0), GOOD]) as model:
        async with (
            await AsyncGraphMemory.open(
                settings_with(), embedder=embedder, chat_model=chat(model), clock=clock
            ) as first,
            await AsyncGraphMemory.open(
                settings_with(),
                embedder=HashedEmbedder(DIMENSIONS),
                chat_model=chat(model),
                clock=clock,
            ) as second,
        ):
            added = await first.add_turn("Any news of Iris?", "A loom.")
            await asked(model)
            clock.advance(LONGER_THAN_A_LEASE)

            await first._engine.backlog.sweep(first.scope)
            await second._engine.backlog.sweep(second.scope)

            receipt = await added.wait(20)
            await second.flush(20)

    assert ExtractionState.DONE == receipt.extraction
    assert 1 == len(model.chat_requests)


async def test_the_lease_of_a_turn_that_is_retried_is_renewed_too(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """A process that does nothing but retry keeps what it took up from others."""
    with ScriptedModel(chat=[ScriptedReply(content="no idea")]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model), clock=clock
        ) as memory:
            await memory.add_turn("Any news of Iris?", "A loom.", wait=True)

    with ScriptedModel(chat=[replace(GOOD, delay_s=1.0), GOOD]) as model:
        async with (
            await AsyncGraphMemory.open(
                settings_with(), embedder=embedder, chat_model=chat(model), clock=clock
            ) as first,
            await AsyncGraphMemory.open(
                settings_with(),
                embedder=HashedEmbedder(DIMENSIONS),
                chat_model=chat(model),
                clock=clock,
            ) as second,
        ):
            (retried,) = await first.retry_extraction()
            await asked(model)
            clock.advance(LONGER_THAN_A_LEASE)
            first._engine.backlog.look_again()
            await asyncio.sleep(0.2)

            await second._engine.backlog.sweep(second.scope)

            receipt = await retried.wait(20)
            await second.flush(20)

    assert ExtractionState.DONE == receipt.extraction
    assert 1 == len(model.chat_requests)


async def test_a_turn_that_is_taken_up_twice_ends_for_all_who_wait(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """Its lease over, a turn that is worked on is asked for once all the same."""
    with ScriptedModel(chat=[replace(GOOD, delay_s=0.5), GOOD]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model), clock=clock
        ) as memory:
            added = await memory.add_turn("Any news of Iris?", "A loom.")
            await asked(model)
            clock.advance(LONGER_THAN_A_LEASE)

            again = await memory.extract_pending()
            ended = [await receipt.wait(20) for receipt in (added, *again)]

    assert {ExtractionState.DONE} == {receipt.extraction for receipt in ended}
    assert 1 == len(model.chat_requests)


async def test_a_turn_that_cannot_be_read_keeps_no_other_out(
    settings_with: Configure, embedder: HashedEmbedder, scope: str, ask: Ask
) -> None:
    """Whoever made a turn by hand has not stopped those that wait beside it."""
    await ask(
        "CREATE (:Turn {scope: $scope, id: $scope, text: 'by hand', extraction: 'pending'})",
        scope=scope,
    )
    off = settings_with(extraction_enabled=False)
    async with await AsyncGraphMemory.open(off, embedder=embedder) as memory:
        added = await memory.add_turn("Otis keeps bees.")

    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        (taken,) = await memory.extract_pending()
        receipt = await taken.wait(20)

    assert (added.turn_id, ExtractionState.LOCAL) == (receipt.turn_id, receipt.extraction)


async def test_closing_finishes_what_is_queued(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Whoever did not wait before finds it done at the next start."""
    with ScriptedModel(chat=[replace(GOOD, delay_s=0.3)]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            added = await memory.add_turn("Any news of Iris?", "A loom.")
            early = await added.wait(0.01)

    assert ExtractionState.PENDING == early.extraction
    assert ExtractionState.DONE == (await added.wait()).extraction


async def test_closing_ends_at_its_deadline_and_leaves_the_rest_to_the_next_start(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """A model that never answers holds nobody; another process may take the turn up at once."""
    settings = settings_with(close_timeout_s=0.2)
    with ScriptedModel(chat=[ScriptedReply(is_hanging=True), GOOD]) as model:
        memory = await AsyncGraphMemory.open(settings, embedder=embedder, chat_model=chat(model))
        added = await memory.add_turn("Any news of Iris?", "A loom.")
        await asked(model)
        started = time.monotonic()

        await memory.close()

        closing_s = time.monotonic() - started
        left = await added.wait()
        async with await AsyncGraphMemory.open(
            settings, embedder=embedder, chat_model=chat(model)
        ) as again:
            (taken,) = await again.extract_pending()
            receipt = await taken.wait(20)

    assert closing_s < 5
    assert ExtractionState.PENDING == left.extraction
    assert (added.turn_id, ExtractionState.DONE) == (receipt.turn_id, receipt.extraction)


async def test_earlier_summaries_are_shown_from_the_moment_they_are_asked_for(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """`reference_summaries` is a hot setting, off by default."""
    with ScriptedModel(chat=[GOOD, GOOD, GOOD]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            await memory.add_turn("Any news of Iris?", "A loom.", wait=True)
            await memory.add_turn("What for?", "She weaves now.", wait=True)
            await memory.configure(reference_summaries=1)
            await memory.add_turn("Since when?", "Since May.", wait=True)

    shown = ["Iris bought a loom in Ghent." in str(request.body) for request in model.chat_requests]
    assert [False, False, True] == shown


async def test_strict_items_set_a_turn_apart_for_one_bad_item(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """What is left out and counted by default is a refusal then."""
    bad = ScriptedReply.json({"summary": "Iris bought a loom.", "triples": [["Iris", "bought"]]})
    with ScriptedModel(chat=[bad, bad]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            lenient = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)
        async with await AsyncGraphMemory.open(
            settings_with(strict_items=True), embedder=embedder, chat_model=chat(model)
        ) as memory:
            strict = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)

    assert (ExtractionState.DONE, 1) == (lenient.extraction, len(lenient.dropped))
    assert ExtractionState.QUARANTINED == strict.extraction
    assert strict.error.startswith("bad-item: ")


async def test_how_much_an_answer_holds_can_be_changed_at_once(memory: AsyncGraphMemory) -> None:
    """`recall_max_turns` holds where no limit is given."""
    await memory.add_turns([{"question": f"Hive {n} gave honey."} for n in range(3)], wait=True)
    before = await memory.recall("honey")
    await memory.configure(recall_max_turns=1)

    after = await memory.recall("honey")

    assert (3, 1) == (len(before.turns), len(after.turns))
    assert 2 == len((await memory.recall("honey", limit=2)).turns)


async def test_how_near_a_turn_must_be_can_be_changed_at_once(memory: AsyncGraphMemory) -> None:
    """`semantic_threshold` keeps out what only its vector found."""
    await memory.configure(semantic_threshold=-1.0)
    await memory.add_turn("Otis keeps bees.", wait=True)
    by_vector = await memory.recall("violin repairs")
    await memory.configure(semantic_threshold=0.9)

    too_far = await memory.recall("violin repairs")

    assert (1, 0) == (len(by_vector.turns), len(too_far.turns))


async def test_the_doctor_tells_why_turns_wait(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """A model that cannot be asked is a fault with its reason, though nothing is lost."""
    with ScriptedModel(chat=[ScriptedReply.failure(401, "no such key")]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            await memory.add_turn("Any news of Iris?", "A loom.", wait=True)

            (fault,) = (await memory.doctor()).faults

    assert "no such key" in fault.what
    assert "graphmem extract" in fault.remedy
