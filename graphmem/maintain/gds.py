"""Whole-graph work by the Graph Data Science library, through its own client.

The client blocks, so that it runs in a thread; it takes more than a second to import, so that
this happens on first use. Every copy of a graph has a name of its own and is dropped, whatever
happens: it would take memory until the server stops.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphmem.db.driver_errors import driver_errors, to_store_error
from graphmem.errors import StoreError
from graphmem.ids import new_id
from graphmem.maintain.label_propagation import MAX_ROUNDS, Partition
from graphmem.maintain.ranks import DAMPING, TOLERANCE
from graphmem.maintain.ranks import MAX_ROUNDS as RANK_ROUNDS
from graphmem.maintain.term_links import MOST_TERMS
from graphmem.queries import Query, get_query

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from neo4j import Driver

    from graphmem.db import Database

__all__ = ["Projected", "can_project", "propagate_terms"]

_PREFIX = "graphmem-terms-"


@dataclass(frozen=True, slots=True)
class Projected:
    """What the library found.

    Attributes:
        scores: PageRank by the key of a Term, not scaled.
    """

    partition: Partition
    scores: Mapping[str, float]


class _Stopped(Exception):  # noqa: N818 - no error: nobody waits for the rest
    """The caller was cancelled."""


async def can_project(db: Database) -> bool:
    """Return whether the server has the library and its client can connect to it."""
    return db.has_own_connection and await db.gds_version() is not None


async def propagate_terms(db: Database, scope: str, *, max_rounds: int = MAX_ROUNDS) -> Projected:
    """Label the live Terms of a scope, and rank them; the scope must have some.

    Labels are named by the smallest key among those that have them. Who is cancelled waits until
    the copy is dropped.

    Raises:
        StoreError: The server failed.
    """
    driver = db.blocking_driver()
    if driver is None:
        raise ValueError("a borrowed driver cannot be shared with the library's client")
    stop = threading.Event()
    work = asyncio.ensure_future(
        asyncio.to_thread(_projected, driver, db.name, scope, max_rounds, stop)
    )
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([work])
        # Looked at, so that nobody is told of an error that came after the end.
        if not work.cancelled():
            work.exception()
        raise


def _projected(
    driver: Driver, database: str | None, scope: str, max_rounds: int, stop: threading.Event
) -> Projected:
    from graphdatascience import GraphDataScience
    from graphdatascience.error.unable_to_connect import UnableToConnectError

    graph = f"{_PREFIX}{new_id()}"
    project = get_query("maintain/project_terms")
    where = project.name
    with driver:
        try:
            client = GraphDataScience(driver, database=database, arrow=False, show_progress=False)
            values = {"scope": scope, "graph": graph, "most_terms": MOST_TERMS}
            try:
                with client.graph.project.cypher(project.text, **project.packed(values)):
                    _check(stop)
                    labels = get_query("maintain/label_projection")
                    where = labels.name
                    rows = _run(client, labels, scope=scope, graph=graph, max_rounds=max_rounds)
                    partition = _partition(rows)
                    _check(stop)
                    ranks = get_query("maintain/rank_projected_terms")
                    where = ranks.name
                    rows = _run(
                        client,
                        ranks,
                        scope=scope,
                        graph=graph,
                        damping=DAMPING,
                        max_rounds=RANK_ROUNDS,
                        tolerance=TOLERANCE,
                    )
            finally:
                # The block drops it; this is for what came between the copy and the block.
                client.graph.drop(graph, fail_if_missing=False)
        except driver_errors() as error:
            raise to_store_error(error, where) from None
        except UnableToConnectError as error:
            raise StoreError(
                f"the client of Graph Data Science cannot connect ({error})",
                kind="unreachable",
                retryable=True,
            ) from None
    return Projected(partition, dict(zip(rows["key"], rows["score"], strict=True)))


def _run(client: GraphDataScience, query: Query, **values: Any) -> dict[str, list[Any]]:
    frame = client.run_cypher(query.text, query.packed(values))
    return {column: frame[column].tolist() for column in frame.columns}


def _partition(rows: Mapping[str, list[Any]]) -> Partition:
    # In the order of the keys, so that the first that has a label is the smallest.
    names: dict[int, str] = {}
    labels = {}
    for key, label in zip(rows["key"], rows["label"], strict=True):
        labels[key] = names.setdefault(label, key)
    return Partition(labels, rounds=rows["rounds"][0], converged=rows["converged"][0])


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise _Stopped
