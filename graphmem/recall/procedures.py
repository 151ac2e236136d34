"""Procedures for a question: those whose Intent it means, or whose words it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphmem.models import Procedure, ProcedureHit
from graphmem.recall.rows import procedure_of
from graphmem.scoring import Usage, value_factor
from graphmem.text import analyse

if TYPE_CHECKING:
    from graphmem.models import Calibration
    from graphmem.recall.question import Question
    from graphmem.recall.request import RecallOptions
    from graphmem.recall.seeds import Seeds

__all__ = ["Relevance", "intent_threshold", "procedure_hits", "relevant_procedures"]

# Raw cosine of a question to an Intent, measured with MiniLM (docs/procedures.md): it finds each
# that is asked for by its name and half of those by other words, and for none of 600 questions
# about something else one of 60.
_MINILM_THRESHOLD = 0.45
# Between what different turns (0) and parts of the same turn (1) have under an embedder, where
# that was measured: with MiniLM, .43 and .84, it comes to .45.
_NEAR = 0.05
# By words alone: most of the Intent's, or most of the question's.
_SHARE_OF_INTENT = 2 / 3
_SHARE_OF_QUESTION = 0.6
_FEWEST_WORDS = 2
# What is less near than so much of the best one rides along with it: "how do I …" is like any
# other "how do I …".
_SHARE_OF_BEST = 0.6
# Scores that differ by less are the same; then the higher priority comes first.
_SAME_SCORE = 2


@dataclass(frozen=True, slots=True)
class Relevance:
    """How near a procedure is to a question.

    Attributes:
        score: In (0, 1]: the cosine of its Intent, or a share of words.
        cosine: Of its Intent; None where it was not compared.
    """

    score: float
    cosine: float | None = None


def intent_threshold(*, is_known: bool, calibration: Calibration | None) -> float | None:
    """Return the raw cosine from which a question means an Intent; None = nobody knows it.

    Args:
        is_known: Whether the embedder is of a kind whose cosines are known.
        calibration: What they mean, where that was measured.
    """
    if calibration is not None:
        spread = calibration.same_median - calibration.different_median
        return calibration.different_median + _NEAR * spread
    return _MINILM_THRESHOLD if is_known else None


def relevant_procedures(
    seeds: Seeds, question: Question, options: RecallOptions
) -> dict[str, Relevance]:
    """Return the procedures that serve a question, by id, the most relevant first.

    Usage has no say in it: value orders, it never gates.
    """
    cosines = dict(seeds.near_procedures)
    threshold = options.intent_threshold
    found = {
        key: Relevance(min(1.0, cosine), cosine)
        for key, cosine in cosines.items()
        if threshold is not None and cosine >= threshold and cosine > 0
    }
    for seed in seeds.text_procedures:
        share = _share(seed.intent, seed.tokens, question, options.language)
        if share and (seed.id not in found or share > found[seed.id].score):
            found[seed.id] = Relevance(share, cosines.get(seed.id))
    least = _SHARE_OF_BEST * max((one.score for one in found.values()), default=0.0)
    kept = [key for key in found if found[key].score >= least]
    return {key: found[key] for key in sorted(kept, key=lambda key: (-found[key].score, key))}


def procedure_hits(
    entries: Sequence[Mapping[str, Any]],
    relevant: Mapping[str, Relevance],
    options: RecallOptions,
) -> tuple[ProcedureHit, ...]:
    """Return the best procedures of an answer: relevance times value, best first.

    Args:
        entries: Of recall/get_evidence.
        relevant: How relevant each is, by id.
        options: How many, and what usage counts.
    """
    hits = []
    for entry in entries:
        procedure = procedure_of(entry)
        found, value = relevant[procedure.id], _value(procedure, options)
        hits.append(
            ProcedureHit(
                procedure=procedure, score=found.score * value, cosine=found.cosine, value=value
            )
        )
    return tuple(sorted(hits, key=_order)[: options.max_procedures])


def _order(hit: ProcedureHit) -> tuple[float, int, float, str]:
    priority = -hit.procedure.priority
    return (-round(hit.score, _SAME_SCORE), priority, -hit.score, hit.procedure.id)


def _share(intent: str, tokens: frozenset[str], question: Question, language: str) -> float:
    """Return the share of words that they have in common; 0 where that says too little."""
    asked = set(question.tokens)
    named = set(analyse(intent, language))
    of_intent = len(asked & named) / len(named) if named else 0.0
    held = asked & tokens
    of_question = len(held) / len(asked) if len(held) >= _FEWEST_WORDS else 0.0
    return max(
        of_intent if of_intent >= _SHARE_OF_INTENT else 0.0,
        of_question if of_question >= _SHARE_OF_QUESTION else 0.0,
    )


def _value(procedure: Procedure, options: RecallOptions) -> float:
    used = procedure.last_accessed_at or procedure.recorded_at
    if used is None or not options.value_weight:
        return 1.0
    usage = Usage(
        procedure.recall_count,
        (options.now - used).total_seconds() / 3600,
        procedure.reward_sum,
        procedure.reward_count,
    )
    return value_factor(usage, options.curves.procedural, options.value_weight)
