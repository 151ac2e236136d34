"""Very long two-person chats, and questions whose evidence turns are known.

The folder holds `turns`, `questions` and, for facts made by a model, `observations`, each as
.jsonl or .jsonl.gz; benchmarks/README.md lists their fields. Each conversation gets a scope
of its own, each message is one turn.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from benchmarks.bm25 import Bm25
from benchmarks.metrics import judge
from benchmarks.report import Report

if TYPE_CHECKING:
    from graphmem import GraphMemory

__all__ = ["Conversation", "Extraction", "Question", "data_digest", "read_data", "run"]

Extraction = Literal["local", "observations"]

# Deep enough that five sessions are found in nearly every ranking.
_DEPTH = 100
# Recalls that are timed in each conversation, with the limit that callers get by default.
_TIMED = 60
# Recalls before those, untimed.
_WARM = 60


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns that answer it."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Conversation:
    """One chat: its turns in order, what a model learned of them, and what is asked."""

    name: str
    turns: list[Mapping[str, Any]] = field(default_factory=list)
    facts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)


def read_data(
    folder: Path, chosen: Sequence[str] = (), *, with_observations: bool = False
) -> list[Conversation]:
    """Return the conversations of a folder.

    Args:
        folder: Holds the files.
        chosen: Names of conversations; none = all.
        with_observations: Whether the facts are needed.

    Raises:
        SystemExit: A file is missing, or a chosen conversation is not there.
    """
    found: dict[str, Conversation] = {}
    for line in _lines(folder, "turns"):
        found.setdefault(line["conv"], Conversation(line["conv"])).turns.append(line)
    for line in _lines(folder, "observations") if with_observations else ():
        for turn in line["evidence"]:
            found[line["conv"]].facts.setdefault(turn, []).append(line)
    known = {name: {turn["id"] for turn in talk.turns} for name, talk in found.items()}
    for line in _lines(folder, "questions"):
        evidence = tuple(turn for turn in line["evidence"] if turn in known[line["conv"]])
        if evidence:
            category = str(line.get("category_name", line.get("category", "")))
            found[line["conv"]].questions.append(Question(line["question"], category, evidence))
    missing = [name for name in chosen if name not in found]
    if missing:
        raise SystemExit(f"no conversation {', '.join(missing)}; there are {', '.join(found)}")
    return [talk for name, talk in found.items() if not chosen or name in chosen]


def data_digest(folder: Path, *, with_observations: bool = False) -> str:
    """Return the SHA-256 of the content of the files that are used."""
    names = ["turns", "questions", *(["observations"] if with_observations else [])]
    whole = hashlib.sha256()
    for name in names:
        content = _content(folder, name)
        whole.update(f"{name}:{len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def run(
    memory: GraphMemory,
    conversations: Sequence[Conversation],
    extraction: Extraction,
    report: Report,
    *,
    prefix: str,
) -> None:
    """Load each conversation, ask its questions, and put what was found into `report`.

    Args:
        memory: Any scope of the store.
        conversations: What to load and ask.
        extraction: "local" = as graphmem does it without a model; "observations" = the
            data's facts are given.
        report: Filled.
        prefix: First part of the scopes' names.
    """
    for talk in conversations:
        scoped = memory.scoped(f"{prefix}/{talk.name}")
        started = time.perf_counter()
        receipts = scoped.add_turns(
            [_turn(talk, turn, extraction) for turn in talk.turns], wait=True
        )
        report.load_s += time.perf_counter() - started
        scoped.flush()
        report.load_with_vectors_s += time.perf_counter() - started
        report.turns += len(receipts)
        ids = {
            receipt.turn_id: str(turn["id"])
            for receipt, turn in zip(receipts, talk.turns, strict=True)
        }
        _ask(scoped, talk, ids, report)
        done = len(report.systems["graphmem"])
        print(f"{talk.name}: {len(receipts)} turns, {done} questions so far", flush=True)


def _ask(memory: GraphMemory, talk: Conversation, ids: Mapping[str, str], report: Report) -> None:
    session = {str(turn["id"]): str(turn["session"]) for turn in talk.turns}
    bm25 = Bm25(list(session), [f"{turn['speaker']}: {_text(turn)}" for turn in talk.turns])
    # Connections, plans and the server's compiled code are warm then. Other questions than the
    # timed ones, whose vectors would be remembered.
    for question in talk.questions[_TIMED : _TIMED + _WARM]:
        memory.recall(question.text)
    memory.recall("what was said first")
    # The times come first: afterwards the questions' vectors would be remembered.
    for question in talk.questions[:_TIMED]:
        started = time.perf_counter()
        found = memory.recall(question.text)
        whole_ms = (time.perf_counter() - started) * 1000
        report.recall_with_embedding_ms.append(whole_ms)
        report.recall_ms.append(whole_ms - found.trace.timings_ms.get("embed", 0.0))
    for question in talk.questions:
        found = memory.recall(question.text, limit=_DEPTH)
        rankings = {
            "graphmem": [ids[hit.turn.id] for hit in found.turns],
            "bm25": bm25.rank(question.text, _DEPTH),
        }
        for system, ranked in rankings.items():
            scored = judge(ranked, question.evidence, session, question.category)
            report.systems.setdefault(system, []).append(scored)


def _turn(talk: Conversation, turn: Mapping[str, Any], extraction: Extraction) -> dict[str, Any]:
    start = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC)
    values = {
        "question": _text(turn),
        "name": turn["speaker"],
        "session_id": f"{talk.name}/{turn['session']}",
        "turn_key": turn["id"],
        "at": start + timedelta(seconds=turn["pos"]),
    }
    if extraction == "observations":
        facts = talk.facts.get(turn["id"], [])
        values["extraction"] = {
            "summary": "",
            "facts": [{"text": fact["text"], "subject": fact["speaker"]} for fact in facts],
            "mentions": [turn["speaker"]],
        }
    return values


def _text(turn: Mapping[str, Any]) -> str:
    caption = turn.get("caption")
    return f"{turn['text']} [shares {caption}]".strip() if caption else str(turn["text"])


def _content(folder: Path, name: str) -> bytes:
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    if plain.is_file():
        return plain.read_bytes()
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    raise SystemExit(f"{folder} holds no {name}.jsonl or {name}.jsonl.gz; see benchmarks/README.md")


def _lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    for line in _content(folder, name).decode("utf-8").split("\n"):
        if line.strip():
            yield json.loads(line)
