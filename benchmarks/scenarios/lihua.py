"""Sessions of one user's year of chats that answer a question (LiHua-World)."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.data import add_data_argument, data_digest, read_lines
from benchmarks.opening import add_prefix_argument, open_memory
from benchmarks.report import Report
from benchmarks.sessions import Found, Haystack, Question, Session, ask, tell

__all__ = ["add_arguments", "read_haystack", "run"]

_FILES = ("sessions", "questions")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_data_argument(parser)
    add_prefix_argument(parser)


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load the sessions, each message as a turn, and ask."""
    haystack = read_haystack(chosen.data)
    report.data_sha256 = data_digest(chosen.data, _FILES)
    found = Found()
    with open_memory(report, prefix=chosen.prefix) as memory:
        ask(memory, haystack, found)
    tell(found, report)
    left_out = sum(not question.evidence for question in haystack.questions)
    report.notes.append(
        f"{left_out} questions that no session answers count only where recalls are confident"
    )


def read_haystack(folder: Path) -> Haystack:
    """Return the sessions and questions of a folder."""
    haystack = Haystack("lihua")
    for line in read_lines(folder, "sessions"):
        # The data tells no zone, and one time a session; seconds keep the order.
        start = datetime.fromisoformat(line["time"]).replace(tzinfo=UTC)
        turns = tuple(
            {"question": text, "name": sender, "at": start + timedelta(seconds=place)}
            for place, (sender, text) in enumerate(line["messages"])
        )
        text = "\n".join(f"{sender}: {text}" for sender, text in line["messages"])
        haystack.sessions.append(Session(line["id"], turns, text))
    for line in read_lines(folder, "questions"):
        evidence = tuple(line["evidence"])
        haystack.questions.append(Question(line["question"], str(line["type"]), evidence))
    return haystack
