"""The times that a question names: "in May 2023", "on 7 May", "2023-05-07", "last week".

Only what can be read without doubt counts: a month's name or a date in figures, and a few
English phrases that count from now. A question that names no time has no spans, and the time
of a turn plays no part then.
"""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

__all__ = ["Span", "named_spans", "nearness"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
# Verbs and names as well: they are months beside a day or a year, or after such a word.
_DOUBTFUL = frozenset({"may", "march", "mar", "jan", "june", "april", "august"})
_BEFORE_MONTH = re.compile(
    r"\b(?:in|of|since|until|till|by|during|from|to|before|after|last|this|next|early|late|mid)"
    r"[\s-]+$",
    re.IGNORECASE,
)
# The longest of these words, and some blanks.
_LOOKS_BACK = 20
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_DATES = (
    re.compile(rf"\b{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}\b"),
    re.compile(rf"{_YEAR}\u5e74(?P<month>\d{{1,2}})\u6708(?:(?P<day>\d{{1,2}})\u65e5)?"),
    re.compile(rf"\b{_DAY}(?:\s+of)?\s+(?P<name>{_MONTH})\b\.?(?:,?\s+{_YEAR}\b)?", re.IGNORECASE),
    re.compile(
        rf"\b(?P<name>{_MONTH})\b\.?(?:\s+{_DAY}(?!\s*[:.]\d))?(?:,?\s+(?:of\s+)?{_YEAR}\b)?",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<![\w.\-]){_YEAR}(?![\w\-]|\.\d)"),
)
_AGO = re.compile(
    r"\b(?P<count>\d{1,3}|a|an|one|two|three|four|five|six)\s+"
    r"(?P<unit>day|week|month|year)s?\s+ago\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?P<word>today|yesterday)\b|\b(?P<which>last|this|past)\s+(?P<unit>week|month|year)\b",
    re.IGNORECASE,
)
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
# Letters that a pattern without case takes for an i, an s or a k, and `lower` does not.
_LOOKALIKES = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")
# What was done on a day is told of soon after, or planned shortly before: LoCoMo is flat from
# a week to a month.
_FADES_DAYS = 10.0
# A span as long as a month tells all that it can; a longer one tells less.
_FULL_SPAN_DAYS = 31
_MOST_SPANS = 8


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `start` to `end`, both included; `is_yearly` = of any year."""

    start: date
    end: date
    is_yearly: bool = False


def named_spans(question: str, now: datetime) -> tuple[Span, ...]:
    """Return the times that a question names, in their order; at most eight.

    Args:
        question: As it was asked.
        now: What "yesterday" and "last week" count from (aware).
    """
    taken: list[tuple[int, Span]] = []
    rest = question.translate(_LOOKALIKES)
    for pattern in _DATES:
        for match in pattern.finditer(rest):
            span = _span(match)
            if span is not None:
                taken.append((match.start(), span))
                # Same length, so that places stay: a date is read once, by the fullest form.
                rest = rest[: match.start()] + " " * len(match.group()) + rest[match.end() :]
    today = now.astimezone(UTC).date()
    taken += _relative(rest, today)
    taken.sort(key=lambda entry: entry[0])
    return tuple(dict.fromkeys(span for _, span in taken))[:_MOST_SPANS]


def nearness(at_ms: int, spans: Collection[Span]) -> float:
    """Return how near a moment is to the nearest of some spans.

    Args:
        at_ms: Milliseconds since 1970 (UTC).
        spans: From `named_spans`.

    Returns:
        1 inside of a span and falling with the days from it, exp(-days / 10); a span longer
        than a month counts less, by its length. 0 without spans.
    """
    # Most questions name no time, and are asked of every turn that may answer.
    if not spans:
        return 0.0
    try:
        day = datetime.fromtimestamp(at_ms / 1000, UTC).date()
    except (OverflowError, ValueError, OSError):
        return 0.0
    return max((_nearness(day, span) for span in spans), default=0.0)


def _nearness(day: date, span: Span) -> float:
    length = (span.end - span.start).days + 1
    tells = min(1.0, _FULL_SPAN_DAYS / length)
    distance = min(
        max(0, (start - day).days, (day - end).days) for start, end in _occasions(day, span)
    )
    return tells * math.exp(-distance / _FADES_DAYS)


def _occasions(day: date, span: Span) -> Iterator[tuple[date, date]]:
    if not span.is_yearly:
        yield span.start, span.end
        return
    for year in (day.year - 1, day.year, day.year + 1):
        if date.min.year <= year <= date.max.year:
            yield _in_year(span.start, year), _in_year(span.end, year)


def _in_year(day: date, year: int) -> date:
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def _span(match: re.Match[str]) -> Span | None:
    found = match.groupdict()
    year = int(found["year"]) if found.get("year") else None
    day = int(found["day"]) if found.get("day") else None
    name = found.get("name")
    if name is not None:
        is_bare = day is None and year is None and name.lower() in _DOUBTFUL
        start = match.start("name")
        if is_bare and not _BEFORE_MONTH.search(match.string, max(0, start - _LOOKS_BACK), start):
            return None
        month: int | None = _MONTHS[name.lower()]
    else:
        month = int(found["month"]) if found.get("month") else None
    if month is None:
        return Span(date(year, 1, 1), date(year, 12, 31)) if year is not None else None
    if not 1 <= month <= 12:  # noqa: PLR2004 - months of a year
        return None
    # A leap year takes 29 February in.
    known_year = year if year is not None else 2000
    last = monthrange(known_year, month)[1]
    if day is not None and 1 <= day <= last:
        return Span(date(known_year, month, day), date(known_year, month, day), year is None)
    return Span(date(known_year, month, 1), date(known_year, month, last), year is None)


def _relative(question: str, today: date) -> Iterator[tuple[int, Span]]:
    for match in _AGO.finditer(question):
        count = match["count"].lower()
        unit = match["unit"].lower()
        days = _COUNTS.get(count) or int(count)
        yield match.start(), _around(today, days * _UNIT_DAYS[unit], _UNIT_DAYS[unit])
    for match in _RELATIVE.finditer(question):
        if match["word"]:
            days = 1 if match["word"].lower() == "yesterday" else 0
            yield match.start(), _around(today, days, 1)
        else:
            days = _UNIT_DAYS[match["unit"].lower()]
            is_over = match["which"].lower() == "last"
            end = _back(today, days if is_over and days > _UNIT_DAYS["week"] else 0)
            yield match.start(), Span(_back(end, days), end)


def _around(today: date, days: int, width: int) -> Span:
    # "Three weeks ago" is a week give or take half of one.
    return Span(_back(today, days + width // 2), _back(today, max(0, days - width // 2)))


def _back(day: date, days: int) -> date:
    return max(date.min + timedelta(days), day) - timedelta(days)


def spans_text(spans: Sequence[Span]) -> str:
    """Return spans as a person reads them, such as "2023-05-01 to 2023-05-31"."""
    return ", ".join(_told(span) for span in spans)


def _told(span: Span) -> str:
    form = "%m-%d" if span.is_yearly else "%Y-%m-%d"
    start, end = span.start.strftime(form), span.end.strftime(form)
    return start if start == end else f"{start} to {end}"
