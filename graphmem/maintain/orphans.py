"""What leads nowhere any more goes: Tags, Terms, Intents and communities without a living child."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.maintain.removal import BATCH
from graphmem.maintain.runs import KEPT_IDS, Run, each, run_in
from graphmem.maintenance import RemovalReport, RemovedNode
from graphmem.queries import get_query

if TYPE_CHECKING:
    from datetime import timedelta

    from graphmem.clock import Clock
    from graphmem.db import Database

__all__ = ["clean_orphans", "counted", "find_orphans", "remove_orphans"]

# Nodes that are looked at in one read: most of them have children.
_PAGE = 2000


@dataclass(frozen=True, slots=True)
class _Route:
    """A label whose nodes lead to others, and hold nothing themselves.

    Attributes:
        find: The statement that finds those without a child.
        bury: The one that deletes them.
        reason: Why they go.
    """

    label: str
    find: str
    bury: str
    reason: str


_ROUTES = (
    _Route("Tag", "maintain/find_orphan_tags", "maintain/bury_tags", "it leads to no living fact"),
    _Route(
        "Intent",
        "maintain/find_orphan_intents",
        "maintain/bury_intents",
        "no living procedure serves it",
    ),
    _Route(
        "Term",
        "maintain/find_orphan_terms",
        "maintain/bury_terms",
        "no turn mentions it, and no living fact speaks of it",
    ),
)
_EMPTY = "no member is left"
# What the receipt counts them under.
_WORDS = ("orphans", "deleted")


async def clean_orphans(
    db: Database, run: Run, *, dry_run: bool = False, gone: Collection[str] = ()
) -> list[RemovedNode]:
    """Delete what leads nowhere, across the scope of a run, in batches.

    A Tag lives while a fact that is live or superseded is tagged with it, an Intent while a live
    procedure serves it, a Term while a turn mentions it or such a fact speaks of it, or a merge
    leads to or from it; a community while it has a member. Tags, Intents and Terms can be taken
    back, communities are derived.

    Args:
        db: The store.
        run: The run that does it; it holds the scope. Of a dry run only its scope is looked at.
        dry_run: Find them, and change nothing.
        gone: Of a dry run: ids of facts and procedures that count as gone already.

    Returns:
        What went, or would go.
    """
    return await (find_orphans(db, run.scope, gone=gone) if dry_run else _bury(db, run))


async def find_orphans(
    db: Database, scope: str, *, gone: Collection[str] = ()
) -> list[RemovedNode]:
    """Return what leads nowhere in a scope, and change nothing.

    Args:
        db: The store.
        scope: Whose memory it is.
        gone: Ids of facts and procedures that count as gone already.
    """
    found = [
        orphan
        for route in _ROUTES
        async for page in _pages(db, scope, route, gone)
        for orphan in page
    ]
    lost = [orphan.id for orphan in found if orphan.kind == "Term"]
    return found + [one async for one in _empty_communities(db, scope, lost)]


async def remove_orphans(
    db: Database,
    scope: str,
    *,
    clock: Clock,
    undo_window: timedelta,
    dry_run: bool = False,
    part_of: Run | None = None,
) -> RemovalReport:
    """Delete what leads nowhere in a scope, as an operation of its own.

    Raises:
        MaintenanceBusy: Another run works in that scope.
        StoreError: The server failed.
    """
    if dry_run:
        return _report(await find_orphans(db, scope), is_dry_run=True)
    async with run_in(
        db, scope, "orphans", clock=clock, params={}, undo_window=undo_window, part_of=part_of
    ) as run:
        gone = await clean_orphans(db, run)
        return _report(gone, run_id=run.id)


def counted(orphans: Sequence[RemovedNode]) -> dict[str, int]:
    """Return how many there are of each label."""
    counts: dict[str, int] = {}
    for orphan in orphans:
        counts[orphan.kind] = counts.get(orphan.kind, 0) + 1
    return counts


def _report(
    orphans: Sequence[RemovedNode], *, run_id: str = "", is_dry_run: bool = False
) -> RemovalReport:
    return RemovalReport(
        run_id=run_id,
        operation="orphans",
        is_dry_run=is_dry_run,
        deleted=len(orphans),
        orphans=counted(orphans),
        deleted_ids=tuple(orphan.id for orphan in orphans),
        removed=tuple(orphans[:KEPT_IDS]),
    )


async def _bury(db: Database, run: Run) -> list[RemovedNode]:
    gone: list[RemovedNode] = []
    for route in _ROUTES:
        async for page in _pages(db, run.scope, route):
            await run.renew()
            if page:
                gone += await _bury_page(run, route, page)
    gone += await _drop_communities(db, run)
    return gone


async def _bury_page(run: Run, route: _Route, page: Sequence[RemovedNode]) -> list[RemovedNode]:
    went: set[str] = set()
    for start in range(0, len(page), BATCH):
        rows = await run.write(
            get_query(route.bury),
            each(*_WORDS),
            scope=run.scope,
            run_id=run.id,
            ids=[orphan.id for orphan in page[start : start + BATCH]],
            reason=route.reason,
            now=run.now,
            purge_after=run.undo_until,
        )
        went |= {row["id"] for row in rows}
    return [orphan for orphan in page if orphan.id in went]


async def _pages(
    db: Database, scope: str, route: _Route, gone: Collection[str] = ()
) -> AsyncIterator[list[RemovedNode]]:
    """Go through a label by its keys; yield the orphans of each page."""
    after = ""
    while True:
        (row,) = await db.run(
            get_query(route.find), scope=scope, after=after, limit=_PAGE, gone=sorted(gone)
        )
        yield [
            RemovedNode(
                id=orphan["id"], kind=route.label, text=orphan["text"] or "", reason=route.reason
            )
            for orphan in row["orphans"]
        ]
        if row["looked"] < _PAGE:
            return
        after = row["last"]


async def _empty_communities(
    db: Database, scope: str, lost: Sequence[str] = ()
) -> AsyncIterator[RemovedNode]:
    after = ""
    while True:
        rows = await db.run(
            get_query("maintain/find_empty_communities"),
            scope=scope,
            after=after,
            limit=_PAGE,
            gone=list(lost),
        )
        for row in rows:
            yield RemovedNode(id=row["id"], kind="Community", text=row["text"], reason=_EMPTY)
        if len(rows) < _PAGE:
            return
        after = rows[-1]["id"]


async def _drop_communities(db: Database, run: Run) -> list[RemovedNode]:
    empty = [one async for one in _empty_communities(db, run.scope)]
    dropped = 0
    # They are derived: the next run of communities makes what is missing.
    while empty:
        (row,) = await run.write(
            get_query("maintain/drop_empty_communities"),
            lambda rows: dict.fromkeys(_WORDS, int(rows[0]["dropped"])),
            scope=run.scope,
            limit=BATCH,
        )
        dropped += int(row["dropped"])
        if row["dropped"] < BATCH:
            break
    return empty[:dropped]
