"""Opening without a server that answers, and what a version says."""

from __future__ import annotations

import asyncio
import time

import pytest

from graphmem.config import Settings
from graphmem.db import Database, ServerVersion, driver
from graphmem.db.driver import dotted, numbers
from graphmem.errors import ConfigError, StoreError


async def test_without_an_address_the_setting_is_named() -> None:
    """Whoever opens a database directly needs NEO4J_URI."""
    with pytest.raises(ConfigError, match="NEO4J_URI"):
        await Database.open(Settings())


@pytest.mark.parametrize("uri", ["http://localhost:7474", "localhost:7687"])
async def test_what_is_no_address_is_refused(uri: str) -> None:
    """The message shows the address and a right one."""
    with pytest.raises(ConfigError, match="bolt://") as caught:
        await Database.open(Settings(neo4j_uri=uri))

    assert uri in str(caught.value)


async def test_a_password_in_the_address_is_refused_unseen() -> None:
    """It would end up in messages and logs."""
    with pytest.raises(ConfigError, match="NEO4J_PASSWORD") as caught:
        await Database.open(Settings(neo4j_uri="bolt://ana:hunter2@127.0.0.1:7687"))

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s"])
async def test_a_closed_port_is_told_at_once(scheme: str, unused_tcp_port: int) -> None:
    """It fails within seconds, and may be tried again."""
    import neo4j  # noqa: F401 - its first import takes time that is none of the opening's

    settings = Settings(neo4j_uri=f"{scheme}://127.0.0.1:{unused_tcp_port}")
    started = time.monotonic()

    with pytest.raises(StoreError) as caught:
        await Database.open(settings)

    assert time.monotonic() - started < 10
    assert ("unreachable", True) == (caught.value.kind, caught.value.retryable)


async def test_an_unknown_host_is_told() -> None:
    """A name without an address is told as what cannot be reached."""
    with pytest.raises(StoreError) as caught:
        await Database.open(Settings(neo4j_uri="bolt://no-such-host.invalid:7687"))

    assert "unreachable" == caught.value.kind
    assert "NEO4J_URI" in str(caught.value)


async def test_a_server_that_is_no_neo4j_is_told(unused_tcp_port: int) -> None:
    """Another service on that port does not make graphmem hang."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", unused_tcp_port):
        with pytest.raises(StoreError) as caught:
            await Database.open(Settings(neo4j_uri=f"bolt://127.0.0.1:{unused_tcp_port}"))

    assert caught.value.kind in ("unreachable", "driver")


async def test_a_server_that_never_answers_is_given_up(
    unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening has a deadline, and closing what was half open does not wait either."""
    monkeypatch.setattr(driver, "_CONNECT_TIMEOUT_S", 1.0)
    silent = asyncio.Event()

    async def hold(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await silent.wait()
        writer.close()

    import neo4j  # noqa: F401 - as above

    started = time.monotonic()
    async with await asyncio.start_server(hold, "127.0.0.1", unused_tcp_port):
        with pytest.raises(StoreError) as caught:
            await Database.open(
                Settings(neo4j_uri=f"bolt://127.0.0.1:{unused_tcp_port}"), deadline_s=0.3
            )
        silent.set()

    assert time.monotonic() - started < 10
    assert ("unreachable", True) == (caught.value.kind, caught.value.retryable)


@pytest.mark.parametrize(
    ("text", "is_fit"),
    [
        ("2026.08.1", True),
        ("2026.02.0", True),
        ("2027.01.0+123", True),
        ("2026.01.4", False),
        ("5.26.30", False),
        ("5.27-aura", True),
        ("2026.03-aura", True),
    ],
)
def test_a_version_is_fit_or_not(text: str, is_fit: bool) -> None:
    """Filters inside vector indexes came in 2026.02; a hosted Aura always has them."""
    assert is_fit == ServerVersion(text).is_fit


def test_versions_are_written_as_their_makers_do() -> None:
    """A month has two digits, a minor version has not."""
    assert ("2026.02", "2.26.0") == (dotted((2026, 2)), dotted((2, 26, 0)))
    assert (2026, 8, 1) == numbers("2026.08.1-beta")
