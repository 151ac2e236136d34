"""Upkeep in processes that are killed in the middle, each at one of its transactions.

`python -m tests.integration.maintain.dying` reads jobs from stdin, one a line. Each is done in a
child that is forked from this process, so that it need not import anything, and kills itself.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import SecretStr

from graphmem import AsyncGraphMemory, RunState
from graphmem.config import Settings
from graphmem.db.database import Database, Transaction
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.conftest import DIMENSIONS

__all__ = ["OPERATIONS", "Job", "MovingClock"]

_Batch = Callable[[Transaction], Awaitable[Any]]
Operation = Callable[[AsyncGraphMemory], Awaitable[object]]

# Raw cosine above which the planted facts say nearly the same.
_NEAR = 0.99


class MovingClock(FrozenClock):
    """Tells a later instant each time, so that what is done first was first."""

    def now(self) -> datetime:
        """Return an instant that nobody was told before."""
        return self.advance(0.001)


async def _undo(memory: AsyncGraphMemory) -> None:
    (run,) = await memory.runs(operations=["consolidate_and_decay"])
    if run.state is not RunState.UNDONE:
        await memory.undo(run.id)


OPERATIONS: dict[str, Operation] = {
    "consolidate": lambda memory: memory.consolidate_semantics(_NEAR),
    "deprecate": lambda memory: memory.consolidate_semantics(_NEAR, mode="deprecate"),
    "value decay": lambda memory: memory.decay_nodes(),
    "tiered decay": lambda memory: memory.tiered_decay(),
    "orphans": lambda memory: memory.clean_orphans(),
    "retention": lambda memory: memory.retain_messages("referenced", batch=2),
    "communities": lambda memory: memory.update_communities(rebuild=True, engine="python"),
    "undo": _undo,
    "tick": lambda memory: memory.maintain(),
}


@dataclass(frozen=True, slots=True)
class Job:
    """What a child does, and when it dies.

    Attributes:
        operation: One of `OPERATIONS`.
        scope: Where.
        at: What time it is.
        commit: At which transaction of upkeep it dies, from 1; 0 = it does not.
        when: Before that is committed, or after.
    """

    operation: str
    scope: str
    at: str
    commit: int = 0
    when: Literal["before", "after"] = "after"

    def line(self) -> str:
        """Return what the process reads."""
        return json.dumps(asdict(self)) + "\n"


def _work_in_small_batches() -> None:
    """Let upkeep write four nodes in one transaction, in this process, and read ten at once."""
    for module, name in (
        ("removal", "BATCH"),
        ("removal", "_PAGE"),
        ("consolidation.merging", "BATCH"),
        ("orphans", "BATCH"),
        ("decay.tiered", "BATCH"),
        ("decay.tiered", "_PAGE"),
        ("decay.value", "_PAGE"),
        ("communities.membership_writing", "_BATCH"),
        ("communities.follow", "_TAKEN"),
        ("communities.summaries", "_PAGE"),
    ):
        found = importlib.import_module(f"graphmem.maintain.{module}")
        # It must be there: else it would be large batches, silently.
        getattr(found, name)
        setattr(found, name, {"_PAGE": 10}.get(name, 4))


class _Fate:
    """Counts the transactions of upkeep, and kills this process at one of them."""

    def __init__(self, commit: int, when: Literal["before", "after"]) -> None:
        self.count = 0
        self._commit = commit
        self._when = when
        self._transact = Database.transact
        fate = self

        async def transact(database: Database, work: _Batch) -> Any:
            return await fate.transact(database, work)

        Database.transact = transact  # type: ignore[assignment,method-assign]

    async def transact(self, database: Database, work: _Batch) -> Any:
        """Do what is to be done, and die of it where that is due."""
        names: list[str] = []

        async def watched(transaction: Transaction) -> Any:
            done = await work(transaction)
            names[:] = transaction.names
            if self._is_upkeep(names) and self.count + 1 == self._commit:
                self._die("before")
            return done

        done = await self._transact(database, watched)
        if self._is_upkeep(names):
            self.count += 1
            if self.count == self._commit:
                self._die("after")
        return done

    @staticmethod
    def _is_upkeep(names: Iterable[str]) -> bool:
        # Vectors are filled in beside it, in no order.
        return any(name.startswith("maintain/") for name in names)

    def _die(self, when: Literal["before", "after"]) -> None:
        if when == self._when:
            os.kill(os.getpid(), signal.SIGKILL)


async def _do(job: Job, settings: Settings) -> int:
    """Do a job; return how many transactions of upkeep it took."""
    fate = _Fate(job.commit, job.when)
    async with await AsyncGraphMemory.open(
        settings.model_copy(update={"scope": job.scope}),
        embedder=HashedEmbedder(DIMENSIONS),
        clock=MovingClock(datetime.fromisoformat(job.at)),
    ) as memory:
        await OPERATIONS[job.operation](memory)
    return fate.count


def _main(uri: str, username: str) -> None:
    settings = Settings(
        neo4j_uri=uri,
        neo4j_username=username,
        neo4j_password=SecretStr(sys.stdin.readline().strip()),
        warm_up=False,
        maintenance_interval=0,
        maintenance_every_h=0,
    )
    _work_in_small_batches()
    for name in ("neo4j", "numpy", "graphdatascience"):
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                _tell(asyncio.run(_do(Job(**json.loads(line)), settings)))
            except BaseException:  # noqa: BLE001 - it must not go on as its parent
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        # One that came to its end has said so itself.
        if status:
            _tell(os.waitstatus_to_exitcode(status))


def _tell(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _main(*sys.argv[1:])
