"""`graphmem runs`: what upkeep did, and taking it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)
from graphmem.cli.removals import MOST_ROWS, more

if TYPE_CHECKING:
    from datetime import datetime

    from graphmem.maintenance import MaintenanceRun

__all__ = ["app"]

app = typer.Typer(
    help="List what upkeep did in a scope, and take it back.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class Operation(StrEnum):
    """What leaves a run."""

    MAINTAIN = "maintain"
    COMMUNITIES = "communities"
    CONSOLIDATE = "consolidate"
    DECAY = "decay"
    ORPHANS = "orphans"
    RETENTION = "retention"
    TOMBSTONES = "tombstones"
    CONSOLIDATE_AND_DECAY = "consolidate_and_decay"
    UNDO = "undo"


RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run.")]


@app.command("list")
def list_runs(
    *,
    limit: Annotated[int, typer.Option(min=1, help="The most to list.")] = 20,
    operation: Annotated[
        list[Operation] | None, typer.Option(help="Only runs of it; repeatable.")
    ] = None,
    parts: Annotated[bool, typer.Option("--parts", help="The steps of ticks, too.")] = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List runs, the newest first."""
    with open_memory(scope) as memory:
        # Who asks for an operation wants it wherever it was done.
        found = memory.runs(limit=limit, operations=operation or (), parts=parts or bool(operation))
    if as_json:
        print_json([run.model_dump(mode="json") for run in found])
        return
    if not found:
        asked = f"no {' or '.join(operation)}" if operation else "nothing"
        typer.echo(f"{asked} was done here yet")
        return
    # An id and a time take most of a line: what is told of a run stands below one another.
    rows = table("runs", "id", "began (UTC)", "what")
    for run in found:
        rows.add_row(run.id, _time(run.at), f"{run.operation}: {run.state}")
        if counts := _counts(run):
            rows.add_row("", "", counts)
    stdout().print(rows)


@app.command("show")
def show(run: RunId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Show one run: its parameters, its counts, what it changed."""
    with open_memory(scope) as memory:
        found = memory.run(run)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    rows = table(f"run {found.id}", "what", "value")
    changed = [one for one in (*found.ids[:MOST_ROWS], more(len(found.ids))) if one]
    for name, value in (
        ("operation", found.operation),
        ("state", found.state),
        ("began (UTC)", _time(found.at)),
        ("ended (UTC)", _time(found.ended_at)),
        ("called with", "\n".join(_params(found.params))),
        ("counted", _counts(found)),
        ("parts", "\n".join(_part(part) for part in found.parts)),
        ("changed", "\n".join(changed)),
        ("errors", "\n".join(found.errors)),
        ("part of run", found.part_of),
        ("undo until (UTC)", _time(found.undo_until) if found.may_be_undone else ""),
        ("undone (UTC)", _time(found.undone_at)),
    ):
        if value:
            rows.add_row(name, visible(value))
    stdout().print(rows)


@app.command("undo")
def undo(run: RunId, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Take back what a run removed, while its time is not over."""
    with open_memory(scope) as memory:
        report = memory.undo(run)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    typer.echo(f"{report.restored:,} restored")
    if report.taken:
        typer.echo(f"{report.taken:,} stay away: the same was learned again meanwhile")
    if report.changed:
        typer.echo(f"{report.changed:,} stay as they are: they were changed since")


def _time(at: datetime | None) -> str:
    return "" if at is None else f"{at:%Y-%m-%d %H:%M}"


def _part(part: MaintenanceRun) -> str:
    counts = _counts(part)
    return f"{part.id} {part.operation}: {part.state}" + (f"\n  {counts}" if counts else "")


def _counts(run: MaintenanceRun) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in run.counts.items() if count)


def _params(params: Mapping[str, Any]) -> Iterator[str]:
    """Tell each on a line of its own; what was not given is left out."""
    for name, value in params.items():
        if isinstance(value, Mapping):
            for line in _params(value):
                yield f"{name} > {line}"
        elif value not in (None, "", [], ()):
            told = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield f"{name}: {told}"
