"""What a scripted endpoint is asked and what it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Script", "ScriptedReply", "ScriptedRequest", "echo_extraction", "refusing"]

_TURN = re.compile(r"<turn[^>]*>\n?(.*?)\n?</turn>", re.DOTALL)
_SUMMARY_LENGTH = 300


@dataclass(frozen=True, slots=True)
class ScriptedRequest:
    """One request as the endpoint saw it.

    Attributes:
        path: Such as "/v1/chat/completions".
        headers: By lower-case name.
        body: The JSON body; empty for a GET.
        started_s: Seconds since the server's start.
        ordinal: From 0, counted for each path.
    """

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    started_s: float
    ordinal: int

    @property
    def kind(self) -> str:
        """What is asked for: "chat", "embeddings", "models", or "other"."""
        for kind in ("chat", "embeddings", "models"):
            if f"/{kind}" in self.path:
                return kind
        return "other"

    @property
    def api_key(self) -> str:
        """The key that was sent, "" without one."""
        return self.headers.get("authorization", "").removeprefix("Bearer ").strip()

    @property
    def prompt(self) -> str:
        """Every message's text, joined by blank lines."""
        return "\n\n".join(str(entry.get("content")) for entry in self.body.get("messages", ()))

    @property
    def turn_text(self) -> str:
        """The turn that an extraction prompt holds, "" when it holds none."""
        found = _TURN.findall(self.prompt)
        return found[-1] if found else ""

    @property
    def inputs(self) -> list[str]:
        """The texts that an embeddings request asks for."""
        asked = self.body.get("input", [])
        return [asked] if isinstance(asked, str) else list(asked)


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """One answer of a scripted endpoint, a good one or a failure.

    Attributes:
        content: The message's text. A request that asks for a tool call gets it as that
            call's arguments, unless `as_tool` says otherwise.
        finish_reason: As reported; a tool call reports "tool_calls" in place of "stop".
        refusal: The message's refusal.
        as_tool: Answer by a tool call (True), by text (False), or as asked (None).
        is_empty: Answer without any choice.
        vectors: Of an embeddings request, in place of hashed ones.
        prompt_tokens: As reported in `usage`.
        completion_tokens: As above.
        status: HTTP status; from 400 on the body is `error`.
        error: Message of the failure.
        param: Name of the parameter that is refused.
        code: Such as "unsupported_parameter".
        headers: Added to the answer's own.
        raw: This body instead of one made from the fields above.
        delay_s: Seconds until the answer starts.
        drip_s: Seconds between single bytes of the body; 0 = all at once.
        is_hanging: Accept the request and never answer.
        is_cut: Close the connection without an answer.
    """

    content: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    as_tool: bool | None = None
    is_empty: bool = False
    vectors: Sequence[Sequence[float]] | None = None
    prompt_tokens: int = 100
    completion_tokens: int = 20
    status: int = 200
    error: str = ""
    param: str | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay_s: float = 0.0
    drip_s: float = 0.0
    is_hanging: bool = False
    is_cut: bool = False

    @classmethod
    def json(cls, value: object, **changes: Any) -> ScriptedReply:
        """Return a reply whose content is `value` as JSON."""
        return cls(content=json.dumps(value, ensure_ascii=False), **changes)

    @classmethod
    def failure(
        cls,
        status: int,
        message: str = "scripted failure",
        *,
        param: str | None = None,
        code: str | None = None,
        retry_after_s: float | None = None,
    ) -> ScriptedReply:
        """Return an error in the protocol's form.

        Args:
            status: HTTP status, >= 400.
            message: What the server says.
            param: Name of the parameter that is refused.
            code: Such as "context_length_exceeded".
            retry_after_s: Sent as the Retry-After header.
        """
        headers = {} if retry_after_s is None else {"Retry-After": f"{retry_after_s:g}"}
        return cls(status=status, error=message, param=param, code=code, headers=headers)


Answer = ScriptedReply | str | Mapping[str, Any]
"""A reply, its content as text, or its content as a value to be sent as JSON."""

Script = Sequence[Answer] | Callable[[ScriptedRequest], Answer | None]
"""Answers played one after the other (then the default again), or a function of the request.

A function that returns None asks for the default answer.
"""


def as_reply(answer: Answer) -> ScriptedReply:
    """Return `answer` as a reply."""
    if isinstance(answer, ScriptedReply):
        return answer
    if isinstance(answer, str):
        return ScriptedReply(content=answer)
    return ScriptedReply.json(answer)


def echo_extraction(request: ScriptedRequest) -> ScriptedReply:
    """Answer an extraction request with the turn's own words as its summary, and no triples."""
    words = " ".join(request.turn_text.split())[:_SUMMARY_LENGTH] or "Nothing was said."
    return ScriptedReply.json(
        {"summary": words, "outcome": "informational", "triples": [], "tags": [], "intent": ""}
    )


def refusing(*names: str) -> Callable[[ScriptedRequest], ScriptedReply | None]:
    """Return a rule that answers 400 to a request which uses one of `names`.

    Args:
        names: Body fields ("temperature", "max_tokens", "tools"), kinds of `response_format`
            ("json_schema", "json_object"), or keywords anywhere in a schema ("strict",
            "$defs", "$schema").
    """

    def rule(request: ScriptedRequest) -> ScriptedReply | None:
        kind = (request.body.get("response_format") or {}).get("type")
        for name in names:
            if name in request.body or _has_key(request.body, name):
                message = f"Unsupported parameter: '{name}' is not supported with this model."
                if name == "max_tokens":
                    message += " Use 'max_completion_tokens' instead."
                return ScriptedReply.failure(400, message, param=name, code="unsupported_parameter")
            if name == kind:
                return ScriptedReply.failure(
                    400,
                    f"Invalid parameter: 'response_format' of type '{name}' is not supported "
                    "with this model.",
                    param="response_format",
                )
        return None

    return rule


def _has_key(value: object, name: str) -> bool:
    if isinstance(value, Mapping):
        return any(
            (key == name and name != "json_schema") or _has_key(part, name)
            for key, part in value.items()
            if key != "properties"
        )
    if isinstance(value, list):
        return any(_has_key(part, name) for part in value)
    return False
