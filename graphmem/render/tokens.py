"""How many tokens a text takes: by a model's own table where it is at hand, else an estimate.

A table is some megabytes that tiktoken would fetch when it is first asked. Nothing is fetched
unasked: without a name, only a table that is on this machine already is taken. The estimate
leans to the safe side, by how much is in docs/render.md.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

__all__ = ["ESTIMATE", "TokenCounter", "count_tokens", "load_counter"]

logger = logging.getLogger(__name__)

_PIECES = re.compile(
    r"(?P<word>[A-Za-z]+)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<line>\s*\n\s*)"
    r"|(?P<blank>\s+)"
    r"|(?P<latin>[\u00aa-\u024f]+)"
    r"|(?P<alphabet>[\u0250-\u058f\u1e00-\u1fff]+)"
    r"|(?P<east>[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+)"
    r"|(?P<script>[\u0590-\u1dff\u2c00-\u2dff\ua000-\uabff\ufb00-\ufdff\ufe70-\ufefe]+)"
    r"|(?P<astral>[\U00010000-\U0010ffff]+)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
# Tokens for each character of a run, rounded up for the run.
_PER_CHARACTER = {
    # Most words of up to eight letters are one token, longer and rarer ones fall in pieces.
    "word": 1 / 4.5,
    # Digits go in threes with some tokenizers, alone with others.
    "number": 1 / 2,
    "latin": 1.0,
    "alphabet": 1 / 2,
    "east": 1.25,
    "script": 1.25,
    # Emoji and rare characters fall into their bytes.
    "astral": 3.0,
    "sign": 1.0,
}

# What is looked for when no encoding is named, newest first.
_TABLES = (
    (
        "o200k_base",
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    (
        "cl100k_base",
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
)


class _Encoding(Protocol):
    """What is used of an encoding of tiktoken's."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the tokens of a text, whatever special tokens it spells."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of a text.

    Attributes:
        name: "estimate", or "tiktoken:" and the encoding.
        count: Returns how many tokens a text takes.
    """

    name: str
    count: Callable[[str], int]


@dataclass(frozen=True, slots=True)
class _EncodedLength:
    """The length of a text in tokens; no closure, so that a recall goes through pickle."""

    encoding: _Encoding

    def __call__(self, text: str) -> int:
        return len(self.encoding.encode_ordinary(text))


def count_tokens(text: str) -> int:
    """Return about how many tokens `text` takes in a model's context; rather more than fewer."""
    total = 0
    for match in _PIECES.finditer(text):
        kind = match.lastgroup
        if kind == "line":
            total += 1
        elif kind == "blank":
            # One blank belongs to the word after it.
            total += len(match.group()) > 1
        elif kind is not None:
            total += math.ceil(len(match.group()) * _PER_CHARACTER[kind])
    return total


ESTIMATE = TokenCounter("estimate", count_tokens)


def load_counter(tokenizer: str, cache: Path) -> TokenCounter:
    """Return what counts tokens.

    Args:
        tokenizer: "estimate"; "auto" = tiktoken where it is installed and a table of its is in
            `cache`, else the estimate; or the name of an encoding, whose table tiktoken may fetch.
        cache: Folder in which tiktoken keeps its tables.

    Returns:
        The counter; the estimate, with a warning in the log, where a named encoding cannot be had.
    """
    if tokenizer == "estimate":
        return ESTIMATE
    wanted = _table_at_hand(cache) if tokenizer == "auto" else tokenizer
    if wanted is None or (tokenizer == "auto" and find_spec("tiktoken") is None):
        return ESTIMATE
    try:
        encoding: _Encoding = import_module("tiktoken").get_encoding(wanted)
    except Exception as error:  # noqa: BLE001 - a foreign loader: the estimate takes its place
        logger.warning("render.no_tokenizer encoding=%s reason=%s", wanted, type(error).__name__)
        return ESTIMATE
    return TokenCounter(f"tiktoken:{wanted}", _EncodedLength(encoding))


def _table_at_hand(cache: Path) -> str | None:
    for name, file, sha256 in _TABLES:
        path = cache / file
        # One that is damaged would be fetched again.
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return name
    return None
