"""`graphmem maintain`: keep a scope clean, once or again and again."""

from __future__ import annotations

import re
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    note,
    open_memory,
    print_json,
    stdout,
    table,
)
from graphmem.errors import GraphmemError

if TYPE_CHECKING:
    from graphmem.maintenance import MaintenanceReport
    from graphmem.sync import GraphMemory

__all__ = ["maintain"]

_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd]?)", re.ASCII)
_UNIT_S = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_MOST_DAYS = 366
_MOST_S = _MOST_DAYS * 86_400


class Step(StrEnum):
    """What a tick does, in its order."""

    BACKFILL = "backfill"
    COMMUNITIES = "communities"
    CONSOLIDATE = "consolidate"
    DECAY = "decay"
    ORPHANS = "orphans"
    RETENTION = "retention"
    TOMBSTONES = "tombstones"


def maintain(
    *,
    step: Annotated[list[Step] | None, typer.Option(help="Only this step; repeatable.")] = None,
    budget: Annotated[
        float | None, typer.Option(help="Seconds it may work; else as long as it takes.")
    ] = None,
    every: Annotated[
        str | None, typer.Option(help="Again and again, such as 30m or 1h; ends with Ctrl-C.")
    ] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Keep a scope clean: all that follows, in order, as needed.

    It fills in what waits, finds communities, merges doubles, lets fade, and tidies up.

    What it takes out of answers is kept; `graphmem runs undo RUN` takes a tick back. Exits with 1
    when a step failed.
    """
    if budget is not None and not 0 < budget <= _MOST_S:
        raise typer.BadParameter(
            f"it is a number of seconds above 0 and up to {_MOST_S:,}, got {budget:g}",
            param_hint="--budget",
        )
    pause_s = None if every is None else _seconds(every)
    with open_memory(scope) as memory:
        while True:
            started = time.monotonic()
            try:
                report = _tick(memory, step, budget)
                _show(report, as_json=as_json, is_line=pause_s is not None)
                if report.errors and pause_s is None:
                    raise typer.Exit(1)
            except GraphmemError as error:
                # A server that restarts, or another run, must not end what is to go on for weeks.
                if pause_s is None or not error.retryable:
                    raise
                note(f"{error.kind}: {error}")
            if pause_s is None:
                return
            time.sleep(max(0.0, pause_s - (time.monotonic() - started)))


def _tick(memory: GraphMemory, steps: list[Step] | None, budget: float | None) -> MaintenanceReport:
    with bar("Upkeep", "steps") as progress:
        return memory.maintain(steps=steps or None, budget_s=budget, progress=progress)


def _show(report: MaintenanceReport, *, as_json: bool, is_line: bool) -> None:
    if as_json:
        print_json(report.model_dump(mode="json"), is_line=is_line)
        return
    rows = table(f"run {report.run_id}", "step", "state", "what", "seconds")
    for step in report.steps:
        told = ", ".join(f"{word} {count:,}" for word, count in step.counts.items())
        rows.add_row(step.name, step.state, step.error or told, f"{step.duration_ms / 1000:.1f}")
    stdout().print(rows)


def _seconds(text: str) -> float:
    match = _SPAN.fullmatch(text.strip())
    seconds = 0.0 if match is None else float(match[1]) * _UNIT_S[match[2]]
    if not 0 < seconds <= _MOST_S:
        raise typer.BadParameter(
            f"it is a span such as 90s, 30m, 1h or 1d, up to {_MOST_DAYS}d, got {text!r}",
            param_hint="--every",
        )
    return seconds
