"""What a caller asks of semantic memory, checked before anything is read or written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.checks import check_number, check_whole, check_word
from graphmem.clock import OPEN_FROM, as_utc
from graphmem.errors import InputError
from graphmem.ids import check_ids
from graphmem.models import FactDraft
from graphmem.text import check_text

__all__ = [
    "FACT_STATUSES",
    "MAX_QUERY",
    "SENSITIVITIES",
    "StatementRequest",
    "check_id",
    "check_limit",
    "check_query",
    "check_reason",
    "check_search_tags",
    "optional_name",
    "statement_request",
    "successor_request",
]

SENSITIVITIES = ("public", "internal", "secret")
FACT_STATUSES = ("active", "pending", "superseded", "deprecated", "forgotten")

# Graphorin's bounds of its fact tools, in characters.
_MAX_TEXT = 8192
_MAX_TAGS = 32
_MAX_TAG = 64
MAX_QUERY = 1024
_MAX_SEARCH_TAGS = 16
_MAX_REASON = 512
# More than a store holds.
_MOST_ROWS = 1_000_000_000
# As in capture: a name that an index holds.
_MAX_NAME = 500
_SUCCESSOR_KEYS = (
    "text",
    "subject",
    "predicate",
    "object",
    "confidence",
    "tags",
    "turn_ids",
    "valid_from",
    "valid_to",
    "agent_id",
    "sensitivity",
)


@dataclass(frozen=True, slots=True)
class StatementRequest:
    """A statement that somebody wants to be remembered.

    Attributes:
        draft: What is stated.
        turn_ids: Turns that are its evidence.
        agent_id: Who says it, "" when not told.
        sensitivity: "public", "internal" or "secret".
        has_own_sensitivity: Whether the caller said so.
    """

    draft: FactDraft
    turn_ids: tuple[str, ...] = ()
    agent_id: str = ""
    sensitivity: str = "internal"
    has_own_sensitivity: bool = False


def statement_request(
    text: object,
    *,
    subject: object = None,
    predicate: object = None,
    object: object = None,  # noqa: A002 - the word of a triple
    confidence: object = 1.0,
    tags: Iterable[str] = (),
    turn_ids: Iterable[str] = (),
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    agent_id: object = None,
    sensitivity: object = None,
    usual_sensitivity: str = "internal",
    now: datetime,
) -> StatementRequest:
    """Return a statement that keeps the bounds.

    Raises:
        InputError: It does not; the message names the parameter.
    """
    ends = (subject, predicate, object)
    if any(end is not None for end in ends) and any(end is None for end in ends):
        raise InputError(
            "subject, predicate and object belong together: pass all three, or the text alone"
        )
    names = [
        "" if end is None else _name(end, name)
        for end, name in zip(ends, ("subject", "predicate", "object"), strict=True)
    ]
    start, end = _times(valid_from, valid_to, now)
    draft = FactDraft(
        text=_bounded(text, "text", _MAX_TEXT).strip(),
        subject=names[0],
        predicate=names[1],
        object=names[2],
        confidence=check_number(confidence, "confidence", 0, 1),
        valid_from=start,
        valid_to=end,
        tags=_tags(tags, _MAX_TAGS),
    )
    return StatementRequest(
        draft=draft,
        turn_ids=check_ids(turn_ids, "turn_ids"),
        agent_id=optional_name(agent_id, "agent_id"),
        sensitivity=usual_sensitivity
        if sensitivity is None
        else check_word(sensitivity, "sensitivity", SENSITIVITIES),
        has_own_sensitivity=sensitivity is not None,
    )


def successor_request(
    new: object, *, now: datetime, sensitivity: str = "internal"
) -> StatementRequest:
    """Return the statement that is to take the place of a fact.

    Args:
        new: Its text, or a mapping with the parameters of `remember`; of a triple the text may
            be missing.
        now: From when on it holds where it does not say so.
        sensitivity: Of that fact, and of the statement where it does not say so.

    Raises:
        InputError: It is neither, or does not keep the bounds.
    """
    if isinstance(new, str):
        return statement_request(new, now=now, usual_sensitivity=sensitivity)
    if not isinstance(new, Mapping):
        raise InputError(
            "new must be text, or a mapping with text or subject, predicate and object, got "
            f"{type(new).__name__}"
        )
    unknown = [str(key)[:_MAX_TAG] for key in new if key not in _SUCCESSOR_KEYS]
    if unknown:
        raise InputError(f"new has no {unknown[0]!r}; it takes {', '.join(_SUCCESSOR_KEYS)}")
    values: dict[str, Any] = {**new}
    if values.get("text") is None:
        ends = [values.get(name) for name in ("subject", "predicate", "object")]
        if not all(isinstance(end, str) and end.strip() for end in ends):
            raise InputError("new needs a text, or subject, predicate and object")
        values["text"] = " ".join(" ".join(str(end).split()) for end in ends)
    text = values.pop("text")
    return statement_request(text, **values, usual_sensitivity=sensitivity, now=now)


def check_query(query: object) -> str:
    """Return a question that facts can be searched by."""
    if isinstance(query, str) and not query.strip():
        raise InputError("query is empty: ask in plain words which facts are wanted")
    return _bounded(query, "query", MAX_QUERY)


def check_reason(reason: object) -> str:
    """Return a reason that can be kept."""
    if isinstance(reason, str) and not reason.strip():
        raise InputError("reason is empty: say why, since the history of the fact keeps it")
    return _bounded(reason, "reason", _MAX_REASON).strip()


def check_search_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags that facts can be narrowed by."""
    return _tags(tags, _MAX_SEARCH_TAGS)


def check_limit(value: object, most: int = _MOST_ROWS) -> int:
    """Return a number of results."""
    return check_whole(value, "limit", 0, most)


def check_id(value: object, name: str) -> str:
    """Return one id of a fact or a procedure."""
    (checked,) = check_ids([value], name)
    return checked


def optional_name(value: object, name: str) -> str:
    """Return a name of an agent, a subject or a predicate; "" for None."""
    if value is None:
        return ""
    return _name(value, name)


def _name(value: object, name: str) -> str:
    text = " ".join(_bounded(value, name, _MAX_NAME).split())
    if any(unicodedata.category(char) == "Cc" for char in text):
        raise InputError(f"{name} must not contain control characters")
    return text


def _bounded(value: object, name: str, most: int) -> str:
    text = check_text(value, name)
    if len(text) > most:
        raise InputError(f"{name} has {len(text):,} characters; at most {most:,} are taken")
    return text


def _tags(values: Iterable[str], most: int) -> tuple[str, ...]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"tags must be a list of texts, got {type(values).__name__}: pass [tag]")
    tags = tuple(
        " ".join(_bounded(value, f"tags[{place}]", _MAX_TAG).split())
        for place, value in enumerate(values)
    )
    if len(tags) > most:
        raise InputError(f"there are {len(tags)} tags; at most {most} are taken")
    return tags


def _times(
    valid_from: datetime | None, valid_to: datetime | None, now: datetime
) -> tuple[datetime | None, datetime | None]:
    start = None if valid_from is None else as_utc(valid_from, name="valid_from")
    end = None if valid_to is None else as_utc(valid_to, name="valid_to")
    if start is not None and end is not None and start >= end:
        raise InputError(
            f"valid_from ({start.isoformat()}) does not lie before valid_to ({end.isoformat()}): "
            "a fact holds for some time"
        )
    if start is None and end is not None and end <= now:
        # What was over when it was said began at a time that nobody told.
        start = OPEN_FROM
    return start, end
