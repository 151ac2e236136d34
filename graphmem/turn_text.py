"""What of a turn is shown, searched by its words, and embedded.

Capture writes it, the graph stage refreshes it, recall scores it: it stands here once. So do the
marks of the block that a recall becomes in a prompt: where a host hands that block in again as
part of the next turn, nobody said it a second time, and it is not read as if somebody had.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from graphmem.models import Extraction, ExtractionState, Message
from graphmem.text import search_text, term_key
from graphmem.weights import FIELD_WEIGHTS

__all__ = [
    "BLOCK_CLOSE",
    "BLOCK_OPEN",
    "FIELDS",
    "LINE_MARK",
    "NOTHING_OWN",
    "asks",
    "by_field",
    "has_own_words",
    "has_recalled",
    "own_words",
    "speaker_keys",
    "turn_embedding_text",
    "turn_search_text",
    "turn_text",
]

# What the analysed text of a turn is made of, in this order.
FIELDS = tuple(FIELD_WEIGHTS)
# Stands between them in that text. No analysis gives it, so that nobody can ask for it.
_FIELD_END = "\u241e"

# The states whose summary says more than the turn itself: it was written by a model or by the
# caller and resolves who "she" is. A local summary repeats sentences of the turn.
_TELLING_STATES = frozenset({ExtractionState.DONE, ExtractionState.GIVEN})

BLOCK_OPEN = '<recalled_history trust="untrusted">'
BLOCK_CLOSE = "</recalled_history>"
# Stands before each line of the block, so that a piece of it is known without its ends. It is one
# token, and next to nobody begins a line with it.
LINE_MARK = "\u00a6 "
# What a turn is known by that says nothing but recalled text.
NOTHING_OWN = "[recalled history]"

# Latin, full-width, Arabic and Greek; and what may stand behind one.
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e")
_TRAILING = " \t\r\n\"'*_)]}\u201d\u2019\u00bb\u300d!"

# A host may have quoted the block ("> ") or written its ends as XML text.
_OPENING = re.compile(r"(<|&lt;)recalled_history\b", re.IGNORECASE)
# In the form of the opening: inside the block, somebody's words may hold the other one.
_CLOSINGS = {
    "<": re.compile(r"</recalled_history\s*>", re.IGNORECASE),
    "&lt;": re.compile(r"&lt;/recalled_history\s*&gt;", re.IGNORECASE),
}
_MARKED_LINE = re.compile(rf"^[ \t>]*{LINE_MARK.strip()}(?:[ \t].*)?$\n?", re.MULTILINE)
# The one end that is left of a block whose other end was cut off.
_LOOSE_END = re.compile(
    r"^[ \t>]*(?:<|&lt;)/?recalled_history\b[^\n]*$\n?", re.MULTILINE | re.IGNORECASE
)


def own_words(content: str) -> str:
    """Return a message without what was recalled into it; "" when nothing else is in it.

    A whole block is known by its two ends, a piece of one by the mark before each of its lines.
    Time is linear in the length.
    """
    if not _may_hold_recalled(content):
        return content
    rest = _without_blocks(content)
    marked = _MARKED_LINE.sub("", rest)
    if marked != rest:
        rest = _LOOSE_END.sub("", marked)
    return content if rest == content else rest.strip()


def has_recalled(content: str) -> bool:
    """Whether recalled text stands in a message."""
    return own_words(content) != content


def _may_hold_recalled(content: str) -> bool:
    return LINE_MARK.strip() in content or "recalled_history" in content.casefold()


def _without_blocks(content: str) -> str:
    kept: list[str] = []
    at = 0
    while opening := _OPENING.search(content, at):
        closing = _CLOSINGS[opening.group(1).casefold()].search(content, opening.end())
        if closing is None:
            break
        kept += [content[at : opening.start()].rstrip(" \t>"), "\n"]
        at = closing.end()
    return "".join([*kept, content[at:]])


def has_own_words(messages: Sequence[Message]) -> bool:
    """Whether a visible message says more than what was recalled, or none is known."""
    said = [own_words(message.content) for message in messages if message.is_visible]
    return not said or any(content.strip() for content in said)


def turn_text(messages: Sequence[Message]) -> str:
    """Return the "name: content" lines of the visible messages; a role stands in for a name.

    What was recalled into a message is left out: the messages themselves keep it.
    """
    visible = [message for message in messages if message.is_visible]
    said = [(message, own_words(message.content)) for message in visible]
    # A system message that brings the recalled history, and nothing else, says nothing here.
    telling = [(message, words) for message, words in said if words.strip()]
    return "\n".join(
        f"{message.name or message.role}: {words or NOTHING_OWN}"
        for message, words in telling or said[:1]
    )


def speaker_keys(messages: Sequence[Message]) -> list[str]:
    """Return the Term keys of those who speak in the visible messages, each once, in order."""
    names = (message.name for message in messages if message.is_visible and message.name)
    return list(dict.fromkeys(term_key(name) for name in names))


def asks(messages: Sequence[Message]) -> bool:
    """Return whether a turn is a question that nobody answers in it.

    One speaker alone is in it, and the last visible message ends in a question mark: what answers
    it stands in the turn after.
    """
    visible = [message for message in messages if message.is_visible]
    if len({(message.role, message.name) for message in visible}) != 1:
        return False
    return own_words(visible[-1].content).rstrip(_TRAILING).endswith(_QUESTION_MARKS)


def turn_search_text(
    messages: Sequence[Message], extraction: Extraction | None = None, *, language: str
) -> str:
    """Return what the full-text index holds for a turn: its fields, with a mark between them.

    Args:
        messages: All of the turn; the visible ones count, with the names of who speaks. What a
            user says is the field "question", everything else "answer".
        extraction: What is known of the turn by now; its summary and intent are the field
            "summary" where a model or the caller wrote them.
        language: Of stop words and stems.
    """
    texts: dict[str, list[str]] = {name: [] for name in FIELDS}
    for message in messages:
        if message.is_visible:
            field = "question" if message.role == "user" else "answer"
            texts[field] += [message.name, own_words(message.content)]
    if extraction is not None and extraction.state in _TELLING_STATES:
        texts["summary"] += [extraction.summary, extraction.intent]
    parts = (search_text(*texts[name], language=language) for name in FIELDS)
    # What would only end empty fields is left out: most turns have no summary.
    return f" {_FIELD_END} ".join(parts).rstrip(f" {_FIELD_END}")


def by_field(tokens: Iterable[str], wanted: Container[str]) -> list[tuple[str, str]]:
    """Return the wanted ones of a turn's analysed words, each with the field that it stands in."""
    found = []
    place = 0
    # A list and not one by one: a recall looks through a hundred turns.
    for token in tokens:
        if token in wanted:
            found.append((FIELDS[place], token))
        elif token == _FIELD_END:
            place = min(place + 1, len(FIELDS) - 1)
    return found


def turn_embedding_text(text: str, summary: str, state: ExtractionState) -> str:
    """Return the text whose vector stands for a turn: its summary where one tells more."""
    return summary if state in _TELLING_STATES and summary.strip() else text
