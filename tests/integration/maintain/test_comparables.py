"""Which facts are compared, what protects them, and which are near to each other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.queries import get_query
from graphmem.schema import prepare
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import decide

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)

FACTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "begins now": {"valid_from": NOW},
    "pending": {"status": "pending"},
    "ends now": {"valid_to": NOW},
    "begins later": {"valid_from": NOW + timedelta(seconds=1)},
    "superseded": {"status": "superseded"},
    "deprecated": {"status": "deprecated"},
    "forgotten": {"status": "forgotten"},
}
COMPARED = ["begins now", "pending", "plain"]


@pytest.fixture
async def db(db: Database) -> Database:
    """An open store with vector indexes."""
    await prepare(db, EmbedderInfo("hashed", "test", DIMENSIONS))
    return db


async def make(ask: Ask, scope: str, facts: dict[str, dict[str, Any]]) -> None:
    """Make facts that can be compared, unless told otherwise, all of one direction."""
    usual = {
        "status": "active",
        "text": "Ana keeps bees",
        "pinned": False,
        "tier": "working",
        "recorded_at": NOW - 9 * DAY,
        "valid_from": NOW - 9 * DAY,
        "valid_to": NOW + 9 * DAY,
        "needs_vector": False,
        "embedder_id": "mine",
        "recall_count": 0,
        "reward_sum": 0.0,
        "reward_count": 0,
    }
    await ask(
        "UNWIND $rows AS row CREATE (f:Fact {scope: $scope}) SET f += row.told "
        "WITH f, row CALL db.create.setNodeVectorProperty(f, 'embedding_a', row.vector)",
        scope=scope,
        rows=[
            {
                "told": {"id": key, **usual, **told},
                "vector": [1.0, *[0.0] * (DIMENSIONS - 1)],
            }
            for key, told in facts.items()
        ],
    )


@pytest.mark.parametrize("by_ids", [True, False], ids=["named", "all"])
async def test_what_is_live_and_holds_now_is_compared(
    db: Database, ask: Ask, scope: str, by_ids: bool
) -> None:
    """From its beginning on, and up to its end."""
    await make(ask, scope, FACTS)
    await make(ask, f"{scope}/other", {"elsewhere": {}})
    ids = [*FACTS, "elsewhere"] if by_ids else []

    rows = await db.run(
        get_query("maintain/page_comparable"),
        scope=scope,
        after="",
        limit=99,
        ids=ids,
        now=NOW,
        embedder_id="mine",
    )

    assert COMPARED == sorted(row["id"] for row in rows)


async def test_what_is_known_of_a_fact_is_told(db: Database, ask: Ask, scope: str) -> None:
    """When it was used last, whether its vector can be compared, and what protects it."""
    decided = {
        f"{link} {state}": (link, state)
        for link in ("ABOUT", "AGAINST")
        for state in ("open", "unchecked", "settled")
    }
    facts: dict[str, dict[str, Any]] = {
        "used": {"last_accessed_at": NOW - DAY},
        "unused": {},
        "no vector": {"needs_vector": True},
        "another's vector": {"embedder_id": "yours"},
        "pinned": {"pinned": True},
        "core": {"tier": "core"},
        "pending": {"status": "pending"},
        "old": {},
        "new": {},
    }
    await make(ask, scope, facts | {key: {} for key in decided})
    await decide(ask, scope, decided)

    rows = await db.run(
        get_query("maintain/page_comparable"),
        scope=scope,
        after="",
        limit=99,
        ids=[],
        now=NOW,
        embedder_id="mine",
    )

    found = {row["id"]: row for row in rows}
    assert NOW - DAY == found["used"]["used_at"]
    assert NOW - 9 * DAY == found["unused"]["used_at"]
    assert {"no vector", "another's vector"} == {
        key for key, row in found.items() if not row["has_vector"]
    }
    assert {"old", "new"} == {key for key, row in found.items() if row["is_chained"]}
    assert {
        "pinned": "pinned",
        "core": "core",
        "pending": "pending",
        "old": "chain",
        "new": "chain",
        **{key: "decision" for key, (_, state) in decided.items() if state != "settled"},
    } == {key: row["protection"] for key, row in found.items() if row["protection"]}


@pytest.mark.parametrize("label", ["Fact", "Procedure"])
async def test_a_fact_that_leaves_the_core_is_compared_again(
    db: Database, ask: Ask, scope: str, label: str
) -> None:
    """No other move makes one wait; a pinned one does not move, one without a tier works."""
    await ask(
        "UNWIND [['core', 'core'], ['working', 'working'], ['bare', null]] AS row "
        "CREATE (:$($label) {scope: $scope, id: row[0], tier: row[1]}) "
        "WITH DISTINCT 1 AS made "
        "CREATE (:$($label) {scope: $scope, id: 'pinned', tier: 'working', pinned: true}) "
        "CREATE (:$($label) {scope: $scope + '/other', id: 'working', tier: 'working'})",
        scope=scope,
        label=label,
    )
    moves = {"bare": "peripheral", "core": "working", "pinned": "core", "working": "peripheral"}

    rows = await db.run(
        get_query("maintain/move_tiers"),
        scope=scope,
        kind=label,
        moves=[
            {"id": key, "tier": "core" if key == "core" else "working", "next_tier": next_tier}
            for key, next_tier in moves.items()
        ],
    )

    found = await ask(
        "MATCH (n {scope: $scope}) RETURN n.id AS id, n.tier AS tier, "
        "coalesce(n.needs_comparison, false) AS waits",
        scope=scope,
    )
    assert 3 == len(rows)
    assert {**moves, "pinned": "working"} == {row["id"]: row["tier"] for row in found}
    waiting = {"core"} if label == "Fact" else set()
    assert waiting == {row["id"] for row in found if row["waits"]}


async def test_what_a_fact_says_is_told(db: Database, ask: Ask, scope: str) -> None:
    """Without a triple its keys are empty, and it denies nothing."""
    said = {
        "text": "Ana does not keep bees",
        "canonical_hash": "hash",
        "subject_key": "ana",
        "predicate_key": "keeps",
        "object_key": "bees",
        "predicate": "does not keep",
        "is_negated": True,
        "status": "pending",
    }
    await make(ask, scope, {"triple": said, "sentence": {"canonical_hash": "other"}})
    await make(ask, f"{scope}/other", {"elsewhere": {}})

    ids = ["triple", "sentence", "elsewhere"]
    rows = await db.run(get_query("maintain/get_said"), scope=scope, ids=ids)

    times = {
        "valid_from": NOW - 9 * DAY,
        "valid_to": NOW + 9 * DAY,
        "recorded_at": NOW - 9 * DAY,
    }
    keys = ("subject_key", "predicate_key", "object_key", "predicate")
    bare = {"text": "Ana keeps bees", "canonical_hash": "other", "status": "active"}
    assert [
        {"id": "triple", **said, **times},
        {"id": "sentence", **bare, **dict.fromkeys(keys, ""), "is_negated": False, **times},
    ] == [dict(row) for row in rows]


async def near(db: Database, scope: str, *, most: int = 32, **asked: Any) -> dict[str, set[str]]:
    """Return which facts are near to which, of all in a scope."""
    rows = await db.run(
        get_query("maintain/find_near_facts", "a"),
        **{
            "scope": scope,
            "ids": [*FACTS],
            "near": most,
            "threshold": 0.85,
            "now": NOW,
            **asked,
        },
    )
    pairs: dict[str, set[str]] = {}
    for row in rows:
        pairs.setdefault(row["id"], set()).add(row["other"])
    return pairs


async def test_what_is_near_holds_now(db: Database, ask: Ask, scope: str) -> None:
    """Neither end of a pair is over or gone, and nothing is near to itself."""
    await make(ask, scope, FACTS)
    await make(ask, f"{scope}/other", {"elsewhere": {}})

    found = await near(db, scope)

    assert {*COMPARED, "begins later"} == found.keys()
    assert all({*COMPARED} - {key} == others for key, others in found.items())


async def test_just_the_threshold_is_not_above_it(db: Database, ask: Ask, scope: str) -> None:
    """Of two that are the same the cosine is one."""
    await make(ask, scope, {"plain": {}, "pending": {}})

    assert {} == await near(db, scope, threshold=1.0)
    assert {"plain", "pending"} == (await near(db, scope, threshold=0.99)).keys()


@pytest.mark.parametrize(("most", "is_full"), [(1, True), (2, True), (3, False)])
async def test_as_many_as_were_asked_for_may_not_be_all(
    *, db: Database, ask: Ask, scope: str, most: int, is_full: bool
) -> None:
    """Besides the fact itself, which is found too."""
    await make(ask, scope, {"plain": {}, "pending": {}, "begins now": {}})

    rows = await db.run(
        get_query("maintain/find_near_facts", "a"),
        scope=scope,
        ids=["plain"],
        near=most,
        threshold=0.85,
        now=NOW,
    )

    assert min(most, 2) == len(rows)
    assert {is_full} == {row["is_full"] for row in rows}


# What waits to be compared ----------------------------------------------------------------


async def test_what_waits_can_be_compared(db: Database, ask: Ask, scope: str) -> None:
    """With a vector of this embedder, from its beginning on; each says which mark it has."""
    waits = {"needs_comparison": True}
    await make(
        ask,
        scope,
        {
            "a": waits,
            "b": {**waits, "comparison_revision": 3},
            "begins now": {**waits, "valid_from": NOW},
            "begins later": {**waits, "valid_from": NOW + timedelta(seconds=1)},
            "compared": {"needs_comparison": False},
            "no vector": {**waits, "needs_vector": True},
            "another's vector": {**waits, "embedder_id": "yours"},
        },
    )
    await make(ask, f"{scope}/other", {"elsewhere": waits})

    async def page(after: str, limit: int = 9) -> list[tuple[str, int]]:
        rows = await db.run(
            get_query("maintain/page_uncompared"),
            scope=scope,
            after=after,
            limit=limit,
            now=NOW,
            embedder_id="mine",
        )
        return [(row["id"], row["revision"]) for row in rows]

    assert [("a", 0), ("b", 3), ("begins now", 0)] == await page("")
    assert [("b", 3)] == await page("a", 1)


async def test_what_was_marked_anew_waits_on(db: Database, ask: Ask, scope: str) -> None:
    """Only what has the mark with which it was compared waits no longer."""
    waits = {"needs_comparison": True}
    await make(
        ask,
        scope,
        {
            "first": waits,
            "second": {**waits, "comparison_revision": 2},
            "anew": {**waits, "comparison_revision": 3},
            "unasked": waits,
        },
    )
    await make(ask, f"{scope}/other", {"first": waits})

    await db.run(
        get_query("maintain/mark_compared"),
        scope=scope,
        facts=[
            {"id": "anew", "revision": 2},
            {"id": "first", "revision": 0},
            {"id": "second", "revision": 2},
        ],
    )

    rows = await ask(
        "MATCH (f:Fact) WHERE f.scope STARTS WITH $scope AND f.needs_comparison "
        "RETURN f.scope = $scope AS here, f.id AS id ORDER BY here, id",
        scope=scope,
    )
    assert [(False, "first"), (True, "anew"), (True, "unasked")] == [
        (row["here"], row["id"]) for row in rows
    ]


async def test_who_is_near_says_which_mark_it_has(db: Database, ask: Ask, scope: str) -> None:
    """Nothing where it waits for nobody."""
    await make(
        ask,
        scope,
        {
            "plain": {},
            "waits": {"needs_comparison": True, "comparison_revision": 3},
            "waits first": {"needs_comparison": True},
            "compared": {"needs_comparison": False, "comparison_revision": 3},
        },
    )

    rows = await db.run(
        get_query("maintain/find_near_facts", "a"),
        scope=scope,
        ids=["plain"],
        near=9,
        threshold=0.85,
        now=NOW,
    )

    assert {"waits": 3, "waits first": 0, "compared": None} == {
        row["other"]: row["revision"] for row in rows
    }
