"""Vectors that come after their nodes, and what follows from them: links and decisions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.graph import links, vectors
from graphmem.graph.recheck import recheck
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.graph.conflicts import Conflicts
    from graphmem.vectorise import Vectoriser

__all__ = ["LateVectors", "Waiting"]

# Called with how much more is through.
Advance = Callable[[int], None]

# Nodes that one round of the background work embeds, so that it never keeps turns waiting long.
_BACKFILL_ROUND = 256
# Terms that one round links: a vector probe each.
_LINK_ROUND = 128
# Facts of which one round finds out whether they say something new.
_CHECK_ROUND = 128


def _unwatched(_: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Waiting:
    """What of a scope waits for vectors.

    Attributes:
        without_vector: Nodes that have none.
        unlinked: Terms that are linked to similar ones when they have theirs.
        unchecked: Facts that are decided about anew when they have theirs.
    """

    without_vector: int
    unlinked: int
    unchecked: int

    @property
    def total(self) -> int:
        """How much is to be done: a Term that has no vector is to be embedded, and linked."""
        return self.without_vector + self.unlinked + self.unchecked


class LateVectors:
    """Fills in what was written without vectors: of a bulk load, or while the embedder was down."""

    def __init__(
        self,
        db: Database,
        vectoriser: Vectoriser,
        clock: Clock,
        *,
        conflicts: Conflicts,
        lane: Callable[[str], AbstractAsyncContextManager[object]],
    ) -> None:
        self._db = db
        self._vectoriser = vectoriser
        self._clock = clock
        self._conflicts = conflicts
        self._lane = lane

    async def backfill(self, scope: str, *, progress: Progress | None = None) -> int:
        """Embed nodes that wait for a vector; return how many have one now.

        Terms are linked to similar ones too, also those of a store that has no such links yet, and
        facts that had no vector are decided about anew.

        Args:
            scope: Where.
            progress: Called with how much of all that is done, and of how much.
        """
        if not await self._vectoriser.is_up():
            return 0
        slot = self._vectoriser.slot
        if slot is None:
            return 0
        await links.mark_unlinked(self._db, scope, embedder_id=self._vectoriser.embedder_id)
        advance = await self._advance(scope, progress)
        embedded = await self._embed_waiting(scope, slot, limit=None, advance=advance)
        await self._link_similar(scope, slot, limit=None, advance=advance)
        await self._recheck(scope, slot, limit=None, advance=advance)
        return embedded

    async def count_waiting(self, scope: str) -> Waiting:
        """Return how much of a scope waits for vectors, whether the embedder is up or not."""
        (row,) = await self._db.run(get_query("graph/count_unchecked"), scope=scope)
        nodes = await vectors.count_unembedded(self._db, scope)
        terms = await links.count_unlinked(
            self._db, scope, embedder_id=self._vectoriser.embedder_id
        )
        return Waiting(without_vector=nodes, unlinked=terms, unchecked=int(row["facts"]))

    async def backfill_some(self, scope: str) -> int:
        """Do one bounded round of it, for the background; return how many nodes had to wait."""
        if not await self._vectoriser.is_up():
            return 0
        slot = self._vectoriser.slot
        if slot is None:
            return 0
        embedded = await self._embed_waiting(scope, slot, limit=_BACKFILL_ROUND)
        # Links come last: a Term finds those that have a vector already, and so does a fact.
        return (
            embedded
            or await self._link_similar(scope, slot, limit=_LINK_ROUND)
            or await self._recheck(scope, slot, limit=_CHECK_ROUND)
        )

    async def _advance(self, scope: str, progress: Progress | None) -> Advance:
        """Return what is told of each part that is through, and tells the caller of the whole."""
        if progress is None:
            return _unwatched
        total = (await self.count_waiting(scope)).total
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            # More may have come meanwhile.
            progress(done, max(done, total))

        return advance

    async def _embed_waiting(
        self, scope: str, slot: str, *, limit: int | None, advance: Advance = _unwatched
    ) -> int:
        return await vectors.backfill(
            self._db,
            scope,
            self._vectoriser.documents,
            slot=slot,
            embedder_id=self._vectoriser.embedder_id,
            limit=limit,
            advance=advance,
        )

    async def _link_similar(
        self, scope: str, slot: str, *, limit: int | None, advance: Advance = _unwatched
    ) -> int:
        done = 0
        while limit is None or done < limit:
            # As with every write: two of one scope would wait for each other's locks.
            async with self._lane(scope):
                linked = await links.link_similar(
                    self._db, scope, slot=slot, embedder_id=self._vectoriser.embedder_id
                )
            done += linked
            advance(linked)
            if linked < links.LINK_BATCH:
                break
        return done

    async def _recheck(
        self, scope: str, slot: str, *, limit: int | None, advance: Advance = _unwatched
    ) -> int:
        """Decide anew about facts that were admitted without a vector; return how many."""
        done = 0
        while limit is None or done < limit:
            async with self._lane(scope):
                checked = await recheck(
                    self._db,
                    scope,
                    self._conflicts.pipeline,
                    slot=slot,
                    embedder_id=self._vectoriser.embedder_id,
                    now=self._clock.now(),
                )
            done += checked
            advance(checked)
            if not checked:
                break
        return done
