"""The embedder works with endpoints that differ, break, pause and never answer."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import struct
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graphmem.embed import OpenAIEmbedder
from graphmem.errors import ConfigError, EmbeddingError, ModelError
from graphmem.retry import RetryPolicy
from graphmem.testing import ScriptedModel, ScriptedReply, ScriptedRequest, refusing
from graphmem.vectors import RowsError, embed_each

_KEY = "sk-very-secret-1234567890"
_FAST = RetryPolicy(total_s=10, attempts=3, first_wait_s=0.01)


def _embedder(server: ScriptedModel, **changes: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder("m", base_url=server.base_url, policy=_FAST, **changes)


async def _embed(embedder: OpenAIEmbedder, *texts: str) -> NDArray[np.float32]:
    try:
        return await embedder.embed(texts)
    finally:
        await embedder.close()


def _raw(rows: list[tuple[int, list[float] | str]]) -> ScriptedReply:
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in rows]
    return ScriptedReply(raw=json.dumps({"object": "list", "data": data}).encode())


async def test_vectors_come_in_the_order_of_the_texts() -> None:
    """An endpoint that answers out of order is put right by its indexes."""
    with ScriptedModel(embeddings=[_raw([(1, [0.0, 2.0]), (0, [3.0, 0.0])])]) as server:
        rows = await _embed(_embedder(server), "a", "b")

    assert [[1.0, 0.0], [0.0, 1.0]] == rows.tolist()


@pytest.mark.parametrize(
    "reply",
    [
        _raw([(0, [1.0, 0.0])]),
        _raw([(0, [1.0, 0.0]), (0, [1.0, 0.0])]),
        _raw([(0, [1.0, 0.0]), (2, [1.0, 0.0])]),
        ScriptedReply(raw=b'{"object": "list"}'),
        ScriptedReply(raw=b"[]"),
        ScriptedReply(raw=b'{"data": [1, 2]}'),
    ],
)
async def test_an_answer_that_lost_or_doubled_a_vector_is_refused(reply: ScriptedReply) -> None:
    """Vectors that cannot be told apart are never handed on."""
    with ScriptedModel(embeddings=[reply]) as server, pytest.raises(EmbeddingError):
        await _embed(_embedder(server), "a", "b")


async def test_many_texts_go_in_batches() -> None:
    """150 texts are three requests, and one row each."""
    texts = [f"text {number}" for number in range(150)]
    with ScriptedModel() as server:
        rows = await _embed(_embedder(server), *texts)

        assert (150, 64) == rows.shape
        assert [64, 64, 22] == [len(request.inputs) for request in server.embedding_requests]


async def test_floats_are_asked_for_and_no_width_unless_configured() -> None:
    """The client's own default would be base64."""
    with ScriptedModel() as server:
        await _embed(_embedder(server), "a")

        assert {"model": "m", "input": ["a"], "encoding_format": "float"} == server.requests[0].body


async def test_a_configured_width_is_asked_for() -> None:
    """It is sent as `dimensions`."""
    with ScriptedModel() as server:
        rows = await _embed(_embedder(server, dimensions=16), "a")

        assert (1, 16) == rows.shape
        assert 16 == server.requests[0].body["dimensions"]


@pytest.mark.parametrize("width", [1, 4, 32])
async def test_another_width_than_the_declared_one_is_an_error(width: int) -> None:
    """Nothing is cut or filled up."""
    with (
        ScriptedModel(embeddings=[_raw([(0, [1.0] * width)])]) as server,
        pytest.raises(EmbeddingError, match=f"{width} numbers where 16"),
    ):
        await _embed(_embedder(server, dimensions=16), "a")


async def test_the_first_width_holds_for_all_that_follow() -> None:
    """An endpoint that changes its width later is refused."""
    script = [_raw([(0, [1.0] * 8)]), _raw([(0, [1.0] * 4)])]
    with ScriptedModel(embeddings=script) as server:
        embedder = _embedder(server)
        await embedder.embed(["a"])

        with pytest.raises(EmbeddingError, match="4 numbers where 8"):
            await _embed(embedder, "b")

        assert 8 == embedder.dimensions


@pytest.mark.parametrize("name", ["encoding_format", "dimensions"])
async def test_a_parameter_that_is_refused_is_dropped_and_remembered(name: str) -> None:
    """One more request once; the width is still held to what was declared."""
    with ScriptedModel(rules=[refusing(name)], dimensions=16) as server:
        embedder = _embedder(server, dimensions=16)
        await embedder.embed(["a"])
        rows = await _embed(embedder, "b")

        assert (1, 16) == rows.shape
        assert 3 == len(server.requests)
        assert name not in server.requests[-1].body


async def test_base64_that_nobody_asked_for_is_read() -> None:
    """Some gateways answer in it whatever is asked."""
    packed = base64.b64encode(struct.pack("<2f", 0.0, 5.0)).decode()
    with ScriptedModel(embeddings=[_raw([(0, packed)])]) as server:
        rows = await _embed(_embedder(server), "a")

    assert [[0.0, 1.0]] == rows.tolist()


@pytest.mark.parametrize("bad", ["[NaN, 1.0]", "[0, 0]", "[1e39, 1]", "[]", "null", '"!"'])
async def test_a_bad_vector_is_refused_and_its_neighbour_kept(bad: str) -> None:
    """Not finite, without a direction, or no vector at all."""
    body = f'{{"data": [{{"index": 0, "embedding": [1, 0]}}, {{"index": 1, "embedding": {bad}}}]}}'
    with ScriptedModel(embeddings=[ScriptedReply(raw=body.encode())]) as server:
        with pytest.raises(RowsError) as caught:
            await _embed(_embedder(server), "a", "b")

        good, refused = caught.value.rows
        assert isinstance(good, np.ndarray)
        assert isinstance(refused, EmbeddingError)
        assert 1 == len(server.requests)


async def test_a_server_that_breaks_over_one_text_embeds_the_other_nine() -> None:
    """A 500 for one text of ten, in a bounded number of calls."""

    def break_over_boats(request: ScriptedRequest) -> ScriptedReply | None:
        has_boats = any("red boats" in text for text in request.inputs)
        return ScriptedReply.failure(500, "failed to encode response") if has_boats else None

    texts = [f"text {number}" for number in range(9)] + ["count the red boats"]
    with ScriptedModel(rules=[break_over_boats]) as server:
        embedder = _embedder(server)
        rows = await embed_each(embedder, texts)
        await embedder.close()

        assert [9] == [at for at, row in enumerate(rows) if isinstance(row, EmbeddingError)]
        assert len(server.requests) <= 14


def _too_long_above(limit_tokens: int, message: str) -> Callable[[ScriptedRequest], Any]:
    def rule(request: ScriptedRequest) -> ScriptedReply | None:
        if max(len(text) / 4 for text in request.inputs) > limit_tokens:
            return ScriptedReply.failure(400, message, code="context_length_exceeded")
        return None

    return rule


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (8000, "This model's maximum context length is 8000 tokens, you requested 75000 tokens."),
        (8000, "context_length_exceeded"),
        (512, "Input is too long"),
        (512, "input (75000 tokens) exceeds the limit; maximum is 512 tokens"),
    ],
)
async def test_a_text_that_is_too_long_is_cut_and_its_neighbours_are_not(
    limit: int, message: str
) -> None:
    """The vector of the beginning is better than none; no endless retry."""
    long = "word " * 60_000
    with ScriptedModel(rules=[_too_long_above(limit, message)]) as server:
        embedder = _embedder(server)
        rows = await embedder.embed([long, "short"])
        await _embed(embedder, long)

        assert (2, 64) == rows.shape
        assert "short" == server.requests[-2].inputs[1]
        assert len(server.requests) <= 4, "the limit is remembered"


async def test_a_refusal_that_cutting_does_not_cure_ends() -> None:
    """Two cuts at most."""
    with ScriptedModel(rules=[_too_long_above(0, "too long")]) as server:
        with pytest.raises(EmbeddingError, match="too long"):
            await _embed(_embedder(server), "some text")

        assert 3 == len(server.requests)


async def test_an_endpoint_that_never_answers_fails_within_the_deadline() -> None:
    """The caller goes on by text; the failure is worth another try later."""
    with ScriptedModel(embeddings=[ScriptedReply(is_hanging=True)]) as server:
        embedder = OpenAIEmbedder("m", base_url=server.base_url, timeout_s=0.3)
        started = time.monotonic()

        with pytest.raises(ModelError) as caught:
            await _embed(embedder, "a")

        assert caught.value.retryable
        assert time.monotonic() - started < 3


async def test_a_rate_limit_is_waited_out() -> None:
    """429 with Retry-After, then an answer."""
    script = [ScriptedReply.failure(429, retry_after_s=0.2), ScriptedReply()]
    with ScriptedModel(embeddings=script) as server:
        rows = await _embed(_embedder(server), "a")

    assert (1, 64) == rows.shape


async def test_keys_rotate_and_are_shown_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    """The second key is used at once; neither stands in a log, a repr or an error."""
    keys = [_KEY, "sk-good"]
    with caplog.at_level(logging.DEBUG), ScriptedModel(api_keys=["sk-good"]) as server:
        embedder = _embedder(server, api_keys=keys)
        await _embed(embedder, "a")
        refused = _embedder(server, api_keys=[_KEY, _KEY + "b"])
        with pytest.raises(ModelError, match="all 2 API keys failed") as caught:
            await _embed(refused, "a")

        assert keys == [request.api_key for request in server.requests[:2]]
    shown = f"{embedder!r} {caught.value} {caplog.text}"
    assert _KEY not in shown


async def test_a_refused_key_names_the_settings() -> None:
    """One key: the endpoint's words and what to check."""
    with (
        ScriptedModel(api_keys=["other"]) as server,
        pytest.raises(ModelError, match=r"401.*GRAPHMEM_EMBEDDING_MODEL") as caught,
    ):
        await _embed(_embedder(server, api_keys=[_KEY]), "a")

    assert not caught.value.retryable


def test_one_embedder_serves_several_event_loops() -> None:
    """asyncio.run three times over connections that are kept alive."""
    with ScriptedModel() as server:
        embedder = _embedder(server)

        rows = [asyncio.run(embedder.embed(["a"])) for _ in range(3)]

    assert [(1, 64)] * 3 == [row.shape for row in rows]


def test_more_numbers_than_an_index_takes_are_refused_before_any_call() -> None:
    """The message says how many can be."""
    with pytest.raises(ConfigError, match=r"5000.*4096"):
        OpenAIEmbedder("m", dimensions=5000)
