"""What is deleted for good, and what is left of it: bounds, protections, and what leads there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import decide

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LABELS = pytest.mark.parametrize("label", ["Fact", "Procedure"])


async def make(ask: Ask, scope: str, label: str, **nodes: dict[str, Any]) -> None:
    """Make nodes that decay deprecated sixty days ago, unless told otherwise."""
    usual = {
        "status": "deprecated",
        "deprecated_by": "decay",
        "deprecated_at": NOW - 60 * DAY,
        "pinned": False,
        "tier": "peripheral",
    }
    await ask(
        "UNWIND $rows AS row CREATE (n:$($label) {scope: $scope}) SET n += row",
        scope=scope,
        label=label,
        rows=[{"id": key, **usual, **told} for key, told in nodes.items()],
    )


async def protect(ask: Ask, scope: str) -> dict[str, str]:
    """Make a fact under each protection; return which has what."""
    decided = {
        f"{link}_{state}": (link, state)
        for link in ("ABOUT", "AGAINST")
        for state in ("open", "unchecked", "settled")
    }
    await make(ask, scope, "Fact", old={}, new={}, **{key: {} for key in decided})
    await decide(ask, scope, decided)
    protected = {key: "decision" for key in decided if "settled" not in key}
    free = {key: "" for key in decided if "settled" in key}
    return {"old": "chain", "new": "chain", **protected, **free}


@LABELS
async def test_only_what_decay_deprecated_gets_its_time(
    db: Database, ask: Ask, scope: str, label: str
) -> None:
    """Where nobody knows since when; what is told by now has none."""
    undated: dict[str, Any] = {"deprecated_at": None}
    await make(
        ask,
        scope,
        label,
        one=undated,
        two=undated,
        dated={},
        by_user={**undated, "deprecated_by": "user"},
        revived={**undated, "status": "active"},
    )
    await make(ask, f"{scope}/other", label, elsewhere=undated)
    dating = {"scope": scope, "now": NOW, "limit": 9}

    first = await db.run(get_query("maintain/date_deprecated"), **dating)
    second = await db.run(get_query("maintain/date_deprecated"), **dating)

    rows = await ask(
        "MATCH (n:$($label)) WHERE n.scope STARTS WITH $scope AND n.deprecated_at IS NOT NULL "
        "RETURN n.id AS id, n.deprecated_at = $now AS now",
        scope=scope,
        label=label,
        now=NOW,
    )
    assert ([{"dated": 2}], [{"dated": 0}]) == (first, second)
    assert {"one": True, "two": True, "dated": False} == {row["id"]: row["now"] for row in rows}


@LABELS
async def test_what_is_due_is_purged(db: Database, ask: Ask, scope: str, label: str) -> None:
    """Just the time is enough; what others deprecated, and what is told by now, is left alone."""
    await make(
        ask,
        scope,
        label,
        due={"text": "words"} if label == "Fact" else {"instruction": "words"},
        fresh={"deprecated_at": NOW - 59.99 * DAY},
        undated={"deprecated_at": None},
        by_user={"deprecated_by": "user"},
        revived={"status": "active"},
        pinned={"pinned": True},
        core={"tier": "core"},
        bare={"pinned": None, "tier": None},
    )
    await make(ask, f"{scope}/other", label, elsewhere={})
    expected = {"due": "", "pinned": "pinned", "core": "core", "bare": ""}
    if label == "Fact":
        expected |= await protect(ask, scope)

    paging = {"scope": scope, "kind": label, "until": NOW - 60 * DAY, "limit": 99}
    rows = await db.run(get_query("maintain/page_deprecated"), after="", **paging)
    rest = await db.run(get_query("maintain/page_deprecated"), after="due", **paging)

    assert sorted(expected.items()) == [(row["id"], row["protected"]) for row in rows]
    assert ["words"] == [row["text"] for row in rows if row["id"] == "due"]
    assert [key for key in sorted(expected) if key > "due"] == [row["id"] for row in rest]


@LABELS
async def test_purges_are_foreseen_by_the_day(
    db: Database, ask: Ask, scope: str, label: str
) -> None:
    """What is due is of today, a part of a day is a day, and what nobody dated begins now."""
    await make(
        ask,
        scope,
        label,
        overdue={"deprecated_at": NOW - 99 * DAY},
        due={},
        tomorrow={"deprecated_at": NOW - 59 * DAY},
        in_a_day_and_a_half={"deprecated_at": NOW - 58.5 * DAY},
        undated={"deprecated_at": None},
        by_user={"deprecated_by": "user"},
        revived={"status": "active"},
        pinned={"pinned": True},
        core={"tier": "core"},
    )
    await make(ask, f"{scope}/other", label, elsewhere={})
    free = 0
    if label == "Fact":
        free = list((await protect(ask, scope)).values()).count("")

    asked = {"scope": scope, "now": NOW, "after_days": 60.0}
    soon = await db.run(get_query("maintain/foresee_purges"), days=2, **asked)
    all_of_it = await db.run(get_query("maintain/foresee_purges"), days=60, **asked)

    assert {0: 2 + free, 1: 1, 2: 1} == {row["day"]: row["nodes"] for row in soon}
    assert [*soon, {"day": 60, "nodes": 1}] == all_of_it


async def test_live_ones_are_counted_by_their_label(db: Database, ask: Ask, scope: str) -> None:
    """Of one scope; what waits for a judge lives."""
    states = ("active", "pending", "superseded", "deprecated", "forgotten")
    nodes: dict[str, Any] = {state: {"status": state} for state in states}
    await make(ask, scope, "Fact", **nodes)
    await make(ask, scope, "Procedure", more={"status": "active"}, **nodes)
    await make(ask, f"{scope}/other", "Fact", f={"status": "active"})
    await make(ask, f"{scope}/other", "Procedure", p={"status": "active"})
    await ask("MATCH (f:Fact {scope: $scope}) SET f.canonical_hash = f.id", scope=scope)

    live = await db.run(get_query("maintain/count_live"), scope=scope)
    facts = await db.run(get_query("maintain/count_facts"), scope=scope)

    assert [{"facts": 2, "procedures": 3}] == live
    assert [{"facts": 5}] == facts


# Tombstones -------------------------------------------------------------------------------

LED = [
    ("Fact", "TAGGED", {}, True),
    ("Fact", "SUBJECT", {}, True),
    ("Fact", "OBJECT", {}, True),
    ("Procedure", "SERVES", {}, True),
    ("Tombstone", "TAGGED", {"purge_after": NOW + DAY}, True),
    ("Tombstone", "TAGGED", {"purge_after": NOW}, False),
    ("MaintenanceRun", "CHANGED", {}, False),
]


@pytest.mark.parametrize(("label", "link", "told", "stays"), LED)
async def test_what_somebody_may_be_led_by_stays(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    label: str,
    link: str,
    told: dict[str, Any],
    stays: bool,
) -> None:
    """A deprecated fact that is told again is given its names by their Tombstones."""
    await ask(
        "CREATE (from:$($label) {scope: $scope, id: 'from'})-[:$($link)]->"
        "(:Tombstone {scope: $scope, id: 'n', purge_after: $now}) SET from += $told",
        scope=scope,
        label=label,
        link=link,
        told=told,
        now=NOW,
    )

    await db.run(get_query("maintain/drop_tombstones"), scope=scope, now=NOW, batch=9)

    left = await ask("MATCH (n {scope: $scope, id: 'n'}) RETURN n.id AS id", scope=scope)
    assert stays is bool(left)


async def test_tombstones_go_in_their_order(db: Database, ask: Ask, scope: str) -> None:
    """A batch at a time, when their time is over, in this scope, with what was decided of them."""
    await ask(
        """
        UNWIND $rows AS row
        CREATE (n:Tombstone {scope: row.scope, id: row.id, purge_after: row.at})
        CREATE (n)<-[:ABOUT]-(:Decision {scope: row.scope, id: 'about ' + row.id})
        CREATE (n)<-[:AGAINST]-(:Decision {scope: row.scope, id: 'against ' + row.id})
        """,
        rows=[
            {"scope": scope, "id": "today", "at": NOW},
            {"scope": scope, "id": "long ago", "at": NOW - 9 * DAY},
            {"scope": scope, "id": "yesterday", "at": NOW - DAY},
            {"scope": scope, "id": "soon", "at": NOW + timedelta(seconds=1)},
            {"scope": f"{scope}/other", "id": "elsewhere", "at": NOW - DAY},
        ],
    )

    seen = []
    for _ in range(3):
        rows = await db.run(get_query("maintain/drop_tombstones"), scope=scope, now=NOW, batch=2)
        left = await ask(
            "MATCH (n) WHERE n.scope STARTS WITH $scope AND (n:Tombstone OR n.id STARTS WITH "
            "'about') RETURN n.id AS id",
            scope=scope,
        )
        seen.append((rows[0]["dropped"], {row["id"] for row in left}))

    kept = {"soon", "about soon", "elsewhere", "about elsewhere"}
    assert [(2, kept | {"today", "about today"}), (1, kept), (0, kept)] == seen
    against = await ask(
        "MATCH (d:Decision {scope: $scope}) WHERE d.id STARTS WITH 'against' RETURN count(d) AS n",
        scope=scope,
    )
    assert [{"n": 4}] == against


# What leads nowhere -----------------------------------------------------------------------


async def test_what_is_gone_in_a_dry_run_keeps_nothing(db: Database, ask: Ask, scope: str) -> None:
    """Tags, Intents, Terms and communities of it are told as orphans, and no others are."""
    await ask(
        """
        UNWIND ['goes', 'stays'] AS id
        CREATE (f:Fact {scope: $scope, id: id, status: 'active'})
        CREATE (f)-[:TAGGED]->(:Tag {scope: $scope, id: 'g ' + id, key: id, label: id})
        CREATE (f)-[:OBJECT]->(term:Term
          {scope: $scope, id: 't ' + id, key: id, name: id, status: 'active'})
        CREATE (term)-[:IN_COMMUNITY]->(:Community {scope: $scope, id: 'c ' + id, summary: id})
        CREATE (:Procedure {scope: $scope, id: id, status: 'active'})
          -[:SERVES]->(:Intent {scope: $scope, id: 'i ' + id, key: id, description: id})
        WITH DISTINCT 1 AS made
        CREATE (:Community {scope: $scope, id: 'c of a merged one', summary: 'merged'})
          <-[:IN_COMMUNITY]-(:Term {scope: $scope, id: 'm', key: 'm', status: 'deprecated'})
        """,
        scope=scope,
    )
    asked = {"scope": scope, "after": "", "limit": 9}

    for name, key in (("tags", "g"), ("terms", "t"), ("intents", "i")):
        (row,) = await db.run(get_query(f"maintain/find_orphan_{name}"), gone=["goes"], **asked)
        found = [one for one in row["orphans"] if one["id"] != "m"]
        assert [{"id": f"{key} goes", "text": "goes"}] == found, name
    rows = await db.run(get_query("maintain/find_empty_communities"), gone=["t goes"], **asked)
    assert [("c goes", "goes"), ("c of a merged one", "merged")] == [
        (row["id"], row["text"]) for row in rows
    ]


async def test_a_page_of_routes_begins_behind_the_one_before(
    db: Database, ask: Ask, scope: str
) -> None:
    """It says how many were looked at, and which was the last."""
    await ask(
        """
        UNWIND ['a', 'b', 'c', 'd'] AS key
        CREATE (:Tag {scope: $scope, id: key, key: key, label: key})
        CREATE (:Term {scope: $scope, id: key, key: key, name: key})
        CREATE (:Intent {scope: $scope, id: key, key: key, description: key})
        CREATE (:Community {scope: $scope, id: key, summary: key})
        """,
        scope=scope,
    )
    asked: dict[str, Any] = {"scope": scope, "after": "a", "limit": 2, "gone": []}

    for name in ("tags", "terms", "intents"):
        (row,) = await db.run(get_query(f"maintain/find_orphan_{name}"), **asked)
        told = [{"id": key, "text": key} for key in "bc"]
        assert {"last": "c", "looked": 2, "orphans": told} == dict(row), name
    rows = await db.run(get_query("maintain/find_empty_communities"), **asked)
    assert ["b", "c"] == [row["id"] for row in rows]
