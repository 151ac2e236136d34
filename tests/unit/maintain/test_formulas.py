"""The formulas of decay, by the numbers that they were published with."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.scoring import Usage, ValueCurve, ValueCurves, falls_in_h, highest_value, value
from graphmem.tiering import (
    TIERED,
    TierPolicy,
    TierUsage,
    composite,
    deprecated_in_days,
    intrinsic,
    is_silent,
    next_tier,
    tier_frequency,
    tier_recency,
)
from graphmem.weights import value_curves

LETTER = ValueCurve(is_centred=False)
E = math.e


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(0, 0), 0.3),
        (Usage(0, 100), 0.3 / E),
        (Usage(1, 0), 0.3),
        (Usage(5, 0), 0.5),
        (Usage(45, 0), 0.9),
        (Usage(5, 0, 0.0, 1), 0.25),
        (Usage(5, 0, 1.0, 1), 0.5 / (1 + 1 / E)),
        (Usage(5, 0, 1.5, 3), 0.5 / (1 + math.exp(-0.5))),
        (Usage(5, 200, 1.0, 1), 0.5 / (1 + 1 / E) / E**2),
        (Usage(5, -720), 0.5),
        (Usage(0, 1e9), 0.0),
    ],
)
def test_value_to_the_letter(usage: Usage, expected: float) -> None:
    """Recency x frequency x sigmoid of the mean reward; what nobody rated has 1."""
    assert expected == pytest.approx(value(usage, LETTER), abs=1e-12)


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        (ValueCurve(rate_per_h=0.1, is_centred=False), 0.5 / E / (1 + math.exp(-0.8))),
        (ValueCurve(half_uses=20, is_centred=False), 0.3 / E**0.1 / (1 + math.exp(-0.8))),
        (ValueCurve(floor=0.9, is_centred=False), 0.9 / E**0.1 / (1 + math.exp(-0.8))),
        (ValueCurve(slope=4, is_centred=False), 0.5 / E**0.1 / (1 + math.exp(-3.2))),
        (ValueCurve(rate_per_h=0, slope=0, is_centred=False), 0.25),
        (ValueCurve(), 0.5 / E**0.1 * 2 / (1 + math.exp(-0.3))),
    ],
)
def test_each_knob_turns_its_factor(curve: ValueCurve, expected: float) -> None:
    """Of a node that was used five times, ten hours ago, and rated .8."""
    assert expected == pytest.approx(value(Usage(5, 10, 0.8, 1), curve))


@pytest.mark.parametrize(
    ("uses", "rewards", "days"),
    [
        (0, [], 4.6),
        (0, [1.0], 3.3),
        (0, [0.5], 2.6),
        (0, [0.0], 1.7),
        (10, [], 7.9),
        (10**9, [], 9.6),
    ],
)
def test_how_long_a_node_lives_untouched(uses: int, rewards: list[float], days: float) -> None:
    """Until it falls under .1, at the defaults of Mnemosyne."""
    fresh = value(Usage(uses, 0, math.fsum(rewards), len(rewards)), LETTER)

    left_h = falls_in_h(fresh, 0.1, LETTER)

    assert left_h is not None
    assert days == round(left_h / 24, 1)


@given(
    st.integers(0, 1000),
    st.floats(0, 2000),
    st.lists(st.floats(0, 1), max_size=5),
    st.floats(0.001, 0.9),
    st.booleans(),
)
def test_a_value_falls_when_it_was_said_to(
    uses: int, idle_h: float, rewards: list[float], threshold: float, is_centred: bool
) -> None:
    """An hour before it stands, an hour after it is below."""
    curve = ValueCurve(is_centred=is_centred)

    def then(hours: float) -> float:
        return value(Usage(uses, idle_h + hours, math.fsum(rewards), len(rewards)), curve)

    left_h = falls_in_h(then(0), threshold, curve)

    assert left_h is not None
    assert then(left_h + 1) < threshold
    assert left_h <= 1 or then(left_h - 1) > threshold


def test_what_never_falls() -> None:
    """Without decay, and where nothing can be below."""
    assert falls_in_h(0.3, 0.1, ValueCurve(rate_per_h=0)) is None
    assert falls_in_h(0.3, 0.0, ValueCurve()) is None
    assert falls_in_h(0.09, 0.1, ValueCurve()) == 0.0
    assert falls_in_h(0.1, 0.1, ValueCurve()) == 0.0


def test_to_the_letter_nothing_is_worth_more_than_what_nobody_rated() -> None:
    """So that the factor of a score stays within its bounds."""
    assert highest_value(LETTER) == 1.0
    assert value(Usage(10**9, 0, 1.0, 1), LETTER) < 1


def test_curves_by_type() -> None:
    """What is not named keeps its number."""
    curves = ValueCurves.of(value_curves({"semantic": {"floor": 0.5}}), is_centred=False)

    assert curves.semantic == ValueCurve(floor=0.5, is_centred=False)
    assert curves.procedural == curves.episodic == LETTER


# The tiered policy -------------------------------------------------------------------------

HALF = 30 * math.exp(0.75)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (TierUsage("working", 0, HALF, HALF), 0.5),
        (TierUsage("working", 0, 30, 30, importance=0.0), 0.5),
        (TierUsage("working", 0, 30, 30, importance=1.0), 2 ** -math.exp(-1.5)),
        (TierUsage("core", 0, 30, 30, importance=0.0), 2 ** -(30**-0.2)),
        (TierUsage("peripheral", 0, 30, 30, importance=0.0), 2 ** -(30**0.3)),
        (TierUsage("core", 0, 0, 0), 1.0),
        (TierUsage("working", 0, -9, 0), 1.0),
    ],
)
def test_recency_of_a_tier(usage: TierUsage, expected: float) -> None:
    """A half-life of 30 days, longer with importance; the core forgets slowly."""
    assert expected == pytest.approx(tier_recency(usage))


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (TierUsage("working", 0, 0, 90), 0.0),
        (TierUsage("working", 1, 0, 90), 1 - E**-0.2),
        # Four gaps of 30 days each.
        (TierUsage("working", 5, 0, 120), (1 - 1 / E) * (0.5 + 0.5 / E)),
        # Nine uses in what counts as a day.
        (TierUsage("working", 10, 60, 60), (1 - E**-2) * (0.5 + 0.5 * math.exp(-1 / 9 / 30))),
    ],
)
def test_frequency_of_a_tier(usage: TierUsage, expected: float) -> None:
    """Of more than one use also how far apart they were."""
    assert expected == pytest.approx(tier_frequency(usage))


def test_a_good_place_counts_once_it_was_of_use() -> None:
    """Rank times 1 - 1 / (1 + uses)."""
    assert intrinsic(TierUsage("working", 0, 0, 0, rank=1.0)) == 0.0
    assert intrinsic(TierUsage("working", 3, 0, 0, rank=0.8)) == pytest.approx(0.6)


def test_the_composite_is_a_weighted_mean() -> None:
    """.4, .3 and .3 of recency, frequency and intrinsic worth, over their sum."""
    usage = TierUsage("working", 1, 0, 0, rank=0.5)
    policy = TierPolicy(recency_weight=4, frequency_weight=3, intrinsic_weight=3)

    expected = 0.4 + 0.3 * (1 - E**-0.2) + 0.3 * 0.25

    assert expected == pytest.approx(composite(usage))
    assert expected == pytest.approx(composite(usage, policy))


LOW, HIGH = 1e6, 0.0


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (TierUsage("core", 2, LOW, LOW), "working"),
        (TierUsage("core", 3, LOW, LOW), "core"),
        (TierUsage("core", 0, HIGH, 99), "core"),
        (TierUsage("working", 3, LOW, LOW, rank=0.0), "peripheral"),
        (TierUsage("working", 2, HIGH, 60), "working"),
        (TierUsage("working", 2, HIGH, 60.01), "peripheral"),
        (TierUsage("working", 3, HIGH, 60.01), "working"),
        (TierUsage("peripheral", 3, HIGH, 3), "working"),
        (TierUsage("peripheral", 2, HIGH, 3), "peripheral"),
        (TierUsage("peripheral", 3, LOW, LOW), "peripheral"),
        (TierUsage("working", 10, HIGH, 5, importance=0.8, rank=1.0), "core"),
        (TierUsage("working", 9, HIGH, 5, importance=0.8, rank=1.0), "working"),
        (TierUsage("working", 10, HIGH, 5, importance=0.79, rank=1.0), "working"),
        (TierUsage("working", 10, HIGH, 5, importance=0.8, rank=0.0), "working"),
    ],
)
def test_the_next_tier(usage: TierUsage, expected: str) -> None:
    """One step at a time, up by use and down by silence."""
    assert expected == next_tier(usage)


@pytest.mark.parametrize(
    ("usage", "policy", "expected"),
    [
        (TierUsage("peripheral", 0, 30, 90), TIERED, False),
        (TierUsage("peripheral", 0, 50, 90), TIERED, True),
        (TierUsage("peripheral", 0, 29.99, 90, importance=-1.0), TIERED, False),
        (TierUsage("peripheral", 0, 30, 90, importance=-1.0), TIERED, True),
        (TierUsage("working", 0, 89, 59), TIERED, False),
        (TierUsage("working", 0, 91, 91), TIERED, True),
        (TierUsage("core", 0, LOW, LOW), TIERED, False),
        (TierUsage("peripheral", 0, 91, 91), TierPolicy(auto_deprecate=False), False),
        (TierUsage("peripheral", 0, 99, 0.5), TierPolicy(deprecate_after_days=0), False),
    ],
)
def test_what_is_silent(usage: TierUsage, policy: TierPolicy, expected: bool) -> None:
    """Peripheral after this move, low, and silent for long; never on its first day."""
    assert expected is is_silent(usage, policy)


USAGES = st.builds(
    lambda tier, uses, spans, importance, rank: TierUsage(
        tier, uses, spans[0], sum(spans), importance, rank
    ),
    st.sampled_from(["core", "working", "peripheral"]),
    st.integers(0, 40),
    st.tuples(st.floats(0, 400), st.floats(0, 400)),
    st.floats(0, 1),
    st.floats(0, 1),
)


@given(USAGES)
@settings(max_examples=200)
def test_a_composite_is_bounded_and_silence_only_lowers_it(usage: TierUsage) -> None:
    """Within 0 and 1, whatever the usage."""
    assert 0 <= composite(usage) <= 1
    assert composite(usage.later(10)) <= composite(usage) + 1e-12


def test_when_an_untouched_fact_is_deprecated() -> None:
    """On day 61 it is peripheral, and a tick later it is silent there."""
    fresh = TierUsage("working", 0, 0, 0)

    assert deprecated_in_days(fresh, 61) is None
    assert deprecated_in_days(fresh, 90) == 62
    assert deprecated_in_days(TierUsage("peripheral", 0, 99, 99), 0) == 0
    assert deprecated_in_days(TierUsage("core", 3, 0, 0), 3650) is None


@given(USAGES, st.integers(0, 200))
@settings(max_examples=200)
def test_the_day_of_deprecation_is_that_of_a_tick_a_day(usage: TierUsage, days: int) -> None:
    """As if each day were gone through."""
    expected, walking = None, usage
    for day in range(days + 1):
        then = walking.later(day)
        if is_silent(then):
            expected = day
            break
        walking = replace(walking, tier=next_tier(then))

    assert expected == deprecated_in_days(usage, days)


@pytest.mark.parametrize(
    "numbers",
    [
        {"half_life_days": 0},
        {"uses_scale": -1},
        {"gap_days": math.nan},
        {"recency_weight": -0.1},
        {"deprecate_after_days": math.inf},
        {"recency_weight": 0, "frequency_weight": 0, "intrinsic_weight": 0},
    ],
)
def test_a_policy_out_of_range_is_refused(numbers: dict[str, float]) -> None:
    """Each would divide by zero, or never end."""
    with pytest.raises(ValueError, match="out of range"):
        TierPolicy(**numbers)  # type: ignore[arg-type]  # all of them are numbers
