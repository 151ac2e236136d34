"""Facts of a bulk load: once they have vectors, they are decided about as all others were.

A batch of them is looked up in one read, decided in order, each beside what was decided before it,
and settled in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.decisions import DecisionKind
from graphmem.graph.admit import Decisions, Written
from graphmem.graph.change import FactChange, change_facts, lock_evidence
from graphmem.graph.conflict.model import Known, Statement, Verdict
from graphmem.graph.neighbours import Candidate, Neighbourhood, find_neighbours, statement_of
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Row, Transaction
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["RECHECK_BATCH", "recheck"]

# Facts of one transaction, which holds their locks and those of what they change.
RECHECK_BATCH = 64
# Where somebody changed what a batch was decided beside, fewer are tried.
_FEWER = 4


@dataclass(frozen=True, slots=True)
class _Batch:
    """Facts that wait, with what becomes of them.

    Attributes:
        decision_ids: The Decision that waits, by the fact it is about.
        over: Facts that are told no longer: nothing becomes of them.
        asked: The others, as they stand in the store.
        found: What the store knows beside those.
        decisions: What becomes of them.
    """

    decision_ids: Mapping[str, str]
    over: tuple[Statement, ...]
    asked: tuple[Statement, ...]
    found: Neighbourhood
    decisions: Decisions


async def recheck(
    db: Database,
    scope: str,
    pipeline: ConflictPipeline,
    *,
    slot: str,
    embedder_id: str,
    now: datetime,
    batch: int = RECHECK_BATCH,
) -> int:
    """Decide about a batch of facts that were admitted before they had a vector.

    They are decided in the order of the time from which they hold. A fact that waits for that
    as well is none of their neighbours: it is compared with them when its turn comes, so that
    what was said first stays.

    Args:
        db: The store.
        scope: Whose memory it is.
        pipeline: Decides.
        slot: "a" or "b", where the vectors of the active embedder live.
        embedder_id: The active embedder.
        now: When it is recorded; aware UTC.
        batch: The most facts, >= 1.

    Returns:
        How many were settled; 0 = none is left, or others changed what they were decided
        beside each time. What is not settled is unchecked as before.
    """
    while batch:
        rows = await db.run(
            get_query("graph/find_unchecked", slot),
            scope=scope,
            embedder_id=embedder_id,
            limit=batch,
        )
        if not rows:
            return 0
        decided = await _decide(db, scope, rows, pipeline, slot=slot, now=now)
        if await _settle(db, scope, decided, now=now):
            return len(decided.decision_ids)
        batch //= _FEWER
    return 0


async def _decide(
    db: Database,
    scope: str,
    rows: Iterable[Row],
    pipeline: ConflictPipeline,
    *,
    slot: str,
    now: datetime,
) -> _Batch:
    import numpy as np

    decision_ids: dict[str, str] = {}
    over: list[Statement] = []
    candidates: list[Candidate] = []
    for row in rows:
        fact = statement_of(row["fact"])
        # One that was withdrawn and said again waits twice: the next batch has the other one.
        if fact.id in decision_ids:
            continue
        decision_ids[fact.id] = row["decision_id"]
        if fact.is_live:
            vector = np.asarray(row["vector"], dtype=np.float32)
            candidates.append(Candidate(fact, vector=vector))
        else:
            over.append(fact)
    if not candidates:
        return _Batch(decision_ids, tuple(over), (), Neighbourhood((), {}), Decisions((), {}, {}))
    found = await find_neighbours(db, scope, candidates, pipeline, slot=slot, only_checked=True)
    written = Written(scope, now)
    for candidate, known in zip(candidates, found.known, strict=True):
        # What is told no longer is not told again because of a vector.
        told = _with_live_words(known)
        beside = _with_live_words(written.beside(candidate, told))
        written.add(candidate, pipeline.resolve(candidate.statement, beside), told)
    asked = tuple(candidate.statement for candidate in candidates)
    return _Batch(decision_ids, tuple(over), asked, found, written.decisions())


def _with_live_words(known: Known) -> Known:
    return replace(known, exact=tuple(one for one in known.exact if one.is_live))


async def _settle(db: Database, scope: str, batch: _Batch, *, now: datetime) -> bool:
    """Let it take effect in one transaction, whole or not at all.

    Returns:
        False where nothing was changed: a decision was settled elsewhere, or a fact that it
        changes is not as it was when it was decided.
    """
    seen = _seen(batch)
    changes = _changes(batch, seen)
    named = {one for decided in batch.decisions.decided for one in _named(decided.verdict)}
    # What it is decided against is linked, which takes its lock as well.
    against = {one for decided in batch.decisions.decided for one in decided.verdict.against}
    joined = {
        decided.candidate.statement.id: decided.verdict.same_as
        for decided in batch.decisions.decided
        if decided.verdict.same_as
    }
    holds = {one.id for one in (*batch.over, *batch.asked)} | named

    async def work(transaction: Transaction) -> bool:
        if joined:
            await lock_evidence(transaction, scope, fact_ids=joined)
        (row,) = await transaction.run(
            get_query("graph/lock_unchecked"),
            scope=scope,
            decisions=sorted(batch.decision_ids.values()),
            facts=sorted(holds | against),
        )
        if len(row["waiting"]) < len(batch.decision_ids):
            return False
        standing = {fact["id"]: _stand(fact) for fact in row["standing"]}
        if any(standing.get(one) != seen[one] for one in holds):
            return False
        await change_facts(transaction, scope, changes, now=now)
        for from_id, to_id in joined.items():
            await transaction.run(
                get_query("graph/hand_over"), scope=scope, from_id=from_id, to_id=to_id
            )
        await transaction.run(
            get_query("graph/settle_unchecked"), scope=scope, decisions=_outcomes(batch)
        )
        return True

    return await db.transact(work)


_Standing = tuple[str, datetime, datetime]


def _stand(fact: Mapping[str, Any]) -> _Standing:
    return fact["status"], fact["valid_from"], fact["valid_to"]


def _seen(batch: _Batch) -> dict[str, _Standing]:
    """Return how each fact stood in the store when it was decided."""
    facts = [*batch.found.statements, *batch.over, *batch.asked]
    return {one.id: (one.status, one.valid_from, one.valid_to) for one in facts}


def _named(verdict: Verdict) -> Sequence[str]:
    """Return the facts that a verdict changes or links, besides its own."""
    named = (*(closing.fact_id for closing in verdict.closes), verdict.same_as)
    return [one for one in (*named, verdict.superseded_by) if one]


def _changes(batch: _Batch, seen: Mapping[str, _Standing]) -> list[FactChange]:
    decisions = batch.decisions
    changes = [
        FactChange(
            id=decided.candidate.statement.id,
            status="forgotten",
            reason=decided.verdict.reason,
            is_withdrawn=True,
        )
        for decided in decisions.decided
        if decided.verdict.same_as
    ]
    for changed, fact in decisions.standing.items():
        since = decisions.superseded.get(changed)
        if since is None and seen[changed] == (fact.status, fact.valid_from, fact.valid_to):
            continue
        status, valid_from, valid_to = seen[changed]
        changes.append(
            FactChange(
                id=changed,
                status=None if fact.status == status else fact.status,
                valid_from=None if fact.valid_from == valid_from else fact.valid_from,
                valid_to=None if fact.valid_to == valid_to else fact.valid_to,
                reason=None if since is None else since.reason,
                superseded_by=None if since is None else since.successor_id,
            )
        )
    return changes


def _outcomes(batch: _Batch) -> list[dict[str, Any]]:
    # Forgotten or superseded meanwhile: the log keeps what took effect.
    over = [{"id": batch.decision_ids[one.id], "state": "settled"} for one in batch.over]
    return over + [
        {
            "id": batch.decision_ids[decided.candidate.statement.id],
            "state": "open" if decided.verdict.kind is DecisionKind.PENDING else "settled",
            "kind": decided.verdict.kind,
            "stage": decided.verdict.stage,
            "zone": "" if decided.verdict.zone is None else decided.verdict.zone,
            "similarity": decided.verdict.similarity,
            "reason": decided.verdict.reason,
            "against": list(decided.verdict.against),
        }
        for decided in batch.decisions.decided
    ]
