"""Forgetting a fact and taking that back; both keep what was said before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.errors import InputError
from graphmem.graph.change import FactChange, change_facts, lock_facts
from graphmem.models import LIVE
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Transaction

__all__ = ["forget", "no_such_fact", "restore"]


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a fact stands, read under its lock."""

    status: str
    is_withdrawn: bool
    is_judged: bool
    statuses: tuple[str, ...]


async def forget(db: Database, scope: str, fact_id: str, reason: str, *, now: datetime) -> None:
    """Tell a fact no longer, and do not learn it again from a turn that is there already.

    Raises:
        InputError: There is no such fact.
    """

    async def work(transaction: Transaction) -> None:
        standing = await _locked(transaction, scope, fact_id, now)
        if standing.status == "forgotten" and not standing.is_withdrawn:
            return
        change = FactChange(id=fact_id, status="forgotten", reason=reason)
        await change_facts(transaction, scope, [change], now=now)

    await db.transact(work)


async def restore(db: Database, scope: str, fact_id: str, *, now: datetime) -> None:
    """Tell a forgotten fact again, as it stood before.

    Raises:
        InputError: There is no such fact, or it was not forgotten but superseded.
    """

    async def work(transaction: Transaction) -> None:
        standing = await _locked(transaction, scope, fact_id, now)
        if standing.status in LIVE:
            return
        if standing.status != "forgotten":
            raise InputError(
                f"fact {fact_id} was not forgotten, it is {standing.status}: what holds since "
                "stands in its history; if it is so again, remember it again, or supersede what "
                "holds now by it",
                kind="fact-not-forgotten",
                ids=[fact_id],
            )
        before = _before(standing)
        # Of one that is told again it does not count.
        why = f"{before} before it was forgotten, and restored"
        change = FactChange(id=fact_id, status=before, reason=why)
        await change_facts(transaction, scope, [change], now=now)

    await db.transact(work)


def no_such_fact(fact_id: str, scope: str) -> InputError:
    """Return the error that says that a fact is not there."""
    return InputError(
        f"there is no fact {fact_id!r} in scope {scope!r}: list(status='all') and `graphmem facts "
        "list --status all` show the ids of those that are",
        kind="fact-not-found",
        ids=[fact_id],
    )


async def _locked(transaction: Transaction, scope: str, fact_id: str, now: datetime) -> _Standing:
    if not await lock_facts(transaction, scope, [fact_id], now=now):
        raise no_such_fact(fact_id, scope)
    (row,) = await transaction.run(
        get_query("tiers/get_statements"), scope=scope, fact_ids=[fact_id]
    )
    entry = row["fact"]
    return _Standing(
        status=entry["status"],
        is_withdrawn=bool(entry["is_withdrawn"]),
        is_judged=not entry["is_open"],
        statuses=tuple(entry["version_status"] or ()),
    )


def _before(standing: _Standing) -> str:
    """Return the status that a forgotten fact had."""
    before = next((one for one in reversed(standing.statuses) if one != "forgotten"), "active")
    # Nobody would judge it: it was settled meanwhile.
    return "active" if before == "pending" and standing.is_judged else before
