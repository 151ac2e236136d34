"""Free ports on loopback."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from graphmem.errors import ServerError

__all__ = ["BOLT_PORT", "HTTP_PORT", "Reservation", "choose_port", "is_free"]

# Neo4j's own, tried first: a lone user's addresses are then those of every tutorial.
BOLT_PORT = 7687
HTTP_PORT = 7474
_TRIES = 200


def is_free(port: int) -> bool:
    """Whether a server could listen on that port of 127.0.0.1 now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # A server of this port that ended a moment ago leaves connections in TIME_WAIT; on
        # Windows the same option would let two listen at once.
        if os.name == "posix":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            # Bound but not listening is no proof: another may listen on all addresses.
            probe.listen(1)
        except OSError:
            return False
    return True


class Reservation:
    """Ports that a start of this user holds until its server listens.

    Two homes that start at once would both find the same port free, and one of the servers
    would end over it after half a minute. A port is held by a locked file in the user's cache
    folder; where that cannot be written, nothing is held and the slow way remains.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._held: set[int] = set()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def take(self, port: int) -> bool:
        """Hold a port; False when another start holds it."""
        import filelock

        if port in self._held:
            return True
        try:
            folder = self._folder or _cache_folder()
            folder.mkdir(parents=True, exist_ok=True)
            self._stack.enter_context(filelock.FileLock(folder / f"{port}.lock").acquire(timeout=0))
        except filelock.Timeout:
            return False
        except OSError:
            return True
        self._held.add(port)
        return True


def _cache_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("graphmem", appauthor=False)) / "ports"


def choose_port(
    first: int, *, take: Callable[[int], bool], taken: frozenset[int], is_fixed: bool = False
) -> int:
    """Return `first`, or the next free port after it.

    Args:
        first: Tried first.
        take: Holds a port for this start, or tells that another one holds it.
        taken: Ports not to choose even when they look free.
        is_fixed: Whether only `first` will do, since the user asked for it.

    Raises:
        ServerError: None is free.
    """
    if is_fixed:
        if first not in taken and is_free(first) and take(first):
            return first
        raise ServerError(
            f"port {first} is taken by another program: end that one, or leave the port out to "
            "get the next free one",
            kind="server-port",
            retryable=True,
        )
    last = min(first + _TRIES, 65_536)
    for port in range(first, last):
        if port not in taken and is_free(port) and take(port):
            return port
    raise ServerError(
        f"no free port from {first} to {last - 1} on 127.0.0.1: end what listens there, or name "
        "a port of your own (`graphmem server start --bolt-port N --http-port M`)",
        kind="server-port",
        retryable=True,
    )
