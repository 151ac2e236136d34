"""OpenAI chat messages: a list of messages, {"messages": […]}, or either as JSON Lines.

A turn is a user's message with all that follows until the next one. Tool calls and their
results are kept as tool messages; parts that are no text are named in brackets.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.cli.formats.found import BadLine, FoundTurn, one_value, parse_time
from graphmem.errors import InputError
from graphmem.ids import digest

__all__ = ["read_openai"]

_ROLES = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_TIMES = ("at", "timestamp", "created_at", "created")
_NAMES = ("id", "conversation_id", "session_id")
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class _Conversation:
    place: str
    session_id: str
    messages: Sequence[Any]


def read_openai(
    lines: Iterable[str], *, session_id: str | None = None
) -> Iterator[FoundTurn | BadLine]:
    """Read chat messages as OpenAI's API takes them.

    Args:
        lines: The lines of a file: JSON, or JSON Lines.
        session_id: Of conversations without an id; None = a name made from the first
            message, which stays the same while the conversation grows.

    Yields:
        Each turn, or why there is none.
    """
    for found in _conversations(list(lines)):
        if isinstance(found, BadLine):
            yield found
            continue
        yield from _turns(found, found.session_id or session_id or _name_of(found.messages))


def _name_of(messages: Sequence[Any]) -> str:
    first = json.dumps(messages[0], sort_keys=True) if messages else ""
    return f"chat-{digest('chat', first)[:_DIGITS]}"


def _conversations(lines: Sequence[str]) -> Iterator[_Conversation | BadLine]:
    try:
        whole = one_value("".join(lines))
    except InputError as error:
        if sum(1 for line in lines if line.strip()) > 1:
            yield from _from_lines(lines)
        else:
            yield BadLine("the file", str(error))
        return
    values = whole if _is_list_of_conversations(whole) else [whole]
    for number, value in enumerate(values, start=1):
        yield _conversation(value, f"conversation {number}")


def _is_list_of_conversations(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, list) or _has_messages(item) for item in value)
    )


def _has_messages(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("messages"), list)


def _from_lines(lines: Sequence[str]) -> Iterator[_Conversation | BadLine]:
    loose: list[Any] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            value = one_value(line)
        except InputError as error:
            yield BadLine(place, str(error))
            continue
        if isinstance(value, dict) and "role" in value:
            loose.append(value)
        else:
            yield _conversation(value, place)
    if loose:
        yield _Conversation("the file", "", loose)


def _conversation(value: Any, place: str) -> _Conversation | BadLine:
    if isinstance(value, list):
        return _Conversation(place, "", value)
    if _has_messages(value):
        name = next((str(value[key]) for key in _NAMES if value.get(key)), "")
        return _Conversation(place, name, value["messages"])
    if isinstance(value, dict) and "role" in value:
        return _Conversation(place, "", [value])
    return BadLine(place, 'no conversation: a list of messages or {"messages": […]} is needed')


def _turns(conversation: _Conversation, session_id: str) -> Iterator[FoundTurn | BadLine]:
    number = 0
    current: list[Mapping[str, Any]] = []
    for position, raw in enumerate(conversation.messages, start=1):
        try:
            messages = list(_messages(raw))
        except InputError as error:
            yield BadLine(f"{conversation.place}, message {position}", str(error))
            continue
        starts = any(message["role"] == "user" for message in messages)
        if starts and any(message["role"] == "user" for message in current):
            number += 1
            yield _turn(conversation.place, session_id, number, current)
            current = []
        current.extend(messages)
    if any(message["role"] in ("user", "assistant", "system") for message in current):
        yield _turn(conversation.place, session_id, number + 1, current)
    elif current:
        yield BadLine(
            conversation.place, "only tool messages: there is nothing to remember a turn by"
        )


def _turn(
    place: str, session_id: str, number: int, messages: Sequence[Mapping[str, Any]]
) -> FoundTurn:
    content = json.dumps([[message["role"], message["content"]] for message in messages])
    values: dict[str, Any] = {
        "messages": list(messages),
        "session_id": session_id,
        # The number alone would take two conversations under one name for one.
        "turn_key": f"{number}-{digest('turn', content)[:_DIGITS]}",
    }
    told = [message["at"] for message in messages if "at" in message]
    if told:
        values["at"] = min(told)
    return FoundTurn(f"{place}, turn {number}", values)


def _messages(raw: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(raw, dict):
        raise InputError(f"a message is a JSON object, this is {type(raw).__name__}")
    role = _ROLES.get(str(raw.get("role")))
    if role is None:
        raise InputError(
            f"role must be one of {', '.join(sorted(_ROLES))}, got {raw.get('role')!r}"
        )
    shared: dict[str, Any] = {}
    time_key = next((key for key in _TIMES if raw.get(key) is not None), None)
    if time_key is not None:
        shared["at"] = parse_time(raw[time_key], time_key)
    reasoning = raw.get("reasoning_content") or raw.get("reasoning")
    if isinstance(reasoning, str) and reasoning.strip():
        yield {"role": "reasoning", "content": reasoning, **shared}
    content = _text(raw.get("content")) or _text(raw.get("refusal"))
    if content.strip():
        name = {"name": str(raw["name"])} if raw.get("name") else {}
        yield {"role": role, "content": content, **name, **shared}
    calls = raw.get("tool_calls") or []
    if not isinstance(calls, list):
        raise InputError(f"tool_calls must be a list, got {type(calls).__name__}")
    for call in [*calls, raw.get("function_call")]:
        function = call.get("function", call) if isinstance(call, dict) else None
        if isinstance(function, dict):
            told = f"{function.get('name')}({function.get('arguments', '')})"
            yield {"role": "tool", "content": told, **shared}


def _text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InputError(f"content must be text or a list of parts, got {type(content).__name__}")
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            parts.append(part["text"])
        elif isinstance(part, dict):
            parts.append(f"[{part.get('type', 'part')}]")
        else:
            raise InputError(f"a part of content is no object: {json.dumps(part)[:80]}")
    return "\n".join(parts)
