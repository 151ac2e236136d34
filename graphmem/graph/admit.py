"""What becomes of the statements of a write: decided under lock, beside what is known.

They are decided in the order of the time from which they hold, each seeing what was decided before
it in the same write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from graphmem.decisions import DecisionKind
from graphmem.graph.conflict.model import Known, Neighbour, Statement, Verdict
from graphmem.graph.neighbours import NEAR, Candidate, Neighbourhood
from graphmem.graph.plan import fact_id

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["Decided", "Decisions", "Superseding", "Written", "decide"]

# Room for the vectors of a write, doubled when it is full.
_FIRST_ROWS = 64


@dataclass(frozen=True, slots=True)
class Decided:
    """A candidate with what became of it.

    Attributes:
        fact_id: The fact that it is, or that says it already.
        is_there: Whether that fact is in the store already.
    """

    candidate: Candidate
    verdict: Verdict
    fact_id: str
    is_there: bool


@dataclass(frozen=True, slots=True)
class Superseding:
    """Which fact holds since another one ended, and why."""

    successor_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """What became of the candidates of a write.

    Attributes:
        decided: One a candidate, in their order.
        standing: Every fact that is new or changed, by id, as it stands after the write.
        superseded: What superseded a fact, by the id of the superseded one.
    """

    decided: tuple[Decided, ...]
    standing: Mapping[str, Statement]
    superseded: Mapping[str, Superseding]


def decide(
    scope: str,
    candidates: Sequence[Candidate],
    neighbourhood: Neighbourhood,
    pipeline: ConflictPipeline,
    *,
    now: datetime,
) -> Decisions:
    """Return what becomes of each candidate, in order; each one sees those before it.

    Args:
        scope: Whose memory it is.
        candidates: In the order of the time from which they hold.
        neighbourhood: From `find_neighbours`, of the same candidates.
        pipeline: Decides.
        now: When what it retires is retired.
    """
    written = Written(scope, now)
    for candidate, known in zip(candidates, neighbourhood.known, strict=True):
        beside = written.beside(candidate, known)
        written.add(candidate, pipeline.resolve(candidate.statement, beside), known)
    return written.decisions()


def _widened(told: Statement, asked: Statement, verdict: Verdict) -> Statement:
    """Return a fact that was stated again."""
    if not (told.is_live or verdict.revives):
        # What is over keeps its time: a late mention of it is none of its being so again.
        return told
    return replace(
        told,
        valid_from=min(told.valid_from, asked.valid_from),
        valid_to=max(told.valid_to, asked.valid_to),
        stated_at=max(told.stated_at or told.valid_from, asked.stated_at or asked.valid_from),
        status="active" if verdict.revives else told.status,
        retired_at=None,
    )


class Written:
    """What a write has decided so far, laid over what the store knew before it.

    Everything is found by what it is asked for, so that a write of twice as many statements
    takes twice as long.
    """

    def __init__(self, scope: str, now: datetime) -> None:
        self._scope = scope
        self._now = now
        self._decided: list[Decided] = []
        self._standing: dict[str, Statement] = {}
        self._superseded: dict[str, Superseding] = {}
        # Ids of what stands, by canonical hash, and of what is new, by subject and predicate.
        self._by_hash: dict[str, dict[str, None]] = {}
        self._by_slot: dict[tuple[str, str], dict[str, None]] = {}
        self._vectors = _Vectors()

    def decisions(self) -> Decisions:
        """Return all of it."""
        return Decisions(tuple(self._decided), self._standing, self._superseded)

    def add(self, candidate: Candidate, verdict: Verdict, known: Known) -> None:
        """Take in what becomes of a candidate, beside what the store knew before the write."""
        found = {one.id: one for one in known.statements}
        asked = candidate.statement
        if verdict.same_as:
            told = self._standing.get(verdict.same_as) or found[verdict.same_as]
            fact = _widened(told, asked, verdict)
            is_there = True
        else:
            fact = self._admitted(asked, verdict, [*known.exact, *self._same_words(asked)])
            is_there = fact.id in found or fact.id in self._standing
            self._by_slot.setdefault(_slot_of(fact), {})[fact.id] = None
            self._vectors.add(fact.id, candidate.vector)
        self._stand(fact)
        self._decided.append(Decided(candidate, verdict, fact.id, is_there))
        for closing in verdict.closes:
            told = self._standing.get(closing.fact_id) or found[closing.fact_id]
            ended = replace(told, valid_to=closing.valid_to)
            if closing.valid_to <= self._now:
                ended = replace(ended, status="superseded", retired_at=self._now)
            self._stand(ended)
            self._superseded[closing.fact_id] = Superseding(fact.id, verdict.reason)
        if verdict.superseded_by:
            self._superseded[fact.id] = Superseding(verdict.superseded_by, verdict.reason)

    def _stand(self, fact: Statement) -> None:
        self._standing[fact.id] = fact
        self._by_hash.setdefault(fact.canonical_hash, {})[fact.id] = None

    def _same_words(self, asked: Statement) -> list[Statement]:
        return [self._standing[one] for one in self._by_hash.get(asked.canonical_hash, ())]

    def _admitted(
        self, asked: Statement, verdict: Verdict, exact: Sequence[Statement]
    ) -> Statement:
        # One that its turn had stopped to say, and that is said again, is that one again.
        # Of two stretches in one write the first is that one.
        again = next(
            (one for one in exact if one.is_withdrawn and one.id not in self._standing), None
        )
        if again is not None:
            fact_is = again.id
        elif any(one.id == asked.id for one in exact):
            fact_is = fact_id(self._scope, asked.canonical_hash, asked.valid_from)
        else:
            fact_is = asked.id
        end = asked.valid_to if verdict.valid_to is None else verdict.valid_to
        status = "pending" if verdict.kind is DecisionKind.PENDING else "active"
        # What will be superseded holds until then.
        if verdict.superseded_by and end <= self._now:
            status = "superseded"
        return replace(asked, id=fact_is, valid_to=end, status=status)

    def beside(self, candidate: Candidate, known: Known) -> Known:
        """Return what is known beside a candidate, the write itself included."""
        asked = candidate.statement
        slot = self._by_slot.get(_slot_of(asked), ()) if asked.has_slot else ()
        near = [*known.near, *self._near(candidate)]
        near.sort(key=lambda one: 2.0 if one.cosine is None else -one.cosine)
        return replace(
            known,
            exact=self._with_new(known.exact, self._same_words(asked)),
            slot=self._with_new(known.slot, (self._standing[one] for one in slot)),
            near=tuple(islice(self._still_live(near), NEAR)),
        )

    def _near(self, candidate: Candidate) -> Iterable[Neighbour]:
        """Return what is new and live, nearest first, as far as it can count."""
        if candidate.vector is None:
            return ()
        new = (
            Neighbour(self._standing[one], cosine)
            for one, cosine in self._vectors.nearest(candidate.vector)
        )
        return islice(self._still_live(new), NEAR)

    def _with_new(
        self, known: Iterable[Statement], new: Iterable[Statement]
    ) -> tuple[Statement, ...]:
        found = {one.id: self._standing.get(one.id, one) for one in known}
        found |= {one.id: one for one in new}
        # What was withdrawn is as if it had never been said.
        return tuple(one for one in found.values() if not one.is_withdrawn)

    def _still_live(self, near: Iterable[Neighbour]) -> Iterable[Neighbour]:
        for one in near:
            statement = self._standing.get(one.statement.id, one.statement)
            if statement.is_live:
                yield replace(one, statement=statement)


def _slot_of(statement: Statement) -> tuple[str, str]:
    return statement.subject_key, statement.predicate_key


class _Vectors:
    """Vectors of what is new, in one matrix: one product measures them all."""

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._rows: NDArray[float32] | None = None

    def add(self, fact_id: str, vector: NDArray[float32] | None) -> None:
        """Take in the vector of a fact, where it has one."""
        if vector is None:
            return
        import numpy as np

        if self._rows is None:
            self._rows = np.empty((_FIRST_ROWS, len(vector)), dtype=np.float32)
        elif len(self._ids) == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[len(self._ids)] = vector
        self._ids.append(fact_id)

    def nearest(self, vector: NDArray[float32]) -> Iterable[tuple[str, float]]:
        """Return ids with their cosines, the nearest first."""
        if self._rows is None:
            return
        cosines = self._rows[: len(self._ids)] @ vector
        for place in (-cosines).argsort(kind="stable"):
            yield self._ids[place], float(cosines[place])
