"""Ranks and word counts become scores."""

from __future__ import annotations

import math

import pytest

from graphmem.scoring import best_first, bm25, corpus_stats, normalised, rrf, weighted


def test_fusion_adds_reciprocal_ranks() -> None:
    """Rank 1 of one list and rank 2 of the other, k = 60."""
    scores = rrf([["a", "b"], ["b", "a", "c"]])

    assert {"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 61, "c": 1 / 63} == pytest.approx(scores)


def test_fusion_weighs_lists_and_counts_an_item_once_a_list() -> None:
    """A double entry keeps its best rank and takes no rank from others."""
    assert {"a": 2 / 61, "b": 2 / 62} == pytest.approx(rrf([["a", "a", "b"]], weights=[2]))


def test_fusion_of_nothing_is_empty() -> None:
    """No list, no score."""
    assert {} == rrf([])


@pytest.mark.parametrize(("k", "weights"), [(0, None), (-1, None), (60, [1.0, 2.0])])
def test_fusion_refuses_what_makes_no_sense(k: float, weights: list[float] | None) -> None:
    """The constant must be above 0, and each list has one weight."""
    with pytest.raises(ValueError, match=r"k must be|need as many"):
        rrf([["a"]], k, weights)


def test_scores_are_divided_by_the_best() -> None:
    """The best has 1; without a score above 0 all have 0."""
    assert {"a": 1.0, "b": 0.25} == normalised({"a": 4.0, "b": 1.0})
    assert {"a": 0.0} == normalised({"a": 0.0})
    assert {} == normalised({})


def test_a_weighted_sum_takes_missing_scores_as_zero() -> None:
    """An item found by one leg only still counts."""
    assert {"a": 2.5, "b": 0.5} == weighted([(2, {"a": 1.0}), (0.5, {"a": 1.0, "b": 1.0})])


def test_equal_scores_keep_a_stable_order() -> None:
    """The same input gives the same order."""
    assert ["c", "a", "b"] == best_first({"b": 1.0, "a": 1.0, "c": 2.0})


def test_bm25_has_the_value_of_its_formula() -> None:
    """One rare word in a document of average length."""
    stats = corpus_stats([["kiln", "hot"], ["tea", "cup"], ["tea", "pot"]])
    rarity = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))

    score = bm25(["kiln", "kiln"], ["kiln", "hot"], stats, k1=1.2, b=0.75)

    assert rarity * 2.2 / 2.2 == pytest.approx(score)


def test_bm25_prefers_rare_words_and_short_documents() -> None:
    """Order, not numbers."""
    stats = corpus_stats([["kiln", "hot"], ["tea", "hot"], ["tea", "hot", "cup", "pot"]])

    assert bm25(["kiln"], ["kiln", "hot"], stats) > bm25(["hot"], ["kiln", "hot"], stats)
    assert bm25(["tea"], ["tea", "hot"], stats) > bm25(["tea"], ["tea", "hot", "cup", "pot"], stats)


def test_bm25_of_an_empty_collection_is_zero() -> None:
    """No division by nothing."""
    assert 0.0 == bm25(["kiln"], [], corpus_stats([]))
