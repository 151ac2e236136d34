"""Ids: the same content at the same place gives the same id, so that writes can be repeated."""

from __future__ import annotations

import hashlib
import uuid

__all__ = ["digest", "message_id", "new_id", "scope_token", "turn_id"]

# 128 bits: no collision to be expected in any store that fits on a disk.
_ID_HEX_LENGTH = 32
# The unit separator cannot occur in a scope or key (control characters are refused), so
# ("a", "b/c") and ("a/b", "c") never share a digest.
_SEPARATOR = "\x1f"


def digest(*parts: str) -> str:
    """Return 32 hex digits that depend on every part and on where one ends."""
    joined = _SEPARATOR.join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_HEX_LENGTH]


def new_id() -> str:
    """Return a random id of 32 hex digits."""
    return uuid.uuid4().hex


def turn_id(scope: str, session_id: str, key: str) -> str:
    """Return the id of the turn that `key` names inside a session of a scope."""
    return digest("turn", scope, session_id, key)


def message_id(turn: str, ordinal: int) -> str:
    """Return the id of the message at `ordinal` (from 0) of a turn."""
    return digest("message", turn, str(ordinal))


def scope_token(scope: str, *parts: str) -> str:
    """Return one full-text token for a scope (or a session or agent inside it).

    A raw scope would be split by an analyser and leak ``a/b`` into ``a-b``; a hex hash is
    one token under any analyser.
    """
    return digest("scope", scope, *parts)
