"""Who is in which community: reading that from the store, and writing what changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from graphmem.ids import scope_token
from graphmem.maintain.communities.membership import (
    OldCommunity,
    PlacedGroup,
    community_by_member,
    key_of,
)
from graphmem.maintain.communities.paging import paged
from graphmem.maintain.runs import Run, each
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["Written", "drop_empty", "read_old", "write_moves", "write_placed"]

T = TypeVar("T")

# Terms or communities that change in one transaction; who writes of one of them waits so long.
_BATCH = 5000
# Instead of a community: no id is like it.
_NOWHERE = ""


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
    return {entry[0]: OldCommunity(*entry) async for entry in paged(db, run, "page_communities")}


async def write_placed(
    run: Run,
    placed: Sequence[PlacedGroup],
    old: Mapping[str, OldCommunity],
    *,
    ranks: Mapping[str, float],
    advance: Callable[[int], None],
) -> Written:
    """Write a whole partition: what stays as it was is not touched.

    Args:
        run: The run that does it.
        placed: Every group of the scope.
        old: The communities that there are.
        ranks: What is to be written of their ranks; those that are not among them stay.
        advance: Called with how many Terms were looked at, after each batch.
    """
    changed = [one for one in placed if one.is_changed]
    await _open(run, old.keys() - {one.id for one in placed if not one.is_changed})
    moved = 0
    for batch in _placing(placed, community_by_member(old.values()), ranks):
        moved += await _write(run, batch)
        advance(batch.looked)
    reordered = [
        {"id": one.id, "ordinal": one.ordinal}
        for one in sorted(placed, key=lambda one: one.id)
        if not one.is_changed and old[one.id].ordinal != one.ordinal
    ]
    order = get_query("maintain/order_communities")
    for rows in _batches(reordered):
        await run.write(order, each(), scope=run.scope, rows=rows)
    created = sum(one.is_new for one in placed)
    run.changed(one.id for one in changed)
    return Written(moved, created, len(changed) - created)


async def write_moves(
    run: Run,
    moves: Mapping[str, str | None],
    old: Mapping[str, OldCommunity],
    *,
    affected: Iterable[str],
    touched: Iterable[str],
) -> Written:
    """Write that some Terms are in other communities than before.

    Args:
        run: The run that does it.
        moves: The community of each Term that moves, None = none.
        old: The communities that there are.
        affected: Communities that lose or win a member, new ones among them.
        touched: Communities of which something else is told than before.
    """
    changed = sorted(set(affected))
    members = {id_: old[id_].members for id_ in changed if id_ in old}
    stays = {key: id_ for id_, keys in members.items() for key in keys if key not in moves}
    joining: dict[str | None, list[str]] = defaultdict(list)
    for key, target in moves.items():
        joining[target].append(key)
    placed = []
    ordinal = max((one.ordinal for one in old.values()), default=0)
    for id_ in changed:
        keys = sorted([*(key for key in members.get(id_, ()) if key in stays), *joining[id_]])
        # One without a member keeps no key; it is dropped next.
        if not keys:
            continue
        ordinal += id_ not in old
        at = old[id_].ordinal if id_ in old else ordinal
        placed.append(
            PlacedGroup(id_, key_of(keys), keys, at, is_new=id_ not in old, is_changed=True)
        )
    await _open(run, members)
    moved = 0
    for keys in _batches(sorted(joining[None])):
        moved += await _write(run, _Batch(terms=[(key, _NOWHERE, None) for key in keys]))
    for batch in _placing(placed, stays, {}):
        moved += await _write(run, batch)
    mark = get_query("maintain/mark_communities")
    for ids in _batches(sorted(set(touched) - set(changed))):
        await run.write(mark, each(), scope=run.scope, ids=ids)
    created = sum(one.is_new for one in placed)
    run.changed(one.id for one in placed)
    return Written(moved, created, len(placed) - created)


async def drop_empty(run: Run) -> int:
    """Delete communities without a member; return how many."""
    dropped = 0
    while True:
        (row,) = await run.write(
            get_query("maintain/drop_empty_communities"), each(), scope=run.scope, limit=_BATCH
        )
        dropped += int(row["dropped"])
        if row["dropped"] < _BATCH:
            return dropped


@dataclass(slots=True)
class _Batch:
    """What is written in one transaction.

    Attributes:
        communities: Those whose members change, by id.
        terms: Key of a Term, id of the community that it goes into (`_NOWHERE` = none, None = it
            stays), its rank (None = as it is).
        looked: Terms that were looked at for it.
    """

    communities: dict[str, PlacedGroup] = field(default_factory=dict)
    terms: list[tuple[str, str | None, float | None]] = field(default_factory=list)
    looked: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.terms) >= _BATCH or len(self.communities) >= _BATCH


def _placing(
    placed: Iterable[PlacedGroup],
    community_of: Mapping[str, str],
    ranks: Mapping[str, float],
) -> Iterator[_Batch]:
    """Yield what there is to be written of a partition; a large community takes several."""
    batch = _Batch()
    for one in placed:
        for key in one.members:
            if batch.is_full:
                yield batch
                batch = _Batch()
            batch.looked += 1
            moves = community_of.get(key) != one.id
            if moves or one.is_changed:
                batch.communities[one.id] = one
            if moves or key in ranks:
                batch.terms.append((key, one.id if moves else None, ranks.get(key)))
    yield batch


async def _open(run: Run, ids: Iterable[str]) -> None:
    for batch in _batches(sorted(ids)):
        await run.write(get_query("maintain/open_communities"), each(), scope=run.scope, ids=batch)


async def _write(run: Run, batch: _Batch) -> int:
    # Locks are taken in the order of keys and ids, as whoever writes Terms does.
    communities = [batch.communities[id_] for id_ in sorted(batch.communities)]
    place_of = {one.id: place for place, one in enumerate(communities)}
    (row,) = await run.write(
        get_query("maintain/write_communities"),
        each(),
        scope=run.scope,
        scope_token=scope_token(run.scope),
        communities=[
            {"id": one.id, "key": one.key, "size": len(one.members), "ordinal": one.ordinal}
            for one in communities
        ],
        terms=[
            [key, None if goes_to is None else place_of.get(goes_to, -1), rank]
            for key, goes_to, rank in sorted(batch.terms, key=itemgetter(0))
        ],
    )
    return int(row["moved"])


def _batches(items: Sequence[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), _BATCH):
        yield list(items[start : start + _BATCH])
