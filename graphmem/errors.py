"""Every error that graphmem raises.

The tree::

    GraphmemError
    ├── ConfigError            a setting is missing, unknown or out of range
    ├── InputError             what a caller handed in cannot be stored or asked
    ├── ServerError            the managed Neo4j cannot be fetched, started or stopped
    ├── StoreError             the database refused, failed or is not fit for graphmem
    │   ├── SchemaError                a constraint or index is missing, foreign or failed
    │   ├── QueryFileError             a file in cypher/ breaks the header convention
    │   └── EmbedderRegistrationError  the store is locked to another embedder
    ├── MaintenanceBusy        another operation of upkeep works in that scope
    └── ModelError             a model endpoint refused, failed or answered nonsense
        ├── ExtractionError            a reply that is no valid extraction
        └── EmbeddingError             vectors that are missing, of another width, or not numbers

This module imports nothing of graphmem, so that every module may import it.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "ConfigError",
    "EmbedderRegistrationError",
    "EmbeddingError",
    "ExtractionError",
    "GraphmemError",
    "InputError",
    "MaintenanceBusy",
    "ModelError",
    "QueryFileError",
    "SchemaError",
    "ServerError",
    "StoreError",
]


class GraphmemError(Exception):
    """Anything that graphmem raises on purpose.

    Attributes:
        kind: A stable kebab-case word for programs, such as ``"embedder-registration"``.
        retryable: Whether the same call may succeed later without a change.
        ids: Ids of the turns, facts or other nodes concerned; often empty.
    """

    kind: str = "graphmem"
    retryable: bool = False

    def __init__(
        self,
        message: str,
        *,
        kind: str | None = None,
        retryable: bool | None = None,
        ids: Iterable[str] = (),
    ) -> None:
        super().__init__(message)
        if kind is not None:
            self.kind = kind
        if retryable is not None:
            self.retryable = retryable
        self.ids: tuple[str, ...] = tuple(ids)


class ConfigError(GraphmemError):
    """A setting is missing, unknown or out of range; the message names it."""

    kind = "config"


class InputError(GraphmemError):
    """What a caller handed in cannot be stored or asked; nothing was written."""

    kind = "input"


class ServerError(GraphmemError):
    """The managed Neo4j server cannot be fetched, started, stopped, dumped or loaded."""

    kind = "server"


class StoreError(GraphmemError):
    """The database refused, failed, or is not fit for graphmem."""

    kind = "store"


class SchemaError(StoreError):
    """A constraint or an index is missing, belongs to somebody else, or failed."""

    kind = "schema"


class QueryFileError(StoreError):
    """A file in cypher/ breaks the header convention or is not there."""

    kind = "query-file"


class EmbedderRegistrationError(StoreError):
    """The store is locked to another embedder than the one that was given."""

    kind = "embedder-registration"


class MaintenanceBusy(GraphmemError):  # noqa: N818 - it is no fault: somebody else is at it
    """Another operation of upkeep works in that scope; `ids` holds its run."""

    kind = "maintenance-busy"
    retryable = True


class ModelError(GraphmemError):
    """A model endpoint refused, failed or answered nonsense."""

    kind = "model"


class ExtractionError(ModelError):
    """A reply that is not a valid extraction; the turn is quarantined with `kind` as reason.

    Attributes:
        reply_length: Characters of the reply, 0 when there was none.
        reply_hash: SHA-256 of the reply in hex, "" when there was none; the reply itself is
            not kept.
    """

    kind = "extraction"

    def __init__(
        self,
        message: str,
        *,
        kind: str | None = None,
        reply_length: int = 0,
        reply_hash: str = "",
        ids: Iterable[str] = (),
    ) -> None:
        super().__init__(message, kind=kind, retryable=False, ids=ids)
        self.reply_length = reply_length
        self.reply_hash = reply_hash


class EmbeddingError(ModelError):
    """Vectors that are missing, of another width, or not finite numbers."""

    kind = "embedding"
