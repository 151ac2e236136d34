"""The background loop of a synchronous memory."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

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
