"""What a reader hands over for each piece of a file, and the steps that readers share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.errors import InputError

__all__ = ["BadLine", "FoundTurn", "one_value", "parse_time", "spoken_at", "spoken_text"]


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn in a file.

    Attributes:
        place: Where it stands, for messages to people: "line 12" or "D1:3".
        values: The parameters of `add_turn`, or "messages" and those of `add_messages`.
    """

    place: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BadLine:
    """A piece of a file that is no turn, and why."""

    place: str
    reason: str


def one_value(text: str) -> Any:
    """Return the JSON value that `text` holds.

    Raises:
        InputError: It is no JSON; the message says at which column.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise InputError("no JSON that can be read: it is nested too deeply") from None
    except ValueError:
        raise InputError("no JSON that can be read: it holds a number of too many digits") from None


def parse_time(value: object, name: str) -> datetime:
    """Return the instant that an ISO 8601 text, or a number of seconds since 1970, names.

    Raises:
        InputError: It names none; a time without a zone names none.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{name} must be ISO 8601 text or seconds since 1970, got {value!r}")
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
        else:
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"{name} is no time: {value!r}; write it as 2026-03-02T09:12:00Z"
        ) from None
    if found.tzinfo is None:
        raise InputError(
            f"{name} ({value}) has no zone: when it is in UTC, write it as {found.isoformat()}Z"
        )
    return found


def spoken_at(start: datetime, position: int) -> datetime:
    """Return when the message at `position` was said, in a chat that only knows its start.

    The start is read as UTC and each message is told a second after the one before, so that
    the order of the chat is the order of time.

    Raises:
        InputError: The position leads out of the years 1 to 9999.
    """
    try:
        return start.replace(tzinfo=UTC) + timedelta(seconds=position)
    except OverflowError:
        raise InputError(
            f"position {position} after {start.isoformat()} lies outside the years 1 to 9999"
        ) from None


def spoken_text(text: str, caption: str) -> str:
    """Return a message's text with the caption of the picture that it shares."""
    if not caption.strip():
        return text
    return f"{text} [shares {caption.strip()}]".strip()
