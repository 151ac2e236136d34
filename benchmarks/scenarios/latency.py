"""How fast recall is at 1,000 to 100,000 turns, by part, beside the floor under any recall.

A made-up store (benchmarks/made_up.py) is loaded through `add_turns` with its extraction given
and made-up vectors, once for each size, the smaller ones first. Then questions go round the
scopes, each asked of graphmem and of the floor in turn: one statement with one vector and one
full-text search through a driver of its own (benchmarks/cypher/floor.cypher).
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.floor import Floor
from benchmarks.made_up import Asked, MadeUpEmbedder, MadeUpScope, scopes_of
from benchmarks.metrics import percentile
from benchmarks.opening import new_prefix, open_memory, server_figures
from benchmarks.progress import progress_line, shown
from benchmarks.report import Report, spread

if TYPE_CHECKING:
    from graphmem import GraphMemory

__all__ = ["add_arguments", "run"]

_PARTS = ("seeds", "graph", "evidence", "total")
_FOUND = 10
_BATCH = 500
# How many filtered answers of the small scope are counted, for each kind of filter.
_FILTERED = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this scenario."""
    parser.add_argument(
        "--sizes", default="1000,10000", help="turns in the store, separated by commas"
    )
    parser.add_argument("--scopes", type=int, default=20, help="the last one holds 1 %%")
    parser.add_argument("--recalls", type=int, default=240, help="timed ones of each size")
    parser.add_argument("--warm", type=int, default=120, help="untimed ones before them")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--prefix", default="", help="first part of the scopes' names: a store that can be found"
    )
    parser.add_argument(
        "--loaded",
        action="store_true",
        help="measure what an earlier run with this prefix, sizes and seed has loaded",
    )


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load and measure each size."""
    prefix = chosen.prefix or new_prefix()
    report.options = {**report.options, "prefix": prefix}
    embedder = MadeUpEmbedder()
    sizes = sorted(int(size) for size in chosen.sizes.split(","))
    medians: dict[int, float] = {}
    with (
        open_memory(report, embedder=embedder, prefix=prefix) as memory,
        Floor(memory.settings) as floor,
    ):
        for turns in sizes:
            scopes = scopes_of(turns, chosen.scopes, seed=chosen.seed)
            within = _Store(memory, f"{prefix}/{turns}", scopes)
            store: dict[str, Any] = {"turns": turns, "scopes": len(scopes)}
            if not chosen.loaded:
                store.update(within.load())
            measured = _measure(within, floor, embedder, chosen)
            store.update(within.counts(), links_of_the_server=floor.count_links())
            store.update(server_figures(memory.settings))
            report.tables[f"{turns} turns: milliseconds"] = measured.table()
            report.tables[f"{turns} turns: the scope with 1 %"] = _small_scope(within)
            report.tables[f"{turns} turns: store"] = {"": store}
            medians[turns] = percentile(measured.parts["total"], 50)
    for smaller, larger in itertools.pairwise(sizes):
        report.notes.append(
            f"p50 of a recall grows {medians[larger] / medians[smaller]:.2f} times from "
            f"{smaller} to {larger} turns"
        )


@dataclass(frozen=True, slots=True)
class _Store:
    """The scopes of one size in a memory."""

    memory: GraphMemory
    prefix: str
    scopes: Sequence[MadeUpScope]

    def name(self, scope: MadeUpScope) -> str:
        return f"{self.prefix}/{scope.name}"

    def scoped(self, scope: MadeUpScope) -> GraphMemory:
        return self.memory.scoped(self.name(scope))

    def load(self) -> dict[str, float]:
        """Add all turns; return the rates into the graph, and with all vectors."""
        total = sum(scope.turns for scope in self.scopes)
        tell = progress_line("loaded")
        started = time.perf_counter()
        done = 0
        for scope in self.scopes:
            before = done
            self.scoped(scope).add_turns(
                scope.drafts(),
                batch_size=_BATCH,
                progress=lambda turns, _of, before=before: tell(before + turns, total),  # type: ignore[misc] # bound at once
                wait=True,
            )
            done += scope.turns
        in_graph_s = time.perf_counter() - started
        waits = progress_line("scopes with all vectors")
        for place, scope in enumerate(self.scopes, start=1):
            self.scoped(scope).flush()
            waits(place, len(self.scopes))
        with_vectors_s = time.perf_counter() - started
        return {
            "turns_per_s": round(total / in_graph_s, 1),
            "turns_per_s_with_vectors": round(total / with_vectors_s, 1),
        }

    def counts(self) -> dict[str, int]:
        """Return nodes and links of all scopes, and nodes that still wait for a vector."""
        nodes: dict[str, int] = {}
        links = waiting = 0
        for scope in self.scopes:
            stats = self.scoped(scope).stats()
            for label, count in stats.nodes.items():
                nodes[label] = nodes.get(label, 0) + count
            links += sum(stats.relationships.values())
            waiting += sum(stats.without_vector.values())
        return {**nodes, "links": links, "without_vector": waiting}


@dataclass(slots=True)
class _Measured:
    """Milliseconds of each timed recall, and of the floor beside it."""

    parts: dict[str, list[float]] = field(default_factory=dict)
    found: int = 0
    asked: int = 0
    round_trips: int = 0

    def table(self) -> dict[str, dict[str, float | int | str | None]]:
        rows = {name: spread(values) for name, values in self.parts.items()}
        floor = percentile(self.parts["floor"], 50)
        for name in ("total", "floor"):
            rows[name]["to_floor"] = round(percentile(self.parts[name], 50) / floor, 2)
        rows["total"]["round_trips"] = self.round_trips
        rows["total"][f"found@{_FOUND}"] = round(self.found / self.asked, 3)
        return rows


def _measure(
    store: _Store, floor: Floor, embedder: MadeUpEmbedder, chosen: argparse.Namespace
) -> _Measured:
    """Ask round the scopes; the floor is asked before and after graphmem in turn."""
    each = -(-(chosen.warm + chosen.recalls) // len(store.scopes))
    by_scope = [(scope, scope.questions(each)) for scope in store.scopes]
    # One question of each scope after the other, as the users of one server ask.
    rounds = [(scope, asked[turn]) for turn in range(each) for scope, asked in by_scope]
    measured = _Measured({name: [] for name in (*_PARTS, "floor")})
    for place, (scope, asked) in enumerate(shown(rounds, "asked")):
        is_timed = place >= len(rounds) - chosen.recalls
        vector = embedder.vectors([asked.text])[0]
        times: dict[str, float] = {}
        if place % 2:
            times["floor"] = floor.ask(store.name(scope), asked, vector)
        times.update(_recall(store, scope, asked, measured if is_timed else None))
        if not place % 2:
            times["floor"] = floor.ask(store.name(scope), asked, vector)
        if is_timed:
            for name, values in measured.parts.items():
                values.append(times.get(name, 0.0))
    # Apart, so that what is timed has the limit that callers get by default.
    for scope, asked in rounds[-len(store.scopes) * 5 :]:
        recall = store.scoped(scope).recall(asked.text, limit=_FOUND)
        turns = [hit.turn.messages[0].content for hit in recall.turns if hit.turn.messages]
        number = int(asked.turn_key[1:])
        measured.found += next(scope.drafts(number))["question"] in turns
        measured.asked += 1
    return measured


def _recall(
    store: _Store, scope: MadeUpScope, asked: Asked, measured: _Measured | None
) -> dict[str, float]:
    trace = store.scoped(scope).recall(asked.text).trace
    if measured is not None:
        measured.round_trips = max(measured.round_trips, trace.round_trips)
    # The graph's side: what an embedder takes is not its matter.
    times = dict(trace.timings_ms)
    times["total"] -= times.pop("embed", 0.0)
    return times


def _small_scope(store: _Store) -> dict[str, dict[str, float | int | str | None]]:
    """Return how full the answers of the smallest scope are, by filter."""
    small = store.scopes[-1]
    memory = store.scoped(small)
    filters: dict[str, dict[str, Any]] = {
        "no filter": {},
        "agent": {"agent_id": "agent-0"},
        "project": {"project": "project-0"},
        "time": {"until": small.at(max(0, small.turns // 2))},
        "session": {"session_id": "s0"},
    }
    rows: dict[str, dict[str, float | int | str | None]] = {}
    for name, values in filters.items():
        answers = [
            len(memory.recall(asked.text, limit=_FOUND, **values).turns)
            for asked in small.questions(_FILTERED, salt=1)
        ]
        rows[name] = {"asked_for": _FOUND, "least": min(answers), "most": max(answers)}
    return rows
