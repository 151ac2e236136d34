"""Reading what a scope has page by page: a reader of all of it would hold up who writes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = ["paged"]

_PAGE = 5000


async def paged(db: Database, run: Run, name: str, **params: int) -> AsyncIterator[list[Any]]:
    """Yield what a statement of maintain/ brings of the run's scope.

    Args:
        db: The store.
        run: The run that reads; its hold on the scope is renewed between pages.
        name: The statement; each page is one row with one list, and what it is ordered by stands
            first in each entry.
        params: Whatever else the statement takes.
    """
    query = get_query(f"maintain/{name}")
    after = ""
    while True:
        (row,) = await db.run(query, scope=run.scope, after=after, limit=_PAGE, **params)
        (page,) = row.values()
        for entry in page:
            yield entry
        if len(page) < _PAGE:
            return
        after = page[-1][0]
        await run.renew()
