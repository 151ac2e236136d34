"""Evidence turns of questions on very long chats (LoCoMo).

Each conversation gets a scope of its own, each message is one turn; benchmarks/README.md lists
the files.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from benchmarks.bm25 import Bm25
from benchmarks.data import add_data_argument
from benchmarks.metrics import Judged, judge, mean_scores
from benchmarks.opening import open_memory
from benchmarks.progress import progress_line, shown
from benchmarks.report import Report, Table, spread
from benchmarks.talks import (
    EXTRACTIONS,
    Loaded,
    Question,
    Talk,
    load_talk,
    read_talks,
    talks_digest,
)

if TYPE_CHECKING:
    from graphmem.models import Recall

__all__ = ["add_arguments", "run"]

# Deep enough that five sessions are found in nearly every ranking.
_DEPTH = 100
# Recalls that are timed in each conversation, with the limit that callers get by default.
_TIMED = 60
# Recalls before those, untimed.
_WARM = 60


@dataclass(slots=True)
class _Found:
    """What all conversations gave so far."""

    judged: dict[str, list[tuple[str, Judged]]] = field(default_factory=dict)
    recall_ms: list[float] = field(default_factory=list)
    whole_ms: list[float] = field(default_factory=list)
    turns: int = 0
    load_s: float = 0.0
    with_vectors_s: float = 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_data_argument(parser)
    parser.add_argument("--conversations", default="", help="names, separated by commas; all")
    parser.add_argument(
        "--extraction",
        choices=tuple(EXTRACTIONS),
        default="local",
        help="local: no model; the others: what the data holds is given",
    )
    parser.add_argument("--dump", type=Path, help="write each question's ranking as JSON Lines")


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load each conversation and ask its questions."""
    names = [name for name in chosen.conversations.split(",") if name]
    talks = read_talks(chosen.data, chosen.extraction, names)
    report.data_sha256 = talks_digest(chosen.data, chosen.extraction)
    found = _Found()
    dump = None if chosen.dump is None else chosen.dump.open("w", encoding="utf-8")
    try:
        with open_memory(report) as memory:
            for talk in talks:
                loaded = load_talk(
                    memory,
                    talk,
                    chosen.extraction,
                    scope=f"{memory.scope}/{talk.name}",
                    progress=progress_line(f"{talk.name}, turns"),
                )
                found.turns += len(talk.turns)
                found.load_s += loaded.load_s
                found.with_vectors_s += loaded.with_vectors_s
                _time(loaded, talk, found)
                _ask(loaded, talk, found, dump)
    finally:
        if dump is not None:
            dump.close()
    _tell(found, report)


def _time(loaded: Loaded, talk: Talk, found: _Found) -> None:
    memory = loaded.memory
    # Connections, plans and the server's compiled code are warm then. Other questions than the
    # timed ones, whose vectors would be remembered.
    for question in talk.questions[_TIMED : _TIMED + _WARM]:
        memory.recall(question.text)
    memory.recall("what was said first")
    for question in talk.questions[:_TIMED]:
        started = time.perf_counter()
        recall = memory.recall(question.text)
        whole_ms = (time.perf_counter() - started) * 1000
        found.whole_ms.append(whole_ms)
        found.recall_ms.append(whole_ms - recall.trace.timings_ms.get("embed", 0.0))


def _ask(loaded: Loaded, talk: Talk, found: _Found, dump: TextIO | None) -> None:
    session = talk.session
    bm25 = Bm25(list(session), talk.texts)
    for question in shown(talk.questions, f"{talk.name}, questions"):
        recall = loaded.memory.recall(question.text, limit=_DEPTH)
        rankings = {
            "graphmem": [loaded.ids[hit.turn.id] for hit in recall.turns],
            "bm25": bm25.rank(question.text, _DEPTH),
        }
        for system, ranked in rankings.items():
            scored = judge(ranked, question.evidence, session, question.category)
            found.judged.setdefault(system, []).append((talk.name, scored))
        if dump is not None:
            entry = _entry(talk, question, recall, loaded, rankings["bm25"])
            dump.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _entry(
    talk: Talk, question: Question, recall: Recall, loaded: Loaded, bm25: Sequence[str]
) -> dict[str, Any]:
    """Return a question with its ranking and what each score is made of."""
    return {
        "conv": talk.name,
        "question": question.text,
        "category": question.category,
        "gold": list(question.evidence),
        "ranked": [
            {
                "id": loaded.ids[hit.turn.id],
                "score": round(hit.score, 5),
                "parts": {part: round(value, 5) for part, value in hit.parts.items()},
                "cosine": None if hit.cosine is None else round(hit.cosine, 4),
            }
            for hit in recall.turns
        ],
        "facts": [
            {
                "text": hit.fact.text,
                "score": round(hit.score, 4),
                "turns": [loaded.ids[turn] for turn in hit.fact.turn_ids if turn in loaded.ids],
            }
            for hit in recall.facts
        ],
        "terms": list(recall.trace.terms),
        "bm25": list(bm25),
    }


def _tell(found: _Found, report: Report) -> None:
    for system, judged in found.judged.items():
        report.tables[system] = _by_category([one for _talk, one in judged])
    report.tables["milliseconds"] = {
        "recall": spread(found.recall_ms),
        "recall with embedding": spread(found.whole_ms),
    }
    report.tables["turns a second"] = {
        "into the graph": {"rate": _rate(found.turns, found.load_s), "turns": found.turns},
        "with their vectors": {"rate": _rate(found.turns, found.with_vectors_s)},
    }


def _by_category(judged: Sequence[Judged]) -> Table:
    categories = sorted({one.category for one in judged})
    rows = {
        category: _row([one for one in judged if one.category == category])
        for category in categories
    }
    return {**rows, "all": _row(judged)}


def _row(judged: Sequence[Judged]) -> dict[str, float | int | str | None]:
    return {**mean_scores(judged), "n": len(judged)}


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 1) if seconds else None
