"""How values cross the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import numpy as np
import pytest
from neo4j.time import Date, DateTime, Duration
from neo4j.vector import Vector

from graphmem.db.values import from_driver, to_driver
from graphmem.errors import StoreError
from graphmem.queries import ParamDoc, Query, get_query

QUERY: Query = get_query("schema/components")
VECTOR = np.array([0.6, 0.8], dtype=np.float32)


class Colour(StrEnum):
    """An enumeration of texts."""

    RED = "red"


def sent(value: Any, kind: str = "ANY", *, is_nullable: bool = False) -> Any:
    """Return `value` as it is sent for a parameter of that type."""
    return to_driver(value, ParamDoc("value", kind, is_nullable, ""), QUERY)


def test_a_null_is_refused_unless_declared() -> None:
    """A null in a filter finds nothing, silently: it must be meant."""
    with pytest.raises(StoreError, match=r"\$value is None") as caught:
        sent(None, "STRING")

    assert "query-parameters" == caught.value.kind
    assert sent(None, "STRING", is_nullable=True) is None


def test_nulls_inside_of_rows_pass() -> None:
    """Only a parameter itself stands in filters."""
    rows = [{"a": None}]

    assert rows == sent(rows, "LIST<MAP>")


def test_a_vector_crosses_as_bytes() -> None:
    """An array becomes the driver's vector of 32-bit floats, also inside of rows."""
    alone = sent(VECTOR, "VECTOR")
    row = sent([{"vector": VECTOR}], "LIST<MAP>")[0]["vector"]
    many = sent(np.stack([VECTOR, VECTOR]), "ANY")

    assert [Vector, Vector, Vector] == [type(alone), type(row), type(many[1])]
    assert pytest.approx([0.6, 0.8]) == alone.to_native()


def test_an_array_declared_as_list_becomes_one() -> None:
    """What a header calls a LIST is one."""
    assert [1, 2] == sent(np.array([1, 2]), "LIST<INTEGER>")


def test_numbers_of_numpy_become_plain() -> None:
    """A score computed with numpy can be stored."""
    values = sent({"a": np.float32(0.5), "b": np.int64(3), "c": [np.float64(1.5)]})

    assert {"a": 0.5, "b": 3, "c": [1.5]} == values
    assert {float, int, list} == {type(value) for value in values.values()}


def test_an_enumeration_becomes_its_text() -> None:
    """The driver only knows text."""
    assert str is type(sent(Colour.RED, "STRING"))


def test_times_are_sent_in_utc() -> None:
    """One instant has one form in the store."""
    there = datetime(2026, 5, 1, 12, tzinfo=timezone(timedelta(hours=2)))

    assert datetime(2026, 5, 1, 10, tzinfo=UTC) == sent(there)
    assert UTC == sent(there).tzinfo


@pytest.mark.parametrize("value", [datetime(2026, 5, 1), object(), np.zeros((1, 1, 1))])  # noqa: DTZ001
def test_what_cannot_be_stored_is_refused(value: Any) -> None:
    """A naive time, an object or a cube of numbers never reaches the driver."""
    with pytest.raises(StoreError, match=r"\$value\.inner"):
        sent({"inner": value})


def test_tuples_and_sets_are_lists() -> None:
    """Any collection of plain values can be passed."""
    assert [{"a": [1]}] == sent(({"a": {1}},))


def test_times_come_back_as_the_standard_library_has_them() -> None:
    """No time object of the driver leaves the store, at any depth."""
    noon = DateTime(2026, 5, 1, 12, 0, 0, tzinfo=timezone(timedelta(hours=2)))

    row = from_driver({"at": noon, "rows": [{"at": noon}], "day": Date(2026, 5, 1)})

    expected = datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert {"at": expected, "rows": [{"at": expected}], "day": expected.date()} == row
    assert {datetime} == {type(row["at"]), type(row["rows"][0]["at"])}


def test_a_local_time_comes_back_as_utc() -> None:
    """A time without a zone, which graphmem never writes, is read as UTC."""
    row = from_driver({"at": DateTime(2026, 5, 1, 12, 0, 0)})

    assert datetime(2026, 5, 1, 12, tzinfo=UTC) == row["at"]


def test_a_duration_comes_back_as_text() -> None:
    """A duration of months has no counterpart in the standard library."""
    assert {"lasting": "P1M"} == from_driver({"lasting": Duration(months=1)})
