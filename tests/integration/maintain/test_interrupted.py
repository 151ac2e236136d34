"""Consolidation beside others: killed in the middle, and while turns are written."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import Any

from graphmem import AsyncGraphMemory, RunState
from graphmem.config import Settings
from tests.integration.conftest import Ask
from tests.integration.maintain.test_consolidate import make, of

# What a run does in a process of its own, in many small batches.
_PROCESS = """
import asyncio, sys
from datetime import UTC, datetime
from pydantic import SecretStr
from graphmem import AsyncGraphMemory
from graphmem.config import Settings
from graphmem.maintain import consolidate, removal
from graphmem.testing import FrozenClock, HashedEmbedder

uri, username, scope = sys.argv[1:]
removal.BATCH = consolidate.BATCH = 5

async def main():
    settings = Settings(
        neo4j_uri=uri, neo4j_username=username, scope=scope, warm_up=False,
        neo4j_password=SecretStr(sys.stdin.readline().strip()), maintenance_interval=0,
        maintenance_every_h=0,
    )
    clock = FrozenClock(datetime(2026, 6, 1, tzinfo=UTC))
    async with await AsyncGraphMemory.open(
        settings, embedder=HashedEmbedder(384), clock=clock
    ) as memory:
        print("ready", flush=True)
        await memory.consolidate_semantics(0.99)
        print("done", flush=True)

asyncio.run(main())
"""

# What stands, but for which run did it.
STANDING = """
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id >= ''
RETURN f.id AS id, f.status AS status, f.recall_count AS recalled, f.reward_count AS rewarded,
  COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.key ORDER BY t.key } AS tags
ORDER BY id
"""


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


async def test_a_run_that_is_killed_leaves_nothing_half_done(
    memory: AsyncGraphMemory, store_settings: Settings, scope: str, ask: Ask
) -> None:
    """At two times while it removes; the next run ends as if none had been killed."""
    other = f"{scope}/other"
    for one in (scope, other):
        await make(ask, memory, one, crowd())
    before = await removed(ask, scope)

    for pause_s in (0.02, 0.1):
        await run_and_kill(store_settings, scope, after=before, pause_s=pause_s, ask=ask)
        # Each is whole: who went says by which run, and what it had is where it belongs.
        assert [] == await ask(
            "MATCH (n:Tombstone {scope: $scope}) WHERE NOT EXISTS { "
            "MATCH (r:MaintenanceRun {scope: $scope, id: n.run_id})-[:CHANGED]->(n) } "
            "RETURN n.id AS id",
            scope=scope,
        )
        assert await total(ask, scope) == await total(ask, other)
        before = await removed(ask, scope)
    assert before > 0
    await memory.consolidate_semantics(0.99)
    await memory.scoped(other).consolidate_semantics(0.99)

    assert await ask(STANDING, scope=other) == await ask(STANDING, scope=scope)
    assert [] == await ask(
        "MATCH (:MaintenanceRun {scope: $scope})-[c:CHANGED]->() "
        "WHERE c.survivor_id IS NOT NULL AND NOT EXISTS { "
        "MATCH (f:Fact {scope: $scope, id: c.survivor_id, status: 'active'}) } "
        "RETURN c.survivor_id AS id",
        scope=scope,
    )
    states = [run.state for run in await memory.runs(operations=["consolidate"])]
    assert sorted(states) == [*[RunState.BROKEN] * (len(states) - 1), RunState.DONE]


async def run_and_kill(
    settings: Settings, scope: str, *, after: int, pause_s: float, ask: Ask
) -> None:
    """Run it in a process, and end that a moment after it has removed something."""
    assert settings.neo4j_uri is not None
    assert settings.neo4j_password is not None
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROCESS, settings.neo4j_uri, settings.neo4j_username, scope),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(settings.neo4j_password.get_secret_value().encode() + b"\n")
    assert b"ready\n" == await process.stdout.readline()
    while process.returncode is None and await removed(ask, scope) == after:
        await asyncio.sleep(0.02)
    await asyncio.sleep(pause_s)
    if process.returncode is None:
        os.kill(process.pid, signal.SIGKILL)
    await process.communicate()


async def removed(ask: Ask, scope: str) -> int:
    """Return how many facts and routes runs have removed so far."""
    (row,) = await ask(
        "MATCH (r:MaintenanceRun)-[c:CHANGED]->() WHERE r.scope = $scope AND r.id >= '' "
        "RETURN count(c) AS n",
        scope=scope,
    )
    return int(row["n"])


async def total(ask: Ask, scope: str) -> dict[str, Any]:
    """Return what all facts that are told have together: nothing of it is lost, or doubled."""
    (row,) = await ask(
        "MATCH (f:Fact) WHERE f.scope = $scope AND f.id >= '' AND f.status = 'active' "
        "RETURN sum(f.recall_count) AS recalled, sum(f.reward_count) AS rewarded, "
        "sum(f.reward_sum) AS rewards",
        scope=scope,
    )
    return row


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
