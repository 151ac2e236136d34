"""What was found to say the same as another fact leads to that one when it is stated anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem.graph.admit import Neighbourhood, statement_of
from graphmem.graph.conflict.model import Statement
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db.database import Transaction

__all__ = ["with_doubles"]


async def with_doubles(transaction: Transaction, scope: str, found: Neighbourhood) -> Neighbourhood:
    """Return what is known with what says the same as facts that were forgotten for that.

    A read of its own, where a statement was withdrawn or found to be a double, which is rare.
    """
    withdrawn = {one.id for known in found.known for one in known.exact if one.is_withdrawn}
    if not withdrawn:
        return found
    rows = await transaction.run(
        get_query("graph/find_doubles"), scope=scope, fact_ids=sorted(withdrawn)
    )
    kept = {row["double"]: statement_of(row["fact"]) for row in rows}
    return replace(
        found,
        known=tuple(replace(known, exact=_distinct(known.exact, kept)) for known in found.known),
    )


def _distinct(exact: Sequence[Statement], kept: Mapping[str, Statement]) -> tuple[Statement, ...]:
    same = [kept[one.id] for one in exact if one.is_withdrawn and one.id in kept]
    return tuple({one.id: one for one in (*exact, *same)}.values())
