"""Answers that are kept: opened again as they were, listed, deleted, and never another scope's."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, GraphMemory, InputError, StoreError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask
from tests.integration.memory.conftest import Configure

QUESTION = "Does Ana's bakery sell bread?"


async def bakery(memory: AsyncGraphMemory) -> str:
    """Remember a direct hit, whose id is returned, and a turn that the graph links to it."""
    work = await memory.add_turn(
        "Where does Ana work?",
        "At a bakery in Lyon.",
        session_id="s1",
        extraction={"triples": [["Ana", "works at", "bakery"]]},
        wait=True,
    )
    await memory.add_turn(
        "Any plans for the summer?",
        "The owner sails to Corsica.",
        session_id="s2",
        extraction={"triples": [["Corsica", "attracts", "Ana"]]},
        wait=True,
    )
    return work.turn_id


async def test_a_kept_answer_is_opened_as_it_was(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Scores, parts, words and paths of then, whatever the ranking does by now."""
    await bakery(memory)
    answer = await memory.recall(QUESTION, keep_trace=True)
    then = await answer.explain()

    await memory.configure(recall_weights={"text": 0.1, "graph": 3.0}, recall_fusion="rrf")
    clock.advance(86_400)
    await bakery(memory.scoped(memory.scope + "/other"))
    await memory.add_turn("Bakery bread.", "Ana's bakery sells bread.", wait=True)
    now = await memory.recall(QUESTION)
    opened = await memory.recall_trace(answer.trace_id)

    assert opened is not None
    assert then.turns == opened.turns
    assert any(turn.paths for turn in opened.turns)
    assert [fact.model_copy(update={"turn_ids": ()}) for fact in then.facts] == [
        fact.model_copy(update={"turn_ids": ()}) for fact in opened.facts
    ]
    assert (then.query, then.at, then.cypher, 0) == (
        opened.query,
        opened.at,
        opened.cypher,
        opened.gone,
    )
    assert then.trace.terms == opened.trace.terms
    assert [hit.turn.id for hit in now.turns] != [turn.turn_id for turn in opened.turns]


async def test_every_term_that_a_question_is_linked_to_is_told(memory: AsyncGraphMemory) -> None:
    """One by a part of its name too, at once and when the kept answer is opened."""
    await memory.add_turn(
        "Which way is it?",
        "Down the lane.",
        session_id="s1",
        extraction={"triples": [["Bakery Lane", "crosses", "Ana"]]},
        wait=True,
    )
    answer = await memory.recall("Where does Ana find bread in a bakery?", keep_trace=True)
    opened = await memory.recall_trace(answer.trace_id)

    assert opened is not None
    assert {"Ana", "Bakery Lane"} == set(answer.trace.terms)
    assert answer.trace.terms == opened.trace.terms


async def test_a_kept_answer_tells_when_its_facts_held(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Opened later, what held then is not read as what holds."""
    await bakery(memory)
    then = clock.now() + timedelta(hours=1)

    answer = await memory.recall(QUESTION, as_of=then, keep_trace=True)
    opened = await memory.recall_trace(answer.trace_id)

    assert opened is not None
    assert opened.facts
    assert then == opened.as_of
    assert f"facts that held at {then:%Y-%m-%d %H:%M} UTC" in opened.to_text()


async def test_an_answer_is_not_kept_unasked(memory: AsyncGraphMemory) -> None:
    """A question is nobody's business."""
    await bakery(memory)

    answer = await memory.recall(QUESTION)

    assert "" == answer.trace_id
    assert [] == await memory.recall_traces()


async def test_the_graph_links_a_kept_answer_to_its_turns_and_facts(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """Each with its rank and score, to be seen in Browser."""
    await bakery(memory)
    answer = await memory.recall(QUESTION, keep_trace=True)

    rows = await ask(
        "MATCH (r:RecallTrace {scope: $scope, id: $id})-[l:RECALLED]->(n) "
        "RETURN labels(n)[0] AS label, n.id AS id, l.rank AS rank, l.score AS score "
        "ORDER BY label DESC, rank",
        scope=memory.scope,
        id=answer.trace_id,
    )

    turns = [("Turn", hit.turn.id, n, hit.score) for n, hit in enumerate(answer.turns, 1)]
    facts = [("Fact", hit.fact.id, n, hit.score) for n, hit in enumerate(answer.facts, 1)]
    assert turns + facts == [(row["label"], row["id"], row["rank"], row["score"]) for row in rows]


async def test_nothing_of_an_erased_turn_is_left_in_a_kept_answer(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """It is counted as gone, and no name or text of it was copied."""
    await memory.add_turn(
        "Does the bakery sell bread?",
        "Ask Zircon77.",
        extraction={"triples": [["zircon77", "runs", "bakery"]]},
        wait=True,
    )
    answer = await memory.recall(QUESTION, keep_trace=True)
    was = len(answer.turns) + len(answer.facts)
    await ask(
        "MATCH (n:Turn|Message|Fact|Term|Tag|Decision {scope: $scope}) DETACH DELETE n",
        scope=memory.scope,
    )

    opened = await memory.recall_trace(answer.trace_id)
    left = await ask(
        "MATCH (n {scope: $scope}) RETURN labels(n) AS labels, properties(n) AS properties",
        scope=memory.scope,
    )

    assert opened is not None
    assert ((), (), was) == (opened.turns, opened.facts, opened.gone)
    assert f"no longer told: {was}" in opened.to_text()
    assert any("RecallTrace" in row["labels"] for row in left)
    assert "zircon" not in str(left).lower()


async def test_kept_answers_are_listed_newest_first_and_deleted_by_time(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A limit takes the newest; the first instant whose answers stay is the one named."""
    ids = []
    for n in range(3):
        ids.append((await memory.recall(f"Question {n}?", keep_trace=True)).trace_id)
        clock.advance(60)
    second = (await memory.recall_traces())[1].at

    listed = await memory.recall_traces(2)
    dropped = await memory.drop_traces(second)

    assert [ids[2], ids[1]] == [trace.id for trace in listed]
    assert ("Question 2?", 0, 0) == (listed[0].query, listed[0].turns, listed[0].facts)
    assert 1 == dropped
    assert [ids[2], ids[1]] == [trace.id for trace in await memory.recall_traces()]
    assert 2 == await memory.drop_traces()
    assert [] == await memory.recall_traces()


async def test_a_kept_answer_belongs_to_its_scope(memory: AsyncGraphMemory) -> None:
    """Another one neither opens, lists nor deletes it."""
    await bakery(memory)
    answer = await memory.recall(QUESTION, keep_trace=True)
    other = memory.scoped(memory.scope + "-birch")
    await bakery(other)

    seen = (await other.recall_trace(answer.trace_id), await other.recall_traces())

    assert (None, []) == seen
    assert 0 == await other.drop_traces()
    assert await memory.recall_trace(answer.trace_id) is not None


async def test_an_empty_scope_has_no_kept_answers(memory: AsyncGraphMemory) -> None:
    """Nothing to open, list, delete or explain is no error."""
    assert await memory.recall_trace("none") is None
    assert [] == await memory.recall_traces(0)
    assert 0 == await memory.drop_traces()
    assert (await (await memory.recall("Anything?")).explain()).to_text()
    with pytest.raises(InputError):
        await memory.recall_traces(-1)
    with pytest.raises(InputError):
        await memory.drop_traces(before="yesterday")  # type: ignore[arg-type]  # the point


async def test_stats_count_kept_answers(memory: AsyncGraphMemory) -> None:
    """Who looks at a scope sees that questions are kept in it."""
    await memory.recall(QUESTION, keep_trace=True)

    assert 1 == (await memory.stats()).nodes["RecallTrace"]


async def test_an_answer_that_cannot_be_kept_is_an_answer(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and holds the same turns."""
    await bakery(memory)
    expected = await memory.recall(QUESTION)

    async def refuse(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("graphmem.engine.keep_trace", refuse)
    answer = await memory.recall(QUESTION, keep_trace=True)

    assert ("", ("trace",)) == (answer.trace_id, answer.degraded)
    assert [hit.turn.id for hit in expected.turns] == [hit.turn.id for hit in answer.turns]
    assert "bakery" in answer.prompt()


async def test_recall_that_is_off_explains_itself(memory: AsyncGraphMemory) -> None:
    """It names the reason, and keeps nothing."""
    await bakery(memory)
    await memory.configure(recall_enabled=False)

    answer = await memory.recall(QUESTION, keep_trace=True)

    assert "could not take part: disabled" in (await answer.explain()).to_text()
    assert "" == answer.trace_id


async def test_a_program_without_a_loop_explains_and_keeps(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """The synchronous face has the same words."""

    def story() -> None:
        with GraphMemory.open(settings_with(), embedder=embedder, clock=clock) as memory:
            memory.add_turn("Where does Ana work?", "At a bakery in Lyon.", wait=True)
            answer = memory.recall("Ana's bakery", keep_trace=True)
            told = answer.explain()
            opened = memory.recall_trace(answer.trace_id)

            assert ("Ana's", "bakery") == told.turns[0].words
            assert opened is not None
            assert told.to_text() == opened.to_text()
            assert json.dumps(opened.to_dict())
            assert [answer.trace_id] == [trace.id for trace in memory.recall_traces()]
            assert 1 == memory.drop_traces(clock.now() + timedelta(seconds=1))
            assert "bakery" in answer.prompt()

    await asyncio.to_thread(story)
