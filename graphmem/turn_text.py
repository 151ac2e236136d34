"""What of a turn is shown, searched by its words, and embedded.

Capture writes it, the graph stage refreshes it, recall scores it: it stands here once.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.models import Extraction, ExtractionState, Message
from graphmem.text import search_text, term_key

__all__ = [
    "speaker_keys",
    "turn_embedding_text",
    "turn_search_text",
    "turn_text",
]

# The states whose summary says more than the turn itself: it was written by a model or by the
# caller and resolves who "she" is. A local summary repeats sentences of the turn.
_TELLING_STATES = frozenset({ExtractionState.DONE, ExtractionState.GIVEN})


def turn_text(messages: Sequence[Message]) -> str:
    """Return the "name: content" lines of the visible messages; a role stands in for a name."""
    return "\n".join(
        f"{message.name or message.role}: {message.content}"
        for message in messages
        if message.is_visible
    )


def speaker_keys(messages: Sequence[Message]) -> list[str]:
    """Return the Term keys of those who speak in the visible messages, each once, in order."""
    names = (message.name for message in messages if message.is_visible and message.name)
    return list(dict.fromkeys(term_key(name) for name in names))


def turn_search_text(
    messages: Sequence[Message], extraction: Extraction | None = None, *, language: str
) -> str:
    """Return what the full-text index holds for a turn.

    Args:
        messages: All of the turn; the visible ones count, with the names of who speaks.
        extraction: What is known of the turn by now; its summary and intent are added
            where a model or the caller wrote them.
        language: Of stop words and stems.
    """
    texts: list[str] = []
    for message in messages:
        if message.is_visible:
            texts += [message.name, message.content]
    if extraction is not None and extraction.state in _TELLING_STATES:
        texts += [extraction.summary, extraction.intent]
    return search_text(*texts, language=language)


def turn_embedding_text(text: str, summary: str, state: ExtractionState) -> str:
    """Return the text whose vector stands for a turn: its summary where one tells more."""
    return summary if state in _TELLING_STATES and summary.strip() else text
