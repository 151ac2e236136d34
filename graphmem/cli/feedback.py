"""`graphmem feedback`: say how much a recalled turn helped."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, open_memory, print_json

__all__ = ["feedback"]


def feedback(
    turns: Annotated[
        list[str],
        typer.Argument(
            metavar="TURN", help="Ids of turns; `graphmem recall --explain` shows them."
        ),
    ],
    *,
    reward: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="From 0 (misled) over 0.5 to 1 (helped).")
    ],
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say how much recalled turns helped; later answers order by it."""
    with open_memory(scope) as memory:
        rated = memory.feedback(turns, reward)
    if as_json:
        print_json({"rated": rated})
    else:
        typer.echo(f"rated {reward:g}: {rated} {'turn' if rated == 1 else 'turns'}")
