"""Recognising, asking and ending the process of a managed server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from graphmem.errors import ServerError
from graphmem.server.home import Home, Record
from graphmem.server.process import Launched, alive, is_ready, stop_process
from graphmem.server.startup import PortTakenError, wait_until_ready


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with its folders and its password."""
    made = Home.at(tmp_path / "home")
    made.make()
    made.ensure_password()
    return made


@pytest.fixture
def stand_in(home: Home) -> Iterator[subprocess.Popen[bytes]]:
    """A process whose command line is that of the home's server."""
    wait = "import time; time.sleep(60)"
    main = ["org.neo4j.server.Neo4jCommunity", f"--home-dir={home.server}"]
    with subprocess.Popen([sys.executable, "-c", wait, *main]) as process:
        # Until exec is through, its command line is still that of this process.
        while "time.sleep(60)" not in " ".join(psutil.Process(process.pid).cmdline()):
            time.sleep(0.01)
        yield process
        process.kill()


def record_of(pid: int) -> Record:
    """Return the record of a process that runs."""
    created_s = psutil.Process(pid).create_time()
    return Record(bolt_port=1, http_port=1, pid=pid, created_s=created_s)


def test_server_of_the_home_is_alive(home: Home, stand_in: subprocess.Popen[bytes]) -> None:
    """A process with the recorded pid, creation time and home is the server."""
    assert alive(home, record_of(stand_in.pid)) == stand_in.pid


def test_pid_used_again_is_not_the_server(home: Home, stand_in: subprocess.Popen[bytes]) -> None:
    """The same pid with another creation time is another process."""
    record = record_of(stand_in.pid)

    stale = record.model_copy(update={"created_s": record.created_s - 60})

    assert alive(home, stale) is None


def test_other_program_is_not_the_server(home: Home) -> None:
    """A process that is no server of this home is none, whatever the record says."""
    assert alive(home, record_of(os.getpid())) is None


def test_server_of_another_home_is_not_the_server(
    tmp_path: Path, stand_in: subprocess.Popen[bytes]
) -> None:
    """A server of another home is never taken for this one's."""
    assert alive(Home.at(tmp_path / "other"), record_of(stand_in.pid)) is None


def test_ended_child_is_not_alive(home: Home, stand_in: subprocess.Popen[bytes]) -> None:
    """A server that died and was not waited for yet counts as gone."""
    record = record_of(stand_in.pid)
    os.kill(stand_in.pid, signal.SIGKILL)
    while psutil.Process(stand_in.pid).status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.01)

    assert alive(home, record) is None


def test_no_record_is_not_alive(home: Home) -> None:
    """Without a record, or without a pid in it, no server is known."""
    assert alive(home, None) is None
    assert alive(home, Record(bolt_port=1, http_port=1)) is None


def test_stopping_ends_the_process(stand_in: subprocess.Popen[bytes]) -> None:
    """A process that heeds the request ends by itself."""
    assert stop_process(stand_in.pid, timeout_s=10)

    assert not psutil.pid_exists(stand_in.pid)


def test_stopping_a_deaf_process_kills_it() -> None:
    """A process that does not heed the request is killed after the deadline."""
    deaf = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-uc", deaf], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()

        assert not stop_process(process.pid, timeout_s=0.2)

        assert not psutil.pid_exists(process.pid)


def test_stopping_what_is_gone_is_done() -> None:
    """A process that ended a moment before counts as stopped."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

    assert stop_process(process.pid, timeout_s=1)


@pytest.mark.parametrize(
    ("status", "body", "ready"),
    [
        (200, b'{"results":[],"errors":[]}', True),
        (200, b'{"results":[],"errors":[{"code":"DatabaseUnavailable"}]}', False),
        (503, b"", False),
    ],
)
def test_ready_is_what_answers_without_fault(status: int, body: bytes, ready: bool) -> None:
    """Only an answer without faults makes a server ready."""
    with Answering(status, body) as port:
        assert is_ready(port, "secret") is ready


def test_nobody_listening_is_not_ready() -> None:
    """A port on which nothing listens yet is not ready, and no error."""
    assert not is_ready(1, "secret")


def test_refused_password_is_told() -> None:
    """A server that refuses its own home's password is an error, without the password."""
    with Answering(401, b"{}") as port, pytest.raises(ServerError) as caught:
        is_ready(port, "secret-word")

    assert caught.value.kind == "server-password"
    assert "secret-word" not in str(caught.value)


def test_refusal_of_another_server_is_waited_out(home: Home) -> None:
    """A refusal by who took the port is not this server's: its own end tells the reason."""
    home.console_log.write_text("bind failed: Address already in use\n")
    launched = ended()

    with Answering(401, b"{}") as port, pytest.raises(PortTakenError):
        wait_until_ready(home, Record(bolt_port=1, http_port=port, pid=launched.pid), launched)


def test_own_refusal_is_told_at_once(home: Home) -> None:
    """A refusal by the server itself ends the wait."""
    with Answering(401, b"{}") as port, pytest.raises(ServerError) as caught:
        wait_until_ready(home, Record(bolt_port=1, http_port=port, pid=os.getpid()), None)

    assert caught.value.kind == "server-password"


def test_failed_start_tells_the_last_lines(home: Home) -> None:
    """A server that ends while it starts is an error with the end of its log."""
    home.console_log.write_text("first\n" * 50 + "the heap does not fit\n")

    with pytest.raises(ServerError, match="the heap does not fit") as caught:
        wait_until_ready(home, Record(bolt_port=1, http_port=1), ended())

    assert caught.value.kind == "server-start"
    assert str(home.console_log) in str(caught.value)


def test_port_lost_in_the_race_is_told_apart(home: Home) -> None:
    """A server that ended over its port is told apart, so that the next port can be tried."""
    frames = "\tat org.neo4j.SomeClass.start(SomeClass.java)\n" * 100
    home.console_log.write_text(f"bind failed: Address already in use\n{frames}")

    with pytest.raises(PortTakenError) as caught:
        wait_until_ready(home, Record(bolt_port=1, http_port=1), ended())

    assert caught.value.kind == "server-port"
    assert caught.value.retryable


def ended() -> Launched:
    """Return a launched process that has ended already."""
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process.wait()
    return Launched(process, process.pid, 0.0)


class Answering:
    """An HTTP server on loopback that gives one answer to everything."""

    def __init__(self, status: int, body: bytes) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}
        )

    def __enter__(self) -> int:
        self._thread.start()
        return self._server.server_port

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
