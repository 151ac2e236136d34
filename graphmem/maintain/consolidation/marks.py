"""The marks of facts that wait to be compared: seen before the work, taken away after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from graphmem.maintain.consolidation.pool import PAGE, pages
from graphmem.maintain.runs import each
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = ["Marks"]


class Marks:
    """What was seen of facts that wait; a mark that was set again since is not taken away."""

    def __init__(self, db: Database, run: Run) -> None:
        self._db = db
        self._run = run
        self._seen: dict[str, list[int]] = {}

    async def see(self, ids: Sequence[str]) -> None:
        """Look at some facts, before anything is read that they are compared by."""
        rows = await self._db.run(get_query("maintain/get_seen"), scope=self._run.scope, ids=ids)
        self._seen |= {row["id"]: row["seen"] for row in rows}

    async def clear(self, ids: Iterable[str]) -> None:
        """Take the mark from those of some facts that were looked at and not changed since."""
        found = [
            {"id": one, "seen": self._seen.pop(one)} for one in sorted(ids) if one in self._seen
        ]
        for page in pages(found, PAGE):
            await self._run.write(
                get_query("maintain/mark_compared"), each(), scope=self._run.scope, facts=page
            )
