"""Extraction by a model is one completion a turn, judged and never repaired."""

from __future__ import annotations

import pytest

from graphmem.errors import ExtractionError, ModelError
from graphmem.extract import LLMExtractor
from graphmem.llm import OpenAIChatModel
from graphmem.models import Extraction, ExtractionState
from graphmem.retry import RetryPolicy
from graphmem.testing import ScriptedModel, ScriptedReply, ScriptedRequest, refusing
from tests.unit.extract.drafts import draft

_REPLY = {
    "summary": "Iris bought a loom on 2026-03-06.",
    "outcome": "completed",
    "triples": [{"subject": "Iris", "predicate": "bought", "object": "loom"}],
    "tags": ["weaving"],
    "intent": "buy a loom",
}


async def _extract(
    server: ScriptedModel, *contents: str, max_tokens_factor: int = 1, mode: str = "auto"
) -> Extraction:
    chat = OpenAIChatModel(
        "m",
        base_url=server.base_url,
        structured_output=mode,  # type: ignore[arg-type]  # a test's word
        retry=RetryPolicy(total_s=5, attempts=2, first_wait_s=0.01),
    )
    try:
        return await LLMExtractor(chat).extract(
            draft(*contents), max_tokens_factor=max_tokens_factor
        )
    finally:
        await chat.close()


async def test_one_completion_a_turn() -> None:
    """A turn costs exactly one request, and the extraction names its route."""
    with ScriptedModel([_REPLY]) as server:
        extraction = await _extract(server, "I bought a loom.", "Nice!")
        route = server.base_url.removeprefix("http://").removesuffix("/v1")

    assert 1 == len(server.chat_requests)
    assert f"m@{route}" == extraction.extracted_by
    assert ExtractionState.DONE == extraction.state
    assert ("Iris", "bought", "loom") == (
        extraction.facts[0].subject,
        extraction.facts[0].predicate,
        extraction.facts[0].object,
    )


@pytest.mark.parametrize(
    "refused",
    [(), ("json_schema",), ("json_schema", "tools"), ("json_schema", "tools", "json_object")],
)
async def test_every_kind_of_endpoint_gives_the_same_extraction(refused: tuple[str, ...]) -> None:
    """Schema, tool, object and prompt lead to the same result."""
    fenced = ScriptedReply(content=f"```json\n{ScriptedReply.json(_REPLY).content}\n```")
    is_bare = "json_object" in refused
    with (
        ScriptedModel([_REPLY]) as plain,
        ScriptedModel([fenced if is_bare else _REPLY], rules=[refusing(*refused)]) as other,
    ):
        expected = await _extract(plain, "I bought a loom.")
        extraction = await _extract(other, "I bought a loom.")

    assert expected.facts == extraction.facts
    assert expected.summary == extraction.summary


async def test_bad_json_is_refused_after_one_call() -> None:
    """Nothing is asked again and nothing is repaired."""
    with ScriptedModel(['{"summary": "Iris']) as server, pytest.raises(ExtractionError) as caught:
        await _extract(server, "I bought a loom.")

    assert ("no-json", ("t-1",)) == (caught.value.kind, caught.value.ids)
    assert 1 == len(server.chat_requests)


async def test_a_retry_of_a_truncated_reply_gets_twice_the_limit() -> None:
    """The first call ends in the error; only an explicit retry asks for more."""
    cut = ScriptedReply(content='{"summary": "Omar rents a', finish_reason="length")
    with ScriptedModel([cut, _REPLY]) as server:
        with pytest.raises(ExtractionError) as caught:
            await _extract(server, "Omar rents a flat.")
        calls = len(server.chat_requests)
        await _extract(server, "Omar rents a flat.", max_tokens_factor=2)

    limits = [request.body["max_tokens"] for request in server.chat_requests]
    assert ("truncated", 1) == (caught.value.kind, calls)
    assert [1024, 2048] == limits


async def test_a_fault_of_the_network_is_no_verdict() -> None:
    """An endpoint that is away leaves the turn to be tried again."""
    with (
        ScriptedModel([ScriptedReply.failure(503)] * 5) as server,
        pytest.raises(ModelError) as caught,
    ):
        await _extract(server, "I bought a loom.")

    assert caught.value.retryable
    assert not isinstance(caught.value, ExtractionError)


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 4096 tokens, you requested 90000.",
        "prompt is too long",
    ],
)
async def test_a_turn_longer_than_the_context_is_shown_in_part(message: str) -> None:
    """It is cut until it fits, in few tries, and the extraction says so."""

    def script(request: ScriptedRequest) -> ScriptedReply:
        if len(request.turn_text) > 12_000:
            return ScriptedReply.failure(400, message, code="context_length_exceeded")
        return ScriptedReply.json(_REPLY)

    with ScriptedModel(script) as server:
        extraction = await _extract(server, "start " + "x" * 400_000 + " end")

    shown = server.chat_requests[-1].turn_text
    assert extraction.is_partial
    assert len(server.chat_requests) <= 5
    assert "start" in shown
    assert shown.endswith(" end")


async def test_a_turn_that_never_fits_is_refused() -> None:
    """The cutting is bounded, and ends with a reason of its own."""
    never = ScriptedReply.failure(400, "context length exceeded")
    with ScriptedModel([never] * 50) as server, pytest.raises(ExtractionError) as caught:
        await _extract(server, "x" * 10_000)

    assert "too-long" == caught.value.kind
    assert len(server.chat_requests) <= 6


async def test_a_turn_that_the_endpoint_will_not_read_is_refused() -> None:
    """A content filter is a reason for quarantine: the same turn would be filtered again."""
    with (
        ScriptedModel([ScriptedReply.failure(400, "no", code="content_filter")]) as server,
        pytest.raises(ExtractionError) as caught,
    ):
        await _extract(server, "…")

    assert "content-filter" == caught.value.kind
