"""`graphmem procedures`: how things are done, and what each way is good for."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    counted,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)
from graphmem.cli.listing import comma, short, show_listing
from graphmem.tiers.procedural import no_such_procedure

if TYPE_CHECKING:
    from graphmem.models import Procedure

__all__ = ["app"]

app = typer.Typer(
    help="Define, list and remove procedures: how something is done.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

ProcedureId = Annotated[str, typer.Argument(metavar="PROCEDURE", help="Id of a procedure.")]
AgentOption = Annotated[
    str | None, typer.Option("--agent", help="Which agent defines, or defined, it.")
]


class Status(StrEnum):
    """Statuses of procedures that can be listed."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"
    FORGOTTEN = "forgotten"
    ALL = "all"


@app.command("define")
def define(
    instruction: Annotated[str, typer.Argument(metavar="INSTRUCTION", help="What to do.")],
    *,
    intent: Annotated[str, typer.Option(help="What it is good for, in a few words.")],
    condition: Annotated[str, typer.Option(help="When it applies.")] = "",
    expected: Annotated[
        str, typer.Option("--expected-outcome", help="What should come of it.")
    ] = "",
    return_score: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="How well it worked, from 0 to 1.")
    ] = None,
    priority: Annotated[
        int, typer.Option(help="Of ways that are as relevant the highest comes first.")
    ] = 0,
    turn: Annotated[
        list[str] | None,
        typer.Option("--turn", help="A turn that it was learned from; repeatable."),
    ] = None,
    agent: AgentOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Define how something is done. The same again counts once more, and changes nothing else."""
    with open_memory(scope) as memory:
        done = memory.procedural.define(
            instruction,
            intent=intent,
            condition=condition,
            expected_outcome=expected,
            return_score=return_score,
            priority=priority,
            turn_ids=turn or (),
            agent_id=agent,
        )
    _show(done, as_json=as_json)


@app.command("list")
def list_procedures(
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most to list.")] = 100,
    intent: Annotated[
        str | None, typer.Option(help="Only those that serve this Intent: its description.")
    ] = None,
    status: Annotated[
        Status | None, typer.Option(help="Procedures of this status; else those that are told.")
    ] = None,
    agent: AgentOption = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List procedures, the latest defined first. Those that are told, unless told otherwise."""
    with open_memory(scope) as memory:
        found = memory.procedural.list(limit=limit, intent=intent, status=status, agent_id=agent)
    if as_json:
        print_json([procedure.model_dump(mode="json") for procedure in found])
        return
    if not found:
        typer.echo("no such procedure is known")
        return
    show_listing("procedures", "procedure", ((one.id, _told(one)) for one in found))


@app.command("show")
def show(
    procedure_id: ProcedureId, *, scope: ScopeOption = None, as_json: JsonFlag = False
) -> None:
    """Show one procedure: all that is said of it, and its turns."""
    with open_memory(scope) as memory:
        found = memory.procedural.get(procedure_id)
        where = memory.scope
    if found is None:
        raise no_such_procedure(procedure_id, where)
    _show(found, as_json=as_json)


@app.command("remove")
def remove(
    procedure_id: ProcedureId,
    *,
    reason: Annotated[str, typer.Option(help="Why; it is kept.")],
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell a procedure no longer. It stays in the store, and defined anew it is back."""
    with open_memory(scope) as memory:
        done = memory.procedural.remove(procedure_id, reason)
    _show(done, as_json=as_json)


@app.command("pin")
def pin(procedure_id: ProcedureId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Keep upkeep from a procedure: it neither decays nor is removed."""
    with open_memory(scope) as memory:
        done = memory.procedural.pin(procedure_id)
    _show(done, as_json=as_json)


@app.command("unpin")
def unpin(
    procedure_id: ProcedureId, *, scope: ScopeOption = None, as_json: JsonFlag = False
) -> None:
    """Let upkeep at a procedure again."""
    with open_memory(scope) as memory:
        done = memory.procedural.pin(procedure_id, pinned=False)
    _show(done, as_json=as_json)


def _told(found: Procedure) -> list[str]:
    return [short(found.instruction), comma(found.status, f"intent: {short(found.intent)}")]


def _show(found: Procedure, *, as_json: bool) -> None:
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    rows = table(f"procedure {found.id}", "what", "value")
    rating = f"{found.reward_sum / found.reward_count:.2f}" if found.reward_count else ""
    for name, value in (
        ("instruction", found.instruction),
        ("intent", found.intent),
        ("condition", found.condition),
        ("expected outcome", found.expected_outcome),
        ("status", found.status),
        ("why removed", found.retired_reason),
        ("priority", str(found.priority)),
        ("defined", counted(found.validated_count, "time")),
        ("recalled", counted(found.recall_count, "time")),
        ("mean reward", rating),
        ("pinned", "yes" if found.pinned else ""),
        ("agent", found.agent_id),
        ("turns", "\n".join(found.turn_ids)),
    ):
        if value:
            rows.add_row(name, visible(value))
    stdout().print(rows)
