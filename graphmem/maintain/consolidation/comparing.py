"""Which facts of a pool are near to one another: fetched in parts, compared exactly in each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from graphmem.maintain.consolidation.nearness import (
    MOST_IN_GROUP,
    Group,
    Near,
    batches,
    groups_of,
    near_in,
)
from graphmem.maintain.consolidation.neighbours import Neighbours
from graphmem.maintain.consolidation.pool import PAGE, nearest_first, pages
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphmem.db import Database
    from graphmem.maintain.consolidation.pool import Pool, VectorSpace
    from graphmem.maintain.runs import Run

__all__ = ["Comparison"]


class Comparison:
    """A comparison of the facts of a pool.

    Attributes:
        cut: Facts that were not compared with all.
    """

    def __init__(
        self,
        db: Database,
        run: Run,
        pool: Pool,
        *,
        threshold: float,
        progress: Progress | None,
    ) -> None:
        self.cut = 0
        self._db = db
        self._run = run
        self._pool = pool
        self._threshold = threshold
        self._progress = progress

    async def near(
        self, space: VectorSpace, *, shares_tags: bool
    ) -> dict[int, list[tuple[int, float]]]:
        """Return, of each fact that is near to one before it, those with their cosines.

        Args:
            space: Where the vectors lie.
            shares_tags: Whether only those that share a tag are compared.
        """
        count = len(self._pool.ids)
        if shares_tags:
            groups, self.cut = groups_of(self._pool.tags, self._pool.places)
        elif count <= MOST_IN_GROUP:
            groups, self.cut = groups_of([(0,)] * count, self._pool.places)
        else:
            return await self._probe(space)
        return nearest_first(await self._compare(groups, space))

    async def _compare(
        self, groups: Sequence[Group], space: VectorSpace
    ) -> dict[int, dict[int, float]]:
        found: dict[int, dict[int, float]] = {}
        count = len(self._pool.ids)
        total = sum(len(group.members) for group in groups)
        done = 0
        for batch, inside in batches(groups, space.width):
            vectors = await self._vectors(space, inside)
            for part in _by_size(batch):
                await self._run.renew()
                work = asyncio.to_thread(self._near, part, inside, vectors)
                for near in await self._run.hold_while(work):
                    self.cut += near.cut
                    columns = (near.later.tolist(), near.earlier.tolist(), near.cosine.tolist())
                    for later, earlier, cosine in zip(*columns, strict=True):
                        found.setdefault(later, {})[earlier] = cosine
                done += sum(len(group.members) for group in part)
                self._advance(count * done // total)
        return found

    def _near(
        self, groups: Sequence[Group], inside: NDArray[np.int64], vectors: NDArray[np.float32]
    ) -> list[Near]:
        import numpy as np

        pairs = []
        for group in groups:
            members = group.members
            kinds = np.array([self._pool.kinds[one] for one in members.tolist()], np.int64)
            rows = vectors[np.searchsorted(inside, members)]
            near = near_in(rows, kinds, self._threshold)
            pairs.append(Near(members[near.later], members[near.earlier], near.cosine, near.cut))
        return pairs

    async def _vectors(self, space: VectorSpace, inside: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of facts by their numbers, a row each; zeros where one is gone."""
        import numpy as np

        vectors = np.zeros((len(inside), space.width), np.float32)
        place = {self._pool.ids[one]: at for at, one in enumerate(inside.tolist())}
        for page in pages(list(place), PAGE):
            await self._run.renew()
            rows = await self._db.run(
                get_query("maintain/get_vectors", space.slot), scope=self._run.scope, ids=page
            )
            for row in rows:
                vectors[place[row["id"]]] = row["vector"].to_numpy()
        return vectors

    async def _probe(self, space: VectorSpace) -> dict[int, list[tuple[int, float]]]:
        """Ask the vector index for the nearest of each: comparing all pairs would take too long."""
        neighbours = Neighbours(self._db, self._run, space, threshold=self._threshold)
        for page in pages(self._pool.ids, PAGE):
            await neighbours.ask(page)
            self._advance(len(neighbours.asked))
        self.cut = len(neighbours.full)
        return self._pool.near_among(neighbours.pairs, shares_tags=False)

    def _advance(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, len(self._pool.ids))


def _by_size(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Yield groups in parts of some thousand facts: most Tags have a few."""
    part: list[Group] = []
    size = 0
    for group in groups:
        part.append(group)
        size += len(group.members)
        if size >= PAGE:
            yield part
            part, size = [], 0
    if part:
        yield part
