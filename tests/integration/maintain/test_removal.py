"""What upkeep removes goes whole, and comes back whole."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState
from graphmem.db import Database
from graphmem.maintain import removal
from graphmem.maintain.removal import Loss, drop_tombstones, remove
from graphmem.maintain.runs import BudgetOver, Run, run_in
from graphmem.maintenance import RemovalMode
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture

WEEK = timedelta(days=7)
MODES = pytest.mark.parametrize("mode", ["delete", "deprecate"])


async def drop(
    db: Database, scope: str, clock: FrozenClock, mode: RemovalMode, *losses: Loss
) -> tuple[str, list[str]]:
    """Remove facts in a run; return the run's id and the ids that went."""
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK) as run:
        gone = await remove(run, "Fact", losses, mode=mode, by="decay")
        return run.id, gone


def relevant(picture: dict[str, Any]) -> dict[str, Any]:
    """Return a picture without what only says that something was there meanwhile."""
    passing = ("needs_community", "needs_comparison", "comparison_revision", "last_accessed_at")
    nodes = [
        (
            node["labels"],
            {
                key: value
                for key, value in node["props"].items()
                if key not in passing and not key.startswith("version_")
            },
        )
        for node in picture["nodes"]
    ]
    return {"nodes": nodes, "links": picture["links"]}


async def test_a_deleted_fact_is_a_tombstone(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Nothing that looks for facts finds it, and its links are kept."""
    kept = (await memory.semantic.remember("Ana keeps bees")).id
    gone = (await memory.semantic.remember("Bruno sails on Sundays")).id

    run_id, ids = await drop(db, scope, clock, "delete", Loss(gone, "it is of no use"))

    assert [gone] == ids
    assert [kept] == [fact.id for fact in await memory.semantic.list(status="all")]
    assert [kept] == [hit.fact.id for hit in await memory.semantic.search("sails bees Bruno Ana")]
    (row,) = await ask(
        "MATCH (:MaintenanceRun {id: $run})-[c:CHANGED]->(n:Tombstone {scope: $scope}) "
        "RETURN n.id AS id, n.was AS was, c.reason AS reason, COUNT { (n)-[:TAGGED]->() } AS tags",
        run=run_id,
        scope=scope,
    )
    assert row["id"] == gone
    assert row["was"] == "Fact"
    assert row["reason"] == "it is of no use"
    assert row["tags"] > 0


async def test_a_deprecated_fact_is_not_told(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """It keeps its node, and its history says when and why."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    clock.advance(60)

    await drop(db, scope, clock, "deprecate", Loss(fact.id, "it is of no use"))

    assert [] == await memory.semantic.list()
    history = await memory.semantic.history(fact.id)
    assert ["active", "deprecated"] == [version.status for version in history.versions]
    assert history.fact.status == "deprecated"


@MODES
async def test_undo_restores_everything(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    picture: Picture,
    mode: RemovalMode,
) -> None:
    """With what was handed over: evidence, tags, counts and rewards."""
    stays = await say(memory, "s1", "Ana keeps bees", tags=["honey"])
    goes = await say(memory, "s2", "Ana has bees at home", tags=["garden"])
    before = relevant(await picture(memory))

    run_id, _ = await drop(db, scope, clock, mode, Loss(goes, "it says the same", stays))
    handed = await memory.semantic.get(stays)
    report = await memory.undo(run_id)

    assert handed is not None
    assert handed.validated_count == 2
    assert 1 == report.restored
    assert before == relevant(await picture(memory))
    states = {run.operation: run.state for run in await memory.runs()}
    assert states == {"decay": RunState.UNDONE, "undo": RunState.DONE}


@MODES
async def test_a_survivor_has_the_evidence(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    ask: Ask,
    mode: RemovalMode,
) -> None:
    """Both turns state it now, and both tags lead to it; a common one is there once."""
    stays = await say(memory, "s1", "Ana keeps bees", tags=["honey", "animals"])
    goes = await say(memory, "s2", "Ana has bees at home", tags=["garden", "animals"])
    await memory.flush()

    await drop(db, scope, clock, mode, Loss(goes, "it says the same", stays))

    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) RETURN COUNT { (f)<-[:STATES]-() } AS turns, "
        "COLLECT { MATCH (f)-[:TAGGED]->(t) RETURN t.label } AS tags",
        scope=scope,
        id=stays,
    )
    assert row["turns"] == 2
    assert sorted(set(row["tags"])) == sorted(row["tags"])
    assert {"honey", "animals", "garden"} <= set(row["tags"])


@MODES
async def test_each_batch_is_in_the_receipt(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
    mode: RemovalMode,
) -> None:
    """Before the next one begins: whatever ends the run, it is told what went."""
    monkeypatch.setattr(removal, "BATCH", 2)
    texts = ("Ana keeps bees", "Bruno sails on Sundays", "Cleo paints doors")
    ids = sorted([(await memory.semantic.remember(text)).id for text in texts])
    losses = [Loss(one, "of no use") for one in ids]
    is_over = iter([False, True])
    monkeypatch.setattr(Run, "is_over", lambda _: next(is_over))

    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK) as run:
        with pytest.raises(BudgetOver):
            await remove(run, "Fact", losses, mode=mode, by="decay")
        found = await memory.run(run.id)

    assert RunState.RUNNING == found.state
    assert ({f"{mode}d": 2}, ids[:2]) == (found.counts, list(found.ids))


async def test_nothing_is_removed_in_a_scope_that_was_taken_over(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """A run that stood still for longer than it holds the scope ends with its next batch."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK) as run:
        clock.advance(timedelta(minutes=10))
        await memory.clean_orphans()

        with pytest.raises(MaintenanceBusy):
            await remove(run, "Fact", [Loss(fact.id, "of no use")], mode="delete", by="decay")

    assert [fact.id] == [left.id for left in await memory.semantic.list()]
    assert ({}, []) == (run.counts, run.ids)


async def test_protected_facts_stay(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Pinned ones, those of the core, members of supersede chains, and what waits for a judge."""
    old = await memory.semantic.remember("Ana lives in Berlin")
    clock.advance(timedelta(days=1))
    new = (await memory.semantic.supersede(old.id, "Ana lives in Tbilisi", reason="moved")).fact
    pinned = await memory.semantic.remember("Bruno sails on Sundays")
    core = await memory.semantic.remember("Cleo paints doors")
    await ask(
        "MATCH (f:Fact {scope: $scope}) WHERE f.id IN [$pinned, $core] "
        "SET f.pinned = f.id = $pinned, f.tier = CASE f.id WHEN $core THEN 'core' ELSE f.tier END",
        scope=scope,
        pinned=pinned.id,
        core=core.id,
    )

    losses = [Loss(fact.id, "of no use") for fact in (old, new, pinned, core)]
    _, gone = await drop(db, scope, clock, "delete", *losses)

    assert [] == gone
    assert 4 == len(await memory.semantic.list(status="all"))


async def test_nothing_goes_for_a_survivor_that_is_not_there(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """What it has would be lost."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")

    _, gone = await drop(db, scope, clock, "delete", Loss(fact.id, "the same", "nowhere"))

    assert [] == gone


async def test_what_was_learned_again_stays(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Undo leaves the new one in its place, and says so."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    run_id, _ = await drop(db, scope, clock, "delete", Loss(fact.id, "of no use"))
    again = await memory.semantic.remember("Bruno sails on Sundays")

    report = await memory.undo(run_id)

    assert (0, 1) == (report.restored, report.taken)
    assert [again.id] == [found.id for found in await memory.semantic.list(status="all")]


async def test_undo_has_its_time(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Once, and inside the window."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    first, _ = await drop(db, scope, clock, "delete", Loss(fact.id, "of no use"))
    await memory.undo(first)
    with pytest.raises(InputError, match="undone already"):
        await memory.undo(first)

    second, _ = await drop(db, scope, clock, "delete", Loss(fact.id, "of no use"))
    clock.advance(WEEK + timedelta(seconds=1))

    with pytest.raises(InputError, match="undo_window_days"):
        await memory.undo(second)


async def test_tombstones_go_for_good_after_the_window(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Not before."""
    fact = await memory.semantic.remember("Bruno sails on Sundays")
    await drop(db, scope, clock, "delete", Loss(fact.id, "of no use"))
    clock.advance(WEEK - timedelta(seconds=1))
    dropped = []
    for _ in range(2):
        async with run_in(db, scope, "tombstones", clock=clock, params={}, undo_window=WEEK) as run:
            dropped.append(await drop_tombstones(run))
        clock.advance(1)

    assert [0, 1] == dropped
    left = await ask("MATCH (n:Tombstone {scope: $scope}) RETURN count(n) AS n", scope=scope)
    assert [{"n": 0}] == left


async def say(memory: AsyncGraphMemory, session: str, text: str, *, tags: list[str]) -> str:
    """Add a turn that states one fact; return the fact's id."""
    subject, _, rest = text.partition(" ")
    predicate, _, what = rest.partition(" ")
    receipt = await memory.add_turn(
        text,
        session_id=session,
        extraction={
            "summary": text,
            "facts": [{"subject": subject, "predicate": predicate, "object": what, "tags": tags}],
        },
        wait=True,
    )
    evidence = await memory.get_turn(receipt.turn_id)
    assert evidence is not None
    return evidence.facts[0].id
