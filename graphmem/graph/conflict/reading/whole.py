"""Statements of which no predicate is known: one key for all of it, so that it can be denied.

"I am vegetarian" and "I am no longer vegetarian" have the same key, and so have "I have a dog" and
"I do not have a dog any more"; no other statement has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import WHOLE
from graphmem.text import analyse

__all__ = ["stem", "whole_key"]

_MAX_SUBJECT_WORDS = 4
_MAX_SAID_WORDS = 8
_EDGES = ".,;:!?\"'()[]"


def whole_key(packs: Sequence[LocalePack], text: str) -> tuple[str, str]:
    """Return what a sentence is about, as written, and the key of all that it says of it.

    Both are "" where the sentence is not plain.

    Args:
        packs: The languages.
        text: One clause, without words for "not".
    """
    words = text.split()
    size = _subject_size(packs, words)
    said = words[size:]
    if not 0 < len(said) <= _MAX_SAID_WORDS or any(mark in text for mark in ',;:()"?'):
        return "", ""
    return " ".join(words[:size]), WHOLE + " ".join(_plainest(packs, said))


def _subject_size(packs: Sequence[LocalePack], words: Sequence[str]) -> int:
    """Return of how many words the subject is; with too many, nothing is left to be said."""
    for place, word in enumerate(words[1 : _MAX_SUBJECT_WORDS + 1], start=1):
        if any(word.casefold() in pack.auxiliaries for pack in packs):
            return place
    first = words[0].casefold() if words else ""
    if any(first in pack.speakers for pack in packs):
        return 1
    size = 0
    for word in words[:_MAX_SUBJECT_WORDS]:
        if not word[0].isupper() or any(word.casefold() in pack.common_words for pack in packs):
            break
        size += 1
    return size or len(words)


def _plainest(packs: Sequence[LocalePack], words: Sequence[str]) -> list[str]:
    bare = [word.casefold().strip(_EDGES) for word in words]
    kept = [word for word in bare if not any(word in pack.articles for pack in packs)] or bare
    return [
        next((pack.auxiliaries[word] for pack in packs if word in pack.auxiliaries), stem(word))
        for word in kept
    ]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return the stem of a word as the index has it; of what is no single token the word."""
    stems = analyse(word)
    # Scripts without blanks are cut into pairs, of which one says nothing.
    return stems[0] if len(stems) == 1 else word
