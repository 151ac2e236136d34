"""`graphmem trace`: answers that were kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, counted, open_memory, print_json
from graphmem.cli.listing import comma, short, show_listing
from graphmem.cli.reasons import show_explanation, show_query
from graphmem.errors import InputError

if TYPE_CHECKING:
    from graphmem.explanation import RecallTrace

__all__ = ["app"]

app = typer.Typer(
    help="Open answers that `graphmem recall --keep-trace` kept.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_traces(
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most answers to list.")] = 100,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List kept answers, newest first."""
    with open_memory(scope) as memory:
        traces = memory.recall_traces(limit)
    if as_json:
        print_json([trace.model_dump(mode="json") for trace in traces])
        return
    if not traces:
        typer.echo("no answer is kept")
        return
    show_listing("kept answers", "question", ((one.id, _told(one)) for one in traces))


@app.command("show")
def show(
    trace_id: Annotated[str, typer.Argument(metavar="ID", help="Id of a kept answer.")],
    *,
    draw: Annotated[
        bool, typer.Option("--cypher", help="Print a query that draws it in Neo4j Browser.")
    ] = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell why each turn of a kept answer came, when it was asked."""
    with open_memory(scope) as memory:
        told = memory.recall_trace(trace_id)
        where = memory.scope
    if told is None:
        raise InputError(
            f"no answer is kept as {trace_id!r} in scope {where!r}: `graphmem trace list` shows "
            "those that are",
            kind="trace-not-found",
            ids=[trace_id],
        )
    if draw:
        show_query(told, as_json=as_json)
    elif as_json:
        print_json(told.to_dict())
    else:
        show_explanation(told)


@app.command("drop")
def drop(
    *,
    before: Annotated[
        str | None,
        typer.Option(help="Only answers from before it, such as 2026-03-02T09:12Z; else all."),
    ] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete kept answers; their turns and facts stay."""
    from graphmem.cli.formats.found import parse_time

    end = None if before is None else parse_time(before, "--before")
    with open_memory(scope) as memory:
        dropped = memory.drop_traces(end)
    if as_json:
        print_json({"dropped": dropped})
    else:
        typer.echo(f"deleted: {dropped} kept {'answer' if dropped == 1 else 'answers'}")


def _told(trace: RecallTrace) -> list[str]:
    nodes = (("turn", trace.turns), ("fact", trace.facts), ("procedure", trace.procedures))
    came = (counted(count, what) for what, count in nodes if count)
    return [short(trace.query), comma(f"{trace.at:%Y-%m-%d %H:%M} UTC", *came)]
