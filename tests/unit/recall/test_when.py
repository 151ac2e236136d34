"""The times that a question names."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.recall.when import Span, named_spans, nearness, spans_text

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def told(question: str) -> str:
    """Return the spans of a question as a person reads them."""
    return spans_text(named_spans(question, NOW))


def at_ms(*day: int) -> int:
    """Return noon of a day in milliseconds."""
    return int(datetime(*day, 12, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("What did Ana do on 7 May 2023?", "2023-05-07"),
        ("What did Ana do on May 7th, 2023?", "2023-05-07"),
        ("what happened on the 7th of may", "05-07"),
        ("Where was he in May 2023?", "2023-05-01 to 2023-05-31"),
        ("Where was he in february of 2024?", "2024-02-01 to 2024-02-29"),
        ("Who called in June?", "06-01 to 06-30"),
        ("Sept. 3: who called?", "09-03"),
        ("notes of 2023-05-07", "2023-05-07"),
        ("notes of 2023-05", "2023-05-01 to 2023-05-31"),
        ("am 7.5.2023", "2023-05-07"),
        ("2023\u5e745\u67087\u65e5", "2023-05-07"),
        ("what did I buy in 2022?", "2022-01-01 to 2022-12-31"),
        ("from 3 May to 9 June 2023", "05-03, 2023-06-09"),
        ("on 31 February 2023", "2023-02-01 to 2023-02-28"),
        ("what was said yesterday?", "2026-03-17"),
        ("what did we decide last week", "2026-03-11 to 2026-03-18"),
        ("the plan of two weeks ago", "2026-03-01 to 2026-03-07"),
        ("last month", "2026-01-17 to 2026-02-16"),
    ],
)
def test_a_time_is_read(question: str, spans: str) -> None:
    """Once, by the fullest form in which it is written."""
    assert told(question) == spans


@pytest.mark.parametrize(
    "question",
    [
        "What may Maya not eat?",
        "May I ask what June said?",
        "Will April march with Jan?",
        "the decision about marching bands",
        "room 2023a, call 2-2023",
        "on 13.13.2023",
        "",
        "a second ago",
    ],
)
def test_what_could_be_something_else_is_no_time(question: str) -> None:
    """Names and verbs that look like months, figures that look like dates."""
    assert named_spans(question, NOW) == ()


def test_nearness_falls_with_the_days() -> None:
    """1 inside, 1/e ten days away on either side."""
    may = (Span(date(2023, 5, 1), date(2023, 5, 31)),)

    found = [nearness(at_ms(*day), may) for day in ((2023, 5, 9), (2023, 6, 10), (2023, 4, 21))]

    assert found == pytest.approx([1.0, 0.36788, 0.36788], abs=1e-5)


def test_a_month_without_a_year_is_that_of_any_year() -> None:
    """Also across the turn of the year."""
    december = named_spans("in December", NOW)

    found = [nearness(at_ms(*day), december) for day in ((2019, 12, 24), (2020, 1, 10))]

    assert found == pytest.approx([1.0, 0.36788], abs=1e-5)


def test_a_year_tells_less_than_a_month() -> None:
    """Half the store may lie in it."""
    assert nearness(at_ms(2022, 6, 1), named_spans("in 2022", NOW)) < 0.1


def test_without_spans_nothing_is_near() -> None:
    """The time of a turn plays no part then."""
    assert nearness(at_ms(2022, 6, 1), ()) == 0.0


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("apr\u0131l 2023", "2023-04-01 to 2023-04-30"),
        ("7 APR\u0130L 2023", "2023-04-07"),
        ("\u017feptember 2023", "2023-09-01 to 2023-09-30"),
        ("\u017f\u0131x day\u017f ago", "2026-03-12"),
        ("ye\u017fterday", "2026-03-17"),
        ("la\u017ft month", "2026-01-17 to 2026-02-16"),
    ],
)
def test_letters_that_differ_by_case_alone_are_read(question: str, spans: str) -> None:
    """Those that a pattern without case takes for an i, an s or a k."""
    assert spans == told(question)


def test_time_is_linear_in_a_question_of_doubtful_months() -> None:
    """A name is told from a month by the word before it, not by all that stands before it."""
    started = time.perf_counter()

    assert () == named_spans("may " * 20_000, NOW)
    assert "05-01 to 05-31" == told("may " * 20_000 + "what was in   May?")
    assert time.perf_counter() - started < 5


@given(st.text(max_size=60), st.datetimes().map(lambda at: at.replace(tzinfo=UTC)))
def test_no_question_and_no_clock_breaks_it(question: str, now: datetime) -> None:
    """Whatever is asked, whenever."""
    spans = named_spans(f"{question} 3 weeks ago, 999 years ago, 29 February {question}", now)

    assert all(span.start <= span.end for span in spans)
    assert 0 <= nearness(-(10**15), spans) <= 1


@given(
    st.dates(date(1900, 3, 1), date(2099, 12, 31)),
    st.sampled_from(["%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d.%m.%Y"]),
)
def test_a_date_is_read_in_each_form(day: date, form: str) -> None:
    """And is one day, near itself and far from the next year."""
    spans = named_spans(f"what happened on {day.strftime(form)}, Ana?", NOW)
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)

    assert spans == (Span(day, day),)
    assert nearness(int(noon.timestamp() * 1000), spans) == 1.0
    later = noon + timedelta(days=365)
    assert nearness(int(later.timestamp() * 1000), spans) < 1e-10
