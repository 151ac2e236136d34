"""Turns that are captured and written, as the pipeline does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.graph.conflict.locales.shipped import shipped_packs
from graphmem.graph.conflict.model import DEFAULT_THRESHOLDS
from graphmem.graph.conflict.resolve import ConflictPipeline
from graphmem.graph.plan import GraphItem
from graphmem.graph.store import GraphCounts, texts_to_embed, write
from graphmem.graph.writing import EmbeddedTexts
from graphmem.models import Extraction, FactDraft
from graphmem.schema import prepare
from graphmem.testing import HashedEmbedder
from tests.conftest import DIMENSIONS

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
EMBEDDER = HashedEmbedder(DIMENSIONS)
EMBEDDER_ID = "hashed:test@384"
PIPELINE = ConflictPipeline(shipped_packs(("en", "de")), thresholds=DEFAULT_THRESHOLDS)


@pytest.fixture
async def db(db: Database) -> Database:
    """An open store whose schema is made, with vector indexes."""
    await prepare(db, EmbedderInfo("hashed", "test", DIMENSIONS))
    return db


def triple(subject: str, predicate: str, obj: str, **more: Any) -> FactDraft:
    """Return a triple as the extract stage makes it."""
    text = f"{subject} {predicate} {obj}"
    return FactDraft(text=text, subject=subject, predicate=predicate, object=obj, **more)


async def captured(
    db: Database, scope: str, *facts: FactDraft, key: str = "1", at: datetime = AT, **more: Any
) -> GraphItem:
    """Capture a turn, and return it with what was learned from it."""
    turn = draft_turn(
        f"words of {key}", scope=scope, now=at, turn_key=key, name="Ana", agent_id="bot"
    )
    await capture(db, scope, [turn], language="english", now=AT)
    return GraphItem(turn, Extraction(**{"summary": f"Summary of {key}.", "facts": facts, **more}))


async def captured_all(
    db: Database, scope: str, told: Sequence[tuple[str, FactDraft]]
) -> list[GraphItem]:
    """Capture a turn for each (key, fact) in one transaction; return each with its fact."""
    turns = [draft_turn(key, scope=scope, now=AT, turn_key=key) for key, _ in told]
    await capture(db, scope, turns, language="english", now=AT)
    return [
        GraphItem(turn, Extraction(summary="x", facts=(fact,)))
        for turn, (_, fact) in zip(turns, told, strict=True)
    ]


async def embedded(db: Database, scope: str, items: Sequence[GraphItem]) -> EmbeddedTexts:
    """Return the vectors that a write of `items` needs."""
    texts = await texts_to_embed(db, scope, items, embedder_id=EMBEDDER_ID)
    vectors = await EMBEDDER.embed(texts, purpose="document")
    return EmbeddedTexts("a", EMBEDDER_ID, dict(zip(texts, vectors, strict=True)))


async def put(
    db: Database,
    scope: str,
    *items: GraphItem,
    vectors: EmbeddedTexts | None = None,
    at: datetime = AT,
) -> list[GraphCounts]:
    """Write items in one transaction."""
    return await write(db, scope, items, vectors, PIPELINE, now=at, language="english")
