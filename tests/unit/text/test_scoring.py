"""Ranks and word counts become scores."""

from __future__ import annotations

import math

import pytest

from graphmem.scoring import best_first, bm25_counted, normalised, rarity, rrf


def test_fusion_adds_reciprocal_ranks() -> None:
    """Rank 1 of one list and rank 2 of the other, k = 60."""
    scores = rrf([["a", "b"], ["b", "a", "c"]])

    assert {"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 61, "c": 1 / 63} == pytest.approx(scores)


def test_fusion_counts_an_item_once_a_list() -> None:
    """A double entry keeps its best rank and takes no rank from others."""
    assert {"a": 1 / 61, "b": 1 / 62} == pytest.approx(rrf([["a", "a", "b"]]))


def test_fusion_of_nothing_is_empty() -> None:
    """No list, no score."""
    assert {} == rrf([])


def test_scores_are_divided_by_the_best() -> None:
    """The best has 1; without a score above 0 all have 0."""
    assert {"a": 1.0, "b": 0.25} == normalised({"a": 4.0, "b": 1.0})
    assert {"a": 0.0} == normalised({"a": 0.0})
    assert {} == normalised({})


def test_equal_scores_keep_a_stable_order() -> None:
    """The same input gives the same order."""
    assert ["c", "a", "b"] == best_first({"b": 1.0, "a": 1.0, "c": 2.0})


def test_bm25_has_the_value_of_its_formula() -> None:
    """One word in a document of average length: its rarity, and more slowly with each repeat."""
    assert math.log(1 + 2.5 / 1.5) == pytest.approx(rarity(3, 1))
    assert 0.5 == pytest.approx(bm25_counted({"kiln": 0.5}, {"kiln": 1, "hot": 1}, 1.0))
    assert 0.5 * 2 * 2.2 / 3.2 == pytest.approx(bm25_counted({"kiln": 0.5}, {"kiln": 2}, 1.0))


def test_bm25_prefers_rare_words_and_short_documents() -> None:
    """Order, not numbers."""
    assert rarity(3, 1) > rarity(3, 2) > rarity(3, 3) > 0
    assert bm25_counted({"tea": 1.0}, {"tea": 1}, 0.5) > bm25_counted({"tea": 1.0}, {"tea": 1}, 2)


def test_a_word_that_more_hold_than_there_are_is_not_below_zero() -> None:
    """The two numbers come from two questions, between which a turn may be added."""
    assert rarity(2, 5) > 0


def test_bm25_without_a_common_word_is_zero() -> None:
    """Nothing asked, or nothing held."""
    assert 0.0 == bm25_counted({}, {"kiln": 1}, 1.0)
    assert 0.0 == bm25_counted({"kiln": 1.0}, {}, 0.0)
