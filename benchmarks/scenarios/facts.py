"""How fast statements are admitted as facts, with the conflict pipeline on and off.

Made-up statements: a few subjects are spoken of often (Zipf), they move, change employers and
like many things; some things are said again, in the same words or in others. The same statements
go into one scope with the pipeline on and into another one with it off, chunk by chunk in turn, so
that both have the same machine. Once they are written with their vectors, once as a bulk load that
gets its vectors, and the decisions that need them, afterwards.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.made_up import MadeUpEmbedder
from benchmarks.opening import open_memory
from benchmarks.progress import progress_line
from benchmarks.report import Report

if TYPE_CHECKING:
    from graphmem import GraphMemory

__all__ = ["add_arguments", "run", "statements"]

_STARTED = datetime(2020, 1, 1, tzinfo=UTC)
# Turns of one transaction: below this number they are written with their vectors.
_WITH_VECTORS, _BULK = 16, 200
_CHUNK_TURNS = 200
# Turns that come one by one, to count what each of them asks.
_ALONE = 50
_MODES = ("on", "off")
# The zones that Graphorin states: nobody has measured any for made-up vectors.
_ZONES = {"hot": 0.95, "near_dup": 0.85, "cold": 0.4}
_SAID_AGAIN, _IN_OTHER_WORDS = 0.15, 0.1
_KINDS = (
    ("lives in", "resides in", 400, 0.2),
    ("works at", "is employed by", 300, 0.15),
    ("reports to", "works under", 200, 0.1),
    ("likes", "enjoys", 500, 0.3),
    ("repairs", "mends", 500, 0.25),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this scenario."""
    parser.add_argument("--facts", type=int, default=5000, help="statements, for each mode")
    parser.add_argument("--subjects", type=int, default=500)
    parser.add_argument("--facts-a-turn", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Admit the statements in both modes, with vectors and as a bulk load."""
    turns = list(_turns(chosen))
    with open_memory(report, embedder=MadeUpEmbedder()) as memory:
        memory.configure(conflict_thresholds=_ZONES)
        # What is planned once a process is planned in neither scope.
        for mode in _MODES:
            _write(memory, f"warm-{mode}", mode, turns[:_CHUNK_TURNS], _WITH_VECTORS)
            _write(memory, f"warm-bulk-{mode}", mode, turns[:_CHUNK_TURNS], _BULK)
        ready = _in_turn(memory, "ready", turns, _WITH_VECTORS)
        bulk = _in_turn(memory, "bulk", turns, _BULK)
        waiting = _unchecked(memory, "bulk-on")
        late = {mode: _flush(memory, f"bulk-{mode}", mode) for mode in _MODES}
        decided = {mode: bulk[mode] + late[mode] for mode in _MODES}
        report.tables["facts a second"] = {
            "with their vectors": _rates(ready, chosen.facts),
            "bulk, into the graph": _rates(bulk, chosen.facts),
            "bulk, until all is decided": _rates(decided, chosen.facts),
        }
        report.tables["decided anew when their vectors came"] = {
            "facts of the bulk load": _late(waiting, late)
        }
        report.tables["a turn alone"] = {
            mode: _asked(memory, f"alone-{mode}", mode, turns[:_ALONE]) for mode in _MODES
        }
        report.tables["decisions, pipeline on"] = {
            way: _decisions(memory, f"{way}-on") for way in ("ready", "bulk")
        }
    report.notes.append(
        f"cost is the time with the pipeline on to the time with it off; {chosen.facts_a_turn} "
        f"statements a turn, {_WITH_VECTORS} turns a transaction with vectors, {_BULK} in bulk"
    )


def statements(count: int, subjects: int, *, seed: int) -> list[tuple[str, str, str]]:
    """Return made-up triples in the order in which they are told.

    Args:
        count: How many.
        subjects: Names that they are about, the first ones more often by a Zipf law.
        seed: Another seed, other statements.
    """
    rng = np.random.default_rng(seed)
    weights = 1.0 / np.arange(1, subjects + 1)
    about = rng.choice(subjects, size=count, p=weights / weights.sum())
    shares = [share for *_, share in _KINDS]
    told: list[tuple[str, str, str]] = []
    for subject in about:
        if told and rng.random() < _SAID_AGAIN + _IN_OTHER_WORDS:
            again = told[int(rng.integers(max(0, len(told) - 200), len(told)))]
            is_same = rng.random() < _SAID_AGAIN / (_SAID_AGAIN + _IN_OTHER_WORDS)
            told.append(again if is_same else _in_other_words(again))
            continue
        predicate, _, objects, _ = _KINDS[int(rng.choice(len(_KINDS), p=shares))]
        said = f"{predicate.split()[0].title()}{int(rng.integers(objects))}"
        told.append((f"Person {subject}", predicate, said))
    return told


def _in_other_words(told: tuple[str, str, str]) -> tuple[str, str, str]:
    subject, predicate, end = told
    other = {one: two for one, two, *_ in _KINDS} | {two: one for one, two, *_ in _KINDS}
    return subject, other[predicate], end


def _turns(chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    told = statements(chosen.facts, chosen.subjects, seed=chosen.seed)
    for number, start in enumerate(range(0, len(told), chosen.facts_a_turn)):
        facts = told[start : start + chosen.facts_a_turn]
        yield {
            "question": f"number {number}",
            "turn_key": f"t{number}",
            "at": _STARTED + timedelta(hours=number),
            "extraction": {"summary": f"Number {number}.", "triples": [list(one) for one in facts]},
        }


def _in_turn(
    memory: GraphMemory, way: str, turns: Sequence[dict[str, Any]], batch: int
) -> dict[str, float]:
    """Return the seconds of each mode; they take turns, and turns at going first."""
    seconds = dict.fromkeys(_MODES, 0.0)
    tell = progress_line(f"{way}: turns written")
    for number, start in enumerate(range(0, len(turns), _CHUNK_TURNS)):
        chunk = turns[start : start + _CHUNK_TURNS]
        for mode in _MODES[:: -1 if number % 2 else 1]:
            seconds[mode] += _write(memory, f"{way}-{mode}", mode, chunk, batch)
        tell(start + len(chunk), len(turns))
    return seconds


def _write(
    memory: GraphMemory, name: str, mode: str, turns: Sequence[dict[str, Any]], batch: int
) -> float:
    memory.configure(conflict_mode=mode)
    scoped = memory.scoped(f"{memory.scope}/{name}")
    started = time.perf_counter()
    # A call for each batch: the queue would join small ones to a bulk load.
    for start in range(0, len(turns), batch):
        scoped.add_turns(turns[start : start + batch], batch_size=batch, wait=True)
    return time.perf_counter() - started


def _flush(memory: GraphMemory, name: str, mode: str) -> float:
    memory.configure(conflict_mode=mode)
    scoped = memory.scoped(f"{memory.scope}/{name}")
    started = time.perf_counter()
    scoped.backfill_vectors(progress=progress_line(f"{name}: vectors"))
    return time.perf_counter() - started


def _unchecked(memory: GraphMemory, name: str) -> int:
    return memory.scoped(f"{memory.scope}/{name}").stats().undecided.get("unchecked", 0)


def _late(waiting: int, seconds: dict[str, float]) -> dict[str, float | int | str | None]:
    """Return the rate of deciding anew: what vectors and links cost stands in the other mode."""
    spent = seconds["on"] - seconds["off"]
    rate = round(waiting / spent, 1) if waiting and spent > 0 else None
    return {"facts": waiting, "facts a second": rate, "seconds": round(spent, 2)}


def _asked(
    memory: GraphMemory, name: str, mode: str, turns: Sequence[dict[str, Any]]
) -> dict[str, float | int | str | None]:
    """Return what a turn that comes alone asks the server, from the call to the last vector."""
    scoped = memory.scoped(f"{memory.scope}/{name}")
    # The sweep of a scope that is new to this process is none of a turn.
    scoped.flush()
    count = memory._inner._engine.db.count  # noqa: SLF001 - nobody else needs to count them
    before = count.copy()
    _write(memory, name, mode, turns, 1)
    spent = count.since(before)
    each = {
        "reads": spent.reads,
        "write transactions": spent.writes,
        "statements in them": spent.write_statements,
    }
    return {what: round(number / len(turns), 2) for what, number in each.items()}


def _rates(seconds: dict[str, float], facts: int) -> dict[str, float | int | str | None]:
    rates: dict[str, float | int | str | None] = {
        mode: round(facts / seconds[mode], 1) for mode in _MODES
    }
    return {**rates, "cost": round(seconds["on"] / seconds["off"], 2), "statements": facts}


def _decisions(memory: GraphMemory, name: str) -> dict[str, float | int | str | None]:
    decisions = memory.scoped(f"{memory.scope}/{name}").semantic.conflicts(limit=10**6)
    counts: Counter[str] = Counter(str(one.kind) for one in decisions)
    return {kind: counts[kind] for kind in ("admit", "dedup", "supersede", "pending")}
