"""How far fetching has come, for a bar or a log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FetchProgress", "Progress", "log_progress"]

logger = logging.getLogger(__name__)

# A line for each tenth of the way: enough to see that it moves, too few to fill a log.
_LINES = 10


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How much of the server is there.

    Attributes:
        done_bytes: Fetched and verified so far, what was there before included.
        total_bytes: Of the whole server.
        done_jars: As above, in files.
        total_jars: As above.
    """

    done_bytes: int
    total_bytes: int
    done_jars: int
    total_jars: int


Progress = Callable[[FetchProgress], None]


def log_progress() -> Progress:
    """Return a progress that writes a log line for each tenth of the bytes.

    The first line is a warning, so that it shows where logging was never set up: the caller
    of a library would otherwise wait a minute without knowing for what.
    """
    seen = -1

    def report(progress: FetchProgress) -> None:
        nonlocal seen
        step = _LINES * progress.done_bytes // max(1, progress.total_bytes)
        if step == seen:
            return
        level = logging.WARNING if seen < 0 else logging.INFO
        seen = step
        logger.log(
            level,
            "server.fetch: Neo4j, %d of %d MB (%d of %d jars); once for this machine",
            progress.done_bytes // 1_000_000,
            progress.total_bytes // 1_000_000,
            progress.done_jars,
            progress.total_jars,
        )

    return report
