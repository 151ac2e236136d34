"""Which facts the vector index names as near to some: all it needs to know of a large scope."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from graphmem.maintain.consolidation.nearness import MARGIN, MOST_NEAR
from graphmem.maintain.consolidation.pool import pages
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.consolidation.pool import VectorSpace
    from graphmem.maintain.runs import Run

__all__ = ["PROBED", "Neighbours"]

# Facts that the index is asked about in one statement.
PROBED = 100
# A crowd of equals may have no end, and a page of a tick has one.
_MOST_ASKED = 500


class Neighbours:
    """The neighbours of some facts.

    Attributes:
        asked: Ids of those facts.
        pairs: Raw cosines by the ids of two facts, those alone that exceed the threshold.
        full: Those of the facts to which more may be near than were named.
        waiting: Of those of them and of their neighbours that wait to be compared, how often each
            was marked so before it was asked about.
    """

    def __init__(
        self,
        db: Database,
        run: Run,
        space: VectorSpace,
        *,
        threshold: float,
        waiting: Mapping[str, int] | None = None,
    ) -> None:
        self.asked: set[str] = set()
        self.pairs: dict[tuple[str, str], float] = {}
        self.full: set[str] = set()
        self.waiting = dict(waiting or {})
        self._db = db
        self._run = run
        self._space = space
        self._threshold = threshold

    async def ask(self, ids: Sequence[str]) -> None:
        """Ask for the neighbours of some facts."""
        for page in pages(ids, PROBED):
            await self._run.renew()
            rows = await self._db.run(
                get_query("maintain/find_near_facts", self._space.slot),
                scope=self._run.scope,
                ids=list(page),
                near=MOST_NEAR,
                threshold=self._threshold + MARGIN,
                now=self._run.now,
            )
            self.asked.update(page)
            for row in rows:
                self.pairs[row["id"], row["other"]] = row["cosine"]
                if row["revision"] is not None:
                    self.waiting.setdefault(row["other"], row["revision"])
                if row["is_full"]:
                    self.full.add(row["id"])

    async def ask_on(self) -> None:
        """Ask for the neighbours of those neighbours that wait to be compared, and so on.

        Whether a fact goes depends on which of its neighbours stay. Those that were compared
        before do, unless one goes for a fact that waits and is worth more: that one is asked too.
        """
        while due := sorted(self.waiting.keys() - self.asked)[
            : max(0, _MOST_ASKED - len(self.asked))
        ]:
            await self.ask(due)

    def crowded(self, gone: Collection[str]) -> set[str]:
        """Return which facts lost a neighbour and may have more than were named."""
        return {
            one
            for pair in self.pairs
            for one, other in (pair, pair[::-1])
            if one in self.full and other in gone
        }
