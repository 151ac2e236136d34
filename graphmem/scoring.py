"""Pure functions that turn ranks and word counts into scores; shared by the stages.

Nothing here knows where a list came from: identifiers go in, numbers come out.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from graphmem.weights import VALUE_KNOBS

__all__ = [
    "FACT_VALUE",
    "PROCEDURE_VALUE",
    "TURN_VALUE",
    "Usage",
    "ValueCurve",
    "ValueCurves",
    "best_first",
    "bm25_counted",
    "centred_reward",
    "falls_in_h",
    "frequency",
    "highest_value",
    "normalised",
    "plain_reward",
    "rarity",
    "recency",
    "reward",
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
        is_centred: Whether a reward of one half counts as none does, so that praise lifts; else
            it is Mnemosyne's letter, where any rating puts a node below one that nobody rated.

    Raises:
        ValueError: A knob is out of range.
    """

    rate_per_h: float = VALUE_KNOBS["rate_per_h"]
    half_uses: float = VALUE_KNOBS["half_uses"]
    floor: float = VALUE_KNOBS["floor"]
    slope: float = VALUE_KNOBS["slope"]
    is_centred: bool = True

    def __post_init__(self) -> None:
        in_range = self.rate_per_h >= 0 and self.half_uses > 0 and self.slope >= 0
        if not (in_range and 0 <= self.floor <= 1):
            raise ValueError(f"a knob of {self} is out of range")


# Mnemosyne's own numbers, which it has for every type; the setting `value_curves` changes them.
TURN_VALUE = ValueCurve()
FACT_VALUE = ValueCurve()
PROCEDURE_VALUE = ValueCurve()


@dataclass(frozen=True, slots=True)
class ValueCurves:
    """The curve of each type of node, by Mnemosyne's words for them.

    Attributes:
        semantic: Of facts.
        procedural: Of procedures.
        episodic: Of turns.
    """

    semantic: ValueCurve = FACT_VALUE
    procedural: ValueCurve = PROCEDURE_VALUE
    episodic: ValueCurve = TURN_VALUE

    @classmethod
    def of(
        cls, knobs: Mapping[str, Mapping[str, float]], *, is_centred: bool = True
    ) -> ValueCurves:
        """Return curves by the knobs of `weights.value_curves`."""
        return cls(
            **{name: ValueCurve(**curve, is_centred=is_centred) for name, curve in knobs.items()}
        )


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
    return 2 / (1 + math.exp(-curve.slope * (_mean(reward_sum, reward_count) - 0.5)))


def plain_reward(reward_sum: float, reward_count: int, curve: ValueCurve) -> float:
    """Return 1 / (1 + exp(-slope * mean)), and 1 for what was not rated.

    Source: Mnemosyne, "Decay Scoring".
    """
    if reward_count <= 0:
        return 1.0
    return 1 / (1 + math.exp(-curve.slope * _mean(reward_sum, reward_count)))


def reward(reward_sum: float, reward_count: int, curve: ValueCurve) -> float:
    """Return what rewards say of a node, centred or plain, as its curve has it."""
    factor = centred_reward if curve.is_centred else plain_reward
    return factor(reward_sum, reward_count, curve)


def value(usage: Usage, curve: ValueCurve) -> float:
    """Return what usage says of a node: recency * frequency * reward.

    Returns:
        A number in [0, `highest_value`].

    Source: Mnemosyne, "Decay Scoring". Runs in cypher/maintain/score_value.cypher; this is the
    oracle that tests/integration/maintain/test_decay.py holds it to.
    """
    return (
        recency(usage.idle_h, curve)
        * frequency(usage.uses, curve)
        * reward(usage.reward_sum, usage.reward_count, curve)
    )


def highest_value(curve: ValueCurve) -> float:
    """Return the value that no node exceeds: used now, always, and praised by everybody."""
    # By the plain factor nothing is worth more than what nobody rated.
    return centred_reward(1.0, 1, curve) if curve.is_centred else 1.0


def falls_in_h(score: float, threshold: float, curve: ValueCurve) -> float | None:
    """Return in how many hours a value falls to a threshold while nobody uses its node.

    Args:
        score: Its `value` now, with a last use that does not lie ahead.
        threshold: Below which it goes.
        curve: Of its type.

    Returns:
        Hours from now, 0 where it is below by now; None = never.
    """
    if score < threshold:
        return 0.0
    if threshold <= 0 or curve.rate_per_h == 0:
        return None
    return math.log(score / threshold) / curve.rate_per_h


def _mean(reward_sum: float, reward_count: int) -> float:
    return min(1.0, max(0.0, reward_sum / reward_count))


def value_factor(usage: Usage, curve: ValueCurve, weight: float) -> float:
    """Return what a relevance >= 0 is multiplied by, in [1 - weight, 1].

    Args:
        usage: Of the node.
        curve: Of its type.
        weight: How much value may take away, 0 (nothing) to 1.
    """
    return 1 - weight + weight * value(usage, curve) / highest_value(curve)
