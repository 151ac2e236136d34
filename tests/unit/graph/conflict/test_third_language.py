"""A language is one pack: all that its words decide is read from it, and from nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.conflict import (
    DEFAULT_THRESHOLDS,
    ConflictPipeline,
    Family,
    define_locale_pack,
    en_locale_pack,
)
from graphmem.graph.conflict.comparing.guards import difference
from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import Statement
from graphmem.graph.conflict.reading.times import Span, named_time

from .corpus import Fact, statement

MONTHS = "januar februar marts april maj juni juli august september oktober november december"
DANISH = define_locale_pack(
    "da",
    families=[Family("lives_in", phrases=("bor (?:i|hos)",), cardinality="functional")],
    months=MONTHS.split(),
    before_dates=("i",),
    decade_endings=("erne",),
    units=("kroner", "timer"),
    abbreviations=("hr",),
    verb_endings=("ede", "te"),
)


def read(pack: LocalePack, text: str) -> Statement:
    """Return a sentence as one who knows nothing but this language takes it apart."""
    return statement(Fact(text), "a", ConflictPipeline((pack,), thresholds=DEFAULT_THRESHOLDS))


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("Ana bor i Aarhus i 1994", (1994, 1), (1995, 1)),
        ("Ana bor i Aarhus i 1990erne", (1990, 1), (2000, 1)),
        ("Ana bor i Aarhus i 1990'erne", (1990, 1), (2000, 1)),
        ("Ana bor i Aarhus i marts 2010", (2010, 3), (2010, 4)),
    ],
)
def test_a_time_is_named_in_the_words_of_the_pack(
    text: str, since: tuple[int, int], until: tuple[int, int]
) -> None:
    """What stands before a date, the months and the endings of decades are the pack's."""
    span = named_time((DANISH,), read(DANISH, text))

    assert Span(datetime(*since, 1, tzinfo=UTC), datetime(*until, 1, tzinfo=UTC)) == span


def test_words_of_another_language_name_no_time() -> None:
    """English has no decade "1990ern", and no date behind an "i"."""
    decade, year = (read(en_locale_pack, f"Ana lives in Rome {at}") for at in ("1990ern", "i 1994"))

    assert (None, None) == (
        named_time((en_locale_pack,), decade),
        named_time((en_locale_pack,), year),
    )


def test_a_short_month_stands_before_a_date() -> None:
    """A month is one wherever it is looked for, and is written once."""
    span = named_time((en_locale_pack,), read(en_locale_pack, "Ana lives in Rome in Jan 2010"))

    assert Span(datetime(2010, 1, 1, tzinfo=UTC), datetime(2010, 2, 1, tzinfo=UTC)) == span


def test_an_abbreviation_of_the_pack_ends_no_sentence() -> None:
    """What follows it belongs to the object."""
    assert "hr. hansen" == read(DANISH, "Ana bor hos hr. Hansen").object_key
    assert "" == read(DANISH, "Ana bor hos mor. Hansen").object_key


def test_a_unit_of_the_pack_is_one_with_its_number() -> None:
    """Five hours are not five crowns."""
    one, other = (read(DANISH, f"Det er 5 {unit}") for unit in ("timer", "kroner"))

    assert "a number, a date or an identifier differs" == difference((DANISH,), one, other)


def test_a_verb_at_the_start_is_no_name() -> None:
    """The endings that show it are the pack's."""
    one, other = (read(DANISH, f"{verb} til Aarhus med Bo") for verb in ("Cyklede", "Kørte"))

    assert None is difference((DANISH,), one, other)
