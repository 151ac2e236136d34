"""A fact that somebody puts in the place of another one, without asking the pipeline."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.decisions import DecisionKind, Stage
from graphmem.errors import InputError
from graphmem.graph.change import lock_facts
from graphmem.graph.conflict.model import Closing, Statement, Verdict
from graphmem.graph.neighbours import Neighbourhood
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db.database import Transaction

__all__ = ["Waiting", "find_waiting", "superseding"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A fact that begins when another one ends, which holds until then."""

    id: str
    valid_from: datetime


async def find_waiting(
    transaction: Transaction, scope: str, fact_id: str, *, now: datetime
) -> Waiting | None:
    """Lock a fact, and return the one that begins when it ends, where there is one already.

    Nobody may end it, or plan what follows on it, from then on.
    """
    await lock_facts(transaction, scope, [fact_id], now=now)
    rows = await transaction.run(get_query("graph/find_successor"), scope=scope, fact_id=fact_id)
    return Waiting(**rows[0]) if rows else None


def superseding(
    asked: Statement, found: Neighbourhood, old_id: str, reason: str, waiting: Waiting | None
) -> Verdict:
    """Return the verdict that puts a statement in the place of a fact.

    Args:
        asked: The statement.
        found: What is known beside it, the fact among what was named.
        old_id: The fact.
        reason: Why.
        waiting: What follows on the fact already: the statement comes between.

    Raises:
        InputError: The fact is not there, it is over by then, or says just that.
    """
    old = found.named.get(old_id)
    if old is None:
        raise InputError(
            f"there is no fact {old_id} in this scope any more: look for what holds now",
            kind="fact-not-found",
            ids=[old_id],
        )
    if not old.is_live:
        raise InputError(
            f"fact {old_id} is {old.status} already; supersede the one that holds now "
            "(history tells which)",
            ids=[old_id],
        )
    if asked.canonical_hash == old.canonical_hash:
        raise InputError(f"fact {old_id} says just that: nothing would change", ids=[old_id])
    if asked.valid_from < old.valid_from:
        raise InputError(
            f"fact {old_id} holds from {old.valid_from.isoformat()} on: what supersedes it "
            "cannot begin earlier; give it a valid_from that does not lie before that",
            ids=[old_id],
        )
    if waiting is not None and asked.valid_from >= waiting.valid_from:
        raise InputError(
            f"fact {old_id} is over by then: fact {waiting.id} follows on it from "
            f"{waiting.valid_from.isoformat()} on; supersede that one, or forget it first",
            ids=[old_id, waiting.id],
        )
    told = [one.id for one in found.known[0].exact if one.is_live]
    verdict = Verdict(
        kind=DecisionKind.SUPERSEDE,
        stage=Stage.EXPLICIT,
        reason=reason,
        against=(old_id,),
        same_as=told[0] if told else "",
        # What would have ended before that anyhow keeps its end.
        closes=(Closing(old_id, min(asked.valid_from, old.valid_to)),),
    )
    if waiting is None or told:
        return verdict
    # What was planned stays: the new one comes between.
    return replace(
        verdict, superseded_by=waiting.id, valid_to=min(asked.valid_to, waiting.valid_from)
    )
