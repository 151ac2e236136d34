"""A recall brings the procedures that serve a question, and counts and rates them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from graphmem import AsyncGraphMemory, InputError, Recall
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask
from tests.integration.memory.conftest import Configure

KILN = {"summary": "The kiln is hot.", "triples": [["kiln", "reaches", "1240 degrees"]]}


def ways(found: Recall) -> Sequence[str]:
    """Return the instructions of an answer, in order."""
    return [hit.procedure.instruction for hit in found.procedures]


async def test_a_question_finds_procedures_by_what_they_are_good_for(
    memory: AsyncGraphMemory,
) -> None:
    """By the Intent's vector; the words of an instruction need not be in the question."""
    await memory.procedural.define("Feed the starter, fold, wait.", intent="bake rye bread")
    await memory.procedural.define("Tag, then push.", intent="ship a release")

    found = await memory.recall("How shall I bake rye bread?")

    assert ["Feed the starter, fold, wait."] == ways(found)
    (hit,) = found.procedures
    assert "bake rye bread" == hit.procedure.intent
    assert hit.cosine is not None
    assert 0 < hit.score <= 1
    assert [] == ways(await memory.recall("Where does Ana live now?"))


async def test_words_find_procedures_without_an_embedder(settings_with: Configure) -> None:
    """Most words of the Intent, or most of the question; no cosine is told."""
    async with await AsyncGraphMemory.open(settings_with(embedding_model="none")) as memory:
        await memory.procedural.define("Feed the starter, then fold.", intent="bake rye bread")
        await memory.procedural.define("Tag, then push.", intent="ship a release")

        by_intent = await memory.recall("Which flour is best to bake rye bread?")
        by_instruction = await memory.recall("When do we fold the starter?")
        by_nothing = await memory.recall("Which bread did Ana buy in Lyon yesterday?")

    assert ["Feed the starter, then fold."] == ways(by_intent) == ways(by_instruction)
    assert [] == ways(by_nothing)
    assert [None] == [hit.cosine for hit in by_intent.procedures]


async def test_an_answer_has_as_many_procedures_as_the_setting_says(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The highest priority first, of those that are as relevant; none where it is 0."""
    for priority in range(5):
        way = f"Way {priority}."
        await memory.procedural.define(way, intent="bake rye bread", priority=priority)
    clock.set(clock.now() + timedelta(days=1))

    usual = await memory.recall("bake rye bread")
    await memory.configure(recall_max_procedures=0)
    none = await memory.recall("bake rye bread")

    assert ["Way 4.", "Way 3.", "Way 2."] == ways(usual)
    assert () == none.procedures


async def test_only_what_is_told_comes(memory: AsyncGraphMemory, ask: Ask) -> None:
    """Neither what was removed, nor what decayed, nor what another scope holds."""
    other = memory.scoped(f"{memory.scope}/other")
    gone = await memory.procedural.define("Removed.", intent="bake rye bread")
    await memory.procedural.remove(gone.id, "it burns")
    old = await memory.procedural.define("Decayed.", intent="bake rye bread")
    await ask("MATCH (p:Procedure {id: $id}) SET p.status = 'deprecated'", id=old.id)
    await other.procedural.define("Theirs.", intent="bake rye bread")
    await memory.procedural.define("Mine.", intent="bake rye bread")

    assert ["Mine."] == ways(await memory.recall("bake rye bread"))
    assert ["Theirs."] == ways(await other.recall("bake rye bread"))


async def test_filters_let_in_what_was_learned_from_turns_that_may_answer(
    memory: AsyncGraphMemory,
) -> None:
    """Of an agent's question also what that agent defined."""
    turn = await memory.add_turn("The bread burnt.", session_id="s1", agent_id="baker", wait=True)
    define = memory.procedural.define
    await define("Learned.", intent="bake rye bread", turn_ids=[turn.turn_id])
    await define("Said by the baker.", intent="bake rye bread", agent_id="baker")
    await define("Said by nobody.", intent="bake rye bread")

    async def asked(**filters: str) -> set[str]:
        return set(ways(await memory.recall("bake rye bread", **filters)))  # type: ignore[arg-type]  # texts alone

    assert {"Learned.", "Said by the baker.", "Said by nobody."} == await asked()
    assert {"Learned."} == await asked(session_id="s1")
    assert set() == await asked(session_id="s2")
    assert {"Learned.", "Said by the baker."} == await asked(agent_id="baker")
    assert set() == await asked(agent_id="somebody")
    assert {"Learned."} == await asked(agent_id="baker", session_id="s1")


async def test_what_was_not_known_yet_does_not_come(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A recall of what was known at a time has the procedures of then."""
    await memory.procedural.define("Early.", intent="bake rye bread")
    then = clock.now() + timedelta(hours=1)
    clock.set(clock.now() + timedelta(days=1))
    await memory.procedural.define("Late.", intent="bake rye bread")

    assert ["Early."] == ways(await memory.recall("bake rye bread", known_at=then))


async def test_a_recall_with_procedures_takes_three_round_trips(memory: AsyncGraphMemory) -> None:
    """The probes are parts of statements that are sent anyway."""
    await memory.add_turn("How hot is the kiln?", "1240.", extraction=KILN, wait=True)
    await memory.recall("fire the kiln")
    await memory.flush()
    count = memory._engine.db.count
    before = count.copy()
    without = (await memory.recall("fire the kiln")).trace.round_trips
    asked_without = count.since(before).reads

    await memory.procedural.define("Cone 6.", intent="fire the kiln")
    before = count.copy()
    found = await memory.recall("fire the kiln")

    assert ["Cone 6."] == ways(found)
    assert (3, 3) == (without, found.trace.round_trips)
    assert asked_without == count.since(before).reads == 6


async def test_procedures_come_where_there_are_no_turns(memory: AsyncGraphMemory) -> None:
    """A scope may hold nothing else; an answer that abstains keeps what is near enough."""
    await memory.configure(recall_abstains=True)
    await memory.procedural.define("Cone 6.", intent="fire the kiln")

    found = await memory.recall("How do I fire the kiln?")

    assert ((), ()) == (found.turns, found.facts)
    assert ["Cone 6."] == ways(found)
    assert "Cone 6." in found.prompt()


async def test_an_answer_is_counted_on_its_procedures(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """How often and when; others stay as they were."""
    way = await memory.procedural.define("Cone 6.", intent="fire the kiln")
    other = await memory.procedural.define("Tag.", intent="ship a release")
    await memory.recall("fire the kiln")
    clock.set(datetime(2027, 6, 1, tzinfo=UTC))

    await memory.recall("fire the kiln")
    await memory.flush()

    counted = await memory.procedural.get(way.id)
    assert counted is not None
    assert (2, clock.now()) == (counted.recall_count, counted.last_accessed_at)
    assert other == await memory.procedural.get(other.id)


async def test_an_answer_is_rated_as_a_whole(memory: AsyncGraphMemory) -> None:
    """Its turns, facts and procedures, each once."""
    await memory.add_turn("How hot is the kiln?", "1240.", extraction=KILN, wait=True)
    await memory.procedural.define("Cone 6.", intent="fire the kiln")
    found = await memory.recall("fire the kiln")

    rated = await memory.feedback(found, 0.75)

    again = await memory.recall("fire the kiln")
    assert 3 == rated
    for node in (again.turns[0].turn, again.facts[0].fact, again.procedures[0].procedure):
        assert (0.75, 1) == (node.reward_sum, node.reward_count)


async def test_ids_of_any_kind_are_rated_all_or_none(memory: AsyncGraphMemory) -> None:
    """One that is not there is named, and nothing was written."""
    turn = await memory.add_turn("How hot is the kiln?", "1240.", wait=True)
    fact = await memory.semantic.remember("Iris owns a loom.")
    way = await memory.procedural.define("Cone 6.", intent="fire the kiln")
    ids = [turn.turn_id, fact.id, way.id, way.id]

    with pytest.raises(InputError, match="'nobody'") as caught:
        await memory.feedback([*ids, "nobody"], 1.0)
    rated = await memory.feedback(ids, 1.0)

    assert ("no-such-node", ("nobody",)) == (caught.value.kind, tuple(caught.value.ids))
    assert 3 == rated
    stored = await memory.procedural.get(way.id)
    known = await memory.semantic.get(fact.id)
    assert stored is not None
    assert known is not None
    assert [(1.0, 1)] * 2 == [(one.reward_sum, one.reward_count) for one in (stored, known)]


async def test_an_answer_of_another_scope_is_not_rated_here(memory: AsyncGraphMemory) -> None:
    """Even an empty one: it is a mistake."""
    other = memory.scoped(f"{memory.scope}/other")

    with pytest.raises(InputError, match="the answer is of scope"):
        await memory.feedback(await other.recall("kiln"), 1.0)


async def test_praise_orders_what_is_as_relevant(memory: AsyncGraphMemory) -> None:
    """Value is a factor of the score, and keeps nothing out."""
    await memory.configure(recall_value_weight=0.5)
    good = await memory.procedural.define("Cone 6.", intent="fire the kiln")
    bad = await memory.procedural.define("Cone 10.", intent="fire the kiln")
    await memory.feedback([good.id], 1.0)
    await memory.feedback([bad.id], 0.0)

    found = await memory.recall("fire the kiln")

    assert ["Cone 6.", "Cone 10."] == ways(found)
    first, second = found.procedures
    assert 1 >= first.value > second.value > 0
    assert first.score == pytest.approx(first.value * (first.cosine or 0.0), abs=1e-6)


async def test_while_the_embedder_is_down_words_find_procedures(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """The answer says that vectors could not take part."""
    await memory.procedural.define("Cone 6.", intent="fire the kiln")
    embedder.is_down = True

    found = await memory.recall("How do I fire the kiln?")

    assert ["Cone 6."] == ways(found)
    assert "vector" in found.degraded


async def test_an_explanation_tells_why_a_procedure_came(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """By which Intent, how near, by which words; the query that draws it finds its nodes."""
    turn = await memory.add_turn("The glaze cracked.", wait=True)
    way = await memory.procedural.define(
        "Cone 6, slowly.", intent="fire the kiln", turn_ids=[turn.turn_id]
    )

    told = await (await memory.recall("How do I fire the kiln?")).explain()

    (reason,) = told.procedures
    assert (1, way.id, "fire the kiln") == (reason.rank, reason.procedure_id, reason.intent)
    assert ("fire", "kiln") == reason.words
    assert "procedures\n1. score " in told.to_text()
    assert '; by Intent "fire the kiln", cosine ' in told.to_text()
    drawn = await ask(told.cypher.removesuffix(";"))
    assert {way.id, way.intent_id} <= {row["node"]["id"] for row in drawn}


async def test_a_kept_answer_has_its_procedures(memory: AsyncGraphMemory, ask: Ask) -> None:
    """As they were; one that is gone since is counted."""
    way = await memory.procedural.define("Cone 6.", intent="fire the kiln")
    other = await memory.procedural.define("Cone 10.", intent="fire the kiln", priority=-1)
    found = await memory.recall("fire the kiln", keep_trace=True)
    now = await found.explain()

    kept = await memory.recall_trace(found.trace_id)
    (listed,) = await memory.recall_traces()
    await ask("MATCH (p:Procedure {id: $id}) DETACH DELETE p", id=other.id)
    left = await memory.recall_trace(found.trace_id)

    assert kept is not None
    assert left is not None
    assert [way.id, other.id] == [one.procedure_id for one in kept.procedures]
    assert now.procedures == kept.procedures
    assert (2, 0) == (listed.procedures, kept.gone)
    assert ([way.id], 1) == ([one.procedure_id for one in left.procedures], left.gone)
