"""Recall on a real server: what is found, what is left out, and what it costs."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from graphmem.errors import InputError
from graphmem.recall.request import RecallOptions, Walk
from graphmem.weights import Weights
from tests.integration.conftest import Ask
from tests.integration.recall.conftest import NOW, Memory, ids, texts

KILN = "The kiln reaches 1240 degrees."
OPTIONS = RecallOptions(now=NOW)


async def test_an_answer_holds_the_exact_messages_of_its_turns(memory: Memory) -> None:
    """The payload is the question and the answer to the letter, not a summary."""
    await memory.add("Where does  Ana work?", "At a bakery\nin Lyon.", name="Bo")
    await memory.add("How is the weather?", "It rains.")

    found = await memory.ask("bakery in Lyon", limit=1)

    said = [(m.role, m.name, m.content) for m in found.turns[0].turn.messages]
    assert said == [
        ("user", "Bo", "Where does  Ana work?"),
        ("assistant", "", "At a bakery\nin Lyon."),
    ]


async def test_the_parts_of_a_score_sum_to_it(memory: Memory) -> None:
    """Nothing counts that is not told, in either mode."""
    for n in range(12):
        await memory.add(f"Kiln number {n} is warm", "Good.", name="Ana")

    weighted = await memory.ask("Which kiln of Ana is number 7?")
    ranks = await memory.ask("Which kiln is number 7?", options=replace(OPTIONS, mode="rrf"))

    for hit in (*weighted.turns, *ranks.turns):
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-12)
    assert "Kiln number 7" in weighted.turns[0].turn.text
    assert {"text", "vector"} <= set(ranks.turns[0].parts)


async def test_a_recall_takes_three_round_trips(memory: Memory) -> None:
    """Four statements at once for the seeds, one for the graph, one for the evidence."""
    await memory.add("The kiln", KILN, extraction={"facts": ["The kiln is hot"]})
    before = memory.db.count.copy()

    found = await memory.ask("How hot is the kiln?")

    assert found.trace.round_trips == 3
    assert memory.db.count.since(before).reads == 6
    assert {"seeds", "graph", "evidence", "total"} == set(found.trace.timings_ms)


async def test_an_empty_store_answers_with_nothing(memory: Memory) -> None:
    """A new user's first question is no error."""
    found = await memory.ask("Where does Ana work?")

    assert (found.turns, found.facts, found.degraded) == ((), (), ())


async def test_a_limit_of_zero_asks_nothing(memory: Memory) -> None:
    """No turns wanted, no round trip made."""
    await memory.add("The kiln", KILN)
    before = memory.db.count.copy()

    found = await memory.ask("kiln", limit=0)

    assert found.turns == ()
    assert memory.db.count.since(before).round_trips == 0


async def test_any_word_of_a_question_finds_a_turn(memory: Memory) -> None:
    """A natural sentence need not have all its words in the text."""
    kiln = await memory.add("Notes", KILN)
    await memory.add("Lunch", "Soup again.")

    found = await memory.ask("do you remember how hot that kiln of ours can get", by_vector=False)

    assert ids(found)[0] == kiln


@pytest.mark.parametrize(
    "query",
    [
        "keep the read/write split?",
        "/q rollout",
        "tea AND NOT coffee",
        "OR",
        "NOT",
        '"unfinished phrase',
        "(left open",
        "[1 TO",
        "name:Ana",
        "half^",
        "rock~~",
        "really!",
        "*",
        "?",
        "a && b || !c {x} \\",
    ],
)
async def test_what_lucene_takes_for_syntax_is_text(memory: Memory, query: str) -> None:
    """No question is an error, and a wildcard does not return the whole store."""
    split = await memory.add("Plan", "We keep the read/write split for the ledger.")
    for n in range(8):
        await memory.add(f"Remark {n}", "Nothing of note.", session_id=f"s{n}")

    found = await memory.ask(query, by_vector=False, limit=50)

    assert len(found.turns) < 3
    if "read/write" in query:
        assert ids(found)[0] == split


async def test_operators_and_capitals_are_plain_words(memory: Memory) -> None:
    """AND, OR and NOT ask for nothing, and no capital letter is lost."""
    depot = await memory.add("Log", "NORTH ANDOVER depot moved to ORONO.")
    await memory.add("Log", "SOUTH depot stays.")

    found = await memory.ask("NORTH ANDOVER depot", by_vector=False)

    assert ids(found)[0] == depot


async def test_a_text_is_found_by_itself_whatever_signs_it_holds(memory: Memory) -> None:
    """Each reserved character, first, last, doubled and alone in a text."""
    signs = '+-&|!(){}[]^"~*?:\\/'
    stored = {
        sign: await memory.add(f"{sign}pot{n} {sign}{sign} lid{n}{sign} {sign}")
        for n, sign in enumerate(signs)
    }

    for n, sign in enumerate(signs):
        found = await memory.ask(
            f"{sign}pot{n} {sign}{sign} lid{n}{sign} {sign}", by_vector=False, limit=1
        )
        assert ids(found) == [stored[sign]], sign


@pytest.mark.parametrize("words", [10, 1000, 3000, 20_000])
async def test_a_pasted_document_is_a_question(memory: Memory, words: int) -> None:
    """However long it is, it is answered, from its beginning and its end."""
    kiln = await memory.add("Notes", KILN)
    document = " ".join(f"word{n}" for n in range(words))

    first = await memory.ask(f"kiln degrees {document}", by_vector=False)
    last = await memory.ask(f"{document} kiln degrees", by_vector=False)

    assert ids(first)[:1] == ids(last)[:1] == [kiln]


async def test_without_a_vector_the_text_leg_answers_and_says_so(memory: Memory) -> None:
    """An embedder that is down costs the vector leg only."""
    kiln = await memory.add("Notes", KILN)

    found = await memory.ask("kiln", by_vector=False)

    assert ids(found) == [kiln]
    assert found.degraded == ("vector",)
    assert found.turns[0].cosine is None


async def test_a_walk_that_fails_leaves_the_two_legs(memory: Memory) -> None:
    """When the server refuses the graph part, the answer comes without it and says so."""
    kiln = await memory.add("Notes", KILN)

    found = await memory.ask("kiln", options=replace(OPTIONS, walk=Walk(kept=-1)))

    assert ids(found) == [kiln]
    assert found.degraded == ("graph",)


async def test_visible_turns_make_room_for_others(memory: Memory) -> None:
    """What the model still sees is left out, and the answer is as long as it would be."""
    turns = [await memory.add(f"Kiln {n}", KILN) for n in range(6)]

    found = await memory.ask("kiln degrees", limit=3, visible=turns[:3])

    assert sorted(ids(found)) == sorted(turns[3:])


async def test_a_turn_without_the_words_is_found_beside_one_that_has_them(memory: Memory) -> None:
    """The answer often stands next to the words of the question; the conversation links them."""
    for n in range(12):
        await memory.add(f"Small talk {n}", "Yes.", session_id=f"other{n}")
    await memory.add("Which colour did the sculptor pick for the portal?", session_id="s")
    answer = await memory.add("Vermilion, said he.", session_id="s")

    found = await memory.ask("sculptor colour portal", by_vector=False, limit=2)

    assert ids(found)[1] == answer
    assert found.turns[1].parts["neighbours"] > 0


async def test_the_one_speaker_whom_a_question_names_counts(memory: Memory) -> None:
    """Of two who say the same, the one who is asked for comes first."""
    bo = await memory.add("My kiln is blue", name="Bo", session_id="a")
    ana = await memory.add("My kiln is blue", name="Ana", session_id="b")

    of_ana = await memory.ask("What colour is Ana's kiln?", by_vector=False)
    of_bo = await memory.ask("What colour is Bo's kiln?", by_vector=False)

    assert (ids(of_ana)[0], ids(of_bo)[0]) == (ana, bo)
    assert of_ana.turns[0].parts["speaker"] == Weights().speaker


async def test_the_walk_reaches_a_turn_that_shares_no_word_with_the_question(
    memory: Memory,
) -> None:
    """Two hops through a Term: who asks for Ana's employer gets the bakery's town."""
    await memory.add(
        "Ana works at Croissant Noir",
        extraction={"facts": [["Ana", "works at", "Croissant Noir"]]},
        session_id="a",
    )
    town = await memory.add(
        "It moved to Villeurbanne",
        extraction={"facts": [["Croissant Noir", "lies in", "Villeurbanne"]]},
        session_id="b",
    )
    for n in range(3):
        await memory.add(f"Rain on day {n}", session_id=f"rain{n}")

    found = await memory.ask("Ana", by_vector=False, limit=3)

    assert town in ids(found)
    assert found.turns[ids(found).index(town)].parts["graph"] > 0


async def test_only_near_turns_pass_the_semantic_threshold(memory: Memory) -> None:
    """What only the vector leg found needs the cosine that was asked for."""
    await memory.add("The kiln reaches a high heat")
    options = replace(OPTIONS, semantic_threshold=0.9)

    strict = await memory.ask("is this not what we have", options=options)
    by_text = await memory.ask("kiln", options=options)

    assert strict.turns == ()
    assert len(by_text.turns) == 1


FILTERS = list(product([None, "s1"], [None, "agent1"], [None, "p1"]))


@pytest.mark.parametrize(("session", "agent", "project"), FILTERS)
async def test_filters_narrow_and_none_is_no_filter(
    memory: Memory, session: str | None, agent: str | None, project: str | None
) -> None:
    """Each of the eight combinations returns exactly the turns that fit all that is given."""
    stored = {}
    for s, a, p in product(["s1", "s2"], ["agent1", None], ["p1", None]):
        turn = await memory.add("The kiln is hot", session_id=s, agent_id=a, project=p or "p0")
        stored[turn] = (s, a, p)

    found = await memory.ask(
        "hot kiln", limit=20, session_id=session, agent_id=agent, project=project
    )

    wanted = {
        turn
        for turn, (s, a, p) in stored.items()
        if session in (None, s) and agent in (None, a) and project in (None, p)
    }
    assert set(ids(found)) == wanted


@pytest.mark.parametrize("name", ["session_id", "agent_id", "project"])
@pytest.mark.parametrize("value", ["", ["s1"]])
async def test_an_empty_filter_is_refused(memory: Memory, name: str, value: object) -> None:
    """A variable that was not set does not mean everybody."""
    with pytest.raises(InputError, match=name):
        await memory.ask("kiln", **{name: value})


async def test_both_ends_of_a_time_range_belong_to_it(memory: Memory) -> None:
    """Since and until are inclusive."""
    turns = [
        await memory.add("The kiln is hot", at=NOW - timedelta(days=day), session_id=f"s{day}")
        for day in range(5)
    ]

    found = await memory.ask("kiln", since=NOW - timedelta(days=3), until=NOW - timedelta(days=1))

    assert set(ids(found)) == set(turns[1:4])


@pytest.mark.parametrize("session", ["🔥kiln", "\uffee", "日本", "~"])
async def test_no_filter_takes_in_every_session_name(memory: Memory, session: str) -> None:
    """The range that stands for 'any' ends behind the last character there is."""
    turn = await memory.add("The kiln is hot", session_id=session, project=session)

    found = await memory.ask("kiln")
    named = await memory.ask("kiln", session_id=session, project=session)

    assert ids(found) == ids(named) == [turn]
    assert found.turns[0].cosine is not None


async def test_facts_of_the_past_and_of_the_future_are_not_in_an_answer(
    memory: Memory, ask: Ask
) -> None:
    """Of twenty successive values only the live one is told, and it is told."""
    for n in range(20):
        await memory.add(
            f"Priya moved to desk {n}", extraction={"facts": [f"Priya's desk is D{n}"]}
        )
    await ask(
        "MATCH (f:Fact {scope: $scope}) WHERE f.text <> $live SET f.status = 'superseded'",
        scope=memory.scope,
        live="Priya's desk is D19",
    )
    await memory.add(
        "Later",
        extraction={
            "facts": [
                {"text": "Priya's desk is X1", "valid_from": NOW + timedelta(days=1)},
                {
                    "text": "Priya's desk is X2",
                    "valid_from": NOW - timedelta(days=9),
                    "valid_to": NOW,
                },
            ]
        },
    )

    both = await memory.ask("where is Priya's desk", limit=5)
    by_text = await memory.ask("where is Priya's desk", limit=5, by_vector=False)

    assert texts(both) == texts(by_text) == ["Priya's desk is D19"]
    assert len(both.turns) == 5


async def test_a_fact_belongs_where_a_turn_that_may_answer_states_it(memory: Memory) -> None:
    """Under a filter the facts of other sessions are not told."""
    await memory.add("One", session_id="a", extraction={"facts": ["The kiln is red"]})
    await memory.add("Two", session_id="b", extraction={"facts": ["The kiln is blue"]})

    found = await memory.ask("kiln", session_id="a")

    assert texts(found) == ["The kiln is red"]


async def test_the_best_matching_fact_comes_first(memory: Memory) -> None:
    """Facts are ordered by text, vector and the turns of the answer; scores lie in (0, 1]."""
    await memory.add("One", extraction={"facts": ["The kiln is red", "Soup is hot"]})
    await memory.add("The kiln is tall", extraction={"facts": ["The kiln is as tall as a house"]})

    found = await memory.ask("How tall is the kiln?")

    assert texts(found)[0] == "The kiln is as tall as a house"
    scores = [hit.score for hit in found.facts]
    assert scores == sorted(scores, reverse=True)
    assert 0 < min(scores) <= max(scores) <= 1


async def test_nothing_of_another_scope_is_in_an_answer(memory: Memory) -> None:
    """Turns, facts, terms, scores: an answer is the same whatever neighbours store."""
    birch = Memory(memory.db, f"{memory.scope}-birch")
    keeps = {"facts": [["Wim", "keeps", "bees"]], "mentions": ["canary-a1"]}
    await memory.add("Wim keeps bees (canary-a1).", extraction=keeps)
    alone = await memory.ask("what does Wim do", by_vector=False)

    for n in range(30):
        builds = {"facts": [["Wim", "builds", f"kites {n}"]], "mentions": ["canary-b2"]}
        await birch.add(f"Wim builds kites {n} (canary-b2).", extraction=builds)
    beside = await memory.ask("what does Wim do", by_vector=False)
    other = await birch.ask("what does Wim do", limit=50)

    assert "canary-b2" not in json.dumps(beside.to_dict())
    assert "canary-a1" not in json.dumps(other.to_dict())
    assert len(other.turns) == 30
    assert alone.turns == beside.turns
    assert (alone.confident, alone.best_rejected) == (beside.confident, beside.best_rejected)
