"""What was found to say the same as another fact leads to that one when it is stated anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmem.graph.conflict.model import Statement
from graphmem.graph.neighbours import Neighbourhood, statement_of
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db.database import Transaction

__all__ = ["with_doubles"]


async def with_doubles(transaction: Transaction, scope: str, found: Neighbourhood) -> Neighbourhood:
    """Return what is known with what says the same as facts that are told no longer for that.

    A read of its own, where a statement was withdrawn, or was deprecated, which is rare.
    """
    untold = {one.id for known in found.known for one in known.exact if _may_be_double(one)}
    if not untold:
        return found
    rows = await transaction.run(
        get_query("graph/find_doubles"), scope=scope, fact_ids=sorted(untold)
    )
    kept = {row["double"]: statement_of(row["fact"]) for row in rows}
    return replace(
        found,
        known=tuple(replace(known, exact=_distinct(known.exact, kept)) for known in found.known),
    )


def _distinct(exact: Sequence[Statement], kept: Mapping[str, Statement]) -> tuple[Statement, ...]:
    same = [kept[one.id] for one in exact if one.id in kept]
    led = [
        replace(one, same_as=kept[one.id].id)
        if one.status == "deprecated" and one.id in kept
        else one
        for one in exact
    ]
    return tuple({one.id: one for one in (*led, *same)}.values())


def _may_be_double(fact: Statement) -> bool:
    return fact.is_withdrawn or fact.status == "deprecated"
