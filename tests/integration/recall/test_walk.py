"""The walk on a real server is the push of tests/oracles/pagerank.py, number for number."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from graphmem.db import Database
from graphmem.errors import InputError
from graphmem.recall.request import RecallOptions, Walk, recall_request
from graphmem.recall.walk import WalkSeeds, walk_graph
from tests.integration.conftest import Ask
from tests.oracles.pagerank import converged, push, top, undirected

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WEIGHTS = {
    "MENTIONS": 1.0,
    "NEXT": 0.5,
    "HAS_TURN": 0.1,
    "STATES": 1.0,
    "SUBJECT": 0.7,
    "OBJECT": 0.0,
}
ALL = 10_000


@dataclass(frozen=True, slots=True)
class Graph:
    """A random graph as it stands in the store: (type, from, to, weight)."""

    labels: dict[str, str]
    edges: list[tuple[str, str, str, float]]

    def links(self) -> dict[str, list[tuple[str, float]]]:
        """Return what the walk sees of it."""
        walked = undirected(
            (start, end, weight * WEIGHTS[kind]) for kind, start, end, weight in self.edges
        )
        return {**{node: [] for node in self.labels}, **walked}

    def turns(self, mass: dict[str, float]) -> dict[str, float]:
        """Return the mass of the turns alone."""
        return {node: value for node, value in mass.items() if self.labels[node] == "Turn"}


def random_graph(seed: int, *, nodes: int = 40, edges: int = 90) -> Graph:
    """Return a graph with loops, parallel edges, lone nodes and weights of zero."""
    chance = random.Random(seed)
    kinds = ["Turn"] * 5 + ["Term"] * 4 + ["Fact"] * 2 + ["Session"]
    labels = {f"n{n:03}": chance.choice(kinds) for n in range(nodes)}
    names = list(labels)[: nodes - 3]
    made = []
    for _ in range(edges):
        kind = chance.choice(list(WEIGHTS))
        # Only a mention has a weight of its own.
        weight = chance.choice([0.0, chance.random()]) if kind == "MENTIONS" else 1.0
        made.append((kind, chance.choice(names), chance.choice(names), weight))
    return Graph(labels, made)


async def store(ask: Ask, scope: str, graph: Graph) -> None:
    """Put a graph into a scope."""
    for label in ("Turn", "Term", "Fact", "Session"):
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
            "MATCH (a:Turn|Term|Fact|Session {scope: $scope, id: row[0]}) "
            "MATCH (b:Turn|Term|Fact|Session {scope: $scope, id: row[1]}) "
            f"CREATE (a)-[r:{kind}]->(b) SET r.weight = row[2]",
            rows=[
                [start, end, weight if kind == "MENTIONS" else None]
                for found, start, end, weight in graph.edges
                if found == kind
            ],
            scope=scope,
        )


async def walk(
    db: Database, scope: str, graph: Graph, seeds: dict[str, float], **knobs: object
) -> dict[str, float]:
    """Return the mass of the turns that the query reaches."""
    chosen: dict[str, dict[str, float]] = {"Turn": {}, "Term": {}, "Fact": {}}
    for node, weight in seeds.items():
        chosen[graph.labels.get(node, "Turn")][node] = weight
    settings = {"kept": ALL, "found": ALL, "hub_links": ALL, "link_weights": WEIGHTS, **knobs}
    reached = await walk_graph(
        db,
        recall_request("?x", scope=scope, limit=1),
        RecallOptions(now=NOW, walk=Walk(**settings)),  # type: ignore[arg-type]  # by name
        seeds=WalkSeeds(chosen["Turn"], chosen["Term"], chosen["Fact"]),
        turn_ids=[],
        known=[],
        vector=None,
        slot=None,
    )
    return dict(reached.masses)


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
    """A superseded fact leads nowhere, though its links stay."""
    edges = [("STATES", "a", "f", 1.0), ("STATES", "b", "f", 1.0)]
    graph = Graph({"a": "Turn", "b": "Turn", "f": "Fact"}, edges)
    await store(ask, scope, graph)
    before = await walk(db, scope, graph, {"a": 1.0})
    await ask("MATCH (f:Fact {scope: $scope}) SET f.status = 'superseded'", scope=scope)

    after = await walk(db, scope, graph, {"a": 1.0})

    assert set(before) == {"a", "b"}
    assert after == pytest.approx({"a": 1.0})
