"""Back-fill: what was stored without an embedder gets its vectors when one comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from numpy import float32
from numpy.typing import NDArray

from graphmem.db import Database
from graphmem.graph.pending import mark_quarantined
from graphmem.graph.vectors import backfill, count_unembedded
from graphmem.models import ExtractionState
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import (
    EMBEDDER,
    EMBEDDER_ID,
    captured,
    embedded,
    put,
    triple,
)

VECTORS = """
MATCH (n:Turn|Fact|Term|Tag {scope: $scope})
RETURN labels(n)[0] AS label, n.id AS id, n.embedding_a AS vector, n.needs_vector AS waits,
  n.embedder_id AS embedder
ORDER BY label, id
"""


async def embed(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
    """Embed every text."""
    return dict(zip(texts, await EMBEDDER.embed(texts, purpose="document"), strict=True))


async def fill(db: Database, scope: str, **more: Any) -> int:
    """Back-fill a scope by the hashed embedder."""
    return await backfill(
        db, scope, more.pop("embed", embed), slot="a", embedder_id=EMBEDDER_ID, **more
    )


@pytest.fixture
def batches_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Have batches of so many nodes of one label."""
    return lambda size: monkeypatch.setattr("graphmem.graph.vectors._BATCH", size)


async def test_a_back_fill_ends_as_if_the_embedder_had_been_there(
    db: Database, scope: str, ask: Ask, batches_of: Callable[[int], None]
) -> None:
    """Every node has the vector that the write would have given it."""
    item = await captured(db, scope, triple("Ada", "uses", "Vim"))
    await put(db, scope, item, vectors=await embedded(db, scope, [item]))
    there = await ask(VECTORS, scope=scope)
    await ask("MATCH (n {scope: $scope}) REMOVE n.embedding_a, n.embedder_id", scope=scope)
    await ask("MATCH (n:Turn|Fact|Term|Tag {scope: $scope}) SET n.needs_vector = true", scope=scope)
    seen: list[int] = []
    batches_of(1)

    filled = await fill(db, scope, advance=seen.append)

    assert 6 == filled
    assert there == await ask(VECTORS, scope=scope)
    assert [4, 2] == seen
    assert 0 == await count_unembedded(db, scope)


async def test_turns_that_wait_for_their_extraction_are_left_to_it(
    db: Database, scope: str
) -> None:
    """A refused one gets its vector."""
    refused = await captured(db, scope, key="1")
    await captured(db, scope, key="2")
    await mark_quarantined(db, scope, refused.turn.id, reason="truncated")

    waiting = await count_unembedded(db, scope)
    filled = await fill(db, scope)

    assert (1, 1) == (waiting, filled)


async def test_a_text_that_is_refused_takes_nobody_else_with_it(
    db: Database, scope: str, batches_of: Callable[[int], None]
) -> None:
    """It goes on waiting, and the back-fill ends."""
    await put(db, scope, await captured(db, scope, triple("Ada", "uses", "Vim")))
    batches_of(2)

    async def picky(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
        return await embed([text for text in texts if text != "Vim"])

    filled = await fill(db, scope, embed=picky)

    assert 4 == filled
    assert 2 == await count_unembedded(db, scope)


async def test_it_ends_when_the_embedder_is_down(db: Database, scope: str) -> None:
    """What waits goes on waiting."""
    await put(db, scope, await captured(db, scope, triple("Ada", "uses", "Vim")))

    async def down(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
        return {}

    filled = await fill(db, scope, embed=down)

    assert 0 == filled
    assert 6 == await count_unembedded(db, scope)


async def test_it_can_be_done_a_piece_at_a_time(
    db: Database, scope: str, batches_of: Callable[[int], None]
) -> None:
    """A limit bounds what one round does, to the next batch."""
    await put(db, scope, await captured(db, scope, triple("Ada", "uses", "Vim")))
    batches_of(1)

    first = await fill(db, scope, limit=3)
    rest = await fill(db, scope)

    assert (4, 2) == (first, rest)
    assert 0 == await count_unembedded(db, scope)


async def test_a_turn_that_was_extracted_meanwhile_keeps_its_own_vector(
    db: Database, scope: str, ask: Ask
) -> None:
    """What was embedded is not what it says any more."""
    await put(db, scope, await captured(db, scope, state=ExtractionState.LOCAL))

    async def slow(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
        done = await captured(db, scope, state=ExtractionState.DONE, summary="Ana is here.")
        await put(db, scope, done, vectors=await embedded(db, scope, [done]))
        return await embed(texts)

    filled = await fill(db, scope, embed=slow)

    (row,) = await ask(VECTORS, scope=scope)
    expected = (await embed(["Ana is here."]))["Ana is here."]
    assert 0 == filled
    assert [float(number) for number in expected] == list(row["vector"])
