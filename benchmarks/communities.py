"""Communities over a made-up graph of names: how long each engine takes, and what it finds.

The names have planted communities of about twenty; nine of ten links stay inside. Half of the
links come from facts, half from turns that mention three names each.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from benchmarks.floor import read_statement
from benchmarks.report import Cell

if TYPE_CHECKING:
    from neo4j import Driver

    from graphmem import GraphMemory
    from graphmem.communities import CommunityEngine

__all__ = ["PlantedTerms", "measure_communities"]

_GROUP = 20
_INSIDE = 0.9
_BATCH = 5000
_NAMES_A_TURN = 3


class PlantedTerms:
    """Names of a scope, and what links them."""

    def __init__(self, driver: Driver, scope: str, *, terms: int, seed: int) -> None:
        """Draw names.

        Args:
            driver: At the server of the memory.
            scope: Where they are written; it must be empty.
            terms: How many names.
            seed: Of the random numbers.
        """
        self._driver = driver
        self._scope = scope
        self._dice = random.Random(seed)
        self._keys = [f"n{number:07}" for number in range(terms)]
        # The order of the names does not tell what belongs together.
        self._dice.shuffle(self._keys)
        # What is told later of a store that was loaded before has ids of its own.
        run = uuid.uuid4().hex[:8]
        self._ids = (f"told-{run}-{number}" for number in count())

    def write(self) -> None:
        """Write the names."""
        for rows in _batches(self._keys):
            self._run("plant_terms", rows)

    def link(self, links: int) -> None:
        """Tell of so many pairs of names together: half of them in turns, half in facts."""
        by_turns = links // 2
        turns = [_NAMES_A_TURN] * (by_turns // _NAMES_A_TURN)
        for name, sizes in (("turns", turns), ("facts", [2] * (links - by_turns))):
            for sizes_of_rows in _batches(sizes):
                self._run(f"plant_{name}", [self._tell(size) for size in sizes_of_rows])

    def _tell(self, names: int) -> dict[str, Any]:
        return {"id": next(self._ids), "keys": _drawn(self._dice, self._keys, names)}

    def _run(self, statement: str, rows: Sequence[Any]) -> None:
        self._driver.execute_query(read_statement(statement), scope=self._scope, rows=rows)


def measure_communities(
    memory: GraphMemory, planted: PlantedTerms, *, links: int
) -> dict[str, dict[str, Cell]]:
    """Find all communities of a scope anew, time after time; return a row for each.

    The first time they are written, too. Then a hundredth more is told, as upkeep finds it.
    """
    # The library's client takes more than a second to import, once.
    memory.scoped(f"{memory.scope}/warm").update_communities(rebuild=True)
    rows = {"gds, all new": _measured(memory, "gds")}
    planted.link(links // 100)
    rows["gds, 1% more links"] = _measured(memory, "gds")
    rows["gds, nothing new"] = _measured(memory, "gds")
    rows["python, nothing new"] = _measured(memory, "python")
    return rows


def _measured(memory: GraphMemory, engine: CommunityEngine) -> dict[str, Cell]:
    # Vectors of the summaries of the run before are made beside it.
    memory.flush()
    started = time.perf_counter()
    report = memory.update_communities(rebuild=True, engine=engine)
    return {
        # With the library the copy is part of "propagate", without it of "read".
        **{step: round(seconds, 2) for step, seconds in report.seconds.items()},
        "total": round(time.perf_counter() - started, 2),
        "terms": report.terms,
        "communities": report.communities,
        "moved": report.moved,
        "rounds": report.rounds,
    }


def _drawn(dice: random.Random, keys: Sequence[str], names: int) -> list[str]:
    first = dice.randrange(len(keys))
    start = first - first % _GROUP
    group = range(start, min(len(keys), start + _GROUP))
    told = {first}
    while len(told) < names:
        is_inside = dice.random() < _INSIDE
        told.add(dice.choice(group) if is_inside else dice.randrange(len(keys)))
    return [keys[place] for place in sorted(told)]


def _batches(rows: Sequence[Any]) -> Iterator[list[Any]]:
    for start in range(0, len(rows), _BATCH):
        yield list(rows[start : start + _BATCH])
