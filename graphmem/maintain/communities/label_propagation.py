"""Which nodes belong together: label propagation over weighted links, plain and deterministic.

Each node starts with a label of its own and takes, again and again, the label that weighs most
among its neighbours. A node that keeps its label among equals, and nodes that vote one after the
other, cannot flip for ever: each change makes the links inside of the communities weigh more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TypeVar

__all__ = ["MAX_ROUNDS", "Links", "Partition", "propagate", "revote"]

# Nodes and labels are numbers inside and names outside.
N = TypeVar("N", int, str)
L = TypeVar("L", int, str)

# Weights by neighbour; both ends know of each link.
Links = Mapping[str, Mapping[str, float]]

# Graphs of talks settle in 5 to 15; the cap is for what nobody has thought of.
MAX_ROUNDS = 50
# Sums of the same weights in another order differ in their last bits: that is no difference.
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Partition:
    """What the nodes agreed on.

    Attributes:
        labels: The label of each node: the name of one of the nodes.
        rounds: Rounds in which a node changed its label.
        converged: Whether nothing would change in a further round.
    """

    labels: Mapping[str, str]
    rounds: int
    converged: bool


def propagate(links: Links, *, max_rounds: int = MAX_ROUNDS) -> Partition:
    """Let nodes vote on their labels until none changes any more.

    The nodes vote in the order of their names, each with what the ones before it have chosen. A
    node takes the label whose links to it weigh most: its own where that is among them, else the
    smallest. It votes again only after a neighbour changed, which comes to the same as asking
    each one in each round.

    Args:
        links: Neighbours with weights > 0 by node, each link known to both ends; a link of a
            node to itself says nothing. One without neighbours keeps its label.
        max_rounds: The most rounds, >= 0.

    Returns:
        The labels, the same for the same links in whatever order they were given.

    Raises:
        ValueError: `max_rounds` is negative, or a link leads to a node that is not there.

    Source: Raghavan et al., "Near linear time algorithm to detect community structures in
    large-scale networks" (2007), asynchronous; Graph Memory, communities.
    """
    if max_rounds < 0:
        raise ValueError(f"max_rounds must be >= 0, got {max_rounds}")
    names = sorted(links)
    place = {name: number for number, name in enumerate(names)}
    near = [_neighbours(links[name], place, name) for name in names]
    # Numbers in the order of the names, so that the smallest number is the smallest label.
    current = list(range(len(names)))
    waiting = set(current)
    rounds = 0
    while waiting and rounds < max_rounds:
        waiting, has_changed = _round(waiting, near, current)
        rounds += has_changed
    told = {name: names[label] for name, label in zip(names, current, strict=True)}
    return Partition(told, rounds, converged=not waiting)


def revote(waiting: Iterable[str], links: Links, labels: MutableMapping[str, str]) -> list[str]:
    """Let some nodes vote once, in the order of their names, and return those that changed.

    Args:
        waiting: Who votes.
        links: Their neighbours, as in `propagate`; those of other nodes need not be known.
        labels: Of them and of their neighbours; what they choose is written into it.
    """
    changed = []
    for node in sorted(waiting):
        near = sorted((other, weight) for other, weight in links[node].items() if other != node)
        chosen = _choice(near, labels.__getitem__, labels[node])
        if chosen != labels[node]:
            labels[node] = chosen
            changed.append(node)
    return changed


def _neighbours(
    weights: Mapping[str, float], place: Mapping[str, int], name: str
) -> list[tuple[int, float]]:
    try:
        return sorted((place[other], weights[other]) for other in weights if other != name)
    except KeyError as missing:
        raise ValueError(f"{name} has a link to {missing}, which is not among the nodes") from None


def _round(
    waiting: set[int], near: list[list[tuple[int, float]]], labels: list[int]
) -> tuple[set[int], bool]:
    """Let those who wait vote in order; return who has to vote in the next round."""
    queue = list(waiting)
    heapify(queue)
    queued = set(queue)
    later: set[int] = set()
    has_changed = False
    while queue:
        node = heappop(queue)
        chosen = _choice(near[node], labels.__getitem__, labels[node])
        if chosen == labels[node]:
            continue
        labels[node] = chosen
        has_changed = True
        for other, _ in near[node]:
            # Whose turn is still to come sees the change in this round.
            if other < node:
                later.add(other)
            elif other not in queued:
                queued.add(other)
                heappush(queue, other)
    return later, has_changed


def _choice(near: Sequence[tuple[N, float]], label_of: Callable[[N], L], own: L) -> L:
    if not near:
        return own
    votes: dict[L, float] = {}
    for other, weight in near:
        label = label_of(other)
        votes[label] = votes.get(label, 0.0) + weight
    enough = max(votes.values()) * (1 - _SAME)
    if votes.get(own, 0.0) >= enough:
        return own
    return min(label for label, weight in votes.items() if weight >= enough)
