"""The rows of a write: what was planned and decided, as its queries are given it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.decisions import DecisionKind
from graphmem.graph.admit import Decided, Decisions
from graphmem.graph.conflict.reading.statement import Parsed
from graphmem.graph.naming import end_row, end_rows, said_row, via
from graphmem.graph.plan import FactPlan, TurnPlan
from graphmem.ids import new_id
from graphmem.models import ExtractionState, FactDraft
from graphmem.text import search_text
from graphmem.turn_text import turn_search_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

__all__ = ["Rows", "change_rows", "lock_row", "plan_of"]


@dataclass(frozen=True, slots=True)
class Rows:
    """Makes the rows of one write.

    Attributes:
        parsed: The parts of each statement.
        vectors: By text, where there are any.
        now: When the write is made.
        language: Of stop words and stems of the full-text index.
        awaits_vectors: Whether what has no vector yet will have one.
    """

    parsed: Mapping[FactDraft, Parsed]
    vectors: Mapping[str, NDArray[float32]]
    now: datetime
    language: str
    awaits_vectors: bool

    def facts(self, decisions: Decisions, aliases: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the rows of graph/write_facts, in the order in which their locks are taken."""
        rows = [self._fact_row(decided, decisions, aliases) for decided in decisions.decided]
        return sorted(rows, key=lambda row: str(row["id"]))

    def _fact_row(
        self, decided: Decided, decisions: Decisions, aliases: Mapping[str, str]
    ) -> dict[str, Any]:
        plan = plan_of(decided)
        parsed = self.parsed[plan.draft]
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
            "retired_at": None if standing.is_live else self.now,
            "retired_reason": "" if since is None else since.reason,
            "subjects": end_rows(plan.subject_key, aliases) if is_own else [],
            "objects": end_rows(plan.object_key, aliases) if is_own else [],
            "tag_keys": list(plan.tag_keys),
            "vector": self.vectors.get(draft.text) if is_own else None,
        }

    def decision(self, decided: Decided) -> dict[str, Any]:
        """Return a row of graph/write_decisions."""
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
        is_blind = decided.candidate.vector is None and self.awaits_vectors
        return "unchecked" if is_blind and not decided.verdict.is_final else "settled"

    def said(self, decided: Decided, decisions: Decisions) -> dict[str, Any]:
        """Return what was said, where it is known by another name already; else nothing."""
        plan, said = plan_of(decided), decided.candidate.statement
        known = decisions.standing[decided.fact_id]
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
        return search_text(draft.text, *unsaid, language=self.language)

    def turn(
        self,
        turn: TurnPlan,
        aliases: Mapping[str, str],
        stating: Sequence[Decided],
        decisions: Decisions,
    ) -> dict[str, Any]:
        """Return a row of graph/write_turns."""
        told = {one.candidate.statement.id: self.said(one, decisions) for one in stating}
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
            "search_text": turn_search_text(messages, extraction, language=self.language),
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
            "vector": self.vectors.get(turn.item.embedding_text),
        }


def plan_of(decided: Decided) -> FactPlan:
    """Return what a statement of a write is to be linked to."""
    plan = decided.candidate.plan
    assert plan is not None  # noqa: S101 - candidates of a write are planned
    return plan


def lock_row(turn: TurnPlan) -> dict[str, Any]:
    """Return a row of graph/lock_turns."""
    return {
        "id": turn.item.turn.id,
        "replaces": list(turn.replaces),
        "fact_hashes": list(turn.fact_hashes),
    }


def change_rows(decisions: Decisions, seen: Mapping[str, str]) -> list[dict[str, Any]]:
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
