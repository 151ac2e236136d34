"""What commands that take something out of a scope share: options, and how they tell of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import counted, in_scope, visible

if TYPE_CHECKING:
    from rich.text import Text

__all__ = [
    "MOST_ROWS",
    "DryRun",
    "Mode",
    "line",
    "more",
    "tell_more",
    "tell_orphans",
    "tell_protected",
    "tell_undo",
    "title",
]

# Rows that a person reads; --json has more.
MOST_ROWS = 20

DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; say what would go.")]


class Mode(StrEnum):
    """What becomes of what goes."""

    DELETE = "delete"
    DEPRECATE = "deprecate"


def title(*, is_dry_run: bool) -> str:
    """Return what stands above a table of what went."""
    return "would go" if is_dry_run else "gone"


def line(text: str) -> Text:
    """Return a cell that stays on one line; what does not fit is cut off."""
    from rich.text import Text

    return Text(" ".join(visible(text).split()), no_wrap=True, overflow="ellipsis")


def more(found: int) -> str:
    """Return that what is shown is not all; empty where it is."""
    left = found - MOST_ROWS
    return f"and {left:,} more; --json has up to a thousand" if left > 0 else ""


def tell_more(found: int) -> None:
    """Say that a table has not all of them."""
    if told := more(found):
        typer.echo(told)


def tell_orphans(orphans: Mapping[str, int], *, is_dry_run: bool) -> None:
    """Say what led nowhere, and went."""
    if orphans:
        told = ", ".join(counted(count, label) for label, count in orphans.items())
        typer.echo(f"{told} that led nowhere {'would be ' if is_dry_run else ''}deleted")


def tell_protected(protected: Mapping[str, int]) -> None:
    """Say how many stay whatever they are worth, and why."""
    if protected:
        told = ", ".join(f"{count:,} {why}" for why, count in sorted(protected.items()))
        typer.echo(f"protected: {told}")


def tell_undo(run_id: str, gone: int, scope: str | None) -> None:
    """Say how what went is taken back; the scope is the one that was named."""
    if run_id and gone:
        typer.echo(f"to take it back: graphmem runs undo {run_id}{in_scope(scope)}")
