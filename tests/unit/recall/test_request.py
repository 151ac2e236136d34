"""What may be asked, and what is refused at the door."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from graphmem.errors import InputError
from graphmem.recall.request import RecallRequest, recall_request

AT = datetime(2026, 3, 1, tzinfo=UTC)


def ask(query: Any = "kiln", **changes: Any) -> RecallRequest:
    """Return a request with some fields changed."""
    return recall_request(query, **{"scope": "acme/ana", "limit": 6, **changes})


@pytest.mark.parametrize("query", ["", "  \n", None, 7, "a\0b", "half \ud83d"])
def test_a_query_that_asks_nothing_is_refused(query: Any) -> None:
    """Blank, no text at all, or text that cannot be: an error that names the query."""
    with pytest.raises(InputError, match="query"):
        ask(query)


def test_a_long_query_keeps_its_beginning_and_its_end() -> None:
    """A megabyte is cut by a rule: the first and the last 10,000 characters."""
    query = "first " + "x" * 1_000_000 + " last"

    asked = ask(query)

    assert len(asked.query) <= 20_001
    assert asked.query.startswith("first ")
    assert asked.query.endswith(" last")


@pytest.mark.parametrize("limit", [-1, 1001, 2.5, "6", None, True])
def test_a_limit_out_of_range_is_refused(limit: Any) -> None:
    """0 to 1,000, a whole number."""
    with pytest.raises(InputError, match="limit"):
        ask(limit=limit)


@pytest.mark.parametrize("name", ["session_id", "agent_id", "project"])
@pytest.mark.parametrize("value", ["", "  ", ["s1"], 7])
def test_a_filter_that_names_nothing_is_refused(name: str, value: Any) -> None:
    """Only None means no filter."""
    with pytest.raises(InputError, match=name):
        ask(**{name: value})


def test_a_naive_time_is_refused() -> None:
    """It names no instant."""
    with pytest.raises(InputError, match="since"):
        ask(since=datetime(2026, 3, 1))  # noqa: DTZ001 - that is the point


def test_times_are_told_in_utc() -> None:
    """Any zone is taken."""
    east = timezone(timedelta(hours=2))

    asked = ask(until=datetime(2026, 3, 1, 2, tzinfo=east))

    assert asked.until == AT
    assert asked.until.tzinfo is UTC


def test_a_range_that_ends_before_it_begins_is_refused() -> None:
    """It could only be a mistake."""
    with pytest.raises(InputError, match="swap"):
        ask(since=AT, until=AT - timedelta(seconds=1))


@pytest.mark.parametrize(
    "visible",
    [None, 7, "abc", b"abc", {"abc": 1}, [7], [["abc"]], ["\ud800"], [f"{n}" for n in range(2001)]],
)
def test_visible_is_a_list_of_ids(visible: Any) -> None:
    """One id as text would be taken for its letters."""
    with pytest.raises(InputError, match="visible"):
        ask(visible=visible)


def test_visible_may_be_any_iterable() -> None:
    """Ids that stand twice count once."""
    asked = ask(visible=iter(["a", "b", "a"]))

    assert asked.visible == {"a", "b"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [({}, False), ({"visible": ["a"]}, False), ({"session_id": "s"}, True), ({"since": AT}, True)],
)
def test_only_filters_filter(changes: dict[str, Any], expected: bool) -> None:
    """Leaving turns out is not asking for others only."""
    assert ask(**changes).is_filtered is expected


def test_what_holds_for_good_holds_at_the_end_of_time() -> None:
    """The last instant that there is stands for an open end, which nothing lies behind."""
    last = datetime.max.replace(tzinfo=UTC)

    assert ask(as_of=last).held_at(AT) < datetime(9999, 12, 31, tzinfo=UTC)
    assert ask(as_of=AT).held_at(last) == AT
    assert ask().held_at(AT) == AT
