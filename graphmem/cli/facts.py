"""`graphmem facts`: what is held to be so, and how that came about."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    note,
    open_memory,
    print_json,
)
from graphmem.cli.fact_tables import (
    show_decisions,
    show_fact,
    show_facts,
    show_history,
    show_hits,
    show_remembered,
)
from graphmem.cli.formats.found import parse_time
from graphmem.tiers.forgetting import no_such_fact

__all__ = ["app"]

app = typer.Typer(
    help="State, search, correct and forget facts. See how they came about.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

FactId = Annotated[str, typer.Argument(metavar="FACT", help="Id of a fact.")]
LimitOption = Annotated[int, typer.Option(min=0, help="The most to list.")]
TagsOption = Annotated[
    list[str] | None, typer.Option("--tag", help="A label that leads to it; repeatable.")
]
SubjectOption = Annotated[str | None, typer.Option(help="What it is about.")]
PredicateOption = Annotated[str | None, typer.Option(help="What it says of its subject.")]
ObjectOption = Annotated[str | None, typer.Option("--object", help="The triple's other end.")]
FromOption = Annotated[
    str | None,
    typer.Option("--from", help="From when it holds, such as 2026-03-02T00:00Z; else now."),
]
ToOption = Annotated[
    str | None, typer.Option("--to", help="Until when it holds; else it holds still.")
]
ConfidenceOption = Annotated[float, typer.Option(min=0.0, max=1.0, help="From 0 to 1.")]
TurnsOption = Annotated[
    list[str] | None, typer.Option("--turn", help="A turn that is evidence; repeatable.")
]
ReasonOption = Annotated[str, typer.Option(help="Why; the history keeps it.")]
AgentOption = Annotated[str | None, typer.Option("--agent", help="Which agent says, or said, it.")]


class Status(StrEnum):
    """Statuses of facts that can be listed."""

    ACTIVE = "active"
    PENDING = "pending"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    FORGOTTEN = "forgotten"
    ALL = "all"


class Sensitivity(StrEnum):
    """How far a fact may be told."""

    PUBLIC = "public"
    INTERNAL = "internal"
    SECRET = "secret"  # noqa: S105 - a word of the interface


SensitivityOption = Annotated[
    Sensitivity | None,
    typer.Option(
        help="Secret facts never ride along in a recall; else internal, or as secret as what it "
        "supersedes."
    ),
]


class State(StrEnum):
    """Whether a decision waits, and for what."""

    OPEN = "open"
    UNCHECKED = "unchecked"
    SETTLED = "settled"


class Kind(StrEnum):
    """What became of a statement."""

    ADMIT = "admit"
    DEDUP = "dedup"
    SUPERSEDE = "supersede"
    PENDING = "pending"


@app.command("list")
def list_facts(
    *,
    limit: LimitOption = 100,
    subject: SubjectOption = None,
    predicate: PredicateOption = None,
    status: Annotated[
        Status | None, typer.Option(help="Facts of this status; else those that hold now.")
    ] = None,
    tag: TagsOption = None,
    agent: AgentOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List facts, the latest recorded first. Those that hold now, unless told otherwise."""
    with open_memory(scope) as memory:
        facts = memory.semantic.list(
            limit=limit,
            subject=subject,
            predicate=predicate,
            status=status,
            tags=tag or (),
            agent_id=agent,
        )
    if as_json:
        print_json([fact.model_dump(mode="json") for fact in facts])
    elif facts:
        show_facts("facts", facts)
    else:
        typer.echo("no such fact is known")


@app.command("search")
def search(
    query: Annotated[str, typer.Argument(metavar="QUESTION", help="What is looked for.")],
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most facts, up to 50.")] = 10,
    as_of: Annotated[str | None, typer.Option(help="What held at this time.")] = None,
    known_at: Annotated[str | None, typer.Option(help="What was known at this time.")] = None,
    include_superseded: Annotated[
        bool, typer.Option("--include-superseded", help="Facts that have ended as well.")
    ] = False,
    tag: TagsOption = None,
    agent: AgentOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Find facts by words and meaning, best first. Those that hold now, unless told otherwise."""
    held, known = _time(as_of, "--as-of"), _time(known_at, "--known-at")
    with open_memory(scope) as memory:
        hits = memory.semantic.search(
            query,
            limit=limit,
            as_of=held,
            known_at=known,
            include_superseded=include_superseded,
            tags=tag or (),
            agent_id=agent,
        )
    if as_json:
        print_json([hit.model_dump(mode="json") for hit in hits])
        return
    if not hits:
        typer.echo("no fact answers that")
        return
    show_hits(hits)


@app.command("show")
def show(fact_id: FactId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Show one fact: all that is said of it, its tags and turns."""
    with open_memory(scope) as memory:
        fact = memory.semantic.get(fact_id)
        where = memory.scope
    if fact is None:
        raise no_such_fact(fact_id, where)
    show_fact(fact, as_json=as_json)


@app.command("history")
def history(fact_id: FactId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Tell how a fact came and went. Its versions, its chain, and the decisions about it."""
    with open_memory(scope) as memory:
        told = memory.semantic.history(fact_id)
    if as_json:
        print_json(told.model_dump(mode="json"))
    else:
        show_history(told)


@app.command("remember")
def remember(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The statement as a sentence.")],
    *,
    subject: SubjectOption = None,
    predicate: PredicateOption = None,
    object_: ObjectOption = None,
    confidence: ConfidenceOption = 1.0,
    tag: TagsOption = None,
    turn: TurnsOption = None,
    valid_from: FromOption = None,
    valid_to: ToOption = None,
    agent: AgentOption = None,
    sensitivity: SensitivityOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Remember a statement, and tell what became of it and why."""
    start, end = _time(valid_from, "--from"), _time(valid_to, "--to")
    with open_memory(scope) as memory:
        done = memory.semantic.remember_with_decision(
            text,
            subject=subject,
            predicate=predicate,
            object=object_,
            confidence=confidence,
            tags=tag or (),
            turn_ids=turn or (),
            valid_from=start,
            valid_to=end,
            agent_id=agent,
            sensitivity=sensitivity,
        )
    show_remembered(done, as_json=as_json)


@app.command("supersede")
def supersede(
    fact_id: FactId,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="What holds since.")] = None,
    *,
    reason: ReasonOption,
    subject: SubjectOption = None,
    predicate: PredicateOption = None,
    object_: ObjectOption = None,
    confidence: ConfidenceOption = 1.0,
    tag: TagsOption = None,
    turn: TurnsOption = None,
    valid_from: FromOption = None,
    valid_to: ToOption = None,
    agent: AgentOption = None,
    sensitivity: SensitivityOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say what holds since, in the place of a fact. A triple may stand for the text."""
    values = {
        "text": text,
        "subject": subject,
        "predicate": predicate,
        "object": object_,
        "confidence": confidence,
        "tags": tag or (),
        "turn_ids": turn or (),
        "valid_from": _time(valid_from, "--from"),
        "valid_to": _time(valid_to, "--to"),
        "agent_id": agent,
        "sensitivity": sensitivity,
    }
    new = {name: value for name, value in values.items() if value is not None}
    with open_memory(scope) as memory:
        done = memory.semantic.supersede(fact_id, new, reason)
    show_remembered(done, as_json=as_json)


@app.command("forget")
def forget(
    fact_id: FactId,
    *,
    reason: ReasonOption,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell a fact no longer. It stays in the store, and `restore` takes that back."""
    with open_memory(scope) as memory:
        fact = memory.semantic.forget(fact_id, reason)
    show_fact(fact, as_json=as_json)


@app.command("restore")
def restore(fact_id: FactId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Tell a forgotten fact again, as it stood before."""
    with open_memory(scope) as memory:
        fact = memory.semantic.restore(fact_id)
    show_fact(fact, as_json=as_json)


@app.command("pin")
def pin(fact_id: FactId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Keep upkeep from a fact: it neither decays nor is removed."""
    with open_memory(scope) as memory:
        fact = memory.semantic.pin(fact_id)
    show_fact(fact, as_json=as_json)


@app.command("unpin")
def unpin(fact_id: FactId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Let upkeep at a fact again."""
    with open_memory(scope) as memory:
        fact = memory.semantic.pin(fact_id, pinned=False)
    show_fact(fact, as_json=as_json)


@app.command("conflicts")
def conflicts(
    *,
    limit: LimitOption = 100,
    state: Annotated[
        State | None, typer.Option(help="Only decisions that wait, or that do not.")
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="Only what became this.")] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List what was decided about statements, the latest first."""
    with open_memory(scope) as memory:
        decisions = memory.semantic.conflicts(limit=limit, state=state, kind=kind)
    if as_json:
        print_json([decision.model_dump(mode="json") for decision in decisions])
    elif decisions:
        show_decisions("decisions", decisions)
    else:
        typer.echo("nothing waits" if state is State.OPEN else "nothing was decided yet")


@app.command("judge")
def judge(
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most decisions to judge.")] = 50,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let the model judge decisions that wait, by one call each."""
    with open_memory(scope) as memory, bar("Judging", "decisions") as progress:
        report = memory.semantic.judge_pending(limit=limit, progress=progress)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        typer.echo(
            f"judged: {report.judged} ({report.superseded} superseded, {report.deduped} said "
            f"nothing new, {report.kept + report.refused} stand beside each other); "
            f"{report.waiting} wait"
        )
    if report.refused:
        note(f"{report.refused} would have ended a fact that has nothing to do with the new one")
    if report.failed:
        note(f"{report.failed} replies were no judgement: `graphmem facts conflicts --state open`")
    if report.error:
        note(f"it ended early: {report.error}")
        raise typer.Exit(1)


def _time(value: str | None, name: str) -> datetime | None:
    return None if value is None else parse_time(value, name)
