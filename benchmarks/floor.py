"""The floor under every recall: one vector and one full-text search, straight from the driver."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from benchmarks.made_up import Asked

if TYPE_CHECKING:
    from types import TracebackType

    from neo4j import Driver, Record
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.config import Settings

__all__ = ["Floor", "read_statement", "server_driver"]

_LIMIT = 20


def server_driver(settings: Settings) -> Driver:
    """Return a driver of its own at the server of a memory; use it in a ``with`` block."""
    from neo4j import GraphDatabase

    if settings.neo4j_uri is None:
        from graphmem.server import managed_settings

        settings = managed_settings(settings)
    assert settings.neo4j_uri is not None
    secret = settings.neo4j_password
    auth = (settings.neo4j_username, secret.get_secret_value()) if secret else None
    return GraphDatabase.driver(settings.neo4j_uri, auth=auth)


class Floor:
    """A driver of its own at the server of a memory; use it in a ``with`` block."""

    def __init__(self, settings: Settings) -> None:
        self._driver = server_driver(settings)
        self._database = settings.neo4j_database
        self._statement = read_statement("floor")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._driver.close()

    def ask(self, scope: str, asked: Asked, vector: NDArray[float32]) -> float:
        """Search once and return the milliseconds."""
        from neo4j.vector import Vector

        from graphmem.ids import scope_token

        words = " ".join(asked.words)
        started = time.perf_counter()
        self._run(
            self._statement,
            scope=scope,
            vector=Vector.from_numpy(vector),
            asked=f"+scope_token:{scope_token(scope)}^0 +search_text:({words})",
            limit=_LIMIT,
        )
        return (time.perf_counter() - started) * 1000

    def count_links(self) -> int:
        """Return how many links the whole store has."""
        return int(self._run(read_statement("count_links"))[0]["links"])

    def _run(self, statement: str, **params: Any) -> Sequence[Record]:
        return self._driver.execute_query(
            statement,
            params,
            database_=self._database,
            routing_="r",
        ).records


def read_statement(name: str) -> str:
    """Return a statement of benchmarks/cypher."""
    return (Path(__file__).parent / "cypher" / f"{name}.cypher").read_text(encoding="utf-8")
