"""A made-up store of any size: Zipf words and names, a hub, sessions with topics, and vectors.

Everything follows from a seed. A scope has topics; a session stays with one of them, so that its
turns share words, names and directions. Names follow a Zipf law, and one name a scope, its hub,
stands in more than half of the turns. Words end in letters that no stemmer takes off.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Asked", "MadeUpEmbedder", "MadeUpScope", "scopes_of"]

_SESSION_TURNS = 20
_COMMON_WORDS = 3000
_TOPICS, _TOPIC_WORDS = 400, 60
_SCOPE_TOPICS = 40
# Four names for ten turns, as in the stores that the design was measured on.
_NAMES_A_TURN = 0.4
_HUB_SHARE = 0.6
_PREDICATES = 30
_AGENTS, _PROJECTS = 3, 4
_STARTED = datetime(2024, 1, 1, tzinfo=UTC)
_CONSONANTS, _VOWELS = "bdfghjklmnprstvzw", "aeiou"
# What the sentences are held together with; it gives a vector no direction.
_GLUE = frozenset("what did do about and with the of on".split())  # noqa: SIM905 - words in running text are easier to check than a list


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, made from a turn that it should bring back.

    Attributes:
        text: The question in words.
        words: Those of its words that are looked for, in lower case.
        turn_key: Of the turn.
    """

    text: str
    words: tuple[str, ...]
    turn_key: str


@dataclass(frozen=True, slots=True)
class MadeUpScope:
    """One scope of a made-up store.

    Attributes:
        name: Last part of the scope's name.
        number: Its place among the scopes: another number, another content.
        turns: Turns that it holds.
        seed: Of the whole store.
    """

    name: str
    number: int
    turns: int
    seed: int

    @property
    def hub(self) -> str:
        """The name that more than half of the turns mention."""
        return _name(self.number, 0)

    def drafts(self, start: int = 0) -> Iterator[dict[str, Any]]:
        """Yield the turns from `start` on as `add_turns` takes them, with their extraction."""
        for number in range(start, self.turns):
            turn = self._turn(number)
            names, words = turn.names, turn.words
            yield {
                "question": f"What did {names[0]} do about {' '.join(words[:4])}?",
                "answer": f"{names[0]} {' '.join(words[4:9])} with {names[1]}. "
                f"{' '.join(words[9:])} {' and '.join(names[2:])}.",
                "session_id": turn.session,
                "agent_id": f"agent-{number // _SESSION_TURNS % _AGENTS}",
                "project": f"project-{number // _SESSION_TURNS % _PROJECTS}",
                "turn_key": f"t{number}",
                "at": self.at(number),
                "extraction": {
                    "summary": f"{names[0]} told about {' '.join(words[:6])}",
                    "triples": [[names[0], turn.predicate, names[1]]],
                    "mentions": list(dict.fromkeys(names)),
                },
            }

    def at(self, number: int) -> datetime:
        """Return the time of a turn."""
        session, place = divmod(number, _SESSION_TURNS)
        return _STARTED + timedelta(hours=session, seconds=30 * place)

    def questions(self, count: int, *, salt: int = 0) -> list[Asked]:
        """Return questions about turns drawn at random; another salt, other ones."""
        rng = np.random.default_rng([self.seed, self.number, 1, salt])
        asked = []
        for number in rng.integers(0, self.turns, size=count):
            turn = self._turn(int(number))
            topical = turn.words[6:]
            chosen = [str(word) for word in rng.choice(topical, size=3, replace=False)]
            words = [*chosen, turn.words[int(rng.integers(0, 6))]]
            names = [turn.names[0]] if rng.random() < 0.7 else []
            if rng.random() < 0.25:
                names.append(self.hub)
            names = list(dict.fromkeys(names))
            text = f"What did {' and '.join([*names, words[0]])} do about {' '.join(words[1:])}?"
            looked_for = dict.fromkeys([*(name.lower() for name in names), *words])
            asked.append(Asked(text, tuple(looked_for), f"t{number}"))
        return asked

    def _turn(self, number: int) -> _Turn:
        rng = np.random.default_rng([self.seed, self.number, 0, number])
        session = number // _SESSION_TURNS
        topic = (self.number * 17 + session * 7) % _SCOPE_TOPICS
        common = _zipf(rng, _COMMON_WORDS, 6)
        topical = _zipf(rng, _TOPIC_WORDS, 7)
        first = _COMMON_WORDS + (self.number * 31 + topic) % _TOPICS * _TOPIC_WORDS
        words = [_word(rank) for rank in common] + [_word(first + rank) for rank in topical]
        known = max(8, int(self.turns * _NAMES_A_TURN))
        # Half of the names go with the topic, the others with the scope.
        ranks = [1 + rank for rank in _zipf(rng, known - 1, 4)]
        ranks[:2] = [1 + (rank * _SCOPE_TOPICS + topic) % (known - 1) for rank in ranks[:2]]
        names = [_name(self.number, rank) for rank in ranks]
        if names[0] == names[1]:
            names[1] = _name(self.number, 1 + ranks[1] % (known - 1))
        if rng.random() < _HUB_SHARE:
            names[3] = self.hub
        return _Turn(
            session=f"s{session}",
            words=tuple(words),
            names=tuple(names),
            predicate=f"{_word(50_000 + int(rng.integers(0, _PREDICATES)))} for",
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a turn is made of: six common words and seven of its topic, four names."""

    session: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    predicate: str


class MadeUpEmbedder:
    """Vectors in which texts of one topic are near: each word has a direction of its own.

    Common words count little and glue nothing, so that cosines spread as a sentence model's do.

    Args:
        dimensions: Width of the vectors.
    """

    def __init__(self, dimensions: int = 384) -> None:
        self.provider = "made-up"
        self.model = "words"
        self.dimensions: int | None = dimensions
        self._width = dimensions
        self._directions: dict[str, NDArray[np.float32]] = {}
        self._light = {_word(rank) for rank in range(_COMMON_WORDS)}

    async def embed(
        self, texts: Sequence[str], *, purpose: str = "document"
    ) -> NDArray[np.float32]:
        """Return one L2-normalised row a text; `purpose` makes no difference."""
        del purpose
        return self.vectors(texts)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what `embed` returns, without a loop."""
        rows = np.zeros((len(texts), self._width), dtype=np.float32)
        for place, text in enumerate(texts):
            words = [word.strip(".,:?!").lower() for word in text.split()]
            for word in [word for word in words if word and word not in _GLUE] or [text]:
                rows[place] += self._direction(word)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _direction(self, word: str) -> NDArray[np.float32]:
        found = self._directions.get(word)
        if found is None:
            rng = np.random.default_rng(zlib.crc32(word.encode()))
            found = rng.standard_normal(self._width).astype(np.float32)
            if word in self._light:
                found *= np.float32(0.3)
            self._directions[word] = found
        return found


def scopes_of(turns: int, scopes: int, *, seed: int = 7) -> list[MadeUpScope]:
    """Return the scopes of a store: the last holds 1 %, the others share the rest equally.

    Args:
        turns: Of the whole store, at least 100 a scope but the last.
        scopes: How many, at least 2.
        seed: Another seed, another store.
    """
    small = max(1, turns // 100)
    shares = [(turns - small) // (scopes - 1)] * (scopes - 1)
    shares[0] += turns - small - sum(shares)
    return [
        MadeUpScope(f"scope-{number:02}", number, share, seed)
        for number, share in enumerate([*shares, small])
    ]


@cache
def _cumulated(size: int) -> NDArray[np.float64]:
    weights = 1.0 / np.arange(1, size + 1)
    cumulated: NDArray[np.float64] = np.cumsum(weights / weights.sum())
    return cumulated


def _zipf(rng: np.random.Generator, size: int, count: int) -> list[int]:
    """Return ranks from 0, drawn by a Zipf law with exponent 1 over `size` of them."""
    found = np.searchsorted(_cumulated(size), rng.random(count))
    return [min(int(rank), size - 1) for rank in found]


@cache
def _word(rank: int) -> str:
    return _syllables(rank) + "k"


@cache
def _name(scope: int, rank: int) -> str:
    return (_syllables(scope * 20_000 + rank) + "p").capitalize()


def _syllables(number: int) -> str:
    parts = []
    for _ in range(3):
        number, left = divmod(number, len(_CONSONANTS) * len(_VOWELS))
        parts.append(_CONSONANTS[left % len(_CONSONANTS)] + _VOWELS[left // len(_CONSONANTS)])
    return "".join(parts)
