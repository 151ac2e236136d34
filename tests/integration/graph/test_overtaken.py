"""Facts that somebody changes while a statement is decided beside them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from numpy import float32
from numpy.typing import NDArray

from graphmem.db import Database
from graphmem.errors import StoreError
from graphmem.graph import recheck as rechecking
from graphmem.graph import writing
from graphmem.graph.change import FactChange, change_facts
from graphmem.graph.neighbours import Neighbourhood
from graphmem.graph.recheck import recheck
from graphmem.graph.store import write
from graphmem.graph.vectors import backfill
from graphmem.models import FactDraft
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import (
    AT,
    EMBEDDER,
    EMBEDDER_ID,
    PIPELINE,
    captured,
    put,
    triple,
)

LATER = AT + timedelta(days=9)
SAID = triple("Ada", "lives in", "Bergen")


async def embed(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
    """Embed every text."""
    return dict(zip(texts, await EMBEDDER.embed(texts, purpose="document"), strict=True))


def meanwhile(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    happens: Callable[[int, Neighbourhood], Awaitable[None]],
) -> list[int]:
    """Let something happen between each read of neighbours and what follows from it."""
    real = module.find_neighbours
    reads: list[int] = []

    async def read(*args: Any, **more: Any) -> Any:
        found = await real(*args, **more)
        reads.append(len(reads))
        await happens(reads[-1], found)
        return found

    monkeypatch.setattr(module, "find_neighbours", read)
    return reads


async def the_fact(ask: Ask, scope: str) -> dict[str, Any]:
    """Return the one fact of a scope."""
    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.id AS id, f.status AS status", scope=scope
    )
    return row


async def test_what_is_forgotten_meanwhile_is_not_told_again(
    db: Database, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The write begins anew, and finds it forgotten after its turn had come."""
    await put(db, scope, await captured(db, scope, SAID))
    again = await captured(db, scope, SAID, key="2")
    fact_id = (await the_fact(ask, scope))["id"]

    async def forget(read: int, _found: Neighbourhood) -> None:
        if read == 0:
            change = FactChange(id=fact_id, status="forgotten", reason="private")
            await change_facts(db, scope, [change], now=LATER)

    reads = meanwhile(monkeypatch, writing, forget)
    await put(db, scope, again)

    assert [0, 1] == reads
    assert {"id": fact_id, "status": "forgotten"} == await the_fact(ask, scope)


async def test_a_write_that_is_overtaken_each_time_says_so(
    db: Database, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it is there; it may be tried again."""
    await put(db, scope, await captured(db, scope, SAID))
    again = await captured(db, scope, SAID, key="2")
    fact_id = (await the_fact(ask, scope))["id"]

    async def flip(read: int, _found: Neighbourhood) -> None:
        status = "active" if read % 2 else "forgotten"
        await change_facts(db, scope, [FactChange(id=fact_id, status=status)], now=LATER)

    reads = meanwhile(monkeypatch, writing, flip)
    with pytest.raises(StoreError, match="try again") as fault:
        await put(db, scope, again)

    assert ("overtaken", True, 5) == (fault.value.kind, fault.value.retryable, len(reads))
    assert [{"turns": 1}] == await ask(
        "MATCH (:Turn {scope: $scope})-[s:STATES]->() RETURN count(s) AS turns", scope=scope
    )


async def test_a_fact_is_not_joined_to_one_that_is_forgotten_meanwhile(
    db: Database, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When its vector comes both would be gone; it is looked at again instead."""
    first = FactDraft(text="The loom in the back room is oiled each spring.")
    second = FactDraft(text="The loom in the back room is oiled every spring.")
    items = [
        await captured(db, scope, first, key="1"),
        await captured(db, scope, second, key="2", at=LATER),
    ]
    await write(
        db, scope, items, None, PIPELINE, now=LATER, language="english", awaits_vectors=True
    )
    await backfill(db, scope, embed, slot="a", embedder_id=EMBEDDER_ID)
    forgotten: list[str] = []

    async def forget(read: int, _found: Neighbourhood) -> None:
        if read == 0:
            (row,) = await ask(
                "MATCH (f:Fact {scope: $scope, text: $text}) RETURN f.id AS id",
                scope=scope,
                text=first.text,
            )
            forgotten.append(row["id"])
            change = FactChange(id=row["id"], status="forgotten")
            await change_facts(db, scope, [change], now=LATER)

    reads = meanwhile(monkeypatch, rechecking, forget)
    settled = await recheck(db, scope, PIPELINE, slot="a", embedder_id=EMBEDDER_ID, now=LATER)

    assert ([0, 1], 2) == (reads, settled)

    rows = await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.id AS id, f.status AS status", scope=scope
    )
    assert ["active", "forgotten"] == sorted(row["status"] for row in rows)
    assert forgotten == [row["id"] for row in rows if row["status"] == "forgotten"]
