"""Mnemosyne's routine: consolidate first, then decay, and one report of both."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState
from graphmem.db import Database
from graphmem.maintain.consolidation import consolidate
from graphmem.maintain.runs import run_in
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_decay import change
from tests.integration.maintain.test_removal import relevant

DAY = timedelta(days=1)


async def grow(
    memory: AsyncGraphMemory, clock: FrozenClock, ask: Ask, scope: str
) -> tuple[str, str, str]:
    """Make two facts that are as near as can be, both in use, and one that nobody uses."""
    kept = await memory.semantic.remember("Ana keeps bees", tags=["honey"])
    double = await memory.semantic.remember("Cleo paints doors", tags=["honey"])
    idle = await memory.semantic.remember("Bruno sails on Sundays")
    await ask(
        "MATCH (a:Fact {scope: $scope, id: $kept}), (b:Fact {scope: $scope, id: $double}) "
        "SET b.embedding_a = a.embedding_a, b.embedding_b = a.embedding_b, "
        "b.subject_key = '', a.subject_key = '', b.object_key = '', a.object_key = '', "
        "b.predicate_key = '', a.predicate_key = '', b.text = 'Ana keeps  bees'",
        scope=scope,
        kept=kept.id,
        double=double.id,
    )
    clock.advance(5 * DAY)
    for fact_id, uses in ((kept.id, 9), (double.id, 3)):
        await change(ask, scope, fact_id, recall_count=uses, last_accessed_at=clock.now())
    return kept.id, double.id, idle.id


@pytest.mark.parametrize("mode", ["delete", "deprecate"])
async def test_first_doubles_go_and_then_what_nobody_uses(
    *, memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, mode: str
) -> None:
    """What goes as a double is not looked at by decay; the sums are those of both."""
    kept, double, idle = await grow(memory, clock, ask, scope)

    dry = await memory.consolidate_and_decay(mode=mode, dry_run=True)  # type: ignore[arg-type]  # a mode
    report = await memory.consolidate_and_decay(mode=mode)  # type: ignore[arg-type]  # a mode

    assert [double] == [one.id for one in report.consolidation.removed if one.kind == "Fact"]
    assert [idle] == [one.id for one in report.decay.removed if one.kind == "Fact"]
    assert [kept] == [fact.id for fact in await memory.semantic.list()]
    assert report.checked == 3 + 2
    for name in ("consolidated", "decayed", "checked"):
        assert getattr(dry, name) == getattr(report, name), name
    runs = {run.operation: run for run in await memory.runs()}
    whole = runs["consolidate_and_decay"]
    assert (whole.id, whole.state) == (report.run_id, RunState.DONE)
    assert {runs["consolidate"].part_of, runs["decay"].part_of} == {whole.id}
    assert whole.counts["decayed"] == report.decayed


@pytest.mark.parametrize("mode", ["delete", "deprecate"])
async def test_what_is_told_of_no_longer_counts_as_gone_too(
    *,
    memory: AsyncGraphMemory,
    clock: FrozenClock,
    scope: str,
    ask: Ask,
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
) -> None:
    """Of many doubles only the first are told of; a dry decay looks at none of them."""
    _, double, _ = await grow(memory, clock, ask, scope)
    monkeypatch.setattr(consolidate, "KEPT_IDS", 0)

    dry = await memory.consolidate_and_decay(mode=mode, dry_run=True)  # type: ignore[arg-type]  # a mode

    ids = dry.consolidation.deprecated_ids or dry.consolidation.deleted_ids[:1]
    assert ((), (double,)) == (dry.consolidation.removed, ids)
    assert 3 + 2 == dry.checked


async def test_one_undo_takes_both_back(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, picture: Picture
) -> None:
    """Everything is as it was."""
    await grow(memory, clock, ask, scope)
    before = relevant(await picture(memory))

    report = await memory.consolidate_and_decay()
    await memory.undo(report.run_id)

    assert report.consolidated
    assert report.decayed
    assert before == relevant(await picture(memory))


async def test_the_scope_is_held_for_both(
    *, memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """While another operation works it does not begin."""
    async with run_in(db, scope, "orphans", clock=clock, params={}, undo_window=DAY):
        with pytest.raises(MaintenanceBusy):
            await memory.consolidate_and_decay()


async def test_a_bad_parameter_of_the_second_stops_the_first(memory: AsyncGraphMemory) -> None:
    """Nothing is done by halves."""
    with pytest.raises(InputError, match="threshold"):
        await memory.consolidate_and_decay(decay_threshold=3)

    assert [] == await memory.runs()
