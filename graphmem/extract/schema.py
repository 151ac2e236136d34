"""The form of an extraction reply: flat, legal for strict endpoints, the summary first."""

from __future__ import annotations

from typing import Any

from graphmem.dialect import ReplyForm
from graphmem.models import Outcome

__all__ = ["REPLY_FIELDS", "REPLY_FORM"]

_TEXT = {"type": "string"}
_TRIPLE = {
    "type": "object",
    "properties": {"subject": _TEXT, "predicate": _TEXT, "object": _TEXT},
    "required": ["subject", "predicate", "object"],
    "additionalProperties": False,
}
# In this order the model writes them, and each is written from what stands before it.
_PROPERTIES: dict[str, Any] = {
    "summary": _TEXT,
    "outcome": {"type": "string", "enum": [str(outcome) for outcome in Outcome]},
    "triples": {"type": "array", "items": _TRIPLE},
    "tags": {"type": "array", "items": _TEXT},
    "intent": _TEXT,
}
REPLY_FIELDS = tuple(_PROPERTIES)

REPLY_FORM = ReplyForm(
    name="memory_entry",
    description="Hand in the memory entry of the turn.",
    schema={
        "type": "object",
        "properties": _PROPERTIES,
        "required": list(REPLY_FIELDS),
        "additionalProperties": False,
    },
    sketch=(
        "Answer with one JSON object and nothing else:\n"
        '{"summary": "...", "outcome": "...", '
        '"triples": [{"subject": "...", "predicate": "...", "object": "..."}], '
        '"tags": ["..."], "intent": "..."}'
    ),
)
