"""Which facts consolidation keeps, by the plain rule: all pairs, one after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["PlainFact", "consolidated"]

# What single precision cannot tell from the threshold is equal to it.
_SAME = 1e-6


@dataclass(frozen=True, slots=True)
class PlainFact:
    """A fact as consolidation compares it.

    Attributes:
        kind: Facts of different kinds are never one: their time ends differently, or they may be
            told to others.
        protection: What keeps it from going, "" where nothing does.
    """

    id: str
    score: float
    vector: tuple[float, ...]
    tags: frozenset[str]
    text: str = ""
    kind: str = ""
    protection: str = ""


def consolidated(
    facts: Sequence[PlainFact],
    threshold: float,
    *,
    guard: Callable[[PlainFact, PlainFact], bool],
    shares_tags: bool = True,
) -> tuple[dict[str, str], dict[str, int]]:
    """Return which facts go with what stays for each, and how many were protected by what.

    Args:
        facts: In any order.
        threshold: Raw cosine that must be exceeded.
        guard: Whether two are kept apart however near they are.
        shares_tags: Whether only pairs that share a tag are compared.
    """
    kept: list[PlainFact] = []
    gone: dict[str, str] = {}
    protected: dict[str, int] = {}
    for fact in sorted(facts, key=lambda one: (-one.score, one.id)):
        near = [
            (-cosine(fact.vector, other.vector), place)
            for place, other in enumerate(kept)
            if cosine(fact.vector, other.vector) > threshold + _SAME
            and (not shares_tags or fact.tags & other.tags)
            and fact.kind == other.kind
            and not guard(fact, other)
        ]
        if near and not fact.protection:
            gone[fact.id] = kept[min(near)[1]].id
            continue
        if near:
            protected[fact.protection] = protected.get(fact.protection, 0) + 1
        kept.append(fact)
    return gone, protected


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the cosine of two vectors."""
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / math.sqrt(sum(a * a for a in one) * sum(b * b for b in other))
