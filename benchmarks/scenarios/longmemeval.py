"""Sessions of a user with an assistant that answer a question (LongMemEval)."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.data import add_data_argument, data_digest, read_lines
from benchmarks.opening import add_prefix_argument, open_memory
from benchmarks.report import Report
from benchmarks.sessions import Found, Haystack, Question, Session, ask, tell

__all__ = ["add_arguments", "read_haystacks", "run"]

_FILES = ("sessions", "questions")
# Fewer questions than these rank no two systems.
_FEW = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_data_argument(parser)
    add_prefix_argument(parser)


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load the sessions of each question into a scope of their own, and ask it."""
    haystacks = read_haystacks(chosen.data)
    report.data_sha256 = data_digest(chosen.data, _FILES)
    found = Found()
    with open_memory(report, prefix=chosen.prefix) as memory:
        for haystack in haystacks:
            ask(memory, haystack, found)
    tell(found, report)
    asked = len(found.judged["graphmem"])
    if asked < _FEW:
        report.notes.append(
            f"{asked} questions rank nothing: one more or less found moves each figure by "
            f"{100 / asked:.0f} points; this shows only that long answers and large sessions work"
        )


def read_haystacks(folder: Path) -> list[Haystack]:
    """Return a haystack a question, with its sessions."""
    found: dict[str, Haystack] = {}
    for line in read_lines(folder, "questions"):
        question = Question(line["question"], line["type"], tuple(line["evidence"]))
        found[line["id"]] = Haystack(line["id"], questions=[question])
    for line in read_lines(folder, "sessions"):
        if line["qid"] in found:
            text = "\n".join(f"{turn['role']}: {turn['text']}" for turn in line["turns"])
            turns = tuple(_pairs(line["turns"], _time(line["time"])))
            found[line["qid"]].sessions.append(Session(line["id"], turns, text))
    return list(found.values())


def _pairs(messages: Sequence[Mapping[str, Any]], start: datetime) -> Iterator[dict[str, Any]]:
    """Yield turns: a user's message with the answer that follows, or one message alone."""
    place = 0
    while place < len(messages):
        size = 1
        if [one["role"] for one in messages[place : place + 2]] == ["user", "assistant"]:
            size = 2
        said = messages[place : place + size]
        yield {
            "messages": [{"role": one["role"], "content": one["text"]} for one in said],
            "at": start + timedelta(seconds=place),
        }
        place += size


def _time(told: str) -> datetime:
    # "2023/05/20 (Sat) 02:21", or "2023-05-20T02:21:00"; no zone is told.
    bare = re.sub(r"\s*\([^)]*\)", "", told).replace("/", "-")
    return datetime.fromisoformat(bare).replace(tzinfo=UTC)
