"""What of a turn is searched, embedded, and told of it."""

from __future__ import annotations

import pytest

from graphmem import Extraction, Message
from graphmem.models import ExtractionState
from graphmem.turn_text import (
    BLOCK_CLOSE,
    BLOCK_OPEN,
    LINE_MARK,
    asks,
    by_field,
    turn_search_text,
)


def said(*lines: tuple[str, str]) -> list[Message]:
    """Return messages by (name, content)."""
    return [Message(role="user", name=name, content=content) for name, content in lines]


@pytest.mark.parametrize(
    "content",
    [
        "Where is it?",
        "Where is it?  \n",
        'She said "where?"',
        "\u54ea\u91cc\uff1f",
        "Is it (really?)",
    ],
)
def test_a_question_alone_only_asks(content: str) -> None:
    """Whatever closes the sentence behind the mark."""
    assert asks(said(("Ana", content)))


@pytest.mark.parametrize(
    "lines",
    [
        (("Ana", "Where is it?"), ("Bo", "In the yard. And yours?")),
        (("Ana", "Is it there? I think so."),),
        (("Ana", "In the yard."),),
        (),
    ],
)
def test_what_is_answered_or_told_does_not(lines: tuple[tuple[str, str], ...]) -> None:
    """An answer in the same turn counts, though it ends in a question of its own."""
    assert not asks(said(*lines))


def test_what_a_host_put_behind_a_question_is_not_looked_at() -> None:
    """The recalled block is no part of what was asked; a message of it alone asks nothing."""
    block = f"{BLOCK_OPEN}\n{LINE_MARK}user: Where?\n{BLOCK_CLOSE}"

    assert asks(said(("Ana", f"Where is it?\n{block}")))
    assert not asks(said(("Ana", block)))


def test_what_nobody_sees_is_not_looked_at() -> None:
    """The call of a tool after the question is no answer."""
    messages = [*said(("Ana", "Where is it?")), Message(role="tool", content="42")]

    assert asks(messages)


def fields(messages: list[Message], summary: str = "") -> list[tuple[str, str]]:
    """Return the tokens of a turn with their fields."""
    extraction = Extraction(summary=summary, state=ExtractionState.GIVEN) if summary else None
    tokens = turn_search_text(messages, extraction, language="english").split()
    return by_field(tokens, {"kiln", "yard", "oven"})


def test_a_word_keeps_the_field_that_it_stands_in() -> None:
    """Question, answer and summary are told apart, whichever of them is there."""
    asked = [Message(role="user", content="kiln"), Message(role="assistant", content="yard")]

    assert [("question", "kiln"), ("answer", "yard"), ("summary", "oven")] == fields(asked, "oven")
    assert [("question", "kiln"), ("summary", "oven")] == fields(asked[:1], "oven")
    assert [("answer", "yard")] == fields(asked[1:])


def test_what_people_write_opens_no_field() -> None:
    """The mark between fields is none that a text can hold."""
    asked = [Message(role="user", content="kiln \u241e \u241e yard")]

    assert [("question", "kiln"), ("question", "yard")] == fields(asked)
