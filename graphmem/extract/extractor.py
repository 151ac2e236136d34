"""What extracts a turn: the protocol that a route leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graphmem.models import Extraction, Turn, TurnDraft

__all__ = ["Extractor"]


class Extractor(Protocol):
    """Anything that makes an extraction of a turn; chosen for each turn."""

    @property
    def route(self) -> str:
        """What is recorded on a turn: "local", or "<model>@<host>"."""
        ...

    async def extract(
        self,
        turn: Turn | TurnDraft,
        *,
        earlier_summaries: Sequence[str] = (),
        max_tokens_factor: int = 1,
    ) -> Extraction:
        """Return the extraction of a turn.

        Args:
            turn: The turn.
            earlier_summaries: Of the same session, oldest first, to resolve references.
            max_tokens_factor: How many times the usual limit a reply may have.

        Raises:
            ExtractionError: The reply is no valid extraction: quarantine the turn.
            ModelError: There is no reply: the turn stays pending.
        """
        ...
