"""Pure scoring: what the legs, the conversation and the walk say becomes one order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from graphmem.recall.question import Question
from graphmem.recall.request import RecallOptions, Weights
from graphmem.recall.seeds import Scale, Seeds, TurnSeed
from graphmem.recall.walk import Place, Reached, WalkSeeds
from graphmem.scoring import (
    TURN_VALUE,
    best_first,
    bm25_counted,
    normalised,
    rarity,
    rrf,
    value_factor,
)

__all__ = ["Nominees", "Ranked", "nominate", "rank", "walk_seeds"]

# How much the turns around a turn lend it, by their distance (LoCoMo): what was said before
# explains it more than what follows.
_NEIGHBOURS = ((-2, 0.4), (-1, 1.0), (1, 0.7), (2, 0.3))
# A cosine four deviations above the mean counts as much as the best text score.
_DEVIATIONS = 4.0
# Fewer or more similar turns than these have no spread worth the name.
_LEAST_SAMPLE = 8
_LEAST_DEVIATION = 0.05
# Mean and deviation of unrelated turns under a MiniLM-class model, until a scope has its own.
_USUAL_MEAN, _USUAL_DEVIATION = 0.12, 0.12


@dataclass(frozen=True, slots=True)
class Nominees:
    """The candidates before the walk, by turn id.

    Attributes:
        text: BM25 over the best one's, 0..1.
        vector: (cosine - mean) / (4 * standard deviation).
        cosine: Raw cosine.
        facts: BM25 of the best fact that the turn states, over the best fact's.
        session: Counted words of the question by session, from its nominated turns.
        scores: What they are ordered by so far.
        fact_ranks: Fact ids by text and by vector, best first.
        fact_scores: Reciprocal rank fusion of the two.
        scope: What scores are measured against.
        speaker: Key of the one speaker whom the question names, or "".
    """

    text: Mapping[str, float]
    vector: Mapping[str, float]
    cosine: Mapping[str, float]
    facts: Mapping[str, float]
    session: Mapping[str, Counter[str]]
    scores: Mapping[str, float]
    fact_ranks: tuple[tuple[str, ...], tuple[str, ...]]
    fact_scores: Mapping[str, float]
    scale: Scale
    speaker: str


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
    weights = options.weights
    rarities = _rarities(seeds, question)
    text_found = {turn.id: turn for turn in seeds.text_turns}
    cosine = {
        turn.id: turn.cosine
        for turn in seeds.vector_turns
        if turn.cosine is not None
        and (turn.id in text_found or turn.cosine >= options.semantic_threshold)
    }
    counts = {turn.id: _counted(turn.tokens or (), rarities) for turn in seeds.text_turns}
    text = normalised(_text_scores(seeds, counts, rarities))
    turns = {**{t.id: t for t in seeds.vector_turns if t.id in cosine}, **text_found}
    speaker = _named_speaker(turns.values(), question)
    vector = _on_scale(cosine, seeds.scale)
    facts, fact_ranks = _score_facts(seeds, rarities)
    by_session: dict[str, Counter[str]] = {}
    for turn in seeds.text_turns:
        by_session.setdefault(turn.session_id, Counter()).update(counts[turn.id])
    session = _session_scores(by_session, rarities, seeds.scale, {})
    scores = {}
    for turn_id in dict.fromkeys([*turns, *facts]):
        score = weights.text * text.get(turn_id, 0.0)
        score += weights.vector * vector.get(turn_id, 0.0)
        score += weights.facts * facts.get(turn_id, 0.0)
        found = turns.get(turn_id)
        if found is not None:
            score += weights.session * session.get(found.session_id, 0.0)
            score += weights.speaker * (speaker in found.speakers)
        scores[turn_id] = score
    return Nominees(
        text=text,
        vector=vector,
        cosine=cosine,
        facts=facts,
        session=by_session,
        scores=scores,
        fact_ranks=fact_ranks,
        fact_scores=rrf(fact_ranks),
        scale=seeds.scale,
        speaker=speaker,
    )


def walk_seeds(seeds: Seeds, nominees: Nominees, options: RecallOptions) -> WalkSeeds:
    """Return where the walk begins: few turns and facts, and the Terms that were named."""
    walk = options.walk
    turns = best_first(nominees.scores)[: walk.turn_seeds]
    facts = best_first(nominees.fact_scores)[: walk.fact_seeds]
    # A Term that every other turn mentions tells as little as a frequent word does.
    terms = {term.id: rarity(seeds.scale.turns, term.links) for term in seeds.terms}
    return WalkSeeds(
        turns=_shared({key: max(0.0, nominees.scores[key]) for key in turns}, walk.turn_share),
        terms=_shared(terms, walk.term_share),
        facts=_shared({key: nominees.fact_scores[key] for key in facts}, walk.fact_share),
    )


def rank(
    nominees: Nominees, reached: Reached, question: Question, options: RecallOptions
) -> list[Ranked]:
    """Return the eligible turns, best first; equal scores by the newer one, then by id."""
    cosine = dict(nominees.cosine)
    measured = {place.id: place.cosine for place in reached.places if place.cosine is not None}
    cosine.update(measured)
    vector = {**_on_scale(measured, nominees.scale), **nominees.vector}
    if options.mode == "rrf":
        parts = _reciprocal_parts(nominees, reached, cosine, options.weights)
    else:
        parts = _weighted_parts(nominees, reached, question, options.weights, vector)
    ranked = []
    for place in reached.places:
        if not place.is_eligible or place.id not in parts:
            continue
        kept = {name: part for name, part in parts[place.id].items() if part}
        relevance = math.fsum(kept.values())
        factor = _value_factor(place, relevance, options.value_weight)
        ranked.append(
            Ranked(place.id, place.at_ms, relevance * factor, kept, cosine.get(place.id), factor)
        )
    ranked.sort(key=lambda turn: (-turn.score, -turn.at_ms, turn.id))
    return ranked


def _value_factor(place: Place, relevance: float, weight: float) -> float:
    if not weight or place.usage is None:
        return 1.0
    factor = value_factor(place.usage, TURN_VALUE, weight)
    # Less value must make a turn that speaks against itself worse, too.
    return factor if relevance >= 0 else 2 - factor


def _weighted_parts(
    nominees: Nominees,
    reached: Reached,
    question: Question,
    weights: Weights,
    vector: Mapping[str, float],
) -> dict[str, dict[str, float]]:
    base = {
        place.id: weights.text * nominees.text.get(place.id, 0.0)
        + weights.vector * vector.get(place.id, 0.0)
        for place in reached.places
    }
    rarities = _known_rarities(nominees.scale, question)
    session = _session_scores(nominees.session, rarities, nominees.scale, reached.session_turns)
    mass = normalised(reached.masses)
    lent = _lent_by_neighbours(reached.places, base)
    return {
        place.id: {
            "text": weights.text * nominees.text.get(place.id, 0.0),
            "vector": weights.vector * vector.get(place.id, 0.0),
            "neighbours": weights.neighbours * lent[place.id],
            "session": weights.session * session.get(place.session_id, 0.0),
            "speaker": weights.speaker * (nominees.speaker in place.speakers),
            "facts": weights.facts * nominees.facts.get(place.id, 0.0),
            "graph": weights.graph * mass.get(place.id, 0.0),
        }
        for place in reached.places
    }


def _reciprocal_parts(
    nominees: Nominees, reached: Reached, cosine: Mapping[str, float], weights: Weights
) -> dict[str, dict[str, float]]:
    # Ranks have no weights: a list takes part or, at weight 0, does not.
    nominated = {key: cosine[key] for key in nominees.cosine}
    lists: dict[str, tuple[float, Mapping[str, float]]] = {
        "text": (weights.text, nominees.text),
        "vector": (weights.vector, nominated),
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


def _lent_by_neighbours(places: tuple[Place, ...], base: Mapping[str, float]) -> dict[str, float]:
    after = {place.id: place.next_id for place in places if place.next_id in base}
    before = {next_id: turn_id for turn_id, next_id in after.items()}
    lent = {}
    for place in places:
        total = 0.0
        for distance, weight in _NEIGHBOURS:
            links = after if distance > 0 else before
            turn_id: str | None = place.id
            for _ in range(abs(distance)):
                turn_id = links.get(turn_id) if turn_id is not None else None
            if turn_id is not None:
                total += weight * base[turn_id]
        lent[place.id] = total
    return lent


def _text_scores(
    seeds: Seeds, counts: Mapping[str, Counter[str]], rarities: Mapping[str, float]
) -> dict[str, float]:
    """Return BM25 by turn; of a long turn Lucene's score on the scale of the others."""
    average = seeds.scale.average_length
    scores = {
        turn.id: bm25_counted(
            rarities, counts[turn.id], len(turn.tokens) / average if average else 1.0
        )
        for turn in seeds.text_turns
        if turn.tokens is not None
    }
    ratios = [
        scores[turn.id] / turn.full_text_score
        for turn in seeds.text_turns
        if turn.id in scores and turn.full_text_score > 0
    ]
    ratio = median(ratios) if ratios else 1.0
    for turn in seeds.text_turns:
        scores.setdefault(turn.id, ratio * turn.full_text_score)
    return scores


def _rarities(seeds: Seeds, question: Question) -> dict[str, float]:
    # A token that was not counted (a very long question) is at least as frequent as it is
    # among the nominated turns.
    held = dict(seeds.scale.held)
    missing = {token for token in question.tokens if token not in held}
    if missing:
        found: Counter[str] = Counter()
        for turn in seeds.text_turns:
            found.update(missing.intersection(turn.tokens or ()))
        held.update({token: found[token] for token in missing})
    return {token: rarity(seeds.scale.turns, held[token]) for token in question.tokens}


def _known_rarities(scale: Scale, question: Question) -> dict[str, float]:
    return {token: rarity(scale.turns, scale.held.get(token, 1)) for token in question.tokens}


def _counted(tokens: Iterable[str], wanted: Mapping[str, float]) -> Counter[str]:
    return Counter(token for token in tokens if token in wanted)


def _session_scores(
    by_session: Mapping[str, Counter[str]],
    wanted: Mapping[str, float],
    scale: Scale,
    session_turns: Mapping[str, int],
) -> dict[str, float]:
    """Return BM25 of whole sessions over the best one's.

    Frequencies are those of sessions; a session's length is its number of turns, where that
    is known, over the average.
    """
    held: Counter[str] = Counter()
    for counts in by_session.values():
        held.update(counts.keys())
    rarities = {token: rarity(scale.sessions, held[token]) for token in wanted if held[token]}
    average = scale.turns / scale.sessions if scale.sessions else 0.0
    scores = {}
    for session_id, counts in by_session.items():
        turns = session_turns.get(session_id)
        length = turns / average if turns and average else 1.0
        scores[session_id] = bm25_counted(rarities, counts, length)
    return normalised(scores)


def _score_facts(
    seeds: Seeds, rarities: Mapping[str, float]
) -> tuple[dict[str, float], tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the score that facts lend the turns that state them, and the facts' two orders."""
    lengths = [len(fact.tokens) for fact in seeds.text_facts]
    average = sum(lengths) / len(lengths) if lengths else 0.0
    by_text = normalised(
        {
            fact.id: bm25_counted(
                rarities, Counter(fact.tokens), len(fact.tokens) / average if average else 1.0
            )
            for fact in seeds.text_facts
        }
    )
    lent: dict[str, float] = {}
    for fact in seeds.text_facts:
        for turn_id in fact.turn_ids:
            lent[turn_id] = max(lent.get(turn_id, 0.0), by_text[fact.id])
    by_vector = {fact.id: fact.cosine for fact in seeds.vector_facts if fact.cosine is not None}
    return lent, (tuple(best_first(by_text)), tuple(best_first(by_vector)))


def _named_speaker(turns: Iterable[TurnSeed], question: Question) -> str:
    keys = set(question.keys)
    named = {key for turn in turns for key in turn.speakers if key in keys}
    return named.pop() if len(named) == 1 else ""


def _on_scale(cosine: Mapping[str, float], scale: Scale) -> dict[str, float]:
    mean, deviation = _USUAL_MEAN, _USUAL_DEVIATION
    if scale.sample >= _LEAST_SAMPLE:
        mean, deviation = scale.mean, max(_LEAST_DEVIATION, scale.deviation)
    return {key: (value - mean) / (_DEVIATIONS * deviation) for key, value in cosine.items()}


def _shared(weights: Mapping[str, float], share: float) -> dict[str, float]:
    total = math.fsum(weights.values())
    if total <= 0:
        return {}
    return {key: share * weight / total for key, weight in weights.items() if weight > 0}
