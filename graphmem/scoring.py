"""Pure functions that turn ranks and word counts into scores; shared by the stages.

Nothing here knows where a list came from: identifiers go in, numbers come out.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

__all__ = [
    "FACT_VALUE",
    "TURN_VALUE",
    "Usage",
    "ValueCurve",
    "best_first",
    "bm25_counted",
    "centred_reward",
    "frequency",
    "highest_value",
    "normalised",
    "rarity",
    "recency",
    "rrf",
    "value",
    "value_factor",
]

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
    rarities: Mapping[str, float], counts: Mapping[str, float], relative_length: float
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


@dataclass(frozen=True, slots=True)
class ValueCurve:
    """How the value of one type of node falls and rises.

    Attributes:
        rate_per_h: Decay of recency an hour, >= 0.
        half_uses: Uses at which frequency is one half, > 0.
        floor: Frequency of what was never used, 0..1.
        slope: How much a reward tells, >= 0.

    Raises:
        ValueError: A knob is out of range.
    """

    rate_per_h: float = 0.01
    half_uses: float = 5.0
    floor: float = 0.3
    slope: float = 1.0

    def __post_init__(self) -> None:
        in_range = self.rate_per_h >= 0 and self.half_uses > 0 and self.slope >= 0
        if not (in_range and 0 <= self.floor <= 1):
            raise ValueError(f"a knob of {self} is out of range")


# Mnemosyne's own numbers, which it has for every type. What one type needs of its own is set here.
TURN_VALUE = ValueCurve()
FACT_VALUE = ValueCurve()


@dataclass(frozen=True, slots=True)
class Usage:
    """What became of a node: how often and when it was recalled, and how it was rated.

    Attributes:
        uses: Times recalled, >= 0.
        idle_h: Hours since it was last recalled, or was made; below 0 counts as 0.
        reward_sum: Sum of its rewards, each 0..1.
        reward_count: How many.
    """

    uses: int
    idle_h: float
    reward_sum: float = 0.0
    reward_count: int = 0


def recency(idle_h: float, curve: ValueCurve) -> float:
    """Return exp(-rate * hours), in [0, 1]; a last use that lies ahead counts as now."""
    return math.exp(-curve.rate_per_h * max(0.0, idle_h))


def frequency(uses: int, curve: ValueCurve) -> float:
    """Return max(floor, uses / (uses + half_uses)), in [floor, 1)."""
    used = max(0, uses)
    return max(curve.floor, used / (used + curve.half_uses))


def centred_reward(reward_sum: float, reward_count: int, curve: ValueCurve) -> float:
    """Return 2 / (1 + exp(-slope * (mean - 1/2))): 1 for what was not rated, or rated one half.

    Centred, since a reward lies in 0..1 and a plain sigmoid of it in .5 .. .73: any praise would
    put a node below those that nobody rated.
    """
    if reward_count <= 0:
        return 1.0
    mean = min(1.0, max(0.0, reward_sum / reward_count))
    return 2 / (1 + math.exp(-curve.slope * (mean - 0.5)))


def value(usage: Usage, curve: ValueCurve) -> float:
    """Return what usage says of a node: recency * frequency * centred reward.

    Returns:
        A number in [0, `highest_value`].

    Source: Mnemosyne, "Decay Scoring"; the reward centred.
    """
    return (
        recency(usage.idle_h, curve)
        * frequency(usage.uses, curve)
        * centred_reward(usage.reward_sum, usage.reward_count, curve)
    )


def highest_value(curve: ValueCurve) -> float:
    """Return the value that no node exceeds: used now, always, and praised by everybody."""
    return centred_reward(1.0, 1, curve)


def value_factor(usage: Usage, curve: ValueCurve, weight: float) -> float:
    """Return what a relevance >= 0 is multiplied by, in [1 - weight, 1].

    Args:
        usage: Of the node.
        curve: Of its type.
        weight: How much value may take away, 0 (nothing) to 1.
    """
    return 1 - weight + weight * value(usage, curve) / highest_value(curve)
