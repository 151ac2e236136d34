"""How much evidence stands in the block for a prompt, by its size (LoCoMo).

Each question is asked once; the packets of all sizes are made of that answer, cut to each limit,
so that they differ by their size alone. A turn counts as kept when it is there whole.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.data import add_data_argument, names_of
from benchmarks.metrics import percentile
from benchmarks.opening import open_memory
from benchmarks.progress import progress_line, shown
from benchmarks.report import Cell, Report, Table
from benchmarks.talks import (
    EXTRACTIONS,
    Loaded,
    Question,
    load_talk,
    read_talks,
    talks_digest,
)

if TYPE_CHECKING:
    from graphmem.models import Recall

__all__ = ["add_arguments", "run"]

_SIZES = "300,500,700,1000,2000"
_LIMITS = "20,30,40,100"


@dataclass(frozen=True, slots=True)
class _Made:
    """A packet: of which conversation, limit and size, and what is in it."""

    talk: str
    limit: int
    size: int
    whole: float
    part: float
    told: float
    turns: int
    tokens: int


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_data_argument(parser)
    parser.add_argument("--conversations", default="", help="names, separated by commas; all")
    parser.add_argument(
        "--tune", default="", help="names of those by which anything was chosen: told apart"
    )
    parser.add_argument("--extraction", choices=tuple(EXTRACTIONS), default="local")
    parser.add_argument("--sizes", default=_SIZES, help=f"tokens of a packet; {_SIZES}")
    parser.add_argument("--limits", default=_LIMITS, help=f"turns of the answer; {_LIMITS}")


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load each conversation, ask its questions, and look into the packets."""
    talks = read_talks(chosen.data, chosen.extraction, names_of(chosen.conversations))
    report.data_sha256 = talks_digest(chosen.data, chosen.extraction)
    sizes, limits = _numbers(chosen.sizes), _numbers(chosen.limits)
    made: list[_Made] = []
    with open_memory(report) as memory:
        report.versions = {**report.versions, "tokenizer": memory.doctor().tokenizer}
        for talk in talks:
            loaded = load_talk(
                memory,
                talk,
                chosen.extraction,
                scope=f"{memory.scope}/{talk.name}",
                progress=progress_line(f"{talk.name}, turns"),
            )
            for question in shown(talk.questions, f"{talk.name}, questions"):
                recall = loaded.memory.recall(question.text, limit=max(limits))
                made += _packets(
                    loaded, question, recall, sizes=sizes, limits=limits, talk=talk.name
                )
    tuned = set(names_of(chosen.tune))
    for part, found in (
        ("", [one for one in made if one.talk not in tuned]),
        (", tune", [one for one in made if one.talk in tuned]),
    ):
        for limit in limits if found else ():
            rows = [one for one in found if one.limit == limit]
            report.tables[f"limit {limit}{part}"] = _by_size(rows, sizes)


def _packets(
    loaded: Loaded,
    question: Question,
    recall: Recall,
    *,
    sizes: Sequence[int],
    limits: Sequence[int],
    talk: str,
) -> list[_Made]:
    gold = set(question.evidence)
    stated = {hit.fact.id: hit.fact.turn_ids for hit in recall.facts}
    made = []
    for limit in limits:
        shorter = recall.model_copy(update={"turns": recall.turns[:limit]})
        for size in sizes:
            packet = shorter.packet(size)
            there = {loaded.ids[turn] for turn in packet.turn_ids}
            whole = there - {loaded.ids[turn] for turn in packet.cut_turn_ids}
            told = {loaded.ids.get(turn) for fact in packet.fact_ids for turn in stated[fact]}
            made.append(
                _Made(
                    talk,
                    limit,
                    size,
                    whole=len(gold & whole) / len(gold),
                    part=len(gold & there) / len(gold),
                    told=len(gold & (there | told)) / len(gold),
                    turns=len(packet.turn_ids),
                    tokens=packet.tokens,
                )
            )
    return made


def _by_size(made: Sequence[_Made], sizes: Sequence[int]) -> Table:
    largest = _mean([one.whole for one in made if one.size == max(sizes)])
    table: dict[str, dict[str, Cell]] = {}
    for size in sizes:
        rows = [one for one in made if one.size == size]
        whole = _mean([one.whole for one in rows])
        tokens = [one.tokens for one in rows]
        table[str(size)] = {
            "kept": round(whole, 4),
            f"of {max(sizes)}": round(whole / largest, 4) if largest else None,
            "with cut": round(_mean([one.part for one in rows]), 4),
            "with facts": round(_mean([one.told for one in rows]), 4),
            "turns": round(_mean([one.turns for one in rows]), 1),
            "tokens p50": percentile(tokens, 50),
            "tokens p95": percentile(tokens, 95),
            "n": len(rows),
        }
    return table


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _numbers(told: str) -> list[int]:
    return sorted(int(name) for name in names_of(told))
