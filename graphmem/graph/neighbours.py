"""What the store knows beside the statements of a write or a batch: one read for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphmem.graph.conflict.model import Known, Neighbour, Statement
from graphmem.graph.plan import FactPlan
from graphmem.queries import get_query

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database
    from graphmem.db.database import Transaction
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["NEAR", "Candidate", "Neighbourhood", "find_neighbours", "statement_of"]

# Facts of the same subject and predicate, nearest in time, on either side.
_SLOT_POOL = 25
# Graphorin looks at five neighbours; facts that are over take places in the probe.
NEAR = 5
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
class Neighbourhood:
    """What one read found.

    Attributes:
        known: Beside each candidate.
        named: Facts that were asked for by their id, by it.
    """

    known: tuple[Known, ...]
    named: Mapping[str, Statement]

    @property
    def statements(self) -> Iterator[Statement]:
        """Every fact that was found, as often as it was."""
        for known in self.known:
            yield from known.statements
        yield from self.named.values()

    @property
    def statuses(self) -> dict[str, str]:
        """The status of every fact that was found, by its id."""
        return {one.id: one.status for one in self.statements}


async def find_neighbours(
    runner: Database | Transaction,
    scope: str,
    candidates: Sequence[Candidate],
    pipeline: ConflictPipeline,
    *,
    slot: str,
    only_checked: bool = False,
    named: Sequence[str] = (),
) -> Neighbourhood:
    """Return what the store knows beside candidates; one read.

    Args:
        runner: The write that they are part of, or the store.
        scope: Whose memory it is.
        candidates: What is to be decided.
        pipeline: Tells of which predicates the store must be asked.
        slot: "a" or "b", where the vectors of the active embedder live.
        only_checked: Leave out facts that are decided about anew, as soon as it is their turn.
        named: Facts that are wanted by their id.
    """
    if not pipeline.is_on:
        # What has the same words is one fact whatever the mode; nothing else is looked for.
        candidates = [_by_hash_alone(one) for one in candidates]
    predicates = {
        one.statement.predicate_key
        for one in candidates
        if one.statement.has_slot
        and pipeline.cardinality(one.statement.predicate_key, {}) == "unknown"
    }
    asked = [_asked_row(one.statement) for one in candidates]
    wanted = {
        "scope": scope,
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
            # Of a batch that is decided about anew, what comes first may retire some of them.
            near=2 * NEAR if only_checked else NEAR,
            only_checked=only_checked,
            **wanted,
        )
    else:
        # Where there never was an embedder there is no index that could be named.
        (row,) = await runner.run(get_query("graph/find_known"), asked=asked, **wanted)
    return Neighbourhood(
        tuple(_known(found, row["functional"]) for found in row["found"]),
        {entry["id"]: statement_of(entry) for entry in row["named_facts"]},
    )


def _by_hash_alone(candidate: Candidate) -> Candidate:
    bare = replace(candidate.statement, subject_key="", predicate_key="")
    return replace(candidate, statement=bare, vector=None)


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
