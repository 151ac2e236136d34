"""`graphmem embedder`: the vectors of the store."""

from __future__ import annotations

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, bar, open_memory, print_json

__all__ = ["app"]

app = typer.Typer(
    help="Look after the vectors of the store.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def _group() -> None:
    # With a callback a single command keeps its own name.
    pass


@app.command("calibrate")
def calibrate(*, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Measure from which cosine on an answer can be relied on."""
    with open_memory(scope) as memory:
        found = memory.calibrate()
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        typer.echo(
            f"near from {found.threshold:.3f}: half of a turn and the whole "
            f"{found.same_median:.3f}, other turns {found.different_median:.3f} "
            f"({found.sample} turns)"
        )


@app.command("backfill")
def backfill(*, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Embed what was stored while the embedder was down or absent."""
    with open_memory(scope) as memory, bar("Embedding, linking", "nodes") as progress:
        embedded = memory.backfill_vectors(progress=progress)
    if as_json:
        print_json({"embedded": embedded})
    else:
        typer.echo(f"{embedded} nodes were embedded")
