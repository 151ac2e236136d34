"""What a caller knows of a turn is taken as given, or refused with its place."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.errors import InputError
from graphmem.extract import given_extraction
from graphmem.models import Extraction, ExtractionState, FactDraft, Mention, Outcome


def test_everything_given_arrives() -> None:
    """Summary, facts in each form, tags, intent and mentions are kept in order."""
    extraction = given_extraction(
        {
            "summary": "Ana moved.",
            "outcome": "informational",
            "triples": [["Ana", "lives in", "Lyon"]],
            "facts": [
                "Ana bakes.",
                {"subject": "Ana", "predicate": "has", "object": "a cat", "confidence": 0.5},
                {"text": "Ana left Nice.", "subject": "Ana", "valid_to": "2025-04", "tags": ["x"]},
            ],
            "tags": ["home", "Home"],
            "intent": "tell",
            "mentions": ["Ana", ["Lyon", 0.4], {"name": "ana", "weight": 0.2}],
        }
    )

    texts = [fact.text for fact in extraction.facts]
    assert ["Ana lives in Lyon", "Ana bakes.", "Ana has a cat", "Ana left Nice."] == texts
    assert 0.5 == extraction.facts[2].confidence
    assert datetime(2025, 4, 1, tzinfo=UTC) == extraction.facts[3].valid_to
    assert ("home",) == extraction.tags
    assert (Mention(name="Ana"), Mention(name="Lyon", weight=0.4)) == extraction.mentions
    assert (ExtractionState.GIVEN, "given") == (extraction.state, extraction.extracted_by)
    assert Outcome.INFORMATIONAL == extraction.outcome


def test_an_extraction_value_is_checked_too() -> None:
    """Handing in the value object gives the same as handing in the mapping."""
    value = Extraction(
        summary="Ana moved.", facts=(FactDraft(text="A."), FactDraft(text="a.")), tags=("home",)
    )

    extraction = given_extraction(value)

    assert given_extraction({"summary": "Ana moved.", "facts": ["A."], "tags": ["home"]}) == (
        extraction
    )


def test_nothing_given_is_a_valid_extraction() -> None:
    """A caller may know that there is nothing to know."""
    assert ((), "") == (given_extraction({}).facts, given_extraction({}).summary)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([], "extraction must be a mapping"),
        ({"sumary": "x"}, "sumary"),
        ({"summary": 42}, "extraction.summary"),
        ({"summary": "half \ud83d"}, "extraction.summary"),
        ({"outcome": "great"}, "extraction.outcome"),
        ({"facts": "Ana bakes."}, "extraction.facts must be a list"),
        ({"facts": [42]}, r"extraction.facts\[0\]"),
        ({"facts": ["ok", "  "]}, r"extraction.facts\[1\]"),
        ({"facts": [{"subject": "Ana"}]}, r"extraction.facts\[0\] needs"),
        ({"facts": [{"text": "x", "when": "now"}]}, "when"),
        ({"facts": [{"text": "x", "confidence": float("nan")}]}, "confidence"),
        ({"facts": [{"text": "x", "confidence": 2}]}, "confidence"),
        ({"facts": [{"text": "x", "confidence": 10**400}]}, "confidence"),
        ({"facts": [{"text": "x", "valid_from": 2024}]}, "valid_from"),
        ({"facts": [{"text": "x", "valid_from": datetime(2024, 1, 1)}]}, "naive"),  # noqa: DTZ001
        ({"triples": [["Ana", "lives in"]]}, r"extraction.triples\[0\]"),
        ({"triples": [["Ana", {"rel": 1}, "Lyon"]]}, r"triples\[0\].predicate"),
        ({"triples": [["Ana", "", "Lyon"]]}, r"triples\[0\]"),
        ({"triples": [["A" * 500, "is", "long"]]}, "300"),
        ({"tags": "home"}, "extraction.tags must be a list"),
        ({"tags": [""]}, r"extraction.tags\[0\]"),
        ({"mentions": [["Ana", 0]]}, r"mentions\[0\]"),
        ({"mentions": [["Ana", 10**400]]}, r"mentions\[0\]"),
        ({"mentions": [["Ana", 0.5, 1]]}, r"mentions\[0\]"),
        ({"mentions": [None]}, r"mentions\[0\]"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(value: Any, place: str) -> None:
    """A caller can cure what is wrong, so nothing is dropped silently."""
    with pytest.raises(InputError, match=place):
        given_extraction(value)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC)),
        ("2024-07", datetime(2024, 7, 1, tzinfo=UTC)),
        ("2025-06-01", datetime(2025, 6, 1, tzinfo=UTC)),
        ("2025-06-01T12:00:00+02:00", datetime(2025, 6, 1, 10, tzinfo=UTC)),
        ("2025-06-01T12:00", datetime(2025, 6, 1, 12, tzinfo=UTC)),
        ("null", None),
        ("present", None),
        ("2025-02-31", None),
        ("last spring", None),
        ("0000", None),
        ("", None),
    ],
)
def test_written_dates_follow_one_rule(told: str, expected: datetime | None) -> None:
    """A year means its start; what names no instant is unknown with a note, the fact stays."""
    extraction = given_extraction({"facts": [{"text": "x", "valid_from": told}]})

    assert expected == extraction.facts[0].valid_from
    assert (0 if expected else 1) == len(extraction.dropped)


def test_an_interval_that_ends_before_it_begins_is_refused() -> None:
    """Both ends become unknown, with a note, and the fact stays."""
    extraction = given_extraction(
        {"facts": [{"text": "x", "valid_from": "2025-06-01", "valid_to": "2024-01-01"}]}
    )

    fact = extraction.facts[0]
    assert (None, None) == (fact.valid_from, fact.valid_to)
    assert 1 == len(extraction.dropped)
