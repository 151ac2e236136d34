"""Pure functions that turn ranks and word counts into scores; shared by the stages.

Nothing here knows where a list came from: identifiers go in, numbers come out.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["best_first", "bm25_counted", "normalised", "rarity", "rrf"]

K = TypeVar("K", bound=Hashable)

# Damps the lead of the first ranks; the value of the paper.
_RRF_K = 60.0
# The low end and the middle of the ranges that Robertson and Zaragoza call reasonable:
# k1 between 1.2 and 2, b between one half and four fifths.
_BM25_K1 = 1.2
_BM25_B = 0.75


def rrf(rankings: Sequence[Sequence[K]]) -> dict[K, float]:
    """Return the reciprocal rank fusion of several rankings.

    Args:
        rankings: Items of each list, best first; an item counts once a list, at its best rank.

    Returns:
        Sum of 1 / (60 + rank) by item, ranks from 1; items without a list are missing.

    Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion" (SIGIR 2009).
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (_RRF_K + rank)
    return scores


def normalised(scores: Mapping[K, float]) -> dict[K, float]:
    """Return scores divided by their maximum, so that the best has 1.

    All 0 when no score is above 0; an empty mapping stays empty.
    """
    top = max(scores.values(), default=0.0)
    if top <= 0:
        return dict.fromkeys(scores, 0.0)
    return {item: score / top for item, score in scores.items()}


def best_first(scores: Mapping[K, float]) -> list[K]:
    """Return the items by falling score; equal ones by their text, so that order is stable."""
    return sorted(scores, key=lambda item: (-scores[item], str(item)))


def rarity(documents: int, held: int) -> float:
    """Return Lucene's inverse document frequency, ln(1 + (N - n + .5) / (n + .5)), >= 0.

    Args:
        documents: N, how many documents there are.
        held: n, how many of them hold the token.
    """
    return math.log(1 + (max(0, documents - held) + 0.5) / (held + 0.5))


def bm25_counted(
    rarities: Mapping[str, float], counts: Mapping[str, int], relative_length: float
) -> float:
    """Return the BM25 score of a document whose words are counted.

    Args:
        rarities: The tokens asked for with their `rarity`.
        counts: How often the document holds each token.
        relative_length: Its length over the average length.

    Returns:
        A score >= 0; 0 without a common token.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
    """
    saturation = _BM25_K1 * (1 - _BM25_B + _BM25_B * relative_length)
    score = 0.0
    for token, weight in rarities.items():
        count = counts.get(token, 0)
        if count:
            score += weight * count * (_BM25_K1 + 1) / (count + saturation)
    return score
