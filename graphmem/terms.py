"""Terms as callers get them: names, their aliases, and what came of joining or parting them."""

from __future__ import annotations

from datetime import datetime

from graphmem.models import Value

__all__ = ["MergedTerm", "SplitTerm", "Term"]


class Term(Value):
    """Somebody or something that is spoken of by a name.

    Attributes:
        key: The name as names are compared.
        name: As it was written first.
        qualifier: What tells it from others of its name: "baker" of "Ana (baker)"; else "".
        aliases: Names that were merged into it.
        mentions: How many turns mention it.
        facts: How many facts have it as subject or object.
    """

    id: str
    key: str
    name: str
    qualifier: str = ""
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    facts: int = 0


class MergedTerm(Value):
    """A name that became an alias of another one.

    Attributes:
        alias: The name that leads to the other one now.
        term: What stands for both.
        reason: Why, as the caller said; "" when not told.
        at: When.
        mentions: Links of turns that moved.
        facts: Facts that moved.
    """

    alias: str
    term: Term
    reason: str = ""
    at: datetime
    mentions: int
    facts: int


class SplitTerm(Value):
    """A name that was borne by two, told apart.

    Attributes:
        term: The one with the qualifier.
        rest: The one that keeps the bare name.
        mentions: Links of turns that moved.
        fact_ids: Facts that moved, as they are called now: a statement about somebody else is
            another fact.
    """

    term: Term
    rest: Term
    mentions: int
    fact_ids: tuple[str, ...] = ()
