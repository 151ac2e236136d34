"""Personalised PageRank in plain Python: the push that recall runs in Cypher, and the real thing.

`push` does what cypher/recall/walk_graph.cypher does, round by round; `converged` iterates until
nothing changes. Tests hold the query to the first and the first to the second.

Source: Page et al., "The PageRank Citation Ranking" (1999), with restart at the seeds; HippoRAG 2
for the damping of .5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

Links = Mapping[str, Sequence[tuple[str, float]]]


def undirected(edges: Iterable[tuple[str, str, float]]) -> dict[str, list[tuple[str, float]]]:
    """Return the links of each node when every edge is walked both ways; a loop is one link."""
    links: dict[str, list[tuple[str, float]]] = {}
    for start, end, weight in edges:
        links.setdefault(start, []).append((end, weight))
        links.setdefault(end, [])
        if start != end:
            links[end].append((start, weight))
    return links


def push(
    links: Links,
    seeds: Mapping[str, float],
    *,
    damping: float = 0.5,
    rounds: int = 3,
    kept: int | None = None,
    hubs: Iterable[str] = (),
) -> dict[str, float]:
    """Return the mass of each node after a push of some rounds.

    Args:
        links: (target, weight >= 0) by node; targets need no entry of their own.
        seeds: Where the walk begins and restarts; a node that is not there is passed over.
        damping: Share of the mass that walks on.
        rounds: How often it does; what is on its way then counts where it is.
        kept: Heaviest nodes that walk on in a round; None = all.
        hubs: Nodes that pass nothing on; their mass goes back to the seeds, as that of a node
            without links does.

    Raises:
        ValueError: A weight is negative or no number.
    """
    start = _start(links, seeds)
    closed = set(hubs)
    mass = dict(start)
    total: dict[str, float] = {}
    for done in range(rounds + 1):
        share = damping**rounds if done == rounds else (1 - damping) * damping**done
        for node, value in mass.items():
            total[node] = total.get(node, 0.0) + share * value
        if done < rounds:
            mass = _step(links, start, _heaviest(mass, kept), closed)
    return total


def converged(
    links: Links, seeds: Mapping[str, float], *, damping: float = 0.5, error: float = 1e-12
) -> dict[str, float]:
    """Return PageRank with restart, iterated until the sum of changes is below `error`."""
    start = _start(links, seeds)
    rank = dict(start)
    while rank:
        walked = _step(links, start, rank, set())
        after = {
            node: (1 - damping) * start.get(node, 0.0) + damping * walked.get(node, 0.0)
            for node in {*start, *walked}
        }
        change = math.fsum(abs(after[node] - rank.get(node, 0.0)) for node in after)
        rank = after
        if change < error:
            break
    return rank


def top(mass: Mapping[str, float], k: int) -> list[str]:
    """Return the k heaviest nodes, equal ones by name."""
    return sorted(mass, key=lambda node: (-mass[node], node))[:k]


def _start(links: Links, seeds: Mapping[str, float]) -> dict[str, float]:
    for node, weight in seeds.items():
        if not 0 <= weight < math.inf:
            raise ValueError(f"the weight of seed {node} must be finite and >= 0, got {weight}")
    nodes = {*links, *(target for row in links.values() for target, _ in row)}
    there = {node: weight for node, weight in seeds.items() if node in nodes and weight > 0}
    total = math.fsum(there.values())
    return {node: weight / total for node, weight in there.items()}


def _step(
    links: Links, start: Mapping[str, float], mass: Mapping[str, float], hubs: set[str]
) -> dict[str, float]:
    walked: dict[str, float] = {}
    stuck = 0.0
    for node, value in mass.items():
        row = [] if node in hubs else [link for link in links.get(node, ()) if link[1] > 0]
        weight = math.fsum(link[1] for link in row)
        if not row:
            stuck += value
        for target, part in row:
            walked[target] = walked.get(target, 0.0) + value * part / weight
    for node, value in start.items():
        if stuck > 0:
            walked[node] = walked.get(node, 0.0) + stuck * value
    return walked


def _heaviest(mass: dict[str, float], kept: int | None) -> dict[str, float]:
    return mass if kept is None else {node: mass[node] for node in top(mass, kept)}
