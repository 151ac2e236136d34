"""What upkeep of a large scope takes, and whether consolidation finds the right duplicates.

Made-up facts about Terms, five a turn, go into one scope with the conflict pipeline off, so that
what it would have kept out is there: near-duplicates (a fact in other words: one word is exchanged)
and lookalikes (the same words with another number), which are none. Then duplicates are
consolidated, what was never used decays and is taken back, and orphans are cleaned. Communities are
found by each engine in a scope of their own, among made-up names.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from benchmarks.communities import PlantedTerms, measure_communities
from benchmarks.floor import server_driver
from benchmarks.made_up import MadeUpEmbedder
from benchmarks.opening import add_prefix_argument, open_memory, server_figures
from benchmarks.progress import progress_line
from benchmarks.report import Cell, Report

if TYPE_CHECKING:
    from graphmem import GraphMemory

__all__ = ["Planted", "add_arguments", "planted", "run"]

T = TypeVar("T")

_STARTED = datetime(2026, 1, 1, tzinfo=UTC)
_FACTS_A_TURN = 5
_FACTS_A_TAG = 40
_BATCH = 200
_SYLLABLES = [a + b for a in "bdfgklmnprstvwx" for b in "aeiou"]


@dataclass(frozen=True, slots=True)
class Planted:
    """A made-up fact.

    Attributes:
        text: What it says.
        subject: The Term it is about.
        object: The Term at its other end.
        tag: A label that leads to it.
        doubles: The text of the fact that it says again, "" where it says its own.
    """

    text: str
    subject: str
    object: str
    tag: str
    doubles: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this scenario."""
    parser.add_argument("--facts", type=int, default=100_000, help="0 = communities alone")
    parser.add_argument("--duplicates", type=float, default=0.05, help="share of near-duplicates")
    parser.add_argument("--lookalikes", type=float, default=0.05, help="share of lookalikes")
    parser.add_argument("--terms", type=int, default=100_000, help="names for communities")
    parser.add_argument("--links", type=int, default=300_000, help="pairs of them told of")
    parser.add_argument("--seed", type=int, default=7)
    add_prefix_argument(parser)


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load the facts, and time each operation of upkeep."""
    facts = planted(
        chosen.facts, duplicates=chosen.duplicates, lookalikes=chosen.lookalikes, seed=chosen.seed
    )
    with open_memory(report, embedder=MadeUpEmbedder(), prefix=chosen.prefix) as memory:
        # What the pipeline keeps out would not be there to be found, and nothing may run beside.
        memory.configure(conflict_mode="off", maintenance_interval=0)
        if not chosen.prefix:
            _load(memory, facts)
        stats = memory.stats()
        report.tables["the graph"] = {
            "nodes": {str(label): count for label, count in stats.nodes.items()},
            "relationships": {str(kind): count for kind, count in stats.relationships.items()},
        }
        if facts:
            report.tables["seconds"] = _operations(memory, facts, report)
        names = memory.scoped(f"{memory.scope}/names")
        with server_driver(memory.settings) as driver:
            terms = PlantedTerms(driver, names.scope, terms=chosen.terms, seed=chosen.seed)
            if not chosen.prefix:
                terms.write()
                terms.link(chosen.links)
            report.tables["communities, seconds"] = measure_communities(
                names, terms, links=chosen.links
            )
        if figures := server_figures(memory.settings):
            report.tables["the server"] = {"afterwards": dict(figures)}
    report.summary = {
        **report.tables.get("seconds", {}),
        **{
            f"communities, {case}": {"seconds": row["total"], "names": row["terms"]}
            for case, row in report.tables["communities, seconds"].items()
        },
    }
    if facts:
        report.summary["duplicates"] = report.tables["duplicates"]["consolidation"]
        report.notes.append(
            f"{chosen.facts:,} facts of which {chosen.duplicates:.0%} say another one again and "
            f"{chosen.lookalikes:.0%} only look so; rows/s are facts a second"
        )


def planted(count: int, *, duplicates: float, lookalikes: float, seed: int) -> list[Planted]:
    """Return made-up facts in the order in which they are told.

    Args:
        count: How many.
        duplicates: Share that says another one again with one word of ten exchanged.
        lookalikes: Share that says the same of another number.
        seed: Another seed, other facts.
    """
    rng = np.random.default_rng(seed)
    told: list[Planted] = []
    own: list[Planted] = []
    # Of one turn the same triple is one fact, whatever its words.
    fresh: list[Planted] = []
    names = max(2, count // 2)
    while len(told) < count:
        if len(told) % _FACTS_A_TURN == 0:
            own += fresh
            fresh.clear()
        kind = rng.random()
        if own and kind < duplicates + lookalikes:
            fact = own.pop(int(rng.integers(len(own))))
            words = fact.text.split()
            if kind < duplicates:
                words[4] = _word(rng)
                told.append(
                    Planted(" ".join(words), fact.subject, fact.object, fact.tag, fact.text)
                )
            else:
                words[-1] = str(int(words[-1]) + 1)
                told.append(Planted(" ".join(words), fact.subject, fact.object, fact.tag))
            continue
        # Subjects follow a Zipf law; objects are drawn evenly.
        subject = f"Person {min(int(rng.zipf(1.3)), names)}"
        end = f"Thing {int(rng.integers(names))}"
        told_of = " ".join(_word(rng) for _ in range(8))
        text = f"{subject} {told_of} {end} no {int(rng.integers(10_000))}"
        tag = f"topic {int(rng.integers(max(1, count // _FACTS_A_TAG)))}"
        fact = Planted(text, subject, end, tag)
        told.append(fact)
        fresh.append(fact)
    return told


def _word(rng: np.random.Generator) -> str:
    return "".join(_SYLLABLES[int(place)] for place in rng.integers(len(_SYLLABLES), size=4))


def _load(memory: GraphMemory, facts: list[Planted]) -> None:
    turns = [
        {
            "question": f"number {number}",
            "turn_key": f"t{number}",
            "at": _STARTED + timedelta(seconds=number),
            "extraction": {
                "summary": f"Number {number}.",
                "facts": [
                    {
                        "text": fact.text,
                        "subject": fact.subject,
                        "predicate": "concerns",
                        "object": fact.object,
                        "tags": [fact.tag],
                    }
                    for fact in facts[start : start + _FACTS_A_TURN]
                ],
            },
        }
        for number, start in enumerate(range(0, len(facts), _FACTS_A_TURN))
    ]
    memory.add_turns(turns, batch_size=_BATCH, progress=progress_line("turns"), wait=True)
    memory.backfill_vectors(progress=progress_line("vectors"))
    memory.flush()


def _operations(
    memory: GraphMemory, facts: list[Planted], report: Report
) -> dict[str, dict[str, Cell]]:
    count = len(facts)
    rows: dict[str, dict[str, Cell]] = {}
    merged, seconds = _timed(lambda: memory.consolidate_semantics(mode="deprecate"))
    rows["consolidation"] = _row(seconds, count, deprecated=merged.deprecated)
    report.tables["duplicates"] = {"consolidation": _quality(memory, facts)}
    preview, seconds = _timed(lambda: memory.decay_nodes(dry_run=True))
    rows["decay, dry run"] = _row(seconds, count, deleted=preview.deleted)
    decayed, seconds = _timed(lambda: memory.decay_nodes(threshold=0.31))
    rows["decay of all that was never used"] = _row(seconds, count, deleted=decayed.deleted)
    undone, seconds = _timed(lambda: memory.undo(decayed.run_id))
    rows["undo of that"] = _row(seconds, count, restored=undone.restored)
    orphans, seconds = _timed(memory.clean_orphans)
    rows["orphans"] = _row(seconds, count, deleted=orphans.deleted)
    return rows


def _quality(memory: GraphMemory, facts: list[Planted]) -> dict[str, Cell]:
    """Return the share of planted duplicates that was found, and how many others went."""
    left = {fact.text for fact in memory.semantic.list(limit=10**7, status="active")}
    away = {fact.text for fact in memory.semantic.list(limit=10**7, status="deprecated")}
    # By chance a turn states the same triple twice: that is one fact from the beginning.
    stored = left | away
    facts = [fact for fact in facts if fact.text in stored]
    pairs = [(fact.text, fact.doubles) for fact in facts if fact.doubles]
    found = sum((text in left) != (double in left) for text, double in pairs)
    paired = {text for pair in pairs for text in pair}
    wrong = sum(fact.text not in left and fact.text not in paired for fact in facts)
    both = sum(text not in left and double not in left for text, double in pairs)
    return {
        "planted": len(pairs),
        "found": round(found / max(1, len(pairs)), 4),
        "wrong merges": wrong + both,
    }


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    done = work()
    return done, time.perf_counter() - started


def _row(seconds: float, count: int, **cells: int) -> dict[str, Cell]:
    return {"seconds": round(seconds, 2), "rows/s": round(count / seconds), **cells}
