"""Semantic memory: facts that an agent states, searches, corrects and forgets."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from graphmem.checks import check_flag, check_word
from graphmem.clock import as_utc
from graphmem.decisions import Decision, DecisionKind, FactHistory, JudgeReport, Remembered
from graphmem.errors import ConfigError
from graphmem.graph.plan import plan_statement
from graphmem.models import TOLD, Fact, FactHit, Recall
from graphmem.operation import Progress, operation
from graphmem.queries import get_query
from graphmem.recall.rerank import FactReRanker, check_reranker, rerank
from graphmem.text import term_key
from graphmem.tiers.forgetting import forget, no_such_fact, restore
from graphmem.tiers.judging import Judging
from graphmem.tiers.reading import (
    FactFilter,
    count_open,
    get_decisions,
    get_facts,
    get_history,
    list_decisions,
    list_facts,
)
from graphmem.tiers.requests import (
    FACT_STATUSES,
    StatementRequest,
    check_id,
    check_limit,
    check_query,
    check_reason,
    check_search_tags,
    optional_name,
    statement_request,
    successor_request,
)
from graphmem.tiers.search import Asked, QueryVector, search_facts

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.engine import Engine

__all__ = ["MOST_FOUND", "AsyncSemantic"]

MOST_FOUND = 50
_STATES = ("open", "unchecked", "settled")


class AsyncSemantic:
    """The facts of one scope: reached as `memory.semantic`.

    A statement goes through the conflict pipeline before it becomes a fact, whether an agent
    states it here or a turn does.
    """

    def __init__(
        self,
        engine: Engine,
        scope: str,
        *,
        vectors: Mapping[str, NDArray[float32]] = MappingProxyType({}),
    ) -> None:
        self._engine = engine
        self._scope = scope
        # Of questions that were embedded already.
        self._vectors = vectors

    # Writing ------------------------------------------------------------------------------

    async def remember(
        self,
        text: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of a triple
        confidence: float = 1.0,
        tags: Iterable[str] = (),
        turn_ids: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        agent_id: str | None = None,
        sensitivity: str | None = None,
    ) -> Fact:
        """Remember a statement, and return the fact that it is now.

        That is a new one, or the one that says so already; `remember_with_decision` tells
        which, and why.

        Args:
            text: The statement as a sentence, 1 to 8,192 characters.
            subject: What it is about; all three parts of a triple, or none.
            predicate: What it says of it.
            object: The triple's other end.
            confidence: From 0 to 1.
            tags: Labels that lead to it, up to 32 of up to 64 characters.
            turn_ids: Turns of this scope that are its evidence.
            valid_from: From when it holds (aware); None = now.
            valid_to: Until when, exclusive (aware); None = still.
            agent_id: Which agent says it.
            sensitivity: "public", "internal" or "secret"; secret facts are found here, and
                never ride along in a recall. None = internal, or secret where it supersedes
                something secret.

        Raises:
            InputError: It is out of bounds, or a turn is not there; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        remembered = await self.remember_with_decision(
            text,
            subject=subject,
            predicate=predicate,
            object=object,
            confidence=confidence,
            tags=tags,
            turn_ids=turn_ids,
            valid_from=valid_from,
            valid_to=valid_to,
            agent_id=agent_id,
            sensitivity=sensitivity,
        )
        return remembered.fact

    async def remember_with_decision(
        self,
        text: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of a triple
        confidence: float = 1.0,
        tags: Iterable[str] = (),
        turn_ids: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        agent_id: str | None = None,
        sensitivity: str | None = None,
    ) -> Remembered:
        """Remember a statement, and return the fact that it is now with how that was decided.

        Args:
            text: As in `remember`, and so are the others.
            subject: As in `remember`.
            predicate: As in `remember`.
            object: As in `remember`.
            confidence: As in `remember`.
            tags: As in `remember`.
            turn_ids: As in `remember`.
            valid_from: As in `remember`.
            valid_to: As in `remember`.
            agent_id: As in `remember`.
            sensitivity: As in `remember`.

        Raises:
            InputError: As `remember`.
            StoreError: As `remember`.
        """
        with operation("semantic.remember", self._scope) as current:
            now = self._engine.clock.now()
            request = statement_request(
                text,
                subject=subject,
                predicate=predicate,
                object=object,
                confidence=confidence,
                tags=tags,
                turn_ids=turn_ids,
                valid_from=valid_from,
                valid_to=valid_to,
                agent_id=agent_id,
                sensitivity=sensitivity,
                now=now,
            )
            remembered = await self._remember(request, now)
            current.fields["kind"] = str(remembered.decision.kind)
            current.fields["stage"] = str(remembered.decision.stage)
            return remembered

    async def supersede(self, old_id: str, new: str | Mapping[str, Any], reason: str) -> Remembered:
        """Say what holds since, in the place of a fact; the conflict pipeline is not asked.

        The new fact is written first; then the old one ends where the new one begins. Where
        another fact waits for the end of the old one already, the new one holds until that
        begins.

        Args:
            old_id: The fact that holds no longer.
            new: The statement's text, or a mapping with the parameters of `remember`; of a
                triple the text may be missing. Its sensitivity is that of the old fact unless
                it says so.
            reason: Why, up to 512 characters; the history keeps it.

        Raises:
            InputError: There is no such fact, it is told no longer, or `new` is out of bounds;
                nothing was written.
            StoreError: The server failed; nothing was written.
        """
        with operation("semantic.supersede", self._scope):
            now = self._engine.clock.now()
            checked, why = check_id(old_id, "old_id"), check_reason(reason)
            old = await self._one(checked)
            request = successor_request(new, now=now, sensitivity=old.sensitivity)
            return await self._remember(request, now, old_id=old.id, reason=why)

    async def forget(self, fact_id: str, reason: str) -> Fact:
        """Tell a fact no longer; it stays in the store, and `restore` takes that back.

        It is not learned again from a turn that is there already; stated anew, it is told
        again.

        Args:
            fact_id: The fact.
            reason: Why, up to 512 characters.

        Returns:
            The fact as it is now.

        Raises:
            InputError: There is no such fact, or the reason is out of bounds.
            StoreError: The server failed.
        """
        with operation("semantic.forget", self._scope):
            checked, why = check_id(fact_id, "fact_id"), check_reason(reason)
            now = self._engine.clock.now()
            await forget(self._engine.db, self._scope, checked, why, now=now)
            return await self._one(checked)

    async def restore(self, fact_id: str) -> Fact:
        """Tell a forgotten fact again, as it stood before.

        Args:
            fact_id: The fact.

        Returns:
            The fact as it is now; one that was not forgotten is as it was.

        Raises:
            InputError: There is no such fact, or another one superseded it.
            StoreError: The server failed.
        """
        with operation("semantic.restore", self._scope):
            checked, now = check_id(fact_id, "fact_id"), self._engine.clock.now()
            await restore(self._engine.db, self._scope, checked, now=now)
            return await self._one(checked)

    async def pin(self, fact_id: str, pinned: bool = True) -> Fact:
        """Keep upkeep from a fact, or let it at it again.

        Args:
            fact_id: The fact.
            pinned: Whether upkeep leaves it alone.

        Returns:
            The fact as it is now.

        Raises:
            InputError: There is no such fact.
            StoreError: The server failed.
        """
        with operation("semantic.pin", self._scope):
            checked, is_pinned = check_id(fact_id, "fact_id"), check_flag(pinned, "pinned")
            query = get_query("tiers/pin_fact")
            await self._engine.db.run(query, scope=self._scope, id=checked, pinned=is_pinned)
            return await self._one(checked)

    # Reading ------------------------------------------------------------------------------

    async def search(
        self,
        query: str,
        *,
        limit: int = 10,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        include_superseded: bool = False,
        tags: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> builtins.list[FactHit]:
        """Find facts by their words and their meaning, best first.

        Only what holds now is found, unless something else is asked for.

        Args:
            query: The question, in plain words, up to 1,024 characters.
            limit: The most facts, 0 to 50.
            as_of: Find what held at this instant (aware), superseded facts too.
            known_at: Find what this memory said at that instant (aware), as it said it; with
                `as_of`, what it then said of that time.
            include_superseded: Find facts that have ended as well.
            tags: Labels that each fact must have, up to 16.
            agent_id: Only facts that this agent learned.

        Raises:
            InputError: The query is blank, or something is out of bounds.
            StoreError: The server cannot be reached.
        """
        with operation("semantic.search", self._scope) as current:
            engine, now = self._engine, self._engine.clock.now()
            known = None if known_at is None else as_utc(known_at, name="known_at")
            held = None if as_of is None else as_utc(as_of, name="as_of")
            asked = Asked(
                query=check_query(query),
                holds_at=held or known or now,
                known_at=known,
                include_superseded=bool(include_superseded),
                tag_keys=tuple(term_key(tag) for tag in check_search_tags(tags)),
                agent_id=optional_name(agent_id, "agent_id"),
            )
            wanted = check_limit(limit, MOST_FOUND)
            hits = await self._search(asked, wanted) if wanted else []
            current.fields["facts"] = len(hits)
            if engine.settings.record_usage:
                found = Recall(query=asked.query, scope=self._scope, facts=tuple(hits))
                engine.usage.note(found, now)
            return hits

    def set_reranker(self, reranker: FactReRanker | None) -> None:
        """Let the best facts of every search be ordered by a reranker; None = no longer.

        It holds for every scope of this memory. When it fails, or takes longer than
        `rerank_timeout_s`, the order stays.

        Args:
            reranker: Has ``async def rerank(query, hits)``, which returns a number a hit.

        Raises:
            InputError: It has no such method.
        """
        self._engine.fact_reranker = check_reranker(reranker)

    async def get(self, fact_id: str) -> Fact | None:
        """Return a fact, whatever its status, or None.

        Raises:
            InputError: That is no id.
            StoreError: The server cannot be reached.
        """
        with operation("semantic.get", self._scope):
            found = await get_facts(self._engine.db, self._scope, [check_id(fact_id, "fact_id")])
            return found[0] if found else None

    async def list(
        self,
        *,
        limit: int = 100,
        subject: str | None = None,
        predicate: str | None = None,
        status: str | None = None,
        tags: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> builtins.list[Fact]:
        """Return facts, the latest recorded first.

        Args:
            limit: The most facts.
            subject: Only facts about it.
            predicate: Only facts that say this of their subject, or mean the same by it.
            status: "active", "pending", "superseded", "deprecated" or "forgotten", whenever
                they hold; "all" for every fact; None = those that hold now.
            tags: Labels that each fact must have, up to 16.
            agent_id: Only facts that this agent learned.

        Raises:
            InputError: Something is out of bounds.
            StoreError: The server cannot be reached.
        """
        with operation("semantic.list", self._scope) as current:
            now = self._engine.clock.now()
            wanted = self._filter(
                optional_name(subject, "subject"), optional_name(predicate, "predicate"), status
            )
            facts = await list_facts(
                self._engine.db,
                self._scope,
                FactFilter(
                    statuses=wanted.statuses,
                    holds_at=now if status is None else None,
                    subject_key=wanted.subject_key,
                    predicate=wanted.predicate,
                    predicate_key=wanted.predicate_key,
                    agent_id=optional_name(agent_id, "agent_id"),
                    tag_keys=tuple(term_key(tag) for tag in check_search_tags(tags)),
                ),
                limit=check_limit(limit),
                now=now,
            )
            current.fields["facts"] = len(facts)
            return facts

    async def history(self, fact_id: str) -> FactHistory:
        """Return how a fact came and went: its versions, its chain, the decisions about it.

        Args:
            fact_id: The fact.

        Raises:
            InputError: There is no such fact.
            StoreError: The server cannot be reached.
        """
        with operation("semantic.history", self._scope):
            checked = check_id(fact_id, "fact_id")
            found = await get_history(self._engine.db, self._scope, checked)
            if found is None:
                raise no_such_fact(checked, self._scope)
            return found

    # Conflicts ----------------------------------------------------------------------------

    async def conflicts(
        self, *, limit: int = 100, state: str | None = None, kind: str | None = None
    ) -> builtins.list[Decision]:
        """Return the log of the conflict pipeline, the latest decision first.

        Args:
            limit: The most decisions.
            state: "open" (a judge is waited for), "unchecked" (a vector is waited for) or
                "settled"; None = any.
            kind: "admit", "dedup", "supersede" or "pending"; None = any.

        Raises:
            InputError: Something is out of bounds.
            StoreError: The server cannot be reached.
        """
        with operation("semantic.conflicts", self._scope):
            return await list_decisions(
                self._engine.db,
                self._scope,
                states=_STATES if state is None else [check_word(state, "state", _STATES)],
                kinds=list(DecisionKind)
                if kind is None
                else [check_word(kind, "kind", DecisionKind)],
                limit=check_limit(limit),
            )

    async def judge_pending(
        self, *, limit: int = 50, progress: Progress | None = None
    ) -> JudgeReport:
        """Let the chat model judge decisions that wait: one call each.

        The least tried and oldest come first. Each is settled on its own, so that a run that is
        broken off is taken up by the next one. What the model says never retires a fact that
        has nothing to do with the new one.

        Args:
            limit: The most decisions.
            progress: Called with the decisions done and of how many.

        Returns:
            What became of them; `error` tells when the model could not be reached.

        Raises:
            ConfigError: No model is configured; the decisions wait, and both facts of each
                stand.
            InputError: The limit is out of bounds.
            StoreError: The server failed.
        """
        with operation("semantic.judge_pending", self._scope) as current:
            engine, wanted = self._engine, check_limit(limit)
            if engine.chat_model is None:
                waiting = await count_open(engine.db, self._scope)
                raise ConfigError(
                    f"no model is configured to judge by, and {waiting} decisions wait: set "
                    "GRAPHMEM_LLM_MODEL (and its key or base URL); meanwhile both facts of each "
                    "stand"
                )
            judging = Judging(
                engine.db,
                self._scope,
                engine.chat_model,
                engine.pipeline.conflicts,
                engine.clock,
                concurrency=engine.settings.llm_concurrency,
                timeout_s=engine.settings.llm_timeout_s,
                max_tokens=engine.settings.llm_max_tokens,
            )
            report = await judging.run(wanted, progress)
            current.fields["judged"] = report.judged
            return report

    async def _remember(
        self, request: StatementRequest, now: datetime, *, old_id: str = "", reason: str = ""
    ) -> Remembered:
        plan = plan_statement(
            request.draft,
            now=now,
            agent_id=request.agent_id,
            sensitivity=request.sensitivity,
            has_own_sensitivity=request.has_own_sensitivity,
            turn_ids=request.turn_ids,
        )
        ids = await self._engine.pipeline.remember(self._scope, plan, old_id=old_id, reason=reason)
        fact = await self._one(ids.fact_id)
        (decision,) = await get_decisions(self._engine.db, self._scope, [ids.decision_id])
        return Remembered(fact=fact, decision=decision)

    async def _one(self, fact_id: str) -> Fact:
        found = await get_facts(self._engine.db, self._scope, [fact_id])
        if not found:
            raise no_such_fact(fact_id, self._scope)
        return found[0]

    async def _search(self, asked: Asked, limit: int) -> builtins.list[FactHit]:
        engine = self._engine
        settings, reranker = engine.settings, engine.fact_reranker
        embedded = self._vectors.get(asked.query)
        if embedded is None:
            embedded = await engine.vectoriser.query(asked.query)
        slot = engine.vectoriser.slot
        vector = (
            None
            if embedded is None or slot is None
            else QueryVector(slot, engine.vectoriser.embedder_id, embedded)
        )
        depth = limit if reranker is None else max(limit, settings.rerank_depth)
        hits = await search_facts(
            engine.db, self._scope, asked, vector, language=settings.language, limit=depth
        )
        if reranker is not None and hits:
            timeout_s = settings.rerank_timeout_s
            reranked = await rerank(reranker, asked.query, hits, timeout_s=timeout_s)
            hits = hits if reranked is None else [*reranked]
        return hits[:limit]

    def _filter(self, subject: str, predicate: str, status: str | None) -> FactFilter:
        words = (*FACT_STATUSES, "all")
        chosen = None if status is None else check_word(status, "status", words)
        statuses = {None: TOLD, "all": FACT_STATUSES}.get(chosen, (str(chosen),))
        # Keys as statements get them; what is not named is made up, and left out again.
        parsed = self._engine.pipeline.conflicts.split("", subject or "x", predicate or "is", "x")
        return FactFilter(
            statuses=statuses,
            subject_key=(parsed.subject_key or term_key(subject)) if subject else "",
            predicate=" ".join(predicate.lower().split()),
            predicate_key=parsed.predicate_key if predicate else "",
        )
