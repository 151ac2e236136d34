"""`graphmem decay` on a real server: what a person and a program are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import GraphMemory
from graphmem.cli import decay, runs
from graphmem.cli.root import run
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Configure

Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def opened(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> Callable[[str | None], GraphMemory]:
    """Open the memory of this test."""

    def open_memory(_: str | None = None) -> GraphMemory:
        return GraphMemory.open(settings_with(), embedder=embedder, clock=clock)

    return open_memory


@pytest.fixture
def shell(
    opened: Callable[[str | None], GraphMemory],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Run a command on the shared server; return its code, its output and its errors."""

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run([*arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    for module in (decay, runs):
        monkeypatch.setattr(module, "open_memory", opened)
    return command


def told(answer: tuple[int, str, str]) -> Any:
    """Return what a command printed as JSON."""
    code, output, errors = answer
    assert 0 == code, errors
    return json.loads(output)


def test_from_the_preview_to_the_undo(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """Foreseen, listed, done without a question, and taken back by what was printed."""
    with opened() as memory:
        fact = memory.semantic.remember("Bruno sails on Sundays")
        memory.procedural.define("Tag it, then push.", intent="release")
    clock.advance(timedelta(days=4))

    plot = shell("decay", "--preview", "--days", "3")
    clock.advance(timedelta(days=1))
    table = shell("decay", "--preview")
    foreseen = told(shell("decay", "--preview", "--json"))
    dry = shell("decay", "--dry-run")
    done = shell("decay", "--type", "semantic")
    undo = done[1].strip().rpartition(": ")[2].split()
    back = shell(*undo[1:])

    assert ["day", "1", "2", "#" * 40] in [line.split() for line in plot[1].splitlines()]
    assert fact.id in table[1]
    assert "0.300" in table[1]
    assert "never used, not rated" in table[1]
    assert (2, 5.0) == (foreseen["goes"], foreseen["nodes"][0]["idle_days"])
    assert "would go" in dry[1]
    assert "less than 0.1" in " ".join(dry[1].split())
    assert "1 Tag that led" in dry[1]
    assert "graphmem runs undo" not in dry[1]
    assert undo[:3] == ["graphmem", "runs", "undo"]
    assert "1 looked at, 1 deleted" in done[1]
    assert "restored" in back[1]
    with opened() as memory:
        assert [fact.id] == [found.id for found in memory.semantic.list()]


def test_the_tiered_policy(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """Its preview, its dry run, and what it did."""
    with opened() as memory:
        fact = memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(timedelta(days=99))

    preview = shell("decay", "--policy", "tiered", "--preview", "--node", fact.id)
    dry = told(shell("decay", "--policy", "tiered", "--dry-run", "--json"))
    done = shell("decay", "--policy", "tiered")
    again = shell("decay", "--policy", "tiered")
    refused = shell("decay", "--policy", "tiered", "--type", "semantic")

    assert "working > peripheral" in preview[1]
    assert (1, 1, True) == (dry["demoted"], dry["deprecated"], dry["is_dry_run"])
    assert "1 demoted, 1 deprecated" in done[1]
    assert "graphmem runs undo" in done[1]
    assert "0 looked at, nothing goes" in again[1]
    assert 2 == refused[0]


def test_nothing_to_forget(shell: Shell) -> None:
    """It says so in one line."""
    code, output, _ = shell("decay", "--mode", "deprecate", "--threshold", "0.2")

    assert (0, "0 looked at, nothing goes\n") == (code, output)


def test_many_days_fit_on_a_screen(shell: Shell, opened: Callable[..., GraphMemory]) -> None:
    """A bar of a long time is several days."""
    with opened() as memory:
        memory.semantic.remember("Bruno sails on Sundays")

    _, output, _ = shell("decay", "--preview", "--days", "90")

    assert "days 1-6" in output
    assert "days 85-90" in output
    assert output.count("days ") <= 20
