"""The marks of facts that wait to be compared: read before the work, taken away after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphmem.maintain.consolidation.pool import PAGE, pages
from graphmem.maintain.runs import each
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.consolidation.pool import VectorSpace
    from graphmem.maintain.runs import Run

__all__ = ["clear_marks", "page_marks"]


async def page_marks(
    db: Database, run: Run, space: VectorSpace, *, after: str, limit: int
) -> dict[str, int]:
    """Return the next facts that wait, in the order of their ids, and how often each was marked.

    To be called before anything is read that they are compared by.
    """
    await run.renew()
    rows = await db.run(
        get_query("maintain/page_uncompared"),
        scope=run.scope,
        after=after,
        limit=limit,
        now=run.now,
        embedder_id=space.embedder_id,
    )
    return {row["id"]: row["revision"] for row in rows}


async def clear_marks(run: Run, marks: Mapping[str, int]) -> None:
    """Take their marks from facts that were marked so often and not once more since."""
    facts = [{"id": one, "revision": marks[one]} for one in sorted(marks)]
    for page in pages(facts, PAGE):
        await run.write(get_query("maintain/mark_compared"), each(), scope=run.scope, facts=page)
