"""The scores that results are compared by."""

from __future__ import annotations

import pytest

from benchmarks.metrics import fraction_at, judge, mean_scores, percentile, sessions_of

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
