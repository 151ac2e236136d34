"""The background worker's queue: in order per session, side by side over sessions, bounded."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from graphmem.models import Turn, TurnDraft

__all__ = ["ExtractionQueue", "QueuedTurn"]

logger = logging.getLogger(__name__)

Process = Callable[[Sequence["QueuedTurn"]], Awaitable[None]]
_Lane = tuple[str, str]


@dataclass(frozen=True, slots=True)
class QueuedTurn:
    """A committed turn that waits for its extraction.

    Attributes:
        scope: Its scope.
        turn: The turn itself; those of one session are processed one after the other.
        max_tokens_factor: How many times the usual limit its reply may have.
    """

    scope: str
    turn: Turn | TurnDraft
    max_tokens_factor: int = 1

    @property
    def turn_id(self) -> str:
        """Its id."""
        return self.turn.id

    @property
    def session(self) -> tuple[str, str]:
        """Its scope and session: what order is kept in."""
        return self.scope, self.turn.session_id


class ExtractionQueue:
    """Hand queued turns to `process`, within bounds, without anybody waiting for it.

    Turns of one session are processed in the order in which they were put; no session is in
    two running batches. What `process` raises is logged and ends only its batch: its turns
    count as finished here and stay pending in the store, where the truth is. All methods
    must be called on one event loop. It runs tasks only while there is work.

    Args:
        process: Handles one batch.
        concurrency: Batches at once, >= 1.
        batch: Turns in one batch at most, >= 1; a batch may span several sessions.
        limit: Turns that wait here at most, >= 1. What is put beyond it is not taken: it
            stays pending in the store, to be taken up from there.
    """

    def __init__(
        self, process: Process, concurrency: int = 4, *, batch: int = 1, limit: int = 10_000
    ) -> None:
        if min(concurrency, batch, limit) < 1:
            raise ValueError(f"{concurrency=}, {batch=} and {limit=} must be >= 1")
        self._process = process
        self._concurrency = concurrency
        self._batch = batch
        self._limit = limit
        # A lane is a session; it is ready when turns wait in it and none of it is running.
        self._lanes: dict[_Lane, deque[QueuedTurn]] = {}
        self._ready: deque[_Lane] = deque()
        self._busy: set[_Lane] = set()
        self._open: set[str] = set()
        self._running = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiters: set[asyncio.Future[None]] = set()
        self._is_closed = False
        # After the deadline of close: no finished worker is followed by another one.
        self._is_stopping = False

    def __len__(self) -> int:
        """Return how many turns wait or are being processed."""
        return len(self._open)

    @property
    def waiting(self) -> int:
        """How many turns wait."""
        return len(self._open) - self._running

    def put(self, turn: QueuedTurn) -> bool:
        """Queue a turn; one that is in the queue already is not queued twice.

        Returns:
            Whether it is in the queue now; False when the queue is full or closed (the turn
            is still pending in the store then).
        """
        if turn.turn_id in self._open:
            return True
        if self._is_closed:
            return False
        if self.waiting >= self._limit:
            logger.warning("extract.queue_full limit=%d", self._limit)
            return False
        lane = turn.session
        self._open.add(turn.turn_id)
        waiting = self._lanes.setdefault(lane, deque())
        waiting.append(turn)
        if len(waiting) == 1 and lane not in self._busy:
            self._ready.append(lane)
        self._start_workers()
        return True

    async def drain(self, timeout: float | None = None) -> bool:
        """Wait until the queue is empty, up to `timeout` seconds; return whether it is."""
        return await self._until(lambda: not self._open, timeout)

    async def wait_below(self, most: int) -> None:
        """Wait until at most `most` turns wait; a closed queue is not waited for."""
        await self._until(lambda: self._is_closed or self.waiting <= most, None)

    async def close(self, timeout: float = 0.0) -> tuple[str, ...]:
        """Take nothing more, finish what can be finished in time, cancel the rest.

        Args:
            timeout: Seconds for what is queued already, >= 0.

        Returns:
            Ids of the turns that were not finished: still pending in the store.
        """
        self._is_closed = True
        self._wake()
        if timeout > 0:
            await self.drain(timeout)
        self._is_stopping = True
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

    def _start_workers(self) -> None:
        if self._is_stopping:
            return
        wanted = min(self._concurrency, len(self._tasks) + len(self._ready))
        while len(self._tasks) < wanted:
            task = asyncio.get_running_loop().create_task(self._work(), name="extract-worker")
            self._tasks.add(task)
            task.add_done_callback(self._finish_worker)

    def _finish_worker(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._start_workers()
        self._wake()

    async def _work(self) -> None:
        while batch := self._take():
            await self._run(batch)

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
        # What close() cancelled stays open, so that it is named as left.
        if is_finished or not self._is_closed:
            self._open.difference_update(turn.turn_id for turn in batch)
        for lane in dict.fromkeys(turn.session for turn in batch):
            self._busy.discard(lane)
            if self._lanes.get(lane):
                self._ready.append(lane)
            else:
                self._lanes.pop(lane, None)
        self._wake()

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _until(self, is_done: Callable[[], bool], timeout: float | None) -> bool:
        ends_at = None if timeout is None else time.monotonic() + timeout
        while not is_done():
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
