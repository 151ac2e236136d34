"""What of a turn is searched, embedded, and told of it."""

from __future__ import annotations

import pytest

from graphmem import Message
from graphmem.turn_text import asks


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


def test_what_nobody_sees_is_not_looked_at() -> None:
    """The call of a tool after the question is no answer."""
    messages = [*said(("Ana", "Where is it?")), Message(role="tool", content="42")]

    assert asks(messages)
