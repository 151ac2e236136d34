"""Whole-graph work by the Graph Data Science library, through its own client.

The client blocks, so that it runs in a thread; it takes more than a second to import, so that
this happens on first use. Every copy of a graph has a name of its own and is dropped, whatever
happens: it would take memory until the server stops.
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from graphmem.db.driver_errors import driver_errors, to_store_error
from graphmem.errors import StoreError
from graphmem.ids import scope_token
from graphmem.maintain.communities.label_propagation import MAX_ROUNDS
from graphmem.maintain.communities.ranks import DAMPING, TOLERANCE
from graphmem.maintain.communities.ranks import MAX_ROUNDS as RANK_ROUNDS
from graphmem.maintain.communities.term_links import MOST_TERMS
from graphmem.maintain.runs import finish
from graphmem.queries import Query, get_query

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience
    from neo4j import Driver

    from graphmem.db import Database

__all__ = ["Projected", "can_project", "drop_copies", "propagate_terms"]


@dataclass(frozen=True, slots=True)
class Projected:
    """What the library found.

    Attributes:
        groups: Keys of the Terms that have the same label.
        scores: PageRank by the key of a Term, not scaled.
        ranks: What each Term had before, None = none.
        rounds: Of label propagation.
        converged: Whether a further round would change nothing.
    """

    groups: Collection[Sequence[str]]
    scores: dict[str, float]
    ranks: dict[str, float | None]
    rounds: int
    converged: bool


class _Stopped(Exception):  # noqa: N818 - no error: nobody waits for the rest
    """The caller was cancelled."""


async def can_project(db: Database) -> bool:
    """Return whether the server has the library and its client can connect to it."""
    return db.has_own_connection and await db.gds_version() is not None


async def drop_copies(db: Database, scope: str) -> None:
    """Drop what runs in a scope have left that were killed; the caller holds the scope.

    Raises:
        StoreError: The server failed.
    """
    if await db.gds_version() is not None:
        await db.run(get_query("maintain/drop_copies"), prefix=_copies_of(scope))


async def propagate_terms(
    db: Database, scope: str, run_id: str, *, max_rounds: int = MAX_ROUNDS
) -> Projected:
    """Label the live Terms of a scope, and rank them; the scope must have some.

    Who is cancelled waits until the copy is dropped.

    Args:
        db: The store.
        scope: Whose Terms.
        run_id: The run that does it, and holds the scope.
        max_rounds: The most rounds of label propagation, >= 1.

    Raises:
        StoreError: The server failed.
    """
    driver = db.blocking_driver()
    if driver is None:
        raise ValueError("a borrowed driver cannot be shared with the library's client")
    stop = threading.Event()
    return await finish(
        asyncio.to_thread(
            _projected,
            driver,
            db.name,
            scope=scope,
            graph=f"{_copies_of(scope)}{run_id}",
            max_rounds=max_rounds,
            stop=stop,
        ),
        on_cancel=stop.set,
    )


def _copies_of(scope: str) -> str:
    """Return how the names of all copies of a scope begin."""
    return f"graphmem-terms-{scope_token(scope)}-"


def _projected(
    driver: Driver,
    database: str | None,
    *,
    scope: str,
    graph: str,
    max_rounds: int,
    stop: threading.Event,
) -> Projected:
    from graphdatascience import GraphDataScience
    from graphdatascience.error.unable_to_connect import UnableToConnectError

    project = get_query("maintain/project_terms")
    where = project.name
    with driver:
        try:
            client = GraphDataScience(driver, database=database, arrow=False, show_progress=False)
            values = {"scope": scope, "graph": graph, "most_terms": MOST_TERMS}
            try:
                with client.graph.project.cypher(project.text, **project.packed(values)):
                    _check(stop)
                    labels = get_query("maintain/label_projected_terms")
                    where = labels.name
                    labelled = _run(client, labels, graph=graph, max_rounds=max_rounds)
                    _check(stop)
                    ranks = get_query("maintain/rank_projected_terms")
                    where = ranks.name
                    ranked = _run(
                        client,
                        ranks,
                        scope=scope,
                        graph=graph,
                        damping=DAMPING,
                        # The library counts setting out as a round.
                        max_rounds=RANK_ROUNDS + 1,
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
    rounds, converged = labelled["rounds"][0], labelled["converged"][0]
    return _read(ranked["terms"], rounds=rounds, converged=converged)


def _run(client: GraphDataScience, query: Query, **values: Any) -> dict[str, list[Any]]:
    frame = client.run_cypher(query.text, query.packed(values))
    return {column: frame[column].tolist() for column in frame.columns}


def _read(parts: list[list[list[Any]]], *, rounds: int, converged: bool) -> Projected:
    groups: dict[int, list[str]] = defaultdict(list)
    scores: dict[str, float] = {}
    ranks: dict[str, float | None] = {}
    for key, label, score, rank in chain.from_iterable(parts):
        groups[label].append(key)
        scores[key] = score
        ranks[key] = rank
    return Projected(groups.values(), scores, ranks, rounds, converged)


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise _Stopped
