"""Rows of the store as the values that callers get.

A time comes as [seconds since 1970, microseconds]: the driver takes longer to make sixty of its
own times than the server to find an answer's turns and facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.clock import none_if_open
from graphmem.models import Fact, Message, Procedure, Turn

__all__ = ["fact_of", "procedure_of", "turn_of"]

_USAGE = (
    "recall_count",
    "reward_sum",
    "reward_count",
    "importance",
    "pinned",
    "tier",
)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def turn_of(entry: Mapping[str, Any]) -> Turn:
    """Return the turn of an entry of recall/get_evidence."""
    return Turn(
        id=entry["id"],
        session_id=entry["session_id"],
        agent_id=entry["agent_id"],
        project=entry["project"],
        at=_time(entry["at"]),
        seq=entry["seq"],
        recorded_at=_time(entry["recorded_at"]),
        text=entry["text"],
        summary=entry["summary"],
        outcome=entry["outcome"],
        intent=entry["intent"],
        extraction=entry["extraction"],
        extracted_by=entry["extracted_by"],
        attempts=entry["attempts"],
        error=entry["error"],
        is_partial=entry["is_partial"],
        status=entry["status"],
        messages=tuple(_messages(entry["messages"])),
        validated_count=entry["validated_count"] or 0,
        **_usage(entry),
    )


def fact_of(entry: Mapping[str, Any]) -> Fact:
    """Return the fact of an entry of recall/get_evidence."""
    return Fact(
        id=entry["id"],
        text=entry["text"],
        subject=entry["subject"],
        predicate=entry["predicate"],
        object=entry["object"],
        confidence=entry["confidence"],
        origin=entry["origin"],
        valid_from=none_if_open(_time(entry["valid_from"])),
        valid_to=none_if_open(_time(entry["valid_to"])),
        recorded_at=_time(entry["recorded_at"]),
        status=entry["status"],
        validated_count=entry["validated_count"] or 0,
        turn_ids=tuple(entry["turn_ids"]),
        **_usage(entry),
    )


def procedure_of(entry: Mapping[str, Any]) -> Procedure:
    """Return the procedure of an entry of recall/get_evidence."""
    intent_id, intent = next(iter(entry["intents"]), ("", ""))
    return Procedure(
        id=entry["id"],
        instruction=entry["instruction"],
        intent=intent,
        intent_id=intent_id,
        condition=entry["condition"] or "",
        expected_outcome=entry["expected_outcome"] or "",
        return_score=entry["return_score"],
        priority=entry["priority"] or 0,
        activation=entry["activation"] or "",
        origin=entry["origin"] or "",
        agent_id=entry["agent_id"] or "",
        status=entry["status"],
        recorded_at=_time(entry["recorded_at"]),
        validated_count=entry["validated_count"] or 0,
        turn_ids=tuple(entry["turn_ids"]),
        **_usage(entry),
    )


def _usage(entry: Mapping[str, Any]) -> dict[str, Any]:
    # A node that lacks a property has its default: one that was made by hand, for instance.
    known = {name: entry[name] for name in _USAGE if entry[name] is not None}
    return {**known, "last_accessed_at": _time(entry["last_accessed_at"])}


def _time(parts: Sequence[int | None]) -> datetime | None:
    seconds, microseconds = parts
    if seconds is None or microseconds is None:
        return None
    return _EPOCH + timedelta(seconds=seconds, microseconds=microseconds)


def _messages(entries: Iterable[Mapping[str, Any]]) -> Iterable[Message]:
    for entry in entries:
        yield Message(
            role=entry["role"],
            content=entry["content"],
            name=entry["name"] or "",
            agent_id=entry["agent_id"] or "",
            at=_time(entry["at"]),
        )
