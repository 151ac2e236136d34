"""The chat client works with endpoints that differ, break, pause and never answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import time

import pytest
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.dialect import ChatMessage, ChatRequest, ReplyForm
from graphmem.errors import ConfigError, ModelError
from graphmem.extract.schema import REPLY_FORM
from graphmem.llm import ChatReply, OpenAIChatModel, create_chat_model
from graphmem.retry import RetryPolicy
from graphmem.testing import ScriptedModel, ScriptedReply, ScriptedRequest, refusing

_GOOD = '{"summary": "Iris bought a loom.", "triples": []}'
_KEY = "sk-very-secret-1234567890"


def _request(form: ReplyForm | None = REPLY_FORM) -> ChatRequest:
    messages = (
        ChatMessage("system", "Record."),
        ChatMessage("user", "<turn>\nIris bought a loom.\n</turn>"),
    )
    return ChatRequest(messages, form=form, max_tokens=500)


async def _complete(chat: OpenAIChatModel, times: int = 1) -> list[ChatReply]:
    try:
        return [await chat.complete(_request()) for _ in range(times)]
    finally:
        await chat.close()


@pytest.mark.parametrize(
    ("refused", "mode"),
    [
        ((), "json_schema"),
        (("json_schema",), "tool"),
        (("json_schema", "tools"), "json_object"),
        (("json_schema", "tools", "json_object"), "prompt"),
    ],
)
async def test_auto_falls_to_what_the_endpoint_takes_and_remembers_it(
    refused: tuple[str, ...], mode: str
) -> None:
    """Each refused mode costs one request once; the next completion goes straight."""
    with ScriptedModel([_GOOD, _GOOD], rules=[refusing(*refused)]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url)

        replies = await _complete(chat, times=2)

    assert [mode, mode] == [reply.mode for reply in replies]
    assert [_GOOD, _GOOD] == [reply.text for reply in replies]
    assert len(refused) + 2 == len(server.chat_requests)


@pytest.mark.parametrize("mode", ["json_schema", "tool", "json_object", "prompt"])
async def test_a_mode_that_is_set_is_the_one_that_is_sent(mode: str) -> None:
    """A setting other than auto is taken to the letter."""
    with ScriptedModel([_GOOD]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output=mode)  # type: ignore[arg-type]  # parametrised

        await _complete(chat)

    body = server.chat_requests[0].body
    sent = (body.get("response_format") or {}).get("type", "tool" if "tools" in body else "prompt")
    assert mode == sent


async def test_a_set_mode_that_is_refused_is_named() -> None:
    """Without auto nothing is tried behind the setting's back; the error names both."""
    with ScriptedModel(rules=[refusing("json_object")]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output="json_object")

        with pytest.raises(ModelError, match=r"json_object.*GRAPHMEM_LLM_STRUCTURED_OUTPUT"):
            await _complete(chat)

    assert 1 == len(server.chat_requests)


@pytest.mark.parametrize("keyword", ["strict", "additionalProperties"])
async def test_endpoints_that_choke_on_strict_keywords_get_a_plain_schema(keyword: str) -> None:
    """The mode stays; only the keyword goes."""
    with ScriptedModel([_GOOD], rules=[refusing(keyword)]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url)

        replies = await _complete(chat)

    assert "json_schema" == replies[0].mode
    assert "strict" not in server.chat_requests[-1].body["response_format"]["json_schema"]


async def test_temperature_is_not_sent_unless_set() -> None:
    """An unset parameter is no parameter."""
    with ScriptedModel([_GOOD]) as server:
        await _complete(OpenAIChatModel("m", base_url=server.base_url))

    assert {"model", "messages", "max_tokens", "response_format"} == set(
        server.chat_requests[0].body
    )


async def test_reasoning_endpoints_get_what_they_want() -> None:
    """Refused temperature, limit name and effort are dropped or renamed, once."""
    rules = [refusing("temperature", "max_tokens", "reasoning_effort")]
    with ScriptedModel([_GOOD, _GOOD], rules=rules) as server:
        chat = OpenAIChatModel(
            "m", base_url=server.base_url, temperature=0.0, reasoning_effort="low"
        )

        await _complete(chat, times=2)

    last = server.chat_requests[-1].body
    assert 500 == last["max_completion_tokens"]
    assert not {"temperature", "max_tokens", "reasoning_effort"} & set(last)
    assert 3 + 2 == len(server.chat_requests)


async def test_endpoints_that_know_only_max_tokens_get_it() -> None:
    """The older name is the first one that is tried."""
    with ScriptedModel([_GOOD], rules=[refusing("max_completion_tokens")]) as server:
        await _complete(OpenAIChatModel("m", base_url=server.base_url))

    assert 1 == len(server.chat_requests)
    assert 500 == server.chat_requests[0].body["max_tokens"]


async def test_a_limit_refused_under_both_names_names_the_setting() -> None:
    """The switch happens once, then the error says what to set."""
    rules = [refusing("max_tokens", "max_completion_tokens")]
    with ScriptedModel(rules=rules) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url)

        with pytest.raises(ModelError, match="GRAPHMEM_LLM_MAX_TOKENS"):
            await _complete(chat)

    assert 2 == len(server.chat_requests)


async def test_a_rate_limit_pauses_as_told_and_then_succeeds() -> None:
    """Two 429s with Retry-After cost two pauses, not the reply."""
    busy = ScriptedReply.failure(429, "slow down", retry_after_s=0.3)
    with ScriptedModel([busy, busy, _GOOD]) as server:
        replies = await _complete(OpenAIChatModel("m", base_url=server.base_url))

    times = [request.started_s for request in server.chat_requests]
    assert [_GOOD] == [reply.text for reply in replies]
    assert 3 == len(times)
    assert all(later - earlier >= 0.3 for earlier, later in itertools.pairwise(times))


async def test_concurrency_binds() -> None:
    """Never more requests at once than configured, also while some are refused and paused."""

    def script(request: ScriptedRequest) -> ScriptedReply:
        if request.ordinal in (0, 7):
            return ScriptedReply.failure(429, retry_after_s=0.02)
        return ScriptedReply(content=_GOOD, delay_s=0.1)

    with ScriptedModel(script) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, concurrency=3)

        replies = await asyncio.gather(*(chat.complete(_request()) for _ in range(15)))
        await chat.close()

    assert 15 == len(replies)
    assert 3 == server.peak()


async def test_a_used_up_budget_is_retryable() -> None:
    """An endpoint that stays busy ends in an error that may be tried again later."""
    busy = ScriptedReply.failure(429, retry_after_s=0.01)
    policy = RetryPolicy(total_s=5, attempts=2, first_wait_s=0.01)
    with ScriptedModel([busy] * 10) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, retry=policy)

        with pytest.raises(ModelError) as caught:
            await _complete(chat)

    assert caught.value.retryable
    assert 2 == len(server.chat_requests)


@pytest.mark.parametrize(
    "reply",
    [ScriptedReply(is_hanging=True), ScriptedReply(content=_GOOD, drip_s=0.05)],
    ids=["hangs", "drips"],
)
async def test_the_deadline_is_a_total_one(reply: ScriptedReply) -> None:
    """An endpoint that says nothing, or a byte at a time, is left at the deadline."""
    with ScriptedModel([reply] * 5) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, timeout_s=0.5)
        started_s = time.monotonic()

        with pytest.raises(ModelError) as caught:
            await _complete(chat)

    assert caught.value.retryable
    assert 0.4 <= time.monotonic() - started_s < 3


@pytest.mark.parametrize(
    "reply",
    [ScriptedReply(is_cut=True), ScriptedReply.failure(503, "warming up")],
    ids=["cut", "503"],
)
async def test_faults_of_the_transport_are_tried_again(reply: ScriptedReply) -> None:
    """A lost connection and a server fault are no answers."""
    policy = RetryPolicy(total_s=5, first_wait_s=0.01)
    with ScriptedModel([reply, _GOOD]) as server:
        replies = await _complete(OpenAIChatModel("m", base_url=server.base_url, retry=policy))

    assert [_GOOD] == [reply.text for reply in replies]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (ScriptedReply.failure(400, "maximum context length is 4096 tokens"), "context-length"),
        (ScriptedReply.failure(400, "blocked", code="content_filter"), "content-filter"),
        (ScriptedReply.failure(401, "Incorrect API key"), "endpoint"),
        (ScriptedReply.failure(404, "the model does not exist"), "endpoint"),
        (ScriptedReply.failure(400, "no idea what you want"), "endpoint"),
        (ScriptedReply(raw=b'"hello"'), "endpoint"),
        (ScriptedReply(raw=b"{not json"), "endpoint"),
    ],
)
async def test_what_an_endpoint_refuses_for_good_has_a_kind(
    reply: ScriptedReply, kind: str
) -> None:
    """No such error is retried, and none leaves the tree of graphmem's errors."""
    with ScriptedModel([reply]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url)

        with pytest.raises(ModelError) as caught:
            await _complete(chat)

    assert (kind, False) == (caught.value.kind, caught.value.retryable)
    assert 1 == len(server.chat_requests)


async def test_what_an_endpoint_reports_arrives() -> None:
    """Finish reason, refusal, missing choices and token counts are reported, not judged."""
    replies = [
        ScriptedReply(content="{", finish_reason="length", completion_tokens=500),
        ScriptedReply(refusal="I will not.", as_tool=False),
        ScriptedReply(is_empty=True),
    ]
    with ScriptedModel(replies) as server:
        cut, refused, nothing = await _complete(
            OpenAIChatModel("m", base_url=server.base_url), times=3
        )

    assert ("length", 500) == (cut.finish_reason, cut.completion_tokens)
    assert ("I will not.", "") == (refused.refusal, refused.text)
    assert not nothing.has_choice


async def test_another_key_takes_over() -> None:
    """With several keys a refused one costs nothing but a moment."""
    with ScriptedModel([_GOOD, _GOOD], api_keys={"good"}) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, api_keys=["bad", "good"])

        replies = await _complete(chat, times=2)

    assert 2 == len(replies)
    assert ["bad", "good", "good"] == [request.api_key for request in server.chat_requests]


async def test_keys_are_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    """No key in a log at any level, in an error, or in a repr, even when the server echoes it."""
    caplog.set_level(logging.DEBUG)
    echo = ScriptedReply.failure(400, f"bad key {_KEY} in the request")
    busy = ScriptedReply.failure(429, f"key {_KEY} is busy", retry_after_s=0.01)
    with ScriptedModel([busy, echo]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, api_keys=[SecretStr(_KEY)])

        with pytest.raises(ModelError) as caught:
            await _complete(chat)

    own = [entry for entry in caplog.records if entry.name.startswith("graphmem")]
    assert _KEY == server.chat_requests[0].api_key
    assert own
    assert _KEY not in "".join(entry.getMessage() for entry in caplog.records)
    assert _KEY not in str(caught.value)
    assert _KEY not in repr(chat) + repr(chat.__dict__)


def test_one_model_serves_several_event_loops() -> None:
    """Three loops, one after the other, over kept-alive connections."""
    with ScriptedModel([_GOOD] * 3) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url)

        texts = [asyncio.run(chat.complete(_request())).text for _ in range(3)]

    assert [_GOOD] * 3 == texts


def test_the_route_is_model_at_host() -> None:
    """Credentials in an address never reach the route that is stored."""
    chat = OpenAIChatModel("gpt-x", base_url="https://user:pw@llm.example.com:8443/v1")

    assert "gpt-x@llm.example.com:8443" == chat.route


def test_no_model_is_made_unless_named() -> None:
    """A key alone switches nothing on; a model alone says what is missing."""
    by_key = create_chat_model(Settings(llm_api_keys=("k",)))  # type: ignore[arg-type]  # pydantic makes it secret

    with pytest.raises(ConfigError, match="GRAPHMEM_LLM_API_KEYS"):
        create_chat_model(Settings(llm_model="gpt-x"))

    assert by_key is None


def test_a_local_endpoint_needs_no_key() -> None:
    """A base URL is enough."""
    chat = create_chat_model(Settings(llm_model="m", llm_base_url="http://127.0.0.1:9/v1"))

    assert chat is not None
    assert "m@127.0.0.1:9" == chat.route


def _answer(**message: object) -> ScriptedReply:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return ScriptedReply(raw=json.dumps({"choices": [choice]}).encode())


def _call(arguments: object) -> dict[str, object]:
    return {"type": "function", "function": {"name": "f", "arguments": arguments}}


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (_answer(content=[{"type": "text", "text": "{}"}]), "{}"),
        (_answer(content=[{"type": "thinking", "text": "?"}, {"type": "text", "text": "A"}]), "A"),
        (_answer(content={"summary": "A"}), '{"summary": "A"}'),
        (_answer(content=7), "7"),
        (_answer(content=False), ""),
        (_answer(), ""),
        (_answer(content="A", tool_calls="x"), "A"),
        (_answer(content="A", tool_calls=[{"type": "custom", "custom": {"name": "f"}}]), "A"),
        (_answer(content="A", tool_calls=[_call(None)]), "A"),
        (_answer(content=None, tool_calls=[_call({"summary": "A"})]), '{"summary": "A"}'),
    ],
)
async def test_a_message_of_another_shape_is_read_as_the_text_it_holds(
    reply: ScriptedReply, text: str
) -> None:
    """Parts of text, objects in place of JSON text, calls that are none: all can be judged."""
    with ScriptedModel([reply]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output="prompt")

        (answer,) = await _complete(chat)

    assert text == answer.text


@pytest.mark.parametrize("refusal", [7, {"a": 1}, "no"])
async def test_a_refusal_of_any_shape_is_a_refusal(refusal: object) -> None:
    """It is text afterwards, whatever it was."""
    with ScriptedModel([_answer(content="A", refusal=refusal)]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output="prompt")

        (answer,) = await _complete(chat)

    assert isinstance(answer.refusal, str)
    assert answer.refusal


@pytest.mark.parametrize("usage", ["x", [1], {"prompt_tokens": "many"}, {"prompt_tokens": [1]}])
async def test_a_count_that_is_none_costs_no_reply(usage: object) -> None:
    """A reply is worth more than its bill."""
    body = {"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}], "usage": usage}
    with ScriptedModel([ScriptedReply(raw=json.dumps(body).encode())]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output="prompt")

        (answer,) = await _complete(chat)

    assert ("A", 0) == (answer.text, answer.prompt_tokens)


@pytest.mark.parametrize("choices", ["abc", 5, {"a": 1}, ["x"], [{}], [{"message": "x"}], [None]])
async def test_choices_of_another_shape_are_no_completion(choices: object) -> None:
    """The error names the setting instead of an attribute that is missing."""
    reply = ScriptedReply(raw=json.dumps({"choices": choices}).encode())
    with ScriptedModel([reply]) as server:
        chat = OpenAIChatModel("m", base_url=server.base_url, structured_output="prompt")

        with pytest.raises(ModelError, match="no chat completion; check GRAPHMEM_LLM_BASE_URL"):
            await _complete(chat)
