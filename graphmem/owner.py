"""Who works on a turn: an id of this process that another one on the same machine can judge."""

from __future__ import annotations

import os
import socket
import sys

from graphmem.ids import digest, new_id

__all__ = ["is_dead", "new_owner"]

_PARTS = 3


def new_owner() -> str:
    """Return an id of this process: which machine, which pid, and a random part."""
    return f"{_machine()}:{os.getpid()}:{new_id()}"


def is_dead(owner: str) -> bool:
    """Return whether `owner` was a process of this machine that has ended for certain.

    A process of another machine is never judged: its lease ends by itself.
    """
    parts = owner.split(":")
    # On Windows the signal 0 is not a question but a kill.
    if len(parts) != _PARTS or parts[0] != _machine() or sys.platform == "win32":
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, ValueError, OverflowError):
        return False
    return False


def _machine() -> str:
    # Hashed: the host's name is nobody's business in a shared store.
    return digest("machine", socket.gethostname())[:12]
