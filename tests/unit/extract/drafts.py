"""Turns to extract in tests."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.models import Message, TurnDraft

__all__ = ["draft"]


def draft(*contents: str, names: tuple[str, ...] = (), turn_id: str = "t-1") -> TurnDraft:
    """Return a turn of these messages, user and assistant by turns."""
    roles = ("user", "assistant")
    messages = tuple(
        Message(
            role=roles[place % 2],
            content=content,
            name=names[place] if place < len(names) else "",
        )
        for place, content in enumerate(contents)
    )
    text = "\n".join(f"{entry.name or entry.role}: {entry.content}" for entry in messages)
    return TurnDraft(
        id=turn_id,
        session_id="s-1",
        at=datetime(2026, 3, 6, 14, 30, tzinfo=UTC),
        text=text,
        messages=messages,
    )
