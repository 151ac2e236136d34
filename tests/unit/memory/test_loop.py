"""The background loop of a synchronous memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time

import pytest

from graphmem import StoreError
from graphmem.sync.loop import BackgroundLoop


async def double(number: int) -> int:
    """Return twice the number, after a turn of the loop."""
    await asyncio.sleep(0)
    return 2 * number


def test_calls_from_several_threads_each_get_their_own_result() -> None:
    """The loop serves whoever asks."""
    loop = BackgroundLoop()
    found: dict[int, int] = {}

    def ask(number: int) -> None:
        found[number] = loop.run(double(number))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loop.stop()

    assert {i: 2 * i for i in range(8)} == found


def test_a_call_from_the_loops_own_thread_is_refused_at_once() -> None:
    """Waiting there would wait for itself."""
    loop = BackgroundLoop()

    async def ask_itself() -> int:
        return loop.run(double(1))

    with pytest.raises(StoreError) as caught:
        loop.run(ask_itself())
    loop.stop()

    assert "wrong-thread" == caught.value.kind


def test_a_call_after_stop_is_refused() -> None:
    """A closed memory says so; stopping twice is harmless."""
    loop = BackgroundLoop()
    loop.stop()
    loop.stop()

    with pytest.raises(StoreError) as caught:
        loop.run(double(1))

    assert "closed" == caught.value.kind


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_is_told_to_open_its_own() -> None:
    """The loop's thread is not in the child: waiting for it would never end."""
    loop = BackgroundLoop()
    pid = os.fork()
    if pid == 0:
        try:
            loop.run(double(1))
        except StoreError as error:
            os._exit(0 if error.kind == "forked" else 2)
        os._exit(1)

    _, status = os.waitpid(pid, 0)
    loop.stop()

    assert 0 == os.waitstatus_to_exitcode(status)


def test_an_error_reaches_the_caller_as_it_is() -> None:
    """What the call raises is raised."""
    loop = BackgroundLoop()

    async def fail() -> None:
        raise KeyError("as it is")

    with pytest.raises(KeyError, match="as it is"):
        loop.run(fail())
    loop.stop()


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt])
def test_a_call_that_ends_the_loop_leaves_nobody_waiting(end: type[BaseException]) -> None:
    """An error that ends programs ends the loop: later calls are told that it is closed."""
    loop = BackgroundLoop()
    kinds: list[str] = []

    async def leave() -> None:
        raise end

    def ask() -> None:
        try:
            loop.run(double(1))
        except StoreError as error:
            kinds.append(error.kind)

    with pytest.raises(end):
        loop.run(leave())
    askers = [threading.Thread(target=ask, daemon=True) for _ in range(20)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(5)
    loop.stop()

    assert 20 * ["closed"] == kinds


def test_a_call_that_stop_cuts_short_ends_as_closed() -> None:
    """Whoever waits is told, instead of waiting for ever."""
    loop = BackgroundLoop()
    kinds: list[str] = []

    def ask() -> None:
        try:
            loop.run(asyncio.sleep(60))
        except StoreError as error:
            kinds.append(error.kind)

    thread = threading.Thread(target=ask)
    thread.start()
    while not asyncio.all_tasks(loop._loop):
        time.sleep(0.001)
    loop.stop()
    thread.join(5)

    assert ["closed"] == kinds


def test_no_call_is_lost_while_the_loop_stops() -> None:
    """A call from another thread is answered or refused, at whatever instant it comes."""
    for _ in range(40):
        loop = BackgroundLoop()

        def ask(loop: BackgroundLoop = loop) -> None:
            with contextlib.suppress(StoreError):
                while True:
                    loop.run(double(1))

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.003)
        loop.stop()
        for thread in threads:
            thread.join(5)

        assert not any(thread.is_alive() for thread in threads)


def test_a_stop_from_the_loops_own_thread_does_nothing() -> None:
    """It would wait for its own end."""
    loop = BackgroundLoop()

    async def stop() -> None:
        loop.stop()

    loop.run(stop())

    assert 4 == loop.run(double(2))
    loop.stop()
