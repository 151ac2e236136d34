"""Decay by tiers: what falls silent goes down, is told no longer, and goes at last."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import AsyncGraphMemory
from graphmem.db import Database
from graphmem.maintain.decay.tiered import decay_by_tiers, page_tiers, tier_request
from graphmem.maintain.removal import Loss, remove
from graphmem.maintain.runs import run_in
from graphmem.testing import FrozenClock
from graphmem.tiering import TierPolicy, TierUsage, composite, is_silent, next_tier
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_decay import change
from tests.integration.maintain.test_removal import say

DAY = timedelta(days=1)


async def fade(memory: AsyncGraphMemory, clock: FrozenClock, days: float = 62) -> None:
    """Let days go by, and a tick in each of the last two."""
    clock.advance((days - 1) * DAY)
    await memory.tiered_decay()
    clock.advance(DAY)
    await memory.tiered_decay()


async def stands(ask: Ask, scope: str, fact_id: str) -> dict[str, Any]:
    """Return the status and tier of a fact; nothing where it is none any more."""
    rows = await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) RETURN f.status AS status, f.tier AS tier, "
        "f.deprecated_at AS at, f.deprecated_by AS by",
        scope=scope,
        id=fact_id,
    )
    return rows[0] if rows else {}


async def test_a_fresh_store_stays_as_it_is(
    memory: AsyncGraphMemory, scope: str, picture: Picture
) -> None:
    """Nothing moves, and nothing goes on its first day, whatever the setting."""
    await memory.semantic.remember("Ana keeps bees")
    await memory.procedural.define("Tag it, then push.", intent="release")
    before = await picture(memory)
    await memory.configure(decay_auto_deprecate_after_days=0, decay_purge_after_days=0.001)

    report = await memory.tiered_decay()

    assert (2, 0, 0, 0, 0) == (
        report.checked,
        report.promoted,
        report.demoted,
        report.deprecated,
        report.purged,
    )
    assert before == await picture(memory)


async def test_the_life_of_what_nobody_uses(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """Working for 60 days, peripheral then, deprecated a day later, deleted 60 days after that."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    way = await memory.procedural.define("Tag it, then push.", intent="release")
    seen = []
    for days in (60, 1, 1, 59, 1):
        clock.advance(days * DAY)
        report = await memory.tiered_decay()
        state = await stands(ask, scope, fact.id)
        seen.append((report.demoted, report.deprecated, report.purged, state.get("status")))

    assert seen == [
        (0, 0, 0, "active"),
        (2, 0, 0, "active"),
        (0, 2, 0, "deprecated"),
        (0, 0, 0, "deprecated"),
        (0, 0, 2, None),
    ]
    assert report.purged_ids == (fact.id, way.id)
    assert "60.0 days ago" in report.removed[0].reason
    assert await memory.procedural.get(way.id) is None


@pytest.mark.parametrize(("days", "expected"), [(29, "active"), (30, "deprecated")])
async def test_what_is_peripheral_must_be_silent_for_a_month(
    *,
    memory: AsyncGraphMemory,
    clock: FrozenClock,
    scope: str,
    ask: Ask,
    days: int,
    expected: str,
) -> None:
    """A day less, and it stays."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    # Of little importance, so that its worth is low long before.
    await change(ask, scope, fact.id, tier="peripheral", importance=-1.0)
    clock.advance(days * DAY)

    await memory.tiered_decay()

    assert expected == (await stands(ask, scope, fact.id))["status"]


@pytest.mark.parametrize(("days", "expected"), [(59, 0), (60, 1), (61, 1)])
async def test_what_decay_deprecated_is_purged_after_sixty_days(
    memory: AsyncGraphMemory, clock: FrozenClock, days: int, expected: int
) -> None:
    """Not a day before; and undo brings it back, with its time before it."""
    await memory.semantic.remember("Bruno sails on Sundays")
    await fade(memory, clock)
    clock.advance(days * DAY)

    report = await memory.tiered_decay()

    assert expected == report.purged == len(report.purged_ids)
    if expected:
        await memory.undo(report.run_id)
        assert ["deprecated"] == [f.status for f in await memory.semantic.list(status="all")]
        assert 0 == (await memory.tiered_decay()).purged


async def test_never_purge(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """With 0 days what was deprecated is kept for good."""
    await memory.configure(decay_purge_after_days=0)
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await fade(memory, clock)
    clock.advance(5000 * DAY)

    report = await memory.tiered_decay()

    assert report.purged == 0
    assert await memory.semantic.get(fact.id) is not None


async def test_while_it_is_off_only_the_purge_goes_on(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """What decay had deprecated still goes; what falls silent now stays."""
    old = await memory.semantic.remember("Bruno sails on Sundays")
    await fade(memory, clock)
    new = await memory.semantic.remember("Ana keeps bees")
    await memory.configure(decay_enabled=False)
    clock.advance(200 * DAY)

    report = await memory.tiered_decay()

    assert (0, 0, (old.id,)) == (report.demoted, report.deprecated, report.purged_ids)
    assert [new.id] == [fact.id for fact in await memory.semantic.list()]


async def test_without_auto_deprecation_tiers_still_move(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """It goes down, and is told."""
    await memory.configure(decay_auto_deprecate=False)
    fact = await memory.semantic.remember("Bruno sails on Sundays")

    await fade(memory, clock, 400)

    state = await stands(ask, scope, fact.id)
    assert ("active", "peripheral") == (state["status"], state["tier"])


@pytest.mark.parametrize("by", ["user", "consolidation"])
async def test_what_others_deprecated_is_never_purged(
    *, memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, by: str
) -> None:
    """Only decay's own are."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await change(
        ask,
        scope,
        fact.id,
        status="deprecated",
        deprecated_by=by,
        deprecated_at=clock.now(),
    )
    clock.advance(5000 * DAY)

    assert 0 == (await memory.tiered_decay()).purged


async def test_an_unknown_time_of_deprecation_begins_now(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """It is dated, and not purged at once."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await change(ask, scope, fact.id, status="deprecated", deprecated_by="decay")
    clock.advance(500 * DAY)

    first = await memory.tiered_decay()
    dated = (await stands(ask, scope, fact.id))["at"]
    clock.advance(60 * DAY)
    second = await memory.tiered_decay()

    assert (1, 0, 0, 1) == (first.dated, first.purged, second.dated, second.purged)
    assert dated.to_native() == clock.now() - 60 * DAY


async def test_what_is_deprecated_keeps_its_time(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """Later ticks, and a decay by hand, do not set it anew."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await fade(memory, clock)
    first = await stands(ask, scope, fact.id)
    clock.advance(10 * DAY)

    await memory.tiered_decay()
    await memory.decay_nodes(mode="deprecate")

    assert first == await stands(ask, scope, fact.id)


async def test_what_is_used_goes_up(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """From the periphery to work, and from work to the core where its Terms are worth much."""
    fact = await memory.semantic.remember(
        "Ana keeps bees", subject="Ana", predicate="keeps", object="bees"
    )
    await change(
        ask,
        scope,
        fact.id,
        tier="peripheral",
        importance=0.9,
        recall_count=12,
        last_accessed_at=clock.now(),
    )
    await ask("MATCH (t:Term {scope: $scope, name: 'bees'}) SET t.rank = 1.0", scope=scope)

    seen = []
    for _ in range(3):
        report = await memory.tiered_decay()
        seen.append((report.promoted, (await stands(ask, scope, fact.id))["tier"]))

    assert [(1, "working"), (1, "core"), (0, "core")] == seen


async def test_the_core_goes_down_before_it_is_deprecated(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """One step a tick."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await change(ask, scope, fact.id, tier="core")
    clock.advance(1000 * DAY)

    seen = []
    for _ in range(3):
        await memory.tiered_decay()
        state = await stands(ask, scope, fact.id)
        seen.append((state["tier"], state["status"]))

    assert [("working", "active"), ("peripheral", "deprecated")] == seen[:2]


async def test_protected_ones_are_counted(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """A pinned one does not even move."""
    pinned = await memory.semantic.remember("Bruno sails on Sundays")
    pending = await memory.semantic.remember("Dan rides a horse")
    await memory.semantic.pin(pinned.id)
    await change(ask, scope, pending.id, status="pending")

    await fade(memory, clock, 400)
    report = await memory.tiered_decay()

    assert report.protected == {"pinned": 1, "pending": 1}
    assert (0, 0) == (report.deprecated, report.demoted)
    assert "working" == (await stands(ask, scope, pinned.id))["tier"]
    assert "pending" == (await stands(ask, scope, pending.id))["status"]


async def test_stated_again_it_is_back(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """With a version of it; and it is not silent at once again."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await fade(memory, clock)
    clock.advance(10 * DAY)

    again = await memory.semantic.remember("Bruno sails on Sundays")

    assert (fact.id, "active") == (again.id, again.status)
    state = await stands(ask, scope, fact.id)
    assert (state["at"], state["by"]) == (None, None)
    history = await memory.semantic.history(fact.id)
    assert ["active", "deprecated", "active"] == [v.status for v in history.versions]
    assert 0 == (await memory.tiered_decay()).deprecated
    assert 0 == (await memory.decay_nodes(dry_run=True)).deleted
    clock.advance(100 * DAY)
    assert [] == [one for one in (await memory.tiered_decay()).purged_ids if one == fact.id]


async def test_a_turn_that_says_it_again_brings_it_back(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """As its evidence, whenever that turn was."""
    fact_id = await say(memory, "s1", "Bruno sails dinghies", tags=["boats"])
    await fade(memory, clock)
    gone = await memory.semantic.get(fact_id)

    again = await say(memory, "s2", "Bruno sails dinghies", tags=["boats"])

    back = await memory.semantic.get(again)
    assert gone is not None
    assert back is not None
    assert ("deprecated", fact_id, "active") == (gone.status, again, back.status)
    assert back.validated_count == 2


async def test_what_was_consolidated_counts_for_its_survivor(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Stated again, it is evidence there, and stays away itself; also by way of others."""
    facts = [
        await memory.semantic.remember(text)
        for text in ("Bruno sails on Sundays", "Cleo paints doors", "Dan rides a horse")
    ]
    first, second, stays = (fact.id for fact in facts)
    for goes, survivor in ((first, second), (second, stays)):
        async with run_in(db, scope, "x", clock=clock, params={}, undo_window=DAY) as run:
            losses = [Loss(goes, "it says the same", survivor)]
            await remove(run, "Fact", losses, mode="deprecate", by="consolidation")
    clock.advance(DAY)

    again = await memory.semantic.remember("Bruno sails on Sundays")

    assert (stays, 4) == (again.id, again.validated_count)
    told = {fact.id: fact.status for fact in await memory.semantic.list(status="all")}
    assert told == {first: "deprecated", second: "deprecated", stays: "active"}


async def test_what_stood_for_another_and_fell_silent_is_back(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """It is the survivor that is told again; where that is gone, the fact itself is."""
    goes = await memory.semantic.remember("Bruno sails on Sundays")
    stays = await memory.semantic.remember("Cleo paints doors")
    async with run_in(db, scope, "x", clock=clock, params={}, undo_window=DAY) as run:
        losses = [Loss(goes.id, "it says the same", stays.id)]
        await remove(run, "Fact", losses, mode="deprecate", by="consolidation")
    await change(ask, scope, stays.id, status="deprecated", deprecated_by="decay")

    again = await memory.semantic.remember("Bruno sails on Sundays")
    async with run_in(db, scope, "x", clock=clock, params={}, undo_window=DAY) as run:
        await remove(run, "Fact", [Loss(stays.id, "gone")], mode="delete", by="decay")
    itself = await memory.semantic.remember("Bruno sails on Sundays")

    assert (stays.id, "active") == (again.id, again.status)
    assert (goes.id, "active") == (itself.id, itself.status)


async def test_what_holds_instead_by_now_is_superseded(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A fact that fell silent does not come back beside one that excludes it."""
    old = await memory.semantic.remember("Ana lives in Berlin")
    await fade(memory, clock)
    new = await memory.semantic.remember("Ana lives in Tbilisi")
    clock.advance(DAY)

    back = await memory.semantic.remember("Ana lives in Berlin")

    assert ["Ana lives in Berlin"] == [fact.text for fact in await memory.semantic.list()]
    assert back.id not in (old.id, new.id)
    told = {fact.id: fact.status for fact in await memory.semantic.list(status="all")}
    assert (told[old.id], told[new.id]) == ("deprecated", "superseded")


async def test_a_procedure_that_is_defined_again_is_back(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """And counts as used now."""
    way = await memory.procedural.define("Tag it, then push.", intent="release")
    await fade(memory, clock)
    gone = await memory.procedural.get(way.id)

    again = await memory.procedural.define("Tag it, then push.", intent="release")

    assert gone is not None
    assert ("deprecated", way.id, "active") == (gone.status, again.id, again.status)
    assert 0 == (await memory.tiered_decay()).deprecated
    assert 0 == (await memory.decay_nodes(dry_run=True)).deleted


async def test_what_undo_restored_rests(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """The next tick does not take it again."""
    await memory.semantic.remember("Bruno sails on Sundays")
    await memory.procedural.define("Tag it, then push.", intent="release")
    await fade(memory, clock)
    (run, *_) = await memory.runs()

    restored = await memory.undo(run.id)
    report = await memory.tiered_decay()

    assert restored.restored >= 2
    assert 0 == report.deprecated
    assert 1 == len(await memory.semantic.list()) == len(await memory.procedural.list())


async def test_a_dry_run_changes_nothing(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, picture: Picture
) -> None:
    """And counts what would be."""
    await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(400 * DAY)
    before = await picture(memory)

    report = await memory.tiered_decay(dry_run=True)

    assert (1, 1, "") == (report.demoted, report.deprecated, report.run_id)
    assert before == await picture(memory)


async def test_other_scopes_stay_as_they_are(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, picture: Picture
) -> None:
    """To the last property and link."""
    other = memory.scoped(f"{scope}/other")
    for one in (memory, other):
        await one.semantic.remember("Bruno sails on Sundays", tags=["boats"])
        await one.procedural.define("Tag it, then push.", intent="release")
    before = await picture(other)

    await fade(memory, clock, 400)
    clock.advance(60 * DAY)
    report = await memory.tiered_decay()

    assert report.purged == 2
    assert before == await picture(other)


async def test_a_tick_that_did_something_says_so(
    memory: AsyncGraphMemory, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    """At info, once; one that did nothing is silent."""
    caplog.set_level(logging.INFO, logger="graphmem")
    await memory.semantic.remember("Bruno sails on Sundays")
    await memory.tiered_decay()
    clock.advance(400 * DAY)
    await memory.tiered_decay()

    told = [r.message for r in caplog.records if r.message.startswith("maintain.tiered promoted")]

    assert ["maintain.tiered promoted=0 demoted=1 deprecated=1 purged=0"] == told


async def test_it_comes_round_wherever_it_begins(
    *, memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """With a time of its own it begins behind some id, and looks at each node once."""
    await memory.semantic.remember("Bruno sails on Sundays")
    await memory.semantic.remember("Ana keeps bees")
    request = tier_request(memory.settings, cleans_orphans=False)

    async with run_in(
        db, scope, "maintain", clock=clock, params={}, undo_window=DAY, budget_s=600
    ) as whole:
        report = await decay_by_tiers(
            db, scope, request, clock=clock, undo_window=DAY, part_of=whole
        )

    assert report.checked == 2


async def test_what_is_stated_while_it_is_purged_is_told(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Whoever comes first: nothing that was said now is lost, and nothing is there twice."""
    texts = [
        "Ana keeps bees",
        "Bruno sails on Sundays",
        "Cleo paints doors",
        "Dan rides a horse",
        "Eva plays chess",
        "Finn bakes rye bread",
        "Gita mends old clocks",
        "Hugo collects stamps",
    ]
    for text in texts:
        await memory.semantic.remember(text)
    await fade(memory, clock)
    clock.advance(60 * DAY)

    async def state() -> None:
        for text in texts:
            await memory.semantic.remember(text)

    report, *_ = await asyncio.gather(memory.tiered_decay(), state(), state())

    assert report.deprecated == 0
    assert sorted(texts) == sorted(fact.text for fact in await memory.semantic.list())
    assert {"active"} == {fact.status for fact in await memory.semantic.list(status="all")}


# One formula, twice -----------------------------------------------------------------------

SPANS = st.integers(0, 10**13).map(lambda us: timedelta(microseconds=us))
NODES = st.fixed_dictionaries(
    {
        "tier": st.sampled_from(["core", "working", "peripheral"]),
        "made": SPANS,
        "accessed": st.one_of(st.none(), SPANS),
        "stated": st.one_of(st.none(), SPANS, SPANS.map(lambda span: -span)),
        "recall_count": st.integers(0, 30),
        "validated_count": st.integers(0, 4),
        "importance": st.floats(0, 1),
        "ranks": st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=2),
    }
)


@given(st.lists(NODES, min_size=1, max_size=8))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_cypher_and_python_say_the_same(
    db: Database, ask: Ask, nodes: list[Mapping[str, Any]]
) -> None:
    """Each factor to 1e-9, and the same tiers and silences."""
    scope, now = f"test/{uuid4().hex}", datetime.fromisoformat("2026-06-01T00:00:00.123456Z")
    await ask(
        "UNWIND $rows AS row CREATE (f:Fact {scope: $scope, status: 'active'}) SET f += row.node "
        "WITH f, row UNWIND range(0, size(row.ranks) - 1) AS i "
        "CREATE (f)-[:SUBJECT]->(:Term {scope: $scope, key: f.id + i, rank: row.ranks[i]})",
        scope=scope,
        rows=[
            {"node": _node(place, one, now), "ranks": one["ranks"]}
            for place, one in enumerate(nodes)
        ],
    )
    policy = TierPolicy()

    pages = page_tiers(db, scope, "semantic", policy, now=now, everything=True)
    placed = [node async for page in pages for node in page.nodes]

    twins = [_twin(one) for one in nodes]
    assert [node.score for node in placed] == pytest.approx(
        [composite(twin, policy) for twin in twins], abs=1e-9
    )
    assert [(node.next_tier, node.is_silent) for node in placed] == [
        (next_tier(twin, policy), is_silent(twin, policy)) for twin in twins
    ]


def _node(place: int, one: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    return {
        "id": f"{place:02}",
        "tier": one["tier"],
        "recorded_at": now - one["made"],
        "last_accessed_at": None if one["accessed"] is None else now - one["accessed"],
        "stated_at": None if one["stated"] is None else now - one["stated"],
        "recall_count": one["recall_count"],
        "validated_count": one["validated_count"],
        "importance": one["importance"],
    }


def _twin(one: Mapping[str, Any]) -> TierUsage:
    touched = [span for span in (one["made"], one["accessed"], one["stated"]) if span is not None]
    return TierUsage(
        one["tier"],
        one["recall_count"] + max(0, one["validated_count"] - 1),
        max(0.0, min(touched) / DAY),
        max(0.0, one["made"] / DAY),
        one["importance"],
        max((rank for rank in one["ranks"] if rank is not None), default=0.0),
    )
