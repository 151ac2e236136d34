"""Changes of facts that are in the graph already; each keeps what was said before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.graph.conflict.model import Verdict
from graphmem.models import LIVE
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Transaction

__all__ = [
    "FactChange",
    "Judged",
    "change_facts",
    "lock_evidence",
    "lock_facts",
    "note_failure",
    "settle",
]


@dataclass(frozen=True, slots=True)
class FactChange:
    """What a fact is to say of itself from now on; None = as it does.

    Attributes:
        status: One of the statuses of `Fact`.
        valid_from: From when it holds.
        valid_to: Until when, exclusive.
        reason: Why it is no longer told.
        is_withdrawn: Of a forgotten one: nobody wanted it forgotten, so that it may be learned
            again.
        superseded_by: The fact that holds since.
    """

    id: str
    status: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    reason: str | None = None
    is_withdrawn: bool = False
    superseded_by: str | None = None


async def lock_evidence(
    transaction: Transaction,
    scope: str,
    *,
    turn_ids: Iterable[str] = (),
    fact_ids: Iterable[str] = (),
) -> None:
    """Lock Turns that are to state a fact, and what hangs on facts that hand it over.

    Every writer locks Turns and Tags before Facts: done first, none waits for another in a ring.
    """
    await transaction.run(
        get_query("graph/lock_evidence"),
        scope=scope,
        turn_ids=sorted(turn_ids),
        fact_ids=sorted(fact_ids),
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """Who said how a decision comes out, and why."""

    by: str
    reason: str


async def change_facts(
    runner: Database | Transaction, scope: str, changes: Sequence[FactChange], *, now: datetime
) -> list[str]:
    """Change facts, and return the ids of those that are there; one write.

    Args:
        runner: The store, or a transaction that this is a part of.
        scope: Whose memory it is.
        changes: One a fact.
        now: When it is recorded; aware UTC.
    """
    if not changes:
        return []
    rows = await runner.run(
        get_query("graph/change_facts"),
        scope=scope,
        now=now,
        changes=[asdict(change) for change in sorted(changes, key=lambda change: change.id)],
    )
    await raise_routes(runner, scope, rows)
    return [row["id"] for row in rows]


async def raise_routes(
    runner: Database | Transaction, scope: str, changed: Sequence[Mapping[str, Any]]
) -> None:
    """Let what leads to facts that are told again lead there again; mostly there is nothing to do.

    Args:
        runner: The store, or a transaction that this is a part of.
        scope: Whose memory it is.
        changed: The rows of graph/change_facts.
    """
    back = sorted(row["id"] for row in changed if row["is_back"])
    if back:
        await runner.run(get_query("graph/raise_routes"), scope=scope, ids=back)


async def lock_facts(
    transaction: Transaction, scope: str, fact_ids: Iterable[str], *, now: datetime
) -> dict[str, str]:
    """Lock facts, and return the status of each that is there, by id."""
    rows = await transaction.run(
        get_query("graph/change_facts"),
        scope=scope,
        now=now,
        # A change of nothing takes the lock.
        changes=[asdict(FactChange(id=fact_id)) for fact_id in sorted(set(fact_ids))],
    )
    return {row["id"]: row["status"] for row in rows}


async def settle(
    db: Database,
    scope: str,
    decision_id: str,
    verdict: Verdict,
    *,
    now: datetime,
    judged: Judged,
    beside: Sequence[FactChange] = (),
) -> bool:
    """Let what a judge said of a fact that was admitted already take effect; one transaction.

    A dedup forgets the fact and hands what it has to the one that says the same; a supersede
    closes what the verdict names.

    Args:
        db: The store.
        scope: Whose memory it is.
        decision_id: The decision that waits.
        verdict: What becomes of its fact.
        now: When it is recorded; aware UTC.
        judged: Who said it.
        beside: Changes of further facts that belong to it.

    Returns:
        False where nothing was changed: it was settled elsewhere, or what the verdict names is
        live no longer.

    Raises:
        StoreError: The server failed; nothing was changed.
    """

    async def work(transaction: Transaction) -> bool:
        rows = await transaction.run(get_query("graph/lock_decision"), scope=scope, id=decision_id)
        if not rows:
            return False
        fact_id = str(rows[0]["fact_id"])
        if verdict.same_as:
            await lock_evidence(transaction, scope, fact_ids=[fact_id])
        targets = [closing.fact_id for closing in verdict.closes]
        targets += [verdict.same_as] if verdict.same_as else []
        standing = await lock_facts(transaction, scope, [fact_id, *targets], now=now)
        # The store was not locked while the judge thought.
        if any(standing.get(one) not in LIVE for one in targets):
            return False
        if standing.get(fact_id) in LIVE:
            changes = [*_changes(fact_id, verdict, now), *beside]
            await change_facts(transaction, scope, changes, now=now)
            if verdict.same_as:
                await transaction.run(
                    get_query("graph/hand_over"),
                    scope=scope,
                    from_id=fact_id,
                    to_id=verdict.same_as,
                )
        await transaction.run(
            get_query("graph/settle_decision"),
            scope=scope,
            id=decision_id,
            now=now,
            settled={
                "state": "settled",
                "attempts": 1,
                "error": "",
                "judged_kind": verdict.kind,
                "judged_reason": judged.reason,
                "judged_by": judged.by,
            },
        )
        return True

    return await db.transact(work)


async def note_failure(
    db: Database, scope: str, decision_id: str, error: str, *, owner: str, now: datetime
) -> bool:
    """Note why a judge failed at a decision, which stays open and is let go.

    Returns:
        False where it is not `owner` any more who has taken it up: nothing was noted then.
    """
    rows = await db.run(
        get_query("graph/settle_decision"),
        scope=scope,
        id=decision_id,
        now=now,
        settled={"state": "open", "attempts": 1, "error": error, "owner": owner},
    )
    return bool(rows)


def _changes(fact_id: str, verdict: Verdict, now: datetime) -> list[FactChange]:
    if verdict.same_as:
        return [
            FactChange(id=fact_id, status="forgotten", reason=verdict.reason, is_withdrawn=True)
        ]
    closed = [
        FactChange(
            id=closing.fact_id,
            # What will end holds until then.
            status="superseded" if closing.valid_to <= now else None,
            valid_to=closing.valid_to,
            reason=verdict.reason,
            superseded_by=fact_id,
        )
        for closing in verdict.closes
    ]
    return [FactChange(id=fact_id, status="active"), *closed]
