"""JSON Lines: one turn a line, either graphmem's own keys or those of a two-person chat.

graphmem's own: the parameters of `add_turn` ("question", "answer", "session_id", "at",
"turn_key", "name", "extraction", …), or "messages" with those of `add_messages`.
A chat's: "speaker", "text", and "conv", "id", "session", "pos" (place in the session, from 0),
"time" (start of the session, read as UTC), "caption" (of a picture shared).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from graphmem.cli.formats.found import (
    BadLine,
    FoundTurn,
    one_value,
    parse_time,
    spoken_at,
    spoken_text,
)
from graphmem.errors import InputError
from graphmem.ids import digest

__all__ = ["read_jsonl"]


def read_jsonl(
    lines: Iterable[str], *, session_id: str | None = None
) -> Iterator[FoundTurn | BadLine]:
    """Read one turn a line; blank lines are passed over.

    Args:
        lines: The lines of a file.
        session_id: Of lines that name no session; None = "default".

    Yields:
        Each line's turn, or why there is none.
    """
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        # The key of a line without one: its content, and which of its equals it is, so that
        # a second import changes nothing and a line said twice is kept twice.
        content = digest("line", line.strip())
        seen[content] += 1
        key = content if seen[content] == 1 else f"{content}-{seen[content]}"
        try:
            yield FoundTurn(place, _turn(one_value(line), key, session_id))
        except InputError as error:
            yield BadLine(place, str(error))


def _turn(value: Any, key: str, session_id: str | None) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"a turn is a JSON object, this is {type(value).__name__}")
    if "speaker" in value and "text" in value:
        return _chat_turn(value, key)
    if "question" not in value and "messages" not in value:
        raise InputError('a turn needs "question", "messages", or "speaker" and "text"')
    # Null tells nothing: it is as if the field were not there.
    turn = {name: item for name, item in value.items() if item is not None or name == "question"}
    if "at" in turn:
        turn["at"] = parse_time(turn["at"], "at")
    if session_id is not None:
        turn.setdefault("session_id", session_id)
    own = _told(turn, "id")
    turn.pop("id", None)
    turn.setdefault("turn_key", own or key)
    if isinstance(turn.get("messages"), list):
        turn["messages"] = [_message(message) for message in turn["messages"]]
    return turn


def _message(value: Any) -> Any:
    if isinstance(value, dict) and value.get("at") is not None:
        return {**value, "at": parse_time(value["at"], "at of a message")}
    return value


def _chat_turn(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    position = value.get("pos", 0)
    if isinstance(position, bool) or not isinstance(position, int):
        raise InputError(f"pos must be a whole number, got {position!r}")
    session = _told(value, "session") or "default"
    conversation = _told(value, "conv")
    turn: dict[str, Any] = {
        "question": spoken_text(_told(value, "text"), _told(value, "caption")),
        "name": _told(value, "speaker") or None,
        "session_id": f"{conversation}/{session}" if conversation else session,
        "turn_key": _told(value, "id") or key,
    }
    if value.get("time"):
        turn["at"] = _start(value["time"], position)
    return turn


def _told(value: Mapping[str, Any], name: str) -> str:
    """Return a field as text, "" for null; a number may name a session or a message, too."""
    told = value.get(name)
    if told is None:
        return ""
    if isinstance(told, bool) or not isinstance(told, str | int | float):
        raise InputError(f"{name} must be text, got {type(told).__name__}")
    return str(told)


def _start(value: object, position: int) -> datetime:
    try:
        start = datetime.fromisoformat(str(value))
    except ValueError:
        raise InputError(f"time is no time: {value!r}; write it as 2026-03-02T09:12") from None
    return start if start.tzinfo is not None else spoken_at(start, position)
