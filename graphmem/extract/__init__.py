"""Extract: from a turn's text to a summary, triples, tags, an intent and mentions.

`LLMExtractor` asks a chat model (prompt, schema, verdict), `LocalExtractor` asks nobody,
`given_extraction` checks what a caller knows already, `ExtractionQueue` orders the work.
"""

from __future__ import annotations

from graphmem.extract.extractor import Extractor
from graphmem.extract.given import given_extraction
from graphmem.extract.local import LocalExtractor
from graphmem.extract.model import LLMExtractor
from graphmem.extract.queue import ExtractionQueue, QueuedTurn

__all__ = [
    "ExtractionQueue",
    "Extractor",
    "LLMExtractor",
    "LocalExtractor",
    "QueuedTurn",
    "given_extraction",
]
