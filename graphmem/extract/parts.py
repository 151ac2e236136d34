"""What every kind of extraction is put together from: clean names, facts, dates."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import UTC, datetime

from graphmem.models import FactDraft, Mention

__all__ = [
    "MAX_NAME_LENGTH",
    "collapse",
    "fact_text",
    "parse_date",
    "repeat_key",
    "scalar_text",
    "unique_facts",
    "unique_labels",
    "unique_mentions",
]

# Names become keys of nodes, tokens of an index and lines of a picture; nothing that a person
# would call a name is longer.
MAX_NAME_LENGTH = 300

_YEAR = re.compile(r"\d{4}")
_YEAR_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_NO_DATE = frozenset({"", "null", "none", "unknown", "present", "now", "today", "ongoing", "n/a"})


def collapse(text: str) -> str:
    """Return `text` without outer blanks and with every run of blanks as one space."""
    return " ".join(text.split())


def repeat_key(text: str) -> str:
    """Return what two spellings of the same statement or name share inside one reply."""
    return collapse(unicodedata.normalize("NFKC", text)).casefold()


def fact_text(subject: str, predicate: str, object_: str) -> str:
    """Return a triple as a sentence."""
    return collapse(f"{subject} {predicate} {object_}")


def scalar_text(value: object) -> str | None:
    """Return text for a string or a finite number, else None.

    A model that answers ``["Sam", "age", 42]`` means "42"; true, null, lists and objects name
    nothing.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    return None


def unique_facts(facts: list[FactDraft]) -> tuple[tuple[FactDraft, ...], int]:
    """Return `facts` without repeats (case and blanks apart), and how many were left out."""
    kept: dict[tuple[str, ...], FactDraft] = {}
    for fact in facts:
        parts = (fact.text, fact.subject, fact.predicate, fact.object)
        kept.setdefault(tuple(repeat_key(part) for part in parts), fact)
    return tuple(kept.values()), len(facts) - len(kept)


def unique_labels(labels: list[str]) -> tuple[str, ...]:
    """Return `labels` without repeats, the first spelling of each."""
    kept: dict[str, str] = {}
    for label in labels:
        kept.setdefault(repeat_key(label), label)
    return tuple(kept.values())


def unique_mentions(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Return `mentions` without repeats: the first spelling, the greatest weight."""
    kept: dict[str, Mention] = {}
    for mention in mentions:
        key = repeat_key(mention.name)
        known = kept.get(key)
        if known is None:
            kept[key] = mention
        elif mention.weight > known.weight:
            kept[key] = Mention(name=known.name, weight=mention.weight)
    return tuple(kept.values())


def parse_date(text: str) -> datetime | None:
    """Return the instant that a written date names, or None when it names none.

    Args:
        text: A year (its start), a year and month (its start), an ISO date (its start), or
            an ISO date and time; without a zone it is read as UTC. Words such as "present"
            and days that no calendar has name no instant.

    Returns:
        An aware UTC datetime, or None.
    """
    told = text.strip()
    if told.casefold() in _NO_DATE:
        return None
    try:
        if _YEAR.fullmatch(told):
            return datetime(int(told), 1, 1, tzinfo=UTC)
        if found := _YEAR_MONTH.fullmatch(told):
            return datetime(int(found[1]), int(found[2]), 1, tzinfo=UTC)
        at = datetime.fromisoformat(told)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
