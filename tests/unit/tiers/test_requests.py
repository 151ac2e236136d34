"""What may be asked of semantic memory, and what is refused before anything is touched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.clock import OPEN_FROM
from graphmem.errors import InputError
from graphmem.tiers.requests import (
    check_limit,
    check_query,
    check_reason,
    check_search_tags,
    statement_request,
    successor_request,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def test_a_statement_at_its_bounds_is_taken() -> None:
    """8,192 characters, 32 tags of 64, a confidence of 0."""
    request = statement_request(
        "x" * 8192, confidence=0, tags=["t" * 64 for _ in range(32)], now=NOW
    )

    assert (8192, 32, 0.0) == (
        len(request.draft.text),
        len(request.draft.tags),
        request.draft.confidence,
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"text": ""}, "text"),
        ({"text": " \n"}, "text"),
        ({"text": "x" * 8193}, "8,192"),
        ({"text": 7}, "text"),
        ({"text": "a\0b"}, "NUL"),
        ({"text": "half \ud800"}, "surrogate"),
        ({"tags": ["t"] * 33}, "32"),
        ({"tags": ["t" * 65]}, r"tags\[0\]"),
        ({"tags": "home"}, "list"),
        ({"tags": [7]}, r"tags\[0\]"),
        ({"tags": [" "]}, r"tags\[0\]"),
        ({"confidence": 1.01}, "confidence"),
        ({"confidence": -0.1}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"confidence": "1"}, "confidence"),
        ({"sensitivity": "hidden"}, "sensitivity"),
        ({"sensitivity": ""}, "sensitivity"),
        ({"turn_ids": "abc"}, "turn_ids"),
        ({"turn_ids": [7]}, "turn_ids"),
        ({"agent_id": ""}, "agent_id"),
        ({"agent_id": "x" * 501}, "agent_id"),
        ({"subject": "Iris"}, "all three"),
        ({"subject": "Iris", "predicate": "owns"}, "all three"),
        ({"object": "loom"}, "all three"),
        ({"subject": "Iris", "predicate": "", "object": "loom"}, "predicate"),
        ({"valid_from": datetime(2026, 1, 1)}, "valid_from"),  # noqa: DTZ001 - naive on purpose
        ({"valid_from": "2026-01-01"}, "valid_from"),
        ({"valid_from": NOW, "valid_to": NOW}, "before"),
        ({"valid_from": NOW, "valid_to": NOW - timedelta(days=1)}, "before"),
    ],
)
def test_a_statement_out_of_bounds_is_refused(values: dict[str, Any], told: str) -> None:
    """The message names what is wrong."""
    with pytest.raises(InputError, match=told):
        statement_request(**{"text": "Iris owns a loom.", "now": NOW, **values})


def test_what_was_over_when_it_was_said_began_at_an_unknown_time() -> None:
    """An end in the past alone makes no empty stretch."""
    over = statement_request("Iris lived in Ulm.", valid_to=NOW - timedelta(days=9), now=NOW)
    ends = statement_request("Iris lives in Ulm.", valid_to=NOW + timedelta(days=9), now=NOW)

    assert OPEN_FROM == over.draft.valid_from
    assert ends.draft.valid_from is None


def test_blanks_of_a_triple_are_collapsed() -> None:
    """Names are shown as one would write them."""
    draft = statement_request(
        "x", subject=" Iris  B. ", predicate="lives\nin", object="Ulm", now=NOW
    ).draft

    assert ("Iris B.", "lives in", "Ulm") == (draft.subject, draft.predicate, draft.object)


def test_a_successor_is_a_text_or_a_mapping() -> None:
    """A triple needs no text of its own."""
    plain = successor_request("Iris lives in Ulm.", now=NOW)
    triple = successor_request(
        {"subject": "Iris", "predicate": "lives in", "object": "Ulm", "confidence": 0.5}, now=NOW
    )

    assert ("Iris lives in Ulm.", "") == (plain.draft.text, plain.draft.subject)
    assert ("Iris lives in Ulm", 0.5) == (triple.draft.text, triple.draft.confidence)


@pytest.mark.parametrize(
    "new",
    [
        None,
        7,
        "",
        [],
        {},
        {"subject": "Iris"},
        {"subject": "Iris", "predicate": " ", "object": "Ulm"},
        {"text": "x", "status": "active"},
        {"text": "x", "valid_from": "soon"},
    ],
)
def test_anything_else_is_no_successor(new: object) -> None:
    """It is refused before anything is written."""
    with pytest.raises(InputError):
        successor_request(new, now=NOW)


def test_a_question_has_a_length() -> None:
    """1,024 characters are taken, one more is not, none is none."""
    assert 1024 == len(check_query("x" * 1024))
    for query in ("x" * 1025, "", "  ", None):
        with pytest.raises(InputError):
            check_query(query)


def test_a_reason_has_a_length() -> None:
    """512 characters are taken, one more is not, none is none."""
    assert 512 == len(check_reason("x" * 512))
    for reason in ("x" * 513, "", None):
        with pytest.raises(InputError):
            check_reason(reason)


def test_a_search_takes_sixteen_tags() -> None:
    """One more is refused."""
    assert 16 == len(check_search_tags(["t"] * 16))
    with pytest.raises(InputError):
        check_search_tags(["t"] * 17)


@pytest.mark.parametrize("value", [-1, 51, True, 1.5, "5", None])
def test_a_limit_is_a_whole_number_in_its_range(value: object) -> None:
    """Anything else is refused."""
    with pytest.raises(InputError, match="limit"):
        check_limit(value, 50)
