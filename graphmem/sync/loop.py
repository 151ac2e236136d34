"""The one background event loop on which a synchronous memory runs its asynchronous core."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from graphmem.errors import StoreError

__all__ = ["BackgroundLoop"]

T = TypeVar("T")


class BackgroundLoop:
    """An event loop in a daemon thread of its own; calls from any other thread wait for it.

    A driver's connections belong to the loop that opened them, so that a loop per call
    (`asyncio.run`) could keep none of them, and a caller's own loop may be busy or gone.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._pid = os.getpid()
        # A call is handed to the loop either before its end is, or not at all: after it nobody
        # would be there to answer.
        self._handing_over = threading.Lock()
        self._is_stopping = False
        self._thread = threading.Thread(target=self._serve, name="graphmem", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            # Whose call raised an error that ends programs has it; the loop ends with it.
            with contextlib.suppress(SystemExit, KeyboardInterrupt):
                self._loop.run_forever()
        finally:
            # Nobody need have called `stop`.
            with self._handing_over:
                self._is_stopping = True
            # What was handed over by then becomes tasks, which are cancelled with the others.
            self._loop.run_until_complete(asyncio.sleep(0))
            # In this thread, since the caller's may have a running loop of its own.
            _cancel_all(self._loop)
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def run(self, call: Coroutine[Any, Any, T]) -> T:
        """Run `call` on the loop and wait for what it returns or raises.

        Raises:
            StoreError: The memory was closed, now or meanwhile; the process was forked after it
                was opened; or this is the loop's own thread (waiting would wait for itself).
        """
        try:
            future = self._hand_over(call)
        except StoreError:
            call.close()
            raise
        try:
            return future.result()
        except CancelledError:
            if self._is_stopping:
                raise _closed() from None
            raise
        except BaseException:
            # Ctrl-C ends the wait, and so must end the work.
            future.cancel()
            raise

    def _hand_over(self, call: Coroutine[Any, Any, T]) -> Future[T]:
        # First of all, since in a forked child nobody may ever let go of the lock.
        if self._pid != os.getpid():
            raise StoreError(
                "this memory was opened before the process forked; open one in the child",
                kind="forked",
            )
        if threading.current_thread() is self._thread:
            raise StoreError(
                "a synchronous memory was called from inside its own event loop (for instance "
                "from a progress callback); use AsyncGraphMemory there",
                kind="wrong-thread",
            )
        with self._handing_over:
            if self._is_stopping or not self._thread.is_alive():
                raise _closed()
            return asyncio.run_coroutine_threadsafe(call, self._loop)

    def stop(self) -> None:
        """Stop and close the loop; calls that still run end as closed. May be called twice."""
        if self._pid != os.getpid() or threading.current_thread() is self._thread:
            return
        with self._handing_over:
            if not self._is_stopping:
                self._is_stopping = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def _closed() -> StoreError:
    return StoreError("this memory is closed; open a new one", kind="closed")


def _cancel_all(loop: asyncio.AbstractEventLoop) -> None:
    tasks = asyncio.all_tasks(loop)
    for task in tasks:
        task.cancel()
    if tasks:
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
