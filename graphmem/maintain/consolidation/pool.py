"""The facts that consolidation compares, in the order of worth: all but their vectors and words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from graphmem.queries import get_query
from graphmem.scoring import Usage, ValueCurve, value

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = ["PAGE", "Pool", "VectorSpace", "nearest_first", "pages", "read_pool"]

T = TypeVar("T")

# Facts that are read in one statement.
PAGE = 2000


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """Where the vectors lie that can be compared.

    Attributes:
        slot: "a" or "b".
        embedder_id: Whose they are.
        width: How many numbers one has.
    """

    slot: str
    embedder_id: str
    width: int


@dataclass(slots=True)
class Pool:
    """A column for each thing that is known of the facts.

    Attributes:
        checked: Facts that were looked at.
        skipped: Those of them that have no vector, and are not here.
        protections: What keeps each from going, "" where nothing does.
        chained: Whether it superseded another one, or was.
        kinds: Facts of different kinds are never one.
        places: What lies together is about the same.
        tags: Numbers of the tags of each.
    """

    checked: int = 0
    skipped: int = 0

    ids: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    protections: list[str] = field(default_factory=list)
    chained: list[bool] = field(default_factory=list)
    valid_from: list[datetime] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    tags: list[tuple[int, ...]] = field(default_factory=list)

    def near_among(
        self, pairs: Mapping[tuple[str, str], float], *, shares_tags: bool
    ) -> dict[int, list[tuple[int, float]]]:
        """Return, of each fact that is near to one before it, those with their cosines.

        Args:
            pairs: Raw cosines by the ids of two facts.
            shares_tags: Whether a pair needs a tag in common.
        """
        place = {one: at for at, one in enumerate(self.ids)}
        found: dict[int, dict[int, float]] = {}
        for pair, cosine in pairs.items():
            one, other = (place.get(fact_id) for fact_id in pair)
            if one is None or other is None or self.kinds[one] != self.kinds[other]:
                continue
            if not shares_tags or set(self.tags[one]) & set(self.tags[other]):
                found.setdefault(max(one, other), {})[min(one, other)] = cosine
        return nearest_first(found)

    def ordered(self) -> Pool:
        """Return the same in the order of worth."""
        order = sorted(range(len(self.ids)), key=lambda at: (-self.scores[at], self.ids[at]))
        return Pool(
            checked=self.checked,
            skipped=self.skipped,
            ids=[self.ids[at] for at in order],
            scores=[self.scores[at] for at in order],
            protections=[self.protections[at] for at in order],
            chained=[self.chained[at] for at in order],
            valid_from=[self.valid_from[at] for at in order],
            kinds=[self.kinds[at] for at in order],
            places=[self.places[at] for at in order],
            tags=[self.tags[at] for at in order],
        )


async def read_pool(
    db: Database,
    run: Run,
    space: VectorSpace | None,
    curve: ValueCurve,
    *,
    ids: Sequence[str] | None = None,
) -> Pool:
    """Read the live facts of the scope of a run that hold now.

    Args:
        db: The store.
        run: The run that wants them.
        space: Which vectors can be compared; None = there are none.
        curve: How the value of a fact falls and rises.
        ids: Only these; None = all.
    """
    pool = Pool()
    numbers: dict[str, int] = {}
    kinds: dict[tuple[datetime, str], int] = {}
    async for rows in _pages(db, run, space, ids):
        pool.checked += len(rows)
        for row in rows:
            if space is None or not row["has_vector"]:
                pool.skipped += 1
                continue
            pool.ids.append(row["id"])
            pool.scores.append(_score(row, run.now, curve))
            pool.protections.append(row["protection"])
            pool.chained.append(row["is_chained"])
            pool.valid_from.append(row["valid_from"])
            # Two that end at different times, or may be told to others, are two facts.
            kind = (row["valid_to"], row["sensitivity"])
            pool.kinds.append(kinds.setdefault(kind, len(kinds)))
            pool.places.append(row["place"])
            pool.tags.append(tuple(numbers.setdefault(tag, len(numbers)) for tag in row["tags"]))
    return pool.ordered()


async def _pages(
    db: Database, run: Run, space: VectorSpace | None, ids: Sequence[str] | None
) -> AsyncIterator[list[dict[str, Any]]]:
    after, start = "", 0
    while ids is None or start < len(ids):
        await run.renew()
        rows = await db.run(
            get_query("maintain/page_comparable"),
            scope=run.scope,
            after=after,
            limit=PAGE,
            ids=[] if ids is None else list(ids[start : start + PAGE]),
            now=run.now,
            embedder_id=space.embedder_id if space else "",
        )
        yield rows
        if ids is None and len(rows) < PAGE:
            return
        after, start = rows[-1]["id"] if rows else after, start + PAGE


def pages(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield a sequence in parts."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def nearest_first(
    found: Mapping[int, Mapping[int, float]],
) -> dict[int, list[tuple[int, float]]]:
    """Return what was found of each fact, in their order, the nearest first."""
    return {
        later: sorted(near.items(), key=lambda pair: (-pair[1], pair[0]))
        for later, near in sorted(found.items())
    }


def _score(row: Mapping[str, Any], now: datetime, curve: ValueCurve) -> float:
    idle_h = (now - row["used_at"]).total_seconds() / 3600
    usage = Usage(row["recall_count"], idle_h, row["reward_sum"], row["reward_count"])
    return value(usage, curve)
