"""The wording of a sentence: idioms written out, and what says "not" or "perhaps"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from graphmem.graph.conflict.locales.pack import LocalePack

__all__ = [
    "collapsed",
    "goes_on_in_another",
    "is_hedged",
    "is_negated",
    "rewritten",
    "without_negations",
]

_ASKED = re.compile(r"\?\s*[\"')]*\s*$")
_SENTENCE_END = re.compile(r"(?P<word>\w*)[.!?]+\s+(?=\S)")


def is_hedged(packs: Sequence[LocalePack], text: str) -> bool:
    """Return whether a sentence is wished, supposed, planned, reported or asked."""
    if _ASKED.search(text):
        return True
    return any(pack.hedges.search(rewritten(pack, text)) for pack in packs if pack.hedges)


def goes_on_in_another(packs: Sequence[LocalePack], text: str) -> bool:
    """Return whether a second sentence follows; "Dr. Meyer" is none."""
    return any(
        not any(match["word"] in pack.abbreviations for pack in packs)
        for match in _SENTENCE_END.finditer(text)
    )


def is_negated(packs: Sequence[LocalePack], text: str) -> bool:
    """Return whether words for "not" stand in a sentence an odd number of times."""
    return sum(len(_negations(pack, rewritten(pack, text))) for pack in packs) % 2 == 1


# A sentence is rewritten for its parts, its markers and its hedges.
@lru_cache(maxsize=4096)
def rewritten(pack: LocalePack, text: str) -> str:
    """Return a sentence with its contractions and idioms written out."""
    for pattern, said in pack.normalisers:
        text = pattern.sub(said, text)
    return text


def _negations(pack: LocalePack, text: str) -> list[tuple[int, int]]:
    """Return where words for "not" stand, each place once, the longest first where they share."""
    spans = sorted(
        (match.span() for _, pattern in pack.negations for match in pattern.finditer(text)),
        key=lambda span: (span[0], -span[1]),
    )
    kept: list[tuple[int, int]] = []
    for span in spans:
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def without_negations(pack: LocalePack, text: str) -> tuple[str, list[int]]:
    """Return the text without words for "not", and where in it they stood."""
    out, at, end = "", [], 0
    for start, stop in _negations(pack, text):
        out += text[end:start]
        out = out if out.endswith(" ") or not out else f"{out} "
        at.append(len(out))
        end = stop + (text[stop : stop + 1] == " ")
    return out + text[end:], at


def collapsed(text: str) -> str:
    """Return a text with one blank where there were several."""
    return " ".join(text.split())
