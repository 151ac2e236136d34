"""How far a long run has come, on the standard error stream."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["progress_line", "shown"]

T = TypeVar("T")

# Into a file, one line in a while; a terminal's line is written over.
_TERMINAL_S, _FILE_S = 0.2, 15.0


def progress_line(what: str) -> Callable[[int, int | None], None]:
    """Return what tells, when it is called with done and total, how far `what` has come."""
    started = time.perf_counter()
    told = 0.0

    def tell(done: int, total: int | None) -> None:
        nonlocal told
        now = time.perf_counter()
        is_terminal = sys.stderr.isatty()
        is_end = total is not None and done >= total
        if not is_end and now - told < (_TERMINAL_S if is_terminal else _FILE_S):
            return
        told = now
        rate = done / (now - started) if now > started else 0.0
        text = f"{what}: {done}" if total is None else f"{what}: {done} of {total}"
        text += f", {rate:.1f}/s"
        if total is not None and rate and not is_end:
            text += f", {(total - done) / rate:.0f} s left"
        end = "\r" if is_terminal and not is_end else "\n"
        print(f"{text:<78}", end=end, file=sys.stderr, flush=True)

    return tell


def shown(items: Sequence[T], what: str) -> Iterator[T]:
    """Yield `items`, and tell how many of them are done."""
    tell = progress_line(what)
    for done, item in enumerate(items, start=1):
        yield item
        tell(done, len(items))
