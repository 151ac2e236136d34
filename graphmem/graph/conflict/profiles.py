"""For which embedders it is known where the zones of the cosine begin."""

from __future__ import annotations

import re

from graphmem.graph.conflict.model import DEFAULT_THRESHOLDS, Thresholds

__all__ = ["thresholds_for"]

# Graphorin's numbers are of these kinds. HashedEmbedder of graphmem.testing is among them: its
# cosine is the share of common words, and tests want zones.
_KNOWN = re.compile(
    r"[^:]*:(?:.*/)?[\w.-]*(?:minilm|text-embedding-3-)[\w.-]*(?:@\d+)?|hashed:[^@]*(?:@\d+)?",
    re.IGNORECASE,
)


def thresholds_for(embedder_id: str) -> Thresholds | None:
    """Return where the zones of an embedder begin, None where nobody measured it.

    Args:
        embedder_id: "provider:model@dimensions".
    """
    return DEFAULT_THRESHOLDS if _KNOWN.fullmatch(embedder_id) else None
