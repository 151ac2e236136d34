"""Which procedures serve a question, and in which order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.models import Calibration
from graphmem.recall.procedures import (
    Relevance,
    intent_threshold,
    procedure_hits,
    relevant_procedures,
)
from graphmem.recall.question import Question, take_apart
from graphmem.recall.request import RecallOptions, recall_request
from graphmem.recall.seeds import ProcedureSeed, Scale, Seeds
from graphmem.text import analyse

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPTIONS = RecallOptions(now=NOW, intent_threshold=0.45)
EMPTY = Seeds((), (), (), (), (), Scale({}, 0, 0, 0.0, 0, 0.0, 0.0), ())


def question(text: str) -> Question:
    """Return a question, taken apart."""
    return take_apart(recall_request(text, scope="s", limit=5), OPTIONS)


def seed(key: str, intent: str, instruction: str = "") -> ProcedureSeed:
    """Return a procedure that shares words with the question."""
    return ProcedureSeed(key, intent, frozenset(analyse(f"{intent} {instruction}")))


def entry(key: str, **more: Any) -> dict[str, Any]:
    """Return a row of recall/get_evidence."""
    at = [int(NOW.timestamp()), 0]
    usual: dict[str, Any] = {
        "id": key,
        "instruction": key,
        "intents": [["i", "bake bread"]],
        "turn_ids": [],
        "status": "active",
        "recorded_at": at,
        "last_accessed_at": [None, None],
        **dict.fromkeys(
            (
                "condition",
                "expected_outcome",
                "return_score",
                "priority",
                "activation",
                "origin",
                "agent_id",
                "validated_count",
                "recall_count",
                "reward_sum",
                "reward_count",
                "importance",
                "pinned",
                "tier",
            )
        ),
    }
    return {**usual, **more}


@pytest.mark.parametrize(
    ("cosine", "is_found"), [(0.45, True), (0.4499, False), (1.0, True), (-0.2, False)]
)
def test_the_threshold_is_of_the_raw_cosine(cosine: float, is_found: bool) -> None:
    """Reached is enough; usage has no say in it."""
    seeds = replace(EMPTY, near_procedures=(("p", cosine),))

    found = relevant_procedures(seeds, question("q"), OPTIONS)

    assert is_found == ("p" in found)


def test_an_embedder_that_nobody_knows_finds_none_by_itself() -> None:
    """Everything is near under some: words decide, and the cosine is told all the same."""
    seeds = replace(
        EMPTY,
        near_procedures=(("p", 0.99), ("q", 0.98)),
        text_procedures=(seed("q", "bake rye bread"),),
    )

    found = relevant_procedures(
        seeds, question("bake rye bread"), replace(OPTIONS, intent_threshold=None)
    )

    assert {"q": Relevance(1.0, 0.98)} == found


@pytest.mark.parametrize(
    ("asked", "score"),
    [
        ("Which flour to bake rye bread?", 1.0),
        ("bake white bread for Ana", 2 / 3),
        ("a bread", 0.0),
        ("fold the starter twice", 2 / 3),
        ("the starter", 0.0),
        ("", 0.0),
    ],
)
def test_words_find_by_most_of_the_intent_or_of_the_question(asked: str, score: float) -> None:
    """One word of several says nothing, nor does one word alone."""
    seeds = replace(
        EMPTY, text_procedures=(seed("p", "bake rye bread", "Feed the starter and fold it."),)
    )

    found = relevant_procedures(seeds, question(asked or "the"), OPTIONS)

    assert ({"p": pytest.approx(score)} if score else {}) == {
        key: one.score for key, one in found.items()
    }


def test_what_is_far_less_near_than_the_best_does_not_ride_along() -> None:
    """A "how do I" is like any other."""
    near = (("best", 0.9), ("near", 0.55), ("other", 0.5))

    found = relevant_procedures(replace(EMPTY, near_procedures=near), question("q"), OPTIONS)

    assert ["best", "near"] == list(found)


def test_the_greater_of_meaning_and_words_counts() -> None:
    """Neither takes anything away from the other."""
    seeds = replace(
        EMPTY,
        near_procedures=(("p", 0.7), ("q", 0.9)),
        text_procedures=(seed("p", "bake bread"), seed("q", "bake three rye bread")),
    )

    found = relevant_procedures(seeds, question("bake bread"), OPTIONS)

    assert {"p": Relevance(1.0, 0.7), "q": Relevance(1.0, 0.9)} == found


def test_relevance_times_value_is_the_order() -> None:
    """What was praised comes first of two that are as relevant; the sum tells how."""
    options = replace(OPTIONS, value_weight=0.5)
    entries = [
        entry("bad", reward_sum=0.0, reward_count=1),
        entry("good", reward_sum=1.0, reward_count=1),
    ]
    relevant = {"bad": Relevance(0.8, 0.8), "good": Relevance(0.8, 0.8)}

    hits = procedure_hits(entries, relevant, options)

    assert ["good", "bad"] == [hit.procedure.id for hit in hits]
    for hit in hits:
        assert hit.score == pytest.approx(0.8 * hit.value)
        assert 0 < hit.value <= 1


def test_priority_decides_between_scores_that_are_the_same() -> None:
    """To a hundredth; a nearer one is not overtaken."""
    entries = [
        entry("plain"),
        entry("first", priority=9),
        entry("nearer", priority=-9),
        entry("unused", recorded_at=[int((NOW - timedelta(days=900)).timestamp()), 0]),
    ]
    relevant = {
        "plain": Relevance(0.604),
        "first": Relevance(0.601),
        "nearer": Relevance(0.7),
        "unused": Relevance(0.5),
    }

    hits = procedure_hits(entries, relevant, replace(OPTIONS, max_procedures=3))

    assert ["nearer", "first", "plain"] == [hit.procedure.id for hit in hits]


def test_what_is_measured_of_an_embedder_sets_its_threshold() -> None:
    """It lies where it does with MiniLM: near what different turns have."""
    measured = Calibration(
        same_median=0.84,
        different_median=0.43,
        different_p90=0.6,
        threshold=0.53,
        sample=20,
        at=NOW,
    )

    assert 0.45 == intent_threshold(is_known=True, calibration=None)
    assert 0.45 == pytest.approx(intent_threshold(is_known=False, calibration=measured), abs=0.001)
    assert intent_threshold(is_known=False, calibration=None) is None
