"""The lock of a store to one embedder: vectors of two of them cannot be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from graphmem.clock import Clock, SystemClock
from graphmem.db import Database
from graphmem.errors import EmbedderRegistrationError
from graphmem.models import Calibration
from graphmem.queries import get_query

__all__ = ["ActiveEmbedder", "EmbedderInfo", "register_embedder"]


class _HasIdentity(Protocol):
    @property
    def provider(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def dimensions(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class EmbedderInfo:
    """Which embedder made, or will make, the vectors of a store.

    Attributes:
        provider: Who serves it, such as "local".
        model: Its name there.
        dimensions: Width of its vectors; None while it has not answered yet.
    """

    provider: str
    model: str
    dimensions: int | None

    @classmethod
    def of(cls, embedder: _HasIdentity) -> EmbedderInfo:
        """Return the identity of an embedder."""
        return cls(embedder.provider, embedder.model, embedder.dimensions)

    @property
    def id(self) -> str:
        """`provider:model@dimensions`, with "?" for a width that is not known yet."""
        return f"{self.provider}:{self.model}@{self.dimensions or '?'}"


@dataclass(frozen=True, slots=True)
class ActiveEmbedder:
    """The embedder a store is locked to.

    Attributes:
        slot: Where its vectors are: "a" or "b".
        embedder_id: Its id; "" while the store is locked to none.
        is_usable: Whether the embedder at hand may write and ask vectors.
        dimensions: Width of its vectors, None while the store is locked to none.
        calibration: What was measured of it, None before that.
    """

    slot: str
    embedder_id: str
    is_usable: bool
    dimensions: int | None = None
    calibration: Calibration | None = None


async def register_embedder(
    db: Database,
    info: EmbedderInfo,
    on_mismatch: Literal["error", "text"] = "error",
    *,
    clock: Clock | None = None,
) -> ActiveEmbedder:
    """Lock the store to an embedder, or compare it with the one it is locked to.

    Args:
        db: A database whose constraints are there.
        info: The embedder at hand.
        on_mismatch: What to do when the store is locked to another one: fail, or go on by
            text with `is_usable` False.
        clock: For the time of the lock.

    Returns:
        The embedder of the store. While `info` has no dimensions yet and nothing is locked,
        its `embedder_id` is "" and it is not usable: register again when it has answered.

    Raises:
        EmbedderRegistrationError: The store is locked to another one.
    """
    rows = await db.run(get_query("schema/active_embedder"))
    if not rows:
        if info.dimensions is None:
            return ActiveEmbedder(slot="a", embedder_id="", is_usable=False)
        rows = await db.run(
            get_query("schema/lock_embedder"),
            id=info.id,
            provider=info.provider,
            model=info.model,
            dimensions=info.dimensions,
            now=(clock or SystemClock()).now(),
        )
    locked = rows[0]
    expected = info.id
    if info.dimensions is None:
        expected = EmbedderInfo(info.provider, info.model, locked["dimensions"]).id
    is_same = locked["id"] == expected
    if not is_same and on_mismatch == "error":
        raise EmbedderRegistrationError(
            f"the store is locked to the embedder {locked['id']}, this memory uses {info.id}: "
            "their vectors cannot be compared. Open it with the first one "
            "(GRAPHMEM_EMBEDDING_MODEL), or with on_embedder_mismatch='text' to go on without "
            "vectors, or import the conversations into a new store with the new one",
            ids=(locked["id"], info.id),
        )
    measured = locked["calibration"]
    return ActiveEmbedder(
        locked["slot"],
        locked["id"],
        is_same,
        locked["dimensions"],
        None if measured is None else Calibration(**measured),
    )
