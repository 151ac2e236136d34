"""The walk on a real server is the push of tests/oracles/pagerank.py, number for number."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from graphmem.db import Database
from graphmem.errors import InputError
from graphmem.queries import Query, get_query
from graphmem.recall.gds import rank_by_gds
from graphmem.recall.question import filter_params
from graphmem.recall.request import RecallOptions, Walk, recall_request
from graphmem.recall.walk import Reached, WalkSeeds, walk_graph
from tests.conftest import ServerAddress
from tests.integration.conftest import Ask
from tests.oracles.pagerank import converged, push, top, undirected

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WEIGHTS = {
    "MENTIONS": 1.0,
    "NEXT": 0.5,
    "HAS_TURN": 0.1,
    "STATES": 1.0,
    "SUBJECT": 0.7,
    "OBJECT": 0.35,
    "TAGGED": 0.4,
    "SIMILAR": 0.8,
}
# What a walk passes; facts and Tags it only begins at.
PASSED = ("MENTIONS", "NEXT", "HAS_TURN", "SIMILAR")
# The property that weighs a single link, by type; links of other types weigh 1.
OWN_WEIGHT = {"MENTIONS": "weight", "SIMILAR": "cosine"}
ALL = 10_000


@dataclass(frozen=True, slots=True)
class Graph:
    """A random graph as it stands in the store: (type, from, to, weight)."""

    labels: dict[str, str]
    edges: list[tuple[str, str, str, float]]

    def links(self) -> dict[str, list[tuple[str, float]]]:
        """Return what the walk sees of it."""
        walked = undirected(
            (start, end, weight * WEIGHTS[kind])
            for kind, start, end, weight in self.edges
            if kind in PASSED
        )
        return {**{node: [] for node in self.labels}, **walked}

    def turns(self, mass: dict[str, float]) -> dict[str, float]:
        """Return the mass of the turns alone."""
        return {node: value for node, value in mass.items() if self.labels[node] == "Turn"}


def random_graph(seed: int, *, nodes: int = 40, edges: int = 90) -> Graph:
    """Return a graph with loops, parallel edges, lone nodes and weights of zero."""
    chance = random.Random(seed)
    kinds = ["Turn"] * 6 + ["Term"] * 5 + ["Session"]
    labels = {f"n{n:03}": chance.choice(kinds) for n in range(nodes)}
    names = list(labels)[: nodes - 3]
    made = []
    for _ in range(edges):
        kind = chance.choice(PASSED)
        weight = chance.choice([0.0, chance.random()]) if kind in OWN_WEIGHT else 1.0
        made.append((kind, chance.choice(names), chance.choice(names), weight))
    return Graph(labels, made)


async def store(ask: Ask, scope: str, graph: Graph) -> None:
    """Put a graph into a scope."""
    for label in ("Turn", "Term", "Fact", "Session", "Tag"):
        await ask(
            f"UNWIND $ids AS id CREATE (n:{label} {{scope: $scope, id: id, status: 'active', "
            "session_id: 's', agent_id: '', project: '', at: $now, key: id, "
            "valid_from: datetime('0001-01-01T00:00:00Z'), "
            "valid_to: datetime('9999-12-31T00:00:00Z')})",
            ids=[node for node, kind in graph.labels.items() if kind == label],
            scope=scope,
            now=NOW,
        )
    for kind in WEIGHTS:
        await ask(
            "UNWIND $rows AS row "
            "MATCH (a:Turn|Term|Fact|Session|Tag {scope: $scope, id: row[0]}) "
            "MATCH (b:Turn|Term|Fact|Session|Tag {scope: $scope, id: row[1]}) "
            f"CREATE (a)-[r:{kind}]->(b) SET r.{OWN_WEIGHT.get(kind, 'weight')} = row[2]",
            rows=[
                [start, end, weight if kind in OWN_WEIGHT else None]
                for found, start, end, weight in graph.edges
                if found == kind
            ],
            scope=scope,
        )


async def walk(
    db: Database, scope: str, graph: Graph, seeds: dict[str, float], **knobs: object
) -> dict[str, float]:
    """Return the mass of the turns that the query reaches."""
    settings = {"kept": ALL, "found": ALL, "hub_links": ALL, "link_weights": WEIGHTS, **knobs}
    reached = await walk_graph(
        db,
        recall_request("?x", scope=scope, limit=1),
        RecallOptions(now=NOW, walk=Walk(**settings)),  # type: ignore[arg-type]  # by name
        seeds=by_label(graph, seeds),
        turn_ids=[],
        known=[],
        vector=None,
        slot=None,
    )
    return dict(reached.masses)


def by_label(graph: Graph, seeds: dict[str, float]) -> WalkSeeds:
    """Return seeds as the walk takes them."""
    chosen: dict[str, dict[str, float]] = {"Turn": {}, "Term": {}, "Fact": {}, "Tag": {}}
    for node, weight in seeds.items():
        chosen[graph.labels.get(node, "Turn")][node] = weight
    return WalkSeeds(chosen["Turn"], chosen["Term"], chosen["Fact"], chosen["Tag"])


async def walk_by_gds(
    db: Database, scope: str, graph: Graph, seeds: dict[str, float]
) -> dict[str, float]:
    """Return the mass of the turns by the Graph Data Science library."""
    settings = Walk(found=ALL, hub_links=ALL, link_weights=WEIGHTS)
    return await rank_by_gds(
        db,
        recall_request("?x", scope=scope, limit=1),
        RecallOptions(now=NOW, walk=settings),
        by_label(graph, seeds),
    )


def some_seeds(graph: Graph, seed: int, count: int = 5) -> dict[str, float]:
    """Return weights of some nodes that a walk may begin at."""
    chance = random.Random(seed)
    nodes = [node for node, kind in graph.labels.items() if kind != "Session"]
    return {node: chance.random() + 0.01 for node in chance.sample(nodes, count)}


@pytest.mark.parametrize("seed", range(8))
async def test_the_query_is_the_push_of_the_oracle(
    db: Database, ask: Ask, scope: str, seed: int
) -> None:
    """Same rounds, same masses, to a billionth: loops, dead ends, zero weights and all."""
    graph = random_graph(seed)
    seeds = some_seeds(graph, seed)
    await store(ask, scope, graph)

    found = await walk(db, scope, graph, seeds)

    wanted = graph.turns(push(graph.links(), seeds))
    assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
async def test_pruning_and_hubs_are_those_of_the_oracle(
    db: Database, ask: Ask, scope: str, seed: int
) -> None:
    """With few nodes kept a round, and nodes with many links closed, the two still agree."""
    graph = random_graph(100 + seed, edges=120)
    seeds = some_seeds(graph, seed)
    await store(ask, scope, graph)
    touched = [node for _, start, end, _ in graph.edges for node in {start, end}]
    hubs = {node for node in graph.labels if touched.count(node) > 8}

    found = await walk(db, scope, graph, seeds, kept=12, hub_links=8)

    assert hubs
    wanted = graph.turns(push(graph.links(), seeds, kept=12, hubs=hubs))
    assert found == pytest.approx(wanted, abs=1e-9)


async def test_the_walk_finds_what_converged_pagerank_finds(
    db: Database, ask: Ask, scope: str
) -> None:
    """Of the ten best turns at least 95 in 100 are the same, with the default pruning."""
    shared = []
    for seed in range(6):
        graph = random_graph(200 + seed, nodes=150, edges=420)
        place = f"{scope}/{seed}"
        seeds = some_seeds(graph, seed, count=8)
        await store(ask, place, graph)

        found = await walk(db, place, graph, seeds, kept=Walk().kept)

        best = top(graph.turns(converged(graph.links(), seeds)), 10)
        shared.append(len(set(top(found, 10)) & set(best)) / 10)
    assert sum(shared) / len(shared) >= 0.95


async def test_seeds_that_are_not_there_change_nothing(db: Database, ask: Ask, scope: str) -> None:
    """[A, deleted] is [A]; only deleted ones, or none, or weights of zero reach nothing."""
    graph = random_graph(7)
    await store(ask, scope, graph)
    turn = next(node for node, kind in graph.labels.items() if kind == "Turn")

    alone = await walk(db, scope, graph, {turn: 2.0})
    with_deleted = await walk(db, scope, graph, {turn: 0.3, "deleted": 0.7})
    nothing = [await walk(db, scope, graph, seeds) for seeds in ({}, {"deleted": 1.0}, {turn: 0.0})]

    assert alone == pytest.approx(with_deleted, abs=1e-12)
    assert turn in alone
    assert nothing == [{}, {}, {}]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
async def test_a_weight_that_is_none_is_refused(db: Database, scope: str, weight: float) -> None:
    """A negative, infinite or missing number does not become a rank."""
    with pytest.raises(InputError, match="weight"):
        await walk(db, scope, Graph({"a": "Turn"}, []), {"a": weight})


async def test_a_lone_turn_keeps_all_of_its_mass(db: Database, ask: Ask, scope: str) -> None:
    """Mass without a way out goes back to the seeds, so that all sums to 1."""
    graph = Graph({"a": "Turn"}, [])
    await store(ask, scope, graph)

    found = await walk(db, scope, graph, {"a": 5.0})

    assert found == pytest.approx({"a": 1.0})


async def test_no_mass_passes_through_what_is_not_live(db: Database, ask: Ask, scope: str) -> None:
    """A forgotten Term leads nowhere, though its links stay."""
    edges = [("MENTIONS", "a", "x", 1.0), ("MENTIONS", "b", "x", 1.0)]
    graph = Graph({"a": "Turn", "b": "Turn", "x": "Term"}, edges)
    await store(ask, scope, graph)
    before = await walk(db, scope, graph, {"a": 1.0})
    await ask("MATCH (x:Term {scope: $scope}) SET x.status = 'forgotten'", scope=scope)

    after = await walk(db, scope, graph, {"a": 1.0})

    assert set(before) == {"a", "b"}
    assert after == pytest.approx({"a": 0.5})


@pytest.mark.parametrize("seed", range(4))
async def test_gds_finds_the_converged_pagerank(
    db: Database, ask: Ask, scope: str, seed: int
) -> None:
    """Number for number, with loops, parallel links, dead ends and lone nodes."""
    graph = random_graph(300 + seed)
    seeds = {**some_seeds(graph, seed), "deleted": 0.5}
    await store(ask, scope, graph)

    found = await walk_by_gds(db, scope, graph, seeds)

    wanted = {key: mass for key, mass in converged(graph.links(), seeds).items() if mass > 0}
    assert found == pytest.approx(graph.turns(wanted), abs=1e-6)


async def test_gds_has_nothing_to_say_without_seeds(db: Database, ask: Ask, scope: str) -> None:
    """No seed, only deleted ones, or none with a weight: no graph arm, and no fault."""
    graph = random_graph(7)
    await store(ask, scope, graph)
    turn = next(node for node, kind in graph.labels.items() if kind == "Turn")

    nothing = [
        await walk_by_gds(db, place, graph, seeds)
        for place, seeds in (
            (scope, {}),
            (scope, {"deleted": 1.0}),
            (scope, {turn: 0.0}),
            (f"{scope}/empty", {turn: 1.0}),
        )
    ]

    assert [{}, {}, {}, {}] == nothing


async def test_gds_leaves_no_copy_behind(db: Database, ask: Ask, scope: str) -> None:
    """Neither after an answer nor after a fault."""
    graph = random_graph(7)
    await store(ask, scope, graph)
    seeds = some_seeds(graph, 1)
    await walk_by_gds(db, scope, graph, seeds)

    with pytest.raises(InputError, match="weight"):
        await walk_by_gds(db, scope, graph, {**seeds, "n000": float("nan")})

    rows = await ask("CALL gds.graph.list() YIELD graphName, nodeCount RETURN nodeCount AS nodes")
    assert len(graph.labels) not in [row["nodes"] for row in rows]


async def test_gds_makes_one_copy_at_a_time(
    db: Database, ask: Ask, scope: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions that come together wait for each other: their copies would fill the server."""
    graph = random_graph(7)
    await store(ask, scope, graph)
    seeds = some_seeds(graph, 1)
    seen: list[str] = []
    run = db.run

    async def noted(query: Query, /, **params: Any) -> list[dict[str, Any]]:
        if "graph" in params:
            seen.append(params["graph"])
        return await run(query, **params)

    monkeypatch.setattr(db, "run", noted)

    found = await asyncio.gather(*(walk_by_gds(db, scope, graph, seeds) for _ in range(3)))

    assert [found[0]] * 3 == [pytest.approx(masses) for masses in found]
    assert 3 == len([graph for graph, _ in groupby(seen)])


async def test_what_a_fact_is_about_gets_its_share_over_its_mentions(
    db: Database, ask: Ask, scope: str
) -> None:
    """The rarer end of a fact starts with more."""
    graph = Graph(
        {"f": "Fact", "rare": "Term", "hub": "Term", "a": "Turn", "b": "Turn", "c": "Turn"},
        [
            ("SUBJECT", "f", "rare", 1.0),
            ("OBJECT", "f", "hub", 1.0),
            ("MENTIONS", "a", "rare", 1.0),
            ("MENTIONS", "b", "hub", 1.0),
            ("MENTIONS", "c", "hub", 1.0),
        ],
    )
    await store(ask, scope, graph)

    reached = await begin_at(db, scope, WalkSeeds({}, {}, {}, ends={"f": 1.0}))

    rare, hub = WEIGHTS["SUBJECT"] / 2, WEIGHTS["OBJECT"] / 3
    wanted = push(graph.links(), {"rare": rare, "hub": hub})
    assert dict(reached.masses) == pytest.approx(graph.turns(wanted), abs=1e-9)
    assert reached.linkage == pytest.approx(2 * hub / (rare + hub))


async def test_a_fact_and_a_tag_give_to_the_turns_that_state_them(
    db: Database, ask: Ask, scope: str
) -> None:
    """In equal shares; a Tag to those of each of its facts that holds."""
    graph = Graph(
        {"g": "Tag", "f": "Fact", "h": "Fact", "over": "Fact"}
        | dict.fromkeys(("a", "b", "c", "d"), "Turn"),
        [
            ("TAGGED", "f", "g", 1.0),
            ("TAGGED", "h", "g", 1.0),
            ("TAGGED", "over", "g", 1.0),
            ("STATES", "a", "f", 1.0),
            ("STATES", "b", "f", 1.0),
            ("STATES", "c", "h", 1.0),
            ("STATES", "d", "over", 1.0),
        ],
    )
    await store(ask, scope, graph)
    await ask("MATCH (f:Fact {scope: $scope, id: 'over'}) SET f.status = 'superseded'", scope=scope)

    by_fact = await begin_at(db, scope, WalkSeeds({}, {}, {"f": 1.0, "over": 1.0}))
    by_tag = await begin_at(db, scope, WalkSeeds({}, {}, {}, {"g": 1.0}))

    assert dict(by_fact.masses) == pytest.approx({"a": 1 / 2, "b": 1 / 2})
    assert dict(by_tag.masses) == pytest.approx({"a": 1 / 4, "b": 1 / 4, "c": 1 / 2})


async def begin_at(db: Database, scope: str, seeds: WalkSeeds) -> Reached:
    """Walk from facts and Tags."""
    return await walk_graph(
        db,
        recall_request("?x", scope=scope, limit=1),
        RecallOptions(now=NOW, walk=Walk(link_weights=WEIGHTS)),
        seeds=seeds,
        turn_ids=[],
        known=[],
        vector=None,
        slot=None,
    )


async def communities(ask: Ask, scope: str, members: dict[str, str]) -> None:
    """Put Terms into communities."""
    await ask(
        "UNWIND $rows AS row MATCH (x:Term {scope: $scope, id: row[0]}) "
        "MERGE (c:Community {scope: $scope, key: row[1]}) MERGE (x)-[:IN_COMMUNITY]->(c)",
        rows=[list(pair) for pair in members.items()],
        scope=scope,
    )


NARROWED = Graph(
    {
        "seed": "Term",
        "near": "Term",
        "far": "Term",
        "alone": "Term",
        "middle": "Turn",
        "near turn": "Turn",
        "far turn": "Turn",
        "alone turn": "Turn",
    },
    [
        ("MENTIONS", "middle", "seed", 1.0),
        ("MENTIONS", "middle", "near", 1.0),
        ("MENTIONS", "middle", "far", 1.0),
        ("MENTIONS", "middle", "alone", 1.0),
        ("MENTIONS", "near turn", "near", 1.0),
        ("MENTIONS", "far turn", "far", 1.0),
        ("MENTIONS", "alone turn", "alone", 1.0),
    ],
)


@pytest.mark.parametrize(
    "case",
    [
        ({"seed": "1", "near": "1", "far": "2"}, True, False),
        ({"seed": "1", "near": "1", "far": "2"}, False, True),
        # The seed itself belongs to none: nothing is known of where to stay.
        ({"near": "1", "far": "2"}, True, True),
        ({}, True, True),
    ],
)
async def test_communities_of_the_seeds_narrow_the_walk(
    db: Database,
    ask: Ask,
    scope: str,
    case: tuple[dict[str, str], bool, bool],
) -> None:
    """A common Term of another community ends it; one without a community does not."""
    members, narrow, is_far_reached = case
    await store(ask, scope, NARROWED)
    await communities(ask, scope, members)

    found = await walk(db, scope, NARROWED, {"seed": 1.0}, narrow=narrow, narrow_links=1)

    assert {"middle", "near turn", "alone turn"} <= set(found)
    assert is_far_reached == ("far turn" in found)


async def test_a_rare_term_of_another_community_leads_on(
    db: Database, ask: Ask, scope: str
) -> None:
    """What few turns mention leads from one thing to another, wherever it belongs."""
    await store(ask, scope, NARROWED)
    await communities(ask, scope, {"seed": "1", "near": "1", "far": "2"})

    found = await walk(db, scope, NARROWED, {"seed": 1.0}, narrow_links=2)

    assert "far turn" in found


async def test_a_direct_hit_of_another_community_is_kept(
    db: Database, ask: Ask, scope: str
) -> None:
    """Communities narrow the walk, never what words, vectors and facts found."""
    await store(ask, scope, NARROWED)
    await communities(ask, scope, {"seed": "1", "far": "2"})

    found = await walk(db, scope, NARROWED, {"seed": 1.0, "far turn": 1.0}, narrow_links=1)

    assert found["far turn"] >= 0.25


async def test_a_hub_costs_the_walk_nothing(
    ask: Ask, scope: str, neo4j_server: ServerAddress
) -> None:
    """A Term with ten times as many mentions is not read any deeper."""
    reads = []
    for mentions in (300, 3000):
        place = f"{scope}/{mentions}"
        await ask(
            "CREATE (hub:Term {scope: $scope, id: 'hub', key: 'hub', status: 'active'}) "
            "CREATE (t:Turn {scope: $scope, id: 'seed', status: 'active', session_id: 's', "
            "agent_id: '', project: '', at: $now})-[:MENTIONS {weight: 1.0}]->(hub) "
            "WITH hub UNWIND range(1, $mentions) AS n "
            "CREATE (:Turn {scope: $scope, id: toString(n), status: 'active', session_id: 's', "
            "agent_id: '', project: '', at: $now})-[:MENTIONS {weight: 1.0}]->(hub)",
            scope=place,
            mentions=mentions,
            now=NOW,
        )
        reads.append(await reads_of_a_walk(neo4j_server, place))

    assert 0 < reads[0]
    assert reads[0] == reads[1]


async def reads_of_a_walk(server: ServerAddress, scope: str) -> int:
    """Return how often the walk from the turn and the hub touches the store."""
    walk_at = Walk()
    params = {
        **filter_params(recall_request("?x", scope=scope, limit=1)),
        "scope": scope,
        "turn_seeds": [{"id": "seed", "weight": 1.0}],
        "term_seeds": [{"id": "hub", "weight": 1.0}],
        "tag_seeds": [],
        "fact_seeds": [],
        "link_weights": dict(walk_at.link_weights),
        "hub_links": walk_at.hub_links,
        "kept": walk_at.kept,
        "damping": walk_at.damping,
        "found": walk_at.found,
        "turn_ids": [],
        "known": [],
        "vector": None,
        "now": NOW,
        "fact_statuses": ["active"],
        "narrow": True,
        "narrow_links": 5,
    }
    body = get_query("recall/walk_graph", "a").body.removeprefix("CYPHER 25")
    auth = (server.username, server.password)
    async with (
        AsyncGraphDatabase.driver(server.uri, auth=auth) as driver,
        driver.session() as session,
    ):
        result = await session.run(f"CYPHER 25 PROFILE {body}", params)
        profile = (await result.consume()).profile
    assert profile is not None
    return hits(profile)


def hits(plan: dict[str, Any]) -> int:
    """Return the reads of a plan with all below it."""
    return int(plan["dbHits"]) + sum(hits(child) for child in plan.get("children", ()))
