"""What usage says of a node: a number that orders, and never gates."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.recall.fuse import Ranked, nominate, rank
from graphmem.recall.question import Question
from graphmem.recall.request import RecallOptions
from graphmem.recall.seeds import Scale, Seeds, TurnSeed
from graphmem.recall.walk import Place, Reached
from graphmem.scoring import (
    TURN_VALUE,
    Usage,
    ValueCurve,
    ValueCurves,
    centred_reward,
    highest_value,
    value,
    value_factor,
)
from graphmem.weights import value_curves

MNEMOSYNE = ValueCurve(rate_per_h=0.01, half_uses=5.0, floor=0.3, slope=1.0)
CURVES = st.builds(
    ValueCurve,
    rate_per_h=st.floats(0, 1),
    half_uses=st.floats(0.1, 100),
    floor=st.floats(0, 1),
    slope=st.floats(0, 10),
)
REWARDS = st.lists(st.floats(0, 1), max_size=20)
USAGES = st.builds(
    lambda uses, idle_h, rewards: Usage(uses, idle_h, math.fsum(rewards), len(rewards)),
    st.integers(0, 10_000),
    st.floats(0, 1e6),
    REWARDS,
)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(0, 0), 0.3),
        (Usage(0, 100), 0.3 / math.e),
        (Usage(5, 0), 0.5),
        (Usage(5, 0, 1.0, 1), 0.5 * 2 / (1 + math.exp(-0.5))),
        (Usage(5, 0, 1.0, 2), 0.5),
        (Usage(5, 0, 0.0, 3), 0.5 * 2 / (1 + math.exp(0.5))),
        (Usage(5, -100), 0.5),
    ],
)
def test_value_is_recency_times_frequency_times_reward(usage: Usage, expected: float) -> None:
    """By the formula, with the numbers it was published with; a use that lies ahead is now."""
    assert expected == pytest.approx(value(usage, MNEMOSYNE))


@given(USAGES, CURVES)
def test_value_lies_between_nothing_and_the_highest(usage: Usage, curve: ValueCurve) -> None:
    """Whatever the usage and the knobs are, and so does what relevance is multiplied by."""
    assert 0 <= value(usage, curve) <= highest_value(curve) <= 2
    assert 0.7 - 1e-12 <= value_factor(usage, curve, 0.3) <= 1 + 1e-12


@given(USAGES, CURVES, st.integers(1, 100), st.floats(0, 1e5))
def test_more_use_never_lowers_and_idleness_never_raises(
    usage: Usage, curve: ValueCurve, more: int, hours: float
) -> None:
    """Value rises with uses and falls with time."""
    assert value(usage, curve) <= value(replace(usage, uses=usage.uses + more), curve)
    assert value(usage, curve) >= value(replace(usage, idle_h=usage.idle_h + hours), curve)


@given(USAGES, CURVES, st.lists(st.floats(0.5, 1), min_size=1, max_size=20))
def test_praise_never_puts_a_node_below_one_that_nobody_rated(
    usage: Usage, curve: ValueCurve, praise: list[float]
) -> None:
    """Rewards of one half and more count at least as no reward."""
    unrated = replace(usage, reward_sum=0.0, reward_count=0)
    praised = replace(usage, reward_sum=math.fsum(praise), reward_count=len(praise))

    assert value(praised, curve) >= value(unrated, curve)


@given(st.floats(0, 0.49), st.floats(0.1, 10))
def test_blame_lowers(reward: float, slope: float) -> None:
    """A reward below one half is worth less than none."""
    assert centred_reward(reward, 1, ValueCurve(slope=slope)) < 1


@pytest.mark.parametrize(
    "knobs",
    [
        {"rate_per_h": -0.1},
        {"half_uses": 0},
        {"floor": 1.1},
        {"floor": -0.1},
        {"slope": -1},
        {"rate_per_h": math.nan},
    ],
)
def test_a_knob_out_of_range_is_refused(knobs: dict[str, float]) -> None:
    """Each would divide by zero, or make values that grow with idleness."""
    with pytest.raises(ValueError, match="out of range"):
        ValueCurve(**knobs)


DEFAULTS = ValueCurves()
QUESTION = Question(("kiln",), (), "q", "q", ())
SCALE = Scale({"kiln": 3}, 4, 40, 4.0, 40, 0.1, 0.1)


def ordered(
    cosines: dict[str, float],
    usages: dict[str, Usage],
    weight: float,
    curves: ValueCurves = DEFAULTS,
) -> list[Ranked]:
    """Return the order of lone turns with these cosines and usages."""
    turns = tuple(TurnSeed(name, name, (), cosine=cosine) for name, cosine in cosines.items())
    seeds = Seeds((), turns, (), (), (), SCALE, ())
    places = tuple(
        Place(
            id=name,
            session_id=name,
            at_ms=0,
            speakers=(),
            length=4,
            asks=False,
            next_id="",
            cosine=None,
            is_eligible=True,
            usage=usages.get(name),
        )
        for name in cosines
    )
    options = RecallOptions(
        now=datetime(2026, 3, 1, tzinfo=UTC),
        value_weight=weight,
        semantic_threshold=-1.0,
        curves=curves,
    )
    return rank(nominate(seeds, QUESTION, options), Reached({}, places, {}), QUESTION, options)


def test_of_two_equally_relevant_turns_the_valued_one_comes_first() -> None:
    """And the score says by how much."""
    usages = {"a": Usage(0, 10_000), "b": Usage(20, 1, 3.0, 3)}

    found = ordered({"a": 0.4, "b": 0.4}, usages, 0.2)

    assert ["b", "a"] == [turn.id for turn in found]
    for turn in found:
        assert turn.score == pytest.approx(math.fsum(turn.parts.values()) * turn.value)
        assert turn.value == pytest.approx(value_factor(usages[turn.id], TURN_VALUE, 0.2))


def test_without_its_weight_value_changes_nothing() -> None:
    """The order is that of relevance, to the last digit."""
    usages = {"a": Usage(0, 10_000), "b": Usage(20, 1, 3.0, 3)}

    assert ordered({"a": 0.4, "b": 0.39}, usages, 0.0) == ordered({"a": 0.4, "b": 0.39}, {}, 0.0)


def test_value_orders_also_what_speaks_against_itself() -> None:
    """Of two turns below the mean the valued one is still the better."""
    usages = {"a": Usage(0, 10_000), "b": Usage(20, 1, 3.0, 3)}

    found = ordered({"a": -0.2, "b": -0.2}, usages, 0.5)

    assert ["b", "a"] == [turn.id for turn in found]
    assert found[0].score < 0


def test_value_keeps_nothing_out() -> None:
    """A turn without any value is last, and it is there."""
    found = ordered({"a": 0.4, "b": 0.3}, {"a": Usage(0, 1e9), "b": Usage(99, 0)}, 1.0)

    assert ["b", "a"] == [turn.id for turn in found]


def test_one_idle_day_does_not_reorder_what_is_clearly_more_relevant() -> None:
    """At the weight that is the default, a tenth more relevance stands above a day."""
    from graphmem.config import Settings

    weight = Settings().recall_value_weight
    usages = {"a": Usage(0, 24), "b": Usage(0, 0)}

    found = ordered({"a": 0.44, "b": 0.4}, usages, weight)

    assert ["a", "b"] == [turn.id for turn in found]


def test_value_falls_as_its_curve_has_it() -> None:
    """Recall orders by the curve of the type, as decay goes by it."""
    usages = {"a": Usage(0, 100), "b": Usage(0, 0)}
    flat = ValueCurves.of(value_curves({"episodic": {"rate_per_h": 0.0}}))

    by_default = ordered({"a": 0.4, "b": 0.4}, usages, 0.5)
    by_curve = ordered({"a": 0.4, "b": 0.4}, usages, 0.5, flat)

    assert by_default[0].score > by_default[1].score
    assert by_curve[0].score == by_curve[1].score
