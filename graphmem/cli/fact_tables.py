"""Facts, their history and the conflict log as tables for a person, or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import typer

from graphmem.cli.console import counted, print_json, stdout, table, visible
from graphmem.cli.listing import comma, short, show_listing

if TYPE_CHECKING:
    from graphmem.decisions import Decision, FactHistory, Remembered
    from graphmem.models import Fact, FactHit

__all__ = [
    "holds",
    "show_decisions",
    "show_fact",
    "show_facts",
    "show_history",
    "show_hits",
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
    """List facts, each with how it stands and when it holds."""
    show_listing(
        title,
        "fact",
        ((one.id, [short(one.text), comma(one.status, holds(one))]) for one in facts),
    )


def show_hits(hits: Iterable[FactHit]) -> None:
    """List facts that were found, each with its score."""
    entries = []
    for hit in hits:
        score = hit.score if hit.rerank_score is None else hit.rerank_score
        told = comma(f"score {score:.4f}", hit.fact.status, holds(hit.fact))
        entries.append((hit.fact.id, [short(hit.fact.text), told]))
    show_listing("facts", "fact", entries)


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
    """List decisions, each with what became of its statement, and why."""
    show_listing(title, "decision", ((one.id, _decided(one)) for one in decisions))


def _decided(decision: Decision) -> Iterator[str]:
    judged = "" if decision.judged_kind is None else f"judged {decision.judged_kind}"
    yield f"{comma(decision.kind, judged)}: {short(decision.text)}"
    why = decision.judged_reason or decision.reason
    if decision.error:
        why = f"{why} (the judge failed: {decision.error})"
    yield f"why: {why} ({decision.stage})"
    cosine = "" if decision.similarity is None else f"cosine {decision.similarity:.3f}"
    yield comma(f"{decision.at:%Y-%m-%d %H:%M} UTC", decision.state, cosine)


def holds(fact: Fact) -> str:
    """Return from when until when a fact holds."""
    return _range(fact.valid_from, fact.valid_to)


def _range(start: datetime | None, end: datetime | None) -> str:
    since = "" if start is None else f"from {start:%Y-%m-%d} "
    until = "" if end is None else f"to {end:%Y-%m-%d}"
    return (since + until).strip()
