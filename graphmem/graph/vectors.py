"""Vectors for what was stored while no embedder could be had."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphmem.models import ExtractionState
from graphmem.queries import get_query
from graphmem.turn_text import turn_embedding_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = ["EmbedTexts", "backfill", "count_unembedded"]

# Gives vectors by text; a text that could not be embedded is not among them.
EmbedTexts = Callable[[Sequence[str]], Awaitable[Mapping[str, "NDArray[float32]"]]]

_PARAMS = {
    "Turn": "turns",
    "Fact": "facts",
    "Term": "terms",
    "Tag": "tags",
    "Intent": "intents",
    "Procedure": "procedures",
    "Community": "communities",
}
# Nodes of one label in one transaction.
_BATCH = 64


async def count_unembedded(db: Database, scope: str) -> int:
    """Return how many nodes of a scope `backfill` would embed."""
    (row,) = await db.run(get_query("graph/count_unembedded"), scope=scope)
    return int(row["nodes"])


async def backfill(
    db: Database,
    scope: str,
    embed: EmbedTexts,
    *,
    slot: str,
    embedder_id: str,
    limit: int | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> int:
    """Embed the nodes of a scope that wait for a vector, batch by batch.

    A turn that waits for its extraction is left out: it gets its vector with that. What is
    done is committed with each batch, so that it can be broken off and run again. It ends when
    a whole batch comes back without a vector, since the embedder is down then.

    Args:
        db: The store.
        scope: Whose memory it is.
        embed: Gives vectors by text.
        slot: "a" or "b", where the vectors of the active embedder live.
        embedder_id: The active embedder.
        limit: No further batch is begun when so many nodes were tried; None = all.
        advance: Called after each batch with how many more nodes are through.

    Returns:
        How many nodes have a vector now that had none.
    """
    embedded = 0
    refused: set[str] = set()
    while limit is None or embedded + len(refused) < limit:
        rows = await db.run(
            get_query("graph/find_unembedded"),
            scope=scope,
            skip_ids=sorted(refused),
            limit=_BATCH,
        )
        texts = {row["id"]: _text(row) for row in rows}
        vectors = await embed(list(dict.fromkeys(texts.values()))) if texts else {}
        if not vectors:
            break
        refused_now = {key for key, text in texts.items() if text not in vectors}
        refused |= refused_now
        params = _params(rows, {key: vectors.get(text) for key, text in texts.items()})
        (counted,) = await db.run(
            get_query("graph/set_vectors", slot), scope=scope, embedder_id=embedder_id, **params
        )
        embedded += int(counted["nodes"])
        advance(int(counted["nodes"]) + len(refused_now))
    return embedded


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
        if row["label"] == "Community":
            values["summary"] = row["summary"]
        params[_PARAMS[row["label"]]].append(values)
    return params


def _text(row: Mapping[str, Any]) -> str:
    if row["label"] != "Turn":
        return str(row["text"])
    state = ExtractionState(row["extraction"])
    return turn_embedding_text(row["text"], row["summary"], state)
