"""Who works on a turn: an id of this process that another one on the same machine can judge."""

from __future__ import annotations

import os
import socket
import sys

from graphmem.ids import digest, new_id

__all__ = ["give_up", "is_dead", "new_owner"]

_PARTS = 3
# Of this process: what could not tell the store that it is through.
_given_up: set[str] = set()


def new_owner() -> str:
    """Return an id of this process: which machine, which pid, and a random part."""
    return f"{_machine()}:{os.getpid()}:{new_id()}"


def give_up(owner: str) -> None:
    """Note that an owner of this process works no more, where the store could not be told."""
    _given_up.add(owner)


def is_dead(owner: str) -> bool:
    """Return whether `owner` works no more for certain: it gave up here, or its process ended.

    A process of another machine is never judged: its lease ends by itself.
    """
    if owner in _given_up:
        return True
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
