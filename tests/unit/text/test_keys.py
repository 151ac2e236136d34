"""Names, hashes, and what counts as text."""

from __future__ import annotations

import pytest

from graphmem.errors import InputError
from graphmem.text import canonical_form, canonical_hash, check_text, term_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café Zoë", "Cafe\u0301 Zoe\u0308"),
        ("\uff2e\uff45\uff4f\uff14\uff4a", "Neo4j"),
        ("straße", "STRASSE"),
        ("  New   York\n", "new york"),
    ],
)
def test_one_name_in_two_spellings_is_one_term(one: str, other: str) -> None:
    """NFKC, casefold and single spaces make the key."""
    assert term_key(one) == term_key(other)


@pytest.mark.parametrize(
    ("one", "other", "is_one"),
    [
        ("C", "c", True),
        ("C", "C++", False),
        ("C", "C#", False),
        ("C++", "C#", False),
        ("C++", "c++", True),
        (".NET", "Net", False),
        (".NET", ".net", True),
        ("US", "us", True),
        ("US", "U.S.", False),
        ("Node.js", "nodejs", False),
        ("Node.js", "node.JS", True),
        ("KVLT", "kvlt", True),
        ("INV-1041", "INV-1042", False),
        ("INV-1041", "INV 1041", False),
        ("Ana", "Ana (baker)", False),
        ("Maya (sister)", "Maya (accounts)", False),
        ("Ana (Baker)", "ana  (baker)", True),
        ("AT&T", "ATT", False),
        ("3.5", "35", False),
        ("re-sign", "resign", False),
        ("O'Neil", "ONeil", False),
        ("naïve", "naive", False),
    ],
)
def test_a_key_folds_case_and_blanks_and_no_sign(one: str, other: str, is_one: bool) -> None:
    """The written rule, pair by pair."""
    assert is_one == (term_key(one) == term_key(other))


def test_names_that_differ_by_a_sign_stay_apart() -> None:
    """C, C++ and C# are three languages; an accent is part of a name."""
    names = ["C", "C++", "C#", "resume", "résumé", "👍", "👍🏽"]

    assert len(names) == len({term_key(name) for name in names})


@pytest.mark.parametrize("letter", ["a", "é", "字", "👍"])
@pytest.mark.parametrize("length", [200, 201, 10_000])
def test_a_key_is_bounded_and_still_tells_long_names_apart(letter: str, length: int) -> None:
    """At most 200 characters, the last ones a hash of the whole."""
    one, other = term_key(letter * length + "x"), term_key(letter * length + "y")

    assert len(one) <= 200
    assert len(one.encode()) < 1_000
    assert one != other


def test_equal_facts_hash_equal() -> None:
    """NFC, lower case, single spaces, trimmed."""
    assert "ana works at café" == canonical_form("  Ana  works at\tCafe\u0301 ")
    assert canonical_hash("Ana works at Café") == canonical_hash("ana WORKS at  cafe\u0301")
    assert canonical_hash("Ana works") != canonical_hash("Ana worked")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "must be text, got NoneType"),
        (b"bytes", "must be text, got bytes"),
        ("", "is empty"),
        (" \n\t", "is empty"),
        ("a\0b", "NUL character at position 1"),
        ("ok \ud83d", "surrogate pair at position 3"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_the_reason(value: object, reason: str) -> None:
    """The message names the parameter and the place."""
    with pytest.raises(InputError, match=f"question.*{reason}"):
        check_text(value, "question")


@pytest.mark.parametrize("value", ["Shipped 🚀 with 👩🏽\u200d💻", "مرحبا", "a" * 1_000_000])
def test_text_of_any_script_and_length_is_taken_as_it_is(value: str) -> None:
    """Nothing is cut or changed."""
    assert value == check_text(value, "question")
