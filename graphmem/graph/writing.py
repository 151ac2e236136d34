"""One write transaction: the statements of it, each from what the ones before it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.decisions import DecisionKind
from graphmem.graph.admit import (
    Candidate,
    Decided,
    Decisions,
    Neighbourhood,
    Written,
    decide,
    find_neighbours,
)
from graphmem.graph.change import raise_routes
from graphmem.graph.conflict.model import Statement
from graphmem.graph.conflict.reading.statement import Parsed
from graphmem.graph.doubles import with_doubles
from graphmem.graph.explicit import find_waiting, superseding
from graphmem.graph.naming import end_row, end_rows, said_row, term_rows, via
from graphmem.graph.overtaken import overtaken
from graphmem.graph.plan import FactPlan, TurnPlan, WritePlan, fact_id
from graphmem.ids import digest, new_id, scope_token
from graphmem.models import ExtractionState, FactDraft
from graphmem.queries import get_query
from graphmem.text import search_text
from graphmem.turn_text import turn_search_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db.database import Row, Transaction
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["EmbeddedTexts", "Writing"]

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


class Writing:
    """A planned write; each call of `run`, `admit` or `supersede` is one attempt at it.

    Locks are taken in one order by every writer: Turns, Terms, Tags, Agents, Facts.

    Attributes:
        decisions: Of the last attempt.
        decision_ids: Of its log, in the order of the statements.
    """

    def __init__(
        self,
        scope: str,
        plan: WritePlan,
        embedded: EmbeddedTexts | None,
        pipeline: ConflictPipeline,
        *,
        now: datetime,
        language: str,
        awaits_vectors: bool,
    ) -> None:
        self.decisions = Decisions((), {}, {})
        self.decision_ids: list[str] = []
        self._scope = scope
        self._place = {"scope": scope, "scope_token": scope_token(scope)}
        self._plan = plan
        self._slot = _ANY_SLOT if embedded is None else embedded.slot
        self._vectors = {} if embedded is None else embedded.vectors
        self._by = {"embedder_id": "" if embedded is None else embedded.embedder_id}
        self._pipeline = pipeline
        # Once for all attempts.
        self._parsed = {fact.draft: _split(pipeline, fact) for fact in plan.facts}
        self._now = now
        self._language = language
        self._awaits_vectors = awaits_vectors

    async def run(self, transaction: Transaction) -> list[Row]:
        """Write the turns and what they state; return a row for each turn that was written."""
        stamp = new_id()
        rows = await transaction.run(
            get_query("graph/lock_turns"),
            scope=self._scope,
            write_id=stamp,
            now=self._now,
            turns=[_lock_row(turn) for turn in self._plan.turns],
        )
        stamped = {row["id"] for row in rows}
        aliases = await self.name(transaction)
        stated = [fact for fact in self._plan.facts if stamped.issuperset(fact.turn_ids)]
        decisions = await self.admit(transaction, stated, aliases)
        stating: dict[str, list[Decided]] = {}
        for decided in decisions.decided:
            for turn_id in _plan_of(decided).turn_ids:
                stating.setdefault(turn_id, []).append(decided)
        return await transaction.run(
            get_query("graph/write_turns", self._slot),
            scope=self._scope,
            write_id=stamp,
            turns=[
                self._turn_row(turn, aliases, stating.get(turn.item.turn.id, ()))
                for turn in self._plan.turns
            ],
            **self._by,
        )

    async def name(self, transaction: Transaction) -> dict[str, str]:
        """Make and lock Terms, Tags and Agents; return what stands for a merged Term, by key.

        A statement whose rows are none is left out: it would cost a round trip.
        """
        aliases: dict[str, str] = {}
        terms = term_rows(
            self._scope,
            self._plan.terms,
            self._parsed.values(),
            self._vectors,
            language=self._language,
        )
        if terms:
            rows = await transaction.run(
                get_query("graph/write_terms", self._slot),
                terms=terms,
                **self._place,
                **self._by,
            )
            self._check_there(row["key"] for row in rows if row["is_gone"])
            aliases = {row["key"]: row["into"] for row in rows}
        if self._plan.tags:
            rows = await transaction.run(
                get_query("graph/write_tags", self._slot),
                tags=[
                    {
                        "id": digest("tag", self._scope, tag.key),
                        "key": tag.key,
                        "label": tag.label,
                        "vector": self._vectors.get(tag.label),
                    }
                    for tag in self._plan.tags
                ],
                **self._place,
                **self._by,
            )
            self._check_there(row["gone"] for row in rows)
        if self._plan.agents:
            await transaction.run(
                get_query("graph/write_agents"),
                agents=[{"id": agent.id, "name": agent.name} for agent in self._plan.agents],
                **self._place,
            )
        return aliases

    def _check_there(self, gone: Iterable[str]) -> None:
        if keys := sorted(gone):
            raise overtaken(f"{', '.join(keys)} of scope {self._scope!r} went as nothing led there")

    async def admit(
        self, transaction: Transaction, facts: Sequence[FactPlan], aliases: Mapping[str, str]
    ) -> Decisions:
        """Decide what becomes of statements, and write it with its log."""
        candidates = [self.candidate(fact, aliases) for fact in facts]
        if not candidates:
            return Decisions((), {}, {})
        found = await find_neighbours(
            transaction, self._scope, candidates, self._pipeline, slot=self._slot
        )
        found = await with_doubles(transaction, self._scope, found)
        decisions = decide(self._scope, candidates, found, self._pipeline, now=self._now)
        return await self._put(transaction, decisions, aliases, found)

    async def supersede(self, transaction: Transaction, old_id: str, reason: str) -> Decisions:
        """Write the one statement of the plan in the place of a fact, whatever else is known.

        Raises:
            InputError: There is no such fact, it is over already, or it cannot be superseded by
                this statement.
        """
        aliases = await self.name(transaction)
        (fact,) = self._plan.facts
        candidate = self.candidate(fact, aliases)
        waiting = await find_waiting(transaction, self._scope, old_id, now=self._now)
        found = await find_neighbours(
            transaction,
            self._scope,
            [candidate],
            self._pipeline,
            slot=self._slot,
            named=[old_id],
        )
        verdict = superseding(candidate.statement, found, old_id, reason, waiting)
        written = Written(self._scope, self._now)
        (known,) = found.known
        written.add(candidate, verdict, replace(known, slot=(*known.slot, found.named[old_id])))
        return await self._put(transaction, written.decisions(), aliases, found)

    async def _put(
        self,
        transaction: Transaction,
        decisions: Decisions,
        aliases: Mapping[str, str],
        found: Neighbourhood,
    ) -> Decisions:
        """Write what was decided: successors first, then what they end, then the log.

        Raises:
            StoreError: What it was decided beside is no longer so (kind "overtaken"): the next
                attempt sees it as it is.
        """
        await transaction.run(
            get_query("graph/write_facts", self._slot),
            facts=self._fact_rows(decisions, aliases),
            now=self._now,
            **self._place,
            **self._by,
        )
        if changes := _change_rows(decisions, found.statuses):
            changed = await transaction.run(
                get_query("graph/change_facts"), scope=self._scope, now=self._now, changes=changes
            )
            # Whoever forgets or judges a fact holds no lock of its Terms.
            if len(changed) < len(changes):
                raise overtaken(
                    f"facts of scope {self._scope!r} were changed by others while statements "
                    "were decided beside them"
                )
            await raise_routes(transaction, self._scope, changed)
        self.decisions = decisions
        rows = [self._decision_row(decided) for decided in decisions.decided]
        self.decision_ids = [str(row["id"]) for row in rows]
        await transaction.run(
            get_query("graph/write_decisions"), decisions=rows, now=self._now, **self._place
        )
        return decisions

    def candidate(self, fact: FactPlan, aliases: Mapping[str, str]) -> Candidate:
        """Return a planned statement as the pipeline decides about it."""
        draft, parsed = fact.draft, self._parsed[fact.draft]
        statement = Statement(
            id=fact_id(self._scope, fact.canonical_hash),
            text=draft.text,
            canonical_hash=fact.canonical_hash,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
            recorded_at=fact.recorded_at or self._now,
            subject_key=aliases.get(parsed.subject_key, parsed.subject_key),
            predicate_key=parsed.predicate_key,
            object_key=aliases.get(parsed.object_key, parsed.object_key),
            predicate=parsed.predicate,
            is_negated=parsed.is_negated,
            subject_via=via(parsed.subject_key, aliases) or "",
            object_via=via(parsed.object_key, aliases) or "",
            old_key=aliases.get(parsed.old_key, parsed.old_key),
        )
        return Candidate(statement, fact, self._vectors.get(draft.text))

    # Rows ---------------------------------------------------------------------------------

    def _fact_rows(self, decisions: Decisions, aliases: Mapping[str, str]) -> list[dict[str, Any]]:
        rows = [self._fact_row(decided, decisions, aliases) for decided in decisions.decided]
        return sorted(rows, key=lambda row: str(row["id"]))

    def _fact_row(
        self, decided: Decided, decisions: Decisions, aliases: Mapping[str, str]
    ) -> dict[str, Any]:
        plan = _plan_of(decided)
        parsed = self._parsed[plan.draft]
        standing = decisions.standing[decided.fact_id]
        since = decisions.superseded.get(decided.fact_id)
        draft = plan.draft
        # What says the same in other words keeps its own ends.
        is_own = standing.canonical_hash == plan.canonical_hash
        return {
            "id": decided.fact_id,
            "canonical_hash": plan.canonical_hash,
            "text": draft.text,
            "search_text": self._search_text(draft),
            "subject": draft.subject,
            "predicate": draft.predicate,
            "object": draft.object,
            "subject_key": standing.subject_key,
            "subject_via": via(parsed.subject_key, aliases),
            "predicate_key": standing.predicate_key,
            "object_key": standing.object_key,
            "object_via": via(parsed.object_key, aliases),
            "is_negated": standing.is_negated,
            "confidence": plan.confidence,
            "origin": plan.origin,
            "agent_id": plan.agent_id,
            "sensitivity": plan.sensitivity,
            "has_own_sensitivity": plan.has_own_sensitivity,
            "status": standing.status,
            "valid_from": standing.valid_from,
            "valid_to": standing.valid_to,
            "stated_at": plan.valid_from,
            "retired_at": None if standing.is_live else self._now,
            "retired_reason": "" if since is None else since.reason,
            "subjects": end_rows(plan.subject_key, aliases) if is_own else [],
            "objects": end_rows(plan.object_key, aliases) if is_own else [],
            "tag_keys": list(plan.tag_keys),
            "vector": self._vectors.get(draft.text) if is_own else None,
        }

    def _decision_row(self, decided: Decided) -> dict[str, Any]:
        verdict = decided.verdict
        return {
            "id": new_id(),
            "kind": verdict.kind,
            "stage": verdict.stage,
            "zone": "" if verdict.zone is None else verdict.zone,
            "similarity": verdict.similarity,
            "reason": verdict.reason,
            "text": decided.candidate.statement.text,
            "state": self._state(decided),
            "fact_id": decided.fact_id,
            "against": list(verdict.against),
        }

    def _state(self, decided: Decided) -> str:
        if decided.verdict.kind is DecisionKind.PENDING:
            return "open"
        is_blind = decided.candidate.vector is None and self._awaits_vectors
        return "unchecked" if is_blind and not decided.verdict.is_final else "settled"

    def told_by_another_name(self, decided: Decided) -> dict[str, Any]:
        """Return what was said, where it is known by another name already; else nothing."""
        plan, said = _plan_of(decided), decided.candidate.statement
        known = self.decisions.standing[decided.fact_id]
        if known.canonical_hash == plan.canonical_hash:
            return {}
        return said_row(said, plan, search_text=self._search_text(plan.draft))

    def _search_text(self, draft: FactDraft) -> str:
        text = draft.text.casefold()
        # A given sentence may not repeat what its triple names.
        unsaid = [
            part
            for part in (draft.subject, draft.predicate, draft.object)
            if part and part.casefold() not in text
        ]
        return search_text(draft.text, *unsaid, language=self._language)

    def _turn_row(
        self, turn: TurnPlan, aliases: Mapping[str, str], stating: Sequence[Decided]
    ) -> dict[str, Any]:
        told = {one.candidate.statement.id: self.told_by_another_name(one) for one in stating}
        # What it says by the name itself, too, stays where it is.
        by_name = {one.fact_id for one in stating if not told[one.candidate.statement.id]}
        extraction = turn.item.extraction
        messages = turn.item.turn.messages
        return {
            "id": turn.item.turn.id,
            "summary": extraction.summary,
            "outcome": extraction.outcome.value,
            "intent": extraction.intent,
            "extraction": extraction.state.value,
            "extracted_by": extraction.extracted_by,
            "is_partial": extraction.is_partial,
            "attempts": 0 if extraction.state is ExtractionState.GIVEN else 1,
            "search_text": turn_search_text(messages, extraction, language=self._language),
            "mentions": [
                {**end_row(key, aliases), "weight": weight} for key, weight in turn.mentions
            ],
            "fact_ids": sorted({one.fact_id for one in stating}),
            "said": [
                {"fact_id": one.fact_id, "told": told[one.candidate.statement.id]}
                for one in stating
                if one.fact_id not in by_name
            ],
            "agent_ids": list(turn.agent_ids),
            "vector": self._vectors.get(turn.item.embedding_text),
        }


def _split(pipeline: ConflictPipeline, fact: FactPlan) -> Parsed:
    draft = fact.draft
    return pipeline.split(draft.text, draft.subject, draft.predicate, draft.object)


def _plan_of(decided: Decided) -> FactPlan:
    plan = decided.candidate.plan
    assert plan is not None  # noqa: S101 - candidates of a write are planned
    return plan


def _lock_row(turn: TurnPlan) -> dict[str, Any]:
    return {
        "id": turn.item.turn.id,
        "replaces": list(turn.replaces),
        "fact_hashes": list(turn.fact_hashes),
    }


def _change_rows(decisions: Decisions, seen: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return one row for each fact that was there, or that another one superseded."""
    new = {decided.fact_id for decided in decisions.decided if not decided.is_there}
    rows = []
    for changed, standing in sorted(decisions.standing.items()):
        since = decisions.superseded.get(changed)
        if changed in new and since is None:
            continue
        rows.append(
            {
                "id": changed,
                "seen": seen.get(changed),
                "status": standing.status,
                "valid_from": standing.valid_from,
                "valid_to": standing.valid_to,
                "reason": None if since is None else since.reason,
                "is_withdrawn": standing.is_withdrawn,
                "superseded_by": None if since is None else since.successor_id,
            }
        )
    return rows
