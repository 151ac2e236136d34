"""A clock that stands still until it is told to move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from graphmem.clock import as_utc

__all__ = ["FrozenClock"]

_START = datetime(2026, 1, 1, tzinfo=UTC)


class FrozenClock:
    """Tell the same instant until `advance` or `set` is called.

    Args:
        at: The first instant (aware); 2026-01-01T00:00Z unless given.
    """

    def __init__(self, at: datetime = _START) -> None:
        self._at = as_utc(at, name="at")

    def now(self) -> datetime:
        """Return the current instant as an aware UTC datetime."""
        return self._at

    def advance(self, step: timedelta | float) -> datetime:
        """Move by `step` (a timedelta, or seconds; negative goes back) and return the instant."""
        self._at += step if isinstance(step, timedelta) else timedelta(seconds=step)
        return self._at

    def set(self, at: datetime) -> datetime:
        """Jump to `at` (aware) and return it in UTC."""
        self._at = as_utc(at, name="at")
        return self._at
