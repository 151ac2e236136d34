"""What stays for a fact that goes takes the better of both, and what told of it is emptied."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
PURGED = NOW + 7 * DAY


async def make(ask: Ask, scope: str, key: str, **told: Any) -> None:
    """Make a fact that can be removed, unless told otherwise."""
    usual = {
        "status": "active",
        "text": key,
        "pinned": False,
        "tier": "working",
        "confidence": 0.5,
        "recorded_at": NOW - 9 * DAY,
        "valid_from": NOW - 9 * DAY,
        "valid_to": NOW + 9 * DAY,
        "recall_count": 2,
        "reward_sum": 0.5,
        "reward_count": 1,
        "validated_count": 1,
    }
    await ask(
        "CREATE (f:Fact {scope: $scope, id: $id}) SET f += $told "
        "MERGE (:MaintenanceRun {scope: $scope, id: 'r'})",
        scope=scope,
        id=key,
        told=usual | told,
    )


async def remove(
    db: Database, scope: str, how: str = "delete", survivor: str | None = None
) -> list[str]:
    """Let the fact 'goes' go; return the ids of what went."""
    rows = await db.run(
        get_query("maintain/remove_facts"),
        scope=scope,
        run_id="r",
        how=how,
        by="consolidation",
        statuses=["active", "pending"],
        now=NOW,
        purge_after=PURGED,
        losses=[{"id": "goes", "survivor_id": survivor, "reason": "it says the same"}],
    )
    return [row["id"] for row in rows]


async def props(ask: Ask, scope: str, key: str) -> dict[str, Any]:
    """Return the properties of a node; times as Python has them."""
    (row,) = await ask(
        "MATCH (n {scope: $scope, id: $id}) RETURN properties(n) AS props", scope=scope, id=key
    )
    return {
        name: value.to_native() if hasattr(value, "to_native") else value
        for name, value in row["props"].items()
    }


@pytest.mark.parametrize(
    ("goes", "stays", "expected"),
    [
        (NOW - DAY, NOW - 2 * DAY, NOW - DAY),
        (NOW - 3 * DAY, NOW - 2 * DAY, NOW - 2 * DAY),
        (None, NOW - 2 * DAY, NOW - 2 * DAY),
        (NOW - DAY, None, NOW - DAY),
        # Used before the other one was learned: that one is not older for it.
        (NOW - 20 * DAY, None, None),
        (None, None, None),
    ],
)
async def test_a_survivor_was_used_when_either_was(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    goes: datetime | None,
    stays: datetime | None,
    expected: datetime | None,
) -> None:
    """By the latest use of both."""
    await make(ask, scope, "goes", last_accessed_at=goes)
    await make(ask, scope, "stays", last_accessed_at=stays)

    await remove(db, scope, survivor="stays")

    assert expected == (await props(ask, scope, "stays")).get("last_accessed_at")


@pytest.mark.parametrize(("goes", "stays"), [(0.9, 0.5), (0.5, 0.9)])
async def test_a_survivor_is_as_sure_as_the_surer_one(
    *, db: Database, ask: Ask, scope: str, goes: float, stays: float
) -> None:
    """And was used and rated as often as both together."""
    await make(ask, scope, "goes", confidence=goes)
    await make(ask, scope, "stays", confidence=stays)

    await remove(db, scope, survivor="stays")

    found = await props(ask, scope, "stays")
    names = ("confidence", "recall_count", "reward_sum", "reward_count", "validated_count")
    assert (0.9, 4, 1.0, 2, 2) == tuple(found[name] for name in names)


@pytest.mark.parametrize("status", ["superseded", "deprecated", "forgotten", "elsewhere"])
async def test_nothing_goes_for_what_is_told_no_longer(
    *, db: Database, ask: Ask, scope: str, status: str
) -> None:
    """Nor for a fact of another scope: what it had would be lost."""
    await make(ask, scope, "goes")
    if status == "elsewhere":
        await make(ask, f"{scope}/other", "stays")
    else:
        await make(ask, scope, "stays", status=status)

    assert [] == await remove(db, scope, survivor="stays")
    assert "active" == (await props(ask, scope, "goes"))["status"]


async def test_a_deprecated_fact_says_by_whom_when_and_why(
    db: Database, ask: Ask, scope: str
) -> None:
    """Its history has what it was and what it is."""
    await make(ask, scope, "goes")

    await remove(db, scope, "deprecate")

    found = await props(ask, scope, "goes")
    told = {
        "status": "deprecated",
        "deprecated_by": "consolidation",
        "deprecated_at": NOW,
        "retired_at": NOW,
        "retired_reason": "it says the same",
        "version_status": ["active", "deprecated"],
    }
    assert told == {name: found.get(name) for name in told}
    assert [NOW - 9 * DAY, NOW] == [at.to_native() for at in found["version_at"]]
    assert [NOW - 9 * DAY] * 2 == [at.to_native() for at in found["version_valid_from"]]
    assert [NOW + 9 * DAY] * 2 == [at.to_native() for at in found["version_valid_to"]]
    await make(ask, f"{scope}/again", "goes", version_at=[NOW - DAY], version_status=["pending"])
    await remove(db, f"{scope}/again", "deprecate")
    again = await props(ask, f"{scope}/again", "goes")
    assert ["pending", "deprecated"] == again["version_status"]


async def test_a_deleted_fact_says_by_which_run_and_until_when(
    db: Database, ask: Ask, scope: str
) -> None:
    """The run leads to it, with what it was and why it went."""
    await make(ask, scope, "goes", status="pending")

    assert [] == await remove(db, f"{scope}/other")
    assert ["goes"] == await remove(db, scope)

    found = await props(ask, scope, "goes")
    told = {"was": "Fact", "run_id": "r", "deleted_at": NOW, "purge_after": PURGED}
    assert told == {name: found.get(name) for name in told}
    (change,) = await ask(
        "MATCH (:MaintenanceRun {scope: $scope, id: 'r'})-[c:CHANGED]->(:Tombstone) "
        "RETURN c {.how, .before, .reason, .recall_count} AS told",
        scope=scope,
    )
    assert {
        "how": "delete",
        "before": "pending",
        "reason": "it says the same",
        "recall_count": 2,
    } == change["told"]


@pytest.mark.parametrize("how", ["delete", "deprecate"])
@pytest.mark.parametrize("link", ["SUBJECT", "OBJECT"])
async def test_what_a_removed_fact_said_is_in_no_summary(
    *, db: Database, ask: Ask, scope: str, how: str, link: str
) -> None:
    """Its communities are emptied at once, others are not; its names are put anew."""
    await make(ask, scope, "goes")
    await ask(
        """
        UNWIND ['its', 'another'] AS id
        CREATE (t:Term {scope: $scope, id: 't ' + id, key: id, needs_community: false})
        CREATE (t)-[:IN_COMMUNITY]->(c:Community {scope: $scope, id: id, summary: 'words',
          needs_summary: false, needs_vector: true, revision: 3, embedder_id: 'e'})
        SET c.embedding_a = [1.0], c.embedding_b = [1.0]
        WITH t, id
        WHERE id = 'its'
        MATCH (f:Fact {scope: $scope, id: 'goes'})
        CREATE (f)-[:$($link)]->(t)
        """,
        scope=scope,
        link=link,
    )
    before = await props(ask, scope, "another")

    await remove(db, scope, how)

    emptied = {"summary": "", "needs_summary": True, "needs_vector": False, "revision": 4}
    assert {"scope": scope, "id": "its", **emptied} == await props(ask, scope, "its")
    assert before == await props(ask, scope, "another")
    terms = [await props(ask, scope, f"t {key}") for key in ("its", "another")]
    assert [True, False] == [term["needs_community"] for term in terms]


async def test_a_removed_procedure_says_the_same(db: Database, ask: Ask, scope: str) -> None:
    """Deleted, or deprecated by whom and when; one whose status is another stays."""
    for key, status in (("deleted", "active"), ("kept", "active"), ("gone", "forgotten")):
        await ask(
            "CREATE (:Procedure {scope: $scope, id: $id, status: $status, instruction: '', "
            "pinned: false, tier: 'working'}) MERGE (:MaintenanceRun {scope: $scope, id: 'r'})",
            scope=scope,
            id=key,
            status=status,
        )
    asked = {"scope": scope, "run_id": "r", "by": "decay", "now": NOW, "purge_after": PURGED}
    went = []
    for how, key in (("delete", "deleted"), ("deprecate", "kept"), ("delete", "gone")):
        went += await db.run(
            get_query("maintain/remove_procedures"),
            how=how,
            statuses=["active"],
            losses=[{"id": key, "survivor_id": None, "reason": f"{key} for a reason"}],
            **asked,
        )

    assert [{"id": "deleted"}, {"id": "kept"}] == went
    deleted, kept = await props(ask, scope, "deleted"), await props(ask, scope, "kept")
    buried = {"was": "Procedure", "run_id": "r", "deleted_at": NOW, "purge_after": PURGED}
    assert buried == {name: deleted.get(name) for name in buried}
    told = {"status": "deprecated", "deprecated_by": "decay", "deprecated_at": NOW}
    assert told == {name: kept.get(name) for name in told}
    rows = await ask(
        "MATCH (:MaintenanceRun {scope: $scope, id: 'r'})-[c:CHANGED]->(n) "
        "RETURN n.id + ' ' + c.how + ' ' + c.before + ': ' + c.reason AS told ORDER BY told",
        scope=scope,
    )
    assert [
        "deleted delete active: deleted for a reason",
        "kept deprecate active: kept for a reason",
    ] == [row["told"] for row in rows]


@pytest.mark.parametrize(
    ("label", "name"), [("Tag", "label"), ("Term", "name"), ("Intent", "description")]
)
async def test_a_buried_route_says_by_which_run_and_until_when(
    *, db: Database, ask: Ask, scope: str, label: str, name: str
) -> None:
    """And what it was."""
    await ask(
        "CREATE (n:$($label) {scope: $scope, id: 'n', key: 'n', status: 'active'}) "
        "SET n[$name] = 'words' CREATE (:MaintenanceRun {scope: $scope, id: 'r'})",
        scope=scope,
        label=label,
        name=name,
    )

    await db.run(
        get_query(f"maintain/bury_{label.lower()}s"),
        scope=scope,
        run_id="r",
        ids=["n"],
        reason="it leads nowhere",
        now=NOW,
        purge_after=PURGED,
    )

    found = await props(ask, scope, "n")
    told = {"was": label, "run_id": "r", "deleted_at": NOW, "purge_after": PURGED}
    assert told | {name: "words"} == {one: found.get(one) for one in (*told, name)}
    (change,) = await ask(
        "MATCH (:MaintenanceRun {scope: $scope})-[c:CHANGED]->(:Tombstone) "
        "RETURN c {.how, .before, .reason} AS told",
        scope=scope,
    )
    assert {"how": "delete", "before": "active", "reason": "it leads nowhere"} == change["told"]


async def test_what_holds_from_earlier_on_keeps_what_it_was(
    db: Database, ask: Ask, scope: str
) -> None:
    """In its history, and in the receipt."""
    await make(ask, scope, "fact", status="pending")
    earlier = NOW - 99 * DAY

    await db.run(
        get_query("maintain/widen_facts"),
        scope=scope,
        run_id="r",
        now=NOW,
        rows=[{"id": "fact", "valid_from": earlier}],
    )

    found = await props(ask, scope, "fact")
    versions = {
        name: [at.to_native() if hasattr(at, "to_native") else at for at in found[name]]
        for name in ("version_at", "version_valid_from", "version_valid_to", "version_status")
    }
    assert earlier == found["valid_from"]
    assert {
        "version_at": [NOW - 9 * DAY, NOW],
        "version_valid_from": [NOW - 9 * DAY, earlier],
        "version_valid_to": [NOW + 9 * DAY] * 2,
        "version_status": ["pending", "pending"],
    } == versions
    (change,) = await ask(
        "MATCH (:MaintenanceRun {scope: $scope})-[c:CHANGED]->(:Fact) RETURN c.how AS how, "
        "c.before AS before, c.valid_from = $to AS to, c.before_valid_from = $from AS from",
        scope=scope,
        to=earlier,
        **{"from": NOW - 9 * DAY},
    )
    assert {"how": "widen", "before": "pending", "to": True, "from": True} == change
