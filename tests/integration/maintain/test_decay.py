"""Decay by value: what is worth too little goes, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import AsyncGraphMemory, InputError
from graphmem.db import Database
from graphmem.maintain.decay import value as by_value
from graphmem.maintain.decay.value import page_values
from graphmem.maintain.runs import Run
from graphmem.scoring import Usage, ValueCurve, falls_in_h, value
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture

DAY = timedelta(days=1)
PROCEDURE = {"intent": "release"}


async def change(ask: Ask, scope: str, fact_id: str, **values: Any) -> None:
    """Set properties of a fact or a procedure, past graphmem."""
    for label in ("Fact", "Procedure"):
        await ask(
            f"MATCH (n:{label} {{scope: $scope, id: $id}}) SET n += $values",
            scope=scope,
            id=fact_id,
            values=values,
        )


async def test_a_fresh_store_loses_nothing(memory: AsyncGraphMemory) -> None:
    """At the defaults, whatever its first rewards are."""
    await memory.semantic.remember("Ana keeps bees")
    await memory.procedural.define("Tag it, then push.", return_score=0.0, **PROCEDURE)

    report = await memory.decay_nodes()

    assert (2, 0, ()) == (report.checked, report.deleted, report.deleted_ids)


async def test_it_holds_the_scope_on_each_page(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing goes: to look at a large scope takes longer than a hold lasts."""
    for text in ("Ana keeps bees", "Bruno sails on Sundays", "Cleo paints doors"):
        await memory.semantic.remember(text)
    monkeypatch.setattr(by_value, "_PAGE", 1)
    renewed = 0
    real = Run.renew

    async def counted(run: Run) -> None:
        nonlocal renewed
        renewed += 1
        await real(run)

    monkeypatch.setattr(Run, "renew", counted)
    seen = []

    report = await memory.decay_nodes(
        node_types=["semantic"], progress=lambda *_: seen.append(renewed)
    )

    assert (3, 0) == (report.checked, report.deleted)
    assert seen[:3] == [1, 2, 3]


async def test_an_empty_scope_has_nothing_to_lose(memory: AsyncGraphMemory) -> None:
    """It says so, and leaves a receipt."""
    report = await memory.decay_nodes()

    assert (0, 0) == (report.checked, report.deleted)
    (run,) = await memory.runs()
    assert (report.run_id, "decay") == (run.id, run.operation)
    assert run.params["threshold"] == 0.1


async def test_what_nobody_uses_goes_and_what_is_used_stays(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """After five days: the one that was recalled yesterday is there."""
    idle = await memory.semantic.remember("Bruno sails on Sundays")
    used = await memory.semantic.remember("Ana keeps bees")
    way = await memory.procedural.define("Tag it, then push.", **PROCEDURE)
    clock.advance(5 * DAY)
    await change(ask, scope, used.id, recall_count=1, last_accessed_at=clock.now() - DAY)

    report = await memory.decay_nodes()

    assert (3, 2) == (report.checked, report.deleted - sum(report.orphans.values()))
    assert {idle.id, way.id} <= set(report.deleted_ids)
    assert [used.id] == [fact.id for fact in await memory.semantic.list()]
    assert [] == await memory.procedural.list(status="all")
    told = {node.id: node for node in report.removed}
    assert told[idle.id].text == "Bruno sails on Sundays"
    assert told[idle.id].score == pytest.approx(0.3 * math.exp(-1.2))
    assert "idle for 5.0 days" in told[idle.id].reason
    assert "not rated" in told[idle.id].reason
    (run,) = await memory.runs()
    assert run.counts["deleted"] == report.deleted


@pytest.mark.parametrize("node_type", ["semantic", "procedural"])
async def test_only_the_named_types_go(
    memory: AsyncGraphMemory, clock: FrozenClock, node_type: str
) -> None:
    """The other one is not even looked at."""
    await memory.semantic.remember("Bruno sails on Sundays")
    await memory.procedural.define("Tag it, then push.", **PROCEDURE)
    clock.advance(5 * DAY)

    report = await memory.decay_nodes(node_types=[node_type])

    assert report.checked == 1
    left = (len(await memory.semantic.list()), len(await memory.procedural.list()))
    assert left == ((0, 1) if node_type == "semantic" else (1, 0))


async def test_what_is_worth_just_the_threshold_stays(memory: AsyncGraphMemory) -> None:
    """Only what is worth less goes."""
    await memory.semantic.remember("Bruno sails on Sundays")
    curves = {"semantic": {"floor": 0.1}}

    stays = await memory.decay_nodes(0.1, curves=curves)
    goes = await memory.decay_nodes(math.nextafter(0.1, 1), curves=curves, dry_run=True)

    assert (0, 1) == (stays.deleted, goes.deleted - sum(goes.orphans.values()))


async def test_praise_lifts_only_where_it_is_centred(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """As published, a fact that was praised falls before one that nobody rated."""
    praised = await memory.semantic.remember("Ana keeps bees")
    unrated = await memory.semantic.remember("Bruno sails on Sundays")
    await change(ask, scope, praised.id, reward_sum=2.0, reward_count=2)
    clock.advance(4 * DAY)
    plain = await memory.decay_nodes(dry_run=True)
    clock.advance(DAY)

    centred = await memory.decay_nodes(dry_run=True, centred_reward=True)

    assert [praised.id] == list(plain.deleted_ids)[:1]
    assert [unrated.id] == list(centred.deleted_ids)[:1]


async def test_a_dry_run_changes_nothing(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, picture: Picture
) -> None:
    """It says what would go, and leaves no receipt."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(5 * DAY)
    before = await picture(memory)

    report = await memory.decay_nodes(dry_run=True)

    assert report.is_dry_run
    assert (fact.id, "") == (report.deleted_ids[0], report.run_id)
    assert before == await picture(memory)
    assert [] == await memory.runs()


async def test_decay_can_deprecate(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """The fact is kept, told no longer, and its history says why."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(5 * DAY)

    report = await memory.decay_nodes(mode="deprecate")

    assert (1, sum(report.orphans.values())) == (report.deprecated, report.deleted)
    assert [] == await memory.semantic.list()
    history = await memory.semantic.history(fact.id)
    assert ["active", "deprecated"] == [version.status for version in history.versions]
    assert "less than 0.1" in history.fact.retired_reason
    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) "
        "RETURN f.deprecated_by AS by, f.deprecated_at = $now AS is_dated",
        scope=scope,
        id=fact.id,
        now=clock.now(),
    )
    assert row == {"by": "decay", "is_dated": True}


async def test_a_decay_can_be_undone(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, picture: Picture
) -> None:
    """Facts, procedures, and what led to them."""
    await memory.semantic.remember("Bruno sails on Sundays", tags=["boats"])
    await memory.procedural.define("Tag it, then push.", **PROCEDURE)
    clock.advance(5 * DAY)
    before = await picture(memory)

    report = await memory.decay_nodes()
    await memory.undo(report.run_id)

    assert {"Tag", "Intent"} <= set(report.orphans)
    assert _lasting(before) == _lasting(await picture(memory))


async def test_other_scopes_stay_as_they_are(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, picture: Picture
) -> None:
    """To the last property and link."""
    other = memory.scoped(f"{scope}/other")
    for one in (memory, other):
        await one.semantic.remember("Bruno sails on Sundays", tags=["boats"])
        await one.procedural.define("Tag it, then push.", **PROCEDURE)
    clock.advance(5 * DAY)
    before = await picture(other)

    await memory.decay_nodes()

    assert before == await picture(other)


async def test_protected_facts_are_counted(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """By what protects them; what is worth enough is not."""
    old = await memory.semantic.remember("Ana lives in Berlin")
    clock.advance(DAY)
    await memory.semantic.supersede(old.id, "Ana lives in Tbilisi", reason="moved")
    pinned = await memory.semantic.remember("Bruno sails on Sundays")
    core = await memory.semantic.remember("Cleo paints doors")
    pending = await memory.semantic.remember("Dan rides a horse")
    decided = await memory.semantic.remember("Eva plays chess")
    await change(ask, scope, pinned.id, pinned=True)
    await change(ask, scope, core.id, tier="core")
    await change(ask, scope, pending.id, status="pending")
    await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) "
        "CREATE (:Decision {scope: $scope, id: 'd' + $id, state: 'open'})-[:ABOUT]->(f)",
        scope=scope,
        id=decided.id,
    )
    clock.advance(5 * DAY)

    dry = await memory.decay_nodes(dry_run=True)
    report = await memory.decay_nodes()

    expected = {"pinned": 1, "core": 1, "pending": 1, "decision": 1, "chain": 1}
    assert expected == dry.protected == report.protected
    assert 0 == report.deleted == dry.deleted


async def test_times_that_lie_ahead_count_as_now(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """A clock that was set back makes nothing worth more than it can be."""
    for text, days in (("Ana keeps bees", 30), ("Bruno sails on Sundays", 365)):
        fact = await memory.semantic.remember(text)
        await change(ask, scope, fact.id, last_accessed_at=clock.now() + days * DAY)

    report = await memory.decay_nodes(0.31, dry_run=True)

    assert (2, 2) == (report.future, report.deleted - sum(report.orphans.values()))
    assert [0.3, 0.3] == [node.score for node in report.removed if node.kind == "Fact"]


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({"threshold": -0.1}, "threshold"),
        ({"threshold": 1.1}, "threshold"),
        ({"threshold": math.nan}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"threshold": "0.1"}, "threshold"),
        ({"node_types": ["tag"]}, "'tag'"),
        ({"node_types": "semantic"}, "list"),
        ({"node_types": []}, "none"),
        ({"mode": "purge"}, "mode"),
        ({"dry_run": 1}, "dry_run"),
        ({"centred_reward": "yes"}, "centred_reward"),
        ({"curves": {"semantic": {"half_uses": 0}}}, "half_uses"),
        ({"curves": {"semantic": {"rate_per_h": -0.01}}}, "rate_per_h"),
        ({"curves": {"semantic": {"slope": math.nan}}}, "slope"),
        ({"curves": {"semantic": {"floor": 2}}}, "floor"),
        ({"curves": {"semantic": {"k": 5}}}, "'k'"),
        ({"curves": {"fact": {}}}, "'fact'"),
        ({"curves": 5}, "mapping"),
    ],
)
async def test_what_cannot_be_is_refused(
    memory: AsyncGraphMemory, parameters: dict[str, Any], told: str
) -> None:
    """Before anything is read; the message names it."""
    with pytest.raises(InputError, match=told):
        await memory.decay_nodes(**parameters)

    assert [] == await memory.runs()


async def test_the_setting_is_what_a_call_starts_from(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Knob by knob; a change of it holds at once."""
    await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(5 * DAY)
    await memory.configure(value_curves={"semantic": {"rate_per_h": 0.001}})

    slow = await memory.decay_nodes(dry_run=True)
    steep = await memory.decay_nodes(dry_run=True, curves={"semantic": {"floor": 0.01}})

    assert (0, 1) == (slow.deleted, steep.deleted - sum(steep.orphans.values()))


async def test_more_than_a_page_goes(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """All of it, each once, and progress tells of how many."""
    seen: list[tuple[int, int | None]] = []
    await ask(
        "UNWIND range(1, 2300) AS i CREATE (:Fact {scope: $scope, id: 'f' + i, text: 'x', "
        "status: 'active', recorded_at: $at, pinned: false, tier: 'working', recall_count: 0, "
        "reward_sum: 0.0, reward_count: 0, validated_count: 1, valid_from: $at, valid_to: $at})",
        scope=scope,
        at=clock.now(),
    )
    clock.advance(5 * DAY)

    report = await memory.decay_nodes(progress=lambda done, of: seen.append((done, of)))

    assert (2300, 2300) == (report.checked, len(set(report.deleted_ids)))
    assert [(1000, 2300), (2000, 2300), (2300, 2300)] == sorted(set(seen))
    assert len(report.removed) == 1000
    (run,) = await memory.runs()
    assert len(run.ids) == 1000


async def test_one_that_is_broken_off_tells_what_it_did(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """What was removed until then stays so, and can be taken back."""
    await ask(
        "UNWIND range(1, 1200) AS i CREATE (:Fact {scope: $scope, id: 'f' + i, text: 'x', "
        "status: 'active', recorded_at: $at, pinned: false, tier: 'working', recall_count: 0, "
        "reward_sum: 0.0, reward_count: 0, validated_count: 1, valid_from: $at, valid_to: $at})",
        scope=scope,
        at=clock.now(),
    )
    clock.advance(5 * DAY)

    def stop(done: int, _: int | None) -> None:
        raise RuntimeError("pulled the plug")

    with pytest.raises(RuntimeError):
        await memory.decay_nodes(progress=stop)
    (run,) = await memory.runs()
    report = await memory.undo(run.id)

    assert ("failed", 1000) == (run.state, run.counts["deleted"])
    assert report.restored == 1000
    assert 1200 == (await memory.decay_nodes(dry_run=True)).checked


# One formula, twice -----------------------------------------------------------------------

AGES = st.integers(-(10**12), 10**13).map(lambda us: timedelta(microseconds=us))
USED = st.fixed_dictionaries(
    {
        "recorded": AGES,
        "accessed": st.none() | AGES,
        "recall_count": st.one_of(st.integers(0, 20), st.just(10**15)),
        "rewards": st.lists(st.floats(0, 1), max_size=4),
    }
)
CURVES = st.builds(
    ValueCurve,
    rate_per_h=st.one_of(st.just(0.01), st.floats(0, 5)),
    half_uses=st.floats(0.001, 1e6),
    floor=st.floats(0, 1),
    slope=st.floats(0, 1000),
    is_centred=st.booleans(),
)


@given(st.lists(USED, min_size=1, max_size=8), CURVES)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
async def test_cypher_and_python_say_the_same(
    db: Database, ask: Ask, used: list[Mapping[str, Any]], curve: ValueCurve
) -> None:
    """To 1e-9, of what was never used as of what is used without end, past and future."""
    scope, now = f"test/{uuid4().hex}", datetime.fromisoformat("2026-06-01T00:00:00.123456Z")
    await ask(
        "UNWIND $rows AS row CREATE (f:Fact {scope: $scope, status: 'active'}) SET f += row",
        scope=scope,
        rows=[
            {
                "id": f"{place:02}",
                "recorded_at": now - one["recorded"],
                "last_accessed_at": None if one["accessed"] is None else now - one["accessed"],
                "recall_count": one["recall_count"],
                "reward_sum": math.fsum(one["rewards"]),
                "reward_count": len(one["rewards"]),
            }
            for place, one in enumerate(used)
        ],
    )

    ids = [f"{place:02}" for place in range(len(used))]
    (page,) = [
        page
        async for page in page_values(
            db, scope, "semantic", curve, threshold=0.1, now=now, days=30, ids=ids
        )
    ]
    (told,) = [
        page
        async for page in page_values(db, scope, "semantic", curve, threshold=0.1, now=now, days=30)
    ]

    twins = []
    for one in used:
        since = one["recorded"] if one["accessed"] is None else one["accessed"]
        usage = Usage(
            one["recall_count"],
            since / timedelta(hours=1),
            math.fsum(one["rewards"]),
            len(one["rewards"]),
        )
        twins.append((usage, value(usage, curve)))
    assert [node.score for node in page.low] == pytest.approx(
        [score for _, score in twins], abs=1e-9
    )
    assert told.future == sum(usage.idle_h < 0 for usage, _ in twins)
    assert {node.id for node in told.low} == {node.id for node in page.low if node.score < 0.1}
    days = [
        left_h / 24 - min(0.0, usage.idle_h) / 24
        for usage, score in twins
        if score >= 0.1 and (left_h := falls_in_h(score, 0.1, curve)) is not None
    ]
    assert sorted(told.later) == pytest.approx(
        sorted(math.floor(day) for day in days if day <= 30), abs=1
    )


def _lasting(picture: dict[str, Any]) -> dict[str, Any]:
    passing = ("needs_community", "needs_comparison", "comparison_revision")
    nodes = [
        (
            node["labels"],
            {key: value for key, value in node["props"].items() if key not in passing},
        )
        for node in picture["nodes"]
    ]
    return {"nodes": nodes, "links": picture["links"]}
