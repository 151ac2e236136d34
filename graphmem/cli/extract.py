"""`graphmem extract`: finish what waits, or do better what a model has not seen yet."""

from __future__ import annotations

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
    wait_for,
)
from graphmem.models import ExtractionState

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
    limit: Annotated[int | None, typer.Option(min=0, help="The most turns to redo.")] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Extract the turns that wait. With --redo local also what only the local extractor did."""
    redone = 0
    with open_memory(scope) as memory:
        ended = wait_for(memory.extract_pending())
        # Of a great many the background may have taken up some.
        memory.flush()
        if redo is Redo.LOCAL:
            local = memory.stats().extraction.get(ExtractionState.LOCAL, 0)
            total = local if limit is None else min(limit, local)
            with bar("Extracting again", "turns", total) as progress:
                redone = memory.redo_local(limit=limit, progress=progress)
        states = memory.stats().extraction
    if as_json:
        tried = [receipt.model_dump(mode="json") for receipt in ended]
        print_json({"tried": tried, "redone": redone, "extraction": states})
        return
    for receipt in ended:
        if receipt.error:
            note(f"{receipt.turn_id}: {receipt.extraction.value} ({receipt.error})")
    if redo is not None:
        typer.echo(f"{redone} turns were extracted by the model")
    typer.echo(
        "turns: " + (", ".join(f"{count} {state}" for state, count in states.items()) or "0")
    )
