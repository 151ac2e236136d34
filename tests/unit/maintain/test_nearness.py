"""Pairs of near facts: the same as by comparing all with all, whatever is cut into blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.maintain.consolidation import nearness
from graphmem.maintain.consolidation.nearness import Group, batches, groups_of, near_in


def of_cosine(cosine: float) -> np.ndarray:
    """Return two unit vectors of a cosine, as they are stored."""
    return np.array([[1, 0, 0], [cosine, np.sqrt(1 - cosine**2), 0]], np.float32)


@pytest.mark.parametrize(
    ("cosine", "pairs"), [(0.85, 0), (0.8499, 0), (0.8500005, 0), (0.85001, 1), (1.0, 1)]
)
def test_the_threshold_must_be_exceeded(cosine: float, pairs: int) -> None:
    """A cosine of exactly .85 is not above it, however it was rounded when it was stored."""
    near = near_in(of_cosine(cosine), np.zeros(2, np.int64), 0.85)

    assert pairs == len(near.later)


@pytest.mark.parametrize("threshold", [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95])
def test_no_threshold_is_exceeded_by_rounding(threshold: float) -> None:
    """Whichever of the two directions single precision rounds to."""
    generator = np.random.default_rng(1)
    for _ in range(200):
        one, other = np.linalg.qr(generator.standard_normal((384, 2)))[0].T
        pair = np.array([one, threshold * one + np.sqrt(1 - threshold**2) * other], np.float32)

        assert 0 == len(near_in(pair, np.zeros(2, np.int64), threshold).later)


@given(seed=st.integers(0, 2**32 - 1), count=st.integers(0, 60), block=st.integers(1, 64))
@settings(max_examples=60, deadline=None)
def test_blocks_make_no_difference(seed: int, count: int, block: int) -> None:
    """Every pair of one kind that is near is found, once, with the later one first."""
    generator = np.random.default_rng(seed)
    vectors = generator.standard_normal((count, 3)).astype(np.float32)
    kinds = generator.integers(0, 2, count)
    before, nearness._BLOCK = nearness._BLOCK, block
    try:
        near = near_in(vectors, kinds, 0.7)
    finally:
        nearness._BLOCK = before

    unit = vectors.astype(np.float64) / np.linalg.norm(vectors, axis=1, keepdims=True)
    expected = {
        (later, earlier)
        for later in range(count)
        for earlier in range(later)
        if kinds[later] == kinds[earlier]
        and float(unit[later] @ unit[earlier]) > 0.7 + nearness.MARGIN
    }
    found = list(zip(near.later.tolist(), near.earlier.tolist(), strict=True))
    kept = {
        (later, earlier)
        for later in range(count)
        for earlier in sorted(e for one, e in expected if one == later)[: nearness.MOST_NEAR]
    }
    assert sorted(found) == sorted(kept)


def test_a_crowd_has_bounded_candidates() -> None:
    """Each is compared with the best ones; those that had more are counted."""
    near = near_in(np.ones((100, 4), np.float32), np.zeros(100, np.int64), 0.85)

    assert max(np.bincount(near.later)) == nearness.MOST_NEAR
    assert set(near.earlier.tolist()) == set(range(nearness.MOST_NEAR))
    assert near.cut == 100 - nearness.MOST_NEAR - 1


def test_a_vector_of_zeros_is_near_to_none() -> None:
    """It has no direction: it was lost between two reads."""
    vectors = np.array([[0, 0], [0, 0], [1, 0]], np.float32)

    assert 0 == len(near_in(vectors, np.zeros(3, np.int64), 0.5).later)


def test_facts_are_grouped_by_tags() -> None:
    """A Tag of one fact makes no pair; one of many is cut where its places part."""
    tags = [(0, 1), (0,), (2,), (0,), (0,)]
    places = ["b", "a", "a", "b", "a"]

    groups, cut = groups_of(tags, places, most=3)

    # Ordered by their places: 1 and 4, then 0 and 3.
    assert [[0, 1, 4]] == [sorted(group.members.tolist()) for group in groups][:1]
    assert cut == 4
    assert groups_of([], []) == ([], 0)
    assert groups_of([(), ()], ["", ""]) == ([], 0)


def test_batches_hold_all_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """In bounded memory, each with the numbers of all its facts."""
    monkeypatch.setattr(nearness, "_MOST_NUMBERS", 40)
    groups = [Group(np.array(members)) for members in ([0, 1], [1, 2, 3], [4, 5, 6, 7], [0, 7])]

    made = list(batches(groups, width=10))

    assert [group for batch, _ in made for group in batch] == groups
    for batch, inside in made:
        assert inside.tolist() == sorted({one for group in batch for one in group.members.tolist()})
        assert len(inside) <= 4
