"""`AsyncGraphMemory`: what a program holds. It wires the stages and decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import PrivateAttr

from graphmem.backlog import Ticket
from graphmem.calibration import calibrate
from graphmem.capture.intake import draft_messages, draft_turn
from graphmem.checks import check_whole
from graphmem.config import Settings, check_scope
from graphmem.doctor import examine
from graphmem.engine import Engine
from graphmem.errors import InputError
from graphmem.explanation import AsyncRecall
from graphmem.extract.given import given_extraction
from graphmem.graph.pending import drop_quarantined, list_quarantined
from graphmem.health import DoctorReport, Stats
from graphmem.ids import check_ids
from graphmem.maintenance import MaintenanceReport
from graphmem.models import (
    Calibration,
    Evidence,
    Extraction,
    FactHit,
    Flushed,
    Message,
    QuarantinedTurn,
    Recall,
    Receipt,
    TurnDraft,
)
from graphmem.operation import Progress, operation
from graphmem.recall.read import get_evidence, stats
from graphmem.recall.request import RecallRequest, recall_request
from graphmem.recall.rerank import ReRanker, check_reranker
from graphmem.recall.usage import add_rewards, check_reward, check_same_scope, recalled_ids
from graphmem.render.choose import turns_for
from graphmem.render.packet import check_budget
from graphmem.tiers.maintenance import AsyncMaintenance
from graphmem.tiers.procedural import AsyncProcedural
from graphmem.tiers.requests import MAX_QUERY
from graphmem.tiers.semantic import MOST_FOUND, AsyncSemantic
from graphmem.tiers.terms import AsyncTerms
from graphmem.tiers.traces import AsyncTraces

if TYPE_CHECKING:
    from neo4j import AsyncDriver

    from graphmem.clock import Clock
    from graphmem.embed import Embedder
    from graphmem.graph.conflict.locales.pack import LocalePack
    from graphmem.llm import ChatModel

__all__ = ["AsyncGraphMemory", "AsyncReceipt"]

# Rows in one transaction stay bounded, whatever an import holds.
_BATCH_SIZE = 200
_LARGEST_BATCH = 2000
# The largest number of rows that a statement can ask for.
_MOST = 1_000_000_000


class AsyncReceipt(Receipt):
    """A receipt that can be awaited until the turn's extraction is done."""

    _ticket: Ticket | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, ticket: Ticket) -> Self:
        """Return the receipt as it stands now."""
        receipt = cls(**ticket.receipt.model_dump())
        receipt._ticket = ticket
        return receipt

    async def wait(self, timeout_s: float | None = None) -> Receipt:
        """Wait until the turn is extracted, quarantined, or left pending by a fault.

        Args:
            timeout_s: The longest wait in seconds; None = as long as it takes.

        Returns:
            The receipt as it stands then; still pending when the time ran out.
        """
        if self._ticket is None:
            return self
        return await self._ticket.wait(timeout_s)


class AsyncGraphMemory(AsyncTerms, AsyncTraces, AsyncMaintenance):
    """Long-term memory in one scope of a Neo4j store.

    Open one with `await AsyncGraphMemory.from_env()`, close it with `close()` or by leaving
    ``async with``. `scoped()` gives further scopes on the same connection.
    """

    def __init__(self, engine: Engine, scope: str) -> None:
        self._engine = engine
        self._scope = scope

    # Opening and closing ------------------------------------------------------------------

    @classmethod
    async def from_env(cls, **settings: Any) -> Self:
        """Open the memory that the environment describes.

        Without NEO4J_URI this is the managed local server, which is fetched and started
        where need be.

        Args:
            settings: Fields of `Settings` by name; they win over the environment.

        Raises:
            ConfigError: A setting is out of range.
            ServerError: The managed server cannot be had.
            StoreError: The server cannot be reached, or is not fit for graphmem.
        """
        return await cls.open(Settings.from_env(**settings))

    @classmethod
    async def open(
        cls,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        clock: Clock | None = None,
        driver: AsyncDriver | None = None,
        locale_packs: Sequence[LocalePack] = (),
    ) -> Self:
        """Open a memory from settings and, where given, the caller's own parts.

        Args:
            settings: None = all defaults.
            embedder: Used instead of the one that the settings name.
            chat_model: As above, for extraction.
            clock: Tells the time; tests hand in a frozen one.
            driver: A Neo4j driver of the caller's; it is not closed by this memory.
            locale_packs: Languages that statements are read in, before `conflict_locales`.

        Raises:
            ConfigError: A setting is out of range.
            ServerError: The managed server cannot be had.
            StoreError: The server cannot be reached, or is not fit for graphmem.
        """
        engine = await Engine.open(
            settings or Settings(),
            embedder=embedder,
            chat_model=chat_model,
            clock=clock,
            driver=driver,
            locale_packs=locale_packs,
        )

        def tick(scope: str) -> Awaitable[MaintenanceReport]:
            budget_s = engine.settings.maintenance_budget_s
            return cls(engine, scope).maintain(budget_s=budget_s)

        engine.keep_clean(tick)
        return cls(engine, engine.settings.scope)

    async def close(self) -> None:
        """Wait for queued turns up to `close_timeout_s`, then close; the rest stays pending.

        It closes every scope of this memory. A second call does nothing.
        """
        await self._engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def scoped(self, scope: str) -> Self:
        """Return the memory of another owner on the same connection.

        Args:
            scope: 1 to 200 characters, such as "acme/ana"; taken to the letter.

        Raises:
            InputError: It cannot be a scope.
        """
        return type(self)(self._engine, check_scope(scope))

    @property
    def scope(self) -> str:
        """Whose memory this is."""
        return self._scope

    @property
    def semantic(self) -> AsyncSemantic:
        """The facts of this scope: state, search, correct and forget them."""
        return AsyncSemantic(self._engine, self._scope)

    @property
    def procedural(self) -> AsyncProcedural:
        """The procedures of this scope: define, list and remove them."""
        return AsyncProcedural(self._engine, self._scope)

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._engine.settings

    async def configure(self, **hot: Any) -> Settings:
        """Change hot settings at once, for every scope of this memory.

        Args:
            hot: Fields of `Settings` by name, such as ``recall_enabled=False``.

        Raises:
            ConfigError: A field is unknown, out of range, or takes effect at a start only.
        """
        return await self._engine.configure(**hot)

    # Writing ------------------------------------------------------------------------------

    async def add_turn(
        self,
        question: str,
        answer: str | None = None,
        *,
        session_id: str = "default",
        agent_id: str | None = None,
        project: str | None = None,
        at: datetime | None = None,
        turn_key: str | None = None,
        name: str | None = None,
        extraction: Extraction | Mapping[str, Any] | None = None,
        wait: bool = False,
    ) -> AsyncReceipt:
        """Remember one completed turn.

        The turn is committed before this returns and can be recalled by its text from then
        on; its extraction goes on in the background.

        Args:
            question: What the user said.
            answer: The final visible answer; None when there is none.
            session_id: The conversation it belongs to.
            agent_id: Which agent answered.
            project: What the conversation belongs to.
            at: When it was said (aware); None = now.
            turn_key: The caller's own name for this turn in its session: adding it again
                changes nothing.
            name: Who asked, as shown.
            extraction: What is known of the turn already, instead of a model's work:
                {"summary", "outcome", "triples", "facts", "tags", "intent", "mentions"}.
            wait: Return only when the extraction is done.

        Raises:
            InputError: The turn cannot be stored; nothing was written.
            StoreError: The server failed.
        """
        with operation("capture.add_turn", self._scope):
            draft = draft_turn(
                question,
                answer,
                scope=self._scope,
                session_id=session_id,
                agent_id=agent_id,
                project=project,
                at=at,
                turn_key=turn_key,
                name=name,
                extraction=extraction,
                now=self._engine.clock.now(),
                read_extraction=given_extraction,
            )
            return await self._add(draft, wait=wait)

    async def add_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        session_id: str = "default",
        agent_id: str | None = None,
        project: str | None = None,
        at: datetime | None = None,
        turn_key: str | None = None,
        extraction: Extraction | Mapping[str, Any] | None = None,
        wait: bool = False,
    ) -> AsyncReceipt:
        """Remember any list of messages as one turn.

        Tool and reasoning messages are kept in the log and left out of the turn's text.

        Args:
            messages: Each with role and content, and optionally name, agent_id and at.
            session_id: As in `add_turn`, and so are the others.
            agent_id: As in `add_turn`.
            project: As in `add_turn`.
            at: As in `add_turn`.
            turn_key: As in `add_turn`.
            extraction: As in `add_turn`.
            wait: As in `add_turn`.

        Raises:
            InputError: The messages cannot be stored; nothing was written.
            StoreError: The server failed.
        """
        with operation("capture.add_messages", self._scope) as current:
            draft = draft_messages(
                messages,
                scope=self._scope,
                session_id=session_id,
                agent_id=agent_id,
                project=project,
                at=at,
                turn_key=turn_key,
                extraction=extraction,
                now=self._engine.clock.now(),
                read_extraction=given_extraction,
            )
            current.fields["messages"] = len(draft.messages)
            return await self._add(draft, wait=wait)

    async def add_turns(
        self,
        turns: Iterable[TurnDraft | Mapping[str, Any]]
        | AsyncIterable[TurnDraft | Mapping[str, Any]],
        *,
        batch_size: int = _BATCH_SIZE,
        progress: Progress | None = None,
        wait: bool = False,
    ) -> list[AsyncReceipt]:
        """Remember many turns, in batches.

        Args:
            turns: Each a mapping with the parameters of `add_turn`, or with "messages" and
                the parameters of `add_messages`.
            batch_size: Turns in one transaction, 1 to 2,000.
            progress: Called after each batch with the turns done, and of how many where
                `turns` has a length.
            wait: Return only when all extractions are done.

        Returns:
            One receipt a turn, in order.

        Raises:
            InputError: `turns` or `batch_size` is of another form, or some turns cannot be
                stored: the message names their positions. All others are stored then, and
                `ids` holds them; after the hundredth bad one the rest is not read.
            StoreError: The server failed.
        """
        if not isinstance(turns, Iterable | AsyncIterable) or isinstance(turns, str | Mapping):
            raise InputError(f"turns must be an iterable of turns, got {type(turns).__name__}")
        check_whole(batch_size, "batch_size", 1, _LARGEST_BATCH)
        with operation("capture.add_turns", self._scope) as current:
            tickets = await self._engine.add_many(
                self._scope, turns, batch_size=batch_size, progress=progress
            )
            current.fields["turns"] = len(tickets)
            if wait:
                await asyncio.gather(*(ticket.wait(None) for ticket in tickets))
            return [AsyncReceipt.of(ticket) for ticket in tickets]

    async def flush(self, timeout_s: float | None = None) -> Flushed:
        """Wait until every queued turn of this memory is extracted and in the graph.

        What answers were given is counted then, too. It waits for what can be done now: while
        the embedder is down or rests after a fault, what it owes is not waited for.

        Args:
            timeout_s: The longest wait in seconds; None = as long as it takes.

        Returns:
            True as a condition where nothing is being worked on any more; its
            `without_vector`, `unlinked` and `unchecked` tell how many nodes, names and facts wait
            for vectors, or for what follows from them, still.
        """
        with operation("extract.flush", self._scope) as current:
            flushed = await self._engine.flush(self._scope, timeout_s)
            current.fields["empty"] = flushed.is_idle
            current.fields["without_vector"] = flushed.without_vector
            current.fields["unlinked"] = flushed.unlinked
            current.fields["unchecked"] = flushed.unchecked
            return flushed

    # Reading ------------------------------------------------------------------------------

    async def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        max_tokens: int | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        project: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        visible: Iterable[str] = (),
        keep_trace: bool = False,
    ) -> AsyncRecall:
        """Find the turns, and the facts that still hold, that answer a question.

        Args:
            query: The question, in plain words.
            limit: The most turns to return, 0 to 1,000; None = `recall_max_turns`, or with
                `max_tokens` as many as a packet of that size is chosen from.
            max_tokens: What `prompt()` may take; the answer holds enough turns to fill it.
            session_id: Only turns of this session.
            agent_id: Only turns of this agent.
            project: Only turns of this project.
            since: Only turns at or after this instant (aware).
            until: Only turns at or before this instant (aware).
            as_of: Tell the facts that held at this instant (aware), superseded ones too; None =
                now. Turns of any time may answer: narrow them by `until`.
            known_at: Tell what this memory knew at this instant (aware): only turns that were
                stored by then, and facts as it told them then; with `as_of`, what it then
                said of that time.
            visible: Ids of turns that the model still sees; others fill their places.
            keep_trace: Keep the answer with its reasons, and the question, in the store;
                `recall_trace` opens it again under the recall's `trace_id`.

        Returns:
            The recall; `degraded` names what could not take part, and its `explain()` tells
            why each turn came.

        Raises:
            InputError: The query is blank, or a filter is out of range.
            StoreError: The server cannot be reached.
        """
        request = recall_request(
            query,
            scope=self._scope,
            limit=self._limit(limit, max_tokens),
            session_id=session_id,
            agent_id=agent_id,
            project=project,
            since=since,
            until=until,
            as_of=as_of,
            known_at=known_at,
            visible=visible,
        )
        with operation("recall.run", self._scope, limit=request.limit) as current:
            found = await self._recall(request)
            if keep_trace:
                found = await self._engine.keep(found)
            found = found.model_copy(update={"max_tokens": max_tokens})
            current.fields["turns"] = len(found.turns)
            current.fields["degraded"] = ",".join(found.degraded)
            return found

    async def _recall(self, request: RecallRequest) -> AsyncRecall:
        """Return an answer; of what was known then, with the facts as they were told then."""
        if request.known_at is None or not request.limit:
            return await self._engine.recall(request)
        vector = await self._engine.vectoriser.query(request.query)
        found = await self._engine.recall(request, vector=vector)
        if not found.turns:
            return found
        question = request.query[:MAX_QUERY]
        vectors = {} if vector is None else {question: vector}
        semantic = AsyncSemantic(self._engine, self._scope, vectors=vectors)
        facts = await self._known_facts(semantic, question, request)
        return found.model_copy(update={"facts": facts})

    async def _known_facts(
        self, semantic: AsyncSemantic, question: str, request: RecallRequest
    ) -> tuple[FactHit, ...]:
        """Return what the memory said then of the facts that a question is about."""
        hits = await semantic.search(
            question,
            limit=min(self.settings.recall_max_facts, MOST_FOUND),
            as_of=request.as_of,
            known_at=request.known_at,
        )
        return tuple(hit for hit in hits if hit.fact.sensitivity != "secret")

    def _limit(self, limit: int | None, max_tokens: int | None) -> int:
        if max_tokens is not None:
            check_budget(max_tokens)
        if limit is not None:
            return limit
        return self.settings.recall_max_turns if max_tokens is None else turns_for(max_tokens)

    def set_reranker(self, reranker: ReRanker | None) -> None:
        """Let the best turns of every recall be ordered by a reranker; None = no longer.

        It holds for every scope of this memory. When it fails, or takes longer than
        `rerank_timeout_s`, the order stays and `Recall.degraded` names "reranker".

        Args:
            reranker: Has ``async def rerank(query, hits)``, which returns a number a hit.

        Raises:
            InputError: It has no such method.
        """
        self._engine.reranker = check_reranker(reranker)

    async def feedback(self, recall_or_ids: Recall | Iterable[str], reward: float) -> int:
        """Say how much what was recalled helped: later answers order by it.

        Args:
            recall_or_ids: An answer, for all turns, facts and procedures in it; or ids of such
                of this scope, each counted once a call.
            reward: From 0 (it misled) over .5 (neither) to 1 (it helped).

        Returns:
            How many turns, facts and procedures were rated.

        Raises:
            InputError: `reward` is out of range, the answer is of another scope, or something
                is not there: nothing was rated then.
            StoreError: The server failed.
        """
        if isinstance(recall_or_ids, Recall):
            check_same_scope(recall_or_ids, self._scope)
            ids = recalled_ids(recall_or_ids)
        else:
            ids = check_ids(recall_or_ids, "recall_or_ids")
        checked = check_reward(reward)
        with operation("recall.feedback", self._scope, rated=len(ids)):
            return await add_rewards(self._engine.db, self._scope, ids, checked)

    async def get_turn(self, turn_id: str) -> Evidence | None:
        """Return a turn with its exact messages and the facts it states, or None."""
        (checked,) = check_ids([turn_id], "turn_id")
        with operation("recall.get_turn", self._scope):
            return await get_evidence(self._engine.db, self._scope, checked)

    async def stats(self) -> Stats:
        """Return the counts of this scope."""
        with operation("recall.stats", self._scope):
            return await stats(self._engine.db, self._scope)

    async def doctor(self) -> DoctorReport:
        """Examine the server, the schema, the embedder and this scope; name faults and cures."""
        with operation("recall.doctor", self._scope):
            return await examine(self._engine, self._scope)

    # Extraction that waits, failed, or can be done better ---------------------------------

    async def extract_pending(self) -> list[AsyncReceipt]:
        """Take up now the turns of this scope that wait, also those that rest after a fault.

        Without it that happens in the background, when they are due. Turns that another
        process works on are left to it.

        Returns:
            A receipt for each turn that is tried.
        """
        with operation("extract.take_up", self._scope) as current:
            tickets = await self._engine.backlog.extract_pending(self._scope)
            current.fields["turns"] = len(tickets)
            return [AsyncReceipt.of(ticket) for ticket in tickets]

    async def quarantine(self, limit: int = 100) -> list[QuarantinedTurn]:
        """Return the turns whose extraction was refused, newest first."""
        check_whole(limit, "limit", 0, _MOST)
        with operation("extract.list_quarantined", self._scope):
            return await list_quarantined(self._engine.db, self._scope, limit=limit)

    async def retry_extraction(self, turn_ids: Iterable[str] | None = None) -> list[AsyncReceipt]:
        """Extract quarantined turns again, with twice the limit for a reply.

        Args:
            turn_ids: Which; None = all quarantined turns of this scope.

        Returns:
            A receipt for each turn that is tried again.
        """
        chosen = None if turn_ids is None else check_ids(turn_ids, "turn_ids")
        with operation("extract.retry", self._scope):
            tickets = await self._engine.backlog.retry_quarantined(self._scope, chosen)
            return [AsyncReceipt.of(ticket) for ticket in tickets]

    async def drop_quarantined(self, turn_ids: Iterable[str] | None = None) -> int:
        """Give up the extraction of quarantined turns; the turns themselves stay.

        Args:
            turn_ids: Which; None = all quarantined turns of this scope.

        Returns:
            How many were given up: they count as extracted locally from now on.
        """
        chosen = None if turn_ids is None else check_ids(turn_ids, "turn_ids")
        with operation("extract.drop_quarantined", self._scope):
            return await drop_quarantined(self._engine.db, self._scope, chosen)

    async def redo_local(
        self, *, limit: int | None = None, progress: Progress | None = None
    ) -> int:
        """Extract turns again that only the local extractor has seen, by the model.

        Args:
            limit: The most turns; None = all.
            progress: Called with the turns done and of how many.

        Returns:
            How many turns were extracted by the model.

        Raises:
            ConfigError: No model is configured.
        """
        if limit is not None:
            check_whole(limit, "limit", 0, _MOST)
        with operation("extract.redo_local", self._scope):
            return await self._engine.redo_local(self._scope, limit=limit, progress=progress)

    async def backfill_vectors(self, *, progress: Progress | None = None) -> int:
        """Embed what was stored while the embedder was down, and do what waited for that.

        Names are linked to similar ones, and facts are decided about anew.

        Args:
            progress: Called with how much of it is done and of how much: each node to embed, each
                name to link and each fact to decide about is one.

        Returns:
            How many nodes have a vector now that had none.
        """
        with operation("graph.backfill_vectors", self._scope):
            return await self._engine.backfill_vectors(self._scope, progress=progress)

    async def calibrate(self) -> Calibration:
        """Measure, on turns of this scope, from which cosine on an answer can be relied on.

        At most 200 turns are taken and half of each is embedded. What was measured holds for the
        embedder in every scope of the store, and `Recall.confident` goes by it.

        Raises:
            EmbeddingError: There is no embedder, it is down, or it tells nothing apart.
            InputError: The scope has too few turns with a vector.
            StoreError: The server failed.
        """
        with operation("recall.calibrate", self._scope):
            engine = self._engine
            return await calibrate(engine.db, engine.vectoriser, self._scope, engine.clock)

    async def _add(self, draft: TurnDraft, *, wait: bool) -> AsyncReceipt:
        (ticket,) = await self._engine.add(self._scope, [draft])
        if wait:
            await ticket.wait(None)
        return AsyncReceipt.of(ticket)
