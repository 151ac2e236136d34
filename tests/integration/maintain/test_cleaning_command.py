"""`graphmem consolidate`, `orphans` and `retention` on a real server: what they say and do."""

from __future__ import annotations

from graphmem import AsyncGraphMemory
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Shell
from tests.integration.maintain.test_consolidate import make, of


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

    strict = shell("consolidate", "--dry-run", "--candidates", "all", "--threshold", "0.999")
    shown = shell("consolidate", "--dry-run")
    planned = shell("consolidate", "--dry-run", "--json").json
    done = shell("consolidate")
    (found,) = await memory.runs(operations=["consolidate"])
    undone = shell("runs", "undo", found.id, "--json").json

    assert (0, 0) == (shown.code, done.code)
    assert "2 facts looked at, nothing would go: no two are nearer than 0.999" in strict.out
    for part in ("Ana keeps bees now", "0.996", "2 facts looked at, 1 would be deleted"):
        assert part in shown.out
    assert "run" not in shown.out.split("would be deleted")[1]
    assert planned["is_dry_run"]
    assert planned["removed"][0]["survivor_id"] == "a"
    assert f"graphmem runs undo {found.id}" in done.out
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

    strict = shell("consolidate", "--threshold", "0.999", "--candidates", "all", "--json").json
    done = shell("consolidate", "--candidates", "all", "--mode", "deprecate")
    nothing = shell("consolidate", "--dry-run", "--threshold", "0.99")
    bad = shell("consolidate", "--threshold", "2")

    assert (strict["deleted"], strict["skipped"]) == (0, 1)
    assert 0 == done.code
    assert "4 facts looked at, 1 deprecated" in done.out
    assert "1 have no vector" in done.out
    assert "protected: 1 pinned" in done.out
    assert "nothing would go: no two that share a tag are nearer than 0.99" in nothing.out
    assert 2 == bad.code
    assert "threshold" in bad.err


async def test_orphans_are_shown_and_deleted(
    memory: AsyncGraphMemory, shell: Shell, scope: str, ask: Ask
) -> None:
    """Then there are none."""
    await ask(
        "CREATE (:Tag {scope: $scope, id: 't', key: 'alone', label: 'alone', status: 'active'})",
        scope=scope,
    )

    shown = shell("orphans", "--dry-run").out
    done = shell("orphans").out
    nothing = shell("orphans").out

    assert "1 Tag that led nowhere would be deleted" in shown
    assert "alone" in shown
    assert "1 Tag that led nowhere deleted" in done
    assert "graphmem runs undo" in done
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

    told = shell("retention").out
    kept = shell("retention", "--json").json
    unasked = shell("retention", "--days", "3")
    recent = shell("retention", "--keep", "recent", "--days", "9999", "--json").json
    shown = shell("retention", "--keep", "referenced", "--dry-run").out
    done = shell("retention", "--keep", "recent", "--recent-turns", "0", "--batch", "1").out

    assert "all messages are kept" in told
    assert (0, 0) == (kept["checked"], kept["deleted"])
    assert 2 == unasked.code
    assert "this is of --keep recent" in unasked.err
    assert (0, {"recent": 1}) == (recent["deleted"], recent["protected"])
    assert "left behind" in shown
    assert "1 message looked at, 1 would be deleted" in shown
    assert "1 message looked at, 1 deleted" in done
