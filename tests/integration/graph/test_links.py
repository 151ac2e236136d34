"""Terms that mean the same are linked, by their vectors, inside their scope."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.graph.links import LINK_BATCH, link_similar, mark_unlinked
from graphmem.schema import prepare
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask

EMBEDDER_ID = "made:up@384"
LINKS = """
MATCH (a:Term {scope: $scope})-[r:SIMILAR]->(b:Term)
RETURN a.key + ' ' + b.key AS pair, b.scope AS scope, r.cosine AS cosine
ORDER BY pair
"""


@pytest.fixture(autouse=True)
async def _vector_indexes(db: Database) -> None:
    await prepare(db, EmbedderInfo("hashed", "words", DIMENSIONS))


def at_angle(cosine: float) -> list[float]:
    """Return a unit vector with this cosine to the first axis."""
    return [cosine, math.sqrt(1 - cosine * cosine), *[0.0] * (DIMENSIONS - 2)]


async def make(
    ask: Ask, scope: str, terms: Mapping[str, float], *, waits: bool | None = True
) -> None:
    """Put Terms into a scope, each at a cosine to the first axis."""
    await ask(
        "UNWIND $rows AS row "
        "CREATE (t:Term {scope: $scope, id: row.key, key: row.key, name: row.key, "
        "status: 'active', needs_vector: false, needs_links: $waits, embedder_id: $embedder}) "
        "WITH t, row CALL db.create.setNodeVectorProperty(t, 'embedding_a', row.vector)",
        rows=[{"key": key, "vector": at_angle(cosine)} for key, cosine in terms.items()],
        scope=scope,
        waits=waits,
        embedder=EMBEDDER_ID,
    )


async def link(db: Database, scope: str, embedder_id: str = EMBEDDER_ID) -> int:
    """Link what waits in a scope."""
    return await link_similar(db, scope, slot="a", embedder_id=embedder_id)


async def test_near_terms_are_linked_once_with_their_cosine(
    db: Database, scope: str, ask: Ask
) -> None:
    """From .8 on, in one direction, never to itself and never into another scope."""
    await make(ask, scope, {"ana": 1.0, "anna": 0.9, "hannah": 0.79, "bakery": 0.0})
    await make(ask, f"{scope}/other", {"ana": 1.0, "anya": 0.95})

    looked_at = await link(db, scope)

    rows = await ask(LINKS, scope=scope)
    assert 4 == looked_at
    assert ["ana anna", "anna hannah"] == [row["pair"] for row in rows]
    assert {scope} == {row["scope"] for row in rows}
    assert pytest.approx(0.9, abs=1e-3) == rows[0]["cosine"]


async def test_a_term_asks_for_its_ten_nearest(db: Database, scope: str, ask: Ask) -> None:
    """The eleventh is left out, however near it is."""
    near = {f"n{n:02}": 0.99 - n / 1000 for n in range(12)}
    await make(ask, scope, near, waits=False)
    await make(ask, scope, {"ana": 1.0})

    await link(db, scope)

    pairs = [row["pair"] for row in await ask(LINKS, scope=scope)]
    assert [f"ana n{n:02}" for n in range(10)] == pairs


async def test_linking_again_changes_nothing(db: Database, scope: str, ask: Ask) -> None:
    """Who was linked waits no more; made to wait again, the same links come out."""
    await make(ask, scope, {"ana": 1.0, "anna": 0.9})
    await link(db, scope)
    once = await ask(LINKS, scope=scope)

    idle = await link(db, scope)
    await ask("MATCH (t:Term {scope: $scope}) SET t.needs_links = true", scope=scope)
    again = await link(db, scope)

    assert (0, 2) == (idle, again)
    assert once == await ask(LINKS, scope=scope)


async def test_a_term_that_comes_later_is_linked_to_those_that_are_there(
    db: Database, scope: str, ask: Ask
) -> None:
    """Only the new one is looked at."""
    await make(ask, scope, {"anna": 0.9})
    await link(db, scope)
    await make(ask, scope, {"ana": 1.0})

    looked_at = await link(db, scope)

    assert 1 == looked_at
    assert ["ana anna"] == [row["pair"] for row in await ask(LINKS, scope=scope)]


async def test_links_of_another_embedder_are_replaced(db: Database, scope: str, ask: Ask) -> None:
    """What one model called similar says nothing about the vectors of the next one."""
    await make(ask, scope, {"ana": 1.0, "bakery": 0.1})
    await ask(
        "MATCH (a:Term {scope: $scope, key: 'ana'}), (b:Term {scope: $scope, key: 'bakery'}) "
        "CREATE (a)-[:SIMILAR {cosine: 0.99, embedder_id: 'another'}]->(b)",
        scope=scope,
    )

    await link(db, scope)

    assert [] == await ask(LINKS, scope=scope)


async def test_terms_that_wait_for_a_vector_are_left_alone(
    db: Database, scope: str, ask: Ask
) -> None:
    """Neither one without a vector nor one with another embedder's is looked at."""
    await make(ask, scope, {"ana": 1.0, "anna": 0.9})
    await ask("MATCH (t:Term {scope: $scope, key: 'ana'}) SET t.needs_vector = true", scope=scope)
    await ask("MATCH (t:Term {scope: $scope, key: 'anna'}) SET t.embedder_id = 'b'", scope=scope)

    assert 0 == await link(db, scope)


async def test_a_store_without_such_links_gets_them(db: Database, scope: str, ask: Ask) -> None:
    """Terms of an older version carry no mark; they are marked once."""
    await make(ask, scope, {"ana": 1.0, "anna": 0.9}, waits=None)

    marked = await mark_unlinked(db, scope, embedder_id=EMBEDDER_ID)
    looked_at = await link(db, scope)
    again = await mark_unlinked(db, scope, embedder_id=EMBEDDER_ID)

    assert (2, 2, 0) == (marked, looked_at, again)
    assert ["ana anna"] == [row["pair"] for row in await ask(LINKS, scope=scope)]


async def test_one_round_is_bounded(db: Database, scope: str, ask: Ask) -> None:
    """A bulk load does not hold the locks of all its Terms at once."""
    await make(ask, scope, {f"t{n:03}": n / (2 * LINK_BATCH) for n in range(LINK_BATCH + 5)})

    rounds = [await link(db, scope), await link(db, scope)]

    assert [LINK_BATCH, 5] == rounds


async def test_nobody_is_linked_to_a_merged_name(db: Database, scope: str, ask: Ask) -> None:
    """What stands for it is linked, by a vector of its own."""
    await make(ask, scope, {"anna": 0.9, "hannah": 0.95}, waits=False)
    await ask(
        "MATCH (t:Term {scope: $scope, key: 'anna'}) SET t.status = 'deprecated'", scope=scope
    )
    await make(ask, scope, {"ana": 1.0})

    await link(db, scope)

    assert ["ana hannah"] == [row["pair"] for row in await ask(LINKS, scope=scope)]
