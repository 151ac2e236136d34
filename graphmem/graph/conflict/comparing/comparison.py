"""What every stage looks at: a candidate beside what is known, read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem.decisions import Zone
from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import (
    Cardinality,
    Known,
    Neighbour,
    Statement,
    Thresholds,
)
from graphmem.graph.conflict.reading.statement import Parsed

__all__ = ["Comparison", "by_fit", "shares_time"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate, taken apart, and what the store knows beside it.

    Attributes:
        candidate: What is to be remembered.
        said: Its parts.
        known: From one read.
        packs: The languages.
        cardinality: Of the candidate's predicate.
        is_declared: Whether that was declared, rather than learned.
        thresholds: Of the embedder; None where its cosines mean nothing.
        zone: Of the nearest neighbour, None where nothing was measured.
        similarity: Of the nearest neighbour, as above.
        is_hot_final: Whether HOT alone decides, as Graphorin has it.
        is_hedged: Whether a known statement is wished, supposed, quoted or asked.
        read: Takes a known statement apart.
    """

    candidate: Statement
    said: Parsed
    known: Known
    packs: Sequence[LocalePack]
    cardinality: Cardinality
    is_declared: bool
    thresholds: Thresholds | None
    zone: Zone | None
    similarity: float | None
    is_hot_final: bool
    is_hedged: Callable[[Statement], bool]
    read: Callable[[Statement], Parsed]

    @property
    def measured(self) -> tuple[Neighbour, ...]:
        """The neighbours whose cosine means something."""
        if self.thresholds is None:
            return ()
        return tuple(near for near in self.known.near if near.cosine is not None)

    def zone_of(self, neighbour: Neighbour) -> Zone | None:
        """Return the zone of a neighbour, None where its cosine says nothing."""
        if self.thresholds is None or neighbour.cosine is None:
            return None
        return self.thresholds.zone(neighbour.cosine)

    @property
    def slot(self) -> tuple[Statement, ...]:
        """What is known of the same subject and predicate, whatever its status."""
        found = {fact.id: fact for fact in self.known.slot if fact.shares_slot(self.candidate)}
        for near in self.known.near:
            if near.statement.shares_slot(self.candidate):
                found.setdefault(near.statement.id, near.statement)
        return tuple(
            fact
            for fact in found.values()
            if fact.id != self.candidate.id and not self.is_hedged(fact)
        )


def shares_time(one: Statement, other: Statement) -> bool:
    """Return whether there is an instant at which both hold; one that only follows on does not."""
    start, end = max(one.valid_from, other.valid_from), min(one.valid_to, other.valid_to)
    if start < end:
        return True
    is_instant = one.valid_from == one.valid_to or other.valid_from == other.valid_to
    return (
        start == end
        and is_instant
        and (
            one.valid_from == other.valid_from
            or other.valid_from <= one.valid_from < other.valid_to
            or one.valid_from <= other.valid_from < one.valid_to
        )
    )


def by_fit(candidate: Statement, facts: Sequence[Statement]) -> list[Statement]:
    """Return facts, first those that hold when the candidate begins, then those still told."""
    return sorted(
        facts,
        key=lambda fact: (
            not fact.valid_from <= candidate.valid_from < fact.valid_to,
            not fact.is_live,
            fact.valid_from,
            fact.id,
        ),
    )
