"""An extraction that the caller hands in: checked, since a caller can cure what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.clock import as_utc
from graphmem.errors import InputError
from graphmem.extract.parts import (
    MAX_NAME_LENGTH,
    collapse,
    fact_text,
    parse_date,
    unique_facts,
    unique_labels,
    unique_mentions,
)
from graphmem.models import Extraction, ExtractionState, FactDraft, Mention, Outcome
from graphmem.text import check_text

__all__ = ["given_extraction"]

_KEYS = ("summary", "outcome", "triples", "facts", "tags", "intent", "mentions")
_FACT_KEYS = (
    "text",
    "subject",
    "predicate",
    "object",
    "confidence",
    "valid_from",
    "valid_to",
    "tags",
)
_TRIPLE_PARTS = 3
_MENTION_PARTS = 2


def given_extraction(value: Extraction | Mapping[str, Any]) -> Extraction:
    """Return what a caller knows of a turn as an Extraction of state GIVEN.

    Args:
        value: An Extraction, or a mapping with any of: ``summary`` and ``intent`` (text),
            ``outcome`` (one of the five words), ``triples`` (``[subject, predicate, object]``
            each), ``facts`` (a sentence, a triple, or a mapping with ``text`` and/or
            ``subject``, ``predicate``, ``object``, and ``confidence``, ``valid_from``,
            ``valid_to``, ``tags``), ``tags`` (texts), ``mentions`` (a name or
            ``[name, weight]`` each, weight in (0, 1]).

    Returns:
        The extraction, repeats collapsed. A date that names no instant, and an interval that
        ends before it begins, become unknown; `dropped` says so.

    Raises:
        InputError: Something else is wrong; the message names the place.
    """
    if isinstance(value, Extraction):
        value = _as_mapping(value)
    if not isinstance(value, Mapping):
        raise InputError(
            f"extraction must be a mapping or an Extraction, got {type(value).__name__}"
        )
    _refuse_unknown(value, _KEYS, "extraction")
    notes: list[str] = []
    facts = [
        _fact(entry, f"extraction.triples[{place}]", notes)
        for place, entry in enumerate(_items(value.get("triples"), "extraction.triples"))
    ]
    facts += [
        _fact(entry, f"extraction.facts[{place}]", notes)
        for place, entry in enumerate(_items(value.get("facts"), "extraction.facts"))
    ]
    mentions = [
        _mention(entry, f"extraction.mentions[{place}]")
        for place, entry in enumerate(_items(value.get("mentions"), "extraction.mentions"))
    ]
    return Extraction(
        summary=_optional_text(value.get("summary"), "extraction.summary"),
        outcome=_outcome(value.get("outcome")),
        facts=unique_facts(facts)[0],
        tags=_labels(value.get("tags"), "extraction.tags"),
        intent=_optional_text(value.get("intent"), "extraction.intent"),
        mentions=unique_mentions(mentions),
        state=ExtractionState.GIVEN,
        extracted_by="given",
        dropped=tuple(notes),
    )


def _as_mapping(value: Extraction) -> dict[str, Any]:
    return {
        "summary": value.summary,
        "outcome": value.outcome,
        "facts": value.facts,
        "tags": value.tags,
        "intent": value.intent,
        "mentions": value.mentions,
    }


def _refuse_unknown(value: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    unknown = [str(key)[:MAX_NAME_LENGTH] for key in value if key not in known]
    if unknown:
        raise InputError(f"{where} has no {unknown[0]!r}; it takes {', '.join(known)}")


def _items(value: object, where: str) -> list[Any]:
    if value is None:
        return []
    # Text is iterable too, but letter by letter is never meant.
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{where} must be a list, got {type(value).__name__}")
    return list(value)


def _optional_text(value: object, where: str) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        return ""
    return _text(value, where).strip()


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where} must be text, got {type(value).__name__}")
    return check_text(value, where)


def _name(value: object, where: str) -> str:
    name = collapse(_text(value, where))
    if len(name) > MAX_NAME_LENGTH:
        raise InputError(
            f"{where} has {len(name)} characters, a name at most {MAX_NAME_LENGTH}; "
            "hand long statements in as facts with a text alone"
        )
    return name


def _labels(value: object, where: str) -> tuple[str, ...]:
    entries = enumerate(_items(value, where))
    return unique_labels([_name(entry, f"{where}[{place}]") for place, entry in entries])


def _outcome(value: object) -> Outcome:
    if value is None or value == "":
        return Outcome.UNKNOWN
    try:
        return Outcome(str(value))
    except ValueError:
        words = ", ".join(Outcome)
        raise InputError(f"extraction.outcome must be one of {words}, got {value!r}") from None


def _fact(entry: object, where: str, notes: list[str]) -> FactDraft:
    if isinstance(entry, FactDraft):
        return _fact_of_mapping({key: getattr(entry, key) for key in _FACT_KEYS}, where, notes)
    if isinstance(entry, Mapping):
        return _fact_of_mapping(entry, where, notes)
    if isinstance(entry, str):
        return FactDraft(text=collapse(_text(entry, where)))
    if isinstance(entry, list | tuple):
        if len(entry) != _TRIPLE_PARTS:
            raise InputError(
                f"{where} must be [subject, predicate, object], got {len(entry)} parts"
            )
        parts = dict(zip(("subject", "predicate", "object"), entry, strict=True))
        return _fact_of_mapping(parts, where, notes)
    raise InputError(f"{where} must be text, a triple or a mapping, got {type(entry).__name__}")


def _fact_of_mapping(entry: Mapping[str, Any], where: str, notes: list[str]) -> FactDraft:
    _refuse_unknown(entry, _FACT_KEYS, where)
    parts = {key: entry.get(key) for key in ("subject", "predicate", "object")}
    given = {key: part for key, part in parts.items() if part not in (None, "")}
    has_text = entry.get("text") not in (None, "")
    if not has_text and len(given) < _TRIPLE_PARTS:
        raise InputError(f"{where} needs a text, or subject, predicate and object")
    named = {
        # A predicate is data: kept as written, blanks inside apart.
        key: _name(part, f"{where}.{key}")
        for key, part in given.items()
    }
    text = collapse(_text(entry["text"], f"{where}.text")) if has_text else ""
    start, end = _interval(entry, where, notes)
    return FactDraft(
        text=text or fact_text(named["subject"], named["predicate"], named["object"]),
        subject=named.get("subject", ""),
        predicate=named.get("predicate", ""),
        object=named.get("object", ""),
        confidence=_fraction(entry.get("confidence"), f"{where}.confidence", is_zero_ok=True),
        valid_from=start,
        valid_to=end,
        tags=_labels(entry.get("tags"), f"{where}.tags"),
    )


def _interval(
    entry: Mapping[str, Any], where: str, notes: list[str]
) -> tuple[datetime | None, datetime | None]:
    start = _date(entry.get("valid_from"), f"{where}.valid_from", notes)
    end = _date(entry.get("valid_to"), f"{where}.valid_to", notes)
    if start is not None and end is not None and end <= start:
        notes.append(f"{where}: valid_to is not after valid_from; both are unknown now")
        return None, None
    return start, end


def _date(value: object, where: str, notes: list[str]) -> datetime | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        return as_utc(value, name=where)
    if not isinstance(value, str):
        raise InputError(f"{where} must be a datetime or an ISO date, got {type(value).__name__}")
    at = parse_date(value)
    if at is None:
        # Such dates are a model's: the statement itself is worth keeping without them.
        notes.append(f"{where} names no instant; unknown now")
    return at


def _mention(entry: object, where: str) -> Mention:
    name, weight = entry, None
    if isinstance(entry, Mention):
        name, weight = entry.name, entry.weight
    elif isinstance(entry, Mapping):
        _refuse_unknown(entry, ("name", "weight"), where)
        name, weight = entry.get("name"), entry.get("weight")
    elif isinstance(entry, list | tuple):
        if len(entry) != _MENTION_PARTS:
            raise InputError(f"{where} must be a name or [name, weight], got {len(entry)} parts")
        name, weight = entry
    return Mention(
        name=_name(name, where), weight=_fraction(weight, f"{where} weight", is_zero_ok=False)
    )


def _fraction(value: object, where: str, *, is_zero_ok: bool) -> float:
    if value is None:
        return 1.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, got {type(value).__name__}")
    # NaN is in no range, and neither is what no float holds.
    if not (0 <= value <= 1 if is_zero_ok else 0 < value <= 1):
        bounds = "[0, 1]" if is_zero_ok else "(0, 1]"
        raise InputError(f"{where} must be in {bounds}, got {value!r}")
    return float(value)
