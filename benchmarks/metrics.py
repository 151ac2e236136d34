"""What a ranking is worth: pure functions over ids, and percentiles of times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = [
    "Interval",
    "Judged",
    "fraction_at",
    "is_all_at",
    "judge",
    "judge_sessions",
    "mean_scores",
    "paired_interval",
    "percentile",
    "sessions_of",
]

# The depths that are reported.
_DEPTHS = (5, 10, 20)
_ALL_DEPTH = 10
_SESSION_DEPTH = 5
# Where whole sessions are ranked.
_SESSION_DEPTHS = (1, 2, 5, 10)
# Resamples of a bootstrap: its ends are steady to about a tenth of the interval.
_ROUNDS = 4000
_TAIL = 2.5


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of one question, each in [0, 1], under the names that reports use."""

    category: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference with the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def fraction_at(ranked: Sequence[str], gold: Iterable[str], depth: int) -> float:
    """Return the share of `gold` that stands among the first `depth` of `ranked`."""
    wanted = set(gold)
    return len(wanted & set(ranked[:depth])) / len(wanted)


def is_all_at(ranked: Sequence[str], gold: Iterable[str], depth: int) -> bool:
    """Return whether all of `gold` stands among the first `depth` of `ranked`."""
    return set(gold) <= set(ranked[:depth])


def sessions_of(ranked: Sequence[str], session: Mapping[str, str]) -> list[str]:
    """Return the sessions in the order of their first turn in `ranked`."""
    return list(dict.fromkeys(session[turn] for turn in ranked))


def judge(
    ranked: Sequence[str], gold: Sequence[str], session: Mapping[str, str], category: str
) -> Judged:
    """Score one ranking.

    Args:
        ranked: Ids of turns, best first.
        gold: Ids of the turns that hold the evidence; at least one.
        session: The session of each turn.
        category: Of the question.

    Returns:
        frac@5/10/20: share of the evidence in the top k; all@10: whether all of it is there;
        session_any@5 and session_all@5: whether one, or each, of its sessions is among the
        first five sessions.
    """
    sessions = sessions_of(ranked, session)[:_SESSION_DEPTH]
    wanted = {session[turn] for turn in gold}
    scores = {f"frac@{depth}": fraction_at(ranked, gold, depth) for depth in _DEPTHS}
    scores[f"all@{_ALL_DEPTH}"] = float(is_all_at(ranked, gold, _ALL_DEPTH))
    scores[f"session_any@{_SESSION_DEPTH}"] = float(bool(wanted & set(sessions)))
    scores[f"session_all@{_SESSION_DEPTH}"] = float(wanted <= set(sessions))
    return Judged(category, scores)


def judge_sessions(ranked: Sequence[str], gold: Sequence[str], category: str) -> Judged:
    """Score a ranking of sessions: recall@1/2/5/10, and whether all of them are in five or ten."""
    scores = {f"recall@{depth}": fraction_at(ranked, gold, depth) for depth in _SESSION_DEPTHS}
    for depth in (_SESSION_DEPTH, _ALL_DEPTH):
        scores[f"all@{depth}"] = float(is_all_at(ranked, gold, depth))
    return Judged(category, scores)


def paired_interval(ours: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Return the mean of ours - theirs, with its 95 % interval by a paired bootstrap.

    Questions are drawn with replacement, each with both of its scores, by a fixed seed. The
    interval says how far the difference hangs on which questions were asked.

    Raises:
        ValueError: The two do not pair up, or there are none.
    """
    import numpy as np

    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"{len(ours)} scores and {len(theirs)} do not make pairs")
    differences = np.asarray(ours, dtype=float) - np.asarray(theirs, dtype=float)
    draw = np.random.default_rng(0)
    means = [
        float(differences[draw.integers(len(differences), size=len(differences))].mean())
        for _ in range(_ROUNDS)
    ]
    low, high = np.percentile(means, [_TAIL, 100 - _TAIL])
    return Interval(float(differences.mean()), float(low), float(high))


def mean_scores(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the mean of each score over questions, rounded to four places."""
    if not judged:
        return {}
    return {
        name: round(sum(one.scores[name] for one in judged) / len(judged), 4)
        for name in judged[0].scores
    }


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that `percent` of `values` do not exceed (nearest rank).

    Raises:
        ValueError: There are no values.
    """
    if not values:
        raise ValueError("there are no values to take a percentile of")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)]
