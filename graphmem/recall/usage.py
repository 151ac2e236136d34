"""What becomes of recalled nodes: how often they were in answers, and how they were rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.errors import InputError
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["Uses", "add_rewards", "record_usage"]


@dataclass(frozen=True, slots=True)
class Uses:
    """In how many answers a node was, and when it last was."""

    times: int
    at: datetime


async def record_usage(
    db: Database, scope: str, turns: Mapping[str, Uses], facts: Mapping[str, Uses]
) -> None:
    """Add to the counters of turns and facts, by id, in one statement.

    Raises:
        StoreError: The server failed, or may not be written to.
    """
    await db.run(
        get_query("recall/record_usage"), scope=scope, turns=_rows(turns), facts=_rows(facts)
    )


async def add_rewards(db: Database, scope: str, turn_ids: Sequence[str], reward: float) -> int:
    """Add a reward to turns, to all of them or to none; return how many.

    Raises:
        InputError: Some are not there; `ids` names them.
        StoreError: The server failed.
    """
    wanted = list(dict.fromkeys(turn_ids))
    rows = await db.run(
        get_query("recall/add_rewards"), scope=scope, turn_ids=wanted, reward=reward
    )
    found = set(rows[0]["found"])
    missing = [turn_id for turn_id in wanted if turn_id not in found]
    if missing:
        raise InputError(
            f"{len(missing)} of {len(wanted)} turns are not in this scope, the first is "
            f"{missing[0]}; none was rated: pass ids of turns that a recall returned",
            kind="no-such-turn",
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
