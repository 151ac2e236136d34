"""The testing kit speaks real HTTP, hashes words, and stands still."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from graphmem.errors import EmbeddingError
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel, ScriptedReply


def _post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(  # noqa: S310 - loopback
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - loopback
        parsed: dict[str, Any] = json.load(answer)
        return parsed


def test_answers_are_played_in_order_and_then_the_default() -> None:
    """A list is played once; afterwards the turn's own words come back."""
    asked = {"model": "m", "messages": [{"role": "user", "content": "<turn>\nHi.\n</turn>"}]}
    with ScriptedModel(["one", {"summary": "two"}]) as server:
        url = f"{server.base_url}/chat/completions"

        contents = [_post(url, asked)["choices"][0]["message"]["content"] for _ in range(3)]

    assert "one" == contents[0]
    assert {"summary": "two"} == json.loads(contents[1])
    assert "Hi." == json.loads(contents[2])["summary"]


def test_a_failure_has_its_status_and_headers() -> None:
    """What is scripted as an error arrives as one."""
    with ScriptedModel([ScriptedReply.failure(429, retry_after_s=2)]) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            _post(f"{server.base_url}/chat/completions", {"messages": []})
        with caught.value as error:
            told = (error.code, error.headers["Retry-After"])

    assert (429, "2") == told


def test_embeddings_are_those_of_the_hashed_embedder() -> None:
    """Vectors over HTTP and in the process are the same."""
    with ScriptedModel(dimensions=32) as server:
        answer = _post(f"{server.base_url}/embeddings", {"model": "m", "input": ["red boats"]})

    expected = HashedEmbedder(32).vectors(["red boats"])
    assert np.allclose(expected[0], answer["data"][0]["embedding"])


def test_closing_lets_go_of_what_hangs() -> None:
    """A hanging request does not outlive its server."""

    async def run() -> None:
        with ScriptedModel([ScriptedReply(is_hanging=True)]) as server:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", int(server.base_url.split(":")[2].split("/")[0])
            )
            writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.05)
        left = await asyncio.wait_for(reader.read(), 5)
        writer.close()
        await writer.wait_closed()
        assert b"" == left

    asyncio.run(run())


async def test_texts_that_share_words_are_near() -> None:
    """Cosine follows the words in common; rows are unit vectors, the same each time."""
    embedder = HashedEmbedder(256)

    rows = await embedder.embed(
        ["the red boat sails", "a red boat sails", "tax forms are due"], purpose="document"
    )

    again = await embedder.embed(["the red boat sails"], purpose="query")
    assert np.allclose(1, np.linalg.norm(rows, axis=1))
    assert float(rows[0] @ rows[1]) > 0.5 > float(rows[0] @ rows[2])
    assert np.array_equal(rows[0], again[0])


async def test_a_down_embedder_fails_as_an_endpoint_does() -> None:
    """is_down makes each call raise a retryable error."""
    embedder = HashedEmbedder()
    embedder.is_down = True

    with pytest.raises(EmbeddingError) as caught:
        await embedder.embed(["x"], purpose="query")

    assert caught.value.retryable


def test_two_models_are_two_spaces() -> None:
    """Vectors of another model's name differ, as those of another model would."""
    one = HashedEmbedder(64, model="one").vectors(["boat"])
    two = HashedEmbedder(64, model="two").vectors(["boat"])

    assert abs(float(one[0] @ two[0])) < 0.6


def test_a_frozen_clock_moves_when_told() -> None:
    """It stands still, advances, jumps."""
    clock = FrozenClock(datetime(2026, 1, 1, tzinfo=UTC))

    first = (clock.now(), clock.now())
    later = (clock.advance(60), clock.advance(timedelta(days=1)), clock.set(first[0]))

    assert first[0] == first[1]
    assert datetime(2026, 1, 1, 0, 1, tzinfo=UTC) == later[0]
    assert datetime(2026, 1, 2, 0, 1, tzinfo=UTC) == later[1]
    assert first[0] == clock.now()
