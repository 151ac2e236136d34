"""What people wrote becomes data: it cannot close the block, fill a template or pose as a role."""

from __future__ import annotations

import re

__all__ = ["escape_label", "escape_text"]

_MAX_LABEL = 120
# {{ }} {% %} {# #} ${ }: what template engines of hosts look for. A blank between the two
# characters is enough for them not to, and a reader still sees what was said.
_TEMPLATE_MARKS = re.compile(r"\{(?=[{%#])|\}(?=\})|[%#](?=\})|\$(?=\{)")
# Markers of chat formats that hold no angle bracket.
_CHAT_MARKS = re.compile(r"\[(?=/?(?:INST|SYS|SYSTEM|ASSISTANT|USER|TOOL)\b)", re.IGNORECASE)
# Control characters; marks that turn the direction of the text around them; characters that
# nobody sees and a model reads (tags, variation selectors beyond emoji's).
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u061c\ufe00-\ufe0d\ufff9-\ufffb"
    r"\U000e0000-\U000e0fff\ud800-\udfff]"
)
_LINE_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


def escape_text(text: str) -> str:
    """Return text as it may stand in the block, lines kept.

    `&`, `<` and `>` are written as XML does; template and chat marks get a blank in their
    middle; unseen characters are left out.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _UNSEEN.sub("", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _CHAT_MARKS.sub("[ ", text)
    return _TEMPLATE_MARKS.sub(lambda mark: f"{mark.group()} ", text)


def escape_label(text: str) -> str:
    """Return a name or an id as it may stand in one line or an attribute, at most 120 long."""
    label = " ".join(text.split())
    if len(label) > _MAX_LABEL:
        label = f"{label[: _MAX_LABEL - 1]}…"
    return escape_text(label).replace('"', "&quot;").replace("\n", " ")
