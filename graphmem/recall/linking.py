"""What a question is about: the Terms and Tags that it names, in full, in part or by meaning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from graphmem.recall.question import Question
from graphmem.recall.seeds import NodeSeed, Seeds
from graphmem.scoring import rarity

__all__ = ["linked_tags", "linked_terms"]

# A word that is a part of more names than these tells none of them apart.
_MOST_NAMESAKES = 4
# Below it the nearest name is only the least far one.
_LEAST_COSINE = 0.5


def linked_terms(seeds: Seeds, question: Question) -> dict[str, float]:
    """Return how sure and how telling the link to each Term is, by id; all > 0.

    A name in full counts as much as it is rare; one that only shares words with the question,
    by the share of it that they make; one that is near in meaning, by its cosine. A part that
    several names share is shared among them: none of them is meant for certain.
    """
    turns = seeds.scale.turns
    found = {term.id: _rarity(turns, term) for term in seeds.terms}
    asked = set(question.tokens)
    # One that was called by its name in full was not by all its aliases.
    full = [
        set(term.tokens)
        for term in seeds.part_terms
        if term.id in found and asked.issuperset(term.tokens)
    ]
    for term, share in _parts(seeds.part_terms, question, seeds.scale.held, turns, full):
        found[term.id] = max(found.get(term.id, 0.0), share * _rarity(turns, term))
    for term in seeds.near_terms:
        if term.cosine is not None and term.cosine >= _LEAST_COSINE:
            found[term.id] = max(found.get(term.id, 0.0), term.cosine * _rarity(turns, term))
    return {key: weight for key, weight in found.items() if weight > 0}


def linked_tags(seeds: Seeds) -> dict[str, float]:
    """Return the same for Tags: by their key, or near in meaning."""
    turns = seeds.scale.turns
    found = {tag.id: _rarity(turns, tag) for tag in seeds.tags}
    for tag in seeds.near_tags:
        if tag.cosine is not None and tag.cosine >= _LEAST_COSINE:
            found[tag.id] = max(found.get(tag.id, 0.0), tag.cosine * _rarity(turns, tag))
    return {key: weight for key, weight in found.items() if weight > 0}


def _rarity(turns: int, node: NodeSeed) -> float:
    # A name that every other turn mentions tells as little as a frequent word does.
    return rarity(turns, node.links)


def _parts(
    terms: Sequence[NodeSeed],
    question: Question,
    held: Mapping[str, int],
    turns: int,
    full: Sequence[set[str]],
) -> list[tuple[NodeSeed, float]]:
    asked = set(question.tokens)
    groups: dict[frozenset[str], list[NodeSeed]] = {}
    for term in terms:
        shared = asked.intersection(term.tokens)
        # The words of a longer name that stands there in full belong to that name.
        if shared and not any(shared < name for name in full):
            groups.setdefault(frozenset(shared), []).append(term)
    found = []
    for shared_tokens, namesakes in groups.items():
        # Of one Term the name and its aliases share words.
        meant = len({term.id for term in namesakes})
        if meant > _MOST_NAMESAKES:
            continue
        for term in namesakes:
            weights = {token: rarity(turns, held.get(token, 0)) for token in set(term.tokens)}
            whole = math.fsum(weights.values())
            part = math.fsum(weights[token] for token in shared_tokens)
            if whole > 0:
                found.append((term, part / whole / meant))
    return found
