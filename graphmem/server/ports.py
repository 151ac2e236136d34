"""Free ports on loopback."""

from __future__ import annotations

import os
import socket

from graphmem.errors import ServerError

__all__ = ["BOLT_PORT", "HTTP_PORT", "choose_port", "is_free"]

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


def choose_port(first: int, *, taken: frozenset[int] = frozenset(), fixed: bool = False) -> int:
    """Return `first`, or the next free port after it.

    Args:
        first: Tried first.
        taken: Ports not to choose even when they look free.
        fixed: Whether only `first` will do, since the user asked for it.

    Raises:
        ServerError: None is free.
    """
    if fixed:
        if first not in taken and is_free(first):
            return first
        raise ServerError(
            f"port {first} is taken by another program: end that one, or leave the port out to "
            "get the next free one",
            kind="server-port",
            retryable=True,
        )
    last = min(first + _TRIES, 65_536)
    for port in range(first, last):
        if port not in taken and is_free(port):
            return port
    raise ServerError(
        f"no free port from {first} to {last - 1} on 127.0.0.1: end what listens there, or name "
        "a port of your own (`graphmem server start --bolt-port N --http-port M`)",
        kind="server-port",
        retryable=True,
    )
