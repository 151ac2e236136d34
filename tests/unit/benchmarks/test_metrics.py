"""The scores that results are compared by."""

from __future__ import annotations

import pytest

from benchmarks.metrics import (
    fraction_at,
    judge,
    judge_sessions,
    mean_scores,
    paired_interval,
    percentile,
    sessions_of,
)

SESSION = {"a": "1", "b": "1", "c": "2", "d": "3", "e": "4", "f": "5", "g": "6"}


def test_fraction_counts_each_evidence_turn_once() -> None:
    """Half of the evidence in the top two is .5, whatever stands twice."""
    assert 0.5 == fraction_at(["a", "a", "b"], ["a", "b", "a"], 2)


def test_sessions_come_in_the_order_of_their_first_turn() -> None:
    """A session that comes again keeps its first place."""
    assert ["2", "1", "3"] == sessions_of(["c", "a", "c", "b", "d"], SESSION)


def test_a_judged_question_has_every_score() -> None:
    """The sixth session is too late for session scores; all evidence at ten is found."""
    judged = judge(["a", "c", "d", "e", "f", "g"], ["b", "g"], SESSION, "multi-hop")

    assert {
        "frac@5": 0.0,
        "frac@10": 0.5,
        "frac@20": 0.5,
        "all@10": 0.0,
        "session_any@5": 1.0,
        "session_all@5": 0.0,
    } == judged.scores


def test_means_are_taken_over_questions() -> None:
    """Each question weighs the same, however much evidence it has."""
    full = judge(["a"], ["a"], SESSION, "x")
    none = judge([], ["a", "b", "c"], SESSION, "x")

    assert 0.5 == mean_scores([full, none])["frac@5"]


@pytest.mark.parametrize(("percent", "expected"), [(50, 2), (95, 4), (1, 1), (100, 4)])
def test_percentiles_are_values_that_occurred(percent: float, expected: int) -> None:
    """Nearest rank: no value is made up between two."""
    assert expected == percentile([3, 1, 4, 2], percent)


def test_no_values_have_no_percentile() -> None:
    """An empty list is an error and not a zero."""
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)


def test_sessions_are_judged_at_their_own_depths() -> None:
    """One of two sessions is first, the other third."""
    judged = judge_sessions(["a", "x", "b"], ["a", "b"], "multi")

    assert {
        "recall@1": 0.5,
        "recall@2": 0.5,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "all@5": 1.0,
        "all@10": 1.0,
    } == judged.scores


def test_an_interval_holds_the_difference_of_pairs() -> None:
    """A small difference that every pair has is sure, however far the questions lie apart."""
    theirs = [place / 100 for place in range(100)]
    ours = [score + 0.01 for score in theirs]

    told = paired_interval(ours, theirs)

    assert [0.01] * 3 == [round(value, 6) for value in (told.low, told.mean, told.high)]


def test_an_interval_is_as_wide_as_chance() -> None:
    """Of 100 pairs of which half are won and half lost, the mean has a deviation of .1."""
    told = paired_interval([1.0, 0.0] * 50, [0.0, 1.0] * 50)

    assert told == paired_interval([1.0, 0.0] * 50, [0.0, 1.0] * 50)
    assert 0.0 == told.mean
    assert -0.24 < told.low < -0.16
    assert 0.16 < told.high < 0.24


def test_scores_that_do_not_pair_up_have_no_interval() -> None:
    """Two lists of other lengths are of other questions."""
    with pytest.raises(ValueError, match="2 scores and 1"):
        paired_interval([1.0, 0.0], [1.0])
