"""Which facts a question asks for, by what was said of them when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.clock import OPEN_TO
from graphmem.tiers.search import Asked

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    """Return a day after START."""
    return START + timedelta(days=number)


# Told on day 1; on day 10 it became known that it had ended on day 5; forgotten on day 20.
ENTRY: dict[str, Any] = {
    "id": "f",
    "status": "forgotten",
    "valid_from": day(0),
    "valid_to": day(5),
    "version_at": [day(1), day(10), day(20)],
    "version_status": ["active", "superseded", "forgotten"],
    "version_valid_from": [day(0)] * 3,
    "version_valid_to": [OPEN_TO, day(5), day(5)],
}


@pytest.mark.parametrize(
    ("known", "held", "is_answer"),
    [
        (1, 1, True),
        (9, 9, True),
        (10, 10, False),
        (15, 4, True),
        (15, 5, False),
        (20, 4, False),
        (None, 4, False),
    ],
)
def test_a_fact_answers_as_it_was_told_then(known: int | None, held: int, is_answer: bool) -> None:
    """Status and time of the version count, not those of now; an end is exclusive."""
    asked = Asked("q", day(held), known_at=None if known is None else day(known))

    assert is_answer == asked.is_answer(ENTRY)


def test_a_fact_that_never_changed_is_what_it_is() -> None:
    """Without versions its own status and time count."""
    entry = {**ENTRY, "status": "active", "valid_to": OPEN_TO, "version_at": None}

    assert Asked("q", day(3), known_at=day(2)).is_answer(entry)
    assert not Asked("q", day(-1)).is_answer(entry)


def test_what_has_ended_is_asked_for_on_purpose() -> None:
    """Then any end will do, and the beginning counts still."""
    entry = {**ENTRY, "status": "superseded", "version_at": None}

    assert Asked("q", day(30), include_superseded=True).is_answer(entry)
    assert not Asked("q", day(30)).is_answer(entry)
    assert not Asked("q", day(-1), include_superseded=True).is_answer(entry)
