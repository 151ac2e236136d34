"""What all scopes of one memory share: the connection, the models, and the background work."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar
from weakref import WeakValueDictionary

from graphmem.capture.intake import draft_any
from graphmem.capture.store import Captured, capture
from graphmem.clock import Clock, SystemClock
from graphmem.config import Settings, SettingsHolder
from graphmem.db import Database
from graphmem.embed import Embedder, create_embedder
from graphmem.errors import ConfigError, GraphmemError, InputError
from graphmem.extract.given import given_extraction
from graphmem.extract.queue import ExtractionQueue, QueuedTurn
from graphmem.llm import ChatModel, create_chat_model
from graphmem.models import Recall, Receipt, Turn, TurnDraft
from graphmem.pipeline import Pipeline, Processed
from graphmem.recall.request import RecallOptions
from graphmem.recall.run import recall_turns
from graphmem.render.packet import render_packet
from graphmem.vectorise import Vectoriser

if TYPE_CHECKING:
    from neo4j import AsyncDriver

    from graphmem.recall.request import RecallRequest

__all__ = ["Engine", "Ticket"]

logger = logging.getLogger(__name__)

T = TypeVar("T")

# Turns of a batch that needs no model: they are written in one transaction.
_QUICK_BATCH = 100
# While one batch is embedded another one is written; more would only share two cores.
_QUICK_CONCURRENCY = 2
# An import is slowed down to the pace of extraction when so many turns wait.
_MOST_WAITING = 2000
# How often turns are looked for that a fault or another process left pending.
_SWEEP_S = 30.0


class Ticket:
    """A turn on its way: its receipt as it stands, and the end of its extraction."""

    __slots__ = ("__weakref__", "_is_settled", "_started", "receipt")

    def __init__(self, receipt: Receipt, *, started: float) -> None:
        self.receipt = receipt
        self._started = started
        self._is_settled = asyncio.Event()

    def settle(self, done: Processed | None = None) -> None:
        """Tell everybody who waits that no more will happen to this turn now."""
        changes: dict[str, Any] = {"duration_ms": (time.perf_counter() - self._started) * 1000}
        if done is not None:
            changes |= done.receipt_fields()
        self.receipt = self.receipt.model_copy(update=changes)
        self._is_settled.set()

    async def wait(self, timeout_s: float | None) -> Receipt:
        """Wait for the end, up to `timeout_s` seconds; return the receipt as it stands then."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._is_settled.wait()
        except TimeoutError:
            pass
        return self.receipt


class Engine:
    """The shared machinery behind `AsyncGraphMemory`; its scopes are names on it."""

    def __init__(
        self,
        db: Database,
        holder: SettingsHolder,
        clock: Clock,
        vectoriser: Vectoriser,
        chat_model: ChatModel | None,
    ) -> None:
        self.db = db
        self.clock = clock
        self.vectoriser = vectoriser
        self.pipeline = Pipeline(db, holder, clock, vectoriser, chat_model)
        self._holder = holder
        self._chat_model = chat_model
        # Turns for a model go one by one, so that each is in the graph as soon as its reply is
        # there; turns for which nobody is asked go in batches.
        self._model_queue = ExtractionQueue(self._process, holder.current.llm_concurrency, batch=1)
        self._quick_queue = ExtractionQueue(self._process, _QUICK_CONCURRENCY, batch=_QUICK_BATCH)
        self._tickets: WeakValueDictionary[str, Ticket] = WeakValueDictionary()
        self._scopes: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._has_news = asyncio.Event()
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
    ) -> Self:
        """Connect, make the schema, register the embedder; close what was opened on a fault."""
        clock = clock or SystemClock()
        # Faults of settings come first: before a server is fetched and started.
        embedder = embedder if embedder is not None else create_embedder(settings)
        chat_model = chat_model if chat_model is not None else create_chat_model(settings)
        if settings.neo4j_uri is None and driver is None:
            settings = await asyncio.to_thread(_with_managed_server, settings)
        db = await Database.open(settings, driver=driver)
        vectoriser = Vectoriser(
            db, embedder, on_mismatch=settings.on_embedder_mismatch, clock=clock
        )
        try:
            await vectoriser.open()
        except BaseException:
            await vectoriser.close()
            await db.close()
            raise
        return cls(db, SettingsHolder(settings), clock, vectoriser, chat_model)

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._holder.current

    @property
    def route(self) -> str:
        """Who extracts turns that come without an extraction: "local" or "model@host"."""
        return self.pipeline.route

    async def configure(self, **hot: Any) -> Settings:
        """Change hot settings; turns that waited for extraction are taken up when it is on."""
        settings = self._holder.update(**hot)
        self._has_news.set()
        return settings

    async def close(self) -> None:
        """Drain to the deadline, release what is left to the next start, and disconnect."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.wait([self._sweeper])
        deadline = time.monotonic() + self.settings.close_timeout_s
        left: list[str] = []
        for queue in (self._quick_queue, self._model_queue):
            left += await queue.close(max(0.0, deadline - time.monotonic()))
        try:
            if left:
                for scope in self._scopes:
                    await self.pipeline.release(scope)
        finally:
            for ticket in list(self._tickets.values()):
                ticket.settle()
            await self.pipeline.close()
            await self.vectoriser.close()
            await self.db.close()

    # Adding -------------------------------------------------------------------------------

    async def add(self, scope: str, drafts: Sequence[TurnDraft]) -> list[Ticket]:
        """Commit drafts in one transaction and queue what is new."""
        started = time.perf_counter()
        self.use(scope)
        captured = await capture(
            self.db,
            scope,
            drafts,
            language=self.settings.language,
            # Nobody works on what only waits: whoever may extract takes it up.
            lease=self.pipeline.lease() if self.settings.extraction_enabled else None,
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
        progress: Callable[[int, int | None], None] | None,
    ) -> list[Ticket]:
        """Commit turns batch by batch, no faster than they are extracted."""
        total = len(turns) if isinstance(turns, Sequence) else None
        tickets: list[Ticket] = []
        batch: list[TurnDraft] = []

        async def commit() -> None:
            tickets.extend(await self.add(scope, batch))
            batch.clear()
            if progress is not None:
                progress(len(tickets), total)
            await self._wait_for_room()

        position = 0
        try:
            async for turn in _each(turns):
                batch.append(
                    draft_any(
                        turn,
                        scope=scope,
                        now=self.clock.now(),
                        read_extraction=given_extraction,
                    )
                )
                position += 1
                if len(batch) >= batch_size:
                    await commit()
        except InputError as error:
            stored = [ticket.receipt.turn_id for ticket in tickets]
            raise InputError(
                f"turn {position} of the batch (from 0): {error}; the {len(stored)} turns of "
                "earlier batches are stored, mend it and add all again: what is stored "
                "already changes nothing",
                kind=error.kind,
                ids=stored,
            ) from error
        if batch:
            await commit()
        return tickets

    async def flush(self, timeout_s: float | None) -> bool:
        """Wait until both queues are empty; return whether they are."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        is_empty = True
        for queue in (self._quick_queue, self._model_queue):
            left_s = None if deadline is None else max(0.0, deadline - time.monotonic())
            is_empty = await queue.drain(left_s) and is_empty
        return is_empty

    def _ticket(self, scope: str, draft: TurnDraft, row: Captured, started: float) -> Ticket:
        if not row.created and (running := self._tickets.get(row.turn_id)) is not None:
            return running
        receipt = Receipt(
            turn_id=row.turn_id,
            session_id=draft.session_id,
            message_ids=row.message_ids,
            created=row.created,
            is_other_content=row.is_other_content,
            extraction=row.extraction,
            duration_ms=(time.perf_counter() - started) * 1000,
        )
        ticket = Ticket(receipt, started=started)
        if row.created and self._may_extract(draft):
            self._submit(scope, draft, ticket)
        else:
            ticket.settle()
        return ticket

    def _may_extract(self, turn: TurnDraft | Turn) -> bool:
        """What the caller gave goes in at any time; a model or the local extractor may be off."""
        return _is_given(turn) or self.settings.extraction_enabled

    def _submit(
        self,
        scope: str,
        turn: Turn | TurnDraft,
        ticket: Ticket,
        *,
        max_tokens_factor: int = 1,
    ) -> None:
        queued = QueuedTurn(
            scope, turn.session_id, turn.id, turn, max_tokens_factor=max_tokens_factor
        )
        needs_model = self._chat_model is not None and not _is_given(turn)
        queue = self._model_queue if needs_model else self._quick_queue
        if queue.put(queued):
            self._tickets[turn.id] = ticket
            # The queue holds no ticket: the pipeline settles whoever still waits.
        else:
            ticket.settle()

    async def _process(self, batch: Sequence[QueuedTurn]) -> None:
        done: Mapping[str, Processed] = {}
        try:
            done = await self.pipeline.process(batch)
        finally:
            for turn in batch:
                if (ticket := self._tickets.pop(turn.turn_id, None)) is not None:
                    ticket.settle(done.get(turn.turn_id))

    async def _wait_for_room(self) -> None:
        """Wait while so many turns are queued that more would only fill the memory."""
        for queue in (self._quick_queue, self._model_queue):
            await queue.wait_below(_MOST_WAITING)

    # Recalling ----------------------------------------------------------------------------

    async def recall(self, request: RecallRequest) -> Recall:
        """Answer a question by every leg that can take part."""
        self.use(request.scope)
        settings = self.settings
        if not settings.recall_enabled:
            empty = Recall(query=request.query, scope=request.scope, degraded=("disabled",))
            return empty.rendered_by(render_packet)
        started = time.perf_counter()
        vector = await self.vectoriser.query(request.query)
        embed_ms = (time.perf_counter() - started) * 1000
        found = await recall_turns(
            self.db,
            request,
            vector=vector,
            slot=self.vectoriser.slot,
            options=RecallOptions(
                now=self.clock.now(),
                language=settings.language,
                semantic_threshold=settings.semantic_threshold,
            ),
        )
        return self._told(found, embed_ms).rendered_by(render_packet)

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

    def use(self, scope: str) -> None:
        """Note that this process works in `scope`: pending turns of it are taken up."""
        if scope in self._scopes or self._is_closed:
            return
        self._scopes.add(scope)
        self._has_news.set()
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().create_task(
                self._sweep_for_ever(), name="graphmem-sweeper"
            )

    async def _sweep_for_ever(self) -> None:
        while True:
            self._has_news.clear()
            for scope in list(self._scopes):
                try:
                    await self._sweep(scope)
                except GraphmemError as error:
                    # The next round tries again; adding and recalling go on meanwhile.
                    logger.warning("extract.sweep_failed kind=%s", error.kind)
            try:
                async with asyncio.timeout(_SWEEP_S):
                    await self._has_news.wait()
            except TimeoutError:
                pass

    async def _sweep(self, scope: str) -> None:
        """Take up what is due in a scope: left by a fault, or by a process that ended."""
        room = _MOST_WAITING - self._quick_queue.waiting - self._model_queue.waiting
        if room <= 0:
            return
        if room < _MOST_WAITING:
            await self.pipeline.renew(scope)
        for turn in await self.pipeline.claim(
            scope, limit=room, only_given=not self.settings.extraction_enabled
        ):
            self._resubmit(scope, turn)
        await self.pipeline.backfill_some(scope)

    def _resubmit(
        self, scope: str, turn: Turn | TurnDraft, *, max_tokens_factor: int = 1
    ) -> Ticket:
        receipt = Receipt(turn_id=turn.id, session_id=turn.session_id, created=False)
        ticket = Ticket(receipt, started=time.perf_counter())
        self._submit(scope, turn, ticket, max_tokens_factor=max_tokens_factor)
        return ticket

    async def retry_quarantined(self, scope: str, turn_ids: Iterable[str] | None) -> list[Ticket]:
        """Queue quarantined turns again, with twice the limit for a reply."""
        turns = await self.pipeline.claim_quarantined(scope, turn_ids)
        return [self._resubmit(scope, turn, max_tokens_factor=2) for turn in turns]

    async def redo_local(
        self,
        scope: str,
        *,
        limit: int | None,
        progress: Callable[[int, int | None], None] | None,
    ) -> int:
        """Extract by the model what only the local extractor has seen; return how many."""
        if self._chat_model is None:
            raise ConfigError(
                "no model is configured: set GRAPHMEM_LLM_MODEL (and its key or base URL) to "
                "extract again what the local extractor did"
            )
        return await self.pipeline.redo_local(scope, limit=limit, progress=progress)

    async def backfill_vectors(
        self, scope: str, *, progress: Callable[[int, int | None], None] | None
    ) -> int:
        """Embed what has no vector of the active embedder; return how many nodes."""
        return await self.pipeline.backfill(scope, progress=progress)


def _is_given(turn: Turn | TurnDraft) -> bool:
    return isinstance(turn, TurnDraft) and turn.extraction is not None


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
