"""`graphmem demo`: a conversation is remembered, four questions are asked."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli.console import JsonFlag, bar, open_memory, print_json, stdout
from graphmem.cli.formats import BadLine, read_jsonl
from graphmem.cli.recall import show_recall
from graphmem.config import Settings

if TYPE_CHECKING:
    from graphmem.demo import Question
    from graphmem.models import Recall

__all__ = ["demo"]


@dataclass(frozen=True, slots=True)
class _Asked:
    question: Question
    found: Recall
    evidence: list[str]

    def to_dict(self) -> dict[str, Any]:
        return {
            "shows": self.question.shows,
            "evidence": self.evidence,
            "recall": self.found.to_dict(),
        }


def demo(
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most turns to show for a question.")] = 4,
    as_json: JsonFlag = False,
) -> None:
    """Import a bundled conversation, ask four questions of it.

    It writes to the scope "demo" only, and a second run adds nothing.
    """
    from graphmem.demo import QUESTIONS, SCOPE, read_conversation

    started = time.perf_counter()
    found = list(read_jsonl(read_conversation()))
    turns = [piece.values for piece in found if not isinstance(piece, BadLine)]
    with open_memory(SCOPE) as memory:
        with bar("Remembering", "turns", len(turns)) as progress:
            receipts = memory.add_turns(turns, progress=progress, wait=True)
        memory.flush()
        ids = {
            str(turn["turn_key"]): receipt.turn_id
            for turn, receipt in zip(turns, receipts, strict=True)
        }
        asked = [
            _Asked(
                question,
                memory.recall(question.text, limit=limit),
                [ids[key] for key in question.evidence],
            )
            for question in QUESTIONS
        ]
        counts = memory.stats()
    seconds = time.perf_counter() - started
    browser, login = _browser()
    if as_json:
        report = {
            "scope": SCOPE,
            "turns": len(receipts),
            "created": sum(receipt.created for receipt in receipts),
            "questions": [one.to_dict() for one in asked],
            "stats": counts.model_dump(mode="json"),
            "browser": browser,
            "query": _query(),
            "seconds": round(seconds, 3),
        }
        print_json(report)
        return
    console = stdout()
    console.print("* = a turn that the answer is in")
    for number, one in enumerate(asked, start=1):
        console.rule(style="dim")
        console.print(f"question {number}: {one.question.shows}")
        show_recall(one.found, marked=one.evidence)
    held = ", ".join(f"{count} {label}" for label, count in sorted(counts.nodes.items()))
    console.print(f"scope {SCOPE} holds {held} ({seconds:.1f} s)")
    console.print("\nOpen the graph in Neo4j Browser", style="bold")
    console.print(f"  {browser}")
    console.print(f"  {login}")
    console.print("and paste this:\n", style="bold")
    console.print(_query())


def _query() -> str:
    from graphmem.queries import get_query

    query = get_query("explore/scope_graph")
    return f"{query.filled()};"


def _browser() -> tuple[str, str]:
    settings = Settings.from_env()
    if settings.neo4j_uri is not None:
        return f"Neo4j Browser of {settings.neo4j_uri}", f"user {settings.neo4j_username}"
    from graphmem.server import ManagedServer

    status = ManagedServer.from_settings(settings).status()
    login = f"user {status.username}, password in {status.password_file}"
    return f"{status.http}/browser/", login
