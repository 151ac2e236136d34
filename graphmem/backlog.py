"""Committed turns on their way into the graph: queued, taken up again, and never lost."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphmemError
from graphmem.extract.queue import ExtractionQueue, QueuedTurn
from graphmem.filler import VectorFiller
from graphmem.models import Receipt, Turn, TurnDraft

if TYPE_CHECKING:
    from graphmem.live_settings import SettingsHolder
    from graphmem.pipeline import Pipeline
    from graphmem.processed import Processed

__all__ = ["Backlog", "Ticket"]

logger = logging.getLogger(__name__)

# Turns of a batch that needs no model: they are written in one transaction.
_QUICK_BATCH = 100
# While one batch is embedded another one is written; more would only share two cores.
_QUICK_CONCURRENCY = 2
# An import is slowed down to the pace of extraction when so many turns wait.
_MOST_WAITING = 2000
# How often turns are looked for that a fault or another process left pending.
_SWEEP_S = 30.0


class Ticket:
    """A turn on its way: its receipt as it stands, and the end of its extraction.

    Args:
        receipt: As it stands at the beginning.
        started: When the call began, by `time.perf_counter`.
        follows: The ticket of the same turn, which was added before and is on its way: what
            becomes of that one becomes of this one.
    """

    __slots__ = ("_follows", "_is_settled", "_started", "receipt")

    def __init__(self, receipt: Receipt, *, started: float, follows: Ticket | None = None) -> None:
        self.receipt = receipt
        self._started = started
        self._is_settled = asyncio.Event()
        self._follows = follows

    def settle(self, done: Processed | None = None) -> None:
        """Tell everybody who waits that no more will happen to this turn now."""
        changes: dict[str, Any] = {"duration_ms": (time.perf_counter() - self._started) * 1000}
        if done is not None:
            changes |= done.receipt_fields()
        self.receipt = self.receipt.model_copy(update=changes)
        self._is_settled.set()

    async def wait(self, timeout_s: float | None) -> Receipt:
        """Wait for the end, up to `timeout_s` seconds; return the receipt as it stands then."""
        if self._follows is not None:
            ended = await self._follows.wait(timeout_s)
            # What this call did is its own; what became of the turn is the other's.
            own = {"created", "is_other_content", "message_ids"}
            self.receipt = ended.model_copy(update=self.receipt.model_dump(include=own))
            return self.receipt
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._is_settled.wait()
        return self.receipt


class Backlog:
    """Turns that wait for their extraction: those of this process, and those that are due.

    The truth is in the store, where such a turn is pending: what is queued here can be lost
    without loss, and the next sweep of whoever works in that scope takes it up.

    Args:
        pipeline: Takes batches through extract and graph.
        holder: The settings that hold now.
        on_written: Called with a scope and how many of its turns came into the graph.
    """

    def __init__(
        self, pipeline: Pipeline, holder: SettingsHolder, on_written: Callable[[str, int], None]
    ) -> None:
        self._pipeline = pipeline
        self._on_written = on_written
        self._holder = holder
        # Turns for a model go one by one, so that each is in the graph as soon as its reply is
        # there; turns for which nobody is asked go in batches.
        self._model_queue = ExtractionQueue(self._process, holder.current.llm_concurrency, batch=1)
        self._quick_queue = ExtractionQueue(self._process, _QUICK_CONCURRENCY, batch=_QUICK_BATCH)
        # Of turns that are queued or being processed: the same turn added again waits for them.
        self._tickets: dict[str, Ticket] = {}
        self._scopes: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._filler = VectorFiller(pipeline, self._quick_queue.drain)
        self._has_news = asyncio.Event()
        # One look at a time: who waits for it finds everything that it took up in the queues.
        self._sweeping = asyncio.Lock()
        self._is_closed = False

    # Turns of this process ----------------------------------------------------------------

    def running(self, turn_id: str) -> Ticket | None:
        """Return the ticket of a turn that is queued or being processed."""
        return self._tickets.get(turn_id)

    def put(
        self,
        scope: str,
        turn: Turn | TurnDraft,
        ticket: Ticket,
        *,
        max_tokens_factor: int = 1,
    ) -> None:
        """Queue a committed turn; its ticket is settled at once where it is not to be done now."""
        queued = QueuedTurn(scope, turn, max_tokens_factor=max_tokens_factor)
        needs_model = self._pipeline.has_model and not _is_given(turn)
        queue = self._model_queue if needs_model else self._quick_queue
        if self._may_extract(turn) and queue.put(queued):
            self._tickets.setdefault(turn.id, ticket)
        else:
            ticket.settle()

    async def wait_for_room(self) -> None:
        """Wait while so many turns are queued that more would only fill the memory."""
        for queue in (self._quick_queue, self._model_queue):
            await queue.wait_below(_MOST_WAITING)

    async def flush(self, scope: str, timeout_s: float | None) -> bool:
        """Wait until both queues are empty and no vector is owed; return whether that is so.

        What waits in `scope` is taken up first, where this process has not looked yet; vectors
        that an embedder owes since it was down, as soon as it may be asked again.
        """
        left_s = _countdown(timeout_s)
        if scope not in self._scopes:
            self.use(scope)
            await self.sweep(scope)
        is_empty = True
        for queue in (self._quick_queue, self._model_queue):
            is_empty = await queue.drain(left_s()) and is_empty
        if (await self._pipeline.late.count_waiting(scope)).total:
            self._filler.owe(scope)
        return await self._filler.wait(left_s()) and is_empty

    async def wait_until_idle(self) -> None:
        """Wait until both queues are empty and no vector is owed."""
        for queue in (self._quick_queue, self._model_queue):
            await queue.drain(None)
        await self._filler.wait(None)

    async def close(self, timeout_s: float) -> None:
        """Finish what can be finished in time; let others take up the rest at once.

        Raises:
            StoreError: The store is away; the rest is due when its leases end.
        """
        self._is_closed = True
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.wait([self._sweeper])
        left_s = _countdown(timeout_s)
        left: list[str] = []
        for queue in (self._quick_queue, self._model_queue):
            left += await queue.close(left_s() or 0.0)
        await self._filler.wait(left_s())
        await self._filler.close()
        for ticket in list(self._tickets.values()):
            ticket.settle()
        if left:
            for scope in self._scopes:
                await self._pipeline.release(scope)

    def _may_extract(self, turn: Turn | TurnDraft) -> bool:
        """What the caller gave goes in at any time; a model or the local extractor may be off."""
        return _is_given(turn) or self._holder.current.extraction_enabled

    async def _process(self, batch: Sequence[QueuedTurn]) -> None:
        done: Mapping[str, Processed] = {}
        wanted = [one for one in batch if self._may_extract(one.turn)]
        unwanted = [one for one in batch if not self._may_extract(one.turn)]
        try:
            await self._put_back(unwanted)
            if wanted:
                done = await self._pipeline.process(wanted)
                self._owe_vectors(wanted)
                for scope, turns in Counter(turn.scope for turn in wanted).items():
                    self._on_written(scope, turns)
        finally:
            for turn in batch:
                if (ticket := self._tickets.pop(turn.turn_id, None)) is not None:
                    ticket.settle(done.get(turn.turn_id))

    def owe_vectors(self, scope: str) -> None:
        """Note that nodes of a scope wait for a vector: they get one while nothing else is due."""
        self._filler.owe(scope)

    def _owe_vectors(self, batch: Sequence[QueuedTurn]) -> None:
        # A bulk load has no vectors yet; Terms of a few turns have no links to similar ones.
        for scope in {turn.scope for turn in batch}:
            self._filler.owe(scope)

    async def _put_back(self, unwanted: Sequence[QueuedTurn]) -> None:
        """Leave turns to whoever extracts: extraction was switched off while they were queued."""
        by_scope: dict[str, list[str]] = {}
        for one in unwanted:
            by_scope.setdefault(one.scope, []).append(one.turn_id)
        for scope, turn_ids in by_scope.items():
            await self._pipeline.release(scope, turn_ids)

    # Turns that wait in the store ---------------------------------------------------------

    def use(self, scope: str) -> None:
        """Note that this process works in `scope`: pending turns of it are taken up."""
        if scope in self._scopes or self._is_closed:
            return
        self._scopes.add(scope)
        self.look_again()
        if self._sweeper is None:
            self._sweeper = asyncio.get_running_loop().create_task(
                self._sweep_for_ever(), name="graphmem-sweeper"
            )

    def look_again(self) -> None:
        """Sweep now instead of when the pause is over."""
        self._has_news.set()

    async def sweep(self, scope: str) -> None:
        """Take up what is due in a scope: left by a fault, or by a process that ended."""
        async with self._sweeping:
            await self._sweep(scope)

    async def _sweep(self, scope: str) -> None:
        if len(self._quick_queue) + len(self._model_queue):
            # A model may think for longer than a lease lasts.
            await self._pipeline.renew(scope)
        waiting = self._quick_queue.waiting + self._model_queue.waiting
        if waiting >= _MOST_WAITING:
            return
        for turn in await self._claim(scope, _MOST_WAITING - waiting):
            self._take_up(scope, turn)
        await self._pipeline.late.backfill_some(scope)

    async def extract_pending(self, scope: str) -> list[Ticket]:
        """Take up now all that waits in a scope, also what rests after a fault.

        Turns that another process works on are left to it.
        """
        await self._pipeline.wake(scope)
        tickets: dict[str, Ticket] = {}
        while turns := await self._claim(scope, _MOST_WAITING):
            is_first_time = any(turn.id not in tickets for turn in turns)
            tickets |= {turn.id: self._take_up(scope, turn) for turn in turns}
            await self.wait_for_room()
            # What failed and is due already again is not tried for ever.
            if not is_first_time:
                break
        return list(tickets.values())

    async def _claim(self, scope: str, limit: int) -> list[Turn | TurnDraft]:
        return await self._pipeline.claim(
            scope, limit=limit, only_given=not self._holder.current.extraction_enabled
        )

    async def retry_quarantined(self, scope: str, turn_ids: Iterable[str] | None) -> list[Ticket]:
        """Queue quarantined turns again, with twice the limit for a reply."""
        turns = await self._pipeline.claim_quarantined(scope, turn_ids)
        return [self._take_up(scope, turn, max_tokens_factor=2) for turn in turns]

    def _take_up(self, scope: str, turn: Turn | TurnDraft, *, max_tokens_factor: int = 1) -> Ticket:
        # What is taken up is leased: somebody must renew that while it waits.
        self.use(scope)
        receipt = Receipt(turn_id=turn.id, session_id=turn.session_id, created=False)
        # It may be in the queue still, its lease over: whoever waits for it goes on waiting.
        ticket = Ticket(receipt, started=time.perf_counter(), follows=self.running(turn.id))
        self.put(scope, turn, ticket, max_tokens_factor=max_tokens_factor)
        return ticket

    async def _sweep_for_ever(self) -> None:
        while True:
            self._has_news.clear()
            for scope in list(self._scopes):
                try:
                    await self.sweep(scope)
                except GraphmemError as error:
                    # The next round tries again; adding and recalling go on meanwhile.
                    logger.warning("extract.sweep_failed kind=%s", error.kind)
                except Exception:
                    # A store may hold anything: it must not end the sweeping of other scopes.
                    logger.exception("extract.sweep_failed kind=unexpected")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_SWEEP_S):
                    await self._has_news.wait()


def _countdown(timeout_s: float | None) -> Callable[[], float | None]:
    """Return what tells the seconds left; None = as long as it takes."""
    if timeout_s is None:
        return lambda: None
    deadline = time.monotonic() + timeout_s
    return lambda: max(0.0, deadline - time.monotonic())


def _is_given(turn: Turn | TurnDraft) -> bool:
    return isinstance(turn, TurnDraft) and turn.extraction is not None
