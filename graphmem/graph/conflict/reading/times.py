"""The time that a statement names itself: "in 2010", "last year", "vor drei Jahren"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import Statement

__all__ = ["Span", "named_time", "tells_of_before"]

# Before it nobody tells an agent anything; an open beginning is no day to count from.
_FIRST_YEAR = 1900
_YEAR = re.compile(r"(?<![\w$€£#@.,-])(?P<year>(?:1[5-9]|20)\d\d)(?P<ending>'?[^\W\d_]*)(?![\w%€])")
_ISO = re.compile(r"(?<![\w-])(?P<year>(?:1[5-9]|20)\d\d)-(?P<month>\d\d)(?:-\d\d)?(?![\w-])")
_DOTTED = re.compile(
    r"(?<![\w.])(?:\d{1,2}\.)?(?P<month>\d{1,2})[./](?P<year>(?:1[5-9]|20)\d\d)(?!\w)"
)
_MONTHS = 12
_DAYS = {"year": 365, "month": 30, "decade": 3650}


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time; `until` is exclusive. Both are aware UTC."""

    since: datetime
    until: datetime


def named_time(packs: Sequence[LocalePack], statement: Statement) -> Span | None:
    """Return the time of which a statement says that it speaks, None where it names none.

    What goes on ("since 2010") speaks of now, and so does what is news: "yesterday", "last week".
    A number that is part of what it is about, or all that it says of it, is no time.
    """
    at = statement.valid_from
    if at.year < _FIRST_YEAR:
        return None
    text = statement.text[:600]
    spans = [
        span
        for span in (*_dates(packs, statement, text), *_relative(packs, text, at))
        if span is not None
    ]
    if not spans:
        return None
    return Span(min(one.since for one in spans), max(one.until for one in spans))


def tells_of_before(packs: Sequence[LocalePack], one: Statement, other: Statement) -> bool:
    """Return whether the time that a statement names is over before another one began to hold."""
    if any(
        pack.families[one.predicate_key].is_timeless
        for pack in packs
        if one.predicate_key in pack.families
    ):
        return False
    named = named_time(packs, one)
    if named is None:
        return False
    began = named_time(packs, other)
    return named.until <= (other.valid_from if began is None else began.since)


def _dates(packs: Sequence[LocalePack], statement: Statement, text: str) -> list[Span | None]:
    found: list[Span | None] = []
    for pattern in (_ISO, _DOTTED):
        found += [
            _month(int(match["year"]), int(match["month"]))
            for match in pattern.finditer(text)
            if not _goes_on(packs, text, match) and not _is_part(packs, statement, match.group())
        ]
        text = pattern.sub(" ", text)
    for match in _YEAR.finditer(text):
        year, ending = match["year"], match["ending"]
        is_decade = any(ending.removeprefix("'") in pack.decade_endings for pack in packs)
        if ending and not is_decade and not ending.startswith("'"):
            continue
        if _goes_on(packs, text, match) or _is_part(packs, statement, year):
            continue
        if is_decade:
            found.append(_years(int(year), int(year) + 10))
            continue
        found.append(_month_before(packs, text[: match.start()], int(year)) or _years(int(year)))
    return found


def _goes_on(packs: Sequence[LocalePack], text: str, match: re.Match[str]) -> bool:
    """Return whether "since" stands before a date, and nothing that says until when."""
    before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() :]
    return any(
        pack.since is not None
        and any(word.end() == len(before.rstrip()) for word in pack.since.finditer(before))
        and not (pack.until and pack.until.match(after.lstrip()))
        for pack in packs
    )


def _is_part(packs: Sequence[LocalePack], statement: Statement, written: str) -> bool:
    """Return whether a number is part of the subject, or of the object without being its time."""
    if written in statement.subject_key.split():
        return True
    if any(
        re.search(rf"(?<!\w){word} {re.escape(written)} \w", statement.text, re.IGNORECASE)
        for pack in packs
        for word in pack.auxiliaries
        if statement.predicate_key in pack.families
    ):
        # "Hat 2003 Leo geheiratet".
        return False
    words = statement.object_key.replace("(", "( ").replace(",", " , ").split()
    places = [at for at, word in enumerate(words) if word.strip(").") == written]
    return any(at == 0 or not _is_before_a_date(packs, words[at - 1]) for at in places)


def _is_before_a_date(packs: Sequence[LocalePack], word: str) -> bool:
    return word in ("(", ",") or any(
        word in pack.before_dates or any(month.fullmatch(word) for month in pack.months)
        for pack in packs
    )


def _month_before(packs: Sequence[LocalePack], before: str, year: int) -> Span | None:
    """Return the month of "in March 2010" and "3 May, 2010"."""
    for pack in packs:
        for number, pattern in enumerate(pack.months, start=1):
            if any(
                not before[match.end() :].strip(" ,.0123456789") and len(before) - match.end() < 6  # noqa: PLR2004 - " 12, "
                for match in pattern.finditer(before)
            ):
                return _month(year, number)
    return None


def _relative(packs: Sequence[LocalePack], text: str, at: datetime) -> list[Span | None]:
    return [
        _ago(pack, name, (match.groupdict().get("count") or "").lower(), at)
        for pack in packs
        for name, pattern in pack.agos
        for match in pattern.finditer(text)
    ]


def _ago(pack: LocalePack, name: str, count: str, at: datetime) -> Span | None:
    if name == "last year":
        return _years(at.year - 1)
    if name == "last month":
        first = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        return _month((first - timedelta(days=1)).year, (first - timedelta(days=1)).month)
    digits = pack.numbers.get(count, count)
    number = float(digits) if digits.replace(".", "", 1).isdigit() else _few(pack, count)
    unit = timedelta(days=_DAYS[name])
    try:
        return Span(at - (number + 0.5) * unit, at - (number - 0.5) * unit)
    except OverflowError:
        return None


def _few(pack: LocalePack, count: str) -> float:
    """Return how many "a" and "several" are at least."""
    return 1.0 if count in pack.articles else 2.0


def _years(year: int, end: int | None = None) -> Span:
    return Span(datetime(year, 1, 1, tzinfo=UTC), datetime(end or year + 1, 1, 1, tzinfo=UTC))


def _month(year: int, month: int) -> Span | None:
    if not 1 <= month <= _MONTHS:
        return None
    following = (year, month + 1) if month < _MONTHS else (year + 1, 1)
    return Span(datetime(year, month, 1, tzinfo=UTC), datetime(*following, 1, tzinfo=UTC))
