"""`graphmem quarantine`: turns whose extraction was refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    counted,
    note,
    open_memory,
    print_json,
)
from graphmem.cli.listing import comma, short, show_listing

if TYPE_CHECKING:
    from graphmem.models import QuarantinedTurn

__all__ = ["app"]

app = typer.Typer(
    help="List, retry or give up turns whose extraction was refused.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

TurnIds = Annotated[
    list[str] | None, typer.Argument(metavar="[TURN]...", help="Ids of turns; none = all of them.")
]


@app.command("list")
def list_turns(
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most turns to list.")] = 100,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List quarantined turns, newest first, each with the reason."""
    with open_memory(scope) as memory:
        turns = memory.quarantine(limit)
    if as_json:
        print_json([turn.model_dump(mode="json") for turn in turns])
        return
    if turns:
        show_listing("quarantined turns", "turn", ((one.turn_id, _told(one)) for one in turns))
    else:
        typer.echo("no turn is quarantined")


@app.command("retry")
def retry(turns: TurnIds = None, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Extract quarantined turns again, with twice the limit for a reply."""
    with open_memory(scope) as memory:
        tried = [receipt.wait() for receipt in memory.retry_extraction(turns or None)]
    if as_json:
        print_json([receipt.model_dump(mode="json") for receipt in tried])
        return
    for receipt in tried:
        why = f" ({receipt.error})" if receipt.error else ""
        typer.echo(f"{receipt.turn_id}: {receipt.extraction.value}{why}")
    typer.echo(f"{len(tried)} tried again")
    _tell_absent(turns, len(tried))


@app.command("drop")
def drop(turns: TurnIds = None, *, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Give up the extraction of quarantined turns. The turns stay."""
    with open_memory(scope) as memory:
        dropped = memory.drop_quarantined(turns or None)
    if as_json:
        print_json({"dropped": dropped})
    else:
        typer.echo(f"{dropped} given up; they can still be recalled by their text")
        _tell_absent(turns, dropped)


def _tell_absent(named: list[str] | None, done: int) -> None:
    absent = len(set(named or ())) - done
    if absent > 0:
        note(f"{absent} of the named are not quarantined; see `graphmem quarantine list`")


def _told(turn: QuarantinedTurn) -> list[str]:
    tried = f"tried {counted(turn.attempts, 'time')}"
    where = f"session {turn.session_id}" if turn.session_id else ""
    return [
        short(turn.text),
        f"why: {short(turn.reason)}",
        comma(f"{turn.at:%Y-%m-%d %H:%M} UTC", tried, where),
    ]
