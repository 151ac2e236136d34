"""Pure scoring: what the legs, the conversation and the walk say becomes one order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.recall.lexical import (
    Words,
    coverage,
    fact_coverage,
    fact_scores,
    read_words,
    session_scores,
)
from graphmem.recall.linking import linked_tags, linked_terms
from graphmem.recall.question import Question
from graphmem.recall.request import RecallOptions, Weights
from graphmem.recall.seeds import Scale, Seeds, TurnSeed
from graphmem.recall.walk import Place, Reached, WalkSeeds
from graphmem.recall.when import nearness
from graphmem.scoring import best_first, normalised, rrf, value_factor

__all__ = ["Nominees", "Ranked", "nominate", "rank", "walk_seeds"]

# How much the turns around a turn lend it, by their distance (LoCoMo): what was said before
# explains it more than what follows.
_NEIGHBOURS = {-2: 0.4, -1: 1.0, 1: 0.7, 2: 0.3}
# A cosine four deviations above the mean counts as much as the best text score.
_DEVIATIONS = 4.0
# Fewer turns than these have no spread worth the name.
_LEAST_SAMPLE = 8
# Mean and deviation of unrelated turns under a MiniLM-class model, until a scope has its own.
_USUAL_MEAN, _USUAL_DEVIATION = 0.12, 0.12
# A turn of e times the usual length, or of an e-th of it, says all that its length can say; past
# so many characters more of them say nothing: each passage of a book is long enough (MuSiQue).
_MOST_LENGTH = 1.0
_LONG = 300.0
# Where this share of the start lies on both ends of facts, the graph counts in full; in chats,
# where nothing leads on, so little (LoCoMo).
_FULL_LINKAGE = 0.5
_UNLINKED = 0.05
# Where one turn alone holds the whole question nothing has to be led to; with a third of it left
# open the graph counts in full (MuSiQue: half of it is, in the middle of 61 questions).
_OPEN = 3.0
# What the words of a fact count beside its vector where facts are chosen to begin at (MuSiQue).
_FACT_TEXT = 0.7


@dataclass(frozen=True, slots=True)
class Nominees:
    """The candidates before the walk, by turn id.

    Attributes:
        words: What the turns hold of the question.
        vector: (cosine - mean) / (4 * standard deviation).
        cosine: Raw cosine.
        facts: Of the best fact that the turn states: BM25 over the best fact's, and its cosine
            on the scale of `vector`.
        scores: What they are ordered by so far.
        fact_text: BM25 of facts over the best one's.
        fact_coverage: The largest share of the question that one fact holds, which a turn that
            may answer states.
        fact_ranks: Fact ids by text and by vector, best first.
        fact_scores: Reciprocal rank fusion of the two.
        scale: What scores are measured against.
        speaker: Key of the one speaker whom the question names, or "".
    """

    words: Words
    vector: Mapping[str, float]
    cosine: Mapping[str, float]
    facts: Mapping[str, float]
    scores: Mapping[str, float]
    fact_ranks: tuple[tuple[str, ...], tuple[str, ...]]
    fact_scores: Mapping[str, float]
    scale: Scale
    speaker: str
    fact_text: Mapping[str, float] = field(default_factory=dict)
    fact_coverage: float = 0.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A turn with its place in the order: `score` is the sum of `parts` times `value`."""

    id: str
    at_ms: int
    score: float
    parts: Mapping[str, float]
    cosine: float | None
    value: float = 1.0


def nominate(seeds: Seeds, question: Question, options: RecallOptions) -> Nominees:
    """Score what the two legs nominated, with the word frequencies of the scope itself."""
    words = read_words(seeds, question, options.field_weights)
    text_found = {turn.id: turn for turn in seeds.text_turns}
    cosine = {
        turn.id: turn.cosine
        for turn in seeds.vector_turns
        if turn.cosine is not None
        and (turn.id in text_found or turn.cosine >= options.semantic_threshold)
    }
    turns = {**{t.id: t for t in seeds.vector_turns if t.id in cosine}, **text_found}
    fact_text = fact_scores(seeds.text_facts, words.rarities)
    facts, fact_ranks = _score_facts(seeds, fact_text)
    nominees = Nominees(
        words=words,
        vector=_on_scale(cosine, seeds.scale),
        cosine=cosine,
        facts=facts,
        scores={},
        fact_text=fact_text,
        fact_coverage=fact_coverage(
            (fact for fact in seeds.text_facts if fact.turn_ids), words.rarities
        ),
        fact_ranks=fact_ranks,
        fact_scores=rrf(fact_ranks),
        scale=seeds.scale,
        speaker=_named_speaker(turns.values(), question),
    )
    parts = _own_parts(
        nominees,
        turns.values(),
        question,
        options.weights,
        vector=nominees.vector,
        session_turns={},
    )
    scores = {turn_id: options.weights.facts * score for turn_id, score in facts.items()}
    # Until the conversation around a turn is known, it has its own words alone.
    scores |= {
        turn_id: math.fsum(own.values()) + options.weights.coverage * coverage(words, (turn_id,))
        for turn_id, own in parts.items()
    }
    return replace(nominees, scores=scores)


def walk_seeds(
    seeds: Seeds, nominees: Nominees, question: Question, options: RecallOptions
) -> WalkSeeds:
    """Return where the walk begins: few turns and facts, and the Terms that were named."""
    walk = options.walk
    turns = best_first(nominees.scores)[: walk.turn_seeds]
    facts = _best_facts(seeds, nominees, walk.fact_seeds)
    return WalkSeeds(
        turns=_shared({key: max(0.0, nominees.scores[key]) for key in turns}, walk.turn_share),
        terms=_shared(linked_terms(seeds, question), walk.term_share),
        facts=_shared(facts, walk.fact_share),
        tags=_shared(linked_tags(seeds), walk.tag_share),
        ends={key: walk.end_weight * score for key, score in facts.items()},
    )


def _best_facts(seeds: Seeds, nominees: Nominees, count: int) -> dict[str, float]:
    cosine = {fact.id: fact.cosine for fact in seeds.vector_facts if fact.cosine is not None}
    near = normalised(cosine)
    scores = {
        fact_id: max(0.0, near.get(fact_id, 0.0))
        + _FACT_TEXT * nominees.fact_text.get(fact_id, 0.0)
        for fact_id in dict.fromkeys([*near, *nominees.fact_text])
    }
    return {fact_id: scores[fact_id] for fact_id in best_first(scores)[:count] if scores[fact_id]}


def rank(
    nominees: Nominees, reached: Reached, question: Question, options: RecallOptions
) -> list[Ranked]:
    """Return the eligible turns, best first; equal scores by the newer one, then by id."""
    cosine = dict(nominees.cosine)
    measured = {place.id: place.cosine for place in reached.places if place.cosine is not None}
    cosine.update(measured)
    if options.mode == "rrf":
        parts = _reciprocal_parts(nominees, reached, options.weights)
    else:
        vector = {**_on_scale(measured, nominees.scale), **nominees.vector}
        parts = _weighted_parts(nominees, reached, question, options.weights, vector)
    ranked = []
    for place in reached.places:
        if not place.is_eligible or place.id not in parts:
            continue
        kept = {name: part for name, part in parts[place.id].items() if part}
        relevance = math.fsum(kept.values())
        factor = _value_factor(place, relevance, options)
        ranked.append(
            Ranked(place.id, place.at_ms, relevance * factor, kept, cosine.get(place.id), factor)
        )
    ranked.sort(key=lambda turn: (-turn.score, -turn.at_ms, turn.id))
    return ranked


def _value_factor(place: Place, relevance: float, options: RecallOptions) -> float:
    if not options.value_weight or place.usage is None:
        return 1.0
    factor = value_factor(place.usage, options.curves.episodic, options.value_weight)
    # Less value must make a turn that speaks against itself worse, too.
    return factor if relevance >= 0 else 2 - factor


def _own_parts(
    nominees: Nominees,
    turns: Iterable[TurnSeed | Place],
    question: Question,
    weights: Weights,
    *,
    vector: Mapping[str, float],
    session_turns: Mapping[str, int],
) -> dict[str, dict[str, float]]:
    """Return what can be said of each turn without those around it."""
    session = session_scores(nominees.words, nominees.scale, session_turns)
    text, facts, speaker = nominees.words.turns, nominees.facts, nominees.speaker
    average, spans = nominees.scale.average_length, question.spans
    return {
        turn.id: {
            "text": weights.text * text.get(turn.id, 0.0),
            "vector": weights.vector * vector.get(turn.id, 0.0),
            "session": weights.session * session.get(turn.session_id, 0.0),
            "speaker": weights.speaker * (speaker in turn.speakers),
            "time": weights.time * nearness(turn.at_ms, spans) if spans else 0.0,
            "length": weights.length * _length(turn.length, average),
            "facts": weights.facts * facts.get(turn.id, 0.0),
        }
        for turn in turns
    }


def _weighted_parts(
    nominees: Nominees,
    reached: Reached,
    question: Question,
    weights: Weights,
    vector: Mapping[str, float],
) -> dict[str, dict[str, float]]:
    parts = _own_parts(
        nominees,
        reached.places,
        question,
        weights,
        vector=vector,
        session_turns=reached.session_turns,
    )
    mass = normalised(reached.masses)
    linked = min(1.0, reached.linkage / _FULL_LINKAGE) * _open_share(nominees.words)
    graph = weights.graph * max(_UNLINKED, linked)
    around = _around(reached.places)
    asks = {place.id for place in reached.places if place.asks}
    lent = {turn_id: own["text"] + own["vector"] for turn_id, own in parts.items()}
    for place in reached.places:
        near = around[place.id]
        own = parts[place.id]
        own["neighbours"] = weights.neighbours * sum(
            [_NEIGHBOURS[distance] * lent[turn_id] for distance, turn_id in near.items()]
        )
        own["reply"] = weights.reply * ((near.get(-1) in asks) - (place.id in asks))
        own["coverage"] = weights.coverage * coverage(nominees.words, (place.id, *near.values()))
        own["graph"] = graph * math.cbrt(mass.get(place.id, 0.0))
        # The walk began at the facts: what they say is in its mass.
        own["facts"] *= 1 - linked
    return parts


def _open_share(words: Words) -> float:
    """Return how much of the question no single turn holds, 0..1; a third of it is all."""
    held = max((coverage(words, (turn_id,)) for turn_id in words.counts), default=0.0)
    return min(1.0, _OPEN * (1 - held))


def _reciprocal_parts(
    nominees: Nominees, reached: Reached, weights: Weights
) -> dict[str, dict[str, float]]:
    # Ranks have no weights: a list takes part or, at weight 0, does not.
    lists: dict[str, tuple[float, Mapping[str, float]]] = {
        "text": (weights.text, nominees.words.turns),
        "vector": (weights.vector, nominees.cosine),
        "facts": (weights.facts, nominees.facts),
        "graph": (weights.graph, reached.masses),
    }
    parts: dict[str, dict[str, float]] = {}
    for name, (weight, scores) in lists.items():
        if not weight:
            continue
        for turn_id, value in rrf([best_first(scores)]).items():
            parts.setdefault(turn_id, {})[name] = value
    return parts


def _around(places: Sequence[Place]) -> dict[str, dict[int, str]]:
    """Return the turns up to two before and after each, by their distance."""
    known = {place.id for place in places}
    after = {place.id: place.next_id for place in places if place.next_id in known}
    before = {next_id: turn_id for turn_id, next_id in after.items()}
    around: dict[str, dict[int, str]] = {}
    for place in places:
        near = around[place.id] = {}
        for sign, links in ((-1, before), (1, after)):
            first = links.get(place.id)
            if first is not None:
                near[sign] = first
                second = links.get(first)
                if second is not None:
                    near[2 * sign] = second
    return around


def _length(length: int, average: float) -> float:
    """Return ln(length / average), within -1..1: a short turn seldom holds an answer."""
    if length <= 0 or average <= 0:
        return 0.0
    relative = math.log(min(length, _LONG) / min(average, _LONG))
    return max(-_MOST_LENGTH, min(_MOST_LENGTH, relative))


def _score_facts(
    seeds: Seeds, by_text: Mapping[str, float]
) -> tuple[dict[str, float], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the score that facts lend the turns that state them, and the facts' two orders."""
    cosine = {fact.id: fact.cosine for fact in seeds.vector_facts if fact.cosine is not None}
    by_vector = _on_scale(cosine, seeds.scale)
    lent: dict[str, float] = {}
    for fact in (*seeds.text_facts, *seeds.vector_facts):
        score = by_text.get(fact.id, 0.0) + max(0.0, by_vector.get(fact.id, 0.0))
        for turn_id in fact.turn_ids:
            lent[turn_id] = max(lent.get(turn_id, 0.0), score)
    return lent, (tuple(best_first(by_text)), tuple(best_first(cosine)))


def _named_speaker(turns: Iterable[TurnSeed], question: Question) -> str:
    keys = set(question.keys)
    named = {key for turn in turns for key in turn.speakers if key in keys}
    return named.pop() if len(named) == 1 else ""


def _on_scale(cosine: Mapping[str, float], scale: Scale) -> dict[str, float]:
    mean, deviation = _USUAL_MEAN, _USUAL_DEVIATION
    if scale.sample >= _LEAST_SAMPLE:
        mean, deviation = scale.mean, scale.spread
    return {key: (value - mean) / (_DEVIATIONS * deviation) for key, value in cosine.items()}


def _shared(weights: Mapping[str, float], share: float) -> dict[str, float]:
    total = math.fsum(weights.values())
    if total <= 0:
        return {}
    return {key: share * weight / total for key, weight in weights.items() if weight > 0}
