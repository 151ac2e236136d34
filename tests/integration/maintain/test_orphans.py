"""What leads nowhere goes, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase, AsyncTransaction

from graphmem import AsyncGraphMemory, RunState
from graphmem.db import Database
from graphmem.maintain.runs import run_in
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.conftest import ServerAddress
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.conftest import Picture

Hold = Callable[[], AbstractAsyncContextManager[AsyncTransaction]]

STATUSES = ("active", "pending", "superseded", "deprecated", "forgotten")
LIVING = ("active", "pending", "superseded")


@pytest.fixture
def hold(neo4j_server: ServerAddress) -> Hold:
    """A transaction past graphmem, open as long as a test wants."""

    @asynccontextmanager
    async def held() -> AsyncIterator[AsyncTransaction]:
        auth = (neo4j_server.username, neo4j_server.password)
        async with (
            AsyncGraphDatabase.driver(neo4j_server.uri, auth=auth) as driver,
            driver.session() as session,
            await session.begin_transaction() as transaction,
        ):
            yield transaction

    return held


async def wait_for_a_writer(ask: Ask, scope: str) -> None:
    """Wait until a transaction in this scope waits for the lock of another one."""
    blocked = 0
    while not blocked:
        (row,) = await ask(
            "SHOW TRANSACTIONS YIELD status, parameters "
            "WHERE status STARTS WITH 'Blocked' AND toString(parameters.given.scope) = $scope "
            "RETURN count(*) AS n",
            scope=scope,
        )
        blocked = row["n"]


async def keys(ask: Ask, scope: str, label: str) -> set[str]:
    """Return the keys of what has a label."""
    rows = await ask(
        "MATCH (n) WHERE n.scope = $scope AND $label IN labels(n) RETURN n.key AS key",
        scope=scope,
        label=label,
    )
    return {row["key"] for row in rows}


async def make(ask: Ask, scope: str) -> None:
    """Make one route of each kind with a child of each status, and some without."""
    await ask(
        """
        CREATE (:Tag {scope: $scope, id: 'tag', key: 'none', label: 'None', status: 'active'})
        CREATE (:Intent {
          scope: $scope, id: 'intent', key: 'none', description: 'None', status: 'active'})
        CREATE (:Term {scope: $scope, id: 'term', key: 'none', name: 'None', status: 'active'})
        CREATE (alias:Term {
          scope: $scope, id: 'alias', key: 'alias', name: 'Alias', status: 'deprecated'})
        CREATE (root:Term {scope: $scope, id: 'root', key: 'root', name: 'Root', status: 'active'})
        CREATE (alias)-[:MERGED_INTO]->(root)
        CREATE (said:Term {scope: $scope, id: 'said', key: 'said', name: 'Said', status: 'active'})
        CREATE (:Turn {scope: $scope, id: 'turn', status: 'active'})-[:MENTIONS]->(said)
        CREATE (:Community {scope: $scope, id: 'empty', key: 'empty', summary: 'Nobody'})
        CREATE (said)-[:IN_COMMUNITY]->(:Community {
          scope: $scope, id: 'full', key: 'full', summary: 'Somebody'})
        WITH 1 AS made
        UNWIND $statuses AS status
        CREATE (fact:Fact {scope: $scope, id: 'f-' + status, status: status, text: status})
        CREATE (fact)-[:TAGGED]->(:Tag {
          scope: $scope, id: 't-' + status, key: status, label: status, status: 'active'})
        CREATE (fact)-[:SUBJECT]->(:Term {
          scope: $scope, id: 's-' + status, key: 's ' + status, name: status, status: 'active'})
        CREATE (fact)-[:OBJECT]->(:Term {
          scope: $scope, id: 'o-' + status, key: 'o ' + status, name: status, status: 'active'})
        CREATE (:Procedure {scope: $scope, id: 'p-' + status, status: status, instruction: status})
          -[:SERVES]->(:Intent {
            scope: $scope, id: 'i-' + status, key: status, description: status, status: 'active'})
        """,
        scope=scope,
        statuses=list(STATUSES),
    )


async def test_the_matrix_of_orphans(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """By the status of their one child: facts of history keep their routes, others do not."""
    await make(ask, scope)

    report = await memory.clean_orphans()

    assert await keys(ask, scope, "Tag") == set(LIVING)
    assert await keys(ask, scope, "Intent") == {"active", "pending"}
    named = {f"{end} {status}" for end in "so" for status in LIVING}
    assert await keys(ask, scope, "Term") == {"alias", "root", "said"} | named
    assert await keys(ask, scope, "Community") == {"full"}
    assert report.orphans == {"Tag": 3, "Intent": 4, "Term": 5, "Community": 1}
    assert report.deleted == len(report.deleted_ids) == len(report.removed) == 13
    assert {node.text for node in report.removed if node.kind == "Community"} == {"Nobody"}


async def test_a_dry_run_tells_the_same_and_changes_nothing(
    memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture
) -> None:
    """It leaves no receipt either."""
    await make(ask, scope)
    before = await picture(memory)

    told = await memory.clean_orphans(dry_run=True)
    after = await picture(memory)
    done = await memory.clean_orphans()

    assert before == after
    assert told.is_dry_run
    assert told.run_id == ""
    assert told.removed == done.removed
    assert [done.run_id] == [run.id for run in await memory.runs()]


async def test_nothing_is_left_to_clean(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """A second run finds nothing; an empty scope has nothing."""
    assert (await memory.clean_orphans()).deleted == 0
    await make(ask, scope)
    await memory.clean_orphans()

    assert (await memory.clean_orphans()).deleted == 0


async def test_other_scopes_stay_as_they_are(
    memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture
) -> None:
    """Node for node, though they hold the same."""
    other = f"{scope}/other"
    await make(ask, scope)
    await make(ask, other)
    before = await picture(memory.scoped(other))

    await memory.clean_orphans()

    assert before == await picture(memory.scoped(other))


async def test_undo_brings_routes_back(
    memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture
) -> None:
    """With their links, but for communities: these are derived."""
    await make(ask, scope)
    await ask("MATCH (c:Community {scope: $scope}) DETACH DELETE c", scope=scope)
    before = await picture(memory)

    report = await memory.clean_orphans()
    undone = await memory.undo(report.run_id)

    assert undone.restored == report.deleted
    after = await picture(memory)
    for node in after["nodes"]:
        node["props"].pop("needs_community", None)
    assert before == after


async def test_a_route_that_was_made_again_gets_the_links_of_the_old_one(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """There is one Tag of a key, and both facts have it once the old one is told again."""
    old = await memory.semantic.remember("Ana keeps bees", tags=["honey"])
    await memory.semantic.forget(old.id, reason="wrong")
    report = await memory.clean_orphans()
    new = await memory.semantic.remember("Bruno sells honey", tags=["honey"])

    undone = await memory.undo(report.run_id)

    assert undone.taken >= 1
    rows = await ask(
        "MATCH (f:Fact {scope: $scope})-[:TAGGED]->(t:Tag {key: 'honey'}) "
        "RETURN f.id AS fact, t.id AS tag",
        scope=scope,
    )
    assert {row["fact"] for row in rows} == {old.id, new.id}
    assert 1 == len({row["tag"] for row in rows})


async def test_a_forgotten_canary_leaves_no_route(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """No Tag and no Term has its words any longer, and no query finds one."""
    fact = await memory.semantic.remember(
        "Dana likes zircon-77", subject="Dana", predicate="likes", object="zircon-77"
    )
    await memory.semantic.forget(fact.id, reason="wrong")

    await memory.clean_orphans()

    left = await ask(
        "MATCH (n) WHERE n.scope = $scope AND (n:Tag OR n:Term OR n:Community) "
        "AND any(k IN keys(n) WHERE toStringOrNull(n[k]) CONTAINS 'zircon') RETURN n.id AS id",
        scope=scope,
    )
    assert left == []


async def test_what_is_restored_is_led_to_again(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """Its Tags and Terms are made anew where they were cleaned up meanwhile."""
    fact = await memory.semantic.remember(
        "Dana likes tea", subject="Dana", predicate="likes", object="tea", tags=["drinks"]
    )
    before = await links(ask, scope, fact.id)
    await memory.semantic.forget(fact.id, reason="wrong")
    await memory.clean_orphans()

    await memory.semantic.restore(fact.id)

    assert before == await links(ask, scope, fact.id)
    assert ["drinks"] == [tag for tag in before if tag == "drinks"]


async def test_what_is_stated_again_is_led_to_again(
    memory: AsyncGraphMemory, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """By the route that it had before, too."""
    words = {"subject": "Dana", "predicate": "likes", "object": "tea"}
    fact = await memory.semantic.remember("Dana likes tea", **words, tags=["drinks"])
    before = await links(ask, scope, fact.id)
    await memory.semantic.forget(fact.id, reason="wrong")
    await memory.clean_orphans()
    clock.advance(60)

    again = await memory.semantic.remember("Dana likes tea", **words)

    assert again.id == fact.id
    assert before == await links(ask, scope, fact.id)


async def test_undo_of_an_earlier_run_brings_back_what_a_later_one_cleaned_up(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """The fact is not without its Tags and Terms."""
    from graphmem.maintain.removal import Loss, remove
    from tests.integration.maintain.test_removal import WEEK

    fact = await memory.semantic.remember(
        "Dana likes tea", subject="Dana", predicate="likes", object="tea"
    )
    before = await links(ask, scope, fact.id)
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK) as run:
        await remove(run, "Fact", [Loss(fact.id, "of no use")], mode="delete", by="decay")
    assert (await memory.clean_orphans()).deleted > 0

    await memory.undo(run.id)

    assert before == await links(ask, scope, fact.id)


async def test_the_receipt_counts(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """And CHANGED leads to each that can be taken back."""
    await make(ask, scope)

    report = await memory.clean_orphans()

    found = await memory.run(report.run_id)
    assert found.state is RunState.DONE
    assert found.counts == {"orphans": 13, "deleted": 13}
    (row,) = await ask(
        "MATCH (:MaintenanceRun {scope: $scope, id: $id})-[c:CHANGED]->(n:Tombstone) "
        "WHERE c.how = 'delete' RETURN count(n) AS n",
        scope=scope,
        id=report.run_id,
    )
    assert row["n"] == 12


@pytest.mark.parametrize("page", [1, 3])
async def test_pages_make_no_difference(
    memory: AsyncGraphMemory, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    """However small they are."""
    monkeypatch.setattr("graphmem.maintain.orphans._PAGE", page)
    monkeypatch.setattr("graphmem.maintain.orphans.BATCH", 1)
    await make(ask, scope)

    report = await memory.clean_orphans()

    assert report.orphans == {"Tag": 3, "Intent": 4, "Term": 5, "Community": 1}


async def links(ask: Ask, scope: str, fact_id: str) -> list[str]:
    """Return the keys of what leads to a fact, those of Tags and Terms as often as they do."""
    rows: list[dict[str, Any]] = await ask(
        "MATCH (:Fact {scope: $scope, id: $id})-[:TAGGED|SUBJECT|OBJECT]->(n:Tag|Term) "
        "RETURN n.key AS key ORDER BY key",
        scope=scope,
        id=fact_id,
    )
    return [row["key"] for row in rows]


@pytest.mark.parametrize("label", ["Tag", "Term", "Intent"])
async def test_who_meets_a_route_that_goes_begins_anew(
    memory: AsyncGraphMemory, scope: str, ask: Ask, hold: Hold, label: str
) -> None:
    """The writer found it, waits for its lock, and gets it deleted: it makes it anew."""
    fact = await memory.semantic.remember(
        "Dana likes tea", subject="Dana", predicate="likes", object="tea", tags=["tea"]
    )
    await memory.semantic.forget(fact.id, reason="wrong")
    way = await memory.procedural.define("Boil it", intent="tea")
    await memory.procedural.remove(way.id, reason="wrong")

    async with hold() as cleaner:
        # What graphmem does in a page of clean-up, held in the middle.
        result = await cleaner.run(
            "MATCH (n {scope: $scope, key: 'tea'}) WHERE $label IN labels(n) "
            "SET n:Tombstone, n.was = $label, n.run_id = 'r' REMOVE n:Tag:Term:Intent "
            "RETURN count(n) AS n",
            scope=scope,
            label=label,
        )
        assert 1 == (await result.single())["n"]
        if label == "Intent":
            work = memory.procedural.define("Brew it", intent="tea")
        else:
            work = memory.semantic.remember(
                "Bruno sells tea", subject="Bruno", predicate="sells", object="tea", tags=["tea"]
            )
        writing = asyncio.create_task(work)
        await asyncio.wait_for(wait_for_a_writer(ask, scope), 30)
        await cleaner.commit()
    new = await writing

    rows = await ask(
        "MATCH ({scope: $scope, id: $id})-->(n {key: 'tea'}) WHERE $label IN labels(n) "
        "RETURN n.key AS key",
        scope=scope,
        id=new.id,
        label=label,
    )
    assert rows == [{"key": "tea"}]


async def test_writers_lose_nothing_to_a_cleaner(
    *,
    memory: AsyncGraphMemory,
    settings_with: Configure,
    embedder: HashedEmbedder,
    scope: str,
    ask: Ask,
) -> None:
    """Facts that come and go while it cleans again and again: each has what leads to it."""
    names = ["tag 1", "tag 2", "tag 3"]
    people = ["Ana", "Bruno", "Cleo", "Dana"]
    things = ["tea", "bees", "boats", "lamps", "doors", "maps", "bread", "snow"]
    cleaned: list[int] = []
    is_over = asyncio.Event()

    async def clean() -> None:
        while not is_over.is_set():
            cleaned.append((await memory.clean_orphans()).deleted)

    async def write(writer: int, into: AsyncGraphMemory) -> None:
        for number in range(len(things)):
            fact = await into.semantic.remember(
                f"{people[writer]} likes {things[number]}",
                subject=people[writer],
                predicate="likes",
                object=things[number],
                tags=names,
            )
            if number % 2 == 0:
                await into.semantic.forget(fact.id, reason="wrong")

    cleaning = asyncio.create_task(clean())
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as other:
        writers = [memory, other, memory, other]
        await asyncio.gather(*(write(number, into) for number, into in enumerate(writers)))
    is_over.set()
    await cleaning

    rows = await ask(
        "MATCH (f:Fact {scope: $scope}) WHERE f.status IN ['active', 'pending'] "
        "RETURN f.text AS text, "
        "COUNT { (f)-[:TAGGED]->(:Tag) } AS tags, COUNT { (f)-[:SUBJECT]->(:Term) } AS subjects, "
        "COUNT { (f)-[:OBJECT]->(:Term) } AS objects, "
        "COUNT { (f)-[:TAGGED|SUBJECT|OBJECT]->(:Tombstone) } AS buried",
        scope=scope,
    )
    assert len(rows) == len(people) * len(things) // 2
    # Besides its own tags, its subject and its object are.
    whole = {"tags": 5, "subjects": 1, "objects": 1, "buried": 0}
    assert [row for row in rows if row | whole != row] == []
    assert sum(cleaned) > 0
