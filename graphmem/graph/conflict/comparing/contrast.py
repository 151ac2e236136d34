"""What keeps two sentences apart that an embedder calls the same: opposites, signs, an exchange."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.reading.whole import stem

__all__ = ["contrast", "has_other_words"]

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_MINUS = re.compile(r"(?<![\w.,)])[-\u2212](?=[$€£]?\d)")
# Written or not, they change nothing.
_MARKS = frozenset("°©®™")
_LEAST_WITH_PREFIX = 4


def contrast(packs: Sequence[LocalePack], one: str, other: str) -> str | None:
    """Return how two sentences differ in a way that hardly moves their vectors, else None."""
    first, second = _words(one), _words(other)
    if not first or not second:
        return "one of them is no words"
    if _signs_differ(one, other):
        return "a sign differs"
    if _are_opposite(packs, first, second):
        return "one says the opposite of the other"
    if _are_exchanged(packs, first, second):
        return "two words are exchanged"
    return None


def has_other_words(packs: Sequence[LocalePack], one: str, other: str) -> bool:
    """Return whether each has a word that may be a name where no name can be told.

    That is where no letter is a capital: in hurried writing, and in scripts that have none.
    """
    if any(char.isupper() or char.istitle() for char in one + other):
        return False
    first, second = (
        {stem(word) for word in _words(text) if not any(word in p.common_words for p in packs)}
        for text in (one, other)
    )
    return bool(first - second and second - first)


def _signs_differ(one: str, other: str) -> bool:
    if len(_MINUS.findall(one)) != len(_MINUS.findall(other)):
        return True
    first, second = (
        [c for c in text if unicodedata.category(c) in ("So", "Sm") and c not in _MARKS]
        for text in (one, other)
    )
    # An emoji more is no other statement.
    return bool(first and second and first != second)


def _are_opposite(packs: Sequence[LocalePack], one: list[str], other: list[str]) -> bool:
    first = {form for word in one if word not in other for form in (word, stem(word))}
    second = {form for word in other if word not in one for form in (word, stem(word))}
    return any(
        (a in first and b in second) or (b in first and a in second)
        for pack in packs
        for a, b in pack.contrasts
    ) or any(
        f"{prefix}{word}" in theirs
        for mine, theirs in ((first, second), (second, first))
        for word in mine
        if len(word) >= _LEAST_WITH_PREFIX
        for pack in packs
        for prefix in pack.contrary_prefixes
    )


def _are_exchanged(packs: Sequence[LocalePack], one: list[str], other: list[str]) -> bool:
    """Return whether two words stand in each other's place: "Ana owes Ben", "Ben owes Ana"."""
    if len(one) != len(other):
        return False
    places = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if not places:
        return False
    start, end = places[0], places[-1]
    if places != [start, end] or one[start] != other[end] or one[end] != other[start]:
        return False
    between = one[start + 1 : end]
    return any(all(word not in pack.conjunctions for pack in packs) for word in between)


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
