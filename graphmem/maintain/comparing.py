"""Which facts of a pool are near to one another: fetched in parts, compared exactly in each."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphmem.maintain.nearness import (
    MARGIN,
    MOST_IN_GROUP,
    Group,
    Near,
    batches,
    groups_of,
    near_in,
)
from graphmem.maintain.pool import PAGE, nearest_first, pages
from graphmem.operation import Progress
from graphmem.queries import get_query

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphmem.db import Database
    from graphmem.maintain.pool import Pool, VectorSpace
    from graphmem.maintain.runs import Run

__all__ = ["PROBED", "Comparison", "Neighbours", "neighbourhood_of", "neighbours_of"]

# Facts that the vector index is asked about in one statement, and what it names for each.
PROBED = 100
_NEAREST = 10
# Facts of a neighbourhood: a crowd of equals may have no end, and a tick has one.
_MOST_ASKED = 500


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
                for near in await asyncio.to_thread(self._near, part, inside, vectors):
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
        found = await neighbours_of(
            self._db,
            self._run,
            space,
            self._pool.ids,
            threshold=self._threshold,
            progress=self._progress,
        )
        self.cut = len(found.full)
        return self._pool.near_among(found.pairs, shares_tags=False)

    def _advance(self, done: int) -> None:
        if self._progress is not None:
            self._progress(done, len(self._pool.ids))


@dataclass(slots=True)
class Neighbours:
    """What the vector index names for some facts; of each the ten nearest.

    Attributes:
        asked: Ids of those facts.
        pairs: Raw cosines by the ids of two facts, those alone that exceed the threshold.
        full: Facts to which more may be near.
        waiting: Facts that were named and wait to be compared themselves.
    """

    asked: set[str] = field(default_factory=set)
    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    full: set[str] = field(default_factory=set)
    waiting: set[str] = field(default_factory=set)

    def near_to(self, ids: Collection[str]) -> set[str]:
        """Return what is near to one of some facts."""
        return {
            one for pair in self.pairs for one, other in (pair, pair[::-1]) if other in ids
        }


async def neighbours_of(
    db: Database,
    run: Run,
    space: VectorSpace,
    ids: Sequence[str],
    *,
    threshold: float,
    progress: Progress | None = None,
    found: Neighbours | None = None,
) -> Neighbours:
    """Ask the vector index for the facts nearest to each of some.

    Args:
        db: The store.
        run: The run that wants them.
        space: Where the vectors lie.
        ids: The facts.
        threshold: Raw cosine that is to be exceeded.
        progress: Called with how many were asked about, and of how many.
        found: What was found before, to be added to.
    """
    found = Neighbours() if found is None else found
    done = 0
    for page in pages(ids, PROBED):
        await run.renew()
        rows = await db.run(
            get_query("maintain/find_near_facts", space.slot),
            scope=run.scope,
            ids=list(page),
            near=_NEAREST,
            threshold=threshold + MARGIN,
            now=run.now,
        )
        found.asked.update(page)
        found.pairs |= {(row["id"], row["other"]): row["cosine"] for row in rows}
        found.full |= {row["id"] for row in rows if row["is_full"]}
        found.waiting |= {row["other"] for row in rows if row["waits"]}
        done += len(page)
        if progress is not None:
            progress(done, len(ids))
    return found


async def neighbourhood_of(
    db: Database, run: Run, space: VectorSpace, ids: Sequence[str], *, threshold: float
) -> Neighbours:
    """Return the neighbours of some facts, of those of them that wait as well, and so on.

    Whether a fact goes depends on which of its neighbours stay: those that were compared before
    do, unless one that waits is worth more.
    """
    found = Neighbours()
    due = list(ids)
    while due:
        await neighbours_of(db, run, space, due, threshold=threshold, found=found)
        room = max(0, _MOST_ASKED - len(found.asked))
        due = sorted(found.waiting - found.asked)[:room]
    return found


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
