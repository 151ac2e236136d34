"""One write transaction: the statements of it, each from what the ones before it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.graph.admit import Decided, Decisions, Written, decide
from graphmem.graph.change import raise_routes
from graphmem.graph.conflict.model import Statement
from graphmem.graph.conflict.reading.statement import Parsed
from graphmem.graph.doubles import with_doubles
from graphmem.graph.explicit import find_waiting, superseding
from graphmem.graph.naming import term_rows, via
from graphmem.graph.neighbours import Candidate, Neighbourhood, find_neighbours
from graphmem.graph.overtaken import overtaken
from graphmem.graph.plan import FactPlan, WritePlan, fact_id
from graphmem.graph.rows import Rows, change_rows, lock_row, plan_of
from graphmem.ids import digest, new_id, scope_token
from graphmem.queries import get_query

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
        self._rows = Rows(
            self._parsed, self._vectors, now=now, language=language, awaits_vectors=awaits_vectors
        )

    async def run(self, transaction: Transaction) -> list[Row]:
        """Write the turns and what they state; return a row for each turn that was written."""
        stamp = new_id()
        rows = await transaction.run(
            get_query("graph/lock_turns"),
            scope=self._scope,
            write_id=stamp,
            now=self._now,
            turns=[lock_row(turn) for turn in self._plan.turns],
        )
        stamped = {row["id"] for row in rows}
        aliases = await self.name(transaction)
        stated = [fact for fact in self._plan.facts if stamped.issuperset(fact.turn_ids)]
        decisions = await self.admit(transaction, stated, aliases)
        stating: dict[str, list[Decided]] = {}
        for decided in decisions.decided:
            for turn_id in plan_of(decided).turn_ids:
                stating.setdefault(turn_id, []).append(decided)
        return await transaction.run(
            get_query("graph/write_turns", self._slot),
            scope=self._scope,
            write_id=stamp,
            turns=[
                self._rows.turn(turn, aliases, stating.get(turn.item.turn.id, ()), decisions)
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
            facts=self._rows.facts(decisions, aliases),
            now=self._now,
            **self._place,
            **self._by,
        )
        if changes := change_rows(decisions, found.statuses):
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
        rows = [self._rows.decision(decided) for decided in decisions.decided]
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

    def told_by_another_name(self, decided: Decided) -> dict[str, Any]:
        """Return what was said, where it is known by another name already; else nothing."""
        return self._rows.said(decided, self.decisions)


def _split(pipeline: ConflictPipeline, fact: FactPlan) -> Parsed:
    draft = fact.draft
    return pipeline.split(draft.text, draft.subject, draft.predicate, draft.object)
