"""What a chat endpoint takes: how a request is spelled, and what is dropped when refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

__all__ = ["Change", "ChatMessage", "ChatRequest", "Dialect", "Mode", "ReplyForm", "request_body"]

Mode = Literal["json_schema", "tool", "json_object", "prompt"]

_NEXT_MODE: dict[Mode, Mode] = {
    "json_schema": "tool",
    "tool": "json_object",
    "json_object": "prompt",
}
# By what an endpoint names a mode when it refuses it.
_MODE_MARKS: dict[Mode, tuple[str, ...]] = {
    "json_schema": ("response_format", "json_schema", "response format", "structured output"),
    "tool": ("tool", "function"),
    "json_object": ("response_format", "json_object", "response format", "json mode"),
    "prompt": (),
}
# Keywords of a schema that only strict endpoints want.
_STRICT_MARKS = ("strict", "additionalproperties", "$schema", "$defs", "$ref")


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ReplyForm:
    """The form that a reply must have.

    Attributes:
        name: Of the schema and of the tool.
        description: What the tool does.
        schema: A flat JSON schema, legal for strict endpoints: every property required, no
            additional ones, no references.
        sketch: The same in words, for endpoints that take no schema.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    sketch: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a chat model is asked.

    Attributes:
        messages: The prompt.
        form: The form of the reply; None = free text.
        max_tokens: Limit of the reply; None = the endpoint's own.
    """

    messages: tuple[ChatMessage, ...]
    form: ReplyForm | None = None
    max_tokens: int | None = None


class Change(NamedTuple):
    """What to try instead, and what was dropped, for the log."""

    dialect: Dialect
    dropped: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint takes.

    Attributes:
        mode: How a reply's form is asked for.
        is_strict: Whether the schema is sent as a strict one.
        limit_name: Name of the parameter that limits the reply.
        temperature: None = not sent.
        reasoning_effort: None = not sent.
        has_switched_limit: Whether the limit's name was changed already.
    """

    mode: Mode = "json_schema"
    is_strict: bool = True
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: float | None = None
    reasoning_effort: str | None = None
    has_switched_limit: bool = False

    def without_refused(self, told: str, *, is_auto: bool, has_form: bool) -> Change | None:
        """Return what to try after a refusal.

        Args:
            told: The endpoint's own words, in lower case.
            is_auto: Whether the mode may be changed.
            has_form: Whether a form was asked for at all.

        Returns:
            The change, or None when the refusal names nothing that can be dropped.
        """
        parameter = self._without_parameter(told)
        if parameter is not None or not has_form:
            return parameter
        if self.is_strict and any(mark in told for mark in _STRICT_MARKS):
            return Change(replace(self, is_strict=False), "strict")
        is_named = any(mark in told for mark in _MODE_MARKS[self.mode])
        if is_auto and is_named and self.mode in _NEXT_MODE:
            return Change(replace(self, mode=_NEXT_MODE[self.mode]), self.mode)
        return None

    def _without_parameter(self, told: str) -> Change | None:
        if self.limit_name in told and not self.has_switched_limit:
            is_old = self.limit_name == "max_tokens"
            switched = replace(
                self,
                limit_name="max_completion_tokens" if is_old else "max_tokens",
                has_switched_limit=True,
            )
            return Change(switched, self.limit_name)
        if "temperature" in told and self.temperature is not None:
            return Change(replace(self, temperature=None), "temperature")
        if "reasoning" in told and self.reasoning_effort is not None:
            return Change(replace(self, reasoning_effort=None), "reasoning_effort")
        return None


def request_body(model: str, request: ChatRequest, dialect: Dialect) -> dict[str, Any]:
    """Return the parameters of a chat completion; what is not set is not in it."""
    form = request.form
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    body: dict[str, Any] = {"model": model, "messages": messages}
    if request.max_tokens is not None:
        body[dialect.limit_name] = request.max_tokens
    if dialect.temperature is not None:
        body["temperature"] = dialect.temperature
    if dialect.reasoning_effort is not None:
        body["reasoning_effort"] = dialect.reasoning_effort
    if form is None:
        return body
    if dialect.mode == "json_schema":
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": form.name, **_schema_part("schema", form, dialect)},
        }
    elif dialect.mode == "tool":
        function = {
            "name": form.name,
            "description": form.description,
            **_schema_part("parameters", form, dialect),
        }
        body["tools"] = [{"type": "function", "function": function}]
        body["tool_choice"] = {"type": "function", "function": {"name": form.name}}
    else:
        messages[0]["content"] = f"{messages[0]['content']}\n\n{form.sketch}"
        if dialect.mode == "json_object":
            body["response_format"] = {"type": "json_object"}
    return body


def _schema_part(name: str, form: ReplyForm, dialect: Dialect) -> dict[str, Any]:
    if dialect.is_strict:
        return {name: form.schema, "strict": True}
    return {name: _relaxed(form.schema)}


def _relaxed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a schema without the keywords that only strict endpoints want."""
    relaxed: dict[str, Any] = json.loads(json.dumps(schema))
    pending: list[Any] = [relaxed]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            part.pop("additionalProperties", None)
            pending.extend(part.values())
        elif isinstance(part, list):
            pending.extend(part)
    return relaxed
