"""Writes that others overtook: what they were decided beside has changed, so they begin anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from graphmem.errors import StoreError

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Transaction

__all__ = ["overtaken", "transact"]

T = TypeVar("T")

# A fact is forgotten or judged, or a name cleaned up, once in a while: to meet that twice in a
# row is rare.
_ATTEMPTS = 5


def overtaken(what: str) -> StoreError:
    """Return the error that ends an attempt; nothing of it was written.

    Args:
        what: What was changed by others, as a clause.
    """
    return StoreError(f"{what}; nothing was written: try again", kind="overtaken", retryable=True)


async def transact(db: Database, work: Callable[[Transaction], Awaitable[T]]) -> T:
    """Run a write, and decide anew where somebody changed what it was decided beside."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await db.transact(work)
        except StoreError as error:
            if error.kind != "overtaken":
                raise
    return await db.transact(work)
