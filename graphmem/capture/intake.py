"""What a caller hands in, checked and made into a draft; nothing here touches the store.

A draft's id follows from what it is: the same `turn_key` in the same session, or the same
content at the same time, is the same turn. Without a key and without a time nothing tells two
equal turns apart, so each is a new one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from graphmem.clock import as_utc
from graphmem.errors import InputError
from graphmem.ids import digest, new_id, turn_id
from graphmem.models import Extraction, Message, TurnDraft
from graphmem.text import check_text
from graphmem.turn_text import turn_text

__all__ = ["ReadExtraction", "content_hash", "draft_any", "draft_messages", "draft_turn"]

# Makes an Extraction of what a caller hands in; the extract stage has the one that is used.
ReadExtraction = Callable[[Extraction | Mapping[str, Any]], Extraction]

ROLES = ("user", "assistant", "system", "tool", "reasoning")

# Names are part of range indexes, which refuse values near 8 kB; 500 characters take at most
# 2,000 bytes, beside a scope of at most 800.
_MAX_NAME_LENGTH = 500
# Four bytes a character at worst: one transaction of 40 MB, which a server with 1 GB takes.
_MAX_TURN_LENGTH = 10_000_000

_TURN_FIELDS = frozenset(
    {
        "question",
        "answer",
        "session_id",
        "agent_id",
        "project",
        "at",
        "turn_key",
        "name",
        "extraction",
    }
)
_MESSAGES_FIELDS = (_TURN_FIELDS - {"question", "answer", "name"}) | {"messages"}
_MESSAGE_FIELDS = ("role", "content", "name", "agent_id", "at")


def draft_turn(
    question: str,
    answer: str | None = None,
    *,
    scope: str,
    now: datetime,
    session_id: str = "default",
    agent_id: str | None = None,
    project: str | None = None,
    at: datetime | None = None,
    turn_key: str | None = None,
    name: str | None = None,
    extraction: Extraction | Mapping[str, Any] | None = None,
    read_extraction: ReadExtraction | None = None,
) -> TurnDraft:
    """Return the draft of a question and its final visible answer.

    Args:
        question: What was said first; not blank.
        answer: None when there is none.
        scope: Whose memory it goes into; checked already.
        now: The turn's time when `at` is not given.
        session_id: 1 to 500 characters, no control characters; so are the next three.
        agent_id: Which agent answered.
        project: What the conversation belongs to.
        at: When it was said; aware.
        turn_key: The caller's own name for this turn in its session.
        name: Who asked, as shown.
        extraction: What is known of the turn already.
        read_extraction: Checks `extraction` when it is a mapping.

    Raises:
        InputError: Something cannot be stored; the message names it and what to do.
    """
    shown = _label(name, "name") or ""
    agent = _label(agent_id, "agent_id") or ""
    messages = [Message(role="user", content=check_text(question, "question"), name=shown)]
    if answer is not None:
        content = check_text(answer, "answer")
        messages.append(Message(role="assistant", content=content, agent_id=agent))
    return _draft(
        messages,
        scope=scope,
        now=now,
        session_id=session_id,
        agent_id=agent,
        project=project,
        at=at,
        turn_key=turn_key,
        extraction=_extraction(extraction, read_extraction),
    )


def draft_messages(
    messages: Sequence[Message | Mapping[str, Any]],
    *,
    scope: str,
    now: datetime,
    session_id: str = "default",
    agent_id: str | None = None,
    project: str | None = None,
    at: datetime | None = None,
    turn_key: str | None = None,
    extraction: Extraction | Mapping[str, Any] | None = None,
    read_extraction: ReadExtraction | None = None,
) -> TurnDraft:
    """Return the draft of one turn that consists of `messages`.

    Its time is `at`, else the first time that a message tells, else `now`. Its agent is
    `agent_id`, else the one agent that its messages name, if it is one.

    Args:
        messages: At least one visible one (role user, assistant or system); tool and
            reasoning messages go into the log only.
        scope: As in `draft_turn`, and so are the others.
        now: As in `draft_turn`.
        session_id: As in `draft_turn`.
        agent_id: As in `draft_turn`.
        project: As in `draft_turn`.
        at: As in `draft_turn`.
        turn_key: As in `draft_turn`.
        extraction: As in `draft_turn`.
        read_extraction: As in `draft_turn`.

    Raises:
        InputError: Something cannot be stored; the message names it and what to do.
    """
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence):
        raise InputError(f"messages must be a list of messages, got {type(messages).__name__}")
    checked = [_message(value, f"messages[{i}]") for i, value in enumerate(messages)]
    if not any(message.is_visible for message in checked):
        raise InputError(
            "messages holds no visible message: a turn needs at least one of role user, "
            "assistant or system beside those of role tool and reasoning"
        )
    agents = {message.agent_id for message in checked if message.agent_id}
    told = [message.at for message in checked if message.at is not None]
    return _draft(
        checked,
        scope=scope,
        now=now,
        session_id=session_id,
        agent_id=_label(agent_id, "agent_id") or (agents.pop() if len(agents) == 1 else ""),
        project=project,
        at=at if at is not None else next(iter(told), None),
        turn_key=turn_key,
        extraction=_extraction(extraction, read_extraction),
    )


def draft_any(
    value: TurnDraft | Mapping[str, Any],
    *,
    scope: str,
    now: datetime,
    read_extraction: ReadExtraction | None = None,
) -> TurnDraft:
    """Return the draft of one item of a batch.

    Args:
        value: A draft, or a mapping with the parameters of `draft_turn`, or with "messages"
            and those of `draft_messages`.
        scope: As in `draft_turn`.
        now: As in `draft_turn`.
        read_extraction: As in `draft_turn`.

    Raises:
        InputError: It is neither, has a field too many, or cannot be stored.
    """
    if isinstance(value, TurnDraft):
        return value
    if not isinstance(value, Mapping):
        raise InputError(f"a turn must be a mapping or a TurnDraft, got {type(value).__name__}")
    has_messages = "messages" in value
    known = _MESSAGES_FIELDS if has_messages else _TURN_FIELDS
    unknown = [str(key) for key in value if key not in known]
    if unknown:
        raise InputError(
            f"a turn has no field {', '.join(map(repr, sorted(unknown)))}; "
            f"its fields are {', '.join(sorted(known))}"
        )
    if not has_messages and "question" not in value:
        raise InputError("a turn needs 'question' (and 'answer'), or 'messages'")
    # A null in a file means that nothing is told.
    fields = {
        str(key): item
        for key, item in value.items()
        if item is not None or key in ("question", "messages")
    }
    make = draft_messages if has_messages else draft_turn
    draft: TurnDraft = make(**fields, scope=scope, now=now, read_extraction=read_extraction)
    return draft


def content_hash(messages: Sequence[Message]) -> str:
    """Return what tells the content of two turns apart, whenever they were said."""
    return digest(
        "content",
        *(part for m in messages for part in (m.role, m.name, m.agent_id, m.content)),
    )


def _draft(
    messages: Sequence[Message],
    *,
    scope: str,
    now: datetime,
    session_id: str,
    agent_id: str,
    project: str | None,
    at: datetime | None,
    turn_key: str | None,
    extraction: Extraction | None,
) -> TurnDraft:
    length = sum(len(message.content) for message in messages)
    if length > _MAX_TURN_LENGTH:
        raise InputError(
            f"the turn has {length:,} characters, more than the {_MAX_TURN_LENGTH:,} that one "
            "transaction takes; add it as several turns",
            kind="turn-too-long",
        )
    session = _label(session_id, "session_id")
    if session is None:
        raise InputError("session_id must be text; leave it out for the session 'default'")
    said_at = as_utc(now if at is None else at, name="at")
    return TurnDraft(
        id=_id(scope, session, messages, None if at is None else said_at, turn_key),
        session_id=session,
        agent_id=agent_id,
        project=_label(project, "project") or "",
        at=said_at,
        text=turn_text(messages),
        turn_key=turn_key or "",
        messages=tuple(messages),
        extraction=extraction,
    )


def _id(
    scope: str,
    session_id: str,
    messages: Sequence[Message],
    at: datetime | None,
    turn_key: str | None,
) -> str:
    if turn_key is not None:
        return turn_id(scope, session_id, f"key:{check_text(turn_key, 'turn_key')}")
    if at is not None:
        return turn_id(scope, session_id, f"at:{at.isoformat()}:{content_hash(messages)}")
    return new_id()


def _message(value: Message | Mapping[str, Any], where: str) -> Message:
    if isinstance(value, Message):
        fields: Mapping[str, Any] = {key: getattr(value, key) for key in _MESSAGE_FIELDS}
    elif isinstance(value, Mapping):
        fields = value
    else:
        raise InputError(f"{where} must be a mapping or a Message, got {type(value).__name__}")
    unknown = [str(key) for key in fields if key not in _MESSAGE_FIELDS]
    if unknown:
        raise InputError(
            f"{where} has no field {', '.join(map(repr, sorted(unknown)))}; "
            f"its fields are {', '.join(_MESSAGE_FIELDS)}"
        )
    role = fields.get("role")
    if role not in ROLES:
        raise InputError(f"{where}.role is {role!r}, not one of {', '.join(ROLES)}")
    at = fields.get("at")
    return Message(
        role=role,
        content=check_text(fields.get("content"), f"{where}.content"),
        name=_label(fields.get("name") or None, f"{where}.name") or "",
        agent_id=_label(fields.get("agent_id") or None, f"{where}.agent_id") or "",
        at=None if at is None else as_utc(at, name=f"{where}.at"),
    )


def _label(value: object, name: str) -> str | None:
    """Return a name of a session, agent, project or person; None is not told."""
    if value is None:
        return None
    text = check_text(value, name)
    if len(text) > _MAX_NAME_LENGTH:
        raise InputError(
            f"{name} has {len(text):,} characters, more than the {_MAX_NAME_LENGTH} it may have"
        )
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise InputError(f"{name} must not contain control characters, such as line breaks")
    return text


def _extraction(
    value: Extraction | Mapping[str, Any] | None, read: ReadExtraction | None
) -> Extraction | None:
    if value is None:
        return None
    if read is not None:
        return read(value)
    if isinstance(value, Extraction):
        return value
    with _as_input_error("extraction"):
        return Extraction.model_validate(value)


@contextmanager
def _as_input_error(name: str) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in (name, *first["loc"]))
        raise InputError(f"{where}: {first['msg']}") from None
