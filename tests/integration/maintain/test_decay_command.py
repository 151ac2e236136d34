"""`graphmem decay` on a real server: what a person and a program are told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from graphmem import GraphMemory
from graphmem.testing import FrozenClock
from tests.integration.maintain.conftest import Shell

DAY = timedelta(days=1)


def test_from_the_preview_to_the_undo(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """Foreseen, listed, done without a question, and taken back by what was printed."""
    with opened() as memory:
        fact = memory.semantic.remember("Bruno sails on Sundays")
        pinned = memory.procedural.define("Tag it, then push.", intent="release")
        memory.procedural.pin(pinned.id)
    clock.advance(4 * DAY)

    plot = shell("decay", "--preview", "--days", "3").out
    clock.advance(DAY)
    foreseen = shell("decay", "--preview").out
    of_it = shell("decay", "--preview", "--node", fact.id).out
    as_json = shell("decay", "--preview", "--json").json
    dry = shell("decay", "--dry-run").out
    why = shell("decay", "--dry-run", "--explain").out
    done = shell("decay", "--type", "semantic").out
    undo = done.strip().rpartition(": ")[2].split()
    back = shell(*undo[1:]).out

    assert ["day", "1", "1", "#" * 40] in [line.split() for line in plot.splitlines()]
    row = [line.split() for line in foreseen.splitlines() if fact.id in line]
    assert [[fact.id, "Bruno", "sails", "on", "Sundays"]] == row
    assert "score 0.090" in foreseen
    assert "2 looked at, 1 would go now" in foreseen
    assert "protected, whatever they are worth: 1 pinned" in foreseen
    assert f"{pinned.id}   Procedure: Tag it" in foreseen
    assert "protected: pinned" in foreseen
    assert ["never", "used,", "not", "rated", "4.6", "4.6"] in [
        line.split() for line in foreseen.splitlines()
    ]
    assert "frequency 0.300" in of_it
    assert (1, 5.0) == (as_json["goes"], as_json["nodes"][0]["idle_days"])
    assert [pinned.id] == [node["id"] for node in as_json["kept_nodes"]]
    assert 1 == len([line for line in dry.splitlines() if "Bruno" in line or "less than" in line])
    assert "less than 0.1" in why
    assert fact.id in why
    assert "2 looked at, 1 would be deleted" in dry
    assert "protected: 1 pinned" in dry
    assert "graphmem runs undo" not in dry
    assert "1 looked at, 1 deleted" in done
    assert max(map(len, done.splitlines())) <= 80
    assert ["graphmem", "runs", "undo"] == undo[:3]
    assert "restored" in back
    with opened() as memory:
        assert [fact.id] == [found.id for found in memory.semantic.list()]


def test_the_tiered_policy(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """Its preview, its dry run, and what it did."""
    with opened() as memory:
        fact = memory.semantic.remember("Bruno sails on Sundays")
    fresh = shell("decay", "--policy", "tiered").out
    absent = shell("decay", "--preview", "--node", fact.id, "--node", "nobody")
    clock.advance(99 * DAY)

    preview = shell("decay", "--policy", "tiered", "--preview", "--node", fact.id).out
    dry = shell("decay", "--policy", "tiered", "--dry-run", "--json").json
    done = shell("decay", "--policy", "tiered").out
    again = shell("decay", "--policy", "tiered").out

    assert "1 looked at, nothing goes: 1 used, or not silent for long enough" in fresh
    assert 1 == absent.code
    assert "error: no-such-node: there is no fact and no procedure 'nobody' in" in absent.err
    assert "working > peripheral" in preview
    assert (1, 1, True) == (dry["demoted"], dry["deprecated"], dry["is_dry_run"])
    assert "1 looked at, 1 demoted, 1 deprecated" in done
    assert "graphmem runs undo" in done
    assert "0 looked at, nothing goes: no fact and no procedure lives in scope" in again


def test_what_stays_is_told_where_nothing_goes(
    shell: Shell, opened: Callable[..., GraphMemory], clock: FrozenClock
) -> None:
    """What is worth enough, and what is protected."""
    with opened() as memory:
        memory.semantic.pin(memory.semantic.remember("Bruno sails on Sundays").id)
        clock.advance(9 * DAY)
        memory.semantic.remember("Ana keeps bees")

    dry = shell("decay", "--dry-run").out
    done = shell("decay", "--mode", "deprecate", "--threshold", "0.2").out

    assert ["2 looked at, nothing would go: 1 worth 0.1 or more, 1 protected"] == [
        line for line in dry.splitlines() if "looked" in line
    ]
    assert "nothing goes: 1 worth 0.2 or more, 1 protected\nprotected: 1 pinned" in done


def test_many_days_fit_on_a_screen(shell: Shell, opened: Callable[..., GraphMemory]) -> None:
    """A bar of a long time is several days."""
    with opened() as memory:
        memory.semantic.remember("Bruno sails on Sundays")

    output = shell("decay", "--preview", "--days", "90").out

    assert "days 1-6" in output
    assert "days 85-90" in output
    assert output.count("days ") <= 20
