"""`graphmem extract`: finish what waits, or do better what a model has not seen yet."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, bar, open_memory, print_json

__all__ = ["extract"]


class Redo(StrEnum):
    """Which turns to extract anew."""

    LOCAL = "local"


def extract(
    *,
    redo: Annotated[
        Redo | None,
        typer.Option(help="Extract again by the model what only the local extractor has seen."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="The most turns to redo.")] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Extract pending turns now; with --redo local, upgrade locally extracted ones as well."""
    redone = 0
    with open_memory(scope) as memory:
        # Opening takes up the turns that an ended process left pending.
        memory.flush()
        if redo is Redo.LOCAL:
            with bar("Extracting", "turns") as progress:
                redone = memory.redo_local(limit=limit, progress=progress)
        states = memory.stats().extraction
    if as_json:
        print_json({"redone": redone, "extraction": states})
        return
    if redo is not None:
        typer.echo(f"{redone} turns were extracted by the model")
    typer.echo(
        "turns: " + (", ".join(f"{count} {state}" for state, count in states.items()) or "0")
    )
