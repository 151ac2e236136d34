"""Only who holds a scope begins a part, goes on, or ends; only what is left is broken off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DUE, LATER = NOW + timedelta(minutes=2), NOW + timedelta(minutes=9)

ASKED: dict[str, dict[str, Any]] = {
    "begin_part": {
        "id": "new",
        "part_of": "r",
        "ordinal": 2,
        "operation": "decay",
        "params": "{}",
        "owner": "me",
        "now": NOW,
        "undo_until": LATER,
    },
    "renew_run": {
        "id": "r",
        "holder": "r",
        "owner": "me",
        "due_at": LATER,
        "counts": '{"deleted": 1}',
        "ids": ["f"],
    },
    "end_run": {
        "id": "r",
        "owner": "me",
        "state": "failed",
        "counts": '{"deleted": 1}',
        "ids": ["f"],
        "errors": ["why"],
        "now": LATER,
    },
    "break_run": {"id": "r", "owner": "me", "due_at": DUE, "now": LATER},
}


async def make(ask: Ask, scope: str, key: str = "r", **told: Any) -> None:
    """Make a run that holds the scope, unless told otherwise."""
    held = {"lock": "held", "owner": "me", "due_at": DUE, "state": "running", "at": NOW}
    await ask(
        "CREATE (r:MaintenanceRun {scope: $scope, id: $id, counts: '{}'}) SET r += $told",
        scope=scope,
        id=key,
        told={"part_of": "", **held, **told},
    )


async def runs(ask: Ask, scope: str) -> dict[str, dict[str, Any]]:
    """Return the properties of the runs of a scope by their ids."""
    rows = await ask(
        "MATCH (r:MaintenanceRun {scope: $scope}) RETURN r {.*, scope: null} AS run", scope=scope
    )
    return {row["run"]["id"]: row["run"] for row in rows}


@pytest.mark.parametrize("name", list(ASKED))
async def test_who_holds_a_scope_no_longer_changes_nothing(
    db: Database, ask: Ask, scope: str, name: str
) -> None:
    """Another process has it, it was let go, or it was renewed meanwhile."""
    cases: dict[str, dict[str, Any]] = {"of another process": {"owner": "you"}}
    if name == "end_run":
        # One that another process took over, and undid, while this one slept.
        cases["undone"] = {"lock": None, "state": "undone"}
    else:
        cases["let go"] = {"lock": None}
    if name == "break_run":
        cases["renewed"] = {"due_at": LATER}
    for case, told in cases.items():
        place = f"{scope}/{case}"
        await make(ask, place, **told)
        before = await runs(ask, place)

        rows = await db.run(get_query(f"maintain/{name}"), scope=place, **ASKED[name])

        assert before == await runs(ask, place), case
        assert rows in ([], [{"broken": 0}]), case


async def test_a_part_is_held_as_long_as_the_whole(db: Database, ask: Ask, scope: str) -> None:
    """It says what it is a part of, and until when it can be undone."""
    await make(ask, scope)

    await db.run(get_query("maintain/begin_part"), scope=scope, **ASKED["begin_part"])

    part = (await runs(ask, scope))["new"]
    assert ("r", 2) == (part["part_of"], part["ordinal"])
    assert ("running", "me") == (part["state"], part["owner"])
    assert (DUE, LATER) == (part["due_at"].to_native(), part["undo_until"].to_native())
    assert "lock" not in part


async def test_a_part_renews_the_hold_of_the_whole(db: Database, ask: Ask, scope: str) -> None:
    """What it counted and changed stands in its own receipt."""
    await make(ask, scope)
    await make(ask, scope, "part", lock=None, part_of="r")

    await db.run(
        get_query("maintain/renew_run"), scope=scope, **{**ASKED["renew_run"], "id": "part"}
    )

    found = await runs(ask, scope)
    assert (LATER, "{}") == (found["r"]["due_at"].to_native(), found["r"]["counts"])
    assert ('{"deleted": 1}', ["f"]) == (found["part"]["counts"], found["part"]["ids"])


async def test_what_ended_holds_nothing(db: Database, ask: Ask, scope: str) -> None:
    """It says how it ended, when, and why."""
    await make(ask, scope)

    await db.run(get_query("maintain/end_run"), scope=scope, **ASKED["end_run"])

    run = (await runs(ask, scope))["r"]
    assert ("failed", LATER, ["why"]) == (run["state"], run["ended_at"].to_native(), run["errors"])
    assert ('{"deleted": 1}', ["f"]) == (run["counts"], run["ids"])
    assert not {"lock", "due_at"} & run.keys()


async def test_what_ended_leaves_no_part_behind(db: Database, ask: Ask, scope: str) -> None:
    """One whose own end could not be written is broken off; what had ended stays as it is."""
    await make(ask, scope)
    await make(ask, scope, "open", lock=None, part_of="r")
    await make(ask, scope, "done", lock=None, part_of="r", state="done")
    await make(ask, scope, "of another", lock=None, part_of="other")

    await db.run(get_query("maintain/end_run"), scope=scope, **ASKED["end_run"])

    found = await runs(ask, scope)
    assert ("broken", LATER) == (found["open"]["state"], found["open"]["ended_at"].to_native())
    assert ("done", "running") == (found["done"]["state"], found["of another"]["state"])


async def test_a_run_is_broken_off_with_its_parts(db: Database, ask: Ask, scope: str) -> None:
    """Those that were under way; what had ended, and the parts of others, stay as they are."""
    await make(ask, scope)
    await make(ask, scope, "at once", lock=None, part_of="r")
    await make(ask, scope, "later", lock=None, part_of="r", at=LATER)
    await make(ask, scope, "done", lock=None, part_of="r", state="done")
    await make(ask, scope, "of another", lock=None, part_of="other")
    before = await runs(ask, scope)

    rows = await db.run(get_query("maintain/break_run"), scope=scope, **ASKED["break_run"])

    after = await runs(ask, scope)
    broken = {"r", "at once", "later"}
    assert [{"broken": 3}] == rows
    assert broken == {key for key, run in after.items() if run["state"] == "broken"}
    assert {LATER} == {after[key]["ended_at"].to_native() for key in broken}
    assert not any({"lock", "due_at"} & after[key].keys() for key in broken)
    assert all(before[key] == after[key] for key in ("done", "of another"))


async def test_a_run_tells_of_its_parts_from_the_first_to_the_last(
    db: Database, ask: Ask, scope: str
) -> None:
    """Whatever the clock said when they began."""
    await make(ask, scope)
    await make(ask, scope, "third", lock=None, part_of="r", ordinal=3)
    await make(ask, scope, "first", lock=None, part_of="r", ordinal=1)
    await make(ask, scope, "second", lock=None, part_of="r", ordinal=2, at=DUE)
    await make(ask, scope, "of another", lock=None, part_of="other")

    (row,) = await db.run(get_query("maintain/get_run"), scope=scope, id="r")

    assert ["first", "second", "third"] == [part["id"] for part in row["run"]["parts"]]


async def test_runs_are_told_from_the_last_to_the_first(db: Database, ask: Ask, scope: str) -> None:
    """Of one instant by their ids; only those of some operations, with parts or without."""
    ended: list[tuple[str, str, datetime, str]] = [
        ("first", "decay", NOW, ""),
        ("second", "orphans", NOW + timedelta(seconds=1), ""),
        ("b", "decay", LATER, ""),
        ("a", "decay", LATER, ""),
        ("part", "orphans", DUE, "first"),
    ]
    for key, operation, at, whole in ended:
        told = {"operation": operation, "at": at, "part_of": whole}
        await make(ask, scope, key, lock=None, **told)
    await make(ask, f"{scope}/other", "elsewhere", operation="decay")

    async def listed(**asked: Any) -> list[str]:
        usual = {"scope": scope, "limit": 9, "operations": [], "has_parts": True}
        rows = await db.run(get_query("maintain/list_runs"), **(usual | asked))
        return [row["run"]["id"] for row in rows]

    assert ["a", "b", "part", "second", "first"] == await listed()
    assert ["a", "b"] == await listed(limit=2)
    assert ["a", "b", "second", "first"] == await listed(has_parts=False)
    assert ["part", "second"] == await listed(operations=["orphans", "tombstones"])


async def test_what_was_undone_says_when(db: Database, ask: Ask, scope: str) -> None:
    """And others do not."""
    await make(ask, scope, lock=None, state="done")
    await make(ask, scope, "other", lock=None, state="done")

    rows = await db.run(get_query("maintain/mark_undone"), scope=scope, run_ids=["r"], now=LATER)

    found = await runs(ask, scope)
    assert [{"runs": 1}] == rows
    assert ("undone", LATER) == (found["r"]["state"], found["r"]["undone_at"].to_native())
    assert ("done", None) == (found["other"]["state"], found["other"].get("undone_at"))
