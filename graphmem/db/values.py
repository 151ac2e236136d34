"""What crosses the wire: Python values to the driver's and back, in one place each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from graphmem.errors import StoreError
from graphmem.queries import ParamDoc, Query

__all__ = ["from_driver", "to_driver"]

_PLAIN = frozenset({str, int, float, bool, type(None)})


def to_driver(value: Any, param: ParamDoc, query: Query) -> Any:
    """Return `value` as the driver takes it.

    A numpy array becomes a list where the header says LIST, else a vector that crosses the
    wire as bytes; inside of rows it is always a vector.

    Raises:
        StoreError: None for a parameter that is not marked as nullable (a null in a filter
            finds nothing, silently), a naive datetime, or a value of another kind.
    """
    if value is None:
        if param.is_nullable:
            return None
        raise StoreError(
            f"{query.name}: ${param.name} is None; a null in a filter silently finds nothing, "
            f"so pass a value, or declare it {param.type}? in {query.path}",
            kind="query-parameters",
        )
    if param.type.startswith("LIST") and _is_array(value):
        return value.tolist()
    return _to_driver(value, f"{query.name}: ${param.name}")


def _to_driver(value: Any, name: str) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {key: _to_driver(item, f"{name}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        # Most lists are long and hold plain values: one look at the types, no copy.
        is_plain = isinstance(value, (list, tuple)) and _PLAIN.issuperset(map(type, value))
        return value if is_plain else [_to_driver(item, name) for item in value]
    if _is_array(value):
        return _array(value, name)
    return _scalar(value, name)


def _scalar(value: Any, name: str) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise StoreError(f"{name} is a naive datetime", kind="query-parameters")
        return value.astimezone(UTC)
    if isinstance(value, str):  # a StrEnum
        return str(value)
    module = type(value).__module__
    if module == "numpy":
        return value.item()
    if isinstance(value, (int, float, date, bytes)) or module.startswith("neo4j"):
        return value
    raise StoreError(f"{name} cannot hold a {type(value).__name__}", kind="query-parameters")


def _is_array(value: Any) -> bool:
    # By its name: importing numpy here would cost every program that has no vectors.
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ == "ndarray"


def _array(value: Any, name: str) -> Any:
    from neo4j.vector import Vector

    if value.ndim == 1:
        return Vector.from_numpy(value)
    if value.ndim == 2:  # noqa: PLR2004 - rows of vectors
        return [Vector.from_numpy(row) for row in value]
    raise StoreError(f"{name} is an array of {value.ndim} dimensions", kind="query-parameters")


def from_driver(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose times are aware UTC datetimes of the standard library."""
    return {key: _from_driver(value) for key, value in record.items()}


def _from_driver(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        # In place, since nobody else has it: a recall reads thousands of plain values.
        if not _PLAIN.issuperset(map(type, value)):
            for place, item in enumerate(value):
                if type(item) not in _PLAIN:
                    value[place] = _from_driver(item)
        return value
    module = type(value).__module__
    if isinstance(value, dict) or module == "neo4j.graph":
        return {key: _from_driver(item) for key, item in value.items()}
    if module == "neo4j.time":
        return _native_time(value)
    return value


def _native_time(value: Any) -> Any:
    if not hasattr(value, "to_native"):  # a duration: months have no counterpart
        return value.iso_format()
    native = value.to_native()
    if isinstance(native, datetime):
        return native.astimezone(UTC) if native.tzinfo else native.replace(tzinfo=UTC)
    return native
