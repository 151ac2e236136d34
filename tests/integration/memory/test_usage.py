"""What answers leave behind, and who has a say in their order: usage, feedback, a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from graphmem import AsyncGraphMemory, Evidence, GraphMemory, Hit, InputError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.memory.conftest import Configure

KILN = {
    "summary": "The kiln reaches 1240 degrees.",
    "triples": [["kiln", "reaches", "1240 degrees"]],
}
JUNE = datetime(2026, 6, 1, tzinfo=UTC)


class Backwards:
    """Likes best what graphmem likes least; may be told to fail."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.is_broken = False

    async def rerank(self, query: str, hits: Sequence[Hit]) -> Sequence[float]:  # noqa: ARG002
        """Return higher numbers for later hits."""
        self.seen.append(len(hits))
        if self.is_broken:
            raise RuntimeError("broken")
        return list(range(len(hits)))


async def stored(memory: AsyncGraphMemory, turn_id: str) -> Evidence:
    """Return a turn as the store has it once answers are counted."""
    await memory.flush()
    evidence = await memory.get_turn(turn_id)
    assert evidence is not None
    return evidence


async def two_kilns(memory: AsyncGraphMemory) -> tuple[str, str]:
    """Add two turns that are as relevant as each other; return their ids, the newer one last."""
    receipts = [
        await memory.add_turn("The kiln is hot.", session_id=f"s{n}", at=JUNE, wait=True)
        for n in (1, 2)
    ]
    first, second = [hit.turn.id for hit in (await memory.recall("kiln hot")).turns]
    assert {receipt.turn_id for receipt in receipts} == {first, second}
    return first, second


async def test_an_answer_is_counted_on_its_turns_and_facts(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """How often and when; a turn that was in no answer stays as it was."""
    kiln = await memory.add_turn("How hot is the kiln?", "1240.", extraction=KILN, wait=True)
    other = await memory.add_turn("Dinner?", "Lentil soup.", session_id="s2", wait=True)
    await memory.recall("kiln degrees", limit=1)
    clock.set(JUNE)

    await memory.recall("kiln degrees", limit=1)

    found = await stored(memory, kiln.turn_id)
    assert (2, JUNE) == (found.turn.recall_count, found.turn.last_accessed_at)
    assert [2] == [fact.recall_count for fact in found.facts]
    untouched = await stored(memory, other.turn_id)
    assert (0, None) == (untouched.turn.recall_count, untouched.turn.last_accessed_at)


async def test_closing_writes_what_was_counted(
    memory: AsyncGraphMemory, settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Nothing is lost with a process that ends in good order."""
    kiln = await memory.add_turn("How hot is the kiln?", "1240.", wait=True)

    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as other:
        await other.recall("kiln")

    assert 1 == (await stored(memory, kiln.turn_id)).turn.recall_count


async def test_counting_can_be_switched_off(memory: AsyncGraphMemory) -> None:
    """At once; answers are the same."""
    kiln = await memory.add_turn("How hot is the kiln?", "1240.", wait=True)
    await memory.configure(record_usage=False)

    found = await memory.recall("kiln")

    assert [kiln.turn_id] == [hit.turn.id for hit in found.turns]
    assert 0 == (await stored(memory, kiln.turn_id)).turn.recall_count


async def test_counting_adds_no_round_trip_to_an_answer(memory: AsyncGraphMemory) -> None:
    """Three at most, whatever is written behind it."""
    await memory.add_turn("How hot is the kiln?", "1240.", wait=True)

    found = await memory.recall("kiln")

    assert found.trace.round_trips <= 3


async def test_praise_orders_where_value_has_a_weight(memory: AsyncGraphMemory) -> None:
    """Of two equally relevant turns the praised one comes first, and the score says why."""
    first, second = await two_kilns(memory)
    await memory.configure(recall_value_weight=0.3)

    assert 1 == await memory.feedback([second, second], 1.0)

    found = await memory.recall("kiln hot")
    assert [second, first] == [hit.turn.id for hit in found.turns]
    assert 1.0 >= found.turns[0].value > found.turns[1].value
    for hit in found.turns:
        assert hit.score == pytest.approx(sum(hit.parts.values()) * hit.value)
    rated = (await stored(memory, second)).turn
    assert (1.0, 1) == (rated.reward_sum, rated.reward_count)


async def test_feedback_on_a_turn_that_is_not_there_rates_none(
    memory: AsyncGraphMemory, scope: str
) -> None:
    """The error names it; another scope's turn is not there either."""
    foreign = await memory.scoped(f"{scope}/other").add_turn("Bees?", "Yes.", wait=True)
    own = await memory.add_turn("Kites?", "Yes.", wait=True)

    with pytest.raises(InputError, match="of nothing in this scope") as caught:
        await memory.feedback([own.turn_id, foreign.turn_id], 1)

    assert ("no-such-node", (foreign.turn_id,)) == (caught.value.kind, tuple(caught.value.ids))
    assert 0 == (await stored(memory, own.turn_id)).turn.reward_count


@pytest.mark.parametrize("reward", [-0.1, 1.1, float("nan"), True, "1", None])
async def test_a_reward_lies_between_nothing_and_one(
    memory: AsyncGraphMemory, reward: object
) -> None:
    """Anything else is refused before the server is asked."""
    with pytest.raises(InputError, match="reward"):
        await memory.feedback(["a" * 32], reward)  # type: ignore[arg-type]


async def test_a_reranker_orders_the_best_turns(memory: AsyncGraphMemory) -> None:
    """It sees more turns than are wanted, and the limit is kept."""
    for place in range(4):
        await memory.add_turn(f"The kiln is hot, note {place}.", session_id="s", wait=True)
    before = [hit.turn.id for hit in (await memory.recall("kiln hot", limit=4)).turns]
    reranker = Backwards()
    memory.set_reranker(reranker)
    await memory.configure(rerank_depth=3)

    found = await memory.recall("kiln hot", limit=2)

    assert [3] == reranker.seen
    assert [before[2], before[1]] == [hit.turn.id for hit in found.turns]
    assert [2.0, 1.0] == [hit.rerank_score for hit in found.turns]
    assert () == found.degraded
    assert "rerank" in found.trace.timings_ms


async def test_a_reranker_that_fails_costs_no_answer(memory: AsyncGraphMemory) -> None:
    """The order stays, the answer says so; without it all is as before."""
    await two_kilns(memory)
    whole = await memory.recall("kiln hot")
    reranker = Backwards()
    reranker.is_broken = True
    memory.set_reranker(reranker)

    found = await memory.recall("kiln hot")

    memory.set_reranker(None)
    again = await memory.recall("kiln hot")
    order = [hit.turn.id for hit in whole.turns]
    assert [order, order] == [[hit.turn.id for hit in one.turns] for one in (found, again)]
    assert (("reranker",), ()) == (found.degraded, again.degraded)


def test_the_synchronous_face_has_both(settings_with: Configure, embedder: HashedEmbedder) -> None:
    """A reranker and feedback work without a loop of the caller's."""
    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        memory.add_turn("The kiln is hot.", wait=True)
        reranker = Backwards()
        memory.set_reranker(reranker)

        found = memory.recall("kiln")

        assert [1] == reranker.seen
        assert 1 == memory.feedback([found.turns[0].turn.id], 0.5)


async def test_asking_for_no_turns_embeds_nothing(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """There is nothing to compare."""
    await memory.add_turn("The kiln is hot.", wait=True)
    embedded = list(embedder.texts)

    found = await memory.recall("kiln", limit=0)

    assert (embedded, ()) == (embedder.texts, found.turns)


async def test_parts_are_switched_off_and_on_while_a_memory_is_open(
    memory: AsyncGraphMemory,
) -> None:
    """An ablation needs nothing but settings."""
    await memory.add_turn("How hot is the kiln?", "1240.", extraction=KILN, wait=True)
    await memory.configure(recall_weights={"graph": 0}, recall_max_facts=0)

    without = await memory.recall("kiln")
    await memory.configure(recall_weights={}, recall_max_facts=12)
    whole = await memory.recall("kiln")

    assert "graph" in whole.turns[0].parts
    assert whole.turns[0].parts.keys() - without.turns[0].parts.keys() == {"graph"}
    assert (0, 1) == (len(without.facts), len(whole.facts))


async def test_reciprocal_ranks_can_be_chosen(memory: AsyncGraphMemory) -> None:
    """Each part is 1 / (60 + rank)."""
    await memory.add_turn("The kiln is hot.", wait=True)
    await memory.configure(recall_fusion="rrf")

    found = await memory.recall("kiln hot")

    assert {"text", "vector", "graph"} == found.turns[0].parts.keys()
    assert set(found.turns[0].parts.values()) == {1 / 61}
