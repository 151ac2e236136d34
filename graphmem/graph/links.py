"""Links between Terms that mean the same: names that are written otherwise, and near synonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["LINK_BATCH", "count_unlinked", "link_similar", "mark_unlinked"]

# HippoRAG 2 measured both: below it names of different things are linked.
_LEAST_COSINE = 0.8
_NEAREST = 10
# Terms of one transaction: a probe each, and their locks are held till its end.
LINK_BATCH = 64
_MARKED = 5000


async def link_similar(db: Database, scope: str, *, slot: str, embedder_id: str) -> int:
    """Link a batch of Terms that got a vector lately to their ten nearest, cosine >= .8.

    Done again it changes nothing.

    Args:
        db: The store.
        scope: Whose memory it is; no link leaves it.
        slot: "a" or "b", where the vectors of the active embedder live.
        embedder_id: The active embedder; Terms of another one wait for their new vector.

    Returns:
        How many Terms were looked at; fewer than `LINK_BATCH` = none is left.
    """
    (row,) = await db.run(
        get_query("graph/link_similar", slot),
        scope=scope,
        embedder_id=embedder_id,
        nearest=_NEAREST,
        least=_LEAST_COSINE,
        limit=LINK_BATCH,
    )
    return int(row["terms"])


async def count_unlinked(db: Database, scope: str, *, embedder_id: str) -> int:
    """Return how many Terms `link_similar` would look at, had all of the scope their vectors."""
    (row,) = await db.run(get_query("graph/count_unlinked"), scope=scope, embedder_id=embedder_id)
    return int(row["terms"])


async def mark_unlinked(db: Database, scope: str, *, embedder_id: str) -> int:
    """Let `link_similar` find Terms that were embedded before there were such links."""
    marked = 0
    while True:
        (row,) = await db.run(
            get_query("graph/mark_unlinked"), scope=scope, embedder_id=embedder_id, limit=_MARKED
        )
        marked += int(row["terms"])
        if row["terms"] < _MARKED:
            return marked
