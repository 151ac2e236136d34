"""Vectors for what was stored while no embedder could be had."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphmem.graph.store import EmbeddedTexts, texts_to_embed
from graphmem.models import ExtractionState
from graphmem.queries import get_query
from graphmem.turn_text import turn_embedding_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = [
    "BackfillCounts",
    "EmbedTexts",
    "EmbeddedTexts",
    "backfill",
    "count_unembedded",
    "flag_foreign_vectors",
    "texts_to_embed",
    "turn_embedding_text",
]

# Gives vectors by text; a text that could not be embedded is not among them.
EmbedTexts = Callable[[Sequence[str]], Awaitable[Mapping[str, "NDArray[float32]"]]]

_PARAMS = {"Turn": "turns", "Fact": "facts", "Term": "terms", "Tag": "tags"}
# A turn that waits for its extraction gets its vector with that.
_WAITING = (ExtractionState.PENDING.value,)


@dataclass(frozen=True, slots=True)
class BackfillCounts:
    """What a back-fill did.

    Attributes:
        embedded: Nodes that have a vector now.
        refused: Nodes whose text the embedder could not take; they go on waiting.
        is_complete: Whether nothing is left but those: False when `limit` was reached.
    """

    embedded: int = 0
    refused: int = 0
    is_complete: bool = True


async def count_unembedded(db: Database, scope: str, *, with_pending: bool = False) -> int:
    """Return how many nodes of a scope wait for a vector."""
    (row,) = await db.run(
        get_query("graph/count_unembedded"), scope=scope, skip_states=_skipped(with_pending)
    )
    return int(row["nodes"])


async def flag_foreign_vectors(db: Database, scope: str, embedder_id: str) -> int:
    """Mark nodes whose vector is of another embedder as waiting; return how many."""
    (row,) = await db.run(
        get_query("graph/flag_foreign_vectors"), scope=scope, embedder_id=embedder_id
    )
    return int(row["nodes"])


async def backfill(
    db: Database,
    scope: str,
    embed: EmbedTexts,
    *,
    slot: str,
    embedder_id: str,
    batch: int = 64,
    limit: int | None = None,
    with_pending: bool = False,
    progress: Callable[[int, int | None], None] | None = None,
) -> BackfillCounts:
    """Embed the nodes of a scope that wait for a vector, batch by batch.

    What is done is committed with each batch: it can be broken off and run again. It ends
    when a whole batch comes back without a vector, since the embedder is down then.

    Args:
        db: The store.
        scope: Whose memory it is.
        embed: Gives vectors by text.
        slot: "a" or "b", where the vectors of the active embedder live.
        embedder_id: The active embedder.
        batch: Nodes of one label in one transaction, >= 1.
        limit: The most nodes to try; None = all.
        with_pending: Also turns that still wait for their extraction.
        progress: Called after each batch with the nodes done, and of how many.
    """
    total = None
    if progress is not None:
        total = await count_unembedded(db, scope, with_pending=with_pending)
    embedded = 0
    refused: set[str] = set()
    while limit is None or embedded + len(refused) < limit:
        rows = await db.run(
            get_query("graph/find_unembedded"),
            scope=scope,
            skip_states=_skipped(with_pending),
            skip_ids=sorted(refused),
            limit=batch,
        )
        if not rows:
            break
        texts = {row["id"]: _text(row) for row in rows}
        vectors = await embed(list(dict.fromkeys(texts.values())))
        refused |= {key for key, text in texts.items() if text not in vectors}
        if not vectors:
            return BackfillCounts(embedded, len(refused), is_complete=False)
        params = _params(rows, {key: vectors.get(text) for key, text in texts.items()})
        (counted,) = await db.run(
            get_query("graph/set_vectors", slot), scope=scope, embedder_id=embedder_id, **params
        )
        embedded += int(counted["nodes"])
        if progress is not None:
            progress(embedded + len(refused), total)
    else:
        return BackfillCounts(embedded, len(refused), is_complete=False)
    return BackfillCounts(embedded, len(refused))


def _params(
    rows: Sequence[Mapping[str, Any]], vectors: Mapping[str, NDArray[float32] | None]
) -> dict[str, list[dict[str, Any]]]:
    params: dict[str, list[dict[str, Any]]] = {name: [] for name in _PARAMS.values()}
    for row in rows:
        vector = vectors[row["id"]]
        if vector is None:
            continue
        values = {"id": row["id"], "vector": vector}
        if row["label"] == "Turn":
            values |= {"summary": row["summary"], "extraction": row["extraction"]}
        params[_PARAMS[row["label"]]].append(values)
    return params


def _text(row: Mapping[str, Any]) -> str:
    if row["label"] != "Turn":
        return str(row["text"])
    state = ExtractionState(row["extraction"])
    return turn_embedding_text(row["text"], row["summary"], state)


def _skipped(with_pending: bool) -> list[str]:
    return [] if with_pending else list(_WAITING)
