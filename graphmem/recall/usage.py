"""What becomes of recalled nodes: how often they were in answers, and how they were rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.checks import check_number
from graphmem.errors import InputError
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.models import Recall

__all__ = [
    "Uses",
    "add_rewards",
    "check_reward",
    "check_same_scope",
    "recalled_ids",
    "record_usage",
]


@dataclass(frozen=True, slots=True)
class Uses:
    """In how many answers a node was, and when it last was."""

    times: int
    at: datetime


async def record_usage(
    db: Database,
    scope: str,
    turns: Mapping[str, Uses],
    facts: Mapping[str, Uses],
    procedures: Mapping[str, Uses],
) -> None:
    """Add to the counters of turns, facts and procedures, by id, in one statement.

    Raises:
        StoreError: The server failed, or may not be written to.
    """
    await db.run(
        get_query("recall/record_usage"),
        scope=scope,
        turns=_rows(turns),
        facts=_rows(facts),
        procedures=_rows(procedures),
    )


def recalled_ids(found: Recall) -> tuple[str, ...]:
    """Return the ids of all that is in an answer: turns, facts, procedures."""
    return (
        *(hit.turn.id for hit in found.turns),
        *(hit.fact.id for hit in found.facts),
        *(hit.procedure.id for hit in found.procedures),
    )


def check_same_scope(found: Recall, scope: str) -> None:
    """Refuse an answer of another scope: its ids are of nothing here.

    Raises:
        InputError: It is one.
    """
    if found.scope != scope:
        raise InputError(
            f"the answer is of scope {found.scope!r}, this memory of {scope!r}: rate it by "
            "scoped(…) of that one"
        )


def check_reward(value: object) -> float:
    """Return a reward.

    Raises:
        InputError: It is no number from 0 to 1.
    """
    return check_number(value, "reward", 0, 1)


async def add_rewards(db: Database, scope: str, ids: Sequence[str], reward: float) -> int:
    """Add a reward to turns, facts and procedures, to all of them or to none; return how many.

    Raises:
        InputError: Some are not there; `ids` names them.
        StoreError: The server failed.
    """
    # In one order, so that two that rate the same wait for each other, not each for what the
    # other holds.
    wanted = sorted(set(ids))
    rows = await db.run(get_query("recall/add_rewards"), scope=scope, ids=wanted, reward=reward)
    found = set(rows[0]["found"])
    missing = [one for one in dict.fromkeys(ids) if one not in found]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(wanted)} ids are of nothing in this scope that can be rated, "
            f"the first is {missing[0]!r}; nothing was rated: pass a recall, or ids of turns, "
            "facts and procedures that one returned",
            kind="no-such-node",
            ids=missing,
        )
    return len(wanted)


def _rows(uses: Mapping[str, Uses]) -> list[dict[str, Any]]:
    # In the order of their ids, so that two processes that count the same wait for each other
    # instead of each for what the other holds.
    return [
        {"id": node_id, "times": used.times, "at": used.at}
        for node_id, used in sorted(uses.items())
    ]
