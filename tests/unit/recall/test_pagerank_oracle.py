"""The oracle itself: known answers, and the push against converged PageRank."""

from __future__ import annotations

import random

import pytest

from tests.oracles.pagerank import converged, push, top, undirected


@pytest.mark.parametrize("method", [push, converged])
def test_mass_that_finds_no_way_out_returns_to_the_seeds(method: object) -> None:
    """1 -> 2 with seed 2: all stays at 2, none leaks to 1."""
    rank = method({"1": [("2", 1.0)]}, {"2": 1.0}, damping=0.85)  # type: ignore[operator]

    assert rank == pytest.approx({"2": 1.0}, abs=1e-6)


@pytest.mark.parametrize("method", [push, converged])
def test_an_empty_graph_has_no_ranks(method: object) -> None:
    """Neither has one whose seeds are gone, or weigh nothing."""
    assert method({}, {"a": 1.0}) == {}  # type: ignore[operator]
    assert method({"a": []}, {}) == {}  # type: ignore[operator]
    assert method({"a": []}, {"a": 0.0}) == {}  # type: ignore[operator]
    assert method({"a": []}, {"a": 1.0}) == pytest.approx({"a": 1.0})  # type: ignore[operator]


@pytest.mark.parametrize("weight", [-1.0, float("nan")])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    """Negative or no number."""
    with pytest.raises(ValueError, match="weight"):
        push({"a": []}, {"a": weight})


def test_two_linked_nodes_have_the_known_ranks() -> None:
    """Seed a of a - b: a has 1 / (1 + d), b the rest."""
    rank = converged(undirected([("a", "b", 3.0)]), {"a": 1.0}, damping=0.5)

    assert rank == pytest.approx({"a": 2 / 3, "b": 1 / 3}, abs=1e-9)


def test_four_rounds_find_what_converged_pagerank_finds() -> None:
    """The ten best agree to 95 in 100 on random graphs, and masses sum to 1."""
    shared = []
    for seed in range(20):
        chance = random.Random(seed)
        names = [f"n{n}" for n in range(200)]
        edges = [(chance.choice(names), chance.choice(names), chance.random()) for _ in range(600)]
        links = undirected(edges)
        seeds = {name: chance.random() for name in chance.sample(sorted(links), 10)}

        pushed = push(links, seeds)

        assert sum(pushed.values()) == pytest.approx(1.0)
        shared.append(len(set(top(pushed, 10)) & set(top(converged(links, seeds), 10))) / 10)
    assert sum(shared) / len(shared) >= 0.95
