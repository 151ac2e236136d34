"""Very long two-person chats (LoCoMo): their files, and how they come into a memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.data import data_digest, read_lines

if TYPE_CHECKING:
    from graphmem import GraphMemory

__all__ = ["EXTRACTIONS", "Loaded", "Question", "Talk", "load_talk", "read_talks", "talks_digest"]

# What is given with each turn, by the name of the choice, and the files that it is made of.
EXTRACTIONS: Mapping[str, tuple[str, ...]] = {
    "local": (),
    "observations": ("observations",),
    "entities": ("turn_entities_gpt35",),
    "observations+entities": ("observations", "turn_entities_gpt35"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns that answer it."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Talk:
    """One chat.

    Attributes:
        name: Of the conversation.
        turns: In order.
        facts: What a model learned, by turn.
        names: What a model found mentioned, by turn.
        questions: Those whose evidence is known.
    """

    name: str
    turns: list[Mapping[str, Any]] = field(default_factory=list)
    facts: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)

    @property
    def session(self) -> dict[str, str]:
        """The session of each turn."""
        return {str(turn["id"]): str(turn["session"]) for turn in self.turns}

    @property
    def texts(self) -> list[str]:
        """Each turn as "speaker: text"."""
        return [f"{turn['speaker']}: {_text(turn)}" for turn in self.turns]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A chat in a memory.

    Attributes:
        memory: In the scope of the chat.
        ids: The data's id by the id of graphmem's turn.
        created: Turns that were not there before.
        load_s: Until all turns were extracted and in the graph.
        with_vectors_s: Until all nodes had their vectors too.
    """

    memory: GraphMemory
    ids: Mapping[str, str]
    created: int
    load_s: float
    with_vectors_s: float


def read_talks(folder: Path, extraction: str = "local", chosen: Sequence[str] = ()) -> list[Talk]:
    """Return the conversations of a folder.

    Args:
        folder: Holds the files.
        extraction: A key of EXTRACTIONS.
        chosen: Names of conversations; none = all.

    Raises:
        SystemExit: A file is missing, or a chosen conversation is not there.
    """
    files = EXTRACTIONS[extraction]
    found: dict[str, Talk] = {}
    for line in read_lines(folder, "turns"):
        found.setdefault(line["conv"], Talk(line["conv"])).turns.append(line)
    for line in read_lines(folder, "observations") if "observations" in files else ():
        for turn in line["evidence"]:
            found[line["conv"]].facts.setdefault(turn, []).append(line)
    entities = "turn_entities_gpt35"
    for line in read_lines(folder, entities) if entities in files else ():
        found[line["conv"]].names[line["id"]] = [str(name) for name, _kind in line["entities"]]
    known = {name: {turn["id"] for turn in talk.turns} for name, talk in found.items()}
    for line in read_lines(folder, "questions"):
        evidence = tuple(turn for turn in line["evidence"] if turn in known[line["conv"]])
        if evidence:
            category = str(line.get("category_name", line.get("category", "")))
            found[line["conv"]].questions.append(Question(line["question"], category, evidence))
    missing = [name for name in chosen if name not in found]
    if missing:
        raise SystemExit(f"no conversation {', '.join(missing)}; there are {', '.join(found)}")
    return [talk for name, talk in found.items() if not chosen or name in chosen]


def talks_digest(folder: Path, extraction: str = "local") -> str:
    """Return the SHA-256 of the content of the files that are used."""
    return data_digest(folder, ["turns", "questions", *EXTRACTIONS[extraction]])


def load_talk(
    memory: GraphMemory,
    talk: Talk,
    extraction: str,
    *,
    scope: str,
    progress: Callable[[int, int | None], None] | None = None,
) -> Loaded:
    """Put a chat into a scope, each message as one turn, and wait for its vectors."""
    scoped = memory.scoped(scope)
    started = time.perf_counter()
    receipts = scoped.add_turns(
        [_turn(talk, turn, extraction) for turn in talk.turns], wait=True, progress=progress
    )
    load_s = time.perf_counter() - started
    scoped.flush()
    ids = {
        receipt.turn_id: str(turn["id"]) for receipt, turn in zip(receipts, talk.turns, strict=True)
    }
    created = sum(receipt.created for receipt in receipts)
    return Loaded(scoped, ids, created, load_s, time.perf_counter() - started)


def _turn(talk: Talk, turn: Mapping[str, Any], extraction: str) -> dict[str, Any]:
    # The data tells no zone; seconds keep the order inside a session.
    start = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC)
    values = {
        "question": _text(turn),
        "name": turn["speaker"],
        "session_id": f"{talk.name}/{turn['session']}",
        "turn_key": turn["id"],
        "at": start + timedelta(seconds=turn["pos"]),
    }
    if extraction != "local":
        facts = talk.facts.get(turn["id"], [])
        values["extraction"] = {
            "summary": "",
            "facts": [{"text": fact["text"], "subject": fact["speaker"]} for fact in facts],
            "mentions": list(dict.fromkeys([turn["speaker"], *talk.names.get(turn["id"], ())])),
        }
    return values


def _text(turn: Mapping[str, Any]) -> str:
    caption = turn.get("caption")
    return f"{turn['text']} [shares {caption}]".strip() if caption else str(turn["text"])
