"""The managed server, really started.

These tests share one home. Each brings it into the state that it needs, so they run in any
order; in this one they start it the fewest times.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import neo4j
import psutil
import pytest

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.server import ManagedServer, managed_settings
from graphmem.server.home import Home
from graphmem.server.ports import is_free
from tests.conftest import ServerAddress

_START = """
import sys
from pathlib import Path
from graphmem.server import ManagedServer
home, jars = map(Path, sys.argv[1:3])
bolt, http = map(int, sys.argv[3:])
status = ManagedServer(
    home, jars=jars, heap="512m", page_cache="64m", bolt_port=bolt, http_port=http
).start()
print(status.pid, status.uri)
"""


@contextmanager
def logged_in(server: ManagedServer) -> Iterator[neo4j.Driver]:
    """Start the server and open a driver with its password."""
    status = server.start()
    assert status.uri is not None
    auth = (status.username, server.password())
    with neo4j.GraphDatabase.driver(status.uri, auth=auth) as driver:
        yield driver


def write(server: ManagedServer, name: str) -> None:
    """Write a node; returns after it was acknowledged."""
    with logged_in(server) as driver:
        driver.execute_query("CREATE (:Kept {name: $name})", name=name)


def written(server: ManagedServer) -> set[str]:
    """Return the names of what was written."""
    with logged_in(server) as driver:
        records, _, _ = driver.execute_query("MATCH (n:Kept) RETURN n.name AS name")
    return {record["name"] for record in records}


def pid_of(server: ManagedServer) -> int:
    """Return the process of the running server."""
    pid = server.status().pid
    assert pid is not None
    return pid


def kill(pid: int) -> None:
    """End a process as a power cut would, and wait until it is gone with its last thread."""
    listening = [
        connection.laddr.port
        for connection in psutil.Process(pid).net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    # A zombie may have threads that still hold its ports.
    while time.monotonic() < deadline and not all(is_free(port) for port in listening):
        time.sleep(0.02)


def contents(folder: Path) -> dict[str, bytes]:
    """Return a digest of every file under a folder, by its name."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).digest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def start_elsewhere(home: Path, jars: Path, ports: tuple[int | None, ...]) -> subprocess.Popen[str]:
    """Start the server of that home from a process of its own."""
    command = [sys.executable, "-c", _START, str(home), str(jars), *map(str, ports)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_two_processes_start_one_server(module_server: ManagedServer, jars: Path) -> None:
    """Two processes that start at once get one server, which outlives both."""
    module_server.stop()
    home = module_server.status().home

    both = [start_elsewhere(home, jars, module_server._ports) for _ in range(2)]
    answers = {process.communicate()[0].strip() for process in both}

    status = module_server.status()
    assert answers == {f"{status.pid} {status.uri}"}
    assert [process.returncode for process in both] == [0, 0]


def test_running_server_is_returned(module_server: ManagedServer) -> None:
    """Starting again returns the same process, at once, and tells where it is."""
    first = module_server.start()

    again = module_server.start()

    assert again.pid == first.pid
    assert again.running
    assert again.size_bytes > 0


def test_server_brings_graph_data_science(module_server: ManagedServer) -> None:
    """The running server has the versions that the status names, plugin included."""
    status = module_server.start()

    with logged_in(module_server) as driver:
        records, _, _ = driver.execute_query(
            "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' "
            "RETURN versions[0] AS version, gds.version() AS gds"
        )

    assert dict(records[0]) == {"version": status.version, "gds": status.gds_version}


def test_settings_without_an_address_lead_to_it(module_server: ManagedServer, jars: Path) -> None:
    """Settings that name no server are led to the managed one, password included."""
    status = module_server.start()
    settings = Settings(home=status.home, server_jars=jars)

    led = managed_settings(settings)

    assert led.neo4j_uri == status.uri
    assert led.neo4j_password is not None
    assert led.neo4j_password.get_secret_value() == module_server.password()


def test_server_without_its_pid_is_found(module_server: ManagedServer) -> None:
    """A server whose starter was killed before it wrote the pid is found, not started twice."""
    first = module_server.start()
    home = Home.at(first.home)
    record = home.record()
    assert record is not None
    home.remember(record.model_copy(update={"pid": None}))

    again = module_server.start()

    assert again.pid == first.pid


def test_dump_and_load_need_a_stopped_server(module_server: ManagedServer, tmp_path: Path) -> None:
    """While the server runs, dump and load are refused with the next step."""
    module_server.start()
    (tmp_path / "x.dump").write_bytes(b"")

    with pytest.raises(ServerError, match="graphmem server stop") as dumped:
        module_server.dump(tmp_path / "y.dump")
    with pytest.raises(ServerError, match="graphmem server stop"):
        module_server.load(tmp_path / "x.dump", overwrite=True)

    assert dumped.value.kind == "server-running"


def test_killed_server_recovers_what_was_acknowledged(module_server: ManagedServer) -> None:
    """After kill -9 the stale pid is recognised, and the next start has every write."""
    write(module_server, "before the kill")
    uri = module_server.status().uri
    killed = pid_of(module_server)

    kill(killed)

    assert not module_server.status().running
    assert "before the kill" in written(module_server)
    assert pid_of(module_server) != killed
    assert module_server.status().uri == uri


def test_dump_comes_back_in_another_home(
    module_server: ManagedServer, own_server: ManagedServer, tmp_path: Path
) -> None:
    """A dump loaded into a new home gives what was there; over a database only when told to."""
    write(module_server, "in the dump")
    module_server.stop()

    dump = module_server.dump(tmp_path / "folder" / "x.dump")
    own_server.load(dump)
    with pytest.raises(ServerError, match="--overwrite") as caught:
        own_server.load(dump)
    own_server.load(dump, overwrite=True)

    assert caught.value.kind == "server-exists"
    assert "in the dump" in written(own_server)


def test_bad_dump_changes_nothing(module_server: ManagedServer, tmp_path: Path) -> None:
    """A file that is no dump is refused, and every file of the database is what it was."""
    if not (module_server.status().data / "databases" / "neo4j").exists():
        module_server.start()
    data = module_server.stop().data
    before = contents(data)
    (tmp_path / "bad.dump").write_text("this is no dump")

    with pytest.raises(ServerError, match="Not a valid Neo4j archive") as caught:
        module_server.load(tmp_path / "bad.dump", overwrite=True)

    assert caught.value.kind == "server-admin"
    assert contents(data) == before


def test_start_that_fails_tells_why(module_server: ManagedServer, jars: Path) -> None:
    """A server that cannot start tells its last lines, and leaves no process behind."""
    home = module_server.stop().home
    mad = ManagedServer(home, jars=jars, heap="900000g")

    with pytest.raises(ServerError, match="GRAPHMEM_SERVER_HEAP") as caught:
        mad.start()

    assert caught.value.kind == "server-start"
    assert not mad.status().running


def test_stop_ends_exactly_that_server(
    module_server: ManagedServer, neo4j_server: ServerAddress
) -> None:
    """Stopping ends the process of this home; another server goes on."""
    module_server.start()
    pid = pid_of(module_server)

    status = module_server.stop()

    assert not status.running
    assert not psutil.pid_exists(pid)
    auth = (neo4j_server.username, neo4j_server.password)
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth) as other:
        other.verify_connectivity()
