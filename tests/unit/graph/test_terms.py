"""Which names may be one, and what a name says of itself."""

from __future__ import annotations

import pytest

from graphmem.graph.plan import qualifier_of
from graphmem.graph.terms import are_near_identifiers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("INV-1041", "INV-1042"),
        ("inv-1041", "INV-41"),
        ("Room 12", "room  13"),
        ("2024", "2025"),
        ("v1.2.3", "v1.2.4"),
        ("\uff11\uff12", "13"),
        ("Flight 7 to Oslo", "Flight 9 to Oslo"),
    ],
)
def test_names_that_differ_in_a_number_alone_are_near(one: str, other: str) -> None:
    """They are most likely two of a kind, whichever stands first."""
    assert are_near_identifiers(one, other)
    assert are_near_identifiers(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("INV-1041", "inv-1041"),
        ("INV-1041", "INV 1041"),
        ("INV-1041", "invoice of May"),
        ("Ana", "Annie"),
        ("GPT-4", "GPT"),
        ("Room 12", "Hall 13"),
        ("Neo4j", "neo4j graph"),
    ],
)
def test_names_that_differ_otherwise_may_be_one(one: str, other: str) -> None:
    """Another spelling, another word, or no number in one of them."""
    assert not are_near_identifiers(one, other)


@pytest.mark.parametrize(
    ("name", "qualifier"),
    [
        ("Ana (baker)", "baker"),
        ("  Ana   ( the  baker ) ", "the baker"),
        ("Ana Weber (2nd floor)", "2nd floor"),
        ("安娜 (面包师)", "面包师"),
        ("Ana", ""),
        ("(baker)", ""),
        ("Ana()", ""),
        ("Ana ( )", ""),
        ("Ana (-)", ""),
        ("f(x)", ""),
        ("Ana (baker) Weber", ""),
        ("Ana (a (b))", ""),
        ("C++", ""),
    ],
)
def test_a_qualifier_stands_in_brackets_at_the_end(name: str, qualifier: str) -> None:
    """Behind a name and a blank, with a word in it."""
    assert qualifier == qualifier_of(name)
