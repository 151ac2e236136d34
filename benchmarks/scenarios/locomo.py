"""Evidence turns of questions on very long chats (LoCoMo).

Each conversation gets a scope of its own, each message is one turn; benchmarks/README.md lists
the files. With ``--tune`` the conversations by which the weights were chosen are told apart: the
tables without a mark hold the others.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from benchmarks.ablation import SHIPPED, Step, steps_of
from benchmarks.bm25 import Bm25
from benchmarks.data import add_data_argument, names_of
from benchmarks.metrics import Judged, judge, mean_scores
from benchmarks.opening import LOADED_BEFORE, add_prefix_argument, open_memory
from benchmarks.progress import progress_line, shown
from benchmarks.report import Cell, Report, Table, differences, spread
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
_MULTI_HOP = "multi-hop"
# The system that recalls in a graph whose communities narrow the walk.
_NARROWED = "graphmem, communities"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A judged question: of which conversation, and by what it was answered."""

    talk: str
    system: str
    judged: Judged


@dataclass(slots=True)
class _Found:
    """What all conversations gave so far; `steps` are the rows of the ablation."""

    asked: list[_Asked] = field(default_factory=list)
    steps: list[_Asked] = field(default_factory=list)
    recall_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sure: list[bool] = field(default_factory=list)
    turns: int = 0
    load_s: float = 0.0
    with_vectors_s: float = 0.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_data_argument(parser)
    add_prefix_argument(parser)
    parser.add_argument("--conversations", default="", help="names, separated by commas; all")
    parser.add_argument(
        "--tune", default="", help="names of those by which weights were chosen: told apart"
    )
    parser.add_argument(
        "--extraction",
        choices=tuple(EXTRACTIONS),
        default="local",
        help="local: no model; the others: what the data holds is given",
    )
    parser.add_argument(
        "--ablate",
        type=int,
        nargs="?",
        const=1,
        metavar="N",
        help="also ask every Nth question (each, without N) with the parts switched on in turn",
    )
    parser.add_argument(
        "--communities",
        action="store_true",
        help="also ask when the communities of each graph are found, which narrow the walk",
    )
    parser.add_argument("--dump", type=Path, help="write each question's ranking as JSON Lines")


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load each conversation and ask its questions."""
    talks = read_talks(chosen.data, chosen.extraction, names_of(chosen.conversations))
    tuned = _tuned(names_of(chosen.tune), talks)
    report.data_sha256 = talks_digest(chosen.data, chosen.extraction)
    found = _Found()
    dump = None if chosen.dump is None else chosen.dump.open("w", encoding="utf-8")
    try:
        with open_memory(report, prefix=chosen.prefix) as memory:
            for talk in talks:
                loaded = load_talk(
                    memory,
                    talk,
                    chosen.extraction,
                    scope=f"{memory.scope}/{talk.name}",
                    progress=progress_line(f"{talk.name}, turns"),
                )
                found.turns += loaded.created
                found.load_s += loaded.load_s
                found.with_vectors_s += loaded.with_vectors_s
                _time(loaded, talk, found)
                _ask(loaded, talk, found, dump)
                if chosen.communities:
                    _narrow(loaded, talk, found)
                if chosen.ablate is not None:
                    _ablate(loaded, talk, found, every=max(1, chosen.ablate))
    finally:
        if dump is not None:
            dump.close()
    _tell(found, tuned, report)


def _tuned(names: Sequence[str], talks: Sequence[Talk]) -> frozenset[str]:
    """Return which conversations the weights were chosen by; some others must be left."""
    there = {talk.name for talk in talks}
    missing = [name for name in names if name not in there]
    if missing:
        raise SystemExit(f"--tune names {', '.join(missing)}, which are not asked")
    if there <= set(names):
        raise SystemExit("--tune names every conversation: none is left to report on")
    return frozenset(names)


def _time(loaded: Loaded, talk: Talk, found: _Found, *, mark: str = "") -> None:
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
        embed_ms = recall.trace.timings_ms.get("embed", 0.0)
        found.recall_ms[f"recall{mark}"].append(whole_ms - embed_ms)
        if not mark:
            found.recall_ms["recall with embedding"].append(whole_ms)


def _ask(loaded: Loaded, talk: Talk, found: _Found, dump: TextIO | None) -> None:
    session = talk.session
    bm25 = Bm25(list(session), talk.texts)
    for question in shown(talk.questions, f"{talk.name}, questions"):
        recall = loaded.memory.recall(question.text, limit=_DEPTH)
        found.sure.append(recall.confident)
        rankings = {
            "graphmem": [loaded.ids[hit.turn.id] for hit in recall.turns],
            "bm25": bm25.rank(question.text, _DEPTH),
        }
        for system, ranked in rankings.items():
            judged = judge(ranked, question.evidence, session, question.category)
            found.asked.append(_Asked(talk.name, system, judged))
        if dump is not None:
            entry = _entry(talk, question, recall, loaded, rankings["bm25"])
            dump.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _narrow(loaded: Loaded, talk: Talk, found: _Found) -> None:
    """Find the communities, and ask and time the same again."""
    memory = loaded.memory
    memory.update_communities(rebuild=True)
    for question in shown(talk.questions, f"{talk.name}, communities"):
        recall = memory.recall(question.text, limit=_DEPTH)
        ranked = [loaded.ids[hit.turn.id] for hit in recall.turns]
        judged = judge(ranked, question.evidence, talk.session, question.category)
        found.asked.append(_Asked(talk.name, _NARROWED, judged))
    _time(loaded, talk, found, mark=", communities")


def _ablate(loaded: Loaded, talk: Talk, found: _Found, *, every: int) -> None:
    """Ask again with each step's settings, then put back those that shipped."""
    session, memory = talk.session, loaded.memory
    steps = steps_of(memory.settings)
    shipped = next(step for step in steps if step.name == SHIPPED)
    questions = talk.questions[::every]
    asked: list[tuple[Step, Question]] = [(step, one) for step in steps for one in questions]
    current: Step | None = None
    for step, question in shown(asked, f"{talk.name}, ablation"):
        if step is not current:
            memory.configure(**step.settings)
            current = step
        recall = memory.recall(question.text, limit=_DEPTH)
        ranked = [loaded.ids[hit.turn.id] for hit in recall.turns]
        judged = judge(ranked, question.evidence, session, question.category)
        found.steps.append(_Asked(talk.name, step.name, judged))
    memory.configure(**shipped.settings)


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


def _tell(found: _Found, tuned: frozenset[str], report: Report) -> None:
    reported = [one for one in found.asked if one.talk not in tuned]
    for part, asked in (("", reported), (", tune", [o for o in found.asked if o.talk in tuned])):
        for system in dict.fromkeys(one.system for one in asked):
            report.tables[system + part] = _by_category(_of(asked, system))
    report.tables["graphmem - bm25"] = differences(_of(reported, "graphmem"), _of(reported, "bm25"))
    if narrowed := _of(reported, _NARROWED):
        report.tables[f"{_NARROWED} - graphmem"] = differences(narrowed, _of(reported, "graphmem"))
    report.summary = {
        system: _headline(_of(reported, system))
        for system in dict.fromkeys(one.system for one in reported)
    }
    report.tables["conversations"] = _by_talk(found.asked, tuned)
    for part, steps in (
        ("", [one for one in found.steps if one.talk not in tuned]),
        (", tune", [one for one in found.steps if one.talk in tuned]),
    ):
        if steps:
            report.tables[f"ablation{part}"] = _by_step(steps)
    if found.sure:
        share = round(sum(found.sure) / len(found.sure), 4)
        report.tables["confident"] = {"all": {"share": share, "n": len(found.sure)}}
    report.tables["milliseconds"] = {name: spread(taken) for name, taken in found.recall_ms.items()}
    if found.turns:
        report.tables["turns a second"] = {
            "into the graph": {"rate": _rate(found.turns, found.load_s), "turns": found.turns},
            "with their vectors": {"rate": _rate(found.turns, found.with_vectors_s)},
        }
    elif found.asked:
        report.notes.append(LOADED_BEFORE)
    if tuned:
        report.notes.append(
            f"weights were chosen by {', '.join(sorted(tuned))}: tables without a mark hold the "
            "other conversations"
        )


def _of(asked: Sequence[_Asked], system: str) -> list[Judged]:
    return [one.judged for one in asked if one.system == system]


def _by_category(judged: Sequence[Judged]) -> Table:
    categories = sorted({one.category for one in judged})
    rows = {
        category: _row([one for one in judged if one.category == category])
        for category in categories
    }
    return {**rows, "all": _row(judged)}


def _row(judged: Sequence[Judged]) -> dict[str, Cell]:
    return {**mean_scores(judged), "n": len(judged)}


def _by_talk(asked: Sequence[_Asked], tuned: frozenset[str]) -> Table:
    table: dict[str, dict[str, Cell]] = {}
    for talk in dict.fromkeys(one.talk for one in asked):
        cells: dict[str, Cell] = {"part": "tune" if talk in tuned else "report"}
        for system in ("graphmem", "bm25"):
            means = mean_scores(_of([one for one in asked if one.talk == talk], system))
            for score in ("frac@10", "all@10"):
                cells[f"{system} {score}"] = means[score]
        table[talk] = cells
    return table


def _by_step(asked: Sequence[_Asked]) -> Table:
    """Return a row a step; changes are from the row before, and behind SHIPPED from that."""
    table: dict[str, dict[str, Cell]] = {}
    before: float | None = None
    for step in dict.fromkeys(one.system for one in asked):
        judged = _of(asked, step)
        found = mean_scores(judged)["frac@10"]
        change = None if before is None else round(found - before, 4)
        table[step] = {"change": change, **_headline(judged)}
        if SHIPPED not in table or step == SHIPPED:
            before = found
    return table


def _headline(judged: Sequence[Judged]) -> dict[str, Cell]:
    """Return the figures that systems are compared by; "hops" are the multi-hop questions."""
    means = mean_scores(judged)
    hops = mean_scores([one for one in judged if one.category == _MULTI_HOP])
    return {
        "frac@10": means["frac@10"],
        "all@10": means["all@10"],
        "session_any@5": means["session_any@5"],
        "session_all@5": means["session_all@5"],
        "hops all@10": hops.get("all@10"),
        "hops session_all@5": hops.get("session_all@5"),
        "n": len(judged),
    }


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 1) if seconds else None
