"""`graphmem consolidate`, `orphans` and `retention` on a real server: what they say and do."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, GraphMemory
from graphmem.cli import cleaning, runs
from graphmem.cli.root import run
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.test_consolidate import make, of

Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Run a command on the shared server; return its code, its output and its errors."""

    def opened(_: str | None) -> GraphMemory:
        return GraphMemory.open(settings_with(), embedder=embedder, clock=clock)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run([*arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    for module in (cleaning, runs):
        monkeypatch.setattr(module, "open_memory", opened)
    return command


def told(answer: tuple[int, str, str]) -> Any:
    """Return what a command printed as JSON."""
    code, output, errors = answer
    assert 0 == code, errors
    return json.loads(output)


async def test_duplicates_are_shown_merged_and_taken_back(
    memory: AsyncGraphMemory, shell: Shell, scope: str, ask: Ask
) -> None:
    """A dry run shows the pairs; a real one names its run and the way back."""
    await make(
        ask,
        memory,
        scope,
        [of("a", 0, text="Ana keeps bees"), of("b", 5, idle_h=9, text="Ana keeps bees now")],
    )

    code, shown, _ = shell("consolidate", "--dry-run")
    planned = told(shell("consolidate", "--dry-run", "--json"))
    code_too, output, _ = shell("consolidate")
    (found,) = await memory.runs(operations=["consolidate"])
    undone = told(shell("runs", "undo", found.id, "--json"))

    assert (code, code_too) == (0, 0)
    for part in ("Ana keeps bees now", "0.996", "2 facts looked at, 1 would be deleted"):
        assert part in shown
    assert "run" not in shown.split("would be deleted")[1]
    assert planned["is_dry_run"]
    assert planned["removed"][0]["survivor_id"] == "a"
    assert f"graphmem runs undo {found.id}" in output
    assert undone["restored"] == 1


async def test_options_of_consolidation(
    memory: AsyncGraphMemory, shell: Shell, scope: str, ask: Ask
) -> None:
    """Threshold, candidates and mode; what has no vector is told."""
    await make(
        ask,
        memory,
        scope,
        [
            of("a", 0, tags=["x"]),
            of("b", 5, tags=["y"]),
            of("c", 0),
            of("d", 0, idle_h=9, pinned=True),
        ],
    )

    # Of another embedder: it cannot be compared.
    await ask("MATCH (f:Fact {scope: $scope, id: 'c'}) SET f.embedder_id = 'other'", scope=scope)

    strict = told(shell("consolidate", "--threshold", "0.999", "--candidates", "all", "--json"))
    code, output, _ = shell("consolidate", "--candidates", "all", "--mode", "deprecate")
    bad, _, errors = shell("consolidate", "--threshold", "2")

    assert (strict["deleted"], strict["skipped"]) == (0, 1)
    assert code == 0
    assert "4 facts looked at, 1 deprecated" in output
    assert "1 have no vector" in output
    assert "1 stay, protected: pinned" in output
    assert bad == 1
    assert "threshold" in errors


async def test_orphans_are_shown_and_deleted(
    memory: AsyncGraphMemory, shell: Shell, scope: str, ask: Ask
) -> None:
    """Then there are none."""
    await ask(
        "CREATE (:Tag {scope: $scope, id: 't', key: 'alone', label: 'alone', status: 'active'})",
        scope=scope,
    )

    _, shown, _ = shell("orphans", "--dry-run")
    _, output, _ = shell("orphans")
    _, nothing, _ = shell("orphans")

    assert "1 Tags that led nowhere would be deleted" in shown
    assert "alone" in shown
    assert "graphmem runs undo" in output
    assert "nothing leads nowhere" in nothing


async def test_messages_are_kept_unless_told_otherwise(
    memory: AsyncGraphMemory, shell: Shell, scope: str, ask: Ask
) -> None:
    """And a dry run shows which would go."""
    await ask(
        "CREATE (:Message {scope: $scope, id: 'm', session_id: 's', turn_id: 'gone', seq: 0, "
        "role: 'user', content: 'left behind', at: datetime('2026-01-01')})",
        scope=scope,
    )

    kept = told(shell("retention", "--json"))
    recent = told(shell("retention", "--keep", "recent", "--days", "9999", "--json"))
    _, shown, _ = shell("retention", "--keep", "referenced", "--dry-run")
    _, output, _ = shell("retention", "--keep", "recent", "--recent-turns", "0", "--batch", "1")

    assert (kept["checked"], kept["deleted"]) == (0, 0)
    assert (recent["deleted"], recent["protected"]) == (0, {"recent": 1})
    assert "left behind" in shown
    assert "1 messages looked at, 1 would be deleted" in shown
    assert "1 messages looked at, 1 deleted" in output
