"""What links names, which of them a community tells, and when its summary is written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.communities import CommunityEngine
from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask
from tests.integration.maintain.test_communities import partition

Rows = list[dict[str, Any]]


async def make(ask: Ask, scope: str, links: Rows, **terms: dict[str, Any]) -> None:
    """Make Terms, and what tells of them: turns and facts by their links.

    Args:
        ask: A plain question.
        scope: Where.
        links: {of, label, type, to} with {status, weight, sensitivity} where they matter.
        terms: Properties by their keys.
    """
    await ask(
        """
        CALL () {
          UNWIND $terms AS row
          CREATE (t:Term {scope: $scope, status: 'active'})
          SET t += row
        }
        UNWIND $links AS row
        MERGE (of:$(row.label) {scope: $scope, id: row.of})
          ON CREATE SET of.status = coalesce(row.status, 'active'),
            of.sensitivity = row.sensitivity
        WITH of, row
        MATCH (t:Term {scope: $scope, key: row.to})
        CREATE (of)-[link:$(row.type)]->(t)
        SET link.weight = row.weight
        """,
        scope=scope,
        terms=[{"key": key, "id": key, "name": key, **told} for key, told in terms.items()],
        links=links,
    )


def mention(turn: str, to: str, weight: float = 1.0, **more: Any) -> dict[str, Any]:
    """Return how a turn mentions a name."""
    return {"of": turn, "label": "Turn", "type": "MENTIONS", "to": to, "weight": weight, **more}


def fact(key: str, subject: str, obj: str, **more: Any) -> Rows:
    """Return how a fact tells of two names."""
    return [
        {"of": key, "label": "Fact", "type": kind, "to": to, **more}
        for kind, to in (("SUBJECT", subject), ("OBJECT", obj))
    ]


async def near(db: Database, scope: str, key: str, **asked: Any) -> dict[str, float]:
    """Return what a name is linked to, and how much that weighs."""
    (row,) = await db.run(
        get_query("maintain/link_terms"),
        **{"scope": scope, "keys": [key], "most_terms": 20, "hub_links": 1000, **asked},
    )
    return {other: weight for other, weight, _ in row["near"]}


async def test_names_of_a_turn_and_of_a_fact_are_linked(db: Database, ask: Ask, scope: str) -> None:
    """The names of a turn share one vote, a fact has one of its own; over both roots."""
    links = [
        *(mention("t", key) for key in ("ana", "ben", "cleo")),
        *fact("f", "ana", "dan"),
        *fact("g", "eva", "ana"),
    ]
    await make(ask, scope, links, ana={}, ben={}, cleo={}, dan={}, eva={})

    assert {
        "ben": pytest.approx(0.5 / 3**0.5),
        "cleo": pytest.approx(0.5 / 3**0.5),
        "dan": pytest.approx(1 / 3**0.5),
        "eva": pytest.approx(1 / 3**0.5),
    } == await near(db, scope, "ana")


async def test_what_is_told_no_longer_links_nothing(db: Database, ask: Ask, scope: str) -> None:
    """Nor do merged names, nor what a name has to do with itself."""
    links = [
        *fact("gone", "ana", "ben", status="deprecated"),
        *fact("went", "ben", "ana", status="superseded"),
        *fact("self", "ana", "ana"),
        *fact("to a merged one", "ana", "merged"),
        *fact("of a merged one", "merged", "ana"),
        *(mention("forgotten", key, status="forgotten") for key in ("ana", "ben")),
        *(mention("live", key) for key in ("ana", "merged")),
    ]
    await make(ask, scope, links, ana={}, ben={}, merged={"status": "deprecated"})

    asked = {"scope": scope, "keys": ["merged"], "most_terms": 20, "hub_links": 1000}
    assert {} == await near(db, scope, "ana")
    assert [] == await db.run(get_query("maintain/link_terms"), **asked)


async def test_of_a_turn_the_weightiest_names_count(db: Database, ask: Ask, scope: str) -> None:
    """By the weightiest mention of each, then by key; who is not among them has no link by it."""
    links = [
        mention("t", "ana", 0.5),
        mention("t", "ben", 0.1),
        # By two names: the weightier one counts.
        mention("t", "cleo", 0.1),
        mention("t", "cleo", 0.9),
        mention("t", "dan", 0.5),
    ]
    await make(ask, scope, links, ana={}, ben={}, cleo={}, dan={})

    found = {key: set(await near(db, scope, key, most_terms=2)) for key in ("ana", "ben", "dan")}
    (page,) = await db.run(
        get_query("maintain/page_mentions"), scope=scope, after="", limit=9, most_terms=2
    )

    assert {"ana": {"cleo"}, "ben": set(), "dan": set()} == found
    assert [["t", ["cleo", "ana"]]] == page["turns"]


async def test_who_is_told_of_too_often_is_told_apart(db: Database, ask: Ask, scope: str) -> None:
    """With more links than that, not with just as many."""
    await make(
        ask, scope, [*fact("f", "ana", "ben"), *fact("g", "ana", "cleo")], ana={}, ben={}, cleo={}
    )

    async def asked(most: int) -> tuple[bool, int]:
        (row,) = await db.run(
            get_query("maintain/link_terms"),
            scope=scope,
            keys=["ana"],
            most_terms=20,
            hub_links=most,
        )
        return row["is_hub"], len(row["near"])

    assert ((True, 0), (False, 2)) == (await asked(1), await asked(2))


async def test_a_rebuild_reads_what_is_told_now(db: Database, ask: Ask, scope: str) -> None:
    """Live turns and facts behind the page before, their live names once each."""
    links = [
        *(link for key in "abc" for link in fact(key, "ana", "ben")),
        *fact("b", "merged", "ben"),
        *fact("c", "ana", "merged"),
        *fact("d", "ana", "ben", status="superseded"),
        *fact("e", "ana", "ben", status="pending"),
        *(mention(key, "ana") for key in "abc"),
        mention("c", "merged"),
        mention("d", "ana", status="forgotten"),
        mention("e", "ana", status="pending"),
    ]
    await make(ask, scope, links, ana={}, ben={}, merged={"status": "deprecated"})
    await make(ask, f"{scope}/other", fact("c", "ana", "ben"), ana={}, ben={})
    paging = {"scope": scope, "after": "a", "limit": 9}

    (facts,) = await db.run(get_query("maintain/page_facts"), **paging)
    (turns,) = await db.run(get_query("maintain/page_mentions"), most_terms=20, **paging)

    assert [[key, ["ana"], ["ben"]] for key in "bce"] == facts["facts"]
    assert [[key, ["ana"]] for key in "bce"] == turns["turns"]


TAKEN: dict[str, Any] = {
    "after": "",
    "limit": 9,
    "written_by": [],
    "most_terms": 99,
    "most_facts": 9,
    "now": datetime(2026, 6, 1, tzinfo=UTC),
}


@pytest.mark.parametrize("engine", ["python", "gds"])
async def test_a_vote_weighs_its_share(
    memory: AsyncGraphMemory, ask: Ask, engine: CommunityEngine
) -> None:
    """Who is once named among many, and told of by facts with two, belongs to the two."""
    crowd = [f"a{number}" for number in range(9)]
    links = [
        *(mention(turn, name) for turn in ("t1", "t2", "t3") for name in crowd),
        mention("t3", "x"),
        *fact("f1", "x", "y1"),
        *fact("f2", "x", "y2"),
        *fact("f3", "y1", "y2"),
    ]
    names: dict[str, dict[str, Any]] = {name: {} for name in (*crowd, "x", "y1", "y2")}
    await make(ask, memory.scope, links, **names)

    await memory.update_communities(engine=engine, rebuild=True)

    found = await partition(ask, memory.scope)
    assert 1 == len({found[name] for name in crowd})
    assert found["x"] == found["y1"] == found["y2"] != found["a0"]


# What a community tells -------------------------------------------------------------------


async def test_a_community_names_whom_it_may(db: Database, ask: Ask, scope: str) -> None:
    """Who is told of by a live fact that is no secret, or by turns while no fact is untold.

    In its summary as in the list.
    """
    secret = {"sensitivity": "secret"}
    links = [
        *fact("live", "by a fact", "of a pending one"),
        *fact("waits", "of a pending one", "by a fact", status="pending"),
        *fact("secret", "by a secret", "also openly", **secret),
        *fact("open", "also openly", "by a fact"),
        *fact("old", "superseded", "superseded", status="superseded"),
        *fact("forgotten", "forgotten", "forgotten", status="forgotten"),
        *fact("secret 2", "mentioned and secret", "by a secret", **secret),
        *fact("forgotten 2", "mentioned and forgotten", "forgotten", status="forgotten"),
        *fact("old 2", "mentioned and superseded", "superseded", status="superseded"),
        {"of": "buried", "label": "Tombstone", "type": "OBJECT", "to": "mentioned and deleted"},
        *fact("live 2", "merged", "by a fact"),
    ]
    names = {link["to"] for link in links} | {"mentioned", "nobody"}
    links += [mention("t", name) for name in sorted(names) if name.startswith("mentioned")]
    await make(
        ask,
        scope,
        links,
        **{name: {"status": "deprecated"} if name == "merged" else {} for name in names},
    )
    await ask(
        "CREATE (c:Community {scope: $scope, id: 'c', size: 1, ordinal: 0, summary: '', "
        "summary_by: '', needs_summary: true, revision: 0}) "
        "WITH c MATCH (t:Term {scope: $scope}) CREATE (t)-[:IN_COMMUNITY]->(c)",
        scope=scope,
    )

    (row,) = await db.run(
        get_query("maintain/list_communities"), scope=scope, limit=9, most_terms=99
    )
    (waiting,) = await db.run(get_query("maintain/take_summaries"), scope=scope, **TAKEN)

    told = [
        "also openly",
        "by a fact",
        "mentioned",
        "mentioned and superseded",
        "of a pending one",
    ]
    assert told == sorted(term["key"] for term in row["terms"])
    assert [told] == [sorted(one["terms"]) for one in waiting["due"]]


async def test_the_largest_comes_first_with_its_best_names(
    db: Database, ask: Ask, scope: str
) -> None:
    """Of one size by their number; names by rank, without one last, then by key."""
    names = {"low": 0.1, "high": 0.9, "none b": None, "none a": None}
    await make(
        ask,
        scope,
        [mention("t", name) for name in names],
        **{name: {"rank": rank} for name, rank in names.items()},
    )
    await ask(
        "UNWIND [['small', 1, 0], ['second', 4, 2], ['first', 4, 1]] AS row "
        "CREATE (c:Community {scope: $scope, id: row[0], size: row[1], ordinal: row[2], "
        "summary: '', summary_by: ''}) WITH c WHERE c.id = 'first' "
        "MATCH (t:Term {scope: $scope}) CREATE (t)-[:IN_COMMUNITY]->(c)",
        scope=scope,
    )
    asked = {"scope": scope, "most_terms": 3}

    rows = await db.run(get_query("maintain/list_communities"), limit=9, **asked)
    (first,) = await db.run(get_query("maintain/list_communities"), limit=1, **asked)

    assert ["first", "second", "small"] == [row["id"] for row in rows]
    assert ["high", "low", "none a"] == [term["name"] for term in first["terms"]]
    assert [0.9, 0.1, 0.0] == [term["rank"] for term in first["terms"]]


# Summaries and marks ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["b", "d", "f"]),
        ({"limit": 2}, ["b", "d"]),
        ({"after": "b"}, ["d", "f"]),
        ({"written_by": ["local"]}, ["a", "b", "d", "e", "f"]),
        ({"written_by": ["local"], "after": "b", "limit": 2}, ["d", "e"]),
        ({"written_by": ["", "local"], "after": "b"}, ["c", "d", "e", "f"]),
    ],
)
async def test_summaries_that_wait_are_taken_page_by_page(
    db: Database, ask: Ask, scope: str, asked: dict[str, Any], expected: list[str]
) -> None:
    """In the order of the ids; on request also those that were written so and do not wait."""
    await ask(
        "UNWIND $rows AS row CREATE (:Community {scope: $scope, id: row[0], needs_summary: row[1], "
        "summary_by: row[2], revision: 0})",
        scope=scope,
        rows=[
            ["a", False, "local"],
            ["b", True, "local"],
            ["c", False, ""],
            ["d", True, ""],
            ["e", False, "local"],
            ["f", True, "llm:m"],
            ["g", False, "llm:m"],
        ],
    )

    (row,) = await db.run(get_query("maintain/take_summaries"), scope=scope, **{**TAKEN, **asked})

    assert expected == [one["id"] for one in row["due"]]


WAITING = {
    "summary": "old",
    "summary_by": "local",
    "revision": 3,
    "size": 2,
    "needs_summary": True,
    "needs_vector": False,
    "embedder_id": "e",
    "embedding_a": [1.0],
}
WRITTEN = WAITING | {"needs_summary": False, "summary_by": "llm"}
ANEW = {"needs_vector": True, "embedder_id": None, "embedding_a": None}


@pytest.mark.parametrize(
    ("size", "row", "changed", "expected"),
    [
        (2, {"summary": "new", "revision": 3}, 1, WRITTEN | ANEW | {"summary": "new"}),
        (2, {"summary": "old", "revision": 3}, 0, WRITTEN),
        (2, {"summary": "new", "revision": 2}, 0, WAITING),
        (1, {"summary": "new", "revision": 3}, 1, WRITTEN | ANEW | {"summary": "new"}),
        (2, {"summary": "", "revision": 3}, 1, WRITTEN | ANEW | {"summary": ""}),
    ],
    ids=["new", "the same", "overtaken", "of one name", "empty"],
)
async def test_a_summary_that_says_something_else_gets_its_vector(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    size: int,
    row: dict[str, Any],
    changed: int,
    expected: dict[str, Any],
) -> None:
    """One that is overtaken waits on; of one name, or of nothing, there is no vector."""
    await ask(
        "CREATE (c:Community {scope: $scope, id: 'c'}) SET c += $told",
        scope=scope,
        told=WAITING | {"size": size},
    )

    rows = await db.run(
        get_query("maintain/write_summaries"),
        scope=scope,
        rows=[{"id": "c", "by": "llm", **row}],
    )

    (found,) = await ask("MATCH (c:Community {scope: $scope}) RETURN c {.*} AS c", scope=scope)
    wanted = expected | {"size": size}
    if size == 1 or not row["summary"]:
        wanted["needs_vector"] = False
    assert [{"changed": changed}] == rows
    assert wanted == {key: found["c"].get(key) for key in wanted}


async def test_a_mark_overtakes_who_writes_a_summary(db: Database, ask: Ask, scope: str) -> None:
    """The community waits, with a revision of its own."""
    await ask(
        "UNWIND ['c', 'd'] AS id CREATE (c:Community {scope: $scope, id: id, key: 'k ' + id, "
        "needs_summary: false, revision: 3, ordinal: 7})",
        scope=scope,
    )

    await db.run(get_query("maintain/mark_communities"), scope=scope, ids=["c"])
    await db.run(get_query("maintain/open_communities"), scope=scope, ids=["c"])
    await db.run(
        get_query("maintain/order_communities"), scope=scope, rows=[{"id": "c", "ordinal": 1}]
    )

    rows = await ask(
        "MATCH (c:Community {scope: $scope}) RETURN c.key AS key, c.needs_summary AS waits, "
        "c.revision AS revision, c.ordinal AS ordinal ORDER BY c.id",
        scope=scope,
    )
    assert [(None, True, 4, 1), ("k d", False, 3, 7)] == [tuple(row.values()) for row in rows]


async def test_names_that_wait_are_taken_up_once(db: Database, ask: Ask, scope: str) -> None:
    """As many as were asked for; each says where it is and whether it is one still."""
    waits = {"needs_community": True}
    await make(
        ask,
        scope,
        [],
        ana=waits,
        merged={**waits, "status": "deprecated"},
        ben={"needs_community": False},
        cleo=waits,
    )
    await make(ask, f"{scope}/other", [], elsewhere=waits)
    await ask(
        "MATCH (t:Term {scope: $scope, key: 'ana'}) "
        "CREATE (t)-[:IN_COMMUNITY]->(:Community {scope: $scope, id: 'c'})",
        scope=scope,
    )
    survey = {"scope": scope}
    before = await db.run(get_query("maintain/survey_communities"), **survey)

    batches = [
        await db.run(get_query("maintain/take_waiting_terms"), scope=scope, limit=2)
        for _ in range(3)
    ]
    taken = [row for batch in batches for row in batch]
    await ask("MATCH (t:Term {scope: $scope}) SET t.needs_community = true", scope=scope)
    cleared = [
        (await db.run(get_query("maintain/clear_waiting_terms"), scope=scope, limit=3))[0][
            "cleared"
        ]
        for _ in range(3)
    ]

    assert [{"terms": 3, "waiting": 3, "communities": 1}] == before
    assert {("ana", True, "c"), ("merged", False, None), ("cleo", True, None)} == {
        (row["key"], row["is_live"], row["community_id"]) for row in taken
    }
    # In the order of the keys, as all writers lock them.
    assert all(
        [row["key"] for row in rows] == sorted(row["key"] for row in rows) for rows in batches
    )
    assert ([2, 1, 0], [3, 1, 0]) == ([len(rows) for rows in batches], cleared)
    after = await db.run(get_query("maintain/survey_communities"), **survey)
    assert [{"terms": 3, "waiting": 0, "communities": 1}] == after


async def test_a_community_without_live_names_goes(db: Database, ask: Ask, scope: str) -> None:
    """A batch at a time, in this scope."""
    await make(ask, scope, [], live={}, merged={"status": "deprecated"})
    for place, key, term in (
        (scope, "full", "live"),
        (scope, "merged", "merged"),
        (scope, "empty", None),
        (f"{scope}/other", "elsewhere", None),
    ):
        await ask(
            "CREATE (c:Community {scope: $place, id: $id}) WITH c "
            "MATCH (t:Term {scope: $place, key: $term}) CREATE (t)-[:IN_COMMUNITY]->(c)",
            place=place,
            id=key,
            term=term,
        )

    dropped = [
        (await db.run(get_query("maintain/drop_empty_communities"), scope=scope, limit=1))[0]
        for _ in range(3)
    ]

    left = await ask(
        "MATCH (c:Community) WHERE c.scope STARTS WITH $scope RETURN c.id AS id ORDER BY id",
        scope=scope,
    )
    assert [1, 1, 0] == [row["dropped"] for row in dropped]
    assert ["elsewhere", "full"] == [row["id"] for row in left]
