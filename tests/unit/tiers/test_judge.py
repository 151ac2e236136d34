"""What a judge is asked, and which replies are judgements."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.clock import OPEN_TO
from graphmem.decisions import Decision, DecisionKind, Stage
from graphmem.errors import ModelError
from graphmem.graph.conflict.model import Statement
from graphmem.llm import ChatReply
from graphmem.tiers.judge import JUDGE_FORM, Ruling, judge_request, read_judgement

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def statement(text: str, fact_id: str = "f") -> Statement:
    """Return a statement that holds from NOW on."""
    return Statement(fact_id, text, "hash", NOW, OPEN_TO, NOW)


KNOWN = [statement("Iris lives in Ulm.", "one"), statement("Iris owns a loom.", "two")]
DECISION = Decision(
    id="d",
    kind=DecisionKind.PENDING,
    stage=Stage.DEFER,
    reason="they may contradict each other",
    text="x",
    fact_id="f",
    at=NOW,
)


def reply(**fields: Any) -> ChatReply:
    """Return a reply with a good judgement, changed by `fields`."""
    return ChatReply(
        content=json.dumps({"reason": "so it is", "verdict": "same", "target": 1, **fields})
    )


def test_a_judgement_names_one_of_the_statements_that_were_offered() -> None:
    """By its number, from 1."""
    judgement = read_judgement(reply(verdict="supersede", target=2), KNOWN)

    assert (Ruling.SUPERSEDE, "two", "so it is") == (
        judgement.ruling,
        judgement.target_id,
        judgement.reason,
    )


@pytest.mark.parametrize("target", [0, 1, 2])
def test_keeping_both_needs_no_target(target: int) -> None:
    """A number that was offered does no harm."""
    judgement = read_judgement(reply(verdict="keep_both", target=target), KNOWN)

    assert (Ruling.KEEP_BOTH, "") == (judgement.ruling, judgement.target_id)


@pytest.mark.parametrize("target", [-1, 0, 3, 1.0, "1", None, True, [1]])
def test_a_target_that_was_not_offered_is_none(target: object) -> None:
    """Nothing is guessed."""
    with pytest.raises(ModelError) as caught:
        read_judgement(reply(target=target), KNOWN)

    assert "judgement" == caught.value.kind


@pytest.mark.parametrize("verdict", ["Same", "delete", "", None, 1, ["same"], {"a": 1}])
def test_a_verdict_is_one_of_three_words(verdict: object) -> None:
    """To the letter."""
    with pytest.raises(ModelError):
        read_judgement(reply(verdict=verdict), KNOWN)


def test_a_fence_around_the_whole_is_taken_off() -> None:
    """That is no repair."""
    fenced = ChatReply(content=f"```json\n{reply().content}\n```")

    assert Ruling.SAME == read_judgement(fenced, KNOWN).ruling


def test_a_key_that_stands_twice_is_refused() -> None:
    """Which of the two would count is anybody's guess."""
    twice = '{"reason": "a", "verdict": "same", "verdict": "keep_both", "target": 1}'

    with pytest.raises(ModelError):
        read_judgement(ChatReply(content=twice), KNOWN)


def test_a_reason_is_kept_in_a_form_that_can_be_stored() -> None:
    """On one line, without what a store refuses, and not endless."""
    judgement = read_judgement(reply(reason="a\n\x00\ud800 b" + "x" * 5000), KNOWN)

    assert judgement.reason.startswith("a \ufffd\ufffd b")
    assert 1000 == len(judgement.reason)


def test_an_error_does_not_tell_what_the_model_wrote() -> None:
    """It may hold what the statements say."""
    with pytest.raises(ModelError) as caught:
        read_judgement(ChatReply(content="zircon-77"), KNOWN)

    assert "zircon" not in str(caught.value)


def test_the_reason_is_asked_for_first() -> None:
    """The schema is strict, and its order is that of writing."""
    assert ["reason", "verdict", "target"] == list(JUDGE_FORM.schema["properties"])
    assert list(JUDGE_FORM.schema["properties"]) == JUDGE_FORM.schema["required"]
    assert JUDGE_FORM.schema["additionalProperties"] is False
    assert JUDGE_FORM.sketch.index("reason") < JUDGE_FORM.sketch.index("verdict")


@given(text=st.text(max_size=200))
def test_a_statement_stays_in_its_mark_and_on_its_line(text: str) -> None:
    """Whatever it holds, it neither closes its mark nor adds a line."""
    request = judge_request(DECISION, statement(text), KNOWN, max_tokens=None)

    lines = request.messages[1].content.split("\n")
    assert ["New", "", "Known", "1", "2", "", "Why it is asked"] == [
        line.split(":")[0].split(".")[0] for line in lines
    ]
    assert 1 == lines[0].count("</statement>") == lines[0].count("<statement>")


@given(content=st.text(max_size=200))
def test_any_text_is_a_judgement_or_an_error(content: str) -> None:
    """No other error comes out."""
    with contextlib.suppress(ModelError):
        assert read_judgement(ChatReply(content=content), KNOWN).ruling in Ruling
