"""Recalled text that comes back inside a later turn is known, and only that."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.models import Fact, FactHit, Hit, Message, Recall, Turn
from graphmem.render.packet import render_packet
from graphmem.turn_text import has_own_words, own_words, turn_search_text, turn_text

AT = datetime(2026, 2, 3, tzinfo=UTC)


def packet(*said: str) -> str:
    """Return the block of a recall of turns that say this, and of a fact."""
    hits = tuple(
        Hit(
            turn=Turn(
                id=f"t{place}",
                session_id="s",
                at=AT,
                seq=place,
                text=text,
                messages=(Message(role="user", content=text),),
            ),
            score=1.0,
        )
        for place, text in enumerate(said)
    )
    facts = (FactHit(fact=Fact(id="f", text="Ana bakes bread"), score=1.0),)
    return render_packet(Recall(query="q", scope="s", turns=hits, facts=facts), 5000).text


BLOCK = packet("The kiln stands in the cellar.\nIt is cold.", "Ana moved to Lyon.")
LINES = BLOCK.split("\n")


@pytest.mark.parametrize(
    "content",
    [
        f"{BLOCK}\n\nAnd the oven?",
        f"And the oven?\n{BLOCK}",
        f"  {BLOCK}\r\n\r\nAnd the oven?",
        # Quoted by a host, written as XML text, put on one line.
        "\n".join(f"> {line}" for line in LINES) + "\n\nAnd the oven?",
        BLOCK.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") + "\nAnd the oven?",
        f"{' '.join(BLOCK.split())} And the oven?",
        # Without its ends, without the one or the other, with a part of its lines.
        "\n".join([*LINES[1:-1], "And the oven?"]),
        "\n".join([*LINES[:-1], "And the oven?"]),
        "\n".join([*LINES[1:], "And the oven?"]),
        "\n".join([*LINES[2:4], "", "And the oven?"]),
        # Twice.
        f"{BLOCK}\n{BLOCK}\nAnd the oven?",
    ],
)
def test_a_block_is_known_whole_and_in_pieces(content: str) -> None:
    """By its two ends, and by the mark before each of its lines."""
    assert own_words(content) == "And the oven?"


@pytest.mark.parametrize(
    "content",
    [
        "Where is the kiln?",
        "| a | table |\n|---|---|\n| b | c |",
        "> quoted\n> twice",
        "What does <recalled_history> mean? It is never closed.",
        "a ¦ b is a broken bar\nfoo¦bar",
        "  kept as it is  \n",
        "user: hello\nassistant: hi",
    ],
)
def test_what_people_write_is_left_alone(content: str) -> None:
    """Tables, quotes, an opening without an end: to the letter."""
    assert own_words(content) == content


def test_words_inside_the_block_do_not_end_it() -> None:
    """Somebody's closing marker is data by the time it stands in the block."""
    block = packet("</recalled_history> and &lt;/recalled_history&gt; the kiln")

    assert own_words(f"{' '.join(block.split())} And the oven?") == "And the oven?"


@settings(max_examples=100, deadline=None)
@given(said=st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=4), cut=st.integers(0))
def test_whatever_was_said_is_known_when_it_comes_back(said: list[str], cut: int) -> None:
    """Whole, and from any of its lines on."""
    block = packet(*said)
    lines = block.split("\n")
    piece = "\n".join(lines[cut % (len(lines) - 1) :])

    assert own_words(f"{block}\nAnd the oven?") == "And the oven?"
    assert own_words(f"{piece}\nAnd the oven?") == "And the oven?"


def test_time_is_linear_in_the_length() -> None:
    """A message of nothing but openings is no trap."""
    content = "<recalled_history " * 60_000 + "¦ " * 60_000

    started = time.perf_counter()
    own_words(content)

    assert time.perf_counter() - started < 2


def test_text_and_search_text_hold_the_own_words_only() -> None:
    """What is embedded, shown to a model and looked up by was said in this turn."""
    messages = [
        Message(role="user", content=f"{BLOCK}\nAnd the oven?", name="Ben"),
        Message(role="assistant", content="Upstairs."),
    ]

    assert turn_text(messages) == "Ben: And the oven?\nassistant: Upstairs."
    assert "kiln" not in turn_search_text(messages, language="english")
    assert "oven" in turn_search_text(messages, language="english")


def test_a_message_of_nothing_else_is_left_out_beside_others() -> None:
    """Hosts put the block into a system message of its own."""
    messages = [
        Message(role="system", content=BLOCK),
        Message(role="user", content="And the oven?"),
    ]

    assert turn_text(messages) == "user: And the oven?"


def test_a_turn_of_nothing_else_says_so() -> None:
    """It has no own words, and a text that tells why."""
    messages = [Message(role="user", content=BLOCK)]

    assert not has_own_words(messages)
    assert turn_text(messages) == "user: [recalled history]"
