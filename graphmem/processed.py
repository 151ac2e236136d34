"""What became of a turn on its way through extract and graph, and what hit it there."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from graphmem.errors import GraphmemError
from graphmem.graph.store import GraphCounts
from graphmem.models import Extraction, ExtractionState

__all__ = ["Processed", "processed", "told"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Processed:
    """What became of one turn: its state, and what the extraction cost."""

    state: ExtractionState
    extracted_by: str = ""
    error: str = ""
    facts: int = 0
    dropped: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def receipt_fields(self) -> dict[str, Any]:
        """Return the fields of a `Receipt` that it fills."""
        return {
            "extraction": self.state,
            "extracted_by": self.extracted_by,
            "error": self.error,
            "facts": self.facts,
            "dropped": self.dropped,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
        }


def told(error: Exception) -> GraphmemError:
    """Return what is recorded on a turn: a chat model of the caller's own may raise anything."""
    if isinstance(error, GraphmemError):
        return error
    logger.error("extract.unexpected reason=%s", type(error).__name__, exc_info=error)
    return GraphmemError(
        f"{type(error).__name__} was raised, which is no fault of the turn; the log has its trace",
        kind="unexpected",
    )


def processed(extraction: Extraction, count: GraphCounts) -> Processed:
    """Return what became of a turn that was handed to the graph."""
    if not count.is_written:
        return Processed(
            extraction.state,
            extracted_by=extraction.extracted_by,
            error="nothing was written: the turn is gone, or a better extraction stands already",
        )
    return Processed(
        extraction.state,
        extracted_by=extraction.extracted_by,
        facts=count.facts,
        dropped=extraction.dropped,
        prompt_tokens=extraction.prompt_tokens,
        completion_tokens=extraction.completion_tokens,
    )
