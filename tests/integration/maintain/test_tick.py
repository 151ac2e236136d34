"""One tick of upkeep: its steps, its time, and the background that runs it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState
from graphmem.db import Database
from graphmem.errors import StoreError
from graphmem.late_vectors import LateVectors
from graphmem.maintain.decay import tiered
from graphmem.maintain.runs import BudgetOver, run_in
from graphmem.maintenance import STEPS
from graphmem.testing import FrozenClock, HashedEmbedder
from graphmem.tiers import tick as tick_module
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.conftest import Picture


async def tell(memory: AsyncGraphMemory, *facts: str, tag: str = "bees") -> None:
    """Put facts into the graph past the pipeline, so that near-duplicates are there."""
    await memory.configure(conflict_mode="off")
    for number, fact in enumerate(facts):
        await memory.add_turn(
            f"number {number}",
            turn_key=f"{tag} {fact}",
            extraction={"summary": fact, "facts": [{"text": fact, "tags": [tag]}]},
            wait=True,
        )
    await memory.flush()


NEAR = (
    "Ana keeps five hives of quiet brown bees behind the old stone barn near the river",
    "Ana keeps five hives of quiet brown bees behind the old stone barn by the river",
)


async def test_a_tick_does_every_step_in_order(memory: AsyncGraphMemory) -> None:
    """Each has a receipt of its name that is a part of the whole."""
    await tell(memory, *NEAR)
    await memory.configure(message_retention="referenced")

    report = await memory.maintain()

    assert STEPS == tuple(step.name for step in report.steps)
    assert {"done"} == {step.state for step in report.steps}
    assert () == report.errors
    runs = {run.id: run for run in await memory.runs()}
    assert runs[report.run_id].operation == "maintain"
    parts = {step.name: runs[step.run_id] for step in report.steps if step.run_id}
    assert {report.run_id} == {run.part_of for run in parts.values()}
    # What waits is filled in without one.
    assert set(STEPS) - {"backfill"} == set(parts)
    assert list(parts) == [run.operation for run in parts.values()]


async def test_a_tick_deprecates_doubles_and_undo_brings_them_back(
    memory: AsyncGraphMemory,
) -> None:
    """It deletes none, and the whole is taken back by one id."""
    await tell(memory, *NEAR)

    report = await memory.maintain()
    left = await memory.semantic.list()
    away = await memory.semantic.list(status="deprecated")
    undone = await memory.undo(report.run_id)

    assert (1, 1) == (len(left), len(away))
    assert 1 == undone.restored
    assert 2 == len(await memory.semantic.list())


async def test_a_second_tick_finds_nothing_to_do(
    memory: AsyncGraphMemory, scope: str, picture: Picture
) -> None:
    """What is clean stays as it is, node for node."""
    await tell(memory, *NEAR)
    await memory.maintain()
    before = await picture(memory)

    report = await memory.maintain()

    assert {} == {step.name: step.counts for step in report.steps if step.counts}
    assert before == await picture(memory)


async def test_one_step_alone_cleans_what_leads_nowhere(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """All of a scope is looked through for it: that is done once a tick."""
    await ask(
        "CREATE (:Tag {scope: $scope, id: 'tag', key: 'none', label: 'None', status: 'active'})",
        scope=scope,
    )

    report = await memory.maintain()

    counts = {step.name: step.counts.get("orphans") for step in report.steps}
    assert {"orphans": 1} == {name: count for name, count in counts.items() if count}


async def test_only_the_steps_that_are_wanted(memory: AsyncGraphMemory) -> None:
    """In the order of a tick, whatever the order of the list."""
    report = await memory.maintain(steps=["orphans", "backfill"])

    assert ["backfill", "orphans"] == [step.name for step in report.steps]


@pytest.mark.parametrize("steps", ["orphans", [], ["tidy"], 3])
async def test_steps_that_are_none_are_refused(memory: AsyncGraphMemory, steps: object) -> None:
    """The error tells which there are, and nothing is begun."""
    with pytest.raises(InputError, match="steps"):
        await memory.maintain(steps=steps)  # type: ignore[arg-type]

    assert [] == await memory.runs()


@pytest.mark.parametrize("budget", [0, -1, float("nan"), float("inf"), "1", True])
async def test_a_budget_that_is_none_is_refused(memory: AsyncGraphMemory, budget: object) -> None:
    """It is a positive number of seconds."""
    with pytest.raises(InputError, match="budget_s"):
        await memory.maintain(budget_s=budget)  # type: ignore[arg-type]


async def test_a_tick_ends_when_its_time_is_over(memory: AsyncGraphMemory) -> None:
    """What it did not come to is told, and the next tick does it."""
    await tell(memory, *NEAR)

    short = await memory.maintain(budget_s=1e-9)

    assert {"skipped"} == {step.state for step in short.steps}
    assert 2 == len(await memory.semantic.list())
    await memory.maintain()
    assert 1 == len(await memory.semantic.list())


async def test_a_tick_is_cut_between_two_batches(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step that it was at is told, and its receipt says so."""
    await tell(memory, *NEAR)
    real = tick_module.consolidate_scope

    async def slow(*args: object, **kwargs: object) -> object:
        part_of = kwargs["part_of"]
        part_of.deadline = 0.0  # type: ignore[attr-defined]
        return await real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(tick_module, "consolidate_scope", slow)

    report = await memory.maintain(budget_s=60)

    states = {step.name: step.state for step in report.steps}
    assert states["communities"] == "done"
    assert states["consolidate"] == "cut"
    assert states["orphans"] == "skipped"
    (cut,) = await memory.runs(operations=["consolidate"])
    assert cut.counts == {"unfinished": 1}
    assert cut.state is RunState.DONE
    assert cut.id == next(step.run_id for step in report.steps if step.name == "consolidate")


async def test_a_backfill_that_is_cut_says_so(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves no run that could tell what it did."""
    await memory.flush()
    rounds = []

    async def some(_: object, scope: str) -> int:
        rounds.append(scope)
        return 3

    monkeypatch.setattr(LateVectors, "backfill_some", some)
    monkeypatch.setattr(tick_module.Run, "is_over", lambda _: bool(rounds))

    report = await memory.maintain(budget_s=60, steps=["backfill"])

    (step,) = report.steps
    assert ("cut", {"backfilled": 3}) == (step.state, step.counts)


async def test_a_step_that_is_never_through_does_not_keep_the_others(
    memory: AsyncGraphMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next tick begins behind it, and comes to it at last; one without a time has the order."""

    async def slow(*_: object, part_of: Any, **__: object) -> None:
        part_of.deadline = 0.0
        raise BudgetOver

    monkeypatch.setattr(tick_module, "update_communities", slow)
    states = []
    for _ in range(3):
        report = await memory.maintain(budget_s=60)
        states.append([(step.name, step.state) for step in report.steps])
        clock.advance(60)
    monkeypatch.undo()
    whole = await memory.maintain()

    behind = ["consolidate", "decay", "orphans", "retention", "tombstones"]
    first = [("backfill", "done"), ("communities", "cut")]
    assert [*first, *((name, "skipped") for name in behind)] == states[0] == states[2]
    assert [*((name, "done") for name in behind), *first] == states[1]
    assert ["backfill", "communities", *behind] == [step.name for step in whole.steps]


async def test_a_decay_that_is_cut_says_so(
    memory: AsyncGraphMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a page; what it did until then is told."""
    await tell(memory, "Bruno sails on Sundays")
    await memory.maintain()
    clock.advance(timedelta(days=61))
    real = tiered._Tiers._place

    async def slow(tiers: Any, *args: Any) -> None:
        await real(tiers, *args)
        tiers.run.deadline = 0.0

    monkeypatch.setattr(tiered._Tiers, "_place", slow)
    # Where it begins is drawn: here before every id, so that the page holds the fact.
    monkeypatch.setattr(tiered, "new_id", lambda: "0" * 32)

    report = await memory.maintain(budget_s=600, steps=["decay"])

    (step,) = report.steps
    assert ("cut", {"checked": 1, "demoted": 1}) == (step.state, step.counts)
    assert "decay" == (await memory.run(step.run_id)).operation


async def test_a_tick_with_a_time_compares_what_is_new(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Else it would read a large scope again and again, and come to no end."""
    await tell(memory, *(f"{text} of farm {n}" for n in range(10) for text in NEAR[:1]))
    clock.advance(60)
    first = await memory.maintain(budget_s=60)
    clock.advance(60)
    await tell(memory, f"{NEAR[1]} of farm 3", tag="again")
    await tell(memory, f"{NEAR[1]} of farm 4")

    clock.advance(60)
    second = await memory.maintain(budget_s=60)
    clock.advance(60)
    third = await memory.maintain(budget_s=60)

    checked = {}
    for tick in (first, second, third):
        (run_id,) = (step.run_id for step in tick.steps if step.name == "consolidate")
        checked[tick.run_id] = (await memory.run(run_id)).counts
    counts = list(checked.values())
    assert [10, 2, 0] == [one["checked"] for one in counts]
    # One of the two shares no tag with what it is near to.
    assert [0, 1, 0] == [one.get("deprecated", 0) for one in counts]


async def test_what_was_not_compared_is_compared_next_time(
    memory: AsyncGraphMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand with a higher threshold, or by a tick that had no time for it."""
    await tell(memory, NEAR[0])
    await memory.maintain(steps=["consolidate"])
    clock.advance(60)
    await tell(memory, NEAR[1])
    clock.advance(60)
    await memory.consolidate_semantics(0.9999)
    clock.advance(60)
    real = tick_module.consolidate_scope

    async def late(*args: Any, **kwargs: Any) -> object:
        kwargs["part_of"].deadline = 0.0
        return await real(*args, **kwargs)

    with monkeypatch.context() as patched:
        patched.setattr(tick_module, "consolidate_scope", late)
        short = await memory.maintain(budget_s=60, steps=["consolidate"])
    clock.advance(60)

    whole = await memory.maintain(budget_s=60, steps=["consolidate"])

    assert ["cut"] == [step.state for step in short.steps]
    assert [{"merged": 1}] == [step.counts for step in whole.steps]


async def test_an_error_of_one_step_does_not_keep_the_others(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is collected, and the receipt of the whole has it."""

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("it is away", kind="unreachable")

    monkeypatch.setattr(tick_module, "update_communities", fail)

    report = await memory.maintain()

    states = {step.name: step.state for step in report.steps}
    assert states.pop("communities") == "failed"
    assert {"done"} == set(states.values())
    assert ("communities: unreachable: it is away",) == report.errors
    assert report.errors == (await memory.run(report.run_id)).errors


async def test_ticks_do_not_overlap(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Another operation in the scope keeps one out, and is told by its id."""
    async with run_in(
        db, scope, "decay", clock=clock, params={}, undo_window=timedelta(days=7)
    ) as run:
        with pytest.raises(MaintenanceBusy) as refused:
            await memory.maintain()

    assert (run.id,) == refused.value.ids


async def test_a_tick_leaves_other_scopes_alone(
    memory: AsyncGraphMemory, scope: str, picture: Picture
) -> None:
    """Node for node and relationship for relationship."""
    other = memory.scoped(f"{scope}/other")
    for one in (memory, other):
        await tell(one, *NEAR)
    before = await picture(other)

    await memory.maintain()

    assert before == await picture(other)


async def test_recall_goes_on_during_a_tick(memory: AsyncGraphMemory) -> None:
    """Every question asked meanwhile has its answer."""
    await tell(memory, *(f"{text} no {n}" for n in range(20) for text in NEAR))

    ticking = asyncio.create_task(memory.maintain())
    answers = []
    while not ticking.done():
        answers.append(await memory.recall("Who keeps bees behind the barn?"))
    await ticking

    assert answers
    assert all(answer.turns and not answer.degraded for answer in answers)


async def test_the_background_keeps_a_scope_clean(
    settings_with: Configure, embedder: HashedEmbedder, ask: Ask, scope: str
) -> None:
    """After so many turns, once they are in the graph."""
    settings = settings_with(maintenance_interval=2)
    async with await AsyncGraphMemory.open(settings, embedder=embedder) as memory:
        await tell(memory, *NEAR)
        async with asyncio.timeout(60):
            while not (await memory.runs(operations=["maintain"])):
                await asyncio.sleep(0.05)
            while (await memory.runs(operations=["maintain"]))[0].state is RunState.RUNNING:
                await asyncio.sleep(0.05)

        assert 1 == len(await memory.semantic.list())


async def test_closing_breaks_a_tick_off(
    settings_with: Configure, embedder: HashedEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait for the end of it, and the scope is free."""
    begun = asyncio.Event()

    async def endless(*_: object, **__: object) -> None:
        begun.set()
        await asyncio.sleep(600)

    monkeypatch.setattr(tick_module, "update_communities", endless)
    settings = settings_with(maintenance_interval=1)
    memory = await AsyncGraphMemory.open(settings, embedder=embedder)
    await memory.add_turn("Ana keeps bees", extraction={"summary": "Ana keeps bees"}, wait=True)
    async with asyncio.timeout(60):
        await begun.wait()

    started = datetime.now(UTC)
    await memory.close()

    assert datetime.now(UTC) - started < timedelta(seconds=20)
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as again:
        (broken, *_) = await again.runs(operations=["maintain"])
        assert broken.state is RunState.BROKEN
        await again.maintain(steps=["orphans"])
