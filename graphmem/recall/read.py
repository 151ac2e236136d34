"""Reading without a question: one turn's evidence, and the counts of a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.health import Stats
from graphmem.models import Evidence
from graphmem.queries import get_query
from graphmem.recall.rows import fact_of, turn_of

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["get_evidence", "stats"]


async def get_evidence(db: Database, scope: str, turn_id: str) -> Evidence | None:
    """Return a turn with its exact messages and every fact that it states, or None.

    Facts that hold no longer are among them, with the status that tells so.
    """
    rows = await db.run(get_query("recall/get_turn"), scope=scope, turn_id=turn_id)
    if not rows:
        return None
    return Evidence(
        turn=turn_of(rows[0]["turn"]), facts=tuple(fact_of(entry) for entry in rows[0]["facts"])
    )


async def stats(db: Database, scope: str) -> Stats:
    """Return the counts of one scope; an empty scope has only zeros."""
    row = (await db.run(get_query("recall/count_scope"), scope=scope))[0]
    return Stats(
        scope=scope,
        nodes={entry["name"]: entry["number"] for entry in row["nodes"]},
        relationships={entry["name"]: entry["number"] for entry in row["relationships"]},
        # A turn that was made by hand may have none; it is counted all the same.
        extraction={entry["name"] or "unknown": entry["number"] for entry in row["extraction"]},
        undecided={entry["name"]: entry["number"] for entry in row["undecided"]},
        without_vector={entry["name"]: entry["number"] for entry in row["without_vector"]},
    )
