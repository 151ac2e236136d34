"""What all scopes of one memory share: the connection, the models, and the background work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Mapping,
    Sequence,
)
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from graphmem.backlog import Backlog, Ticket
from graphmem.capture.intake import draft_any
from graphmem.capture.store import Captured, capture
from graphmem.caretaker import Caretaker
from graphmem.clock import Clock, SystemClock
from graphmem.config import Settings, tokenizer_cache
from graphmem.db import Database
from graphmem.embed import Embedder, create_embedder
from graphmem.errors import ConfigError, InputError, StoreError
from graphmem.explanation import AsyncRecall
from graphmem.extract.given import given_extraction
from graphmem.ids import new_id
from graphmem.live_settings import SettingsHolder
from graphmem.llm import ChatModel, create_chat_model
from graphmem.maintain.runs import count_facts
from graphmem.models import Flushed, Recall, Receipt, TurnDraft
from graphmem.operation import Progress
from graphmem.pipeline import Pipeline
from graphmem.recall.explain import explain
from graphmem.recall.rerank import FactReRanker, ReRanker
from graphmem.recall.run import recall_turns
from graphmem.recall.traces import keep_trace
from graphmem.recall_options import recall_options
from graphmem.render.packet import render_packet
from graphmem.render.tokens import ESTIMATE, TokenCounter, load_counter
from graphmem.usage import UsageRecorder
from graphmem.vectorise import Vectoriser
from graphmem.warm_up import WarmUp

if TYPE_CHECKING:
    from neo4j import AsyncDriver
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.graph.conflict.locales.pack import LocalePack
    from graphmem.recall.request import RecallRequest

__all__ = ["Engine"]

T = TypeVar("T")

logger = logging.getLogger(__name__)

# The managed server was seen to be up a moment ago: on a busy machine its first answer takes long.
_MANAGED_DEADLINE_S = 90.0
# So many bad turns say that the whole import is of another form.
_MOST_BAD = 100
_TOLD_BAD = 5
_TOKENIZER_DEADLINE_S = 15.0


class Engine:
    """The shared machinery behind `AsyncGraphMemory`; its scopes are names on it."""

    def __init__(
        self,
        db: Database,
        holder: SettingsHolder,
        clock: Clock,
        vectoriser: Vectoriser,
        chat_model: ChatModel | None,
        *,
        counter: TokenCounter = ESTIMATE,
        locale_packs: Sequence[LocalePack] = (),
    ) -> None:
        self.db = db
        self.counter = counter
        self._render = partial(render_packet, counter=counter)
        self.clock = clock
        self.vectoriser = vectoriser
        self.pipeline = Pipeline(
            db, holder, clock, vectoriser, chat_model, locale_packs=locale_packs
        )
        self.backlog = Backlog(self.pipeline, holder, self._note_turns)
        self.usage = UsageRecorder(db)
        self.warm_up = WarmUp(db, vectoriser, clock)
        self.chat_model = chat_model
        self.reranker: ReRanker | None = None
        self.fact_reranker: FactReRanker | None = None
        self._holder = holder
        self._caretaker: Caretaker | None = None
        self._is_closed = False

    @classmethod
    async def open(
        cls,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        clock: Clock | None = None,
        driver: AsyncDriver | None = None,
        locale_packs: Sequence[LocalePack] = (),
    ) -> Self:
        """Connect, make the schema, register the embedder; close what was opened on a fault."""
        clock = clock or SystemClock()
        # Faults of settings come first: before a server is fetched and started.
        embedder = embedder if embedder is not None else create_embedder(settings)
        chat_model = chat_model if chat_model is not None else create_chat_model(settings)
        counter = await _counter(settings.tokenizer)
        if settings.neo4j_uri is None and driver is None:
            settings = await asyncio.to_thread(_with_managed_server, settings)
            db = await Database.open(settings, deadline_s=_MANAGED_DEADLINE_S)
        else:
            db = await Database.open(settings, driver=driver)
        vectoriser = Vectoriser(
            db, embedder, on_mismatch=settings.on_embedder_mismatch, clock=clock
        )
        try:
            await vectoriser.open()
            engine = cls(
                db,
                SettingsHolder(settings),
                clock,
                vectoriser,
                chat_model,
                counter=counter,
                locale_packs=locale_packs,
            )
        except BaseException:
            await vectoriser.close()
            await db.close()
            raise
        if settings.warm_up:
            engine.warm_up.start()
        if settings.resume_at_open:
            engine.backlog.use(settings.scope)
        return engine

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._holder.current

    @property
    def undo_window(self) -> timedelta:
        """How long what upkeep removes can be taken back."""
        return timedelta(days=self.settings.undo_window_days)

    @property
    def route(self) -> str:
        """Who extracts turns that come without an extraction: "local" or "model@host"."""
        return self.pipeline.route

    async def configure(self, **hot: Any) -> Settings:
        """Change hot settings; turns that waited for extraction are taken up when it is on."""
        settings = self._holder.update(**hot)
        self.backlog.look_again()
        return settings

    def keep_clean(self, tick: Callable[[str], Awaitable[object]]) -> None:
        """Keep scopes clean in the background from now on.

        Args:
            tick: Keeps one scope clean.
        """
        self._caretaker = Caretaker(
            self._holder,
            tick=tick,
            size=partial(count_facts, self.db),
            until_idle=self.backlog.wait_until_idle,
        )

    def _note_turns(self, scope: str, turns: int) -> None:
        if self._caretaker is not None:
            self._caretaker.note(scope, turns)

    async def close(self) -> None:
        """Drain to the deadline, release what is left to the next start, and disconnect."""
        if self._is_closed:
            return
        self.db.check_loop()
        self._is_closed = True
        started = time.monotonic()
        try:
            await self.warm_up.close()
            if self._caretaker is not None:
                await self._caretaker.close()
            await self.backlog.close(self.settings.close_timeout_s)
        finally:
            left_s = self.settings.close_timeout_s - (time.monotonic() - started)
            await self.usage.close(max(0.0, left_s))
            await self.pipeline.close()
            await self.vectoriser.close()
            await self.db.close()

    async def flush(self, scope: str, timeout_s: float | None) -> Flushed:
        """Wait until nothing is queued and answers are counted; return what waits still."""
        started = time.monotonic()
        is_empty = await self.backlog.flush(scope, timeout_s)
        left_s = None if timeout_s is None else timeout_s - (time.monotonic() - started)
        is_counted = await self.usage.wait(None if left_s is None else max(0.0, left_s))
        waiting = await self.pipeline.late.count_waiting(scope)
        return Flushed(
            is_idle=is_counted and is_empty,
            without_vector=waiting.without_vector,
            unlinked=waiting.unlinked,
            unchecked=waiting.unchecked,
        )

    # Adding -------------------------------------------------------------------------------

    async def add(self, scope: str, drafts: Sequence[TurnDraft]) -> list[Ticket]:
        """Commit drafts in one transaction and queue what is new."""
        started = time.perf_counter()
        self.backlog.use(scope)
        captured = await capture(
            self.db,
            scope,
            drafts,
            language=self.settings.language,
            # Nobody works on what only waits: whoever may extract takes it up.
            lease=self.pipeline.lease() if self.settings.extraction_enabled else None,
            now=self.clock.now(),
        )
        return [
            self._ticket(scope, draft, row, started)
            for draft, row in zip(drafts, captured, strict=True)
        ]

    async def add_many(
        self,
        scope: str,
        turns: Iterable[TurnDraft | Mapping[str, Any]]
        | AsyncIterable[TurnDraft | Mapping[str, Any]],
        *,
        batch_size: int,
        progress: Progress | None,
    ) -> list[Ticket]:
        """Commit turns batch by batch, no faster than they are extracted.

        Raises:
            InputError: Some cannot be stored; all others are, up to the hundredth bad one.
        """
        total = len(turns) if isinstance(turns, Sequence) else None
        tickets: list[Ticket] = []
        batch: list[TurnDraft] = []

        async def commit() -> None:
            tickets.extend(await self.add(scope, batch))
            batch.clear()
            if progress is not None:
                progress(len(tickets), total)
            await self.backlog.wait_for_room()

        bad: dict[int, InputError] = {}
        position = 0
        async for turn in _each(turns):
            try:
                batch.append(
                    draft_any(
                        turn,
                        scope=scope,
                        now=self.clock.now(),
                        read_extraction=given_extraction,
                    )
                )
            except InputError as error:
                bad[position] = error
                if len(bad) == _MOST_BAD:
                    break
            position += 1
            if len(batch) >= batch_size:
                await commit()
        if batch:
            await commit()
        if bad:
            raise _refusal(bad, position, [ticket.receipt.turn_id for ticket in tickets])
        return tickets

    def _ticket(self, scope: str, draft: TurnDraft, row: Captured, started: float) -> Ticket:
        receipt = Receipt(
            turn_id=row.turn_id,
            session_id=draft.session_id,
            message_ids=row.message_ids,
            created=row.created,
            is_other_content=row.is_other_content,
            extraction=row.extraction,
            duration_ms=(time.perf_counter() - started) * 1000,
        )
        running = None if row.created else self.backlog.running(row.turn_id)
        ticket = Ticket(receipt, started=started, follows=running)
        if row.created:
            self.backlog.put(scope, draft, ticket)
        elif running is None:
            ticket.settle()
        return ticket

    # Recalling ----------------------------------------------------------------------------

    async def recall(
        self, request: RecallRequest, *, vector: NDArray[float32] | None = None
    ) -> AsyncRecall:
        """Answer a question by every leg that can take part.

        Args:
            request: The question.
            vector: Of the question, where somebody has it already.
        """
        self.backlog.use(request.scope)
        settings = self.settings
        if not settings.recall_enabled:
            empty = AsyncRecall(
                query=request.query, scope=request.scope, degraded=("disabled",), confident=False
            )
            return empty.rendered_by(self._render)
        started = time.perf_counter()
        # Where nothing is wanted there is nothing to embed.
        if vector is None and request.limit:
            vector = await self.vectoriser.query(request.query)
        embed_ms = (time.perf_counter() - started) * 1000
        now, known = self.clock.now(), self.vectoriser
        options = recall_options(settings, now, known.calibration, embedder_id=known.embedder_id)
        found = await recall_turns(
            self.db,
            request,
            vector=vector,
            slot=self.vectoriser.slot,
            options=options,
            reranker=self.reranker,
        )
        if settings.record_usage:
            self.usage.note(found, options.now)
        return AsyncRecall.of(
            self._told(found, embed_ms).rendered_by(self._render),
            lambda recall: explain(self.db, recall, options),
        )

    async def keep(self, answer: AsyncRecall) -> AsyncRecall:
        """Keep an answer with its reasons; one that cannot be kept is an answer all the same."""
        if "disabled" in answer.degraded:
            return answer
        kept = answer.model_copy(update={"trace_id": new_id()})
        try:
            await keep_trace(self.db, await kept.explain())
        except StoreError as error:
            logger.warning("recall.keep_failed kind=%s", error.kind)
            return answer.model_copy(update={"degraded": (*answer.degraded, "trace")})
        return kept

    def _told(self, found: Recall, embed_ms: float) -> Recall:
        """Add what only this level knows: the time of embedding, and why no vector was there."""
        timings = {**found.trace.timings_ms, "embed": embed_ms}
        timings["total"] = timings.get("total", 0.0) + embed_ms
        degraded = tuple(
            leg
            for leg in found.degraded
            # Having no embedder is a setting, not a fault.
            if leg != "vector" or self.vectoriser.state != "none"
        )
        trace = found.trace.model_copy(update={"timings_ms": timings})
        return found.model_copy(update={"trace": trace, "degraded": degraded})

    # Extraction that waits or failed ------------------------------------------------------

    async def redo_local(
        self,
        scope: str,
        *,
        limit: int | None,
        progress: Progress | None,
    ) -> int:
        """Extract by the model what only the local extractor has seen; return how many."""
        if not self.pipeline.has_model:
            raise ConfigError(
                "no model is configured: set GRAPHMEM_LLM_MODEL (and its key or base URL) to "
                "extract again what the local extractor did"
            )
        return await self.pipeline.redo_local(scope, limit=limit, progress=progress)

    async def backfill_vectors(self, scope: str, *, progress: Progress | None) -> int:
        """Embed what has no vector of the active embedder; return how many nodes."""
        return await self.pipeline.late.backfill(scope, progress=progress)


def _refusal(bad: Mapping[int, InputError], read: int, stored: Sequence[str]) -> InputError:
    """Return one error for all turns of an import that cannot be stored."""
    told = "; ".join(f"turn {place}: {error}" for place, error in list(bad.items())[:_TOLD_BAD])
    more = f"; and {len(bad) - _TOLD_BAD} more" if len(bad) > _TOLD_BAD else ""
    end = f"; given up after turn {read}" if len(bad) == _MOST_BAD else ""
    return InputError(
        f"{len(bad)} turns cannot be stored, counted from 0: {told}{more}{end}. The other "
        f"{len(stored)} are stored; mend these and add them (adding all again changes nothing "
        "where a turn has a turn_key or a time)",
        kind=next(iter(bad.values())).kind,
        ids=stored,
    )


async def _counter(tokenizer: str) -> TokenCounter:
    """Return what counts tokens; reading a table takes a moment, and fetching one may hang."""
    try:
        async with asyncio.timeout(_TOKENIZER_DEADLINE_S):
            return await asyncio.to_thread(load_counter, tokenizer, tokenizer_cache())
    except TimeoutError:
        logger.warning("render.no_tokenizer encoding=%s reason=timeout", tokenizer)
        return ESTIMATE


def _with_managed_server(settings: Settings) -> Settings:
    from graphmem.server import managed_settings

    return managed_settings(settings)


async def _each(items: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[T]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
