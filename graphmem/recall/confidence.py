"""Whether a memory holds an answer: how near the nearest turn is, and which words are there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from graphmem.models import Calibration
from graphmem.recall.fuse import Nominees
from graphmem.recall.lexical import coverage

__all__ = ["Confidence", "judge"]

# Measured on LoCoMo, questions to two conversations asked in their own and in each other's scope
# (docs/recall.md): 3 % of the own are doubted, 96 % of the foreign are.
_COVERAGE_WEIGHT = 0.2
# Four words of five, counted by rarity, need no vector to agree.
_ENOUGH_COVERAGE = 0.8
# Without a calibration there is only this: words, or a cosine that stands out in its scope.
_LEAST_COVERAGE = 0.25
_DEVIATIONS = 4.0


@dataclass(frozen=True, slots=True)
class Confidence:
    """Whether something that was nominated is reliable, and else what the best of it had.

    Attributes:
        best_rejected: Raw cosine, or coverage where no vector was compared; None where
            something is reliable, or nothing was nominated.
    """

    is_confident: bool
    best_rejected: float | None = None


def judge(
    nominees: Nominees, visible: Collection[str], calibration: Calibration | None
) -> Confidence:
    """Return whether the nominated turns can be relied on.

    All of them are looked at, not only those of the answer: its order knows the conversation
    around a turn, which lifts the right one and its neighbours, whatever they say themselves.

    Args:
        nominees: Turns that the filters let in.
        visible: Ids of turns that are not to answer.
        calibration: Of the embedder whose vectors were compared; None = there is none.
    """
    cosines = [cosine for turn, cosine in nominees.cosine.items() if turn not in visible]
    covered = [
        coverage(nominees.words, (turn,)) for turn in nominees.words.counts if turn not in visible
    ]
    cosine = max(cosines, default=None)
    # What a fact holds is an answer as well: it says in full what its turns only imply.
    coverage_of_best = max([*covered, nominees.fact_coverage])
    if _is_reliable(cosine, coverage_of_best, nominees, calibration):
        return Confidence(is_confident=True)
    if cosine is None:
        return Confidence(is_confident=False, best_rejected=max(covered, default=None))
    return Confidence(is_confident=False, best_rejected=cosine)


def _is_reliable(
    cosine: float | None, covered: float, nominees: Nominees, calibration: Calibration | None
) -> bool:
    if covered >= _ENOUGH_COVERAGE:
        return True
    if cosine is None or calibration is None:
        return covered >= _LEAST_COVERAGE or _stands_out(cosine, nominees)
    spread = calibration.same_median - calibration.different_median
    return cosine + _COVERAGE_WEIGHT * covered * spread >= calibration.threshold


def _stands_out(cosine: float | None, nominees: Nominees) -> bool:
    scale = nominees.scale
    if cosine is None or not scale.sample:
        return False
    return (cosine - scale.mean) / scale.spread >= _DEVIATIONS
