"""The same PageRank by the Graph Data Science library: over the whole scope, until it converges."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from graphmem.errors import ConfigError, StoreError
from graphmem.ids import new_id
from graphmem.queries import get_query
from graphmem.recall.request import RecallOptions, RecallRequest
from graphmem.recall.walk import WalkSeeds, seed_params

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["rank_by_gds"]

# Each question copies its whole scope: copies of twenty at once fill the heap of a small server,
# which then answers nobody. So they wait for each other.
_TURNS: WeakKeyDictionary[Database, asyncio.Lock] = WeakKeyDictionary()


async def rank_by_gds(
    db: Database, request: RecallRequest, options: RecallOptions, seeds: WalkSeeds
) -> dict[str, float]:
    """Return PageRank by turn id, the heaviest ones.

    The scope is copied into the library's memory for this question and dropped after it: it
    takes many times as long as `walk_graph`, and keeps no node back.

    Raises:
        ConfigError: The server has no Graph Data Science library.
        InputError: A weight is negative or no number.
        StoreError: The server failed.
    """
    starts = seed_params(seeds)
    async with _TURNS.setdefault(db, asyncio.Lock()):
        return await _ranked(db, request, options, starts)


async def _ranked(
    db: Database,
    request: RecallRequest,
    options: RecallOptions,
    starts: Mapping[str, list[dict[str, Any]]],
) -> dict[str, float]:
    walk = options.walk
    # Nobody else's: two questions at once must not drop each other's copy.
    graph = f"graphmem-{new_id()}"
    try:
        made = await db.run(
            get_query("recall/project_scope"),
            scope=request.scope,
            graph=graph,
            link_weights=dict(walk.link_weights),
            hub_links=walk.hub_links,
        )
        if not made:
            return {}
        rows = await db.run(
            get_query("recall/rank_projection"),
            scope=request.scope,
            graph=graph,
            link_weights=dict(walk.link_weights),
            hub_links=walk.hub_links,
            damping=walk.damping,
            found=walk.found,
            **starts,
            now=request.held_at(options.now),
            fact_statuses=list(request.fact_statuses),
        )
        return {row["id"]: row["mass"] for row in rows}
    except StoreError as error:
        if error.kind == "needs-not-met":
            raise ConfigError(
                f"pagerank_engine is 'gds', but {error}. Install its plugin in the server, or set "
                "pagerank_engine='cypher', which needs none"
            ) from error
        raise
    finally:
        await _drop(db, graph)


async def _drop(db: Database, graph: str) -> None:
    # Also when the caller is cancelled: a copy that stays takes memory until the server stops.
    dropped = asyncio.ensure_future(db.run(get_query("recall/drop_projection"), graph=graph))
    try:
        await asyncio.shield(dropped)
    except StoreError:
        # There is no library, or no server: then there is no copy either.
        return
    except asyncio.CancelledError:
        await asyncio.wait([dropped])
        raise
