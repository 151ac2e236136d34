"""Verdicts on a reply: what is taken, what is dropped, and what quarantines the turn.

docs/extract.md holds the table; tests/unit/extract/test_verdict.py holds it to this code.
Nothing is repaired: what is not a valid extraction as it stands is refused as a whole, and a
single bad item is left out and counted. Messages name places, never what the model wrote.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import ExtractionError
from graphmem.extract.parts import (
    MAX_NAME_LENGTH,
    collapse,
    fact_text,
    scalar_text,
    unique_facts,
    unique_labels,
)
from graphmem.extract.schema import REPLY_FIELDS
from graphmem.llm import ChatReply
from graphmem.models import Extraction, ExtractionState, FactDraft, Outcome

__all__ = ["judge"]

_FENCE = re.compile(r"```[\w+-]*\s*(?P<inside>.*?)\s*```", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_TRIPLE_PARTS = ("subject", "predicate", "object")
# A turn states a few things. Far more is a model that repeats itself, and each would become
# nodes, links and vectors.
_MAX_TRIPLES = 64
_MAX_TAGS = 32
_MAX_SUMMARY_LENGTH = 2_000
_REPLACEMENT = "\ufffd"


@dataclass(slots=True)
class _Notes:
    """What was left out of a reply."""

    dropped: list[str] = field(default_factory=list)

    def drop(self, where: str, reason: str) -> None:
        self.dropped.append(f"{where}: {reason}")


def judge(reply: ChatReply, *, strict_items: bool = False) -> Extraction:
    """Return the extraction that a reply holds.

    Args:
        reply: What the endpoint answered.
        strict_items: Refuse the reply for a single bad item, too, as Graph Memory does.

    Returns:
        An extraction of state DONE; `dropped` names each item that was left out.

    Raises:
        ExtractionError: The reply is none. `kind` is one of "no-choices", "refused",
            "content-filter", "truncated", "empty", "no-json", "schema", "no-summary",
            "bad-item".
    """
    text = reply.text
    _refuse_unfinished(reply)
    entry, repeated = _object_of(text)
    notes = _Notes()
    for key in repeated:
        notes.drop(_known(key), "the key stands twice")
    summary = _summary(entry, text, notes)
    for place, key in enumerate(entry):
        if key not in REPLY_FIELDS:
            notes.drop(f"field {place}", "unknown")
    extraction = Extraction(
        summary=summary,
        outcome=_outcome(entry.get("outcome"), notes),
        facts=_facts(entry.get("triples"), notes),
        tags=_tags(entry.get("tags"), notes),
        intent=_intent(entry.get("intent"), notes),
        state=ExtractionState.DONE,
        dropped=tuple(notes.dropped),
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
    )
    if strict_items and notes.dropped:
        raise _refusal("bad-item", f"bad items, first: {notes.dropped[0]}", text)
    return extraction


def _refusal(kind: str, reason: str, text: str) -> ExtractionError:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""
    return ExtractionError(
        f"the reply is no extraction ({reason}); retry it explicitly or drop it",
        kind=kind,
        reply_length=len(text),
        reply_hash=digest,
    )


def _refuse_unfinished(reply: ChatReply) -> None:
    text = reply.text
    if not reply.has_choice:
        raise _refusal("no-choices", "it has no choices", text)
    if reply.refusal:
        raise _refusal("refused", "the model refused", reply.refusal)
    if reply.finish_reason == "content_filter":
        raise _refusal("content-filter", "the endpoint filtered it", text)
    if reply.finish_reason == "length":
        told = f" at {reply.completion_tokens} tokens" if reply.completion_tokens else ""
        raise _refusal("truncated", f"truncated{told}", text)
    if not text.strip():
        raise _refusal("empty", "it is empty", text)


def _object_of(text: str) -> tuple[dict[str, Any], list[str]]:
    """Return the one JSON object that a reply is, and the keys that stand in it twice."""
    repeated: list[str] = []
    bare = text.strip().removeprefix("\ufeff")
    try:
        value = _parse(bare, repeated)
    except (ValueError, RecursionError):
        # One fence around the whole is how many models send JSON: taking it off changes
        # nothing in the JSON. Talk around it means that the reply is more than an object.
        fence = _FENCE.fullmatch(bare)
        if fence is None:
            raise _refusal("no-json", "it is not one JSON object", text) from None
        repeated.clear()
        try:
            value = _parse(fence["inside"], repeated)
        except (ValueError, RecursionError):
            raise _refusal("no-json", "the fence holds no JSON object", text) from None
    if not isinstance(value, dict):
        raise _refusal("no-json", "it is JSON, but not an object", text)
    return value, repeated


def _parse(text: str, repeated: list[str]) -> Any:
    def merge(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # Python keeps the last of two equal keys silently. Lists are joined, so that no good
        # item is lost; of anything else the first stands.
        merged: dict[str, Any] = {}
        for key, value in pairs:
            if key not in merged:
                merged[key] = value
                continue
            repeated.append(key)
            if isinstance(merged[key], list) and isinstance(value, list):
                merged[key] = merged[key] + value
        return merged

    return json.loads(text, object_pairs_hook=merge)


def _known(key: str) -> str:
    return key if key in REPLY_FIELDS or key in _TRIPLE_PARTS else "a field"


def _summary(entry: Mapping[str, Any], text: str, notes: _Notes) -> str:
    summary = entry.get("summary")
    if isinstance(summary, str) and summary.strip():
        cleaned = _clean(summary)
        if len(cleaned) > _MAX_SUMMARY_LENGTH:
            notes.drop("summary", f"cut at {_MAX_SUMMARY_LENGTH} characters")
            cleaned = cleaned[:_MAX_SUMMARY_LENGTH].rstrip()
        return cleaned
    if _is_schema(entry):
        raise _refusal("schema", "it is the schema instead of the data", text)
    reason = "it has no summary" if summary is None else "its summary is blank or no text"
    raise _refusal("no-summary", reason, text)


def _is_schema(entry: Mapping[str, Any]) -> bool:
    candidates = [entry, *(value for value in entry.values() if isinstance(value, Mapping))]
    return any(
        "$schema" in part or isinstance(part.get("properties"), Mapping) for part in candidates
    )


def _clean(text: str) -> str:
    """Return text that every store takes: half pairs and NUL replaced, blanks collapsed."""
    return collapse(_SURROGATE.sub(_REPLACEMENT, text).replace("\x00", _REPLACEMENT))


def _outcome(value: object, notes: _Notes) -> Outcome:
    if value is None:
        return Outcome.UNKNOWN
    try:
        return Outcome(str(value).strip().lower())
    except ValueError:
        notes.drop("outcome", "none of the five words")
        return Outcome.UNKNOWN


def _intent(value: object, notes: _Notes) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        notes.drop("intent", "no text")
        return ""
    return _cut(_clean(value), "intent", notes)


def _tags(value: object, notes: _Notes) -> tuple[str, ...]:
    tags: list[str] = []
    for place, item in enumerate(_list(value, "tags", _MAX_TAGS, notes)):
        where = f"tags[{place}]"
        tag = _name(item, where, notes)
        if tag is not None:
            tags.append(tag)
    return unique_labels(tags)


def _facts(value: object, notes: _Notes) -> tuple[FactDraft, ...]:
    facts: list[FactDraft] = []
    for place, item in enumerate(_list(value, "triples", _MAX_TRIPLES, notes)):
        fact = _fact(item, f"triples[{place}]", notes)
        if fact is not None:
            facts.append(fact)
    # A repeat is no bad item: it says nothing wrong, it only says it again.
    return unique_facts(facts)[0]


def _list(value: object, where: str, most: int, notes: _Notes) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        notes.drop(where, "no list")
        return []
    for place in range(most, len(value)):
        notes.drop(f"{where}[{place}]", f"more than {most}")
    return value[:most]


def _fact(item: object, where: str, notes: _Notes) -> FactDraft | None:
    if isinstance(item, Mapping):
        if any(part not in item for part in _TRIPLE_PARTS):
            notes.drop(where, "no subject, predicate and object")
            return None
        extra = len(item) - len(_TRIPLE_PARTS)
        if extra:
            notes.drop(where, f"{extra} unknown fields left out")
        parts = [item[part] for part in _TRIPLE_PARTS]
    elif isinstance(item, list):
        if len(item) != len(_TRIPLE_PARTS):
            notes.drop(where, f"{len(item)} parts instead of three")
            return None
        parts = item
    else:
        notes.drop(where, "no triple")
        return None
    named = []
    for label, part in zip(_TRIPLE_PARTS, parts, strict=True):
        name = _name(part, f"{where}.{label}", notes)
        if name is None:
            return None
        named.append(name)
    subject, predicate, object_ = named
    return FactDraft(
        text=fact_text(subject, predicate, object_),
        subject=subject,
        predicate=predicate,
        object=object_,
    )


def _name(value: object, where: str, notes: _Notes) -> str | None:
    text = scalar_text(value)
    if text is None:
        is_nan = isinstance(value, float) and not math.isfinite(value)
        notes.drop(where, "not a finite number" if is_nan else "no text")
        return None
    cleaned = _clean(text)
    if not cleaned:
        notes.drop(where, "blank")
        return None
    return _cut(cleaned, where, notes)


def _cut(text: str, where: str, notes: _Notes) -> str:
    if len(text) <= MAX_NAME_LENGTH:
        return text
    notes.drop(where, f"cut at {MAX_NAME_LENGTH} characters")
    return text[:MAX_NAME_LENGTH].rstrip()
