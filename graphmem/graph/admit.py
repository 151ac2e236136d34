"""What becomes of the statements of a write: decided under lock, beside what is known.

One read finds what is known beside all of them. They are decided in the order of the time from
which they hold, each seeing what was decided before it in the same write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.decisions import DecisionKind
from graphmem.graph.conflict.model import Known, Neighbour, Statement, Verdict
from graphmem.graph.plan import FactPlan, fact_id
from graphmem.queries import get_query

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database
    from graphmem.db.database import Transaction
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = [
    "Candidate",
    "Decided",
    "Decisions",
    "Neighbourhood",
    "Superseding",
    "Written",
    "decide",
    "find_neighbours",
    "statement_of",
]

# Facts of the same subject and predicate, nearest in time, on either side.
_SLOT_POOL = 25
# Graphorin looks at five neighbours; facts that are over take places in the probe.
_NEAR = 5
_PROBED = 20
# So often must a predicate have been superseded by itself before it counts as functional.
_SUCCESSIONS = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement that is to be decided about.

    Attributes:
        statement: As the stages compare it; its id is that of its first stretch.
        plan: What it is to be linked to; None where it is a fact already.
        vector: Its unit vector, None while there is none.
    """

    statement: Statement
    plan: FactPlan | None = None
    vector: NDArray[float32] | None = None


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


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What one read found.

    Attributes:
        known: Beside each candidate.
        named: Facts that were asked for by their id, by it.
    """

    known: tuple[Known, ...]
    named: Mapping[str, Statement]

    @property
    def statuses(self) -> dict[str, str]:
        """The status of every fact that was found, by its id."""
        found = (one for known in self.known for one in _statements(known))
        return {one.id: one.status for one in (*found, *self.named.values())}


async def find_neighbours(
    runner: Database | Transaction,
    scope: str,
    candidates: Sequence[Candidate],
    pipeline: ConflictPipeline,
    *,
    slot: str,
    others: Sequence[str] = (),
    named: Sequence[str] = (),
) -> Neighbourhood:
    """Return what the store knows beside candidates; one read.

    Args:
        runner: The write that they are part of, or the store.
        scope: Whose memory it is.
        candidates: What is to be decided.
        pipeline: Tells of which predicates the store must be asked.
        slot: "a" or "b", where the vectors of the active embedder live.
        others: Facts that are no neighbours.
        named: Facts that are wanted by their id.
    """
    predicates = {
        one.statement.predicate_key
        for one in candidates
        if one.statement.has_slot
        and pipeline.cardinality(one.statement.predicate_key, {}) == "unknown"
    }
    asked = [_asked_row(one.statement) for one in candidates]
    wanted = {
        "scope": scope,
        "others": list(others),
        "named": list(named),
        "slot_pool": _SLOT_POOL,
        "predicates": sorted(predicates),
        "successions": _SUCCESSIONS,
    }
    if any(one.vector is not None for one in candidates):
        (row,) = await runner.run(
            get_query("graph/find_neighbours", slot),
            asked=[
                {**row, "vector": one.vector} for row, one in zip(asked, candidates, strict=True)
            ],
            probed=_PROBED,
            near=_NEAR,
            **wanted,
        )
    else:
        # Where there never was an embedder there is no index that could be named.
        (row,) = await runner.run(get_query("graph/find_known"), asked=asked, **wanted)
    return Neighbourhood(
        tuple(_known(found, row["functional"]) for found in row["found"]),
        {entry["id"]: statement_of(entry) for entry in row["named_facts"]},
    )


def _asked_row(statement: Statement) -> dict[str, Any]:
    return {
        "canonical_hash": statement.canonical_hash,
        "subject_key": statement.subject_key,
        "predicate_key": statement.predicate_key,
        "valid_from": statement.valid_from,
    }


def _known(found: Mapping[str, Any], functional: Iterable[str]) -> Known:
    near = zip(found["near"], found["cosines"], strict=True)
    return Known(
        exact=tuple(statement_of(entry) for entry in found["exact"]),
        slot=tuple(statement_of(entry) for entry in found["slot"]),
        near=tuple(Neighbour(statement_of(entry), cosine) for entry, cosine in near),
        cardinality=dict.fromkeys(functional, "functional"),
    )


def statement_of(entry: Mapping[str, Any]) -> Statement:
    """Return a fact of graph/find_neighbours as the stages compare it."""
    return Statement(
        id=entry["id"],
        text=entry["text"],
        canonical_hash=entry["canonical_hash"],
        valid_from=entry["valid_from"],
        valid_to=entry["valid_to"],
        recorded_at=entry["recorded_at"],
        # Of a fact from before statements were split, or one that was made by hand.
        subject_key=entry["subject_key"] or "",
        predicate_key=entry["predicate_key"] or "",
        object_key=entry["object_key"] or "",
        predicate=entry["predicate"] or "",
        is_negated=bool(entry["is_negated"]),
        status=entry["status"],
        stated_at=entry["stated_at"],
        retired_at=entry["retired_at"],
        is_withdrawn=bool(entry["is_withdrawn"]),
        subject_via=entry.get("subject_via") or "",
        object_via=entry.get("object_via") or "",
    )


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
        stated_at=max(told.stated_at or told.valid_from, asked.valid_from),
        status="active" if verdict.revives else told.status,
        retired_at=None,
    )


def _is_same(one: Statement, other: Statement) -> bool:
    return one.canonical_hash == other.canonical_hash


def _statements(known: Known) -> list[Statement]:
    return [*known.exact, *known.slot, *(one.statement for one in known.near)]


class Written:
    """What a write has decided so far, laid over what the store knew before it."""

    def __init__(self, scope: str, now: datetime) -> None:
        self._scope = scope
        self._now = now
        self._decided: list[Decided] = []
        self._standing: dict[str, Statement] = {}
        self._superseded: dict[str, Superseding] = {}
        self._new: list[tuple[str, NDArray[float32] | None]] = []

    def decisions(self) -> Decisions:
        """Return all of it."""
        return Decisions(tuple(self._decided), self._standing, self._superseded)

    def add(self, candidate: Candidate, verdict: Verdict, known: Known) -> None:
        """Take in what becomes of a candidate, beside what the store knew before the write."""
        before = {one.id: one for one in _statements(known)} | self._standing
        asked = candidate.statement
        if verdict.same_as:
            fact = _widened(before[verdict.same_as], asked, verdict)
            is_there = True
        else:
            mine = [one for one in self._standing.values() if _is_same(one, asked)]
            fact = self._admitted(asked, verdict, [*known.exact, *mine])
            is_there = fact.id in before
            self._new.append((fact.id, candidate.vector))
        self._standing[fact.id] = fact
        self._decided.append(Decided(candidate, verdict, fact.id, is_there))
        for closing in verdict.closes:
            ended = replace(before[closing.fact_id], valid_to=closing.valid_to)
            if closing.valid_to <= self._now:
                ended = replace(ended, status="superseded", retired_at=self._now)
            self._standing[closing.fact_id] = ended
            self._superseded[closing.fact_id] = Superseding(fact.id, verdict.reason)
        if verdict.superseded_by:
            self._superseded[fact.id] = Superseding(verdict.superseded_by, verdict.reason)

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
        new = [(self._standing[one], vector) for one, vector in self._new]
        near = [*known.near]
        for one, vector in new:
            if vector is not None and candidate.vector is not None:
                near.append(Neighbour(one, float(vector @ candidate.vector)))
        near.sort(key=lambda one: 2.0 if one.cosine is None else -one.cosine)
        return replace(
            known,
            exact=self._with_new(known.exact, (one for one, _ in new if _is_same(one, asked))),
            slot=self._with_new(known.slot, (one for one, _ in new if one.shares_slot(asked))),
            near=tuple(self._still_live(near))[:_NEAR],
        )

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
