"""Questions whose evidence is a whole session: loaded, asked, and judged by sessions.

Every message, or pair of a user's message and its answer, is a turn. The sessions stand in the
order of their first turn in the ranking. Beside them BM25 ranks the sessions, each as one text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.bm25 import Bm25
from benchmarks.metrics import Judged, judge_sessions, mean_scores, sessions_of
from benchmarks.opening import LOADED_BEFORE
from benchmarks.progress import progress_line, shown
from benchmarks.report import differences

if TYPE_CHECKING:
    from benchmarks.report import Report, Table
    from graphmem import GraphMemory

__all__ = ["Found", "Haystack", "Question", "Session", "ask", "tell"]

# Turns that are asked for: ten sessions are found in nearly every ranking then.
_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the sessions that answer it; none where nothing does."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A session: its turns as `add_turns` takes them, and its text for BM25."""

    id: str
    turns: tuple[Mapping[str, Any], ...]
    text: str


@dataclass(slots=True)
class Haystack:
    """Sessions that are searched together, and what is asked of them."""

    name: str
    sessions: list[Session] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


@dataclass(slots=True)
class Found:
    """What was found so far.

    Attributes:
        judged: By system; only questions that some session answers.
        sure: Whether the recall called itself confident, by whether a session answers.
        turns: In the store.
        created: Those of them that were not there before.
        sessions: In the store.
    """

    judged: dict[str, list[Judged]] = field(default_factory=dict)
    sure: dict[bool, list[bool]] = field(default_factory=dict)
    turns: int = 0
    created: int = 0
    sessions: int = 0


def ask(memory: GraphMemory, haystack: Haystack, found: Found) -> None:
    """Load a haystack into a scope of its own, and ask its questions."""
    scoped = memory.scoped(f"{memory.scope}/{haystack.name}")
    turns = [
        {**turn, "session_id": session.id}
        for session in haystack.sessions
        for turn in session.turns
    ]
    receipts = scoped.add_turns(turns, wait=True, progress=progress_line(f"{haystack.name}, turns"))
    scoped.flush()
    found.created += sum(receipt.created for receipt in receipts)
    found.turns += len(turns)
    found.sessions += len(haystack.sessions)
    bm25 = Bm25([one.id for one in haystack.sessions], [one.text for one in haystack.sessions])
    for question in shown(haystack.questions, f"{haystack.name}, questions"):
        recall = scoped.recall(question.text, limit=_DEPTH)
        found.sure.setdefault(bool(question.evidence), []).append(recall.confident)
        if not question.evidence:
            continue
        session = {hit.turn.id: hit.turn.session_id for hit in recall.turns}
        rankings = {
            "graphmem": sessions_of(list(session), session),
            "bm25": bm25.rank(question.text, len(haystack.sessions)),
        }
        for system, ranked in rankings.items():
            judged = judge_sessions(ranked, question.evidence, question.category)
            found.judged.setdefault(system, []).append(judged)


def tell(found: Found, report: Report) -> None:
    """Put what was found into the report."""
    for system, judged in found.judged.items():
        report.tables[system] = _by_category(judged)
    report.summary = {system: report.tables[system]["all"] for system in found.judged}
    report.tables["graphmem - bm25"] = differences(found.judged["graphmem"], found.judged["bm25"])
    report.tables["confident"] = {
        "answered by a session" if has_evidence else "answered by none": {
            "share": round(sum(sure) / len(sure), 4),
            "n": len(sure),
        }
        for has_evidence, sure in sorted(found.sure.items(), reverse=True)
    }
    if found.created < found.turns:
        report.notes.append(LOADED_BEFORE)
    report.tables["loaded"] = {"all": {"sessions": found.sessions, "turns": found.turns}}


def _by_category(judged: Sequence[Judged]) -> Table:
    table = {}
    for category in sorted({one.category for one in judged}):
        chosen = [one for one in judged if one.category == category]
        table[category] = {**mean_scores(chosen), "n": len(chosen)}
    table["all"] = {**mean_scores(judged), "n": len(judged)}
    return table
