"""What decay reads off a node: at each bound, where something is missing, and what protects it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.maintain.decay.tiered import Placed, page_tiers
from graphmem.maintain.decay.value import Valued, ValuedPage, page_values
from graphmem.scoring import Usage, ValueCurve, value
from graphmem.tiering import TierPolicy, TierUsage, composite
from tests.integration.conftest import Ask

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
LETTER = ValueCurve(is_centred=False)

Nodes = Mapping[str, Mapping[str, Any]]


async def make(ask: Ask, scope: str, nodes: Nodes, label: str = "Fact") -> None:
    """Make nodes by their ids; active, unless told otherwise."""
    await ask(
        "UNWIND $rows AS row CREATE (n:$($label) {scope: $scope, status: 'active'}) SET n += row",
        scope=scope,
        label=label,
        rows=[{"id": key, **told} for key, told in nodes.items()],
    )


async def placed(db: Database, scope: str, policy: TierPolicy, **asked: Any) -> dict[str, Placed]:
    """Return the facts of a scope as the tiered policy sees them, by their ids."""
    pages = page_tiers(db, scope, "semantic", policy, now=NOW, everything=True, **asked)
    return {node.id: node async for page in pages for node in page.nodes}


async def valued(db: Database, scope: str, curve: ValueCurve = LETTER, **asked: Any) -> ValuedPage:
    """Return the page of a scope as the policy of value sees it; by default all is low."""
    (page,) = [
        page
        async for page in page_values(
            db, scope, "semantic", curve, now=NOW, **{"threshold": 1.0, **asked}
        )
    ]
    return page


def kept(nodes: list[Placed] | tuple[Valued, ...]) -> dict[str, str]:
    """Return what protects each node, but for those that nothing protects."""
    return {node.id: node.protected for node in nodes if node.protected}


# What is missing --------------------------------------------------------------------------

WORKING = {"tier": "working", "recorded_at": NOW - 9 * DAY, "importance": 0.5}
TIER_USAGES: dict[str, tuple[dict[str, Any], TierUsage]] = {
    "nothing is known": ({}, TierUsage("working", 0, 0, 0)),
    "all is known": (
        {
            "tier": "peripheral",
            "recorded_at": NOW - 9 * DAY,
            "last_accessed_at": NOW - 4 * DAY,
            "recall_count": 2,
            "validated_count": 4,
            "importance": 0.25,
        },
        TierUsage("peripheral", 5, 4, 9, 0.25),
    ),
    "recalled last": (
        WORKING | {"last_accessed_at": NOW - DAY, "stated_at": NOW - 2 * DAY},
        TierUsage("working", 0, 1, 9),
    ),
    "stated last": (
        WORKING | {"last_accessed_at": NOW - 2 * DAY, "stated_at": NOW - DAY},
        TierUsage("working", 0, 1, 9),
    ),
    "changed last": (
        WORKING | {"version_at": [NOW - 5 * DAY, NOW - 3 * DAY]},
        TierUsage("working", 0, 3, 9),
    ),
    "restored last": (WORKING | {"restored_at": NOW - 2 * DAY}, TierUsage("working", 0, 2, 9)),
    "stated long before it was made": (
        WORKING | {"stated_at": NOW - 99 * DAY},
        TierUsage("working", 0, 9, 9),
    ),
    "made ahead": ({"recorded_at": NOW + DAY}, TierUsage("working", 0, 0, 0)),
    "used ahead": (WORKING | {"last_accessed_at": NOW + DAY}, TierUsage("working", 0, 0, 9)),
    "counts below zero": (
        WORKING | {"recall_count": -3, "validated_count": -1},
        TierUsage("working", 0, 9, 9),
    ),
    "stated once": (WORKING | {"validated_count": 1}, TierUsage("working", 0, 9, 9)),
    "half a day between two uses": (
        WORKING | {"recall_count": 2, "last_accessed_at": NOW - 8.5 * DAY},
        TierUsage("working", 2, 8.5, 9),
    ),
}


async def test_the_tiers_see_what_there_is(db: Database, ask: Ask, scope: str) -> None:
    """Without a time it was made now, without an importance that is one half."""
    await make(ask, scope, {key: told for key, (told, _) in TIER_USAGES.items()})
    # Weights that are no parts of one: their mean is meant.
    policy = TierPolicy(recency_weight=4, frequency_weight=3, intrinsic_weight=2)

    found = await placed(db, scope, policy)

    assert {key: node.usage for key, node in found.items()} == {
        key: usage for key, (_, usage) in TIER_USAGES.items()
    }
    assert {key: node.score for key, node in found.items()} == pytest.approx(
        {key: composite(usage, policy) for key, (_, usage) in TIER_USAGES.items()}
    )


async def test_parts_of_a_second_count(db: Database, ask: Ask, scope: str) -> None:
    """Of its age and of its silence."""
    half, quarter = timedelta(seconds=0.5), timedelta(seconds=0.25)
    times = {"recorded_at": NOW - DAY - half, "last_accessed_at": NOW - DAY - quarter}
    await make(ask, scope, {"f": times})

    found = (await placed(db, scope, TierPolicy()))["f"]

    spans = pytest.approx(((DAY + half) / DAY, (DAY + quarter) / DAY), rel=1e-12)
    assert spans == (found.age_days, found.idle_days)


async def test_the_best_name_at_either_end_counts(db: Database, ask: Ask, scope: str) -> None:
    """As far as the fact was of use."""
    await ask(
        "UNWIND [['subject', 'SUBJECT', 1], ['object', 'OBJECT', 1], ['unused', 'SUBJECT', 0]] "
        "AS row CREATE (f:Fact {scope: $scope, status: 'active', id: row[0], recall_count: row[2]})"
        "-[:$(row[1])]->(:Term {scope: $scope, key: row[0], rank: 0.5}) "
        "CREATE (f)-[:SUBJECT]->(:Term {scope: $scope, key: row[0] + ' 2', rank: 0.25}) "
        "CREATE (f)-[:OBJECT]->(:Term {scope: $scope, key: row[0] + ' 3'})",
        scope=scope,
    )

    found = await placed(db, scope, TierPolicy())

    assert {"subject": (0.5, 0.25), "object": (0.5, 0.25), "unused": (0.0, 0.0)} == {
        key: (node.rank, node.intrinsic) for key, node in found.items()
    }


VALUE_USAGES: dict[str, tuple[dict[str, Any], Usage]] = {
    "nothing is known": ({}, Usage(0, 0)),
    "recorded": ({"recorded_at": NOW - DAY}, Usage(0, 24)),
    "recalled": (
        {"recorded_at": NOW - 9 * DAY, "last_accessed_at": NOW - DAY, "recall_count": 7},
        Usage(7, 24),
    ),
    "at half a second": ({"recorded_at": NOW - timedelta(seconds=0.5)}, Usage(0, 0.5 / 3600)),
    "used ahead": ({"last_accessed_at": NOW + DAY}, Usage(0, 0)),
    "counts below zero": (
        {"recall_count": -3, "reward_count": -2, "reward_sum": -1.0},
        Usage(0, 0),
    ),
    "rated": ({"reward_count": 2, "reward_sum": 1.5}, Usage(0, 0, 1.5, 2)),
    "a sum of no rewards": ({"reward_count": 0, "reward_sum": 0.5}, Usage(0, 0)),
    "a mean below zero": ({"reward_count": 1, "reward_sum": -1.0}, Usage(0, 0, 0.0, 1)),
    "a mean above one": ({"reward_count": 1, "reward_sum": 3.0}, Usage(0, 0, 1.0, 1)),
}


@pytest.mark.parametrize("is_centred", [True, False])
async def test_value_is_of_what_there_is(
    db: Database, ask: Ask, scope: str, is_centred: bool
) -> None:
    """Without a time it was used now; a mean outside of 0 to 1 is the nearer of them."""
    await make(ask, scope, {key: told for key, (told, _) in VALUE_USAGES.items()})
    curve = ValueCurve(is_centred=is_centred)

    page = await valued(db, scope, curve)

    assert {node.id: node.uses for node in page.low} == {
        key: usage.uses for key, (_, usage) in VALUE_USAGES.items()
    }
    assert {node.id: node.idle_h for node in page.low} == pytest.approx(
        {key: usage.idle_h for key, (_, usage) in VALUE_USAGES.items()}, abs=1e-12
    )
    assert {node.id: node.score for node in page.low} == pytest.approx(
        {key: value(usage, curve) for key, (_, usage) in VALUE_USAGES.items()}, abs=1e-12
    )
    assert {"working"} == {node.tier for node in page.low}


# At the bounds ----------------------------------------------------------------------------

# Used now, and nothing but recency counts: a composite of exactly one.
ONE: dict[str, Any] = {
    "recency_weight": 1.0,
    "frequency_weight": 0.0,
    "intrinsic_weight": 0.0,
    "working_composite": 1.0,
    "core_composite": 1.0,
    "deprecate_after_days": 0.0,
    "grace_days": 0.0,
}
JUST, LOW = TierPolicy(low=1.0, **ONE), TierPolicy(low=2.0, **ONE)


def at(tier: str, uses: int = 0, **more: Any) -> dict[str, Any]:
    """Return a node that was used now."""
    times = {"recorded_at": NOW - DAY, "last_accessed_at": NOW}
    return {"tier": tier, "recall_count": uses, **times, **more}


@pytest.mark.parametrize(
    ("policy", "node", "expected"),
    [
        (JUST, at("core"), ("core", False)),
        (LOW, at("core", 2), ("working", False)),
        (LOW, at("core", 3), ("core", False)),
        (JUST, at("peripheral", 2), ("peripheral", False)),
        (JUST, at("peripheral", 3), ("working", False)),
        (JUST, at("working", 9, importance=0.8), ("working", False)),
        (JUST, at("working", 10, importance=0.8), ("core", False)),
        (JUST, at("working", 10, importance=0.79), ("working", False)),
        (JUST, at("working"), ("working", False)),
        (LOW, at("working"), ("peripheral", True)),
        (JUST, at("working", recorded_at=NOW - 60 * DAY), ("working", False)),
        (JUST, at("working", recorded_at=NOW - 60.01 * DAY), ("peripheral", False)),
        (JUST, at("working", 3, recorded_at=NOW - 60.01 * DAY), ("working", False)),
    ],
)
async def test_a_tier_at_its_bounds(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    policy: TierPolicy,
    node: Mapping[str, Any],
    expected: tuple[str, bool],
) -> None:
    """Just as many uses are no few, just the composite is not low, just the age is not old."""
    await make(ask, scope, {"f": node})

    found = (await placed(db, scope, policy))["f"]

    assert expected == (found.next_tier, found.is_silent)


@pytest.mark.parametrize(
    ("idle", "age", "changes", "expected"),
    [
        (30, 60, {}, True),
        (29.99, 60, {}, False),
        (30, 60, {"auto_deprecate": False}, False),
        (1, 1, {"deprecate_after_days": 0}, True),
        (0.99, 0.99, {"deprecate_after_days": 0}, False),
    ],
)
async def test_silence_at_its_bounds(
    *,
    db: Database,
    ask: Ask,
    scope: str,
    idle: float,
    age: float,
    changes: Mapping[str, Any],
    expected: bool,
) -> None:
    """After just as many days it is silent, from just the end of its first day on."""
    times = {"recorded_at": NOW - age * DAY, "last_accessed_at": NOW - idle * DAY}
    await make(ask, scope, {"f": {"tier": "peripheral", **times}})

    found = (await placed(db, scope, TierPolicy(low=2.0, **changes)))["f"]

    assert expected is found.is_silent


async def test_what_lies_ahead_is_counted(db: Database, ask: Ask, scope: str) -> None:
    """Not what is of this instant; the tiers look at when it was made, too."""
    await make(
        ask,
        scope,
        {
            "made ahead": {"recorded_at": NOW + DAY, "last_accessed_at": NOW},
            "used ahead": {"recorded_at": NOW, "last_accessed_at": NOW + DAY},
            "now": {"recorded_at": NOW, "last_accessed_at": NOW},
            "never": {},
        },
    )

    (tiers,) = [page async for page in page_tiers(db, scope, "semantic", TierPolicy(), now=NOW)]

    assert 2 == tiers.future
    assert 1 == (await valued(db, scope)).future


async def test_when_a_value_falls(db: Database, ask: Ask, scope: str) -> None:
    """Just the threshold is not below it, yet it is in no time; what lies ahead begins then."""
    # One half is worth two days.
    curve = ValueCurve(rate_per_h=math.log(2) / 48, floor=0.5, is_centred=False)
    times = {"two days": NOW, "no time": NOW - 2 * DAY, "five days": NOW + 3 * DAY}
    await make(ask, scope, {key: {"last_accessed_at": used} for key, used in times.items()})

    page = await valued(db, scope, curve, threshold=0.25, days=9)
    near = await valued(db, scope, curve, threshold=0.25, days=2)
    unasked = await valued(db, scope, curve, threshold=0.25)
    never = await valued(db, scope, curve, threshold=0.0, days=9)
    still = await valued(
        db, scope, ValueCurve(rate_per_h=0.0, is_centred=False), threshold=0.1, days=9
    )

    assert ((), [0, 2, 5]) == (page.low, sorted(page.later))
    assert [0, 2] == sorted(near.later)
    assert () == unasked.later == never.later == still.later


# What protects ----------------------------------------------------------------------------


async def protect(ask: Ask, scope: str, used: datetime) -> dict[str, str]:
    """Make a fact under each protection and some that have none; return which has what."""
    times = {"recorded_at": used}
    await make(
        ask,
        scope,
        {
            "pinned": {"pinned": True, **times},
            "core": {"tier": "core", "importance": 1.0, "recall_count": 9, **times},
            "pending": {"status": "pending", **times},
            "old": times,
            "new": times,
            "free": {"pinned": False, **times},
        },
    )
    expected = {
        "pinned": "pinned",
        "core": "core",
        "pending": "pending",
        "old": "chain",
        "new": "chain",
    }
    for link in ("ABOUT", "AGAINST"):
        for state in ("open", "unchecked", "settled"):
            key = f"{link} {state}"
            await make(ask, scope, {key: times})
            await ask(
                "MATCH (f:Fact {scope: $scope, id: $id}) "
                "CREATE (:Decision {scope: $scope, id: 'd' + $id, state: $state})"
                "-[:$($link)]->(f)",
                scope=scope,
                id=key,
                state=state,
                link=link,
            )
            if state != "settled":
                expected[key] = "decision"
    await ask(
        "MATCH (new:Fact {scope: $scope, id: 'new'}), (old:Fact {scope: $scope, id: 'old'}) "
        "CREATE (new)-[:SUPERSEDES]->(old)",
        scope=scope,
    )
    return expected


@pytest.mark.parametrize("days", [0, 400], ids=["fresh", "stale"])
async def test_what_protects_a_fact_is_told(db: Database, ask: Ask, scope: str, days: int) -> None:
    """By both policies, whether it would go or not; the others have nothing that keeps them."""
    expected = await protect(ask, scope, NOW - days * DAY)

    by_tiers = await placed(db, scope, TierPolicy())
    page = await valued(db, scope, threshold=0.1, with_protected=True)
    stale = await valued(db, scope, threshold=0.1)

    free = {"free", "ABOUT settled", "AGAINST settled"}
    assert expected == kept(list(by_tiers.values()))
    assert expected == kept(page.low)
    assert (expected.keys() | free if days else expected.keys()) == {n.id for n in page.low}
    assert (expected.keys() | free if days else set()) == {n.id for n in stale.low}
    assert (expected if days else {}) == kept(stale.low)


async def test_what_is_protected_falls_on_no_day(db: Database, ask: Ask, scope: str) -> None:
    """It is looked at only where it would fall within these days."""
    await protect(ask, scope, NOW)

    page = await valued(db, scope, threshold=0.1, days=30)

    # The three that are free.
    assert ((), [4] * 3) == (page.low, list(page.later))


async def test_a_pinned_fact_does_not_move(db: Database, ask: Ask, scope: str) -> None:
    """Nor is it told of where only moves are."""
    moving = {"tier": "peripheral", "recorded_at": NOW, "recall_count": 5}
    await make(ask, scope, {"pinned": {"pinned": True, **moving}, "free": moving})

    (page,) = [page async for page in page_tiers(db, scope, "semantic", TierPolicy(), now=NOW)]

    assert [("free", "")] == [(node.id, node.protected) for node in page.nodes]


# Which are looked at ----------------------------------------------------------------------


@pytest.mark.parametrize("label", ["Fact", "Procedure"])
async def test_the_live_ones_of_a_scope_are_looked_at(
    db: Database, ask: Ask, scope: str, label: str
) -> None:
    """Asked for by its id any is, but for those of another scope."""
    other = "Procedure" if label == "Fact" else "Fact"
    kind = "semantic" if label == "Fact" else "procedural"
    states = ("active", "pending", "superseded", "deprecated", "forgotten")
    nodes = {state: {"status": state, "instruction": "Tag it"} for state in states}
    ids = [*states, "elsewhere", "other"]
    await make(ask, scope, nodes | {"the last": {}}, label)
    await make(ask, f"{scope}/other", {"elsewhere": {}}, label)
    await make(ask, scope, {"other": {}}, other)

    async def told(*asked: str) -> list[list[str]]:
        tiers = page_tiers(db, scope, kind, TierPolicy(), now=NOW, everything=True, ids=asked)
        values = page_values(db, scope, kind, LETTER, threshold=1.0, now=NOW, ids=asked)
        return [
            [node.id for page in [page async for page in tiers] for node in page.nodes],
            [node.id for page in [page async for page in values] for node in page.low],
        ]

    assert [["active", "pending", "the last"]] * 2 == await told()
    assert [sorted(states)] * 2 == await told(*ids)
    assert [["deprecated"]] * 2 == await told("deprecated")


@pytest.mark.parametrize("label", ["Fact", "Procedure"])
async def test_a_stretch_of_ids_is_looked_at(
    db: Database, ask: Ask, scope: str, label: str
) -> None:
    """Behind the one and up to the other, with what each says or does."""
    kind = "semantic" if label == "Fact" else "procedural"
    said = "text" if label == "Fact" else "instruction"
    await make(ask, scope, {key: {said: f"words of {key}"} for key in "abcd"}, label)

    tiers = page_tiers(
        db, scope, kind, TierPolicy(), now=NOW, everything=True, after="a", until="c"
    )
    values = page_values(db, scope, kind, LETTER, threshold=1.0, now=NOW)
    stretch = [(node.id, node.text) async for page in tiers for node in page.nodes]
    whole = [(node.id, node.text) async for page in values for node in page.low]

    expected = [(key, f"words of {key}") for key in "abcd"]
    assert (expected[1:3], expected) == (stretch, whole)


async def test_asked_for_it_is_told_whatever_it_is_worth(
    db: Database, ask: Ask, scope: str
) -> None:
    """With what it says, what it does, and how often it was rated."""
    told = {"recorded_at": NOW, "text": "Ana keeps bees", "tier": "peripheral", "reward_count": 2}
    await make(ask, scope, {"f": {**told, "reward_sum": 2.0}, "bare": {}})

    page = await valued(db, scope, threshold=0.1, days=30, ids=["f", "bare"])

    (bare, node) = page.low
    # Each is told, so that it is not counted as well.
    assert () == page.later
    assert ("Ana keeps bees", "peripheral", 2) == (node.text, node.tier, node.reward_count)
    assert ("", "working", 0) == (bare.text, bare.tier, bare.reward_count)
