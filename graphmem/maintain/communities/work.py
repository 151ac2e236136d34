"""What one update of communities has found out and done so far, and how long it took."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from graphmem.maintain.communities.membership_writing import Written

if TYPE_CHECKING:
    from graphmem.communities import CommunityEngine
    from graphmem.db import Database
    from graphmem.maintain.runs import Run
    from graphmem.operation import Progress

__all__ = ["CommunityWork"]


@dataclass(slots=True)
class CommunityWork:
    """An update of communities that is under way.

    Attributes:
        engine: What the caller wants to find them.
        terms: Live Terms of the scope.
        waiting: Those that are to be put into a community.
        seconds: How long it took, by step.
        used: What found them, "" where nothing had to be found.
        rounds: Rounds of votes in which a Term changed its label.
        converged: Whether a further round would change nothing.
        written: What was written of it.
        done: Terms and summaries that are through, of `total`.
    """

    db: Database
    run: Run
    engine: CommunityEngine
    progress: Progress | None
    terms: int
    waiting: int
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    used: Literal["gds", "python", ""] = ""
    rounds: int = 0
    converged: bool = True
    written: Written = field(default_factory=lambda: Written(0, 0, 0))
    done: int = 0
    total: int | None = None

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Count the seconds of a step."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[step] += time.perf_counter() - started

    def advance(self, count: int) -> None:
        """Tell the caller that so many more Terms or summaries are through."""
        self.done += count
        if self.progress is not None:
            self.progress(self.done, self.total)
