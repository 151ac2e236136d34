"""A summary says what a community is about in a hundred characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphmem.maintain.communities.summaries import MOST_CHARACTERS, local_summary


def test_names_alone_are_listed() -> None:
    """Without facts it is the first names."""
    assert "Ana, Bo, Cy" == local_summary(["Ana", "Bo", "Cy"], [])


def test_names_stand_before_what_does_not_name_them() -> None:
    """A fact names its own ends; names that it does not hold stand before it."""
    told = local_summary(["Dana", "Lund", "harbour"], ["Dana lives in Lund", "Dana has a boat"])

    assert "harbour: Dana lives in Lund; Dana has a boat" == told


def test_a_long_fact_is_cut_at_a_word() -> None:
    """What is too long ends with an ellipsis, and what does not fit behind it is left out."""
    told = local_summary(["Dana"], [f"Dana {'said something ' * 20}", "Dana lives in Lund"])

    assert len(told) <= MOST_CHARACTERS
    assert told.endswith(("something…", "said…"))


def test_nothing_is_nothing() -> None:
    """Where nothing may be told the summary is empty."""
    assert "" == local_summary([], [])


@given(terms=st.lists(st.text(max_size=150), max_size=8), facts=st.lists(st.text(max_size=150)))
def test_it_is_one_line_of_a_hundred_characters(terms: list[str], facts: list[str]) -> None:
    """Whatever is told, it fits, on one line, and can be stored."""
    told = local_summary(terms, facts)

    assert len(told) <= MOST_CHARACTERS
    assert told == " ".join(told.split())
    assert told == told.encode("utf-8").decode("utf-8")


def test_sentences_are_joined_as_sentences() -> None:
    """No full stop stands before a semicolon."""
    told = local_summary([], ["Ana keeps bees.", "Otto lives in Bergen."])

    assert told == "Ana keeps bees; Otto lives in Bergen."
