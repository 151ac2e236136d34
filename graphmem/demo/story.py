"""Reads the demo's conversation, and knows what to ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

__all__ = ["QUESTIONS", "SCOPE", "Question", "read_conversation"]

# A scope of its own: it never meets the memories of its user.
SCOPE = "demo"


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the demo.

    Attributes:
        text: As it is asked.
        shows: What its answer shows, for the one who watches.
        evidence: Keys of the turns that answer it.
    """

    text: str
    shows: str
    evidence: Sequence[str]


QUESTIONS = (
    Question(
        "Which kind of kiln will Mara fire with?",
        "a change of mind: both turns come back, and only the fact that still holds",
        ("3.2",),
    ),
    Question(
        "In which town is the shop that the landlord's sister runs?",
        "two hops: who the landlord is, and what his sister does",
        ("1.2", "2.2"),
    ),
    Question(
        "Why should Mara check what is in a hand cream?", "one sentence of months ago", ("1.5",)
    ),
    Question(
        "Who brings food to the opening, and when is it?",
        "one answer from two turns",
        ("4.1", "4.2"),
    ),
)


def read_conversation() -> list[str]:
    """Return the lines of the conversation, in the format of `graphmem import`."""
    text = files("graphmem.demo").joinpath("conversation.jsonl").read_text(encoding="utf-8")
    return text.splitlines()
