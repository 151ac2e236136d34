"""Facts, their history and the conflict log as tables for a person, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from graphmem.cli.console import counted, print_json, stdout, table, visible

if TYPE_CHECKING:
    from graphmem.decisions import Decision, FactHistory, Remembered
    from graphmem.models import Fact

__all__ = [
    "holds",
    "show_decisions",
    "show_fact",
    "show_facts",
    "show_history",
    "show_remembered",
]


def show_remembered(done: Remembered, *, as_json: bool) -> None:
    """Tell what became of a statement, and why."""
    if as_json:
        print_json(done.model_dump(mode="json"))
        return
    decision = done.decision
    typer.echo(visible(f"{decision.kind}: {done.fact.text}"))
    typer.echo(visible(f"why: {decision.reason} ({decision.stage})"))
    typer.echo(f"fact: {done.fact.id}")


def show_fact(fact: Fact, *, as_json: bool) -> None:
    """Tell all that is said of a fact."""
    if as_json:
        print_json(fact.model_dump(mode="json"))
        return
    rows = table(f"fact {fact.id}", "what", "value")
    for name, value in (
        ("text", fact.text),
        ("subject", fact.subject),
        ("predicate", fact.predicate),
        ("object", fact.object),
        ("status", fact.status),
        ("holds", holds(fact)),
        (
            "recorded (UTC)",
            "" if fact.recorded_at is None else f"{fact.recorded_at:%Y-%m-%d %H:%M:%S}",
        ),
        (
            "retired (UTC)",
            "" if fact.retired_at is None else f"{fact.retired_at:%Y-%m-%d %H:%M:%S}",
        ),
        ("why retired", fact.retired_reason),
        ("confidence", f"{fact.confidence:g}"),
        ("said by", fact.origin),
        ("agent", fact.agent_id),
        ("sensitivity", fact.sensitivity),
        ("stated", counted(fact.validated_count, "time")),
        ("pinned", "yes" if fact.pinned else ""),
        ("tags", ", ".join(fact.tags)),
        ("turns", "\n".join(fact.turn_ids)),
    ):
        if value:
            rows.add_row(name, visible(value))
    stdout().print(rows)


def show_facts(title: str, facts: Iterable[Fact]) -> None:
    """List facts, one a line."""
    rows = table(title, "fact", "holds", "status", "id")
    for fact in facts:
        rows.add_row(visible(fact.text), holds(fact), fact.status, fact.id)
    stdout().print(rows)


def show_history(told: FactHistory) -> None:
    """Tell how a fact came and went."""
    show_facts("one after the other", told.chain)
    rows = table(f"what was said of fact {told.fact.id}", "from (UTC)", "status", "holds")
    for version in told.versions:
        when = f"{version.at:%Y-%m-%d %H:%M:%S}"
        rows.add_row(when, version.status, _range(version.valid_from, version.valid_to))
    stdout().print(rows)
    if told.decisions:
        show_decisions("decisions", told.decisions)


def show_decisions(title: str, decisions: Sequence[Decision]) -> None:
    """List decisions, one a line."""
    rows = table(title, "when (UTC)", "what", "stage", "cosine", "state", "statement", "why", "id")
    for decision in decisions:
        cosine = "" if decision.similarity is None else f"{decision.similarity:.3f}"
        why = decision.judged_reason or decision.reason
        if decision.error:
            why = f"{why} (the judge failed: {decision.error})"
        rows.add_row(
            f"{decision.at:%Y-%m-%d %H:%M}",
            str(decision.kind)
            if decision.judged_kind is None
            else f"{decision.kind}, judged {decision.judged_kind}",
            str(decision.stage),
            cosine,
            decision.state,
            visible(decision.text),
            visible(why),
            decision.id,
        )
    stdout().print(rows)


def holds(fact: Fact) -> str:
    """Return from when until when a fact holds."""
    return _range(fact.valid_from, fact.valid_to)


def _range(start: datetime | None, end: datetime | None) -> str:
    since = "" if start is None else f"from {start:%Y-%m-%d} "
    until = "" if end is None else f"to {end:%Y-%m-%d}"
    return (since + until).strip()
