"""The facts that consolidation compares, in the order of worth: all but their vectors and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.queries import get_query
from graphmem.scoring import Usage, ValueCurve, value

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = ["PAGE", "Pool", "VectorSpace", "read_pool"]

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


async def read_pool(db: Database, run: Run, space: VectorSpace | None, curve: ValueCurve) -> Pool:
    """Read the live facts of the scope of a run that hold now.

    Args:
        db: The store.
        run: The run that wants them.
        space: Which vectors can be compared; None = there are none.
        curve: How the value of a fact falls and rises.
    """
    pool = Pool()
    numbers: dict[str, int] = {}
    kinds: dict[tuple[datetime, str], int] = {}
    after = ""
    while True:
        await run.renew()
        rows = await db.run(
            get_query("maintain/page_comparable"),
            scope=run.scope,
            after=after,
            limit=PAGE,
            now=run.now,
            embedder_id=space.embedder_id if space else "",
        )
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
        if len(rows) < PAGE:
            return pool.ordered()
        after = rows[-1]["id"]


def _score(row: Mapping[str, Any], now: datetime, curve: ValueCurve) -> float:
    idle_h = (now - row["used_at"]).total_seconds() / 3600
    usage = Usage(row["recall_count"], idle_h, row["reward_sum"], row["reward_count"])
    return value(usage, curve)
