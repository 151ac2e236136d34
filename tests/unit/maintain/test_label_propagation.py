"""Label propagation ends, and finds what belongs together."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.maintain.communities.label_propagation import MAX_ROUNDS, propagate, revote
from tests.oracles.label_propagation import Links, nmi, planted, propagated, undirected

_NODES = [f"n{number}" for number in range(12)]
_EDGES = st.dictionaries(
    st.tuples(st.sampled_from(_NODES), st.sampled_from(_NODES)).filter(
        lambda ends: ends[0] < ends[1]
    ),
    st.floats(min_value=0.01, max_value=10),
    max_size=40,
)


def test_two_linked_nodes_are_one_community() -> None:
    """Two nodes with one link agree in a single round, and never reach the cap."""
    found = propagate(undirected({("a", "b"): 2.0}))

    assert ({"a": "b", "b": "b"}, True) == (found.labels, found.converged)
    assert found.rounds == 1


def test_a_triangle_is_one_community() -> None:
    """Three nodes that know each other agree."""
    found = propagate(undirected({("a", "b"): 2.0, ("b", "c"): 2.0, ("a", "c"): 2.0}))

    assert (1, True) == (len(set(found.labels.values())), found.converged)
    assert found.rounds < MAX_ROUNDS


def test_a_bipartite_graph_ends() -> None:
    """Two sides that only know each other do not flip for ever: they become one community."""
    edges = dict.fromkeys(itertools.product(("a", "b", "c"), ("x", "y", "z")), 1.0)

    found = propagate(undirected(edges))

    assert (1, True) == (len(set(found.labels.values())), found.converged)


def test_a_star_is_one_community() -> None:
    """Whoever knows the middle alone belongs to it."""
    found = propagate(undirected(dict.fromkeys([("hub", f"ray{i}") for i in range(9)], 1.0)))

    assert (1, True) == (len(set(found.labels.values())), found.converged)


def test_a_ring_of_six_ends() -> None:
    """A ring without a middle falls into neighbours, and rests."""
    found = propagate(undirected({(f"n{i}", f"n{(i + 1) % 6}"): 1.0 for i in range(6)}))

    assert found.converged
    assert found.rounds < MAX_ROUNDS
    assert all(list(found.labels.values()).count(label) > 1 for label in found.labels.values())


def test_a_node_alone_has_a_community_of_its_own() -> None:
    """What has no link keeps its own name, and disturbs nobody."""
    found = propagate(undirected({("a", "b"): 1.0, ("c", "d"): 1.0}, "alone"))

    assert {"a": "b", "b": "b", "c": "d", "d": "d", "alone": "alone"} == found.labels


def test_nothing_is_nothing() -> None:
    """An empty graph has no communities."""
    found = propagate({})

    assert ({}, 0, True) == (found.labels, found.rounds, found.converged)


def test_a_link_to_oneself_says_nothing() -> None:
    """A node is not held back by itself."""
    found = propagate({"a": {"a": 9.0, "b": 1.0}, "b": {"a": 1.0}})

    assert found.labels["a"] == found.labels["b"]


def test_a_link_to_nowhere_is_refused() -> None:
    """A link to a node that is not there is a fault of the caller."""
    with pytest.raises(ValueError, match="not among the nodes"):
        propagate({"a": {"b": 1.0}})


def test_the_cap_is_reported() -> None:
    """Who is not allowed to go on says that it is not through."""
    links = undirected({(f"n{i:03}", f"n{i + 1:03}"): 1.0 + i for i in range(40)})

    found = propagate(links, max_rounds=0)

    assert ({node: node for node in links}, 0, False) == (
        found.labels,
        found.rounds,
        found.converged,
    )


@pytest.mark.parametrize("seed", range(5))
def test_planted_communities_are_found(seed: int) -> None:
    """What was planted comes out again."""
    links, group = planted(seed)

    found = propagate(links)

    assert found.converged
    assert nmi(found.labels, group) >= 0.95


def test_only_those_asked_vote() -> None:
    """Each with what those before it have chosen; the others keep what they have."""
    links = undirected({("a", "b"): 1.0, ("b", "c"): 1.0, ("c", "d"): 1.0, ("x", "y"): 1.0})
    labels = {"a": "one", "b": "one", "c": "two", "d": "three", "x": "four", "y": "five"}
    before = dict(labels)

    changed = revote(["d", "c", "a"], links, labels)

    assert ["c", "d"] == changed
    assert before | {"c": "one", "d": "one"} == labels


@given(edges=_EDGES)
def test_it_is_what_asking_everybody_gives(edges: dict[tuple[str, str], float]) -> None:
    """Asking only those whose neighbours changed comes to the same as asking everybody."""
    links = undirected(edges, *_NODES)

    found = propagate(links, max_rounds=1000)

    assert (propagated(links, rounds=1000), True) == (found.labels, found.converged)


@given(edges=_EDGES, order=st.permutations(_NODES))
def test_the_order_given_does_not_matter(
    edges: dict[tuple[str, str], float], order: list[str]
) -> None:
    """The same links give the same labels, however they were handed over."""
    links = undirected(edges, *_NODES)
    turned: Links = {node: dict(reversed(links[node].items())) for node in order}

    assert propagate(links).labels == propagate(turned).labels


@given(edges=_EDGES)
def test_an_agreed_graph_stays_as_it_is(edges: dict[tuple[str, str], float]) -> None:
    """Beginning with what was agreed on, nothing changes."""
    links = undirected(edges, *_NODES)
    agreed = propagate(links, max_rounds=1000)

    assert [] == revote(links, links, dict(agreed.labels))
