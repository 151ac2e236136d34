"""What a fact hands over to the one that says the same, and what merged names are told apart by."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


async def make(ask: Ask, scope: str, key: str, **told: Any) -> None:
    """Make a fact with its own turn and tag."""
    usual = {
        "status": "active",
        "text": key,
        "sensitivity": "internal",
        "confidence": 0.5,
        "valid_from": NOW - 9 * DAY,
        "recall_count": 2,
        "reward_sum": 0.5,
        "reward_count": 1,
        "validated_count": 2,
        "needs_comparison": False,
    }
    await ask(
        "CREATE (f:Fact {scope: $scope, id: $id}) SET f += $told "
        "CREATE (:Turn {scope: $scope, id: 'turn ' + $id})-[:STATES]->(f) "
        "CREATE (f)-[:TAGGED]->(:Tag {scope: $scope, id: 'tag ' + $id, key: $id})",
        scope=scope,
        id=key,
        told=usual | told,
    )


async def link(ask: Ask, scope: str, start: str, kind: str, end: str, **told: Any) -> None:
    """Link two nodes by their ids."""
    await ask(
        "MATCH (a {scope: $scope, id: $start}), (b {scope: $scope, id: $end}) "
        "CREATE (a)-[r:$($kind)]->(b) SET r += $told",
        scope=scope,
        start=start,
        kind=kind,
        end=end,
        told=told,
    )


async def links(ask: Ask, scope: str, kind: str) -> list[str]:
    """Return the links of a kind, sorted, each as often as it is there."""
    rows = await ask(
        "MATCH (a {scope: $scope})-[:$($kind)]->(b) RETURN a.id + ' > ' + b.id AS told "
        "ORDER BY told",
        scope=scope,
        kind=kind,
    )
    return [row["told"] for row in rows]


async def hand_over(db: Database, ask: Ask, scope: str) -> dict[str, Any]:
    """Let one fact hand over what it has; return the other one, times as Python has them."""
    await db.run(get_query("graph/hand_over"), scope=scope, from_id="gives", to_id="stays")
    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope, id: 'stays'}) RETURN properties(f) AS props", scope=scope
    )
    return {
        name: value.to_native() if hasattr(value, "to_native") else value
        for name, value in row["props"].items()
    }


async def test_evidence_and_tags_are_handed_over_once(db: Database, ask: Ask, scope: str) -> None:
    """What both have is there once; what was stated without a turn counts as well."""
    await make(ask, scope, "gives", validated_count=4)
    await make(ask, scope, "stays", validated_count=3)
    await link(ask, scope, "turn stays", "STATES", "gives")
    await link(ask, scope, "gives", "TAGGED", "tag stays")

    found = await hand_over(db, ask, scope)

    assert [
        "turn gives > gives",
        "turn gives > stays",
        "turn stays > gives",
        "turn stays > stays",
    ] == await links(ask, scope, "STATES")
    assert ["stays > tag gives", "stays > tag stays"] == [
        one for one in await links(ask, scope, "TAGGED") if one.startswith("stays")
    ]
    # Of the four, two had turns; of these one is new to it.
    assert 3 + 1 + 2 == found["validated_count"]
    assert (4, 1.0, 2) == tuple(
        found[name] for name in ("recall_count", "reward_sum", "reward_count")
    )


async def test_it_leads_to_the_one_that_stays_alone(db: Database, ask: Ask, scope: str) -> None:
    """Whatever it was the same as before."""
    for key in ("gives", "stays", "before"):
        await make(ask, scope, key)
    await link(ask, scope, "gives", "SAME_AS", "before")

    await hand_over(db, ask, scope)

    assert ["gives > stays"] == await links(ask, scope, "SAME_AS")


async def test_what_it_had_ended_the_other_one_has(db: Database, ask: Ask, scope: str) -> None:
    """With the reason and the time; nothing ends itself, and nothing is ended twice."""
    for key in ("gives", "stays", "ended", "by both"):
        await make(ask, scope, key)
    told = {"reason": "moved", "at": NOW}
    await link(ask, scope, "gives", "SUPERSEDES", "ended", **told)
    await link(ask, scope, "gives", "SUPERSEDES", "by both", **told)
    await link(ask, scope, "stays", "SUPERSEDES", "by both", reason="its own", at=NOW - DAY)
    await link(ask, scope, "gives", "SUPERSEDES", "stays", **told)

    await hand_over(db, ask, scope)

    found = await ask(
        "MATCH (a:Fact {scope: $scope})-[r:SUPERSEDES]->(b) "
        "RETURN a.id AS by, b.id AS ended, r.reason AS reason, r.at = $now AS now ORDER BY ended",
        scope=scope,
        now=NOW,
    )
    assert [
        ("stays", "by both", "its own", False),
        ("stays", "ended", "moved", True),
        ("gives", "stays", "moved", True),
    ] == [tuple(row.values()) for row in found]


@pytest.mark.parametrize(
    ("gives", "stays", "expected"),
    [
        ({"stated_at": NOW}, {"stated_at": NOW - DAY}, NOW),
        ({"stated_at": NOW - 2 * DAY}, {"stated_at": NOW - DAY}, NOW - DAY),
        ({"valid_from": NOW}, {"stated_at": NOW - DAY}, NOW),
        ({"stated_at": NOW - DAY}, {"valid_from": NOW}, NOW),
        ({"valid_from": NOW - DAY}, {"valid_from": NOW - 2 * DAY}, NOW - DAY),
    ],
)
async def test_it_was_stated_when_either_was(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    gives: dict[str, Any],
    stays: dict[str, Any],
    expected: datetime,
) -> None:
    """Whichever was last; without such a time from when on it holds."""
    await make(ask, scope, "gives", **gives)
    await make(ask, scope, "stays", **stays)

    assert expected == (await hand_over(db, ask, scope))["stated_at"]


@pytest.mark.parametrize(("gives", "stays"), [(0.9, 0.5), (0.5, 0.9)])
async def test_it_is_as_sure_as_the_surer_one(
    *, db: Database, ask: Ask, scope: str, gives: float, stays: float
) -> None:
    """Whichever that is."""
    await make(ask, scope, "gives", confidence=gives)
    await make(ask, scope, "stays", confidence=stays)

    assert 0.9 == (await hand_over(db, ask, scope))["confidence"]


@pytest.mark.parametrize(
    ("gives", "stays", "expected"),
    [
        ("secret", "internal", "secret"),
        ("internal", "secret", "secret"),
        ("public", "internal", "internal"),
    ],
)
async def test_a_secret_makes_the_other_one_secret(
    *, db: Database, ask: Ask, scope: str, gives: str, stays: str, expected: str
) -> None:
    """Then its communities are emptied at once, else they stay as they are."""
    await make(ask, scope, "gives", sensitivity=gives)
    await make(ask, scope, "stays", sensitivity=stays)
    await ask(
        "MATCH (f:Fact {scope: $scope, id: 'stays'}) CREATE (f)-[:OBJECT]->(:Term {scope: $scope, "
        "key: 't'})-[:IN_COMMUNITY]->(c:Community {scope: $scope, id: 'c', summary: 'words', "
        "needs_summary: false, needs_vector: true, revision: 3, embedder_id: 'e'}) "
        "SET c.embedding_a = [1.0], c.embedding_b = [1.0]",
        scope=scope,
    )
    (before,) = await ask("MATCH (c:Community {scope: $scope}) RETURN c {.*} AS c", scope=scope)

    found = await hand_over(db, ask, scope)

    (after,) = await ask("MATCH (c:Community {scope: $scope}) RETURN c {.*} AS c", scope=scope)
    emptied = {"summary": "", "needs_summary": True, "needs_vector": False, "revision": 4}
    assert expected == found["sensitivity"]
    if expected == "secret":
        assert {"scope": scope, "id": "c", **emptied} == after["c"]
    else:
        assert before == after


async def test_nothing_is_handed_to_another_scope(db: Database, ask: Ask, scope: str) -> None:
    """Where only one of both is there."""
    await make(ask, scope, "gives")
    await make(ask, f"{scope}/other", "stays")

    rows = await db.run(get_query("graph/hand_over"), scope=scope, from_id="gives", to_id="stays")

    assert [] == rows
    assert [] == await links(ask, scope, "SAME_AS")


async def test_a_merged_name_waits_to_be_put_anew(db: Database, ask: Ask, scope: str) -> None:
    """So does the one that stands for it, and both do when they are parted; it is as it was."""
    await ask(
        "UNWIND ['alias', 'into'] AS key CREATE (:Term {scope: $scope, id: key, key: key, "
        "status: 'pending', needs_community: false, needs_links: false, needs_vector: false})",
        scope=scope,
    )
    reading = (
        "MATCH (t:Term {scope: $scope}) WITH t ORDER BY t.key RETURN collect([t.status, "
        "t.needs_community, t.needs_links]) AS told"
    )

    await db.run(
        get_query("graph/merge_terms"),
        scope=scope,
        key="alias",
        into_key="into",
        now=NOW,
        reason="a nickname",
    )
    merged = (await ask(reading, scope=scope))[0]["told"]
    (record,) = await ask(
        "MATCH (:Term {scope: $scope, key: 'alias'})-[r:MERGED_INTO]->(:Term {key: 'into'}) "
        "RETURN r.reason AS reason, r.at = $now AS now",
        scope=scope,
        now=NOW,
    )
    await ask("MATCH (t:Term {scope: $scope}) SET t.needs_community = false", scope=scope)
    await db.run(get_query("graph/unmerge_term"), scope=scope, key="alias")

    assert {"reason": "a nickname", "now": True} == record
    assert [["deprecated", True, False], ["pending", True, False]] == merged
    # Its links went with the merge: it waits for new ones, since it has a vector.
    assert [["pending", True, True], ["pending", True, False]] == (await ask(reading, scope=scope))[
        0
    ]["told"]


async def test_a_name_without_a_vector_waits_for_no_links(
    db: Database, ask: Ask, scope: str
) -> None:
    """It is linked once it has one."""
    await ask(
        "CREATE (:Term {scope: $scope, key: 'alias', status: 'deprecated', needs_vector: true, "
        "needs_links: false})-[:MERGED_INTO {status: 'active'}]->"
        "(:Term {scope: $scope, key: 'into', status: 'active'})",
        scope=scope,
    )

    await db.run(get_query("graph/unmerge_term"), scope=scope, key="alias")

    rows = await ask(
        "MATCH (t:Term {scope: $scope, key: 'alias'}) RETURN t.needs_links AS links, "
        "t.status AS status",
        scope=scope,
    )
    assert [{"links": False, "status": "active"}] == rows


async def name(ask: Ask, scope: str) -> None:
    """Let a turn and two facts speak of one name, each fact of another one as well."""
    await ask(
        """
        UNWIND ['a', 'b', 'c'] AS key
        CREATE (:Term {scope: $scope, id: key, key: key, status: 'active', needs_vector: false})
        WITH DISTINCT 1 AS made
        MATCH (c:Term {scope: $scope, key: 'c'}), (a:Term {scope: $scope, key: 'a'})
        CREATE (:Turn {scope: $scope, id: 'turn'})-[:MENTIONS {weight: 0.5}]->(c)
        CREATE (of:Fact {scope: $scope, id: 'of it', subject_key: 'c', object_key: 'a'})
        CREATE (of)-[:SUBJECT]->(c)
        CREATE (of)-[:OBJECT]->(a)
        CREATE (to:Fact {scope: $scope, id: 'to it', subject_key: 'a', object_key: 'c'})
        CREATE (to)-[:SUBJECT]->(a)
        CREATE (to)-[:OBJECT]->(c)
        // Told apart since: what it was called by leads elsewhere.
        CREATE (:Fact {scope: $scope, id: 'apart', subject_key: 'x', subject_via: 'c',
          object_key: 'x', object_via: 'c'})
        """,
        scope=scope,
    )


async def ends(ask: Ask, scope: str) -> list[tuple[Any, ...]]:
    """Return where each end is, by link and by key, and by which name it was called."""
    rows = await ask(
        """
        MATCH (n {scope: $scope})-[r:MENTIONS|SUBJECT|OBJECT]->(t:Term)
        RETURN n.id AS id, type(r) AS kind, t.key AS at, r.via AS via,
          CASE type(r)
            WHEN 'SUBJECT' THEN [n.subject_key, n.subject_via]
            WHEN 'OBJECT' THEN [n.object_key, n.object_via]
            ELSE [t.key, r.via]
          END AS keyed
        ORDER BY id, kind
        """,
        scope=scope,
    )
    return [tuple(row.values()) for row in rows]


def at(key: str, via: str | None) -> list[tuple[Any, ...]]:
    """Return the same where the name leads to a key."""
    its, own = (key, via, [key, via]), ("a", None, ["a", None])
    return [
        ("of it", "OBJECT", *own),
        ("of it", "SUBJECT", *its),
        ("to it", "OBJECT", *its),
        ("to it", "SUBJECT", *own),
        ("turn", "MENTIONS", *its),
    ]


@pytest.mark.parametrize(
    ("parted", "where"), [(["b", "c"], [("b", "c"), ("c", None)]), (["c"], [("c", None)])]
)
async def test_each_end_keeps_by_which_name_it_was_called(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    parted: list[str],
    where: list[tuple[str, str | None]],
) -> None:
    """However many names stand for each other; and each goes back by it, in its scope."""
    scopes, seen = (f"{scope}/other", scope), []
    for place in scopes:
        await name(ask, place)
        for alias, into in (("c", "b"), ("b", "a")):
            await db.run(
                get_query("graph/merge_terms"),
                scope=place,
                key=alias,
                into_key=into,
                now=NOW,
                reason="",
            )
            seen.append(await ends(ask, place))
    assert [at("b", "c"), at("a", "c")] * 2 == seen

    for alias, expected in zip(parted, where, strict=True):
        rows = await db.run(get_query("graph/unmerge_term"), scope=scope, key=alias)

        assert [{"mentions": 1, "facts": 2}] == rows
        assert at(*expected) == await ends(ask, scope)
    assert at("a", "c") == await ends(ask, scopes[0])
