"""Facts of a bulk load: once they have vectors, they are decided about as all others were."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from graphmem.graph.admit import Candidate, find_neighbours, statement_of
from graphmem.graph.change import FactChange, settle
from graphmem.graph.conflict.model import Known, Statement, Verdict
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["RECHECK_BATCH", "recheck"]

# Facts of one round; each is settled in a transaction of its own.
RECHECK_BATCH = 32


async def recheck(
    db: Database,
    scope: str,
    pipeline: ConflictPipeline,
    *,
    slot: str,
    embedder_id: str,
    now: datetime,
) -> int:
    """Decide about facts that were admitted before they had a vector; return how many.

    Fewer than `RECHECK_BATCH` = none is left.

    Args:
        db: The store.
        scope: Whose memory it is.
        pipeline: Decides.
        slot: "a" or "b", where the vectors of the active embedder live.
        embedder_id: The active embedder.
        now: When it is recorded; aware UTC.
    """
    import numpy as np

    rows = await db.run(
        get_query("graph/find_unchecked", slot),
        scope=scope,
        embedder_id=embedder_id,
        limit=RECHECK_BATCH,
    )
    statements = [statement_of(row["fact"]) for row in rows]
    for place, row in enumerate(rows):
        asked = Candidate(statements[place], vector=np.asarray(row["vector"], dtype=np.float32))
        # One after the other: each may retire what the next one is compared with. Those whose
        # turn comes yet are compared with it then: what was said first stays.
        found = await find_neighbours(
            db, scope, [asked], pipeline, slot=slot, others=[one.id for one in statements[place:]]
        )
        (known,) = found.known
        told = replace(known, exact=tuple(one for one in known.exact if one.is_live))
        verdict = pipeline.resolve(asked.statement, told)
        # What was overtaken in between stays unchecked: the next round looks again.
        await settle(
            db,
            scope,
            row["decision_id"],
            verdict,
            now=now,
            seen=found.statuses,
            beside=_widened(asked.statement, told, verdict),
        )
    return len(rows)


def _widened(asked: Statement, told: Known, verdict: Verdict) -> list[FactChange]:
    """Return the change of a live fact that says the same: it holds as long as both were told."""
    near = (one.statement for one in told.near)
    return [
        FactChange(
            id=one.id,
            valid_from=min(asked.valid_from, one.valid_from),
            valid_to=max(asked.valid_to, one.valid_to),
        )
        for one in {one.id: one for one in (*told.exact, *told.slot, *near)}.values()
        if one.id == verdict.same_as and one.is_live
    ]
