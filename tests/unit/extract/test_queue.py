"""The extraction queue: in order per session, side by side over sessions, bounded."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.extract import ExtractionQueue, QueuedTurn
from graphmem.models import TurnDraft

AT = datetime(2026, 3, 2, tzinfo=UTC)


def _turn(session: int, number: int) -> QueuedTurn:
    draft = TurnDraft(
        id=f"{session}-{number}", session_id=f"s{session}", at=AT, text="hello", messages=()
    )
    return QueuedTurn("scope", draft)


class _Recorder:
    """A process that records what it was given and how it ran."""

    def __init__(self, pauses: int = 1) -> None:
        self.order: list[str] = []
        self.batches: list[int] = []
        self.running: dict[str, int] = defaultdict(int)
        self.peak = 0
        self.overlaps = 0
        self.pauses = pauses

    async def __call__(self, batch: Sequence[QueuedTurn]) -> None:
        lanes = {turn.session for turn in batch}
        self.overlaps += sum(self.running[lane] > 0 for lane in lanes)
        for lane in lanes:
            self.running[lane] += 1
        self.batches.append(len(batch))
        self.peak = max(self.peak, sum(1 for count in self.running.values() if count))
        for _ in range(self.pauses):
            await asyncio.sleep(0)
        self.order += [turn.turn_id for turn in batch]
        for lane in lanes:
            self.running[lane] -= 1


@settings(max_examples=60, deadline=None)
@given(
    sessions=st.lists(st.integers(0, 4), max_size=40),
    concurrency=st.integers(1, 4),
    batch=st.integers(1, 5),
    pauses=st.integers(0, 3),
)
def test_order_holds_for_any_arrival(
    sessions: list[int], concurrency: int, batch: int, pauses: int
) -> None:
    """Each turn runs once, in order inside its session, no session twice at once."""
    record = _Recorder(pauses)
    turns = [_turn(session, number) for number, session in enumerate(sessions)]

    async def run() -> bool:
        queue = ExtractionQueue(record, concurrency, batch=batch)
        for number, turn in enumerate(turns):
            queue.put(turn)
            if number % 3 == 0:
                await asyncio.sleep(0)
        return await queue.drain(10)

    is_drained = asyncio.run(run())

    assert is_drained
    assert sorted(turn.turn_id for turn in turns) == sorted(record.order)
    for session in set(sessions):
        expected = [turn.turn_id for turn in turns if turn.turn.session_id == f"s{session}"]
        assert expected == [done for done in record.order if done.startswith(f"{session}-")]
    assert 0 == record.overlaps
    assert max(record.batches, default=0) <= batch


async def test_sessions_run_side_by_side() -> None:
    """As many sessions at once as the concurrency allows, not more."""
    record = _Recorder(pauses=5)
    queue = ExtractionQueue(record, 3)

    for session in range(6):
        for number in range(3):
            queue.put(_turn(session, number))
    await queue.drain(10)

    assert 3 == record.peak


async def test_a_turn_is_queued_once() -> None:
    """Putting a turn again while it is in the queue changes nothing."""
    record = _Recorder()
    queue = ExtractionQueue(record)

    taken = [queue.put(_turn(1, 1)), queue.put(_turn(1, 1))]
    await queue.drain(10)

    assert [True, True] == taken
    assert ["1-1"] == record.order


async def test_a_failing_batch_ends_alone(caplog: pytest.LogCaptureFixture) -> None:
    """What goes wrong with one turn is logged, and the next ones are processed."""
    record = _Recorder()

    async def process(batch: Sequence[QueuedTurn]) -> None:
        if batch[0].turn_id == "1-1":
            raise RuntimeError("broken")
        await record(batch)

    queue = ExtractionQueue(process)
    with caplog.at_level(logging.ERROR):
        for number in range(3):
            queue.put(_turn(1, number))
        is_drained = await queue.drain(10)

    assert is_drained
    assert ["1-0", "1-2"] == record.order
    assert ["extract.batch_failed turns=1 reason=RuntimeError"] == [
        entry.getMessage() for entry in caplog.records
    ]


async def test_a_process_that_cancels_itself_does_not_stop_the_queue() -> None:
    """A cancelled batch is given up; the rest goes on."""
    record = _Recorder()

    async def process(batch: Sequence[QueuedTurn]) -> None:
        if batch[0].turn_id == "1-0":
            raise asyncio.CancelledError
        await record(batch)

    queue = ExtractionQueue(process, 1)
    for number in range(3):
        queue.put(_turn(1, number))
    is_drained = await queue.drain(10)

    assert is_drained
    assert ["1-1", "1-2"] == record.order


async def test_draining_tells_when_the_time_is_over() -> None:
    """A batch that takes longer than the timeout is not interrupted, only not waited for."""
    gate = asyncio.Event()

    async def process(batch: Sequence[QueuedTurn]) -> None:
        await gate.wait()

    queue = ExtractionQueue(process)
    queue.put(_turn(1, 1))

    in_vain = await queue.drain(0.02)
    gate.set()

    assert (False, True) == (in_vain, await queue.drain(5))


async def test_a_producer_can_wait_for_room() -> None:
    """wait_below returns as soon as few enough turns wait."""
    record = _Recorder()
    queue = ExtractionQueue(record, 1)
    for number in range(10):
        queue.put(_turn(1, number))

    await queue.wait_below(4)

    assert 1 <= queue.waiting <= 4
    assert await queue.drain(5)


async def test_a_waiter_that_gives_up_stops_nobody() -> None:
    """Cancelling a wait leaves the work alone."""
    record = _Recorder(pauses=3)
    queue = ExtractionQueue(record)
    queue.put(_turn(1, 1))
    waiter = asyncio.create_task(queue.drain())
    await asyncio.sleep(0)

    waiter.cancel()
    is_drained = await queue.drain(5)

    assert is_drained
    assert ["1-1"] == record.order


async def test_close_finishes_what_it_can() -> None:
    """Within the time queued turns are processed; afterwards nothing is taken."""
    record = _Recorder()
    queue = ExtractionQueue(record)
    queue.put(_turn(1, 1))

    left = await queue.close(5)

    assert () == left
    assert ["1-1"] == record.order
    assert not queue.put(_turn(1, 2))


async def test_close_leaves_the_rest_pending_at_the_deadline() -> None:
    """A batch that hangs is cancelled, and its turns and the waiting ones are named."""
    was_cancelled = asyncio.Event()

    async def process(batch: Sequence[QueuedTurn]) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            was_cancelled.set()
            raise

    queue = ExtractionQueue(process, 1)
    queue.put(_turn(1, 1))
    queue.put(_turn(1, 2))
    await asyncio.sleep(0)

    left = await queue.close(0.02)
    await asyncio.sleep(0)

    names = {task.get_name() for task in asyncio.all_tasks()}
    assert ("1-1", "1-2") == left
    assert was_cancelled.is_set()
    assert "extract-worker" not in names


async def test_a_full_queue_takes_no_more() -> None:
    """What is put beyond the limit is not taken, and what was taken is not lost."""
    record = _Recorder()
    queue = ExtractionQueue(record, 1, limit=4)

    taken = [queue.put(_turn(1, number)) for number in range(6)]
    await queue.drain(5)

    assert [True] * 4 + [False] * 2 == taken
    assert [f"1-{number}" for number in range(4)] == record.order


async def test_an_idle_queue_runs_nothing() -> None:
    """Tasks exist only while there is work, and new work starts them again."""
    record = _Recorder()
    queue = ExtractionQueue(record)
    for number in range(2):
        queue.put(_turn(1, number))
        await queue.drain(5)
        await asyncio.sleep(0)

    names = {task.get_name() for task in asyncio.all_tasks()}

    assert "extract-worker" not in names
    assert ["1-0", "1-1"] == record.order
