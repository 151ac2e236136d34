"""A server that allows little memory to a transaction: what is too much is cut, or told.

The limit cannot be changed while a Community server runs, so this module has a server of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, ExtractionState, Settings
from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.db import Database
from graphmem.graph.conflict.resolve import ConflictPipeline
from graphmem.graph.plan import GraphItem
from graphmem.graph.store import write
from graphmem.models import Extraction, FactDraft
from graphmem.schema import prepare
from graphmem.server import ManagedServer
from graphmem.server.home import Home

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def settings(module_server: ManagedServer) -> Settings:
    """Settings of a server whose transactions may take 4 MB."""
    configure = Home.configure

    def with_limit(self: Home, **values: Any) -> None:
        configure(self, **values)
        with (self.server / "conf" / "neo4j.conf").open("a", encoding="utf-8") as conf:
            conf.write("\ndb.memory.transaction.max=4m\n")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Home, "configure", with_limit)
        status = module_server.start()
    return Settings(
        neo4j_uri=status.uri,
        neo4j_username=status.username,
        neo4j_password=module_server.password(),
        embedding_model="none",
    )


@pytest.fixture
async def own(settings: Settings) -> AsyncIterator[Database]:
    """This module's database, with its schema."""
    async with await Database.open(settings) as database:
        await prepare(database, None)
        yield database


async def test_what_is_too_much_for_one_transaction_is_written_in_several(
    own: Database, scope: str
) -> None:
    """Turns and what was learned from them: all of it, once, and in order."""
    drafts = [draft_turn(f"{n} " * 5_000, scope=scope, now=AT, turn_key=str(n)) for n in range(20)]
    items = [
        GraphItem(draft, Extraction(summary="x", facts=_facts(15, of=draft.turn_key)))
        for draft in drafts
    ]
    before = own.count.copy()

    captured = await capture(own, scope, drafts, language="english", now=AT)
    between = own.count.copy()
    counts = await write(
        own, scope, items, None, ConflictPipeline((), thresholds=None), now=AT, language="english"
    )

    assert between.since(before).writes > 1
    assert own.count.since(between).writes > 1
    assert 0 == own.count.since(before).retries
    assert [(draft.id, True, n) for n, draft in enumerate(drafts, start=1)] == [
        (row.turn_id, row.created, row.seq) for row in captured
    ]
    assert [(draft.id, True, 15) for draft in drafts] == [
        (row.turn_id, row.is_written, row.facts) for row in counts
    ]


async def test_a_turn_that_cannot_be_written_keeps_no_other_out(
    settings: Settings, scope: str
) -> None:
    """Those of its batch are written one by one; it stays pending with the reason."""
    small = {"triples": [["Tom", "lives in", "Lund"]]}
    huge = {"facts": [fact.text for fact in _facts(500, of="it")]}
    turns = [
        {"question": f"number {n}", "extraction": given}
        for n, given in enumerate((small, huge, small))
    ]

    async with await AsyncGraphMemory.open(settings.model_copy(update={"scope": scope})) as memory:
        receipts = await memory.add_turns(turns, wait=True)
        stats = await memory.stats()

    states = [receipt.extraction for receipt in receipts]
    assert [ExtractionState.GIVEN, ExtractionState.PENDING, ExtractionState.GIVEN] == states
    assert "transaction-too-large" in receipts[1].error
    assert 1 == stats.nodes["Fact"]


def _facts(count: int, *, of: str) -> tuple[FactDraft, ...]:
    return tuple(FactDraft(text=f"Fact {n} of {of} is told.") for n in range(count))
