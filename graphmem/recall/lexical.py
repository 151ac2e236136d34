"""What words say: BM25 with the frequencies of the scope itself, and how much is covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from graphmem.recall.question import Question
from graphmem.recall.seeds import FactSeed, Scale, Seeds
from graphmem.scoring import bm25_counted, normalised, rarity
from graphmem.turn_text import by_field

__all__ = [
    "Words",
    "coverage",
    "fact_coverage",
    "fact_scores",
    "read_words",
    "session_scores",
]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question among the turns that the text leg nominated.

    Attributes:
        rarities: Inverse document frequency in the scope, by word of the question.
        turns: BM25 by turn, over the best one's, 0..1.
        counts: How often a turn holds each word of the question, by turn; a word counts by the
            field that it stands in.
        by_session: The same, by session.
    """

    rarities: Mapping[str, float]
    turns: Mapping[str, float]
    counts: Mapping[str, Mapping[str, float]]
    by_session: Mapping[str, Mapping[str, float]]
    # A bit for each word: which share of the question some turns hold is asked for each turn three
    # times in a recall, and there are few such sets of words.
    _held: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)
    _shares: dict[int, float] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        bits = {token: 1 << place for place, token in enumerate(self.rarities)}
        for turn_id, counts in self.counts.items():
            self._held[turn_id] = sum(bits.get(token, 0) for token in counts)

    def share(self, turn_ids: Iterable[str]) -> float:
        """Return which share of the question some turns hold together: see `coverage`."""
        held = 0
        for turn_id in turn_ids:
            held |= self._held.get(turn_id, 0)
        share = self._shares.get(held)
        if share is None:
            tokens = [token for place, token in enumerate(self.rarities) if held >> place & 1]
            share = self._shares[held] = _share(set(tokens), self.rarities)
        return share


def read_words(seeds: Seeds, question: Question, fields: Mapping[str, float]) -> Words:
    """Return what the nominated turns hold of a question.

    Args:
        seeds: What was nominated.
        question: What was asked.
        fields: How often a word counts in each field of a turn, by `turn_text.FIELDS`.
    """
    rarities = _rarities(seeds, question)
    counts = {
        # Which fields of a long one they stand in is not known.
        turn.id: dict.fromkeys(turn.held, 1.0)
        if turn.tokens is None
        else _counted(turn.tokens, rarities, fields)
        for turn in seeds.text_turns
    }
    by_session: dict[str, dict[str, float]] = {}
    for turn in seeds.text_turns:
        session = by_session.setdefault(turn.session_id, {})
        for token, count in counts[turn.id].items():
            session[token] = session.get(token, 0.0) + count
    return Words(rarities, normalised(_text_scores(seeds, counts, rarities)), counts, by_session)


def coverage(words: Words, turn_ids: Iterable[str]) -> float:
    """Return which share of the question some turns hold together, each word by its rarity.

    Args:
        words: Of the question.
        turn_ids: A turn and those around it: who answers leaves out what was just said.

    Returns:
        0..1; a turn that the text leg did not nominate holds nothing that counts.
    """
    return words.share(turn_ids)


def fact_coverage(facts: Iterable[FactSeed], rarities: Mapping[str, float]) -> float:
    """Return the largest share of the question that one of some facts holds, 0..1."""
    return max((_share(set(fact.tokens), rarities) for fact in facts), default=0.0)


def _share(held: Collection[str], rarities: Mapping[str, float]) -> float:
    whole = sum(rarities.values()) if held else 0.0
    if whole <= 0:
        return 0.0
    return sum(weight for token, weight in rarities.items() if token in held) / whole


def session_scores(
    words: Words, scale: Scale, session_turns: Mapping[str, int]
) -> dict[str, float]:
    """Return BM25 of whole sessions over the best one's.

    Frequencies are those of sessions; a session's length is its number of turns, where that
    is known, over the average. What a session says beyond the turn itself counts: one of two turns
    has half as much to add, one of a single turn nothing.
    """
    held: Counter[str] = Counter()
    for counts in words.by_session.values():
        held.update(counts.keys())
    rarities = {
        token: rarity(scale.sessions, held[token]) for token in words.rarities if held[token]
    }
    average = scale.turns / scale.sessions if scale.sessions else 0.0
    scores = {}
    for session_id, counts in words.by_session.items():
        turns = session_turns.get(session_id)
        length = turns / average if turns and average else 1.0
        others = 1 - 1 / turns if turns else 1.0
        scores[session_id] = others * bm25_counted(rarities, counts, length)
    return normalised(scores)


def fact_scores(facts: Collection[FactSeed], rarities: Mapping[str, float]) -> dict[str, float]:
    """Return BM25 by fact, over the best one's, 0..1."""
    average = sum(len(fact.tokens) for fact in facts) / len(facts) if facts else 0.0
    return normalised(
        {
            fact.id: bm25_counted(
                rarities, Counter(fact.tokens), len(fact.tokens) / average if average else 1.0
            )
            for fact in facts
        }
    )


def _text_scores(
    seeds: Seeds, counts: Mapping[str, Mapping[str, float]], rarities: Mapping[str, float]
) -> dict[str, float]:
    """Return BM25 by turn; of a long turn Lucene's score on the scale of the others."""
    average = seeds.scale.average_length
    scores = {
        turn.id: bm25_counted(rarities, counts[turn.id], turn.length / average if average else 1.0)
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


def _counted(
    tokens: Iterable[str], wanted: Mapping[str, float], fields: Mapping[str, float]
) -> dict[str, float]:
    counts: dict[str, float] = {}
    for name, token in by_field(tokens, wanted):
        if fields[name]:
            counts[token] = counts.get(token, 0.0) + fields[name]
    return counts
