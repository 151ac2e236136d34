"""The copies that the library works on are dropped, however a run ends."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable

import psutil
import pytest

from graphmem import AsyncGraphMemory, RunState
from graphmem.config import Settings
from graphmem.ids import new_id, scope_token
from tests.integration.conftest import Ask

Copies = Callable[[str], Awaitable[list[str]]]

# How many runs are to leave nothing; more of them take longer and find smaller leaks.
_RUNS = int(os.environ.get("GRAPHMEM_TEST_COPIES", "20"))

# A run in a process of its own, which stands still when the copy is made.
_PROCESS = """
import asyncio, sys, threading
from datetime import UTC, datetime
from pydantic import SecretStr
from graphmem import AsyncGraphMemory
from graphmem.config import Settings
from graphmem.maintain.communities import gds
from graphmem.testing import FrozenClock, HashedEmbedder

uri, username, scope = sys.argv[1:]

def stand_still(_):
    print("copied", flush=True)
    threading.Event().wait()

gds._check = stand_still

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
        await memory.update_communities(engine="gds")

asyncio.run(main())
"""


async def tell(memory: AsyncGraphMemory) -> None:
    """Add a turn that mentions three names."""
    await memory.add_turn(
        "Ana Bo Cy", extraction={"mentions": ["Ana", "Bo", "Cy"]}, turn_key="t", wait=True
    )


@pytest.fixture
def copies(ask: Ask) -> Copies:
    """Names of the copies of a scope and of those below it that are in the server's memory."""

    async def names(scope: str) -> list[str]:
        rows = await ask("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")
        return [row["name"] for row in rows if scope_token(scope) in row["name"]]

    return names


async def test_many_runs_leave_nothing(memory: AsyncGraphMemory, copies: Copies) -> None:
    """No copy in the server, no thread and no open file here, with four under way at a time."""
    scopes = [memory.scoped(f"{memory.scope}/{number}") for number in range(4)]
    for scoped in scopes:
        await tell(scoped)

    async def update_all() -> None:
        await asyncio.gather(
            *(scoped.update_communities(engine="gds", rebuild=True) for scoped in scopes)
        )

    # The first ones fill the pools of connections and threads.
    await update_all()
    before = _held()
    for _ in range(_RUNS // 4):
        await update_all()
    threads, files = _held()

    assert [[]] * 4 == [await copies(scoped.scope) for scoped in scopes]
    assert threads <= before[0]
    assert files <= before[1] + 4


def _held() -> tuple[int, int]:
    """Return how many threads, asyncio's own aside, and open files this process has."""
    threads = [one for one in threading.enumerate() if not one.name.startswith("asyncio_")]
    return len(threads), psutil.Process().num_fds()


async def test_who_is_cancelled_leaves_no_copy(memory: AsyncGraphMemory, copies: Copies) -> None:
    """A run that is broken off at any moment drops its copy, and the next one works."""
    await tell(memory)

    for wait_s in (0.0, 0.05, 0.2):
        run = asyncio.create_task(memory.update_communities(engine="gds", rebuild=True))
        await asyncio.sleep(wait_s)
        run.cancel()
        await asyncio.wait([run])

    assert [] == await copies(memory.scope)
    assert 1 == (await memory.update_communities(engine="gds")).communities


@pytest.fixture
async def killed(memory: AsyncGraphMemory, store_settings: Settings, scope: str) -> None:
    """A process was killed in the middle of a run, when it had made its copy."""
    assert store_settings.neo4j_uri is not None
    assert store_settings.neo4j_password is not None
    await tell(memory)
    told = (store_settings.neo4j_uri, store_settings.neo4j_username, scope)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROCESS, *told),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(store_settings.neo4j_password.get_secret_value().encode() + b"\n")
    try:
        assert b"copied\n" == await process.stdout.readline()
    finally:
        process.kill()
        await process.communicate()


@pytest.mark.usefixtures("killed")
@pytest.mark.parametrize("engine", ["gds", "python"])
async def test_what_a_killed_run_left_is_dropped_by_the_next(
    memory: AsyncGraphMemory, copies: Copies, engine: str
) -> None:
    """Whichever engine that one takes: the copy would stay until the server stops."""
    left = await copies(memory.scope)

    report = await memory.update_communities(engine=engine)  # type: ignore[arg-type]

    assert 1 == len(left)
    assert [] == await copies(memory.scope)
    assert (engine, 1) == (report.engine, report.communities)
    states = [run.state for run in await memory.runs(operations=["communities"])]
    assert sorted([RunState.BROKEN, RunState.DONE]) == sorted(states)


async def test_the_copy_of_another_scope_stays(
    memory: AsyncGraphMemory, copies: Copies, ask: Ask
) -> None:
    """A run that is under way in another scope, or below this one, keeps its copy."""
    await tell(memory)
    below = f"{memory.scope}/below"
    name = f"graphmem-terms-{scope_token(below)}-{new_id()}"
    await ask(
        "MATCH (t:Term {scope: $scope}) RETURN gds.graph.project($name, t, null) AS made",
        scope=memory.scope,
        name=name,
    )

    await memory.update_communities(engine="gds", rebuild=True)

    assert [name] == await copies(below)
    await ask("CALL gds.graph.drop($name) YIELD graphName RETURN graphName", name=name)
