"""Waiting for a server that was launched, and telling why one did not come up."""

from __future__ import annotations

import time

from graphmem.errors import ServerError
from graphmem.server.home import Home, Record
from graphmem.server.process import Launched, alive, is_ready, listens

__all__ = ["PortTakenError", "wait_until_ready"]

# Measured 8 s on an idle machine, 90 s on one with seven times more work than cores; a large
# store that has to recover takes longer too.
_START_TIMEOUT_S = 300.0
_POLL_S = 0.2
_REFUSAL_GRACE_S = 30.0
_REASON_LINES = 12
_LOG_LINES = 1_000


class PortTakenError(ServerError):
    """Another program took the port between the look and the start."""


def wait_until_ready(home: Home, record: Record, launched: Launched | None) -> None:
    """Return when the server answers.

    Args:
        home: Where it runs.
        record: Its process and ports.
        launched: The handle of whoever launched it; None when another process did.

    Raises:
        PortTakenError: It ended, since its port was taken.
        ServerError: It ended, or does not answer in time; its last lines are in the message.
    """
    began = time.monotonic()
    password = home.password()
    while (waited := time.monotonic() - began) < _START_TIMEOUT_S:
        try:
            if is_ready(record.http_port, password):
                return
        except ServerError:
            # Another server may have taken the port a moment ago: then this one will end over
            # it, and the start goes on with the next port.
            is_ours = listens(record.pid, record.http_port) if record.pid else None
            if is_ours or (is_ours is None and waited > _REFUSAL_GRACE_S):
                raise
        is_gone = (
            alive(home, record) is None if launched is None else launched.exit_code() is not None
        )
        if is_gone:
            raise _failure(home, "Neo4j ended while it started")
        time.sleep(_POLL_S)
    raise _failure(home, f"Neo4j did not answer within {_START_TIMEOUT_S:.0f} s")


def _failure(home: Home, what: str) -> ServerError:
    # The log begins anew with each launch; what stands in it is of this start. Stack frames
    # say nothing to who only wants to know what to do.
    lines = [line for line in home.log_lines(_LOG_LINES) if not line.startswith("\t")]
    told = "\n".join(lines[-_REASON_LINES:]) or "(it wrote nothing)"
    if any("Address already in use" in line or "BindException" in line for line in lines):
        return PortTakenError(
            f"{what}: another program took its port in the same moment; start again. Its last "
            f"lines:\n{told}",
            kind="server-port",
            retryable=True,
        )
    return ServerError(
        f"{what}; the whole log is {home.console_log}. If it says that memory is short, set "
        f"GRAPHMEM_SERVER_HEAP=512m; if it says that the store is damaged, load a dump. Its last "
        f"lines:\n{told}",
        kind="server-start",
    )
