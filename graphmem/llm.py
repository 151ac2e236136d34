"""Chat models: the protocol, and a client for any OpenAI-compatible endpoint.

Endpoints differ in what they take. The client begins with the strictest form of a request
and drops what an endpoint refuses by name before it generates anything; what works is
remembered as long as the client lives (see `Dialect`).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeGuard
from urllib.parse import urlsplit

from pydantic import SecretStr

from graphmem.dialect import ChatMessage, ChatRequest, Dialect, Mode, ReplyForm, request_body
from graphmem.errors import ConfigError, ModelError
from graphmem.per_loop import PerLoop
from graphmem.retry import (
    KeyRing,
    RetryPolicy,
    describe_fault,
    endpoint_error,
    status_of,
    transport_retry,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from graphmem.config import Settings

__all__ = [
    "ChatMessage",
    "ChatModel",
    "ChatReply",
    "ChatRequest",
    "OpenAIChatModel",
    "ReplyForm",
    "create_chat_model",
]

logger = logging.getLogger(__name__)

_DEFAULT_BASE_URL = "https://api.openai.com/v1"
# Answers of an endpoint that refuses a request before it generates anything.
_REFUSED_STATUS = frozenset({400, 404, 415, 422, 501})
# Each refusal drops one thing, and there are not more things to drop.
_MAX_REFUSALS = 10
_TOO_LONG = (
    "context_length",
    "context length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
)
_FILTERED = ("content_filter", "content management policy", "content_policy")


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What an endpoint answered; not judged yet.

    Attributes:
        content: The message's text, "" without one.
        tool_arguments: Arguments of the first tool call as the endpoint sent them, or None.
        finish_reason: "stop", "length", "tool_calls", "content_filter" …; "" when not told.
        refusal: The model's refusal, "" without one.
        has_choice: False when the endpoint sent no choice at all.
        prompt_tokens: As reported, else 0.
        completion_tokens: As above.
        model: What answered, by its own account.
        mode: How the form was asked for.
    """

    content: str = ""
    tool_arguments: str | None = None
    finish_reason: str = ""
    refusal: str = ""
    has_choice: bool = True
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model: str = ""
    mode: Mode = "prompt"

    @property
    def text(self) -> str:
        """What is to be judged: the tool call's arguments, else the message's text."""
        return self.content if self.tool_arguments is None else self.tool_arguments


class ChatModel(Protocol):
    """Anything that completes a chat; bring your own by implementing this."""

    @property
    def route(self) -> str:
        """What is recorded on a turn: "<model>@<host>"."""
        ...

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return one completion.

        Raises:
            ModelError: There is none. `retryable` tells whether the network or the endpoint's
                health is to blame; kind "context-length" means that the prompt is too long,
                "content-filter" that the endpoint will not read it.
        """
        ...

    async def close(self) -> None:
        """Release the connections of the running event loop."""
        ...


@dataclass(slots=True)
class _Connection:
    client: AsyncOpenAI
    slots: asyncio.Semaphore


class OpenAIChatModel:
    """A chat model at an OpenAI-compatible endpoint.

    It may be used from several event loops, one after the other or side by side: each has
    its own connections. No more requests run at once than `concurrency`, in each loop.

    Args:
        model: Its name at the endpoint.
        base_url: The endpoint, such as "http://localhost:11434/v1"; None = OpenAI's own.
        api_keys: None, one, or several to rotate over; never logged.
        structured_output: How a reply's form is asked for. "auto" begins with a strict JSON
            schema and falls to a tool call, a JSON object, and the prompt alone.
        temperature: Sent when set.
        reasoning_effort: Sent when set; dropped when the endpoint refuses it.
        timeout_s: Deadline in seconds of one completion with all its retries and pauses,
            > 0; waiting for a free slot comes on top.
        concurrency: Requests at once, >= 1.
        retry: The bounds of retrying; by default up to 4 attempts within `timeout_s`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_keys: Sequence[SecretStr | str] = (),
        structured_output: Literal["auto"] | Mode = "auto",
        temperature: float | None = None,
        reasoning_effort: str | None = None,
        timeout_s: float = 60.0,
        concurrency: int = 4,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.model = model
        self._base_url = base_url or _DEFAULT_BASE_URL
        self._keys = KeyRing(api_keys)
        self._policy = retry or RetryPolicy(total_s=timeout_s)
        self._concurrency = concurrency
        self._is_auto = structured_output == "auto"
        self._dialect = Dialect(
            mode="json_schema" if structured_output == "auto" else structured_output,
            temperature=temperature,
            reasoning_effort=reasoning_effort,
        )
        self._connections = PerLoop(self._connect, _disconnect)

    def __repr__(self) -> str:
        return f"OpenAIChatModel({self.route!r}, {self._keys!r})"

    @property
    def route(self) -> str:
        """What is recorded on a turn: "<model>@<host>"."""
        return f"{self.model}@{urlsplit(self._base_url).netloc.rpartition('@')[2]}"

    @property
    def dialect(self) -> Dialect:
        """What the endpoint is known to take so far."""
        return self._dialect

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return one completion; see `ChatModel.complete`."""
        connection = await self._connections.get()
        async with connection.slots:
            for _ in range(_MAX_REFUSALS):
                used = self._dialect
                try:
                    return await self._ask(connection.client, request, used)
                except ModelError:
                    raise
                except Exception as error:  # noqa: BLE001 - see below
                    # The edge of the endpoint: either something can be dropped, or it ends
                    # in an error of our own tree.
                    self._adapt(used, error, request)
        raise ModelError(
            f"chat at {self.route}: refused {_MAX_REFUSALS} forms of the same request; "
            "set GRAPHMEM_LLM_STRUCTURED_OUTPUT to what the endpoint takes",
            kind="endpoint",
        )

    async def close(self) -> None:
        """Release the connections of the running event loop."""
        await self._connections.close()

    async def _ask(self, client: AsyncOpenAI, request: ChatRequest, used: Dialect) -> ChatReply:
        body = request_body(self.model, request, used)

        async def call(key: str) -> Any:
            return await client.with_options(api_key=key).chat.completions.create(**body)

        answer = await transport_retry(
            call, keys=self._keys, policy=self._policy, what=f"chat at {self.route}"
        )
        return _reply_of(answer, used.mode)

    def _adapt(self, used: Dialect, error: Exception, request: ChatRequest) -> None:
        """Drop what the endpoint refused, or raise what the error means."""
        what = f"chat at {self.route}"
        parts = (error, getattr(error, "code", None), getattr(error, "param", None))
        told = " ".join(str(part) for part in parts if part is not None).lower()
        if status_of(error) not in _REFUSED_STATUS:
            raise endpoint_error(
                error,
                keys=self._keys,
                what=what,
                advice="check GRAPHMEM_LLM_MODEL, GRAPHMEM_LLM_BASE_URL and GRAPHMEM_LLM_API_KEYS",
            ) from None
        for kind, marks in (("context-length", _TOO_LONG), ("content-filter", _FILTERED)):
            if any(mark in told for mark in marks):
                raise ModelError(
                    f"{what}: {describe_fault(error, self._keys)}", kind=kind
                ) from None
        change = used.without_refused(
            told, is_auto=self._is_auto, has_form=request.form is not None
        )
        if change is None:
            raise endpoint_error(
                error, keys=self._keys, what=what, advice=_advice(used, told)
            ) from None
        if self._dialect == used:
            logger.info("llm.adapt route=%s dropped=%s", self.route, change.dropped)
            self._dialect = change.dialect

    def _connect(self) -> _Connection:
        from openai import AsyncOpenAI

        client = AsyncOpenAI(
            # The key of each request is set by its attempt.
            api_key="no-key",
            base_url=self._base_url,
            max_retries=0,
            timeout=self._policy.total_s,
        )
        return _Connection(client, asyncio.Semaphore(self._concurrency))


async def _disconnect(connection: _Connection) -> None:
    await connection.client.close()


def create_chat_model(settings: Settings) -> OpenAIChatModel | None:
    """Return the chat model that the settings name, or None when they name none.

    Raises:
        ConfigError: A model is named, but neither its key nor its endpoint.
    """
    if not settings.llm_model:
        return None
    if not settings.llm_base_url and not settings.llm_api_keys:
        raise ConfigError(
            f"llm_model (GRAPHMEM_LLM_MODEL) names {settings.llm_model!r}, but neither a key "
            "nor an endpoint: set GRAPHMEM_LLM_API_KEYS or GRAPHMEM_LLM_BASE_URL, or unset "
            "the model to use the local extractor"
        )
    return OpenAIChatModel(
        settings.llm_model,
        base_url=settings.llm_base_url,
        api_keys=settings.llm_api_keys,
        structured_output=settings.llm_structured_output,
        temperature=settings.llm_temperature,
        reasoning_effort=settings.llm_reasoning_effort,
        timeout_s=settings.llm_timeout_s,
        concurrency=settings.llm_concurrency,
    )


def _advice(used: Dialect, told: str) -> str:
    if "response_format" in told or used.mode in told or "tool" in told:
        return (
            f"the endpoint refuses structured output by {used.mode}: set "
            "GRAPHMEM_LLM_STRUCTURED_OUTPUT to another mode, or to auto"
        )
    if "max_tokens" in told or "max_completion_tokens" in told:
        return "set GRAPHMEM_LLM_MAX_TOKENS to what the endpoint takes"
    return "check GRAPHMEM_LLM_MODEL and GRAPHMEM_LLM_BASE_URL"


def _reply_of(answer: Any, mode: Mode) -> ChatReply:
    # The client does not hold an answer to its own types: anything may stand anywhere.
    choices = getattr(answer, "choices", answer)
    if choices is not None and not isinstance(choices, list):
        raise _no_completion()
    usage = getattr(answer, "usage", None)
    bare = ChatReply(
        has_choice=bool(choices),
        prompt_tokens=_count_of(usage, "prompt_tokens"),
        completion_tokens=_count_of(usage, "completion_tokens"),
        model=_text_of(getattr(answer, "model", "")),
        mode=mode,
    )
    if not choices:
        return bare
    message: Any = getattr(choices[0], "message", None)
    if not hasattr(message, "content"):
        raise _no_completion()
    calls = getattr(message, "tool_calls", None)
    functions = [getattr(call, "function", None) for call in calls] if _is_list(calls) else []
    arguments = [getattr(function, "arguments", None) for function in functions if function]
    return replace(
        bare,
        content=_text_of(message.content),
        tool_arguments=_text_of(arguments[0]) if arguments and arguments[0] else None,
        finish_reason=_text_of(getattr(choices[0], "finish_reason", "")),
        refusal=_text_of(getattr(message, "refusal", "")),
    )


def _no_completion() -> ModelError:
    return ModelError(
        "the endpoint answered something that is no chat completion; check "
        "GRAPHMEM_LLM_BASE_URL (it usually ends in /v1)",
        kind="endpoint",
    )


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _text_of(value: object) -> str:
    """Return a field as text: parts of text joined, anything else as the JSON that it was."""
    if isinstance(value, str):
        return value
    if not value:
        return ""
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        texts = [part.get("text") for part in value if part.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))
    return json.dumps(value, default=str)


def _count_of(usage: object, name: str) -> int:
    """Return a count of tokens; 0 for what is none, as a reply is worth more than its bill."""
    value = getattr(usage, name, 0)
    try:
        return max(0, int(value or 0))
    except (TypeError, ValueError, OverflowError):
        return 0
