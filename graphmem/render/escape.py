"""What people wrote becomes data: it cannot close the block, fill a template or pose as a role."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["escape_label", "escape_text"]

_MAX_LABEL = 120
# {{ }} {% %} {# #} ${ <% %>: what template engines of hosts look for. A blank between the two
# characters is enough for them not to, and a reader still sees what was said. The same in full
# width, which a host may fold.
_TEMPLATE_MARKS = re.compile(
    r"[{\uff5b](?=[{%#\uff5b\uff05\uff03])|[}\uff5d](?=[}\uff5d])"
    r"|[%#\uff05\uff03](?=[}\uff5d]|&gt;)|[$\uff04](?=[{\uff5b])|&lt;(?=[%\uff05])"
)
# Markers of chat formats that hold no angle bracket.
_BRACKET = re.compile(r"[\[\uff3b]")
_CHAT_WORD = re.compile(
    r"\s*/?\s*(?:INST|SYS|SYSTEM|ASSISTANT|USER|TOOL|HUMAN|DEVELOPER)\b", re.IGNORECASE
)
_CHAT_WORD_LENGTH = 16
# Commands to a terminal, whole: without its first character the rest of one would be shown.
_TERMINAL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)")
# Control characters; marks that turn the direction of the text around them; characters that
# nobody sees and a model reads (tags, variation selectors beyond emoji's).
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u180e\u200b\u200e\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u061c\ufe00-\ufe0d\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Joiners make emoji and Persian words; inside a Latin word they only hide it.
_HIDDEN_JOINER = re.compile(r"(?<=[\x00-\x7f])[\u200c\u200d]+(?=[\x00-\x7f])")
_LINE_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
# Angle brackets, also those that a host may fold into them.
_ANGLES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        "\uff1c": "&lt;",
        "\uff1e": "&gt;",
        "\ufe64": "&lt;",
        "\ufe65": "&gt;",
    }
)


def escape_text(text: str) -> str:
    """Return text as it may stand in the block, lines kept.

    `&`, `<` and `>` are written as XML does; template and chat marks get a blank in their
    middle; commands to a terminal and unseen characters are left out.
    """
    text = _TERMINAL.sub("", text)
    text = _LINE_ENDS.sub("\n", text)
    text = _HIDDEN_JOINER.sub("", _UNSEEN.sub("", text))
    text = text.translate(_ANGLES)
    text = _BRACKET.sub(_parted, text)
    return _TEMPLATE_MARKS.sub(lambda mark: f"{mark.group()} ", text)


def escape_label(text: str) -> str:
    """Return a name as it may stand in one line, at most 120 long."""
    label = " ".join(text.split())
    if len(label) > _MAX_LABEL:
        label = f"{label[: _MAX_LABEL - 1]}…"
    return " ".join(escape_text(label).split())


def _parted(bracket: re.Match[str]) -> str:
    tail = bracket.string[bracket.end() : bracket.end() + _CHAT_WORD_LENGTH]
    is_mark = _CHAT_WORD.match(unicodedata.normalize("NFKC", tail)) is not None
    return f"{bracket.group()} " if is_mark else bracket.group()
