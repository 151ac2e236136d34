"""The made-up statements of the benchmark of facts."""

from __future__ import annotations

from collections import Counter

from benchmarks.scenarios.facts import statements


def test_the_same_seed_tells_the_same() -> None:
    """And another seed something else."""
    assert statements(300, 40, seed=1) == statements(300, 40, seed=1)
    assert statements(300, 40, seed=1) != statements(300, 40, seed=2)


def test_a_few_are_spoken_of_often() -> None:
    """The first of 100 subjects has many times its share."""
    about = Counter(subject for subject, *_ in statements(2000, 100, seed=7))

    assert about["Person 0"] > 100
    assert len(about) > 80


def test_some_things_are_said_again() -> None:
    """In the same words, and in others."""
    told = statements(2000, 100, seed=7)

    assert 0.05 < 1 - len(set(told)) / len(told) < 0.3
    assert {"lives in", "resides in", "likes", "enjoys"} <= {predicate for _, predicate, _ in told}
