"""Plain personalised PageRank over given triples: the row that graphmem has to beat.

The recipe of HippoRAG 2 without a language model: phrases and passages are nodes; the ends of a
triple, a passage and its phrases, and phrases that mean the same are linked. Nothing in it is
graphmem's.

Source: Gutiérrez et al., "From RAG to Memory" (2025).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["PhraseGraph"]

Vectors = NDArray[np.float32]
Triple = tuple[str, str, str]

_NEAREST_TRIPLES = 5
_PASSAGE_WEIGHT = 0.05
_DAMPING = 0.5
_SAME_MEANING = 0.8
_ENOUGH = 1e-9
_BLOCK = 1024


class PhraseGraph:
    """A graph of phrases and passages.

    Args:
        passages: Unit vector of each passage, a row each.
        triples: The triples of each passage by its row.
        embed: Gives unit vectors of texts.
    """

    def __init__(
        self,
        passages: Vectors,
        triples: Mapping[int, Sequence[Triple]],
        embed: Callable[[Sequence[str]], Vectors],
    ) -> None:
        self._passages = passages
        # By the folded name its place and its first spelling, which is embedded.
        phrases: dict[str, int] = {}
        spelt: list[str] = []
        links: dict[tuple[int, int], float] = {}
        told: dict[Triple, str] = {}
        first = len(passages)
        held: dict[int, set[int]] = {}
        for row, entries in triples.items():
            for entry, triple in {_folded(triple): triple for triple in entries}.items():
                told.setdefault(entry, " ".join(triple))
                for name, shown in zip(entry[::2], triple[::2], strict=True):
                    if name not in phrases:
                        phrases[name] = first + len(spelt)
                        spelt.append(" ".join(shown.split()))
                ends = [phrases[name] for name in entry[::2]]
                _link(links, ends[0], ends[1], 1.0)
                held.setdefault(row, set()).update(ends)
        for row, ends_of_passage in held.items():
            for end in ends_of_passage:
                _link(links, row, end, 1.0)
        self._triples = list(told)
        self._phrases = phrases
        self._passages_of = np.zeros(first + len(spelt))
        for ends_of_passage in held.values():
            self._passages_of[list(ends_of_passage)] += 1
        self._triple_vectors = embed(list(told.values()))
        for start, end, cosine in _synonyms(embed(spelt)):
            _link(links, first + start, first + end, cosine)
        pairs = [(*pair, weight) for pair, weight in links.items() if pair[0] != pair[1]]
        starts = np.array([pair[0] for pair in pairs])
        stops = np.array([pair[1] for pair in pairs])
        weights = np.array([pair[2] for pair in pairs])
        # Both ways.
        self._starts = np.concatenate([starts, stops])
        self._ends = np.concatenate([stops, starts])
        self._weights = np.concatenate([weights, weights])
        out = np.bincount(self._starts, self._weights, minlength=len(self._passages_of))
        self._shares = self._weights / out[self._starts]
        self._is_dead_end = out == 0

    def rank(self, query: Vectors, depth: int) -> list[int]:
        """Return the rows of the `depth` best passages, best first, for a unit vector."""
        count = len(self._passages)
        start = np.zeros(len(self._passages_of))
        scores = _min_max(self._triple_vectors @ query)
        for place in np.argsort(-scores)[:_NEAREST_TRIPLES]:
            for name in self._triples[place][::2]:
                node = self._phrases[name]
                start[node] += scores[place] / self._passages_of[node]
        start[:count] = _PASSAGE_WEIGHT * _min_max(self._passages @ query)
        mass = self._walk(start / start.sum())[:count]
        return [int(row) for row in np.argsort(-mass, kind="stable")[:depth]]

    def _walk(self, start: NDArray[np.float64]) -> NDArray[np.float64]:
        mass = start
        while True:
            walked = np.bincount(
                self._ends, self._shares * mass[self._starts], minlength=len(start)
            )
            walked += mass[self._is_dead_end].sum() * start
            after = (1 - _DAMPING) * start + _DAMPING * walked
            if np.abs(after - mass).sum() < _ENOUGH:
                return after
            mass = after


def _folded(triple: Triple) -> Triple:
    subject, predicate, object_ = (" ".join(part.lower().split()) for part in triple)
    return subject, predicate, object_


def _link(links: dict[tuple[int, int], float], start: int, end: int, weight: float) -> None:
    pair = (start, end) if start < end else (end, start)
    links[pair] = links.get(pair, 0.0) + weight


def _synonyms(vectors: Vectors) -> list[tuple[int, int, float]]:
    found = []
    for at in range(0, len(vectors), _BLOCK):
        cosines = vectors[at : at + _BLOCK] @ vectors.T
        for row, column in np.argwhere(cosines >= _SAME_MEANING):
            if at + row < column:
                found.append((int(at + row), int(column), float(cosines[row, column])))
    return found


def _min_max(found: NDArray[np.float32]) -> NDArray[np.float64]:
    scores = found.astype(np.float64)
    low, high = float(scores.min()), float(scores.max())
    spread = high - low
    return (scores - low) / spread if spread else np.ones(len(scores))
