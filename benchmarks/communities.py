"""Communities over a made-up graph of names: how long each engine takes, and what it finds.

The names have planted communities of about twenty; nine of ten links stay inside. Half of the
links come from facts, half from turns that mention three names each.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.floor import read_statement
from benchmarks.report import Cell

if TYPE_CHECKING:
    from neo4j import Driver

    from graphmem import GraphMemory
    from graphmem.communities import CommunityEngine

__all__ = ["measure_communities", "plant_terms"]

_GROUP = 20
_INSIDE = 0.9
_BATCH = 5000
_NAMES_A_TURN = 3


def plant_terms(driver: Driver, scope: str, *, terms: int, links: int, seed: int) -> float:
    """Write names with links between them into a scope; return the seconds.

    Args:
        driver: At the server of the memory.
        scope: Where; it must be empty.
        terms: How many names.
        links: How many pairs of them are told of together.
        seed: Of the random numbers.
    """
    started = time.perf_counter()
    dice = random.Random(seed)
    keys = [f"n{number:07}" for number in range(terms)]
    # The order of the names does not tell what belongs together.
    dice.shuffle(keys)
    by_turns = links // 2
    turns = [_told(dice, keys, _NAMES_A_TURN) for _ in range(by_turns // _NAMES_A_TURN)]
    facts = [_told(dice, keys, 2) for _ in range(links - by_turns)]
    for rows in _batches(keys):
        driver.execute_query(read_statement("plant_terms"), scope=scope, rows=rows)
    for name, told in (("turns", turns), ("facts", facts)):
        numbered = [{"id": f"{name}-{place}", "keys": keys} for place, keys in enumerate(told)]
        for rows in _batches(numbered):
            driver.execute_query(read_statement(f"plant_{name}"), scope=scope, rows=rows)
    return time.perf_counter() - started


def measure_communities(
    memory: GraphMemory, engines: Sequence[CommunityEngine] = ("gds", "python")
) -> dict[str, dict[str, Cell]]:
    """Find all communities of a scope anew by each engine; return a row each.

    The first of the runs also writes them; the others find them there.
    """
    rows: dict[str, dict[str, Cell]] = {}
    # The library's client takes more than a second to import, once.
    memory.scoped(f"{memory.scope}/warm").update_communities(rebuild=True)
    for engine in engines:
        started = time.perf_counter()
        report = memory.update_communities(rebuild=True, engine=engine)
        rows[engine] = {
            # With the library the copy is part of "propagate", without it of "read".
            **{step: round(seconds, 2) for step, seconds in report.seconds.items()},
            "total": round(time.perf_counter() - started, 2),
            "terms": report.terms,
            "communities": report.communities,
            "moved": report.moved,
            "rounds": report.rounds,
        }
    return rows


def _told(dice: random.Random, keys: Sequence[str], names: int) -> list[str]:
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
