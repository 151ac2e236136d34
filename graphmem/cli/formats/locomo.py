"""LoCoMo's own JSON: samples of two-person chats with dated sessions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from graphmem.cli.formats.found import BadLine, FoundTurn, one_value, spoken_at, spoken_text
from graphmem.errors import InputError

__all__ = ["parse_session_time", "read_locomo"]

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_SESSION = re.compile(r"session_(\d+)")
_TIME = re.compile(
    r"(\d{1,2}):(\d{2})\s*([ap]m)\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})", re.IGNORECASE
)
_HALF_DAY_H = 12


def read_locomo(
    lines: Iterable[str], *, session_id: str | None = None
) -> Iterator[FoundTurn | BadLine]:
    """Read LoCoMo's JSON: one sample or a list of them; each message is one turn.

    Args:
        lines: The lines of a file.
        session_id: Not used: the sessions are named in the file.

    Yields:
        Each message's turn, or why there is none, session by session.
    """
    del session_id
    try:
        value = one_value("".join(lines))
    except InputError as error:
        yield BadLine("the file", str(error))
        return
    for number, sample in enumerate(value if isinstance(value, list) else [value], start=1):
        yield from _sample(sample, number)


def parse_session_time(text: str) -> datetime:
    """Return the naive local time in a text such as "1:56 pm on 8 May, 2023".

    Month names are read here and not by the locale, which may be another one.

    Raises:
        InputError: It is no such text.
    """
    found = _TIME.fullmatch(text.strip())
    if found is not None and found[5].lower() in _MONTHS:
        hour = int(found[1]) % _HALF_DAY_H + (_HALF_DAY_H if found[3].lower() == "pm" else 0)
        month = _MONTHS.index(found[5].lower()) + 1
        try:
            return datetime(int(found[6]), month, int(found[4]), hour, int(found[2]))  # noqa: DTZ001 - the file knows no zone
        except ValueError:
            pass
    raise InputError(f'no session time: {text!r}; it looks like "1:56 pm on 8 May, 2023"')


def _sample(sample: Any, number: int) -> Iterator[FoundTurn | BadLine]:
    place = f"sample {number}"
    if not isinstance(sample, dict):
        yield BadLine(place, f"a sample is a JSON object, this is {type(sample).__name__}")
        return
    talk = sample.get("conversation", sample)
    name = str(sample.get("sample_id") or sample.get("id") or number)
    sessions = [key for key in talk if _SESSION.fullmatch(key)] if isinstance(talk, dict) else []
    if not sessions:
        yield BadLine(place, 'no "session_1" in it: is this LoCoMo\'s own JSON?')
        return
    for key in sorted(sessions, key=lambda key: int(key.removeprefix("session_"))):
        yield from _session(talk, key, name)


def _session(talk: Mapping[str, Any], key: str, name: str) -> Iterator[FoundTurn | BadLine]:
    place = f"{name} {key}"
    messages = talk[key]
    if not isinstance(messages, list):
        yield BadLine(place, f"a session is a list of messages, this is {type(messages).__name__}")
        return
    try:
        start = parse_session_time(str(talk.get(f"{key}_date_time", "")))
    except InputError as error:
        yield BadLine(place, str(error))
        return
    for position, message in enumerate(messages):
        try:
            said = _said(message)
            at = spoken_at(start, position)
        except InputError as error:
            yield BadLine(f"{place}, message {position + 1}", str(error))
            continue
        turn_key = str(message.get("dia_id") or f"{key}:{position}")
        session = f"{name}/{key.removeprefix('session_')}"
        values = {**said, "session_id": session, "turn_key": turn_key, "at": at}
        yield FoundTurn(f"{name} {turn_key}", values)


def _said(message: Any) -> dict[str, str]:
    """Return who said what in a message."""
    speaker = message.get("speaker") if isinstance(message, dict) else None
    if not isinstance(speaker, str):
        raise InputError('a message needs "speaker" and "text"')
    text = message.get("text") or message.get("clean_text") or ""
    if not isinstance(text, str):
        raise InputError(f"text must be text, got {type(text).__name__}")
    caption = str(message.get("blip_caption") or "")
    return {"question": spoken_text(text, caption), "name": speaker}
