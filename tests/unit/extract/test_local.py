"""The local extractor summarises with a turn's own words and finds what it names."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphmem.extract import LocalExtractor, given_extraction
from graphmem.models import Extraction, ExtractionState
from graphmem.turn_text import LINE_MARK, own_words
from tests.unit.extract.drafts import draft


def _extract(*contents: str, names: tuple[str, ...] = ()) -> Extraction:
    return LocalExtractor().extract_now(draft(*contents, names=names))


def _names(extraction: Extraction) -> list[str]:
    return [mention.name for mention in extraction.mentions]


async def test_it_needs_no_model_and_says_so() -> None:
    """State and route are local; there are no facts."""
    extraction = await LocalExtractor().extract(draft("Ana bakes in Lyon."))

    assert (ExtractionState.LOCAL, "local", ()) == (
        extraction.state,
        extraction.extracted_by,
        extraction.facts,
    )


def test_a_question_keeps_its_answer_beside_it() -> None:
    """The summary has the best of both sides, with who said it."""
    extraction = _extract(
        "Hi there! Where does Ana work now?",
        "Good question. At a bakery in Lyon, since May. Anything else?",
        names=("Noor", "Helper"),
    )

    assert "Noor: Where does Ana work now?" in extraction.summary or (
        "Where does Ana work now?" in extraction.summary and "Noor: " in extraction.summary
    )
    assert "At a bakery in Lyon, since May." in extraction.summary


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met Noor Haddad at Corvid Labs yesterday.", {"Noor Haddad", "Corvid Labs"}),
        ("She studied at the University of Cape Town.", {"University of Cape Town"}),
        ("Why does src/db/user_repo.py break with C++ and Node.js?", {"C++", "Node.js"}),
        ("Have you read “The Left Hand of Darkness” yet?", {"The Left Hand of Darkness"}),
        ("Our kiln reaches 1240 degrees.", {"kiln"}),
        ("I went to a LGBTQ support group.", {"LGBTQ", "LGBTQ support group"}),
        ("会议改到周五下午，在北京大学东门", {"北京大学东门", "周五下午"}),  # noqa: RUF001 - its own comma
        ("来週の東京タワー見学", {"東京タワー見学", "来週"}),
        ("서울대학교에서 회의", {"서울대학교", "회의"}),
        ("¿Dónde vive María García?", {"María García"}),
        ("NORTH ANDOVER depot moved to ORONO.", {"NORTH ANDOVER", "ORONO"}),
    ],
)
def test_what_a_turn_names_is_found(text: str, expected: set[str]) -> None:
    """Names, titles, identifiers, phrases and nouns, in several scripts."""
    assert expected <= set(_names(_extract(text)))


@pytest.mark.parametrize(
    "text",
    ["Wow, thanks! That's really awesome.", "Yeah, sure. How have you been?", "...", "🚀 👍🏽"],
)
def test_small_talk_names_nothing(text: str) -> None:
    """Cheers, hedges and emoji are no Terms."""
    assert [] == _names(_extract(text))


def test_weights_order_what_a_turn_is_about() -> None:
    """A name weighs more than a phrase, a phrase more than a noun, and what is repeated more."""
    extraction = _extract("The loom repair is for Iris. A boat, a boat, my kingdom for a boat.")

    weights = {mention.name: mention.weight for mention in extraction.mentions}
    assert weights["Iris"] > weights["loom repair"] > weights["kingdom"]
    assert weights["boat"] > weights["kingdom"]


def test_who_speaks_is_mentioned_lightly() -> None:
    """A speaker's name links the turns of one person; a mere role links nothing."""
    named = _extract("The kiln is hot.", names=("Melanie",))
    unnamed = _extract("The kiln is hot.")

    assert 0 < next(m.weight for m in named.mentions if m.name == "Melanie") < 0.5
    assert "user" not in _names(unnamed)


def test_a_huge_turn_is_read_from_both_ends() -> None:
    """A megabyte is cut, marked as partial, and takes a moment only."""
    started_s = time.perf_counter()

    extraction = _extract("Start at Orono. " + "word " * 200_000 + "It ended at Corvid Labs.")

    assert extraction.is_partial
    assert {"Orono", "Corvid Labs"} <= set(_names(extraction))
    assert time.perf_counter() - started_s < 2


def test_it_is_fast() -> None:
    """Hundreds of turns a second at the very least, on a busy machine."""
    turns = [
        draft(f"Noor met Iris in Lyon to repair loom {number}.", "They had tea at Corvid Labs.")
        for number in range(400)
    ]
    extractor = LocalExtractor()
    started_s = time.perf_counter()

    for turn in turns:
        extractor.extract_now(turn)

    assert time.perf_counter() - started_s < 1


def test_an_extraction_without_terms_gets_the_turns_own() -> None:
    """Sentences alone would leave a turn unlinked; triples and given mentions stand as they are."""
    extractor = LocalExtractor()
    turn = draft("Noor met Iris in Lyon.")
    bare = given_extraction({"facts": ["They met."]})
    named = given_extraction({"mentions": ["Lyon"]})
    told = given_extraction({"triples": [["Noor", "met", "Iris"]]})

    filled = extractor.with_mentions(bare, turn)

    assert {"Noor", "Iris", "Lyon"} <= set(_names(filled))
    assert bare.facts == filled.facts
    assert named == extractor.with_mentions(named, turn)
    assert told == extractor.with_mentions(told, turn)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=400))
@example(LINE_MARK.strip())
def test_any_text_gives_a_valid_extraction(text: str) -> None:
    """Whatever is said: a summary that is not blank, names that are not, weights in bounds.

    A line of recalled text is nobody's words.
    """
    extraction = _extract(text)

    assert bool(own_words(text).strip()) == bool(extraction.summary.replace("user:", "").strip())
    assert all(mention.name.strip() for mention in extraction.mentions)
    assert len(extraction.mentions) <= 24
    assert extraction == _extract(text)
