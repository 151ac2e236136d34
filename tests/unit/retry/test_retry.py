"""What is tried again, how often, and with which key."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from pydantic import SecretStr

from graphmem.errors import ModelError
from graphmem.retry import (
    KeyRing,
    RetryPolicy,
    describe_fault,
    is_transport_fault,
    retry_after_s,
    transport_retry,
)

_FAST = RetryPolicy(total_s=5.0, attempts=3, first_wait_s=0.01)


class _StatusError(Exception):
    """An error as endpoints raise it."""

    def __init__(
        self, status: int, message: str = "refused", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status_code = status
        self.response = SimpleNamespace(headers=dict(headers or {}))


class _Endpoint:
    """Raises its faults one after the other, then answers with the key it was asked with."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.keys: list[str] = []

    async def __call__(self, key: str) -> str:
        self.keys.append(key)
        if self.faults:
            raise self.faults.pop(0)
        return key


@pytest.mark.parametrize(
    "fault",
    [
        ConnectionResetError("reset"),
        TimeoutError(),
        *[_StatusError(status) for status in (408, 409, 429, 500, 502, 503)],
    ],
    ids=str,
)
async def test_a_transport_fault_is_tried_again(fault: Exception) -> None:
    """The network's faults pass."""
    endpoint = _Endpoint(fault)

    await transport_retry(endpoint, keys=KeyRing(["k"]), policy=_FAST, what="test")

    assert 2 == len(endpoint.keys)


@pytest.mark.parametrize("fault", [ValueError("bad"), *map(_StatusError, (400, 401, 404, 422))])
async def test_a_refusal_comes_back_at_once_as_it_was(fault: Exception) -> None:
    """Only the caller can cure it."""
    endpoint = _Endpoint(fault)

    with pytest.raises(type(fault)) as caught:
        await transport_retry(endpoint, keys=KeyRing(["k"]), policy=_FAST, what="test")

    assert fault is caught.value
    assert 1 == len(endpoint.keys)


async def test_attempts_are_bounded_and_the_end_is_retryable(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Three attempts, two logged pauses, one error that says what was called."""
    endpoint = _Endpoint(*[ConnectionError("down")] * 9)

    with (
        caplog.at_level(logging.WARNING),
        pytest.raises(ModelError, match=r"chat at host: no answer after 3 attempts") as caught,
    ):
        await transport_retry(endpoint, keys=KeyRing(), policy=_FAST, what="chat at host")

    assert caught.value.retryable
    assert 3 == len(endpoint.keys)
    assert 2 == sum("retry.pause" in record.message for record in caplog.records)


async def test_an_endpoint_that_never_answers_costs_the_total_time_only() -> None:
    """A hanging call ends with the deadline."""

    async def hang(key: str) -> str:
        await asyncio.sleep(60)
        return key

    policy = RetryPolicy(total_s=0.2, first_wait_s=0.01)
    started = time.monotonic()

    with pytest.raises(ModelError, match="TimeoutError"):
        await transport_retry(hang, keys=KeyRing(), policy=policy, what="test")

    assert time.monotonic() - started < 2


async def test_a_pause_that_is_asked_for_is_kept() -> None:
    """Retry-After is waited for, not the shorter pause of our own."""
    endpoint = _Endpoint(_StatusError(429, headers={"retry-after": "0.3"}))
    started = time.monotonic()

    await transport_retry(endpoint, keys=KeyRing(), policy=_FAST, what="test")

    assert time.monotonic() - started >= 0.3


async def test_a_pause_longer_than_the_time_left_is_not_begun() -> None:
    """An hour asked for ends the call at once, as retryable."""
    endpoint = _Endpoint(_StatusError(429, headers={"retry-after": "3600"}))
    started = time.monotonic()

    with pytest.raises(ModelError) as caught:
        await transport_retry(endpoint, keys=KeyRing(), policy=_FAST, what="test")

    assert caught.value.retryable
    assert time.monotonic() - started < 2


@pytest.mark.parametrize("fault", [_StatusError(401), _StatusError(429), ConnectionError()])
async def test_two_keys_rotate_at_once_and_the_good_one_stays(fault: Exception) -> None:
    """No pause between keys; the next call begins with the one that worked."""
    endpoint = _Endpoint(fault)
    keys = KeyRing(["a", "b"])
    slow = RetryPolicy(total_s=60, first_wait_s=30)

    first = await transport_retry(endpoint, keys=keys, policy=slow, what="test")
    second = await transport_retry(endpoint, keys=keys, policy=slow, what="test")

    assert ("b", "b") == (first, second)
    assert ["a", "b", "b"] == endpoint.keys


async def test_all_keys_refused_is_one_error_that_shows_none() -> None:
    """The message counts the keys and names the last fault."""
    endpoint = _Endpoint(*[_StatusError(401, "Incorrect API key: sk-secret-b")] * 9)
    keys = KeyRing(["sk-secret-a", "sk-secret-b"])

    with pytest.raises(ModelError, match=r"all 2 API keys failed \(last: .*401") as caught:
        await transport_retry(endpoint, keys=keys, policy=_FAST, what="test")

    assert not caught.value.retryable
    assert "secret" not in str(caught.value)
    assert 2 == len(endpoint.keys)


async def test_all_keys_limited_pause_and_go_on() -> None:
    """A rate limit on every key is waited out, not given up."""
    endpoint = _Endpoint(_StatusError(429), _StatusError(429))

    answer = await transport_retry(endpoint, keys=KeyRing(["a", "b"]), policy=_FAST, what="test")

    assert "a" == answer
    assert 3 == len(endpoint.keys)


async def test_a_bad_request_is_not_tried_with_another_key() -> None:
    """What is wrong with the request is wrong with every key."""
    endpoint = _Endpoint(_StatusError(400, "context_length_exceeded"))

    with pytest.raises(_StatusError):
        await transport_retry(endpoint, keys=KeyRing(["a", "b"]), policy=_FAST, what="test")

    assert ["a"] == endpoint.keys


async def test_cancellation_is_not_a_fault() -> None:
    """A cancelled call ends, it is not tried again."""
    calls: list[str] = []

    async def call(key: str) -> str:
        calls.append(key)
        await asyncio.sleep(60)
        return key

    task = asyncio.create_task(
        transport_retry(call, keys=KeyRing(["a", "b"]), policy=_FAST, what="test")
    )
    await asyncio.sleep(0.05)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert 1 == len(calls)


def test_a_key_ring_shows_no_key() -> None:
    """Neither repr nor a described fault holds one; blank and double ones do not count."""
    keys = KeyRing([SecretStr(" sk-one "), "", "sk-one", "sk-two"])

    assert "KeyRing(2 keys)" == repr(keys)
    assert "ValueError: bad ***" == describe_fault(ValueError("bad sk-two"), keys)


def test_a_server_without_keys_gets_a_placeholder() -> None:
    """The client refuses an empty key before it calls anything."""
    assert [(0, "no-key")] == list(KeyRing().round())


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:10 GMT"}, 10.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
    ],
)
def test_retry_after_is_read_in_all_its_forms(
    headers: dict[str, str], expected: float | None
) -> None:
    """Seconds, milliseconds, or a date."""
    now = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    assert expected == retry_after_s(_StatusError(429, headers=headers), now)


def test_an_error_of_ones_own_is_no_transport_fault() -> None:
    """Bugs are not retried."""
    assert not is_transport_fault(KeyError("x"))
