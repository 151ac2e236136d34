"""Writes planned turns into the graph, in one transaction, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.errors import InputError, StoreError
from graphmem.graph.admit import Decisions
from graphmem.graph.change import lock_evidence
from graphmem.graph.overtaken import transact
from graphmem.graph.plan import GraphItem, WritePlan, fact_id, plan_write
from graphmem.graph.writing import EmbeddedTexts, Writing
from graphmem.operation import operation
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Transaction
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = [
    "GraphCounts",
    "RememberedIds",
    "plan_texts",
    "remember",
    "texts_to_embed",
    "write",
]


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


@dataclass(frozen=True, slots=True)
class RememberedIds:
    """The fact that a statement is now, and the entry of the log that says why."""

    fact_id: str
    decision_id: str


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
    return await plan_texts(db, scope, plan_write(items), embedder_id=embedder_id)


async def plan_texts(db: Database, scope: str, plan: WritePlan, *, embedder_id: str) -> list[str]:
    """Return the same of what is planned already, such as one statement."""
    texts = [turn.item.embedding_text for turn in plan.turns]
    if not (plan.terms or plan.tags or plan.facts):
        return list(dict.fromkeys(texts))
    (known,) = await db.run(
        get_query("graph/find_embedded"),
        scope=scope,
        embedder_id=embedder_id,
        term_keys=[term.key for term in plan.terms],
        tag_keys=[tag.key for tag in plan.tags],
        fact_ids=[fact_id(scope, fact.canonical_hash) for fact in plan.facts],
    )
    terms, tags, facts = set(known["terms"]), set(known["tags"]), set(known["facts"])
    texts += [term.name for term in plan.terms if term.key not in terms]
    texts += [tag.label for tag in plan.tags if tag.key not in tags]
    texts += [
        fact.draft.text for fact in plan.facts if fact_id(scope, fact.canonical_hash) not in facts
    ]
    return list(dict.fromkeys(texts))


async def write(
    db: Database,
    scope: str,
    items: Sequence[GraphItem],
    embedded: EmbeddedTexts | None,
    pipeline: ConflictPipeline,
    *,
    now: datetime,
    language: str,
    awaits_vectors: bool = False,
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
        pipeline: Decides what becomes of each statement.
        now: When the facts are recorded; aware UTC.
        language: Of stop words and stems of the full-text index.
        awaits_vectors: Whether what has no vector gets one later: it is looked at again then.

    Returns:
        One result an item, in order.

    Raises:
        StoreError: The server failed; nothing was written, or of a batch that was cut a part.
    """
    plan = plan_write(items)
    if not plan.turns:
        return []
    writing = Writing(
        scope,
        plan,
        embedded,
        pipeline,
        now=now,
        language=language,
        awaits_vectors=awaits_vectors,
    )
    try:
        rows = await transact(db, writing.run)
    except StoreError as error:
        if error.kind != "transaction-too-large" or len(items) == 1:
            raise
        half = len(items) // 2
        halves = [
            await write(
                db,
                scope,
                part,
                embedded,
                pipeline,
                now=now,
                language=language,
                awaits_vectors=awaits_vectors,
            )
            for part in (items[:half], items[half:])
        ]
        return [*halves[0], *halves[1]]
    _log(scope, writing.decisions)
    written = {row["id"]: row for row in rows}
    return [_counts(item.turn.id, written.get(item.turn.id)) for item in items]


async def remember(
    db: Database,
    scope: str,
    plan: WritePlan,
    embedded: EmbeddedTexts | None,
    pipeline: ConflictPipeline,
    *,
    now: datetime,
    language: str,
    awaits_vectors: bool = False,
    old_id: str = "",
    reason: str = "",
) -> RememberedIds:
    """Put one statement into the graph, beside what is known or in the place of a fact.

    Args:
        db: The store.
        scope: Whose memory it is.
        plan: From `plan_statement`.
        embedded: As in `write`, and so are the next four.
        pipeline: As in `write`.
        now: As in `write`.
        language: As in `write`.
        awaits_vectors: As in `write`.
        old_id: The fact that it supersedes; "" = the pipeline decides.
        reason: Why it does.

    Raises:
        InputError: A turn of its evidence is not there, or it cannot supersede that fact;
            nothing was written.
        StoreError: The server failed; nothing was written.
    """
    writing = Writing(
        scope,
        plan,
        embedded,
        pipeline,
        now=now,
        language=language,
        awaits_vectors=awaits_vectors,
    )
    (fact,) = plan.facts

    async def work(transaction: Transaction) -> RememberedIds:
        if fact.turn_ids:
            await lock_evidence(transaction, scope, turn_ids=fact.turn_ids)
        if old_id:
            decisions = await writing.supersede(transaction, old_id, reason)
        else:
            aliases = await writing.name(transaction)
            decisions = await writing.admit(transaction, plan.facts, aliases)
        (decided,) = decisions.decided
        (row,) = await transaction.run(
            get_query("graph/state_fact"),
            scope=scope,
            fact_id=decided.fact_id,
            turn_ids=list(fact.turn_ids),
            told=writing.told_by_another_name(decided),
        )
        if missing := sorted(set(fact.turn_ids) - set(row["turns"])):
            raise InputError(
                f"there is no turn {', '.join(missing)} in this scope: evidence is a turn that "
                "is stored",
                ids=missing,
            )
        return RememberedIds(decided.fact_id, writing.decision_ids[0])

    remembered = await transact(db, work)
    _log(scope, writing.decisions)
    return remembered


def _log(scope: str, decisions: Decisions) -> None:
    """Tell each decision, once it is committed: one event and one span."""
    for decided in decisions.decided:
        verdict = decided.verdict
        zone = "" if verdict.zone is None else verdict.zone.value
        with operation(
            "conflict.decide",
            scope,
            kind=verdict.kind.value,
            stage=verdict.stage.value,
            zone=zone,
            fact=decided.fact_id,
        ):
            pass


def _counts(turn_id: str, row: Mapping[str, Any] | None) -> GraphCounts:
    if row is None:
        return GraphCounts(turn_id, is_written=False)
    return GraphCounts(turn_id, is_written=True, facts=row["facts"], mentions=row["mentions"])
