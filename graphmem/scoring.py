"""Pure functions that turn ranks and word counts into scores; shared by the stages.

Nothing here knows where a list came from: identifiers go in, numbers come out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

__all__ = [
    "CorpusStats",
    "best_first",
    "bm25",
    "bm25_counted",
    "corpus_stats",
    "normalised",
    "rarity",
    "rrf",
    "weighted",
]

K = TypeVar("K", bound=Hashable)

# The low end and the middle of the ranges that Robertson and Zaragoza call reasonable:
# k1 between 1.2 and 2, b between one half and four fifths.
_BM25_K1 = 1.2
_BM25_B = 0.75


def rrf(
    rankings: Sequence[Sequence[K]], k: float = 60.0, weights: Sequence[float] | None = None
) -> dict[K, float]:
    """Return the reciprocal rank fusion of several rankings.

    Args:
        rankings: Items of each list, best first; an item counts once a list, at its best rank.
        k: Damps the lead of the first ranks, > 0; 60 is the value of the paper.
        weights: One a list, >= 0; 1 each by default.

    Returns:
        Sum of weight / (k + rank) by item, ranks from 1; items without a list are missing.

    Raises:
        ValueError: `k` is not above 0, or there are not as many weights as rankings.

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
    """
    if k <= 0:
        raise ValueError(f"k must be > 0, got {k}")
    factors = [1.0] * len(rankings) if weights is None else list(weights)
    if len(factors) != len(rankings):
        raise ValueError(f"{len(rankings)} rankings need as many weights, got {len(factors)}")
    scores: dict[K, float] = {}
    for ranking, factor in zip(rankings, factors, strict=True):
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + factor / (k + rank)
    return scores


def normalised(scores: Mapping[K, float]) -> dict[K, float]:
    """Return scores divided by their maximum, so that the best has 1.

    All 0 when no score is above 0; an empty mapping stays empty.
    """
    top = max(scores.values(), default=0.0)
    if top <= 0:
        return dict.fromkeys(scores, 0.0)
    return {item: score / top for item, score in scores.items()}


def weighted(parts: Iterable[tuple[float, Mapping[K, float]]]) -> dict[K, float]:
    """Return the weighted sum of several scores by item; an item that a part lacks has 0 there.

    Args:
        parts: (weight, scores), scores on comparable scales (see `normalised`).
    """
    total: dict[K, float] = {}
    for weight, scores in parts:
        for item, score in scores.items():
            total[item] = total.get(item, 0.0) + weight * score
    return total


def best_first(scores: Mapping[K, float]) -> list[K]:
    """Return the items by falling score; equal ones by their text, so that order is stable."""
    return sorted(scores, key=lambda item: (-scores[item], str(item)))


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """What BM25 must know of a collection.

    Attributes:
        documents: How many there are.
        average_length: Tokens in one, on average.
        frequencies: By token, how many documents hold it.
    """

    documents: int
    average_length: float
    frequencies: Mapping[str, int]


def corpus_stats(documents: Iterable[Sequence[str]]) -> CorpusStats:
    """Count a collection of analysed documents."""
    frequencies: Counter[str] = Counter()
    count = length = 0
    for tokens in documents:
        frequencies.update(set(tokens))
        count += 1
        length += len(tokens)
    return CorpusStats(count, length / count if count else 0.0, frequencies)


def bm25(
    query: Iterable[str],
    document: Sequence[str],
    stats: CorpusStats,
    *,
    k1: float = _BM25_K1,
    b: float = _BM25_B,
) -> float:
    """Return how well an analysed document fits an analysed query.

    Args:
        query: Tokens asked for; a token counts once.
        document: Tokens of the document.
        stats: Of the collection whose frequencies count: one scope, not the whole store.
        k1: How fast repeated words saturate, >= 0.
        b: How much long documents are held back, 0..1.

    Returns:
        A score >= 0; 0 without a common token. The inverse document frequency is Lucene's,
        ln(1 + (N - n + .5) / (n + .5)), which is never negative.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
    """
    rarities = {
        token: rarity(stats.documents, stats.frequencies.get(token, 0))
        for token in dict.fromkeys(query)
    }
    length = len(document) / stats.average_length if stats.average_length else 1.0
    return bm25_counted(rarities, Counter(document), length, k1=k1, b=b)


def rarity(documents: int, held: int) -> float:
    """Return Lucene's inverse document frequency, ln(1 + (N - n + .5) / (n + .5)), >= 0.

    Args:
        documents: N, how many documents there are.
        held: n, how many of them hold the token.
    """
    return math.log(1 + (max(0, documents - held) + 0.5) / (held + 0.5))


def bm25_counted(
    rarities: Mapping[str, float],
    counts: Mapping[str, int],
    relative_length: float,
    *,
    k1: float = _BM25_K1,
    b: float = _BM25_B,
) -> float:
    """Return the BM25 score of a document whose words are counted already.

    Args:
        rarities: The tokens asked for with their `rarity`.
        counts: How often the document holds each token.
        relative_length: Its length over the average length.
        k1: As in `bm25`.
        b: As in `bm25`.
    """
    saturation = k1 * (1 - b + b * relative_length)
    score = 0.0
    for token, weight in rarities.items():
        count = counts.get(token, 0)
        if count:
            score += weight * count * (k1 + 1) / (count + saturation)
    return score
