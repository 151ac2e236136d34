"""Label propagation in its plainest form: each node is asked in each round.

graphmem asks only those a neighbour of which has changed; tests hold it to this one. `planted`
makes graphs whose communities are known, `nmi` says how far two partitions agree.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping

Links = dict[str, dict[str, float]]


def undirected(edges: Mapping[tuple[str, str], float], *nodes: str) -> Links:
    """Return the links of each node; `nodes` are there without any, too."""
    links: Links = {node: {} for node in nodes}
    for (one, other), weight in edges.items():
        links.setdefault(one, {})[other] = weight
        links.setdefault(other, {})[one] = weight
    return links


def propagated(links: Links, rounds: int = 100) -> dict[str, str]:
    """Return the label of each node after everybody was asked until nobody changed."""
    labels = {node: node for node in links}
    for _ in range(rounds):
        has_changed = False
        for node in sorted(links):
            votes: dict[str, float] = {}
            for other in sorted(links[node]):
                if other != node:
                    votes[labels[other]] = votes.get(labels[other], 0.0) + links[node][other]
            best = max(votes.values(), default=0.0) * (1 - 1e-9)
            if votes and votes.get(labels[node], 0.0) < best:
                labels[node] = min(label for label, weight in votes.items() if weight >= best)
                has_changed = True
        if not has_changed:
            break
    return labels


def planted(
    seed: int, *, groups: int = 8, size: int = 24, inside: float = 0.5, outside: float = 0.01
) -> tuple[Links, dict[str, str]]:
    """Return a graph of communities, and which node belongs to which.

    Args:
        seed: Of the random numbers.
        groups: Communities.
        size: Nodes of each.
        inside: How many of the pairs of one community are linked, 0..1.
        outside: How many of the other pairs are, 0..1.
    """
    dice = random.Random(seed)
    names = [f"n{number:04}" for number in range(groups * size)]
    # The order of the names must not tell what belongs together.
    dice.shuffle(names)
    group = {name: f"g{place // size}" for place, name in enumerate(names)}
    links: Links = {name: {} for name in names}
    for place, one in enumerate(names):
        for other in names[:place]:
            share = inside if group[one] == group[other] else outside
            if dice.random() < share:
                links[one][other] = links[other][one] = 1.0
    return links, group


def nmi(one: Mapping[str, str], other: Mapping[str, str]) -> float:
    """Return the normalised mutual information of two partitions of the same nodes, 0..1."""
    whole = len(one)
    both = Counter((one[node], other[node]) for node in one)
    ones, others = Counter(one.values()), Counter(other[node] for node in one)
    shared = sum(
        count / whole * math.log(count * whole / (ones[a] * others[b]))
        for (a, b), count in both.items()
    )
    spread = _entropy(ones, whole) + _entropy(others, whole)
    return 2 * shared / spread if spread else 1.0


def _entropy(counts: Counter[str], whole: int) -> float:
    return -sum(count / whole * math.log(count / whole) for count in counts.values())
