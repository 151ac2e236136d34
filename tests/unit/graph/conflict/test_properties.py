"""What holds of the conflict pipeline whatever it is given."""

from __future__ import annotations

import time
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.conflict import (
    DEFAULT_THRESHOLDS,
    ConflictPipeline,
    DecisionKind,
    Known,
    Neighbour,
    Zone,
)

from .corpus import PACKS, Fact, Row, laid_out

PIPELINE = ConflictPipeline(PACKS, thresholds=DEFAULT_THRESHOLDS)
NEARNESS = [Zone.COLD, Zone.CONFLICT_CHECK, Zone.NEAR_DUP, Zone.HOT]
SUBJECTS = ["Ana", "Tom", "I", "My sister", "The depot", "Corvid Labs"]
PHRASES = {
    "home": ["lives in", "moved to", "no longer lives in", "is based in", "wohnt in"],
    "work": ["works at", "no longer works at", "quit", "arbeitet bei"],
    "taste": ["likes", "can't stand", "no longer likes", "mag"],
    "tool": ["uses", "switched to", "stopped using"],
    "spouse": ["is married to", "divorced", "is now married to"],
}
# None that decides by itself what is said of it: who "moved to Vim" uses it.
THINGS = ["Rome", "Oslo", "Acme", "Lodge", "Bea", "Globex"]
ODD = st.text(
    st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from(" .,'\"?!\n\u202e\u0600\u05d0🌊👩\u200d🔬\x07-_0123456789not moved to"),
    ),
    max_size=200,
)
cosines = st.floats(-1, 1)


@st.composite
def sentences(draw: st.DrawFn) -> tuple[str, str, str]:
    """Draw a sentence with its subject and the family of its predicate."""
    subject = draw(st.sampled_from(SUBJECTS))
    family = draw(st.sampled_from(sorted(PHRASES)))
    phrase = draw(st.sampled_from(PHRASES[family]))
    tail = draw(st.sampled_from(["", " now", " instead", " any more", " for good", "."]))
    return subject, family, f"{subject} {phrase} {draw(st.sampled_from(THINGS))}{tail}"


@given(known=sentences(), candidate=sentences(), cosine=cosines)
@settings(max_examples=400, deadline=None)
def test_unrelated_statements_are_never_retired(known, candidate, cosine) -> None:
    """What is about another subject, or says something else of it, stays."""
    one = Fact(known[2], cosine)
    statement, beside = laid_out(Row((one,), Fact(candidate[2], since=2025), ""))
    # As a store that hands in too much.
    beside = replace(beside, slot=(*beside.slot, *(near.statement for near in beside.near)))

    verdict = PIPELINE.resolve(statement, beside)

    if known[:2] != candidate[:2]:
        assert () == verdict.closes
        assert verdict.kind != DecisionKind.SUPERSEDE


@given(one=cosines, other=cosines)
def test_a_nearer_statement_is_in_no_farther_zone(one: float, other: float) -> None:
    """The zones are in the order of the cosine."""
    low, high = sorted((one, other))

    zones = [NEARNESS.index(DEFAULT_THRESHOLDS.zone(cosine)) for cosine in (low, high)]

    assert sorted(zones) == zones


@given(known=ODD, candidate=ODD, cosine=cosines)
@settings(max_examples=300, deadline=None)
def test_odd_text_gets_the_same_verdict_twice(known: str, candidate: str, cosine: float) -> None:
    """Emoji, writing from right to left and control characters are decided on as anything is."""
    row = Row((Fact(known.replace("|", ""), cosine),), Fact(candidate.replace("|", "")), "")

    first = PIPELINE.resolve(*laid_out(row))
    again = ConflictPipeline(PACKS, thresholds=DEFAULT_THRESHOLDS).resolve(*laid_out(row))

    assert first == again
    assert first.reason


@given(
    one=st.integers(0, 10**6),
    other=st.integers(0, 10**6),
    text=st.sampled_from(
        ["The cellar has {} doors", "Ana owns {} boats", "Order {} came", "v{}.2"]
    ),
    cosine=cosines,
)
@settings(max_examples=300, deadline=None)
def test_a_dedup_never_joins_other_numbers(one: int, other: int, text: str, cosine: float) -> None:
    """However near the vectors are."""
    row = Row((Fact(text.format(one), cosine),), Fact(text.format(other), since=2025), "")

    verdict = PIPELINE.resolve(*laid_out(row))

    if one != other:
        assert verdict.kind != DecisionKind.DEDUP


def test_long_and_tangled_text_is_read_in_no_time() -> None:
    """8,192 characters made for patterns to go astray in cost less than a tenth of a second."""
    tangles = [
        "a" * 8192,
        "not " * 2048,
        "moved to " * 900,
        "Ana's desk is " * 580,
        "the x of " * 900,
        "my " + "a-" * 4000 + " is",
        "hat bei " * 1000 + "geheiratet",
        "'" * 8192,
        "1,1" * 2700,
        " " * 8192,
        ("switched from a a a a " * 27)[:599],
        ("Ana ist von a nach b " * 28)[:599],
        ("no longer not any more " * 26)[:599],
    ]
    for tangle in tangles:
        row = Row((Fact(f"{tangle} x", 0.9),), Fact(tangle), "")
        started = time.perf_counter()

        PIPELINE.resolve(*laid_out(row))

        assert time.perf_counter() - started < 0.5, tangle[:20]


def test_the_same_neighbour_in_any_order_gives_the_same_verdict() -> None:
    """The nearest counts, not the first."""
    row = Row((Fact("Ana likes tea", 0.5), Fact("Ana likes Tea", 0.97)), Fact("Ana likes TEA "), "")
    candidate, known = laid_out(row)
    backwards = replace(known, near=known.near[::-1])

    assert PIPELINE.resolve(candidate, known) == PIPELINE.resolve(candidate, backwards)
    assert isinstance(known, Known)
    assert all(isinstance(near, Neighbour) for near in known.near)
