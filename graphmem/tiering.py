"""Pure functions of the tiered policy: what is at the core, what works, what fell silent.

Nothing here knows a store: what is known of a node goes in, its tier comes out.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import Literal

__all__ = [
    "TIERED",
    "Tier",
    "TierPolicy",
    "TierUsage",
    "composite",
    "deprecated_in_days",
    "intrinsic",
    "is_silent",
    "next_tier",
    "tier_frequency",
    "tier_recency",
]

Tier = Literal["core", "working", "peripheral"]


@dataclass(frozen=True, slots=True)
class TierPolicy:
    """When a node changes its tier, and when it is deprecated.

    Attributes:
        recency_weight: Of recency in the composite, >= 0; likewise the next two.
        frequency_weight: Of frequency.
        intrinsic_weight: Of what its Terms are worth in the graph.
        half_life_days: Of recency where importance is 0, > 0.
        importance_slope: How much importance lengthens it: by exp(slope * importance).
        core_power: How the days of silence count for the core (days^power): < 1 forgets slowly.
        working_power: The same for what works.
        peripheral_power: The same for what is peripheral: > 1 forgets fast.
        uses_scale: Uses at which frequency is 1 - 1/e, > 0.
        gap_days: Uses so far apart count 1/2 + 1/2e as much as those at once, > 0.
        low: A composite below it is low.
        few_uses: Fewer uses than that are few.
        old_days: What is older and has few uses becomes peripheral.
        working_uses: So many uses and
        working_composite: such a composite bring what is peripheral back to work.
        core_uses: So many uses,
        core_composite: such a composite and
        core_importance: such an importance bring what works to the core.
        auto_deprecate: Whether silent peripheral nodes are deprecated.
        deprecate_after_days: So long must they be silent.
        grace_days: What is younger is not deprecated. A node that was learned a moment ago has
            had no time to be of use; a day lets the work go by in which it was learned.

    Raises:
        ValueError: A number is out of range.

    Source: Graph Memory, decay; its numbers.
    """

    recency_weight: float = 0.4
    frequency_weight: float = 0.3
    intrinsic_weight: float = 0.3
    half_life_days: float = 30.0
    importance_slope: float = 1.5
    core_power: float = 0.8
    working_power: float = 1.0
    peripheral_power: float = 1.3
    uses_scale: float = 5.0
    gap_days: float = 30.0
    low: float = 0.15
    few_uses: int = 3
    old_days: float = 60.0
    working_uses: int = 3
    working_composite: float = 0.4
    core_uses: int = 10
    core_composite: float = 0.7
    core_importance: float = 0.8
    auto_deprecate: bool = True
    deprecate_after_days: float = 30.0
    grace_days: float = 1.0

    def __post_init__(self) -> None:
        weights = (self.recency_weight, self.frequency_weight, self.intrinsic_weight)
        divisors = (self.half_life_days, self.uses_scale, self.gap_days, sum(weights))
        powers = (self.core_power, self.working_power, self.peripheral_power)
        spans = (self.old_days, self.deprecate_after_days, self.grace_days)
        if not (
            all(0 < number < math.inf for number in (*divisors, *powers))
            and all(0 <= number < math.inf for number in (*weights, *spans))
        ):
            raise ValueError(f"a number of {self} is out of range")

    @property
    def weights(self) -> float:
        """The sum of the weights, by which the composite is divided."""
        return self.recency_weight + self.frequency_weight + self.intrinsic_weight

    def power(self, tier: str) -> float:
        """Return how days of silence count in a tier; an unknown one counts as working."""
        powers = {"core": self.core_power, "peripheral": self.peripheral_power}
        return powers.get(tier, self.working_power)

    def rate(self, importance: float) -> float:
        """Return the decay of recency a day (to the power of the tier)."""
        slowed = self.half_life_days * math.exp(self.importance_slope * importance)
        return math.log(2) / slowed


TIERED = TierPolicy()


@dataclass(frozen=True, slots=True)
class TierUsage:
    """What the tiered policy knows of a node.

    Attributes:
        tier: Where it is.
        uses: Times it was recalled, or stated again, >= 0.
        idle_days: Since it was last recalled, stated, changed or made; below 0 counts as 0.
        age_days: Since it was made; below 0 counts as 0.
        importance: From 0 to 1.
        rank: The highest PageRank of its Terms over the highest of all, from 0 to 1.
    """

    tier: str
    uses: int
    idle_days: float
    age_days: float
    importance: float = 0.5
    rank: float = 0.0

    def later(self, days: float) -> TierUsage:
        """Return it as it is after some days in which nobody used it."""
        return replace(self, idle_days=self.idle_days + days, age_days=self.age_days + days)


def tier_recency(usage: TierUsage, policy: TierPolicy = TIERED) -> float:
    """Return exp(-rate * days^power), in [0, 1]."""
    days = max(0.0, usage.idle_days)
    return math.exp(-policy.rate(usage.importance) * days ** policy.power(usage.tier))


def tier_frequency(usage: TierUsage, policy: TierPolicy = TIERED) -> float:
    """Return 1 - exp(-uses / scale), less where the uses lie far apart; in [0, 1)."""
    uses = max(0, usage.uses)
    used = 1 - math.exp(-uses / policy.uses_scale)
    if uses <= 1:
        return used
    span_days = max(1.0, max(0.0, usage.age_days) - max(0.0, usage.idle_days))
    gap_days = span_days / (uses - 1)
    return used * (0.5 + 0.5 * math.exp(-gap_days / policy.gap_days))


def intrinsic(usage: TierUsage) -> float:
    """Return rank * (1 - 1 / (1 + uses)): a good place counts once it was of use; in [0, 1)."""
    return usage.rank * (1 - 1 / (1 + max(0, usage.uses)))


def composite(usage: TierUsage, policy: TierPolicy = TIERED) -> float:
    """Return the weighted mean of recency, frequency and intrinsic worth, in [0, 1].

    Source: Graph Memory, decay. Runs in cypher/maintain/score_tiers.cypher; this is the oracle
    that tests/integration/maintain/test_tiered.py holds it to.
    """
    return (
        policy.recency_weight * tier_recency(usage, policy)
        + policy.frequency_weight * tier_frequency(usage, policy)
        + policy.intrinsic_weight * intrinsic(usage)
    ) / policy.weights


def next_tier(usage: TierUsage, policy: TierPolicy = TIERED) -> str:
    """Return the tier that a node belongs to now: one step at most from where it is."""
    score = composite(usage, policy)
    has_few = usage.uses < policy.few_uses
    if usage.tier == "core":
        return "working" if score < policy.low and has_few else "core"
    if usage.tier == "peripheral":
        is_back = usage.uses >= policy.working_uses and score >= policy.working_composite
        return "working" if is_back else "peripheral"
    if (
        usage.uses >= policy.core_uses
        and score >= policy.core_composite
        and usage.importance >= policy.core_importance
    ):
        return "core"
    is_old = usage.age_days > policy.old_days and has_few
    return "peripheral" if score < policy.low or is_old else "working"


def is_silent(usage: TierUsage, policy: TierPolicy = TIERED) -> bool:
    """Return whether a node is deprecated now: peripheral after its move, low, and long silent."""
    return (
        policy.auto_deprecate
        and next_tier(usage, policy) == "peripheral"
        and composite(usage, policy) < policy.low
        and usage.idle_days >= policy.deprecate_after_days
        and usage.age_days >= policy.grace_days
    )


def deprecated_in_days(usage: TierUsage, days: int, policy: TierPolicy = TIERED) -> int | None:
    """Return in how many days a node is deprecated while nobody uses it, at one tick a day.

    Args:
        usage: As it is now.
        days: How far to look ahead, >= 0.
        policy: The numbers.

    Returns:
        0 = now; None = not within these days.
    """
    day = 0
    while day <= days:
        then = usage.later(day)
        if is_silent(then, policy):
            return day
        tier = next_tier(then, policy)
        if tier == usage.tier:
            # Worth only falls from here on: the day on which something happens can be halved in.
            day += 1 + bisect_left(
                range(day + 1, days + 1), True, key=lambda at: _happens(usage.later(at), policy)
            )
        else:
            usage = replace(usage, tier=tier)
            day += 1
    return None


def _happens(usage: TierUsage, policy: TierPolicy) -> bool:
    return is_silent(usage, policy) or next_tier(usage, policy) != usage.tier
