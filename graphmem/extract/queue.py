"""The background worker's queue: in order per session, side by side over sessions, bounded."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from graphmem.models import Turn, TurnDraft

__all__ = ["ExtractionQueue", "QueuedTurn"]

logger = logging.getLogger(__name__)

Process = Callable[[Sequence["QueuedTurn"]], Awaitable[None]]
Refill = Callable[[], Awaitable[Sequence["QueuedTurn"]]]
_Lane = tuple[str, str]


@dataclass(frozen=True, slots=True)
class QueuedTurn:
    """A committed turn that waits for its extraction.

    Attributes:
        scope: Its scope.
        session_id: Its session; turns of one session are processed one after the other.
        turn_id: Its id.
        turn: The turn itself, or None when `process` reads it from the store.
        max_tokens_factor: How many times the usual limit its reply may have.
    """

    scope: str
    session_id: str
    turn_id: str
    turn: Turn | TurnDraft | None = None
    max_tokens_factor: int = 1


class ExtractionQueue:
    """Hand queued turns to `process`, within bounds, without anybody waiting for it.

    Turns of one session are processed in the order in which they were put; no session is in
    two running batches. What `process` raises is logged and ends only its batch: its turns
    count as finished here and stay pending in the store, where the truth is. All methods
    must be called on one event loop. It starts tasks only while there is work.

    Args:
        process: Handles one batch.
        concurrency: Batches at once, >= 1.
        batch: Turns in one batch at most, >= 1; a batch may span several sessions.
        limit: Turns that wait here at most, >= 1. What is put beyond it is not taken: it
            stays pending in the store, and `refill` brings it when there is room.
        refill: Returns pending turns of the store; asked when the queue runs empty after it
            had been full.
    """

    def __init__(
        self,
        process: Process,
        concurrency: int = 4,
        *,
        batch: int = 1,
        limit: int = 10_000,
        refill: Refill | None = None,
    ) -> None:
        if min(concurrency, batch, limit) < 1:
            raise ValueError(f"{concurrency=}, {batch=} and {limit=} must be >= 1")
        self._process = process
        self._concurrency = concurrency
        self._batch = batch
        self._limit = limit
        self._refill = refill
        self._lanes: dict[_Lane, deque[QueuedTurn]] = {}
        self._ready: deque[_Lane] = deque()
        self._busy: set[_Lane] = set()
        self._open: set[str] = set()
        self._running = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiters: set[asyncio.Future[None]] = set()
        self._is_closed = False
        self._is_paused = False
        self._has_overflowed = False
        self._is_refilling = False

    def __len__(self) -> int:
        """Return how many turns wait or are being processed."""
        return len(self._open)

    @property
    def waiting(self) -> int:
        """How many turns wait."""
        return len(self._open) - self._running

    @property
    def is_paused(self) -> bool:
        """Whether turns are kept waiting on purpose."""
        return self._is_paused

    def put(self, turn: QueuedTurn) -> bool:
        """Queue a turn.

        Returns:
            Whether it is in the queue now; False when the queue is full or closed (the turn
            is still pending in the store then).
        """
        if turn.turn_id in self._open:
            return True
        if self._is_closed:
            return False
        if self.waiting >= self._limit:
            if not self._has_overflowed:
                logger.warning("extract.queue_full limit=%d", self._limit)
            self._has_overflowed = True
            return False
        lane = (turn.scope, turn.session_id)
        self._open.add(turn.turn_id)
        waiting = self._lanes.setdefault(lane, deque())
        waiting.append(turn)
        if len(waiting) == 1 and lane not in self._busy:
            self._ready.append(lane)
        self._start_workers()
        return True

    def pause(self) -> None:
        """Take up no further batch; what runs is finished."""
        self._is_paused = True
        self._wake()

    def resume(self) -> None:
        """Go on after `pause`."""
        self._is_paused = False
        self._start_workers()

    async def wait_for(self, turn_ids: Iterable[str], timeout: float | None = None) -> bool:
        """Wait until none of these turns waits or is being processed.

        Args:
            turn_ids: Ids; such as are not in the queue count as finished.
            timeout: Seconds; None = as long as it takes.

        Returns:
            Whether all are finished; False when the time is over, or when the queue is
            paused or closed, so that it would never come.
        """
        ids = set(turn_ids)
        return await self._until(lambda: not ids & self._open, timeout)

    async def drain(self, timeout: float | None = None) -> bool:
        """Wait until the queue is empty, up to `timeout` seconds; return whether it is."""
        return await self._until(self._is_empty, timeout)

    async def wait_below(self, most: int) -> None:
        """Wait until at most `most` turns wait; a paused or closed queue is not waited for."""
        await self._until(lambda: self._is_closed or self.waiting <= most, None)

    async def close(self, timeout: float = 0.0) -> tuple[str, ...]:
        """Take nothing more, finish what can be finished in time, cancel the rest.

        Args:
            timeout: Seconds for what is queued already, >= 0.

        Returns:
            Ids of the turns that were not finished: still pending in the store.
        """
        self._is_closed = True
        if timeout > 0:
            await self.drain(timeout)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        left = tuple(sorted(self._open))
        self._lanes.clear()
        self._ready.clear()
        self._open.clear()
        self._wake()
        if left:
            logger.warning("extract.left_pending turns=%d", len(left))
        return left

    def _is_empty(self) -> bool:
        return not self._open and not self._is_refilling and not self._wants_refill()

    def _wants_refill(self) -> bool:
        return self._has_overflowed and self._refill is not None and not self._is_closed

    def _start_workers(self) -> None:
        if self._is_paused:
            return
        wanted = min(self._concurrency, len(self._tasks) + len(self._ready))
        while len(self._tasks) < wanted:
            task = asyncio.get_running_loop().create_task(self._work(), name="extract-worker")
            self._tasks.add(task)
            task.add_done_callback(self._finish_worker)

    def _finish_worker(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("extract.worker_died reason=%s", type(error).__name__)
        if self._ready and not self._is_closed:
            self._start_workers()
        self._wake()

    async def _work(self) -> None:
        while not self._is_paused:
            batch = self._take()
            if batch:
                await self._run(batch)
            elif self._wants_refill() and not self._open and not self._is_refilling:
                await self._ask_for_more()
            else:
                return

    def _take(self) -> list[QueuedTurn]:
        """Take turns of free sessions, and keep those sessions busy."""
        taken: list[QueuedTurn] = []
        while self._ready and len(taken) < self._batch:
            lane = self._ready.popleft()
            waiting = self._lanes[lane]
            while waiting and len(taken) < self._batch:
                taken.append(waiting.popleft())
            self._busy.add(lane)
        self._running += len(taken)
        return taken

    async def _run(self, batch: list[QueuedTurn]) -> None:
        is_finished = False
        try:
            await self._process(batch)
            is_finished = True
        except Exception as error:
            # The edge of the stage: the turns stay pending in the store.
            logger.exception(
                "extract.batch_failed turns=%d reason=%s", len(batch), type(error).__name__
            )
            is_finished = True
        finally:
            self._release(batch, is_finished=is_finished)

    def _release(self, batch: list[QueuedTurn], *, is_finished: bool) -> None:
        self._running -= len(batch)
        if is_finished or not self._is_closed:
            self._open.difference_update(turn.turn_id for turn in batch)
        for lane in dict.fromkeys((turn.scope, turn.session_id) for turn in batch):
            self._busy.discard(lane)
            if self._lanes.get(lane):
                self._ready.append(lane)
            else:
                self._lanes.pop(lane, None)
        self._wake()

    async def _ask_for_more(self) -> None:
        assert self._refill is not None  # noqa: S101 - for the type checker
        self._is_refilling = True
        self._has_overflowed = False
        try:
            for turn in await self._refill():
                self.put(turn)
        except Exception as error:
            # The edge of the stage: the next start takes them up.
            logger.exception("extract.refill_failed reason=%s", type(error).__name__)
        finally:
            self._is_refilling = False
            self._wake()

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _until(self, is_done: Callable[[], bool], timeout: float | None) -> bool:
        ends_at = None if timeout is None else time.monotonic() + timeout
        while not is_done():
            if self._is_paused and not self._running:
                return False
            wait_s = None if ends_at is None else ends_at - time.monotonic()
            if wait_s is not None and wait_s <= 0:
                return False
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.add(waiter)
            try:
                await asyncio.wait([waiter], timeout=wait_s)
            finally:
                self._waiters.discard(waiter)
        return True
