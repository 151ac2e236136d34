"""What commands share: options, output for people and for programs, and bars."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.config import Settings

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from graphmem.models import Receipt
    from graphmem.server import FetchProgress
    from graphmem.sync import GraphMemory, SyncReceipt

__all__ = [
    "Advance",
    "JsonFlag",
    "ScopeOption",
    "bar",
    "counted",
    "fetching",
    "in_scope",
    "note",
    "open_memory",
    "print_json",
    "start_managed",
    "stderr",
    "stdout",
    "table",
    "visible",
    "wait_for",
    "wait_for_vectors",
]

# Called with how many are done, and of how many where it is known.
Advance = Callable[[int, int | None], None]

# How often a bar is moved on while vectors are filled in, in seconds.
_LOOK_S = 1.0
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
ScopeOption = Annotated[
    str | None,
    typer.Option("--scope", help="Whose memory; default: GRAPHMEM_SCOPE, else 'default'."),
]


def stdout() -> Console:
    """Return the console that results go to."""
    from rich.console import Console

    # What is shown was written by anybody: brackets and colons in it are text, not markup.
    return Console(highlight=False, soft_wrap=True, markup=False, emoji=False)


def stderr() -> Console:
    """Return the console that bars and notes go to, so that results can be piped."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def note(text: str) -> None:
    """Tell a person something that is not the result."""
    stderr().print(visible(text))


def print_json(value: Any, *, is_line: bool = False) -> None:
    """Print one JSON document; text stays readable in every script.

    Args:
        value: What is printed.
        is_line: As one of several, each of which is a line.
    """
    typer.echo(json.dumps(value, ensure_ascii=False, indent=None if is_line else 2))


def visible(text: str) -> str:
    """Return text without what a terminal would obey: control characters but line breaks."""
    return _CONTROL.sub("\ufffd", text)


def counted(count: int, what: str) -> str:
    """Return a number with its noun: "1 fact", "2 facts", "2 Communities"."""
    if count == 1:
        return f"1 {what}"
    return f"{count:,} {what[:-1]}ies" if what.endswith("y") else f"{count:,} {what}s"


def in_scope(scope: str | None) -> str:
    """Return what a command that is to be typed next needs to act in the scope of this one."""
    return "" if scope is None else f" --scope {shlex.quote(scope)}"


def table(title: str, *columns: str) -> Any:
    """Return an empty table for results."""
    from rich.box import SIMPLE
    from rich.table import Table

    made = Table(title=visible(title), title_justify="left", box=SIMPLE, title_style="bold")
    for column in columns:
        # An id that stands on two lines could not be copied.
        made.add_column(column, overflow="fold", no_wrap=column == "id")
    return made


@contextmanager
def bar(
    what: str, unit: str, total: int | None = None
) -> Iterator[Callable[[int, int | None], None]]:
    """Show a bar with rate and time left while the block runs, where a person looks on.

    Args:
        what: What is being done, in a word or two.
        unit: What is counted, such as "turns".
        total: How many there are, where it is known beforehand.

    Yields:
        Call it with how many are done, and of how many (None = not known).
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = stderr()
    # A log file would keep the empty lines that a bar leaves behind.
    is_seen = console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=not is_seen) as progress:
        task = progress.add_task(what, total=total, rate="")
        yield partial(_advance, progress, task, unit)


def _advance(progress: Progress, task: TaskID, unit: str, done: int, total: int | None) -> None:
    speed = progress.tasks[0].finished_speed or progress.tasks[0].speed
    rate = f"{speed:,.0f} {unit}/s" if speed else ""
    known = progress.tasks[0].total if total is None else total
    progress.update(task, completed=done, total=known, rate=rate)


def wait_for(receipts: Sequence[SyncReceipt]) -> list[Receipt]:
    """Wait, with a bar, until these turns are extracted; return their receipts then."""
    ended = []
    with bar("Extracting", "turns", len(receipts)) as progress:
        for receipt in receipts:
            ended.append(receipt.wait())
            progress(len(ended), None)
    return ended


def wait_for_vectors(memory: GraphMemory) -> None:
    """Wait, with a bar, until a bulk load has its vectors too, or the embedder is down."""
    most = 0
    with bar("Embedding, linking", "nodes") as progress:
        while not (flushed := memory.flush(_LOOK_S)):
            left = flushed.without_vector + flushed.unlinked + flushed.unchecked
            most = max(most, left)
            progress(most - left, most)


@contextmanager
def open_memory(scope: str | None = None, **settings: Any) -> Iterator[GraphMemory]:
    """Open the memory that the environment describes; start the managed server where need be.

    Args:
        scope: Whose memory; None = as the environment says.
        settings: Further fields of `Settings`.

    Yields:
        The memory; it is closed afterwards, and what is still queued then stays pending.
    """
    from graphmem.sync import GraphMemory

    # A command that only looks must not begin to extract, and wait for it at its end; and it
    # asks at once or never.
    quiet: dict[str, Any] = {
        "resume_at_open": False,
        "warm_up": False,
        # `graphmem maintain` keeps clean, and nothing else on the command line does.
        "maintenance_interval": 0,
        "maintenance_every_h": 0,
    }
    chosen = Settings.from_env(scope=scope, **{**quiet, **settings})
    if chosen.neo4j_uri is None:
        start_managed(chosen)
    with GraphMemory.open(chosen) as memory:
        yield memory


def start_managed(settings: Settings) -> None:
    """Start the managed server, with a bar while it is fetched and a line while it starts."""
    from graphmem.server import ManagedServer

    if ManagedServer.from_settings(settings).status().running:
        return
    note("Starting Neo4j ...")
    with fetching() as progress:
        ManagedServer.from_settings(settings, progress=progress).start()


@contextmanager
def fetching() -> Iterator[Callable[[FetchProgress], None]]:
    """Show a bar in megabytes, from the moment on that something is really fetched.

    Where nobody looks on, a line says what takes so long.
    """
    is_told = stderr().is_terminal
    with bar("Fetching Neo4j, once", "MB") as advance:

        def show(fetched: FetchProgress) -> None:
            nonlocal is_told
            if not is_told:
                note(f"Fetching Neo4j, once: {fetched.total_bytes // 1_000_000} MB ...")
                is_told = True
            advance(fetched.done_bytes // 1_000_000, fetched.total_bytes // 1_000_000)

        yield show
