"""Ids: the same content at the same place gives the same id, so that writes can be repeated."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping

from graphmem.errors import InputError

__all__ = ["check_ids", "digest", "message_id", "new_id", "scope_token", "turn_id"]

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


def check_ids(values: object, name: str) -> tuple[str, ...]:
    """Return the ids that a caller names, each once, in their order.

    Args:
        values: Any iterable of texts; one text alone is none, as it would be read letter by
            letter.
        name: The parameter's name, for the message.

    Raises:
        InputError: It is no such iterable, or one of them cannot be an id.
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{name} must be a list of ids, got {type(values).__name__}: pass [id]")
    found = list(values)
    for value in found:
        if not isinstance(value, str):
            raise InputError(f"{name} must hold ids, got {type(value).__name__}")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise InputError(f"{name} holds half of a surrogate pair: no id has one")
    return tuple(dict.fromkeys(found))
