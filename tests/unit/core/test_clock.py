"""Times from outside: instants or errors."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from graphmem import InputError
from graphmem.clock import OPEN_FROM, OPEN_TO, as_utc, none_if_open


def test_any_zone_is_told_in_utc() -> None:
    """The instant stays."""
    said = datetime(2025, 3, 30, 1, 30, tzinfo=timezone(timedelta(hours=2)))

    assert datetime(2025, 3, 29, 23, 30, tzinfo=UTC) == as_utc(said, name="at")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (datetime(2025, 3, 30), "naive"),  # noqa: DTZ001 - that is what is refused
        (date(2025, 3, 30), "must be a datetime"),
        ("2025-03-30", "must be a datetime"),
        (datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))), "outside the years"),
        (datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-2))), "outside the years"),
    ],
)
def test_what_names_no_instant_is_refused_with_its_cure(value: object, told: str) -> None:
    """The parameter is named."""
    with pytest.raises(InputError, match=f"at .*{told}|{told}"):
        as_utc(value, name="at")  # type: ignore[arg-type]


def test_the_sentinels_of_an_open_end_are_none() -> None:
    """What is stored in place of a missing end never shows."""
    assert [None, None] == [none_if_open(OPEN_FROM), none_if_open(OPEN_TO)]
    assert datetime(2025, 1, 1, tzinfo=UTC) == none_if_open(datetime(2025, 1, 1, tzinfo=UTC))
