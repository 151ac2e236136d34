"""Upkeep that is killed in the middle: the next run ends as if nothing had happened."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from graphmem import AsyncGraphMemory, RunState
from graphmem.testing import FrozenClock
from tests.conftest import ServerAddress
from tests.integration.conftest import Ask
from tests.integration.maintain.dying import OPERATIONS, Job, MovingClock
from tests.integration.maintain.test_consolidate import make, of
from tests.integration.maintain.worlds import (
    World,
    copy,
    differing,
    faults,
    lasting,
    look,
    plain,
    used,
)

DAY = timedelta(days=1)
# A run holds its scope for two minutes.
LATER = timedelta(minutes=4)
# At so many of its transactions each operation is killed; all = GRAPHMEM_TEST_DEATHS=1000.
DEATHS = int(os.environ.get("GRAPHMEM_TEST_DEATHS", "4"))
# What moves in one tick is looked at again in the next: both are to be at rest.
TICKS = {"tick": 2}


@pytest.fixture
def clock() -> FrozenClock:
    """Each run is later than the one before it."""
    return MovingClock(datetime(2026, 6, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def dying(neo4j_server: ServerAddress) -> Iterator[subprocess.Popen[str]]:
    """A process whose children die."""
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "tests.integration.maintain.dying"),
            *(neo4j_server.uri, neo4j_server.username),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(f"{neo4j_server.password}\n")
        process.stdin.flush()
        yield process
        process.stdin.close()


async def let(process: subprocess.Popen[str], job: Job) -> int:
    """Let a child do a job; return how many transactions it took, or the signal that ended it."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(job.line())
    process.stdin.flush()
    return int(await asyncio.to_thread(process.stdout.readline))


async def plant(memory: AsyncGraphMemory, ask: Ask, clock: FrozenClock) -> None:
    """Put something into a scope for every operation, and let the time for it come."""
    await memory.configure(conflict_mode="off")
    # Tombstones that are due by then.
    for text in ("Ferns grow under the pier", "Gale sold her lamp"):
        await memory.semantic.remember(text)
    clock.advance(10 * DAY)
    await memory.decay_nodes()
    # What falls silent, of either kind, and messages whose turn is gone.
    for name in ("Ana", "Bruno", "Cleo", "Dana", "Emil", "Finn", "Gustav"):
        await memory.semantic.remember(
            f"{name} looks after the boat of {name}",
            subject=name,
            predicate="looks after",
            object=f"boat of {name}",
        )
    for what in ("a release", "a hotfix", "a rollback"):
        await memory.procedural.define(f"Tag it, push it, and tell them of {what}.", intent=what)
    for number in range(3):
        await memory.add_turn(
            f"gone {number}", session_id="s", extraction={"summary": f"gone {number}"}, wait=True
        )
    await memory.flush()
    clock.advance(80 * DAY)
    await ask("MATCH (t:Turn {scope: $scope}) DETACH DELETE t", scope=memory.scope)
    await ask(
        """
        MATCH (f:Fact {scope: $scope})
        WITH f ORDER BY f.text
        WITH collect(f) AS facts
        FOREACH (f IN facts | SET f.tier = 'peripheral')
        FOREACH (f IN facts[2..5] | SET
          f.status = 'deprecated', f.deprecated_by = 'decay', f.deprecated_at = $long_ago)
        FOREACH (f IN facts[4..5] | SET f.deprecated_at = null)
        FOREACH (f IN facts[5..6] | SET f.pinned = true)
        WITH 1 AS one
        MATCH (p:Procedure {scope: $scope})
        SET p.tier = 'peripheral'
        """,
        scope=memory.scope,
        long_ago=clock.now() - 70 * DAY,
    )
    await _plant_near(memory, ask, clock)


async def _plant_near(memory: AsyncGraphMemory, ask: Ask, clock: FrozenClock) -> None:
    """Three directions with three facts each, of which two are to go; and who speaks of them."""
    await make(
        ask,
        memory,
        memory.scope,
        [
            of(
                f"near {direction} {number}",
                direction * 40.0 + number * 0.5,
                idle_h=float(number) + 1,
                text=f"{who} keeps bees",
                tags=["all", f"tag {direction}", f"tag {direction} {number}"],
                recall_count=10 - number,
                reward_sum=0.5,
                reward_count=1,
            )
            for direction, who in enumerate(("Hugo", "Ines", "Jonas"))
            for number in range(3)
        ],
    )
    for direction, who in enumerate(("Hugo", "Ines", "Jonas")):
        receipt = await memory.add_turn(
            f"{who} and friends",
            session_id="s",
            extraction={
                "summary": f"{who} has friends.",
                "mentions": [who, f"{who}'s friend", f"{who}'s other friend"],
            },
            wait=True,
        )
        await ask(
            """
            MATCH (f:Fact {scope: $scope})
            WHERE f.id STARTS WITH $prefix
            MATCH (t:Turn {scope: $scope, id: $turn})-[:MENTIONS]->(m:Term)
            WITH f, t, m ORDER BY m.key
            WITH f, t, collect(m)[0] AS m
            SET f.recorded_at = $now, f.last_accessed_at = $now, f.tier = 'peripheral',
              f.valid_from = CASE WHEN f.id ENDS WITH '1' THEN $earlier ELSE $now END
            CREATE (t)-[:STATES]->(f)
            CREATE (f)-[:SUBJECT]->(m)
            """,
            scope=memory.scope,
            prefix=f"near {direction}",
            turn=receipt.turn_id,
            now=clock.now(),
            earlier=clock.now() - 5 * DAY,
        )
    both = await memory.add_turn("of all", extraction={"summary": "all"}, wait=True)
    await ask(
        "MATCH (f:Fact {scope: $scope}) WHERE f.id STARTS WITH 'near' AND f.id ENDS WITH '2' "
        "MATCH (t:Turn {scope: $scope, id: $turn}) CREATE (t)-[:STATES]->(f) "
        "SET f.validated_count = 2",
        scope=memory.scope,
        turn=both.turn_id,
    )
    # Orphans of each kind.
    await ask(
        """
        UNWIND ['x', 'y', 'z'] AS key
        CREATE (:Tag {scope: $scope, id: 'lone tag ' + key, key: 'lone ' + key,
          label: 'lone ' + key, status: 'active', needs_vector: false})
        CREATE (:Term {scope: $scope, id: 'lone term ' + key, key: 'lone ' + key,
          name: 'lone ' + key, search_text: '', qualifier: '', status: 'active',
          needs_vector: false, needs_community: false})
        CREATE (:Intent {scope: $scope, id: 'lone intent ' + key, key: 'lone ' + key,
          description: 'lone ' + key, status: 'active', needs_vector: false})
        """,
        scope=memory.scope,
    )
    await memory.backfill_vectors()
    clock.advance(60)


async def take_all_back(memory: AsyncGraphMemory, since: datetime) -> None:
    """Undo every run that began since a time, the latest first."""
    for run in await memory.runs(parts=False):
        is_done = run.state in (RunState.DONE, RunState.BROKEN)
        if is_done and run.at >= since and run.operation not in ("undo", "communities"):
            await memory.undo(run.id)
    # What one part of a run made anew, for another one to find, has no vector yet.
    await memory.backfill_vectors()


_planted: list[World] = []


@pytest.fixture
async def planted(memory: AsyncGraphMemory, ask: Ask, clock: FrozenClock) -> World:
    """Something for every operation to do; made once, and copied from then on."""
    if not _planted:
        await plant(memory, ask, clock)
        _planted.append(await look(ask, memory.scope, vectors=True))
    clock.set(datetime(2026, 9, 1, tzinfo=UTC))
    return _planted[0]


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_the_next_run_ends_as_if_none_had_been_killed(
    *,
    memory: AsyncGraphMemory,
    dying: subprocess.Popen[str],
    planted: World,
    clock: FrozenClock,
    ask: Ask,
    operation: str,
) -> None:
    """Whenever that was, nothing is half done then, and at the end all can be taken back."""
    await memory.configure(conflict_mode="off")
    world = await ready(operation, memory.scoped(f"{memory.scope}/ready"), planted, ask)
    began = clock.now()
    usage = used(world, began)
    clock.advance(LATER)
    whole = memory.scoped(f"{memory.scope}/whole")
    await copy(ask, world, whole.scope)
    count = await let(dying, Job(operation, whole.scope, began.isoformat()))
    ended, back = await end(whole, ask, operation, began, ticks=TICKS.get(operation, 1) - 1)
    assert [] == faults(ended, usage, began)
    if operation != "undo":
        assert [] == differing(plain(lasting(world), began), plain(lasting(back), began))

    for commit in deaths(count, operation):
        one = memory.scoped(f"{memory.scope}/{commit}")
        await copy(ask, world, one.scope)
        job = Job(operation, one.scope, began.isoformat(), commit, ("before", "after")[commit % 2])
        assert -signal.SIGKILL == await let(dying, job)
        assert [] == faults(await look(ask, one.scope), usage, began), job

        here, undone = await end(one, ask, operation, began, ticks=TICKS.get(operation, 1))

        assert [] == faults(here, usage, began), job
        assert [] == differing(plain(ended, began), plain(here, began)), job
        assert [] == differing(plain(lasting(back), began), plain(lasting(undone), began)), job


def deaths(count: int, operation: str) -> list[int]:
    """Return at which of its transactions a run dies: the first, the last, and some between."""
    assert count > 2
    dice = random.Random(operation)
    drawn = dice.sample(range(2, count), k=min(DEATHS, count) - 2)
    return sorted({1, *drawn, count})


async def ready(operation: str, memory: AsyncGraphMemory, planted: World, ask: Ask) -> World:
    """Return the world that an operation finds."""
    if operation != "undo":
        return planted
    await copy(ask, planted, memory.scope)
    await memory.consolidate_and_decay()
    return await look(ask, memory.scope, vectors=True)


async def end(
    memory: AsyncGraphMemory, ask: Ask, operation: str, began: datetime, *, ticks: int
) -> tuple[World, World]:
    """Do an operation; return what a scope holds then, and when all was taken back."""
    for _ in range(ticks):
        await OPERATIONS[operation](memory)
    if operation == "tick":
        # Ranks are those of the last rebuild.
        await memory.update_communities(rebuild=True, engine="python")
    await memory.flush()
    ended = await look(ask, memory.scope)
    await take_all_back(memory, began)
    return ended, await look(ask, memory.scope)
