"""Why each turn came, on a real server: words, paths, what is on none, and what is drawn."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from graphmem.explanation import Explanation, PathStep
from graphmem.models import Recall
from graphmem.recall import explain as stage
from graphmem.recall.explain import explain
from graphmem.recall.request import RecallOptions, Walk
from graphmem.recall.traces import keep_trace
from tests.integration.conftest import Ask
from tests.integration.recall.conftest import NOW, Memory

OPTIONS = RecallOptions(now=NOW)
QUESTION = "Does Ana's bakery sell bread?"


async def told(memory: Memory, query: str = QUESTION, **options: Any) -> Explanation:
    """Ask, and return why each turn came."""
    chosen = replace(OPTIONS, **options)
    answer = await memory.ask(query, limit=20, options=chosen)
    return await explain(memory.db, answer, chosen)


async def bakery(memory: Memory) -> tuple[str, str, str]:
    """Remember two turns that follow each other, and one that only the graph links to them."""
    work = await memory.add(
        "Where does Ana work?",
        "At a bakery in Lyon.",
        session_id="s1",
        extraction={"triples": [["Ana", "works at", "bakery"]]},
    )
    owner = await memory.add(
        "Who owns it?",
        "Old Mr. Dupont.",
        session_id="s1",
        extraction={"triples": [["Dupont", "owns", "bakery"]]},
    )
    summer = await memory.add(
        "Any plans for the summer?",
        "He sails to Corsica.",
        session_id="s2",
        extraction={"triples": [["Dupont", "sails to", "Corsica"]]},
    )
    return work, owner, summer


def paths_of(told: Explanation, turn_id: str) -> tuple[tuple[PathStep, ...], ...]:
    """Return the paths to a turn that is in the answer."""
    return next(turn.paths for turn in told.turns if turn.turn_id == turn_id)


def names(paths: tuple[tuple[PathStep, ...], ...]) -> set[str]:
    """Return what lies on paths, by name."""
    return {step.name for path in paths for step in path}


async def test_a_direct_hit_names_the_words_that_it_holds(memory: Memory) -> None:
    """Words stand as they were asked, and stop words are none."""
    work, _, _ = await bakery(memory)

    found = await told(memory)

    assert work == found.turns[0].turn_id
    assert ("Ana's", "bakery") == found.turns[0].words
    assert "its own words: Ana's, bakery" in found.to_text()


async def test_factors_are_those_of_the_answer(memory: Memory) -> None:
    """Nothing is scored anew."""
    await bakery(memory)
    answer = await memory.ask(QUESTION)

    found = await explain(memory.db, answer, OPTIONS)

    assert [(hit.turn.id, hit.score, hit.parts, hit.cosine, hit.value) for hit in answer.turns] == [
        (turn.turn_id, turn.score, turn.parts, turn.cosine, turn.value) for turn in found.turns
    ]
    assert [hit.fact.id for hit in answer.facts] == [fact.fact_id for fact in found.facts]
    assert answer.trace == found.trace


async def test_a_turn_without_words_of_the_question_is_told_by_its_path(memory: Memory) -> None:
    """From a node where the walk began, link by link, each with its type, direction and name."""
    await memory.add("Bakery.", extraction={"mentions": ["bakery"]}, session_id="s1")
    owner = await memory.add("Him?", extraction={"mentions": ["bakery", "Dupont"]}, session_id="s2")
    summer = await memory.add("Sails.", extraction={"mentions": ["Dupont"]}, session_id="s3")

    found = await told(memory, walk=Walk(turn_seeds=0))

    (path,) = paths_of(found, summer)
    assert ("Term", "bakery", "") == (path[0].label, path[0].name, path[0].link)
    assert [
        ("Turn", "MENTIONS", False),
        ("Term", "MENTIONS", True),
        ("Turn", "MENTIONS", False),
    ] == [(step.label, step.link, step.is_forward) for step in path[1:]]
    assert ("Dupont", summer) == (path[2].name, path[3].id)
    rank = next(turn.rank for turn in found.turns if turn.turn_id == owner)
    assert (
        f'question -> Term "bakery" <-[MENTIONS]- turn {rank} -[MENTIONS]-> Term "Dupont" '
        "<-[MENTIONS]- this turn"
    ) in found.to_text()


async def test_the_trace_tells_where_the_walk_began(memory: Memory) -> None:
    """Terms that the question names, facts and turns, with shares that sum to the whole."""
    await bakery(memory)

    found = await told(memory)

    seeds = found.trace.seeds
    assert {"Ana", "bakery"} == {seed.name for seed in seeds if seed.label == "Term"}
    assert {"Term", "Fact", "Turn"} <= {seed.label for seed in seeds}
    assert sum(seed.weight for seed in seeds) == pytest.approx(1.0)


async def test_an_explanation_takes_one_round_trip(memory: Memory) -> None:
    """One statement finds the paths to all turns."""
    await bakery(memory)
    answer = await memory.ask(QUESTION)
    before = memory.db.count.copy()

    await explain(memory.db, answer, OPTIONS)

    assert 1 == memory.db.count.since(before).round_trips


async def test_an_answer_is_kept_in_one_write(memory: Memory) -> None:
    """Its turns and facts are linked by the statement that makes it."""
    await bakery(memory)
    found = (await told(memory)).model_copy(update={"trace_id": "kept"})
    before = memory.db.count.copy()

    await keep_trace(memory.db, found)

    done = memory.db.count.since(before)
    assert (0, 1, 1) == (done.reads, done.writes, done.write_statements)


async def test_a_hub_is_on_no_path(memory: Memory) -> None:
    """As in the walk, a node with too many links passes nothing on."""
    _, _, summer = await bakery(memory)
    answer = await memory.ask(QUESTION)
    # Of all nodes on the way only Dupont has more than seven links.
    for n in range(4):
        await memory.add(f"Note {n}", extraction={"mentions": ["Dupont"]})
    options = [replace(OPTIONS, walk=Walk(hub_links=links)) for links in (200, 7)]

    reached, closed = [await explain(memory.db, answer, option) for option in options]

    # A Tag of that name leads there all the same.
    through = [
        {step.name for path in paths_of(found, summer) for step in path if step.label == "Term"}
        for found in (reached, closed)
    ]
    assert "Dupont" in through[0]
    assert "Dupont" not in through[1]


async def test_kept_answers_change_no_ranking(memory: Memory) -> None:
    """Their links make no hub of a turn that is recalled often."""
    await bakery(memory)
    options = replace(OPTIONS, walk=Walk(hub_links=12))
    before = await memory.ask(QUESTION, options=options)
    found = await explain(memory.db, before, options)
    for n in range(12):
        await keep_trace(memory.db, found.model_copy(update={"trace_id": f"kept-{n}"}))

    after = await memory.ask(QUESTION, options=options)

    assert [hit.parts for hit in before.turns] == [hit.parts for hit in after.turns]
    assert "graph" in before.turns[0].parts


async def test_a_fact_that_does_not_hold_is_on_no_path(memory: Memory, ask: Ask) -> None:
    """What is over leads nowhere."""
    work, _, _ = await bakery(memory)
    before = await told(memory)
    await ask(
        "MATCH (f:Fact {scope: $scope, text: 'Ana works at bakery'}) SET f.valid_to = $then",
        scope=memory.scope,
        then=NOW - timedelta(days=1),
    )

    after = await told(memory)

    assert "Ana works at bakery" in names(paths_of(before, work))
    assert "Ana works at bakery" not in names(paths_of(after, work))


async def test_a_fact_that_held_then_is_on_a_path(memory: Memory, ask: Ask) -> None:
    """Of an answer that tells what held, the paths lead by what held, superseded by now or not."""
    work, _, _ = await bakery(memory)
    await ask(
        "MATCH (f:Fact {scope: $scope, text: 'Ana works at bakery'}) "
        "SET f.valid_to = $end, f.status = 'superseded'",
        scope=memory.scope,
        end=NOW - timedelta(days=1),
    )
    # As a seed it would be on a path in any case: it has to lie on one from a Tag.
    options = replace(OPTIONS, walk=Walk(fact_seeds=0, term_share=0.0))
    then = NOW - timedelta(days=2)

    answer = await memory.ask(QUESTION, limit=20, options=options, as_of=then)
    told = await explain(memory.db, answer, options)

    assert "Ana works at bakery" in names(paths_of(told, work))


async def test_turns_of_one_session_may_be_linked_by_it_alone(memory: Memory) -> None:
    """Where nothing else links them, the session does."""
    first = await memory.add("Bakery, bread.", "Ana.", session_id="s1")
    for n in range(6):
        await memory.add(f"Number {n}.", session_id="s1")
    last = await memory.add("Kites.", session_id="s1")

    found = await told(memory, "bread of the bakery", walk=Walk(turn_seeds=1))

    (path,) = paths_of(found, last)
    assert [("Turn", first), ("Session", "s1"), ("Turn", last)] == [
        (step.label, step.id) for step in path
    ]


async def test_no_node_of_another_scope_is_in_an_explanation(memory: Memory, ask: Ask) -> None:
    """Not even where somebody linked two scopes by hand."""
    other = Memory(memory.db, f"{memory.scope}-birch")
    await memory.add(
        "What does Wim do?",
        "Wim keeps bees (canary-a1).",
        extraction={"triples": [["Wim", "keeps", "bees"]], "facts": ["canary-a1 is Wim's"]},
    )
    kites = await other.add(
        "What does Wim do?",
        "Wim builds kites (canary-b2).",
        extraction={"triples": [["Wim", "builds", "kites canary-b2"]]},
    )
    await ask(
        "MATCH (t:Turn {scope: $other, id: $id}) MATCH (x:Term {scope: $scope, key: 'wim'}) "
        "MERGE (t)-[:MENTIONS {weight: 1.0}]->(x)",
        other=other.scope,
        scope=memory.scope,
        id=kites,
    )

    for place, own, foreign in (
        (memory, "canary-a1", "canary-b2"),
        (other, "canary-b2", "canary-a1"),
    ):
        found = await told(place, "what does Wim do")
        drawn = await ask(found.cypher.removesuffix(";"))
        whole = json.dumps(found.to_dict()) + found.to_text() + str(drawn)
        assert own in whole
        assert foreign not in whole


async def test_the_query_draws_this_answer_and_nothing_else(memory: Memory, ask: Ask) -> None:
    """Each turn, each fact, and what lies on the paths."""
    await bakery(memory)
    await memory.add("Bees.", "Wim keeps them.", extraction={"mentions": ["Wim"]})
    found = await told(memory)

    rows = await ask(found.cypher.removesuffix(";"))

    expected = {turn.turn_id for turn in found.turns} | {fact.fact_id for fact in found.facts}
    expected |= {step.id for turn in found.turns for path in turn.paths for step in path}
    assert expected == {row["node"]["id"] for row in rows}
    assert {memory.scope} == {row["node"]["scope"] for row in rows}
    assert any(row["path"] for row in rows)


async def test_a_scope_is_quoted_in_the_query(memory: Memory, ask: Ask) -> None:
    """No name can end the text that it stands in."""
    odd = Memory(memory.db, memory.scope + r"/o'hara \' \u0027 $scope {slot}")
    turn = await odd.add("The kiln", "It is hot.")

    found = await told(odd, "hot kiln")

    assert [turn] == [row["node"]["id"] for row in await ask(found.cypher.removesuffix(";"))]


async def test_what_lucene_takes_for_syntax_is_explained_as_text(memory: Memory) -> None:
    """No question is an error, and its words are told whole."""
    split = await memory.add("Plan", "We keep the read/write split for the ledger.")
    depot = await memory.add("Depot", "NORTH ANDOVER depot moved to ORONO.")
    for n in range(4):
        await memory.add(f"Note {n}", "Nothing.")
    odd = [
        "/q rollout", "tea AND NOT coffee", "OR", '"unfinished phrase', "(left open", "[1 TO",
        "name:Ana", "half^", "rock~~", "really!", "*", "?", "a && b || !c {x} \\",
    ]  # fmt: skip

    for query in odd:
        assert query == (await told(memory, query)).query
    ledger = await told(memory, "keep the read/write split?")
    north = await told(memory, "NORTH ANDOVER depot")

    assert (split, True) == (ledger.turns[0].turn_id, "split" in ledger.turns[0].words)
    assert (depot, ("NORTH", "ANDOVER", "depot")) == (
        north.turns[0].turn_id,
        north.turns[0].words,
    )


async def test_an_empty_store_explains_itself(memory: Memory) -> None:
    """There is nothing to draw, and no reason to fail."""
    found = await told(memory, "Where does Ana work?")

    assert ((), (), "") == (found.turns, found.facts, found.cypher)
    assert "nothing was recalled" in found.to_text()


async def test_paths_that_cannot_be_had_leave_the_factors(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An explanation says that it lacks them."""
    await bakery(memory)
    monkeypatch.setattr(stage, "NAME_LENGTH", -1)

    found = await told(memory)

    assert ("paths",) == found.degraded
    assert found.turns[0].parts
    assert {()} == {turn.paths for turn in found.turns}


async def test_an_answer_without_a_walk_asks_for_no_paths(memory: Memory) -> None:
    """One that was built by hand has no seeds."""
    await bakery(memory)
    answer = await memory.ask(QUESTION)
    by_hand = Recall(query=answer.query, scope=answer.scope, turns=answer.turns)
    before = memory.db.count.copy()

    found = await explain(memory.db, by_hand, OPTIONS)

    assert 0 == memory.db.count.since(before).round_trips
    assert ("Ana's", "bakery") == found.turns[0].words
