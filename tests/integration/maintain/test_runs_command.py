"""`graphmem maintain` and `graphmem runs` on a real server: what they say and do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest

from graphmem import GraphMemory
from graphmem.errors import StoreError
from graphmem.testing import FrozenClock
from tests.integration.maintain.conftest import Shell


def test_a_tick_is_listed_shown_and_taken_back(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """On a terminal of eighty columns no word and no time is broken."""
    with opened() as memory:
        memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(timedelta(days=99))

    nothing = shell("runs", "list").out
    tick = shell("maintain", "--step", "decay", "--step", "orphans", "--json").json
    listed = shell("runs", "list", "--parts").out
    other = shell("runs", "list", "--operation", "consolidate").out
    shown = shell("runs", "show", tick["run_id"]).out
    undone = shell("runs", "undo", tick["run_id"]).out
    again = shell("runs", "undo", tick["run_id"])

    assert "nothing was done here yet" in nothing
    rows = [line.split("   ") for line in listed.splitlines() if tick["run_id"] in line]
    assert [[f"  {tick['run_id']}", "2026-09-08 00:00", "maintain: done"]] == [
        [cell.rstrip() for cell in row[:3]] for row in rows
    ]
    assert "decay: done" in listed
    assert max(map(len, listed.splitlines())) <= 80
    assert "no consolidate was done here yet" in other
    told = " ".join(shown.split())
    assert "called with steps: decay, orphans " in told
    assert ["decay: done", "orphans: done"] == re.findall(r"(?:decay|orphans): \w+", told)
    assert "None" not in told
    assert "undo until" in told
    assert max(map(len, shown.splitlines())) <= 80
    # The fact, and before it what the clean-up had found to lead nowhere.
    assert "2 restored" in undone
    assert 1 == again.code
    assert again.err.startswith("error: run-undone: ")


def test_a_step_that_failed_is_no_success(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are done, what went wrong is told, and the exit code is 1."""

    async def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full", kind="store")

    monkeypatch.setattr("graphmem.tiers.tick.remove_orphans", broken)

    done = shell("maintain", "--step", "orphans", "--step", "tombstones")

    assert 1 == done.code
    assert "store: the disk is full" in done.out
    assert ["tombstones", "done"] in [line.split()[:2] for line in done.out.splitlines()]


def test_ticks_without_end_are_a_line_each(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program reads one, and waits for the next; Ctrl-C ends it."""

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=stop)
    monkeypatch.setattr("graphmem.cli.maintain.time", clock)

    done = shell("maintain", "--step", "tombstones", "--every", "1h", "--json")

    (line,) = done.out.splitlines()
    assert 130 == done.code
    assert ["tombstones"] == [step["name"] for step in json.loads(line)["steps"]]


def test_no_time_to_undo_is_named_where_nothing_went(
    shell: Shell, opened: Callable[..., GraphMemory]
) -> None:
    """Communities are made anew instead; and what was undone is undone."""
    with opened() as memory:
        memory.semantic.remember("Bruno sails on Sundays")
        found = memory.update_communities()
        orphans = memory.clean_orphans()
    shell("runs", "undo", orphans.run_id)

    shown = [shell("runs", "show", run_id).out for run_id in (found.run_id, orphans.run_id)]

    assert not any("undo until" in told for told in shown)
    assert ["communities: done", "orphans: undone"] == [
        re.sub(r"(?s).*operation +(\w+).*state +(\w+).*", r"\1: \2", told) for told in shown
    ]
