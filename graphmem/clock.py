"""The one source of 'now', and the rules for times that come from outside."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from graphmem.errors import InputError

__all__ = ["OPEN_FROM", "OPEN_TO", "Clock", "SystemClock", "as_utc", "none_if_open"]

# Stored in place of a missing end of a validity range: a filter inside a vector index
# never matches a node that lacks the property (design of the graph, "Filter properties").
OPEN_FROM = datetime(1, 1, 1, tzinfo=UTC)
OPEN_TO = datetime(9999, 12, 31, tzinfo=UTC)


class Clock(Protocol):
    """Anything that tells the time; tests hand in a frozen one."""

    def now(self) -> datetime:
        """Return the current instant as an aware UTC datetime."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the current instant as an aware UTC datetime."""
        return datetime.now(UTC)


def as_utc(value: datetime, *, name: str) -> datetime:
    """Return `value` in UTC.

    Args:
        value: An aware datetime in any zone.
        name: The parameter's name, for the error message.

    Returns:
        The same instant in UTC.

    Raises:
        InputError: `value` is naive, so that it names no instant, or is no datetime at all.
    """
    if not isinstance(value, datetime):
        raise InputError(
            f"{name} must be a datetime, got {type(value).__name__}; "
            "pass datetime.fromisoformat(...) for text"
        )
    if value.tzinfo is None or value.utcoffset() is None:
        raise InputError(
            f"{name} is a naive datetime ({value.isoformat()}); say which zone it is in, "
            f"for instance {name}.replace(tzinfo=timezone.utc)"
        )
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InputError(
            f"{name} ({value.isoformat()}) lies outside the years 1 to 9999 when told in UTC; "
            "pass an instant inside that range"
        ) from None


def none_if_open(value: datetime | None) -> datetime | None:
    """Return None for the sentinels that stand for an open end, else `value`."""
    return None if value in (OPEN_FROM, OPEN_TO) else value
