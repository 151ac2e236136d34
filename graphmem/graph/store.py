"""Writes planned turns into the graph, in one transaction, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.errors import StoreError
from graphmem.graph.plan import (
    FactPlan,
    GraphItem,
    TurnPlan,
    WritePlan,
    plan_write,
)
from graphmem.ids import digest, new_id, scope_token
from graphmem.models import ExtractionState
from graphmem.queries import Query, get_query
from graphmem.text import search_text
from graphmem.turn_text import turn_search_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = ["EmbeddedTexts", "GraphCounts", "texts_to_embed", "write"]

# The query of a slot must be named even where no vector is at hand; it writes none then.
_ANY_SLOT = "a"


@dataclass(frozen=True, slots=True)
class EmbeddedTexts:
    """Vectors by text, of one embedder; a text that could not be embedded is not among them.

    Attributes:
        slot: "a" or "b", where this embedder's vectors live.
        embedder_id: "provider:model@dimensions".
    """

    slot: str
    embedder_id: str
    vectors: Mapping[str, NDArray[float32]]


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """What became of one turn.

    Attributes:
        is_written: False when the turn is gone, or its extraction is not to be replaced by
            this one; nothing was changed then.
        facts: Facts that it states.
        mentions: Terms that it mentions.
    """

    turn_id: str
    is_written: bool
    facts: int = 0
    mentions: int = 0


async def texts_to_embed(
    db: Database, scope: str, items: Sequence[GraphItem], *, embedder_id: str
) -> list[str]:
    """Return the texts that a write of `items` needs vectors of, each once; one read.

    Terms, Tags and Facts that have a vector of this embedder already are left out.

    Args:
        db: The store.
        scope: Whose memory it is.
        items: What will be written.
        embedder_id: The active embedder.
    """
    plan = plan_write(scope, items)
    texts = [turn.item.embedding_text for turn in plan.turns]
    if plan.terms or plan.tags or plan.facts:
        (known,) = await db.run(
            get_query("graph/find_embedded"),
            scope=scope,
            embedder_id=embedder_id,
            term_keys=[term.key for term in plan.terms],
            tag_keys=[tag.key for tag in plan.tags],
            fact_ids=[fact.id for fact in plan.facts],
        )
        terms, tags, facts = set(known["terms"]), set(known["tags"]), set(known["facts"])
        texts += [term.name for term in plan.terms if term.key not in terms]
        texts += [tag.label for tag in plan.tags if tag.key not in tags]
        texts += [fact.draft.text for fact in plan.facts if fact.id not in facts]
    return list(dict.fromkeys(texts))


async def write(
    db: Database,
    scope: str,
    items: Sequence[GraphItem],
    embedded: EmbeddedTexts | None,
    *,
    now: datetime,
    language: str,
) -> list[GraphCounts]:
    """Put turns into the graph in one write transaction.

    Only where the server says that they are too much for one they are written in two.

    What was derived for a turn earlier is replaced: a fact that no turn states any more is
    withdrawn (status "forgotten"). A node whose text has no vector in `embedded` is marked as
    waiting for one.

    Args:
        db: The store.
        scope: Whose memory it is.
        items: Captured turns with their extractions; a few hundred make a good transaction.
        embedded: None when no embedder can be had.
        now: When the facts are recorded; aware UTC.
        language: Of stop words and stems of the full-text index.

    Returns:
        One result an item, in order.

    Raises:
        StoreError: The server failed; nothing was written, or of a batch that was cut a part.
    """
    plan = plan_write(scope, items)
    if not plan.turns:
        return []
    statements = _statements(plan, scope, embedded, now=now, language=language)
    try:
        rows = (await db.run_together(statements))[-1]
    except StoreError as error:
        if error.kind != "transaction-too-large" or len(items) == 1:
            raise
        half = len(items) // 2
        done = await write(db, scope, items[:half], embedded, now=now, language=language)
        return done + await write(db, scope, items[half:], embedded, now=now, language=language)
    written = {row["id"]: row for row in rows}
    return [_counts(item.turn.id, written.get(item.turn.id)) for item in items]


def _counts(turn_id: str, row: Mapping[str, Any] | None) -> GraphCounts:
    if row is None:
        return GraphCounts(turn_id, is_written=False)
    return GraphCounts(turn_id, is_written=True, facts=row["facts"], mentions=row["mentions"])


def _statements(
    plan: WritePlan,
    scope: str,
    embedded: EmbeddedTexts | None,
    *,
    now: datetime,
    language: str,
) -> list[tuple[Query, dict[str, Any]]]:
    """Return the statements in the order of locking: Turns, Terms, Tags, Agents, Facts.

    One whose rows are none is left out: it would cost a round trip.
    """
    slot = _ANY_SLOT if embedded is None else embedded.slot
    vectors = {} if embedded is None else embedded.vectors
    place = {"scope": scope, "scope_token": scope_token(scope)}
    by = {"embedder_id": "" if embedded is None else embedded.embedder_id}
    stamp = {"write_id": new_id()}
    statements: list[tuple[Query, dict[str, Any]]] = [
        (
            get_query("graph/lock_turns"),
            {"scope": scope, "now": now, "turns": [_lock_row(t) for t in plan.turns], **stamp},
        )
    ]
    if plan.terms:
        rows = [
            {
                "id": digest("term", scope, term.key),
                "key": term.key,
                "name": term.name,
                "search_text": search_text(term.name, language=language),
                "vector": vectors.get(term.name),
            }
            for term in plan.terms
        ]
        statements.append((get_query("graph/write_terms", slot), {"terms": rows, **place, **by}))
    if plan.tags:
        rows = [
            {
                "id": digest("tag", scope, tag.key),
                "key": tag.key,
                "label": tag.label,
                "vector": vectors.get(tag.label),
            }
            for tag in plan.tags
        ]
        statements.append((get_query("graph/write_tags", slot), {"tags": rows, **place, **by}))
    if plan.agents:
        rows = [{"id": agent.id, "name": agent.name} for agent in plan.agents]
        statements.append((get_query("graph/write_agents"), {"agents": rows, **place}))
    if plan.facts:
        rows = [_fact_row(fact, vectors, language) for fact in plan.facts]
        statements.append(
            (
                get_query("graph/write_facts", slot),
                {"facts": rows, "now": now, **place, **by, **stamp},
            )
        )
    rows = [_turn_row(turn, vectors, language) for turn in plan.turns]
    statements.append(
        (get_query("graph/write_turns", slot), {"scope": scope, "turns": rows, **by, **stamp})
    )
    return statements


def _lock_row(turn: TurnPlan) -> dict[str, Any]:
    return {
        "id": turn.item.turn.id,
        "replaces": list(turn.replaces),
        "fact_ids": list(turn.fact_ids),
    }


def _fact_row(
    fact: FactPlan, vectors: Mapping[str, NDArray[float32]], language: str
) -> dict[str, Any]:
    draft = fact.draft
    text = draft.text.casefold()
    # A given sentence may not repeat what its triple names.
    unsaid = [
        part
        for part in (draft.subject, draft.predicate, draft.object)
        if part and part.casefold() not in text
    ]
    return {
        "id": fact.id,
        "canonical_hash": fact.canonical_hash,
        "text": draft.text,
        "search_text": search_text(draft.text, *unsaid, language=language),
        "subject": draft.subject,
        "predicate": draft.predicate,
        "object": draft.object,
        "subject_key": fact.subject_key,
        "object_key": fact.object_key,
        "confidence": fact.confidence,
        "origin": fact.origin,
        "agent_id": fact.agent_id,
        "valid_from": fact.valid_from,
        "valid_to": fact.valid_to,
        "tag_keys": list(fact.tag_keys),
        "turn_ids": list(fact.turn_ids),
        "vector": vectors.get(draft.text),
    }


def _turn_row(
    turn: TurnPlan, vectors: Mapping[str, NDArray[float32]], language: str
) -> dict[str, Any]:
    extraction = turn.item.extraction
    return {
        "id": turn.item.turn.id,
        "summary": extraction.summary,
        "outcome": extraction.outcome.value,
        "intent": extraction.intent,
        "extraction": extraction.state.value,
        "extracted_by": extraction.extracted_by,
        "is_partial": extraction.is_partial,
        "attempts": 0 if extraction.state is ExtractionState.GIVEN else 1,
        "search_text": turn_search_text(turn.item.turn.messages, extraction, language=language),
        "mentions": [{"key": key, "weight": weight} for key, weight in turn.mentions],
        "fact_ids": list(turn.fact_ids),
        "agent_ids": list(turn.agent_ids),
        "vector": vectors.get(turn.item.embedding_text),
    }
