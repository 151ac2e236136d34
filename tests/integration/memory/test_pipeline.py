"""A turn's way from the call into the graph, and what becomes of it when something fails."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from graphmem import AsyncGraphMemory, ConfigError, ExtractionState, InputError
from graphmem.llm import ChatReply, ChatRequest, OpenAIChatModel
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel, ScriptedReply
from tests.conftest import DIMENSIONS
from tests.integration.memory.conftest import Configure

GOOD = ScriptedReply.json(
    {
        "summary": "Iris bought a loom in Ghent.",
        "outcome": "informational",
        "triples": [{"subject": "Iris", "predicate": "bought", "object": "loom"}],
        "tags": ["weaving"],
        "intent": "tell",
    }
)


def chat(model: ScriptedModel) -> OpenAIChatModel:
    """Return a client of the scripted endpoint."""
    return OpenAIChatModel("scripted", base_url=model.base_url, structured_output="json_object")


async def test_a_turn_is_found_by_its_text_before_it_is_extracted(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """What is committed can be recalled at once: nothing waits for a model."""
    settings = settings_with(extraction_enabled=False)
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        receipt = await memory.add_turn("Where is the key?", "Under the blue pot.")

        found = await memory.recall("blue pot")

    assert ExtractionState.PENDING == receipt.extraction
    assert [receipt.turn_id] == [hit.turn.id for hit in found.turns]


async def test_one_completion_is_asked_for_each_turn(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """One turn is one call, and what it cost is in the receipt."""
    with ScriptedModel(chat=[GOOD]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            added = await memory.add_turn("Any news of Iris?", "She bought a loom.")

            receipt = await added.wait(20)

    assert 1 == len(model.chat_requests)
    assert (ExtractionState.DONE, 1, 100) == (
        receipt.extraction,
        receipt.facts,
        receipt.prompt_tokens,
    )


async def test_a_turn_takes_two_write_transactions_and_one_read(memory: AsyncGraphMemory) -> None:
    """Capture writes once, the graph is read and written once."""
    await memory.add_turn("warm up", wait=True)
    await asyncio.sleep(0.2)
    before = memory._engine.db.count.copy()

    await memory.add_turn("Tom works at Halcyon.", "Noted.", wait=True)

    used = memory._engine.db.count.since(before)
    assert (2, 1) == (used.writes, used.reads)


async def test_a_refused_reply_is_quarantined_and_a_retry_asks_again(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """The turn stays found by its text; an explicit retry may reply twice as long."""
    with ScriptedModel(chat=[ScriptedReply(content="no idea"), GOOD]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            refused = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)
            (row,) = await memory.quarantine()
            still_found = await memory.recall("Iris")

            (retried,) = await memory.retry_extraction()
            receipt = await retried.wait(20)

            left = await memory.quarantine()

    first, second = (request.body for request in model.chat_requests)
    assert ExtractionState.QUARANTINED == refused.extraction
    assert refused.turn_id == row.turn_id
    assert len("no idea") == row.reply_length
    assert [refused.turn_id] == [hit.turn.id for hit in still_found.turns]
    assert ExtractionState.DONE == receipt.extraction
    assert [] == left
    limit = "max_completion_tokens" if "max_completion_tokens" in first else "max_tokens"
    assert 2 * first[limit] == second[limit]


async def test_a_quarantined_turn_can_be_given_up(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Dropping ends the quarantine, not the turn."""
    with ScriptedModel(chat=[ScriptedReply(content="no idea")]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            refused = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)

            dropped = await memory.drop_quarantined([refused.turn_id])

            evidence = await memory.get_turn(refused.turn_id)

    assert 1 == dropped
    assert evidence is not None
    assert ExtractionState.LOCAL == evidence.turn.extraction


async def test_a_transport_fault_leaves_the_turn_pending_for_the_next_start(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """A model that is away loses nothing: the next start asks again when the pause is over."""
    with ScriptedModel(chat=[ScriptedReply.failure(401, "no such key")]) as away:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(away), clock=clock
        ) as memory:
            receipt = await memory.add_turn("Any news of Iris?", "A loom.", wait=True)
    clock.advance(timedelta(minutes=5))

    with ScriptedModel(chat=[GOOD]) as back:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(back), clock=clock
        ) as memory:
            await memory.recall("Iris")
            async with asyncio.timeout(20):
                while not back.chat_requests:
                    await asyncio.sleep(0.05)
            await memory.flush(20)
            evidence = await memory.get_turn(receipt.turn_id)

    assert ExtractionState.PENDING == receipt.extraction
    assert "401" in receipt.error
    assert evidence is not None
    assert ExtractionState.DONE == evidence.turn.extraction


async def test_what_the_caller_gave_survives_a_process_that_ends_before_it_is_written(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """A given extraction is committed with the turn, and taken up by the next start."""
    settings = settings_with(close_timeout_s=0.0)
    given = {"summary": "Tom moved.", "triples": [["Tom", "lives in", "Lund"]]}
    memory = await AsyncGraphMemory.open(settings, embedder=embedder, clock=clock)
    async with memory._engine.pipeline._lane(memory.scope):
        # Nothing is written into the graph while its lane is held.
        receipt = await memory.add_turn("Tom moved to Lund.", extraction=given)
        await memory.close()

    async with await AsyncGraphMemory.open(settings, embedder=embedder, clock=clock) as again:
        async with asyncio.timeout(20):
            while not (found := await again.get_turn(receipt.turn_id)) or not found.facts:
                await asyncio.sleep(0.05)

    assert ["Tom lives in Lund"] == [fact.text for fact in found.facts]
    assert ExtractionState.GIVEN == found.turn.extraction


async def test_switching_extraction_on_takes_up_what_waited(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """`extraction_enabled` is a hot setting."""
    settings = settings_with(extraction_enabled=False)
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        receipt = await memory.add_turn("Tom works at Halcyon.")

        await memory.configure(extraction_enabled=True)
        async with asyncio.timeout(20):
            while (await memory.stats()).extraction.get("local") != 1:
                await asyncio.sleep(0.05)

        evidence = await memory.get_turn(receipt.turn_id)

    assert evidence is not None
    assert ExtractionState.LOCAL == evidence.turn.extraction


async def test_a_turn_that_one_process_works_on_is_left_alone_by_another(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Two memories in one scope ask the model once for each turn."""
    slow = ScriptedReply(content=GOOD.content, delay_s=1.0)
    with ScriptedModel(chat=[slow, GOOD]) as model:
        async with (
            await AsyncGraphMemory.open(
                settings_with(), embedder=embedder, chat_model=chat(model)
            ) as first,
            await AsyncGraphMemory.open(
                settings_with(), embedder=HashedEmbedder(DIMENSIONS), chat_model=chat(model)
            ) as second,
        ):
            receipt = await first.add_turn("Any news of Iris?", "A loom.")
            await second.recall("Iris")
            await second._engine.backlog.sweep(second.scope)
            await receipt.wait(20)
            await second.flush(20)

    assert 1 == len(model.chat_requests)


async def test_redo_local_asks_the_model_for_what_was_extracted_locally(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """A store begun without a model is upgraded later."""
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        await memory.add_turn("Iris bought a loom.", wait=True)
        with pytest.raises(ConfigError, match="GRAPHMEM_LLM_MODEL"):
            await memory.redo_local()

    with ScriptedModel(chat=[GOOD]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            redone = await memory.redo_local()
            stats = await memory.stats()

    assert 1 == redone
    assert 1 == stats.extraction["done"]
    assert 1 == stats.nodes["Fact"]


async def test_a_bad_turn_of_an_import_is_named_and_keeps_no_other_out(
    memory: AsyncGraphMemory,
) -> None:
    """All good turns are stored, and the error says which one is not, and why."""
    turns = [{"question": "number 0"}, {"question": "half \ud83d"}, {"question": "number 2"}]

    with pytest.raises(InputError, match=r"turn 1: .*surrogate") as caught:
        await memory.add_turns(turns, batch_size=2)

    assert 2 == len(caught.value.ids)
    assert 2 == (await memory.stats()).nodes["Turn"]


async def test_an_import_of_another_form_ends_early(memory: AsyncGraphMemory) -> None:
    """After a hundred bad turns the rest is not read."""
    read: list[int] = []

    def turns() -> Iterator[dict[str, str]]:
        for number in range(1000):
            read.append(number)
            yield {"text": "no such field"}

    with pytest.raises(InputError, match="given up"):
        await memory.add_turns(turns())

    assert 100 == len(read)


async def test_an_import_tells_its_progress(memory: AsyncGraphMemory) -> None:
    """Progress counts up to the whole."""
    told: list[tuple[int, int | None]] = []

    receipts = await memory.add_turns(
        [{"question": f"number {i}"} for i in range(5)],
        batch_size=2,
        progress=lambda done, total: told.append((done, total)),
        wait=True,
    )

    assert [(2, 5), (4, 5), (5, 5)] == told
    assert {ExtractionState.LOCAL} == {receipt.extraction for receipt in receipts}


class _Odd:
    """A chat model of the caller's own that raises or returns what no chat model should."""

    route = "odd@home"

    def __init__(self, answer: object) -> None:
        self._answer = answer

    async def complete(self, request: ChatRequest) -> ChatReply:
        del request
        if isinstance(self._answer, Exception):
            raise self._answer
        return cast("ChatReply", self._answer)

    async def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize("answer", [ValueError("boom"), None, "text"])
async def test_a_chat_model_that_breaks_its_contract_leaves_the_turn_pending_with_a_reason(
    settings_with: Configure, embedder: HashedEmbedder, answer: object
) -> None:
    """The attempt is counted and told, so that it is tried again with a pause."""
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, chat_model=_Odd(answer)
    ) as memory:
        receipt = await memory.add_turn("Any news of Iris?", "She bought a loom.", wait=True)
        stored = await memory.get_turn(receipt.turn_id)

    assert ExtractionState.PENDING == receipt.extraction
    assert stored is not None
    assert ("unexpected", 1) == (stored.turn.error.partition(":")[0], stored.turn.attempts)


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.add_turns(5),
        lambda memory: memory.add_turns("abc"),
        lambda memory: memory.add_turns({"question": "a"}),
        lambda memory: memory.add_turns([{"question": "a"}], batch_size=0),
        lambda memory: memory.add_turns([{"question": "a"}], batch_size=2001),
        lambda memory: memory.add_turns([{"question": "a"}], batch_size=True),
        lambda memory: memory.add_messages(None),
        lambda memory: memory.add_messages(iter([{"role": "user", "content": "a"}])),
        lambda memory: memory.get_turn(None),
        lambda memory: memory.get_turn("half \ud83d"),
        lambda memory: memory.quarantine(-1),
        lambda memory: memory.quarantine("5"),
        lambda memory: memory.quarantine(10**30),
        lambda memory: memory.retry_extraction("abc"),
        lambda memory: memory.drop_quarantined("abc"),
        lambda memory: memory.redo_local(limit=-1),
    ],
)
async def test_an_argument_of_another_form_is_refused_before_anything_is_written(
    memory: AsyncGraphMemory, call: Callable[[AsyncGraphMemory], Awaitable[object]]
) -> None:
    """Every call names what is wrong with what it was handed."""
    with pytest.raises(InputError):
        await call(memory)

    assert 0 == (await memory.stats()).nodes["Turn"]


async def test_a_turn_added_again_while_it_is_extracted_is_told_as_there_already(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Only the first call made it; both learn what becomes of it."""
    with ScriptedModel(chat=[replace(GOOD, delay_s=0.3)]) as model:
        async with await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, chat_model=chat(model)
        ) as memory:
            first = await memory.add_turn("Any news of Iris?", turn_key="k")
            again = await memory.add_turn("Any other news?", turn_key="k")
            ended = [await receipt.wait(20) for receipt in (first, again)]

    assert [(True, False), (False, True)] == [(end.created, end.is_other_content) for end in ended]
    assert [ExtractionState.DONE] * 2 == [end.extraction for end in ended]
    assert 1 == len(model.chat_requests)


async def test_the_same_turn_again_waits_for_the_first_although_nobody_holds_its_receipt(
    memory: AsyncGraphMemory,
) -> None:
    """`wait=True` means extracted, whoever added the turn."""
    lane = memory._engine.pipeline._lane(memory.scope)
    async with lane:
        await memory.add_turn("Otis keeps bees.", turn_key="k")
        again = asyncio.create_task(memory.add_turn("Otis keeps bees.", turn_key="k", wait=True))
        await asyncio.sleep(0.3)
        is_waiting = not again.done()

    receipt = await again

    assert is_waiting
    assert (False, ExtractionState.LOCAL) == (receipt.created, receipt.extraction)


async def test_flush_takes_up_what_waits_where_opening_was_told_not_to(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Then everything is extracted that was ever added, also by a process before."""
    off = settings_with(extraction_enabled=False)
    async with await AsyncGraphMemory.open(off, embedder=embedder) as memory:
        await memory.add_turn("Otis keeps bees.")
    later = settings_with(resume_at_open=False)

    async with await AsyncGraphMemory.open(later, embedder=embedder) as memory:
        await asyncio.sleep(0.3)
        before = (await memory.stats()).extraction
        await memory.flush(20)
        after = (await memory.stats()).extraction

    assert 1 == before["pending"]
    assert 1 == after["local"]
