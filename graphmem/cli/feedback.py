"""`graphmem feedback`: say how much what was recalled helped."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, open_memory, print_json

__all__ = ["feedback"]


def feedback(
    ids: Annotated[
        list[str],
        typer.Argument(
            metavar="ID",
            help="Ids of turns, facts and procedures; `graphmem recall --json` shows them.",
        ),
    ],
    *,
    reward: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="From 0 (misled) over 0.5 to 1 (helped).")
    ],
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say how much what was recalled helped. Later answers order by it."""
    with open_memory(scope) as memory:
        rated = memory.feedback(ids, reward)
    if as_json:
        print_json({"rated": rated})
    else:
        typer.echo(f"rated {reward:g}: {rated}")
