"""What an answer tells by itself, and how a person reads it."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from graphmem.explanation import (
    AsyncRecall,
    Explanation,
    FactReason,
    PathStep,
    TurnReason,
    reasons_of,
)
from graphmem.models import Fact, FactHit, Hit, Message, Recall, Trace, Turn
from graphmem.render.packet import render_packet
from graphmem.render.tokens import ESTIMATE
from graphmem.sync.loop import BackgroundLoop
from graphmem.sync.recall import SyncRecall

AT = datetime(2026, 3, 2, 9, 12, tzinfo=UTC)


def turn(text: str, **fields: object) -> Turn:
    """Return a turn of one message of the user."""
    message = Message(role="user", content=text)
    values = {"id": "t1", "session_id": "s1", "at": AT, "seq": 1, "messages": (message,), **fields}
    return Turn.model_validate({"text": f"user: {text}", **values})


def words(query: str, text: str, language: str = "english", **fields: object) -> tuple[str, ...]:
    """Return the words of a question that a turn holds."""
    found = Recall(query=query, scope="demo", turns=(Hit(turn=turn(text, **fields), score=1.0),))
    return reasons_of(found, language=language).turns[0].words


@pytest.mark.parametrize(
    ("query", "text", "expected"),
    [
        ("Where does the baker work?", "Bakers worked here.", ("baker", "work")),
        ("tea AND NOT coffee", "Tea and coffee.", ("tea", "coffee")),
        ("keep the read/write split?", "the read/write split", ("read", "write", "split")),
        ("C++ or C#?", "I like C++.", ("C++",)),
        ("the of and", "the of and", ()),
        ("*", "a * b", ()),
        ("user", "hello", ()),
    ],
)
def test_words_are_those_that_both_hold(query: str, text: str, expected: tuple[str, ...]) -> None:
    """By stem, as asked, in the order of the question; a role is no word of a turn."""
    assert set(expected) == set(words(query, text))


def test_words_without_spaces_are_told_as_they_are_looked_for() -> None:
    """In pairs of characters."""
    assert ("北京", "京大", "大学") == words("北京大学", "会议改到周五下午在北京大学东门")


def test_the_summary_counts_as_the_turn_s_own() -> None:
    """It is indexed with it."""
    assert ("employer",) == words("employer", "At a bakery.", summary="Ana's employer: a bakery.")


async def test_a_recall_that_was_built_by_hand_explains_itself() -> None:
    """By what it carries, on both faces."""
    found = Recall(
        query="bakery",
        scope="demo",
        turns=(Hit(turn=turn("At a bakery."), score=1.5, parts={"text": 1.0, "vector": 0.5}),),
        facts=(FactHit(fact=Fact(id="f1", text="Ana works at a bakery"), score=0.9),),
        degraded=("vector",),
    )

    ours = await AsyncRecall(**dict(found)).explain()
    theirs = SyncRecall(**dict(found)).explain()

    assert ours == theirs
    assert ("bakery",) == ours.turns[0].words == ours.facts[0].words
    assert "could not take part: vector" in ours.to_text()
    assert ((), "") == (ours.turns[0].paths, ours.cypher)


async def test_a_recall_keeps_what_it_was_given_beside_its_reasons() -> None:
    """Turns, facts, and what renders it."""
    found = Recall(query="bakery", scope="demo", turns=(Hit(turn=turn("Bakery."), score=1.0),))

    async def explain(recall: Recall) -> Explanation:
        return reasons_of(recall)

    bound = AsyncRecall.of(found, explain)

    assert found.to_dict() == bound.to_dict()
    assert "t1" == (await bound.explain()).turns[0].turn_id


@pytest.mark.parametrize("face", ["async", "sync"])
def test_an_answer_can_be_pickled_and_copied(face: str) -> None:
    """It goes to another process, or into a cache: there it explains itself by what it carries."""
    found = Recall(query="bakery", scope="demo", turns=(Hit(turn=turn("Bakery."), score=1.0),))
    found = found.rendered_by(partial(render_packet, counter=ESTIMATE))
    loop = BackgroundLoop()
    asked: list[Recall] = []

    async def explain(recall: Recall) -> Explanation:
        asked.append(recall)
        return reasons_of(recall)

    inner = AsyncRecall.of(found, explain)
    answer: Any = inner if face == "async" else SyncRecall.of(inner, loop)

    def explained(recall: Any) -> Explanation:
        told: Explanation = recall.explain() if face == "sync" else loop.run(recall.explain())
        return told

    sent = pickle.loads(pickle.dumps(answer))  # noqa: S301 - our own
    copies = [copy.deepcopy(answer), copy.copy(answer), answer.model_copy(deep=True)]

    assert found.to_dict() == sent.to_dict()
    assert found.prompt() == sent.prompt()
    assert reasons_of(found) == explained(sent)
    assert [] == asked
    assert 3 * [reasons_of(found)] == [explained(other) for other in copies]
    assert 3 == len(asked)
    loop.stop()


def test_a_person_reads_factors_words_and_paths() -> None:
    """One block a turn: the strongest part first, and other turns of the answer by their rank."""
    term = PathStep(label="Term", id="x1", name="bakery")
    path = (
        term,
        PathStep(label="Turn", id="t2", link="MENTIONS", is_forward=False, name="user: Who?"),
        PathStep(label="Turn", id="t1", link="NEXT", name="user: Where?"),
    )
    gone = PathStep(label="Fact", id="f9", link="OBJECT")
    told = Explanation(
        query="bakery?",
        scope="demo",
        at=AT,
        trace_id="r1",
        turns=(
            TurnReason(
                rank=1, turn_id="t1", session_id="s1", at=AT, text="user:  Where?\nIn Lyon.",
                score=0.7, parts={"vector": 0.25, "text": 0.5}, cosine=0.5, value=0.9,
                words=("bakery",), paths=(path, (term, gone)),
            ),
            TurnReason(rank=2, turn_id="t2", session_id="s1", at=AT, text="user: Who?", score=0.1),
        ),
        facts=(FactReason(rank=1, fact_id="f1", text="Ana works", score=0.9, turn_ids=("t2",)),),
        trace=Trace(
            terms=("bakery",), candidates={"text": 3}, round_trips=3,
            timings_ms={"total": 9, "seeds": 4},
        ),
        gone=1,
    )  # fmt: skip

    assert told.to_text().splitlines() == [
        '"bakery?" in demo',
        "asked 2026-03-02 09:12 UTC, kept as r1",
        "linked to: bakery",
        "candidates: text 3",
        "took 9.0 ms (seeds 4.0), 3 round trips, PageRank by cypher",
        "no longer told: 1 of its turns, facts and procedures",
        "",
        "1. score 0.700, 2026-03-02 09:12, session s1, t1",
        "   user: Where? In Lyon.",
        "   made of: text 0.500, vector 0.250; times value 0.900",
        "   its own words: bakery",
        "   its meaning: cosine 0.500 to the question",
        '   path: question -> Term "bakery" <-[MENTIONS]- turn 2 -[NEXT]-> this turn',
        '   path: question -> Term "bakery" -[OBJECT]-> Fact f9 (gone)',
        "",
        "2. score 0.100, 2026-03-02 09:12, session s1, t2",
        "   user: Who?",
        "",
        "facts",
        "1. score 0.900, Ana works; stated by turn 2",
    ]


def test_an_explanation_is_plain_values() -> None:
    """It survives JSON."""
    told = reasons_of(Recall(query="bakery", scope="demo"), at=AT)

    assert told == Explanation.model_validate(told.to_dict())
