"""Whether an answer can be relied on: how near its best turns are, and what they hold of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.models import Calibration, Hit
from graphmem.recall.fuse import Nominees
from graphmem.recall.lexical import coverage

__all__ = ["Confidence", "judge"]

# More turns than a default answer holds would make any question look answered.
_JUDGED = 6
# Measured on two LoCoMo conversations of 302 questions, asked in their own and in each other's
# scope (docs/recall.md): 3 % of the own are doubted, 94 % of the foreign are.
_COVERAGE_WEIGHT = 0.4
# Four words of five, counted by rarity, need no vector to agree.
_ENOUGH_COVERAGE = 0.8
# Without a calibration there is only this: words, or a cosine that stands out in its scope. Of
# the foreign questions 36 % are doubted.
_LEAST_COVERAGE = 0.2
_DEVIATIONS = 4.0


@dataclass(frozen=True, slots=True)
class Confidence:
    """Whether a turn of an answer is reliable, and else what the best one had.

    Attributes:
        best_rejected: Raw cosine, or coverage where no vector was compared; None where a turn
            is reliable, or there is none at all.
    """

    is_confident: bool
    best_rejected: float | None = None


def judge(hits: Sequence[Hit], nominees: Nominees, calibration: Calibration | None) -> Confidence:
    """Return whether the best turns of an answer can be relied on.

    A turn is reliable when the share of the question's words that it holds, by rarity, is .8,
    or when it is near enough for the words it holds: its cosine lies, with .4 of that share, a
    quarter of the way from different turns to the same turn (`Calibration`).

    Args:
        hits: Best first.
        nominees: What they were ordered by.
        calibration: Of the embedder whose vectors are compared; None = there is none.
    """
    judged = hits[:_JUDGED]
    covered = {hit.turn.id: coverage(nominees.words, (hit.turn.id,)) for hit in judged}
    if any(_is_reliable(hit, covered[hit.turn.id], nominees, calibration) for hit in judged):
        return Confidence(is_confident=True)
    cosines = [hit.cosine for hit in judged if hit.cosine is not None]
    best = max(cosines, default=None)
    return Confidence(
        is_confident=False,
        best_rejected=max(covered.values(), default=None) if best is None else best,
    )


def _is_reliable(
    hit: Hit, covered: float, nominees: Nominees, calibration: Calibration | None
) -> bool:
    if covered >= _ENOUGH_COVERAGE:
        return True
    if hit.cosine is None or calibration is None:
        stands_out = 0.0
        if hit.cosine is not None and nominees.scale.sample:
            deviation = max(nominees.scale.deviation, 0.05)
            stands_out = (hit.cosine - nominees.scale.mean) / deviation
        return covered >= _LEAST_COVERAGE or stands_out >= _DEVIATIONS
    lent = _COVERAGE_WEIGHT * covered * (calibration.same_median - calibration.different_median)
    return hit.cosine + lent >= calibration.threshold
