"""Ticks with a time to keep compare what was not compared before, page by page."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, MaintenanceStep
from graphmem.db import Database
from graphmem.db.database import Transaction
from graphmem.maintain.consolidation import consolidate
from graphmem.maintain.consolidation.merging import Plan
from graphmem.maintain.consolidation.neighbours import Neighbours
from graphmem.maintain.removal import Loss, remove
from graphmem.maintain.runs import Run, run_in
from graphmem.queries import get_query
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.test_consolidate import NOW, make, of, some_facts
from tests.integration.maintain.test_removal import WEEK

NEAR = (
    "Ana keeps five hives of quiet brown bees behind the old stone barn near the river",
    "Ana keeps five hives of quiet brown bees behind the old stone barn by the river",
)

STANDING = """
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id >= ''
RETURN f.id AS id, f.status AS status, f.recall_count AS recalled, f.valid_from AS since,
  COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.key ORDER BY t.key } AS tags,
  COLLECT { MATCH (f)-[:SAME_AS]->(s:Fact) RETURN s.id } AS stays
ORDER BY id
"""

WAITING = """
MATCH (f:Fact {scope: $scope})
WHERE f.needs_comparison AND f.status = 'active'
RETURN f.id AS id
ORDER BY id
"""


@pytest.fixture
def pages_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Have pages of so many facts that wait."""
    return lambda size: monkeypatch.setattr(
        "graphmem.maintain.consolidation.consolidate.PROBED", size
    )


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each fact was compared with others."""
    seen: Counter[str] = Counter()
    real = Neighbours.ask

    async def ask(neighbours: Neighbours, ids: Any) -> None:
        seen.update(ids)
        await real(neighbours, ids)

    monkeypatch.setattr(Neighbours, "ask", ask)
    return seen


async def tick(memory: AsyncGraphMemory) -> MaintenanceStep:
    """Consolidate as the background does, with time enough."""
    (step,) = (await memory.maintain(budget_s=600, steps=["consolidate"])).steps
    return step


async def tick_for(
    memory: AsyncGraphMemory, pages: int, monkeypatch: pytest.MonkeyPatch
) -> MaintenanceStep:
    """Consolidate as the background does; the time is over after so many pages."""
    with monkeypatch.context() as patched:
        # The tick looks once, then the step once before each page.
        looks = iter([False] * (pages + 1))
        patched.setattr(Run, "is_over", lambda run: run.deadline is not None and next(looks, True))
        return await tick(memory)


async def tell(
    memory: AsyncGraphMemory, text: str, *, tag: str = "first", mode: str = "off"
) -> None:
    """State a fact; past the pipeline, so that near-duplicates are there."""
    await memory.configure(conflict_mode=mode)
    await memory.add_turn(
        # Its words would be tags that all share.
        "noted",
        turn_key=f"{mode} {tag} {text}",
        extraction={"summary": text, "facts": [{"text": text, "tags": [tag]}]},
        wait=True,
    )
    await memory.flush()


@pytest.mark.parametrize("seed", range(6))
async def test_ticks_do_together_what_one_run_does(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    pages_of: Callable[[int], None],
    asked: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    """Each with time for two pages: the same goes for the same, and each is compared once."""
    generator = random.Random(seed)
    facts = [{**fact, "reward_count": 0} for fact in some_facts(generator)]
    whole = memory.scoped(f"{scope} whole")
    for one in (memory, whole):
        await make(ask, one, one.scope, facts)
    pages_of(2)
    checked = []
    while await ask(WAITING, scope=scope):
        step = await tick_for(memory, 2, monkeypatch)
        checked.append((await memory.run(step.run_id)).counts["checked"])

    await whole.maintain(steps=["consolidate"])

    assert await ask(STANDING, scope=whole.scope) == await ask(STANDING, scope=scope)
    assert {fact["id"]: 1 for fact in facts} == asked
    assert len(facts) == sum(checked)


async def test_a_chain_over_many_pages_loses_its_middle_only(
    memory: AsyncGraphMemory, scope: str, ask: Ask, pages_of: Callable[[int], None]
) -> None:
    """Whoever is worth least is read first, and does not go for one that goes itself."""
    facts = [
        of(key, degrees, idle_h=h) for key, degrees, h in (("c", 0, 1), ("b", 20, 2), ("a", 45, 3))
    ]
    await make(ask, memory, scope, facts)
    pages_of(1)

    await tick(memory)

    rows = await ask(STANDING, scope=scope)
    assert ["active", "deprecated", "active"] == [row["status"] for row in rows]
    assert ["c"] == rows[1]["stays"]


async def test_what_a_tick_did_stands_when_its_time_is_over(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    pages_of: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its receipt says what that was, and the next one begins behind it."""
    directions = range(0, 200, 40)
    await make(
        ask, memory, scope, [of(f"{n:03} {k}", n, idle_h=1 + k) for n in directions for k in (0, 1)]
    )
    pages_of(2)

    first = await tick_for(memory, 2, monkeypatch)
    waiting = await ask(WAITING, scope=scope)
    second = await tick(memory)

    assert ("cut", {"checked": 4, "deprecated": 2, "cut": 0}) == (
        first.state,
        {"cut": 0, **first.counts},
    )
    assert [f"{n:03} {k}" for n in (80, 120, 160) for k in (0, 1)] == [row["id"] for row in waiting]
    assert ("done", 3) == (second.state, second.counts["merged"])


async def test_a_late_vector_is_compared(
    settings_with: Configure, embedder: HashedEmbedder, scope: str, ask: Ask
) -> None:
    """However many ticks came before it."""
    settings = settings_with()
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        await tell(memory, NEAR[0])
        await tick(memory)
    embedder.is_down = True
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        await tell(memory, NEAR[1])
        early = await tick(memory)
        waiting = await ask(WAITING, scope=scope)
    embedder.is_down = False
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        await memory.backfill_vectors()
        late = await tick(memory)

    assert {} == early.counts
    assert 1 == len(waiting)
    assert {"merged": 1} == late.counts


async def test_a_fact_that_is_restored_is_compared(memory: AsyncGraphMemory) -> None:
    """With what was told while it was forgotten."""
    await tell(memory, NEAR[0])
    await tick(memory)
    (fact,) = await memory.semantic.list()
    await memory.semantic.forget(fact.id, "not now")
    await tell(memory, NEAR[1])
    away = await tick(memory)

    await memory.semantic.restore(fact.id)
    back = await tick(memory)

    assert {} == away.counts
    assert {"merged": 1} == back.counts


@pytest.mark.parametrize(
    ("way", "mode"),
    [("stated again", "deprecate"), ("undone", "deprecate"), ("undone", "delete")],
)
async def test_a_fact_that_decay_took_is_compared_when_it_is_back(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    way: str,
    mode: Any,
) -> None:
    """With what was told meanwhile."""
    await tell(memory, NEAR[0])
    await tick(memory)
    (fact,) = await memory.semantic.list()
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK) as run:
        await remove(run, "Fact", [Loss(fact.id, "silent")], mode=mode, by="decay")
    clock.advance(60)
    await tell(memory, NEAR[1])
    away = await tick(memory)

    if way == "undone":
        await memory.undo(run.id)
    else:
        await tell(memory, NEAR[0], mode="on")
    back = await tick(memory)

    assert {} == away.counts
    assert 1 == back.counts["merged"]


async def test_what_was_taken_back_is_left_to_who_asks(memory: AsyncGraphMemory) -> None:
    """Somebody says that they are two: no tick of the background takes that back by itself."""
    for text in NEAR:
        await tell(memory, text)
    first = await tick(memory)
    await memory.undo(first.run_id)

    again = await tick(memory)
    by_hand = await memory.consolidate_semantics()

    assert ({"merged": 1}, {}) == (first.counts, again.counts)
    assert 1 == by_hand.deleted - sum(by_hand.orphans.values())


async def test_a_fact_that_gets_a_tag_is_compared(memory: AsyncGraphMemory) -> None:
    """With what has that tag: told again, it is about something else as well."""
    await tell(memory, NEAR[0], tag="first")
    await tell(memory, NEAR[1], tag="second")
    apart = await tick(memory)

    await tell(memory, NEAR[1], tag="first", mode="on")
    together = await tick(memory)

    assert {} == apart.counts
    assert {"merged": 1} == together.counts


async def test_what_does_not_hold_yet_waits(
    memory: AsyncGraphMemory, scope: str, ask: Ask, clock: FrozenClock
) -> None:
    """It is compared once it does."""
    facts = [of("a", 0), of("b", 0, idle_h=9, valid_from=NOW + timedelta(days=1))]
    await make(ask, memory, scope, facts)

    early = await tick(memory)
    waiting = await ask(WAITING, scope=scope)
    clock.advance(timedelta(days=2))
    late = await tick(memory)

    assert {} == early.counts
    assert ["b"] == [row["id"] for row in waiting]
    assert {"merged": 1, "orphans": 0} == {"orphans": 0, **late.counts}


async def test_a_crowd_of_equals_becomes_one(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """Of many only the nearest are named: those that stay look again until one is left."""
    await make(ask, memory, scope, [of(f"{n:02}", n / 100, idle_h=n + 1.0) for n in range(60)])

    while await ask(WAITING, scope=scope):
        await tick(memory)

    assert ["00"] == [fact.id for fact in await memory.semantic.list()]


def while_it_works(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, act: Callable[[], Any]
) -> None:
    """Have somebody do something just before a part of the work, once."""
    real = getattr(owner, name)
    acts = [act]

    async def late(*args: Any, **more: Any) -> Any:
        if acts:
            await acts.pop()()
        return await real(*args, **more)

    monkeypatch.setattr(owner, name, late)


@pytest.mark.parametrize("budget_s", [600.0, None], ids=["what waits", "all"])
async def test_a_fact_that_gets_a_tag_while_it_is_compared_waits_on(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch, budget_s: float | None
) -> None:
    """With what has that tag it was not compared."""
    await tell(memory, NEAR[0], tag="first")
    await tick(memory)
    await tell(memory, NEAR[1], tag="second")
    while_it_works(monkeypatch, Plan, "make", lambda: tell(memory, NEAR[1], tag="first", mode="on"))
    (first,) = (await memory.maintain(budget_s=budget_s, steps=["consolidate"])).steps

    second = await tick(memory)

    assert ({}, {"merged": 1}) == (first.counts, second.counts)


async def test_a_fact_that_is_restored_while_it_is_compared_waits_on(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was not there when it was asked about."""
    await tell(memory, NEAR[0])
    await tick(memory)
    (fact,) = await memory.semantic.list()
    await memory.semantic.forget(fact.id, "not now")
    await tell(memory, NEAR[1])
    while_it_works(monkeypatch, Neighbours, "ask_on", lambda: memory.semantic.restore(fact.id))
    first = await tick(memory)

    second = await tick(memory)

    assert ({}, {"merged": 1}) == (first.counts, second.counts)


async def test_a_decision_about_a_fact_that_is_compared_makes_it_wait_on(
    memory: AsyncGraphMemory, scope: str, ask: Ask, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Decided before the marks are taken away, but after it was seen as protected."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9), of("c", 90)])
    await ask(
        "MATCH (b:Fact {scope: $scope, id: 'b'}) MATCH (c:Fact {scope: $scope, id: 'c'}) "
        "CREATE (b)<-[:AGAINST]-(:Decision {scope: $scope, id: 'd', state: 'open', attempts: 0})"
        "-[:ABOUT]->(c)",
        scope=scope,
    )
    settled = {"state": "settled", "attempts": 1, "error": ""}
    while_it_works(
        monkeypatch,
        Plan,
        "make",
        lambda: db.run(
            get_query("graph/settle_decision"), scope=scope, id="d", now=NOW, settled=settled
        ),
    )
    first = await tick(memory)
    waiting = await ask(WAITING, scope=scope)

    second = await tick(memory)

    assert ({"protected_decision": 1}, ["b", "c"]) == (
        await protected(memory, first),
        [row["id"] for row in waiting],
    )
    assert 1 == second.counts["merged"]


async def test_a_mark_that_is_being_set_is_waited_for(
    memory: AsyncGraphMemory, scope: str, ask: Ask, db: Database
) -> None:
    """What somebody has marked and not committed yet is not taken away either."""
    await make(ask, memory, scope, [of("a", 0)])
    clear = get_query("maintain/mark_compared")

    async def mark(transaction: Transaction) -> asyncio.Task[Any]:
        await transaction.run(get_query("tiers/pin_fact"), scope=scope, id="a", pinned=False)
        clearing = asyncio.create_task(
            db.run(clear, scope=scope, facts=[{"id": "a", "revision": 0}])
        )
        # It may come later than that: then it finds what was committed.
        await asyncio.wait([clearing], timeout=0.3)
        return clearing

    await (await db.transact(mark))

    assert [{"id": "a"}] == await ask(WAITING, scope=scope)


async def test_two_that_mark_at_once_are_told_from_one(
    memory: AsyncGraphMemory, scope: str, ask: Ask, db: Database
) -> None:
    """Neither is lost: the second one counts on from what the first one has committed."""
    await make(ask, memory, scope, [of("a", 0)])
    pin = get_query("tiers/pin_fact")

    async def mark(transaction: Transaction) -> asyncio.Task[Any]:
        await transaction.run(pin, scope=scope, id="a", pinned=False)
        other = asyncio.create_task(db.run(pin, scope=scope, id="a", pinned=False))
        # It may come later than that: then it is no test, but no failure either.
        await asyncio.wait([other], timeout=0.3)
        return other

    await (await db.transact(mark))

    told = await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.comparison_revision AS n", scope=scope
    )
    assert [{"n": 2}] == told


async def test_what_lost_its_survivor_waits_on(
    memory: AsyncGraphMemory, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not go for one that somebody forgot meanwhile; it may go for another one."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9), of("c", 90)])
    while_it_works(
        monkeypatch, consolidate, "merge", lambda: memory.semantic.forget("a", "not now")
    )

    first = await tick(memory)

    assert {} == first.counts
    assert ["b"] == [row["id"] for row in await ask(WAITING, scope=scope)]


async def test_nothing_holds_from_earlier_on_for_what_stays_after_all(
    memory: AsyncGraphMemory, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody pinned it while it was looked at: the other one says no more than it did."""
    early, late = NOW - timedelta(days=30), NOW - timedelta(days=10)
    facts = [of("a", 0, valid_from=late), of("b", 1, idle_h=9, valid_from=early)]
    await make(ask, memory, scope, facts)
    while_it_works(monkeypatch, consolidate, "merge", lambda: memory.semantic.pin("b"))

    step = await tick(memory)

    stays = await memory.semantic.get("a")
    assert stays is not None
    assert ({}, late) == (step.counts, stays.valid_from)


async def test_an_unpinned_fact_is_compared(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """It may go now."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9)])
    await memory.semantic.pin("b")
    first = await tick(memory)
    waiting = await ask(WAITING, scope=scope)

    await memory.semantic.pin("b", pinned=False)
    second = await tick(memory)

    assert ({"protected_pinned": 1}, []) == (await protected(memory, first), waiting)
    assert 1 == second.counts["merged"]


async def test_a_fact_that_is_no_more_core_is_compared(
    memory: AsyncGraphMemory, scope: str, ask: Ask, db: Database
) -> None:
    """It may go now."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9, tier="core")])
    first = await tick(memory)
    waiting = await ask(WAITING, scope=scope)

    await db.run(
        get_query("maintain/move_tiers"),
        scope=scope,
        kind="Fact",
        moves=[{"id": "b", "tier": "core", "next_tier": "working"}],
    )
    second = await tick(memory)

    assert ({"protected_core": 1}, []) == (await protected(memory, first), waiting)
    assert 1 == second.counts["merged"]


@pytest.mark.parametrize(
    ("state", "query", "params"),
    [
        (
            "open",
            "graph/settle_decision",
            {"id": "d", "now": NOW, "settled": {"state": "settled", "attempts": 1, "error": ""}},
        ),
        (
            "unchecked",
            "graph/settle_unchecked",
            {"decisions": [{"id": "d", "state": "settled"}]},
        ),
    ],
)
async def test_what_was_decided_about_is_compared(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    db: Database,
    state: str,
    query: str,
    params: dict[str, Any],
) -> None:
    """Whichever way: also where it was decided that nothing ends."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9), of("c", 90)])
    await ask(
        "MATCH (b:Fact {scope: $scope, id: 'b'}) MATCH (c:Fact {scope: $scope, id: 'c'}) "
        "CREATE (b)<-[:AGAINST]-(:Decision {scope: $scope, id: 'd', state: $state, attempts: 0})"
        "-[:ABOUT]->(c)",
        scope=scope,
        state=state,
    )
    first = await tick(memory)
    waiting = await ask(WAITING, scope=scope)

    await db.run(get_query(query), scope=scope, **params)
    second = await tick(memory)

    assert ({"protected_decision": 1}, []) == (await protected(memory, first), waiting)
    assert 1 == second.counts["merged"]


async def test_what_is_told_apart_is_compared(
    memory: AsyncGraphMemory, scope: str, ask: Ask, db: Database
) -> None:
    """What ended it, or what it ended, is said of somebody else: it is in no chain any more."""
    facts = [
        of("a", 0, subject_key="mara"),
        of("b", 1, idle_h=9, subject_key="mara"),
        of("c", 90, subject_key="mara (potter)", status="superseded", needs_comparison=False),
    ]
    await make(ask, memory, scope, facts)
    await ask(
        "MATCH (b:Fact {scope: $scope, id: 'b'}) MATCH (c:Fact {scope: $scope, id: 'c'}) "
        "CREATE (b)-[:SUPERSEDES]->(c)",
        scope=scope,
    )
    first = await tick(memory)
    waiting = await ask(WAITING, scope=scope)

    await db.run(
        get_query("graph/tell_apart"), scope=scope, now=NOW, key="mara (potter)", rest="mara"
    )
    again = await ask(WAITING, scope=scope)
    second = await tick(memory)

    assert ({"protected_chain": 1}, []) == (await protected(memory, first), waiting)
    assert ["b", "c"] == [row["id"] for row in again]
    assert 1 == second.counts["merged"]


async def test_a_protected_fact_is_counted_once(
    memory: AsyncGraphMemory, scope: str, ask: Ask, pages_of: Callable[[int], None]
) -> None:
    """However many pages it is near to."""
    known = of("pinned", 20, idle_h=9, pinned=True, needs_comparison=False)
    await make(ask, memory, scope, [of("a", 0), of("b", 40), known])
    pages_of(1)

    step = await tick(memory)

    assert {"protected_pinned": 1} == await protected(memory, step)


async def protected(memory: AsyncGraphMemory, step: MaintenanceStep) -> dict[str, int]:
    """Return what the receipt of a step says of what would have gone."""
    run = await memory.run(step.run_id)
    return {key: n for key, n in run.counts.items() if key.startswith("protected_")}
