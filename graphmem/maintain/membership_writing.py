"""Who is in which community: reading that from the store, and writing what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from graphmem.ids import scope_token
from graphmem.maintain.membership import OldCommunity, Placed, key_of
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.maintain.runs import Run

__all__ = ["Written", "drop_empty", "read_old", "write_moves", "write_placed"]

T = TypeVar("T")

_PAGE = 5000
# Terms or communities that change in one transaction.
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Written:
    """What was written.

    Attributes:
        moved: Terms that are in another community than before.
        created: Communities that are new.
        changed: Communities that have other members than before, beside the new ones.
    """

    moved: int
    created: int
    changed: int


async def read_old(db: Database, run: Run) -> dict[str, OldCommunity]:
    """Return the communities of the run's scope by id."""
    found: dict[str, OldCommunity] = {}
    after = ""
    while True:
        rows = await db.run(
            get_query("maintain/page_communities"), scope=run.scope, after=after, limit=_PAGE
        )
        for row in rows:
            found[row["id"]] = OldCommunity(
                row["id"], row["key"], row["size"], row["ordinal"], row["members"]
            )
        if len(rows) < _PAGE:
            return found
        after = rows[-1]["id"]
        await run.renew()


async def write_placed(
    db: Database,
    run: Run,
    placed: Sequence[Placed],
    old: Mapping[str, OldCommunity],
    *,
    community_of: Mapping[str, str | None],
    ranks: Mapping[str, float],
    advance: Callable[[int], None],
) -> Written:
    """Write a whole partition: what stays as it was is not touched.

    Args:
        db: The store.
        run: The run that does it.
        placed: Every group of the scope.
        old: The communities that there are.
        community_of: Where each Term is now.
        ranks: What is to be written of their ranks; those that are not among them stay.
        advance: Called with how many Terms were looked at, after each batch.
    """
    changed = [one for one in placed if one.is_changed]
    await _open(db, run, sorted(one.id for one in changed))
    wanted = {key: one.id for one in placed for key in one.members}
    rows = []
    looked = 0
    moved = 0
    for key in sorted(wanted):
        looked += 1
        moves = community_of.get(key) != wanted[key]
        if moves or key in ranks:
            rows.append(
                {"key": key, "community_id": wanted[key], "moves": moves, "rank": ranks.get(key)}
            )
        if len(rows) == _BATCH:
            moved += await _assign(db, run, rows)
            advance(looked)
            rows, looked = [], 0
    moved += await _assign(db, run, rows)
    advance(looked)
    await _close(
        db,
        run,
        [
            {"id": one.id, "key": one.key, "size": len(one.members), "ordinal": one.ordinal}
            for one in sorted(changed, key=lambda one: one.id)
        ],
    )
    await _each(
        db,
        run,
        "maintain/order_communities",
        [
            {"id": one.id, "ordinal": one.ordinal}
            for one in sorted(placed, key=lambda one: one.id)
            if not one.is_changed and old[one.id].ordinal != one.ordinal
        ],
    )
    created = sum(one.is_new for one in placed)
    run.changed(one.id for one in changed)
    return Written(moved, created, len(changed) - created)


async def write_moves(
    db: Database,
    run: Run,
    moves: Mapping[str, str | None],
    old: Mapping[str, OldCommunity],
    *,
    affected: Iterable[str],
    touched: Iterable[str],
) -> Written:
    """Write that some Terms are in other communities than before.

    Args:
        db: The store.
        run: The run that does it.
        moves: The community of each Term that moves, None = none.
        old: The communities that there are.
        affected: Communities that lose or win a member, new ones among them.
        touched: Communities of which something else is told than before.
    """
    changed = sorted(set(affected))
    await _open(db, run, changed)
    rows = [
        {"key": key, "community_id": moves[key], "moves": True, "rank": None}
        for key in sorted(moves)
    ]
    moved = 0
    for batch in _batches(rows):
        moved += await _assign(db, run, batch)
    ordinal = max((one.ordinal for one in old.values()), default=0)
    closed = []
    for ids in _batches(changed):
        found = await db.run(get_query("maintain/list_members"), scope=run.scope, ids=ids)
        for row in found:
            # One without a member keeps no key; it is dropped next.
            if not row["keys"]:
                continue
            before = old.get(row["id"])
            if before is None:
                ordinal += 1
            closed.append(
                {
                    "id": row["id"],
                    "key": key_of(row["keys"]),
                    "size": len(row["keys"]),
                    "ordinal": ordinal if before is None else before.ordinal,
                }
            )
    await _close(db, run, closed)
    for ids in _batches(sorted(set(touched) - set(changed))):
        await db.run(get_query("maintain/mark_communities"), scope=run.scope, ids=ids)
    created = sum(row["id"] not in old for row in closed)
    run.changed(row["id"] for row in closed)
    return Written(moved, created, len(closed) - created)


async def drop_empty(db: Database, run: Run) -> int:
    """Delete communities without a member; return how many."""
    dropped = 0
    while True:
        await run.renew()
        (row,) = await db.run(
            get_query("maintain/drop_empty_communities"), scope=run.scope, limit=_BATCH
        )
        dropped += int(row["dropped"])
        if row["dropped"] < _BATCH:
            return dropped


async def _open(db: Database, run: Run, ids: Sequence[str]) -> None:
    token = scope_token(run.scope)
    for batch in _batches(ids):
        await run.renew()
        await db.run(
            get_query("maintain/open_communities"), scope=run.scope, scope_token=token, ids=batch
        )


async def _assign(db: Database, run: Run, rows: Sequence[Mapping[str, Any]]) -> int:
    if not rows:
        return 0
    await run.renew()
    (row,) = await db.run(get_query("maintain/assign_terms"), scope=run.scope, rows=list(rows))
    return int(row["moved"])


async def _close(db: Database, run: Run, rows: Sequence[Mapping[str, Any]]) -> None:
    await _each(db, run, "maintain/close_communities", rows)


async def _each(db: Database, run: Run, query: str, rows: Sequence[Mapping[str, Any]]) -> None:
    for batch in _batches(rows):
        await run.renew()
        await db.run(get_query(query), scope=run.scope, rows=batch)


def _batches(items: Sequence[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), _BATCH):
        yield list(items[start : start + _BATCH])
