"""What decay would take, and when: looked at beforehand, and then it happens."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError
from graphmem.maintain.decay import preview as preview_module
from graphmem.maintenance import DecayPreview
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_decay import change

DAY = timedelta(days=1)
PEOPLE = ("Ana", "Bruno", "Cleo", "Dan")


async def grow(memory: AsyncGraphMemory, clock: FrozenClock, ask: Ask, scope: str) -> list[str]:
    """Make facts of several ages and usages, and a procedure; return the facts' ids."""
    ids = []
    for place, name in enumerate(PEOPLE):
        fact = await memory.semantic.remember(f"{name} paints door number {place * 7}")
        await change(
            ask,
            scope,
            fact.id,
            recall_count=4 * place,
            reward_sum=place / 4,
            reward_count=place % 2,
        )
        ids.append(fact.id)
        clock.advance(DAY)
    await memory.procedural.define("Tag it, then push.", intent="release")
    return ids


@pytest.mark.parametrize("policy", ["value", "tiered"])
async def test_what_was_foreseen_happens(
    *, memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, policy: Any
) -> None:
    """Each day takes as many as it was said to."""
    await grow(memory, clock, ask, scope)
    days = 12 if policy == "value" else 3
    if policy == "tiered":
        clock.advance(57 * DAY)
    # What is looked at in the middle of a day stands on neither edge of it.
    clock.advance(DAY / 2)
    preview = await memory.decay_preview(policy=policy, days=days)

    seen = []
    for _ in range(days + 1):
        if policy == "value":
            report = await memory.decay_nodes()
            seen.append(report.deleted - sum(report.orphans.values()))
        else:
            seen.append((await memory.tiered_decay()).deprecated)
        clock.advance(DAY)

    assert seen == [preview.goes, *preview.goes_later]
    assert sum(seen) > 0
    assert preview.checked == len(PEOPLE) + 1


async def test_a_preview_changes_nothing(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, picture: Picture
) -> None:
    """And leaves no receipt."""
    await grow(memory, clock, ask, scope)
    clock.advance(100 * DAY)
    before = await picture(memory)

    await memory.decay_preview()
    await memory.decay_preview(policy="tiered")

    assert before == await picture(memory)
    assert [] == await memory.runs()


async def test_each_factor_is_told(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """Of what would go: why its score is what it is."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(10 * DAY)

    preview = await memory.decay_preview(node_types=["semantic"])

    (node,) = preview.nodes
    assert (fact.id, "Fact", "Bruno sails on Sundays") == (node.id, node.kind, node.text)
    assert (node.idle_days, node.goes_in_days) == (10, 0)
    assert node.recency == pytest.approx(math.exp(-2.4))
    assert (node.frequency, node.reward, node.intrinsic) == (0.3, 1.0, None)
    assert node.score == pytest.approx(0.3 * math.exp(-2.4))


async def test_a_fact_can_be_asked_for(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """Also one that does not go, one that is protected, and one that went."""
    kept = await memory.semantic.remember("Ana keeps bees")
    gone = await memory.semantic.remember("Bruno sails on Sundays")
    pinned = await memory.semantic.remember("Cleo paints doors")
    await memory.semantic.pin(pinned.id)
    await change(ask, scope, gone.id, status="deprecated")
    ids = [kept.id, gone.id, pinned.id]

    by_value = await memory.decay_preview(ids=ids)
    by_tiers = await memory.decay_preview(ids=ids, policy="tiered", days=100)

    told = {node.id: (node.status, node.protected) for node in by_value.nodes}
    assert told == {
        kept.id: ("active", ""),
        gone.id: ("deprecated", ""),
        pinned.id: ("active", "pinned"),
    }
    assert told == {node.id: (node.status, node.protected) for node in by_tiers.nodes}
    days = {node.id: node.goes_in_days for node in by_value.nodes}
    assert days[kept.id] == pytest.approx(100 * math.log(3) / 24)
    assert days[gone.id] is None
    assert 62 == next(node for node in by_tiers.nodes if node.id == kept.id).goes_in_days


@pytest.mark.parametrize("policy", ["value", "tiered"])
async def test_all_that_were_asked_for_are_told_of(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch, policy: Any
) -> None:
    """However many: one that is missing is taken for one that is not there."""
    monkeypatch.setattr(preview_module, "KEPT_IDS", 1)
    ids = [(await memory.semantic.remember(f"{name} paints doors")).id for name in PEOPLE]

    asked = await memory.decay_preview(policy=policy, ids=ids)

    assert sorted(ids) == sorted(node.id for node in asked.nodes)


async def test_horizons_by_type_and_usage(memory: AsyncGraphMemory) -> None:
    """As published: days, not months."""
    preview = await memory.decay_preview(curves={"procedural": {"rate_per_h": 0.0}})

    assert {
        "never used, not rated": 4.6,
        "never used, rated 1": 3.3,
        "never used, rated 0.5": 2.6,
        "never used, rated 0": 1.7,
        "used 10 times, not rated": 7.9,
        "used without end, not rated": 9.6,
    } == {
        one.usage: one.days if one.days is None else round(one.days, 1)
        for one in preview.horizons
        if one.node_type == "semantic"
    }
    assert {None} == {one.days for one in preview.horizons if one.node_type == "procedural"}


async def test_purges_are_foreseen(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """On the day on which they are due."""
    await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(100 * DAY)
    assert 1 == (await memory.tiered_decay()).deprecated
    clock.advance(50 * DAY)

    soon = await memory.decay_preview(policy="tiered", days=30)
    clock.advance(10 * DAY)
    now = await memory.decay_preview(policy="tiered", days=30)

    assert soon.purges == 0
    assert [10] == [day for day, count in enumerate(soon.purges_later, start=1) if count]
    assert now.purges == 1 == (await memory.tiered_decay()).purged


async def test_protected_ones_are_not_foreseen(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """They are counted where they would go now."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await memory.semantic.pin(fact.id)

    fresh = await memory.decay_preview()
    clock.advance(10 * DAY)
    old = await memory.decay_preview()

    assert 0 == sum(fresh.goes_later)
    assert (0, {"pinned": 1}, ()) == (old.goes, old.protected, old.nodes)


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"days": 0}, "days"),
        ({"days": 4000}, "days"),
        ({"days": 1.5}, "days"),
        ({"policy": "lru"}, "policy"),
        ({"threshold": 2}, "threshold"),
        ({"node_types": ["turn"]}, "'turn'"),
        ({"ids": "f1"}, "ids"),
    ],
)
async def test_what_cannot_be_is_refused(
    memory: AsyncGraphMemory, parameters: dict[str, Any], told: str
) -> None:
    """The message names it."""
    with pytest.raises(InputError, match=told):
        await memory.decay_preview(**parameters)


async def test_an_empty_scope(memory: AsyncGraphMemory) -> None:
    """Nothing goes, ever."""
    preview = await memory.decay_preview(policy="tiered", days=5)

    assert isinstance(preview, DecayPreview)
    assert (0, 0, (0,) * 5) == (preview.checked, preview.goes, preview.goes_later)


@pytest.mark.parametrize("policy", ["value", "tiered"])
async def test_what_never_goes_is_named(
    *, memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, policy: Any
) -> None:
    """Whether it is worth anything or not, and by what protects it; the free ones are not."""
    facts = memory.semantic
    ids = [
        (await facts.remember(f"{name} paints door number {place * 7}")).id
        for place, name in enumerate(PEOPLE)
    ]
    pinned, core, waiting, free = ids
    await facts.pin(pinned)
    await change(ask, scope, core, tier="core", recall_count=9, importance=1.0)
    await change(ask, scope, waiting, status="pending")
    old = await facts.remember("Eva lives in Bonn", subject="Eva", predicate="lives", object="Bonn")
    new = await facts.supersede(old.id, "Eva lives in Trier", reason="moved")

    fresh = await memory.decay_preview(policy=policy)
    clock.advance(200 * DAY)
    stale = await memory.decay_preview(policy=policy)
    asked = await memory.decay_preview(policy=policy, ids=[pinned])

    wanted = {pinned: "pinned", core: "core", waiting: "pending", new.fact.id: "chain"}
    assert wanted == {node.id: node.protected for node in fresh.kept_nodes}
    assert wanted == {node.id: node.protected for node in stale.kept_nodes}
    assert {"pinned": 1, "core": 1, "pending": 1, "chain": 1} == stale.kept
    assert [free] == [node.id for node in stale.nodes]
    assert ({}, [pinned]) == (asked.kept, [node.id for node in asked.nodes])
