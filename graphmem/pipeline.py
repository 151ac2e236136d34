"""extract → graph for turns that are committed: one extraction, one embedding, one write."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from graphmem.errors import ExtractionError, GraphmemError
from graphmem.extract import Extractor, LLMExtractor, LocalExtractor, QueuedTurn
from graphmem.graph import pending
from graphmem.graph.conflicts import Conflicts
from graphmem.graph.plan import GraphItem, WritePlan
from graphmem.graph.procedures import write_procedure
from graphmem.graph.store import (
    GraphCounts,
    RememberedIds,
    plan_texts,
    remember,
    texts_to_embed,
    write,
)
from graphmem.graph.writing import EmbeddedTexts
from graphmem.late_vectors import LateVectors
from graphmem.models import Extraction, ExtractionState, Lease, Turn, TurnDraft
from graphmem.operation import Progress, operation
from graphmem.owner import is_dead, new_owner
from graphmem.processed import Processed, processed, told
from graphmem.turn_text import has_own_words, has_recalled

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.config import Settings
    from graphmem.db import Database
    from graphmem.graph.conflict.locales.pack import LocalePack
    from graphmem.graph.conflict.resolve import ConflictPipeline
    from graphmem.graph.procedures import ProcedureDraft
    from graphmem.live_settings import SettingsHolder
    from graphmem.llm import ChatModel
    from graphmem.vectorise import Vectoriser

__all__ = ["BULK", "Pipeline"]

logger = logging.getLogger(__name__)

# While a turn is leased, no other process that works in the same scope extracts it too. It is
# renewed while it waits; a process that ended on another machine blocks it no longer than this.
_LEASE = timedelta(seconds=120)
# A turn that a fault left pending is tried again after so long, doubled with each attempt.
_FIRST_PAUSE = timedelta(seconds=30)
_LONGEST_PAUSE = timedelta(hours=1)
_REDO_BATCH = 50
# Told in the receipt of a turn into which a host had put what was recalled before.
_RECALLED = "recalled history: it was said before, and is not extracted again"
# So many turns at once are a bulk load: their vectors follow afterwards (see filler).
BULK = 20


class Pipeline:
    """Takes committed turns through extract and graph; what fails stays in the store."""

    def __init__(
        self,
        db: Database,
        holder: SettingsHolder,
        clock: Clock,
        vectoriser: Vectoriser,
        chat_model: ChatModel | None,
        *,
        locale_packs: Sequence[LocalePack] = (),
    ) -> None:
        self._db = db
        self._holder = holder
        self._clock = clock
        self._vectoriser = vectoriser
        self._chat_model = chat_model
        settings = holder.current
        self._local = LocalExtractor(settings.language)
        self._model = (
            None
            if chat_model is None
            else LLMExtractor(
                chat_model,
                max_tokens=settings.llm_max_tokens,
                strict_items=settings.strict_items,
            )
        )
        self._conflicts = Conflicts(locale_packs, holder, vectoriser)
        self._owner = new_owner()
        self._lanes: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.late = LateVectors(db, vectoriser, clock, conflicts=self._conflicts, lane=self._lane)

    @property
    def route(self) -> str:
        """Who extracts turns that come without an extraction: "local" or "model@host"."""
        return self._extractor.route

    @property
    def has_model(self) -> bool:
        """Whether a chat model extracts turns that come without an extraction."""
        return self._model is not None

    @property
    def _extractor(self) -> Extractor:
        # The one place where a route is chosen.
        return self._model if self._model is not None else self._local

    @property
    def _settings(self) -> Settings:
        return self._holder.current

    def lease(self) -> Lease:
        """Return this process's lease from now on."""
        return Lease(owner=self._owner, until=self._clock.now() + _LEASE)

    async def close(self) -> None:
        """Let go of the chat model's connections."""
        if self._chat_model is not None:
            await self._chat_model.close()

    # One batch ----------------------------------------------------------------------------

    async def process(self, batch: Sequence[QueuedTurn]) -> dict[str, Processed]:
        """Extract, embed and write a batch; return what became of each turn by id.

        The turns of each scope are written in one transaction. A turn whose extraction is
        refused is quarantined, one that a fault hit stays pending: the others go on.
        """
        by_scope: dict[str, list[QueuedTurn]] = {}
        for queued in batch:
            by_scope.setdefault(queued.scope, []).append(queued)
        done: dict[str, Processed] = {}
        for scope, turns in by_scope.items():
            with operation("extract.process", scope, turns=len(turns)):
                done |= await self._process_scope(scope, turns)
        return done

    async def _process_scope(self, scope: str, batch: Sequence[QueuedTurn]) -> dict[str, Processed]:
        done: dict[str, Processed] = {}
        items: list[GraphItem] = []
        for queued in batch:
            try:
                items.append(GraphItem(queued.turn, await self._extract(queued)))
            except ExtractionError as error:
                done[queued.turn_id] = await self._quarantine(scope, queued.turn_id, error)
            except Exception as error:  # noqa: BLE001 - the edge of extract: it leaves a record
                done[queued.turn_id] = await self._leave_pending(scope, queued.turn, told(error))
        return done | await self._put_into_graph(scope, items)

    async def _put_into_graph(self, scope: str, items: Sequence[GraphItem]) -> dict[str, Processed]:
        if not items:
            return {}
        try:
            counts = await self._write(scope, items)
        except Exception as error:  # noqa: BLE001 - the edge of graph: it leaves a record
            fault = told(error)
            if fault.retryable or len(items) == 1:
                return {
                    item.turn.id: await self._leave_pending(scope, item.turn, fault)
                    for item in items
                }
            # One of them cannot be written: it must not keep the others out.
            done: dict[str, Processed] = {}
            for item in items:
                done |= await self._put_into_graph(scope, [item])
            return done
        return {
            item.turn.id: processed(item.extraction, count)
            for item, count in zip(items, counts, strict=True)
        }

    async def _extract(self, queued: QueuedTurn) -> Extraction:
        turn = queued.turn
        extraction = turn.extraction if isinstance(turn, TurnDraft) else None
        if extraction is None:
            # Where nothing was said that was not recalled, no model is asked about it.
            extractor = self._extractor if has_own_words(turn.messages) else self._local
            extraction = await extractor.extract(
                turn,
                earlier_summaries=await self._earlier_summaries(queued.scope, turn),
                max_tokens_factor=queued.max_tokens_factor,
            )
            if any(has_recalled(message.content) for message in turn.messages):
                dropped = (*extraction.dropped, _RECALLED)
                extraction = extraction.model_copy(update={"dropped": dropped})
        return self._local.with_mentions(extraction, turn)

    async def _earlier_summaries(self, scope: str, turn: Turn | TurnDraft) -> list[str]:
        limit = self._settings.reference_summaries
        if limit == 0 or self._model is None:
            return []
        return await pending.earlier_summaries(self._db, scope, turn, limit=limit)

    async def _write(self, scope: str, items: Sequence[GraphItem]) -> list[GraphCounts]:
        embedded = await self._embed(scope, items)
        # Two writers of one scope meet at its busiest Terms and Tags: the server would end one
        # of them as a deadlock and let it wait a second, where waiting here costs nothing.
        async with self._lane(scope):
            return await write(
                self._db,
                scope,
                items,
                embedded,
                self._conflicts.pipeline,
                now=self._clock.now(),
                language=self._settings.language,
                awaits_vectors=self._vectoriser.embedder is not None,
            )

    async def remember(
        self, scope: str, plan: WritePlan, *, old_id: str = "", reason: str = ""
    ) -> RememberedIds:
        """Put a statement that nobody extracted into the graph (see graph.store.remember)."""
        embedded = await self._embed_statement(scope, plan)
        async with self._lane(scope):
            return await remember(
                self._db,
                scope,
                plan,
                embedded,
                self._conflicts.pipeline,
                now=self._clock.now(),
                language=self._settings.language,
                awaits_vectors=self._vectoriser.embedder is not None,
                old_id=old_id,
                reason=reason,
            )

    async def define(self, scope: str, draft: ProcedureDraft) -> str:
        """Put a procedure into the graph; return its id (see graph.procedures)."""
        slot = self._vectoriser.slot
        embedded = None
        if slot is not None and await self._vectoriser.is_up():
            vectors = await self._vectoriser.documents(draft.texts)
            embedded = EmbeddedTexts(slot, self._vectoriser.embedder_id, vectors)
        # Two that mean the same by other words would not see each other's Intent.
        async with self._lane(scope):
            return await write_procedure(
                self._db,
                scope,
                draft,
                embedded,
                now=self._clock.now(),
                language=self._settings.language,
            )

    @property
    def conflicts(self) -> ConflictPipeline:
        """What decides about statements, by the settings that hold now."""
        return self._conflicts.pipeline

    def _lane(self, scope: str) -> asyncio.Lock:
        return self._lanes.setdefault(scope, asyncio.Lock())

    async def _embed(self, scope: str, items: Sequence[GraphItem]) -> EmbeddedTexts | None:
        """Return the vectors of what is new; None while there is no embedder to ask, or none yet.

        No transaction is open meanwhile: an embedder may take its time.
        """
        slot = self._vectoriser.slot
        if self._vectoriser.embedder is None or slot is None or len(items) >= BULK:
            return None
        embedder_id = self._vectoriser.embedder_id
        texts = await texts_to_embed(self._db, scope, items, embedder_id=embedder_id)
        return EmbeddedTexts(slot, embedder_id, await self._vectoriser.documents(texts))

    async def _embed_statement(self, scope: str, plan: WritePlan) -> EmbeddedTexts | None:
        slot = self._vectoriser.slot
        if slot is None or not await self._vectoriser.is_up():
            return None
        embedder_id = self._vectoriser.embedder_id
        texts = await plan_texts(self._db, scope, plan, embedder_id=embedder_id)
        return EmbeddedTexts(slot, embedder_id, await self._vectoriser.documents(texts))

    async def _quarantine(self, scope: str, turn_id: str, error: ExtractionError) -> Processed:
        route = self._extractor.route
        await pending.mark_quarantined(
            self._db,
            scope,
            turn_id,
            reason=f"{error.kind}: {error}",
            extracted_by=route,
            reply_length=error.reply_length,
            reply_hash=error.reply_hash,
        )
        return Processed(
            ExtractionState.QUARANTINED, extracted_by=route, error=f"{error.kind}: {error}"
        )

    async def _leave_pending(
        self, scope: str, turn: Turn | TurnDraft, error: GraphmemError
    ) -> Processed:
        attempts = turn.attempts if isinstance(turn, Turn) else 0
        pause = min(_FIRST_PAUSE * 2 ** min(attempts, 10), _LONGEST_PAUSE)
        reason = f"{error.kind}: {error}"
        logger.warning("extract.pending turn=%s kind=%s", turn.id, error.kind)
        try:
            await pending.mark_error(
                self._db, scope, [turn.id], reason, retry_at=self._clock.now() + pause
            )
        except GraphmemError as unwritten:
            # The store itself is away: the turn is pending there as it was.
            logger.warning("extract.unmarked turn=%s kind=%s", turn.id, unwritten.kind)
        return Processed(ExtractionState.PENDING, error=reason)

    # What waits in the store --------------------------------------------------------------

    async def claim(self, scope: str, *, limit: int, only_given: bool) -> list[Turn | TurnDraft]:
        """Take up turns of a scope that a fault or an ended process left pending."""
        for owner in await pending.list_owners(self._db, scope):
            if is_dead(owner):
                await pending.release(self._db, scope, owner, now=self._clock.now())
        found = await pending.claim(
            self._db,
            scope,
            self.lease(),
            now=self._clock.now(),
            limit=limit,
            only_given=only_given,
        )
        return [_with_given(waiting) for waiting in found]

    async def claim_quarantined(
        self, scope: str, turn_ids: Iterable[str] | None
    ) -> list[Turn | TurnDraft]:
        """Take up quarantined turns; they are pending from then on."""
        found = await pending.claim(
            self._db,
            scope,
            self.lease(),
            now=self._clock.now(),
            limit=_ALL,
            state=ExtractionState.QUARANTINED,
            turn_ids=turn_ids,
        )
        return [_with_given(waiting) for waiting in found]

    async def wake(self, scope: str) -> None:
        """End the rest of turns that a fault left pending: they are due now."""
        await pending.release(self._db, scope, "", now=self._clock.now())

    async def renew(self, scope: str) -> None:
        """Keep what this process works on from being taken up by others."""
        await pending.renew(self._db, scope, self.lease())

    async def release(self, scope: str, turn_ids: Sequence[str] = ()) -> None:
        """Let others take up at once what this process leaves: these turns, or all."""
        await pending.release(
            self._db, scope, self._owner, now=self._clock.now(), turn_ids=turn_ids
        )

    async def redo_local(self, scope: str, *, limit: int | None, progress: Progress | None) -> int:
        """Extract turns again that only the local extractor has seen; return how many."""
        started, tried, redone = self._clock.now(), 0, 0
        total = limit
        while limit is None or tried < limit:
            room = _REDO_BATCH if limit is None else min(_REDO_BATCH, limit - tried)
            found = await pending.claim(
                self._db,
                scope,
                self.lease(),
                now=started,
                limit=room,
                state=ExtractionState.LOCAL,
            )
            if not found:
                break
            done = await self._redo(scope, [_with_given(waiting) for waiting in found])
            tried += len(found)
            redone += sum(one.state is ExtractionState.DONE for one in done)
            if progress is not None:
                progress(tried, total)
        return redone

    async def _redo(self, scope: str, turns: Sequence[Turn | TurnDraft]) -> list[Processed]:
        gate = asyncio.Semaphore(self._settings.llm_concurrency)

        async def one(turn: Turn | TurnDraft) -> Processed:
            async with gate:
                # All were taken up at once, and the last one's turn may come late.
                await self.renew(scope)
                queued = QueuedTurn(scope, turn)
                return (await self.process([queued]))[turn.id]

        return await asyncio.gather(*(one(turn) for turn in turns))


_ALL = 2**62


def _with_given(waiting: pending.PendingTurn) -> Turn | TurnDraft:
    """Return a waiting turn as a draft where it came with its extraction."""
    turn = waiting.turn
    if waiting.given is None:
        return turn
    return TurnDraft(
        id=turn.id,
        session_id=turn.session_id,
        agent_id=turn.agent_id,
        project=turn.project,
        at=turn.at,
        text=turn.text,
        messages=turn.messages,
        extraction=waiting.given,
        recorded_at=turn.recorded_at,
    )
