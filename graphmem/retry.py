"""The one retry policy: how a call to a model endpoint survives the network.

Only transport faults are tried again: a connection that breaks, a call that takes too long,
the answers 408, 409, 425, 429 and 5xx. What the endpoint refuses for a reason of its own (a
bad parameter, a text that is too long) comes back to the caller at once, who alone can cure
it. Attempts and total time are bounded, each pause is logged, a Retry-After is honoured.
"""

from __future__ import annotations

import asyncio
import logging
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from pydantic import SecretStr
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    stop_any,
    stop_before_delay,
)

from graphmem.errors import ModelError

__all__ = [
    "KeyRing",
    "RetryPolicy",
    "describe_fault",
    "endpoint_error",
    "is_transport_fault",
    "retry_after_s",
    "status_of",
    "transport_retry",
]

logger = logging.getLogger(__name__)

T = TypeVar("T")

_RETRIED_STATUS = frozenset({408, 409, 425, 429})
_SERVER_FAULT = 500
# About the request, not about who asks: another key would hear the same.
_REQUEST_STATUS = frozenset({400, 413, 422})
# Enough of an endpoint's own words to act on, too little to repeat a whole turn.
_SHOWN_CHARACTERS = 300
# openai refuses an empty key before it calls anything; servers without keys ignore this one.
_NO_KEY = "no-key"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long and how often a call is tried.

    Attributes:
        total_s: Seconds that all attempts and pauses of one call may take together.
        attempts: Attempts at most (one attempt = each key once), >= 1.
        first_wait_s: Seconds of the first pause; each next one doubles, up to `max_wait_s`.
        max_wait_s: Longest pause in seconds that is chosen here.
        max_retry_after_s: Longest pause in seconds that an endpoint may ask for.
    """

    total_s: float = 60.0
    attempts: int = 4
    first_wait_s: float = 0.5
    max_wait_s: float = 8.0
    max_retry_after_s: float = 30.0


class KeyRing:
    """The API keys of one endpoint; remembers the last good one and never shows any.

    Args:
        keys: None, one or several; blank ones are dropped, double ones count once. With none
            a placeholder is sent, which servers that need no key ignore.
    """

    def __init__(self, keys: Sequence[SecretStr | str] = ()) -> None:
        plain = [key.get_secret_value() if isinstance(key, SecretStr) else key for key in keys]
        self._keys = tuple(dict.fromkeys(key.strip() for key in plain if key.strip()))
        self._current = 0

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return f"KeyRing({len(self._keys)} keys)"

    def round(self) -> Iterator[tuple[int, str]]:
        """Yield each (position, key) once, beginning with the last good one."""
        if not self._keys:
            yield 0, _NO_KEY
            return
        start = self._current
        for step in range(len(self._keys)):
            position = (start + step) % len(self._keys)
            yield position, self._keys[position]

    def mark_good(self, position: int) -> None:
        """Begin with this key from now on."""
        self._current = position

    def redact(self, text: str) -> str:
        """Return `text` with every key in it blacked out."""
        for key in self._keys:
            text = text.replace(key, "***")
        return text


async def transport_retry(
    call: Callable[[str], Awaitable[T]],
    *,
    keys: KeyRing,
    policy: RetryPolicy,
    what: str,
) -> T:
    """Call an endpoint until it answers, within the bounds of `policy`.

    With two or more keys a failure moves on to the next key at once; only when all of them
    have failed does the call pause. The last good key is the first one of the next call.

    Args:
        call: Makes one attempt with the API key it is given.
        keys: The endpoint's keys.
        policy: The bounds.
        what: What is called, for messages and logs: "embedding at api.example.com".

    Returns:
        What `call` returned.

    Raises:
        ModelError: The bounds are used up (retryable), or all of several keys were refused.
        Exception: Whatever `call` raised that is no transport fault, as it was.
    """
    ends_at = time.monotonic() + policy.total_s
    retrying = AsyncRetrying(
        retry=retry_if_exception(_is_worth_a_pause),
        wait=lambda state: _pause_s(state, policy),
        stop=stop_any(stop_after_attempt(policy.attempts), stop_before_delay(policy.total_s)),
        before_sleep=lambda state: _log_pause(state, what),
        sleep=asyncio.sleep,
        reraise=True,
    )
    attempts = 0
    try:
        async for attempt in retrying:
            with attempt:
                attempts += 1
                return await _one_round(call, keys, ends_at)
    except _AllKeysFailed as failed:
        raise ModelError(
            f"{what}: all {len(keys)} API keys failed "
            f"(last: {describe_fault(failed.last, keys)}); check the keys and the endpoint",
            kind="endpoint",
            retryable=_is_worth_a_pause(failed),
        ) from None
    except Exception as error:
        if not is_transport_fault(error):
            raise
        raise ModelError(
            f"{what}: no answer after {attempts} attempts within {policy.total_s:g} s "
            f"(last: {describe_fault(error, keys)}); it is tried again later",
            kind="endpoint",
            retryable=True,
        ) from None
    raise AssertionError("unreachable: the loop returns or raises")  # pragma: no cover


async def _one_round(call: Callable[[str], Awaitable[T]], keys: KeyRing, ends_at: float) -> T:
    """Try each key once, at once."""
    ring = list(keys.round())
    faults: list[Exception] = []
    for tried, (position, key) in enumerate(ring):
        # One silent key must not eat the time of the others.
        share_s = max(0.0, ends_at - time.monotonic()) / (len(ring) - tried)
        try:
            async with asyncio.timeout(share_s):
                answer = await call(key)
        except Exception as error:
            if len(ring) == 1 or _is_about_the_request(error):
                raise
            logger.warning(
                "retry.rotate key=%d/%d reason=%s", position + 1, len(ring), _name(error)
            )
            faults.append(error)
        else:
            keys.mark_good(position)
            return answer
    raise _AllKeysFailed(faults)


class _AllKeysFailed(Exception):  # noqa: N818 - a signal inside this module, never seen outside
    def __init__(self, faults: Sequence[Exception]) -> None:
        super().__init__()
        self.faults = tuple(faults)
        self.last = self.faults[-1]


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an endpoint's error carries, if it carries one."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def is_transport_fault(error: BaseException) -> bool:
    """Return whether the network or the endpoint's health is to blame, not the request."""
    status = status_of(error)
    if status is not None:
        return status in _RETRIED_STATUS or status >= _SERVER_FAULT
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    # Read from sys.modules: an error of openai's can only be here when openai is loaded, and
    # this module must not load it.
    openai = sys.modules.get("openai")
    return openai is not None and isinstance(error, openai.APIConnectionError)


def retry_after_s(error: BaseException, now: datetime | None = None) -> float | None:
    """Return the seconds that the endpoint asks to wait, or None when it asks nothing.

    Args:
        error: An error with a `response` that has `headers`, as openai's status errors have.
        now: The instant that an HTTP date is compared with; the present one by default.
    """
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        told = headers.get(name)
        if told is None:
            continue
        try:
            return max(0.0, float(told) * unit)
        except ValueError:
            pass
        try:
            at = parsedate_to_datetime(told)
        except ValueError:
            continue
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())
    return None


def describe_fault(error: BaseException, keys: KeyRing) -> str:
    """Return a fault in a few words, without any key in them."""
    told = keys.redact(" ".join(str(error).split()))[:_SHOWN_CHARACTERS]
    return f"{_name(error)}: {told}" if told else _name(error)


def endpoint_error(error: BaseException, *, keys: KeyRing, what: str, advice: str) -> ModelError:
    """Return the error of graphmem's own tree for what an endpoint refused.

    Args:
        error: What the call raised.
        keys: The endpoint's keys, to keep them out of the message.
        what: What was called.
        advice: What to do next, such as the name of the setting.
    """
    return ModelError(
        f"{what}: {describe_fault(error, keys)}; {advice}",
        kind="endpoint",
        retryable=is_transport_fault(error),
    )


def _is_worth_a_pause(error: BaseException) -> bool:
    if isinstance(error, _AllKeysFailed):
        return any(is_transport_fault(fault) for fault in error.faults)
    return is_transport_fault(error)


def _is_about_the_request(error: BaseException) -> bool:
    # Some endpoints answer 400 to a wrong key; they say so.
    told = str(error).lower()
    is_about_key = "api key" in told or "api_key" in told
    return status_of(error) in _REQUEST_STATUS and not is_about_key


def _pause_s(state: RetryCallState, policy: RetryPolicy) -> float:
    error = state.outcome.exception() if state.outcome is not None else None
    faults = error.faults if isinstance(error, _AllKeysFailed) else (error,)
    asked = [
        told for told in (retry_after_s(fault) for fault in faults if fault) if told is not None
    ]
    doublings = min(state.attempt_number - 1, 32)
    backoff = min(policy.max_wait_s, policy.first_wait_s * float(2**doublings))
    # Jitter keeps callers that failed together from coming back together.
    jitter = random.uniform(0, backoff / 2)  # noqa: S311 - spreads load, guards nothing
    if asked:
        # The first key that is free again is enough.
        return min(*asked, policy.max_retry_after_s) + min(jitter, policy.first_wait_s)
    return backoff / 2 + jitter


def _log_pause(state: RetryCallState, what: str) -> None:
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, _AllKeysFailed):
        error = error.last
    logger.warning(
        "retry.pause what=%s attempt=%d wait_s=%.2f reason=%s",
        what,
        state.attempt_number,
        state.upcoming_sleep,
        _name(error),
    )


def _name(error: BaseException | None) -> str:
    status = None if error is None else status_of(error)
    return type(error).__name__ if status is None else f"{type(error).__name__} {status}"
