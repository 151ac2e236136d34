"""A small memory for recall tests: captured and written as the engine does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.extract import given_extraction
from graphmem.graph.conflict.locales.shipped import shipped_packs
from graphmem.graph.conflict.model import DEFAULT_THRESHOLDS
from graphmem.graph.conflict.resolve import ConflictPipeline
from graphmem.graph.plan import GraphItem
from graphmem.graph.store import texts_to_embed, write
from graphmem.graph.writing import EmbeddedTexts
from graphmem.models import Recall
from graphmem.recall.request import RecallOptions, recall_request
from graphmem.recall.run import recall_turns
from graphmem.schema import prepare
from graphmem.testing import HashedEmbedder
from tests.conftest import DIMENSIONS

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass(slots=True)
class Memory:
    """One scope of the shared server, written and asked without the facade."""

    db: Database
    scope: str
    embedder: HashedEmbedder = field(default_factory=lambda: HashedEmbedder(DIMENSIONS))
    count: int = 0

    async def add(
        self,
        question: str,
        answer: str | None = None,
        *,
        extraction: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        **where: Any,
    ) -> str:
        """Remember one turn with what is known of it; return its id."""
        self.count += 1
        draft = draft_turn(
            question,
            answer,
            scope=self.scope,
            now=NOW,
            at=at or NOW - timedelta(days=30) + timedelta(minutes=self.count),
            **where,
        )
        await capture(self.db, self.scope, [draft], language="english", now=NOW)
        items = [GraphItem(draft, given_extraction({"summary": "", **(extraction or {})}))]
        texts = await texts_to_embed(self.db, self.scope, items, embedder_id="hashed")
        rows = await self.embedder.embed(texts, purpose="document")
        vectors = dict(zip(texts, rows, strict=True))
        await write(
            self.db,
            self.scope,
            items,
            EmbeddedTexts("a", "hashed", vectors),
            ConflictPipeline(shipped_packs(("en", "de")), thresholds=DEFAULT_THRESHOLDS),
            now=NOW,
            language="english",
        )
        return draft.id

    async def ask(
        self,
        query: str,
        *,
        limit: int = 6,
        by_vector: bool = True,
        options: RecallOptions | None = None,
        **filters: Any,
    ) -> Recall:
        """Recall with both legs, or without a vector."""
        vector = (await self.embedder.embed([query], purpose="query"))[0] if by_vector else None
        return await recall_turns(
            self.db,
            recall_request(query, scope=self.scope, limit=limit, **filters),
            vector=vector,
            slot="a",
            options=options or RecallOptions(now=NOW),
        )


def ids(recall: Recall) -> list[str]:
    """Return the ids of the turns of an answer, in order."""
    return [hit.turn.id for hit in recall.turns]


def texts(recall: Recall) -> Sequence[str]:
    """Return the texts of the facts of an answer, in order."""
    return [hit.fact.text for hit in recall.facts]


@pytest.fixture
async def memory(db: Database, scope: str) -> Memory:
    """An empty memory whose vector indexes are there."""
    await prepare(db, EmbedderInfo("hashed", "words", DIMENSIONS))
    return Memory(db, scope)
