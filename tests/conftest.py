"""Real servers for tests: one shared by all, and one of its own for who breaks things.

A test that asks for `neo4j_server` acts in a random scope, so that it can run beside others. A
test that kills processes, drops indexes or changes dimensions asks for `own_server` (or, for a
whole module, `module_server`). Nothing skips: where a server cannot be had, the test fails.
"""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import neo4j
import pytest

from graphmem.server import ManagedServer
from graphmem.server.home import default_home
from graphmem.server.ports import is_free

# Set by the first pytest process, inherited by the workers: they all start the same server.
_SHARED_HOME = "GRAPHMEM_TEST_SHARED_HOME"
# Of every vector on the shared server: its vector indexes have one width.
DIMENSIONS = 384


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is and how to log in."""

    uri: str
    username: str
    password: str = field(repr=False)
    http: str = ""


def shared_jars() -> Path:
    """Return the jar folder that every test server takes its jars from."""
    named = os.environ.get("GRAPHMEM_JARS")
    return Path(named) if named else default_home() / "jars"


def address_of(server: ManagedServer) -> ServerAddress:
    """Start a managed server, wait for its first answer, and return where it is.

    The first question of a server that just came up takes long on a busy machine: longer than
    who opens a server somewhere else is willing to wait.
    """
    status = server.start()
    assert status.uri is not None
    assert status.http is not None
    auth = (status.username, server.password())
    with neo4j.GraphDatabase.driver(status.uri, auth=auth) as driver:
        driver.execute_query("RETURN 1")
    return ServerAddress(status.uri, *auth, status.http)


def free_port() -> int:
    """Return a free port far from those that servers and outgoing connections take."""
    return next(port for port in iter(lambda: random.randrange(20_000, 30_000), 0) if is_free(port))


def small_server(home: Path) -> ManagedServer:
    """Return a managed server that takes little memory, its jars shared; not started yet."""
    return ManagedServer(
        home,
        jars=shared_jars(),
        heap="512m",
        page_cache="64m",
        bolt_port=free_port(),
        http_port=free_port(),
    )


def pytest_configure(config: pytest.Config) -> None:
    """Name the shared server's home before the workers are made."""
    if not hasattr(config, "workerinput"):
        os.environ[_SHARED_HOME] = tempfile.mkdtemp(prefix="graphmem-test-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the shared server after the last worker has ended, also when one of them died."""
    if hasattr(config, "workerinput"):
        return
    home = Path(os.environ.pop(_SHARED_HOME))
    if (home / "record.json").exists():
        _shared_server(home).stop()
    shutil.rmtree(home, ignore_errors=True)


def _shared_server(home: Path) -> ManagedServer:
    return ManagedServer(home, jars=shared_jars(), heap="1g", page_cache="256m")


@pytest.fixture(scope="session")
def neo4j_server() -> ServerAddress:
    """The server that all tests share: a named one, else a managed one in a temporary home."""
    uri = os.environ.get("GRAPHMEM_TEST_NEO4J_URI")
    if uri:
        return ServerAddress(
            uri,
            os.environ.get("GRAPHMEM_TEST_NEO4J_USERNAME", "neo4j"),
            os.environ.get("GRAPHMEM_TEST_NEO4J_PASSWORD", ""),
        )
    return address_of(_shared_server(Path(os.environ[_SHARED_HOME])))


@pytest.fixture(scope="session")
def jars() -> Path:
    """The jar folder that all test servers share."""
    return shared_jars()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ManagedServer]:
    """A managed server of this test alone, not started yet; stopped at the end."""
    server = small_server(tmp_path / "home")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    """A managed server of this module alone, not started yet; stopped at the end."""
    server = small_server(tmp_path_factory.mktemp("server") / "home")
    yield server
    server.stop()
