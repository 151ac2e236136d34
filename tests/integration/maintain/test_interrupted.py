"""Consolidation while turns are written."""

from __future__ import annotations

import asyncio
from typing import Any

from graphmem import AsyncGraphMemory
from tests.integration.conftest import Ask
from tests.integration.maintain.test_consolidate import make, of


def crowd() -> list[dict[str, Any]]:
    """Return thirty directions, and in each of them four facts of which three are to go."""
    return [
        of(
            f"{direction:02} {number}",
            direction * 12.0,
            idle_h=float(number),
            tags=["all", f"tag {direction} {number}"],
            recall_count=number,
            reward_sum=0.5,
            reward_count=1,
        )
        for direction in range(30)
        for number in range(4)
    ]


async def test_turns_are_written_meanwhile(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """None is refused or lost, and each fact of theirs has what leads to it."""
    await memory.configure(conflict_mode="off")
    await make(ask, memory, scope, crowd())
    is_over = asyncio.Event()

    async def write(writer: int) -> list[str]:
        ids = []
        number = 0
        while not is_over.is_set() or number < 5:
            number += 1
            text = f"Writer {writer} says word{number} of all"
            receipt = await memory.add_turn(
                text,
                session_id=f"s{writer}",
                extraction={
                    "summary": text,
                    "facts": [{"text": text, "tags": ["all", f"tag {number} {writer}"]}],
                },
                wait=True,
            )
            assert receipt.facts == 1
            ids.append(receipt.turn_id)
        return ids

    writing = [asyncio.create_task(write(writer)) for writer in range(3)]
    report = await memory.consolidate_semantics(0.99)
    is_over.set()
    turn_ids = [one for ids in await asyncio.gather(*writing) for one in ids]

    assert report.deleted >= 90
    rows = await ask(
        "UNWIND $ids AS id MATCH (t:Turn {scope: $scope, id: id})-[:STATES]->(f:Fact) "
        "RETURN id, COUNT { (f)-[:TAGGED]->(:Tag) } AS tags",
        scope=scope,
        ids=turn_ids,
    )
    assert sorted(turn_ids) == sorted({row["id"] for row in rows})
    assert min(row["tags"] for row in rows) >= 2
