"""Undo when something else happened in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState, StoreError
from graphmem.db import Database
from graphmem.maintain import removal
from graphmem.maintain.removal import Loss, remove
from graphmem.maintain.runs import Run, run_in
from graphmem.maintenance import MaintenanceRun, RemovalMode
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_consolidate import make, of
from tests.integration.maintain.test_removal import MODES, WEEK, drop, relevant, say
from tests.integration.maintain.test_tiered import DAY, fade

Again = Callable[[AsyncGraphMemory, str], Awaitable[object]]


async def sails(memory: AsyncGraphMemory) -> str:
    """State a fact of two names; return its id."""
    fact = await memory.semantic.remember(
        "Bruno sails on Lake Garda", subject="Bruno", predicate="sails on", object="Lake Garda"
    )
    return fact.id


async def leads(ask: Ask, scope: str) -> list[dict[str, object]]:
    """Return what the one fact of a scope is tagged with, and what it speaks of."""
    return await ask(
        "MATCH (f:Fact {scope: $scope}) "
        "RETURN COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.key ORDER BY t.key } AS tags, "
        "COLLECT { MATCH (f)-[:SUBJECT|OBJECT]->(t:Term) RETURN t.key ORDER BY t.key } AS terms",
        scope=scope,
    )


async def _state(memory: AsyncGraphMemory, _: str) -> object:
    return await sails(memory)


async def _restore(memory: AsyncGraphMemory, fact_id: str) -> object:
    return await memory.semantic.restore(fact_id)


@pytest.mark.parametrize("again", [_state, _restore], ids=["decayed", "forgotten"])
async def test_what_is_told_again_long_after_has_its_names(
    *, memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, again: Again
) -> None:
    """Tags and names of a fact that may come back are kept as long as it is."""
    fact_id = await sails(memory)
    before = await leads(ask, scope)
    if again is _restore:
        await memory.semantic.forget(fact_id, "said in error")
    else:
        await fade(memory, clock)
    await memory.clean_orphans()
    clock.advance(10 * DAY)
    await memory.maintain(steps=["tombstones"])

    await again(memory, fact_id)

    assert before == await leads(ask, scope)


async def test_what_led_to_a_fact_goes_with_it(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """Nothing of it is left once it can be taken back no longer."""
    await sails(memory)
    await fade(memory, clock)
    await memory.clean_orphans()
    clock.advance(60 * DAY)
    await memory.tiered_decay()
    clock.advance(8 * DAY)

    await memory.maintain(steps=["tombstones"])

    left = await ask(
        "MATCH (n:!MaintenanceRun&!Decision) WHERE n.scope = $scope RETURN n", scope=scope
    )
    assert left == []


@pytest.mark.parametrize("first", [0, 1])
async def test_runs_are_undone_in_any_order(
    *,
    memory: AsyncGraphMemory,
    clock: FrozenClock,
    scope: str,
    ask: Ask,
    picture: Picture,
    first: int,
) -> None:
    """What stood for another one and went itself comes back without what it had got."""
    await make(
        ask,
        memory,
        scope,
        [
            of("a", 0, idle_h=2, recall_count=4),
            of("b", 1, idle_h=3, recall_count=2, tags=["all", "own"]),
            of("z", 90, idle_h=-1, recall_count=50),
        ],
    )
    before = relevant(await picture(memory))
    runs = [await memory.consolidate_semantics()]
    await _turn(ask, scope, "z", 0.5)
    clock.advance(timedelta(hours=1))
    runs.append(await memory.consolidate_semantics())

    await memory.undo(runs[first].run_id)
    await memory.undo(runs[1 - first].run_id)

    await _turn(ask, scope, "z", 90)
    assert [("b",), ("a",)] == [run.deleted_ids[:1] for run in runs]
    assert _usage(before) == _usage(relevant(await picture(memory)))


async def _turn(ask: Ask, scope: str, fact_id: str, degrees: float) -> None:
    vector = of("", degrees)["vector"]
    await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) "
        "CALL db.create.setNodeVectorProperty(f, 'embedding_a', "
        "$vector + [x IN range(3, 384) | 0.0])",
        scope=scope,
        id=fact_id,
        vector=vector,
    )


def _usage(picture: dict[str, object]) -> dict[str, object]:
    """Return a picture without vectors."""
    nodes = [
        (labels, {name: value for name, value in told.items() if name != "embedding_a"})
        for labels, told in picture["nodes"]  # type: ignore[attr-defined]
    ]
    return {**picture, "nodes": nodes}


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0)])
async def test_what_a_later_run_let_hold_from_earlier_on_stays(
    *,
    memory: AsyncGraphMemory,
    clock: FrozenClock,
    scope: str,
    ask: Ask,
    order: tuple[int, ...],
) -> None:
    """Until that one is undone: it holds from the earliest on of those that went for it still."""
    since = [clock.now() - days * DAY for days in (10, 20, 30, 40)]
    facts = [
        of(key, degrees, idle_h=degrees, valid_from=at)
        for key, degrees, at in zip("abcd", (0, 2, 20, 40), since, strict=True)
    ]
    await make(ask, memory, scope, facts)
    runs = []
    for threshold in (0.99, 0.9, 0.7):
        clock.advance(60)
        runs.append(await memory.consolidate_semantics(threshold))

    seen, expected, left = [], [], {0, 1, 2}
    for number in order:
        await memory.undo(runs[number].run_id)
        stays = await memory.semantic.get("a")
        assert stays is not None
        seen.append(stays.valid_from)
        left.remove(number)
        expected.append(min([since[0], *(since[1 + one] for one in left)]))

    assert [("b",), ("c",), ("d",)] == [run.deleted_ids[:1] for run in runs]
    assert expected == seen


async def test_what_another_run_deprecated_since_stays(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A fact and a procedure that were revived, and deprecated again, are the later run's."""
    fact_id = await sails(memory)
    way = await memory.procedural.define("Tag it, then push.", intent="release")
    await fade(memory, clock)
    (first,) = await memory.runs(limit=1)
    await sails(memory)
    await memory.procedural.define("Tag it, then push.", intent="release")
    clock.advance(timedelta(hours=1))
    second = await memory.decay_nodes(1.0, mode="deprecate")

    undone = await memory.undo(first.id)

    assert undone.changed == 2
    assert [] == [*await memory.semantic.list(), *await memory.procedural.list()]
    await memory.undo(second.run_id)
    assert [fact_id] == [one.id for one in await memory.semantic.list()]
    assert [way.id] == [one.id for one in await memory.procedural.list()]


async def test_what_another_run_deleted_since_is_that_runs(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A fact and a procedure that were deprecated, and purged, come back as they were purged."""
    await memory.configure(decay_purge_after_days=1)
    await sails(memory)
    await memory.procedural.define("Tag it, then push.", intent="release")
    await fade(memory, clock)
    (first, *_) = await memory.runs()
    clock.advance(DAY)
    purge = await memory.tiered_decay()

    undone = await memory.undo(first.id)
    between = await memory.semantic.list(status="all")
    await memory.undo(purge.run_id)

    assert (purge.purged, undone.changed, between) == (2, 2, [])
    assert ["deprecated"] == [one.status for one in await memory.semantic.list(status="all")]
    assert [] == await memory.procedural.list()


async def test_a_run_whose_process_ended_can_be_undone_at_once(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Nobody has to begin another one first; one that works still is left alone."""
    fact_id = await sails(memory)
    left = run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK)
    run = await left.__aenter__()
    await remove(run, "Fact", [Loss(fact_id, "of no use")], mode="delete", by="decay")
    with pytest.raises(MaintenanceBusy) as refused:
        await memory.undo(run.id)
    await ask(
        "MATCH (r:MaintenanceRun {scope: $scope}) SET r.owner = $owner",
        scope=scope,
        owner=f"{run.owner.split(':')[0]}:999999999:x",
    )

    undone = await memory.undo(run.id)

    assert refused.value.ids == (run.id,)
    assert undone.restored == 1
    assert [fact_id] == [one.id for one in await memory.semantic.list()]
    assert {"undone", "done"} == {one.state for one in await memory.runs()}
    await left.__aexit__(None, None, None)


@MODES
async def test_what_became_secret_since_comes_back_secret(
    *, memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, mode: RemovalMode
) -> None:
    """The words of what had gone may have been what made the one that stood for it secret."""
    stays = await memory.semantic.remember("Ana keeps bees behind the house")
    goes = await memory.semantic.remember("Wasps are what Ana has in her yard")
    run_id, _ = await drop(db, scope, clock, mode, Loss(goes.id, "near", stays.id))
    await memory.semantic.remember("Ana keeps bees behind the house", sensitivity="secret")

    await memory.undo(run_id)

    facts = await memory.semantic.list()
    assert {stays.id: "secret", goes.id: "secret"} == {f.id: f.sensitivity for f in facts}


@MODES
async def test_what_became_secret_far_off_comes_back_secret(
    *, memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, mode: RemovalMode
) -> None:
    """Also where what it went for had gone itself by then."""
    last = await memory.semantic.remember("Ana keeps bees behind the house")
    between = await memory.semantic.remember("Wasps are what Ana has in her yard")
    goes = await memory.semantic.remember("Hives stand beside the cellar door")
    run_id, _ = await drop(db, scope, clock, mode, Loss(goes.id, "near", between.id))
    clock.advance(60)
    await drop(db, scope, clock, mode, Loss(between.id, "near", last.id))
    await memory.semantic.remember("Ana keeps bees behind the house", sensitivity="secret")

    await memory.undo(run_id)

    facts = await memory.semantic.list()
    assert {last.id: "secret", goes.id: "secret"} == {f.id: f.sensitivity for f in facts}


async def test_what_another_one_hands_over_too_stays(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    ask: Ask,
) -> None:
    """A turn that stated all is evidence until the last of them is told again."""
    texts = (
        "Ana keeps bees",
        "Bruno sails on Sundays",
        "Cleo paints doors",
        "Dana mends nets",
    )
    stays, *others = [(await memory.semantic.remember(text)).id for text in texts]
    await ask(
        "CREATE (t:Turn {scope: $scope, id: 't', extraction: 'given', status: 'active'}) "
        "WITH t MATCH (f:Fact {scope: $scope}) WHERE f.id IN $ids "
        "CREATE (t)-[:STATES]->(f) SET f.validated_count = 2",
        scope=scope,
        ids=others,
    )
    runs = []
    for goes in others:
        clock.advance(60)
        run_id, _ = await drop(db, scope, clock, "delete", Loss(goes, "near", stays))
        runs.append(run_id)

    seen = []
    for run_id in [None, *runs]:
        if run_id:
            await memory.undo(run_id)
        rows = await ask(
            "MATCH (f:Fact {scope: $scope, id: $id}) "
            "RETURN f.validated_count AS stated, COUNT { (f)<-[:STATES]-() } AS turns",
            scope=scope,
            id=stays,
        )
        seen.append((rows[0]["stated"], rows[0]["turns"]))

    # Each was stated once without a turn.
    assert seen == [(5, 1), (4, 1), (3, 1), (1, 0)]


async def test_nothing_is_taken_back_where_no_run_handed_it_on(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """A merge of names leaves no account; and an account that is settled is kept as it was."""
    texts = ("Ana keeps bees", "Bruno sails on Sundays", "Cleo paints doors")
    goes, between, last = [(await memory.semantic.remember(text)).id for text in texts]
    await ask("MATCH (f:Fact {scope: $scope}) SET f.recall_count = 3", scope=scope)
    run_id, _ = await drop(db, scope, clock, "delete", Loss(goes, "near", between))
    await ask(
        "MATCH (one:Fact {scope: $scope, id: $one}), (other:Fact {scope: $scope, id: $other}) "
        "CREATE (one)-[:SAME_AS]->(other)",
        scope=scope,
        one=between,
        other=last,
    )

    await memory.undo(run_id)

    counts = {fact.id: fact.recall_count for fact in await memory.semantic.list()}
    assert counts == {goes: 3, between: 3, last: 3}
    kept = await ask(
        "MATCH (:MaintenanceRun {scope: $scope})-[c:CHANGED]->(:Fact) "
        "RETURN c.recall_count AS recalled, c.validated_count AS stated",
        scope=scope,
    )
    assert kept == [{"recalled": 3, "stated": 1}]


async def test_a_tag_that_was_made_anew_is_taken_back_as_well(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """What was handed on is told by its key: the node may be another one by now."""
    goes = await say(memory, "s1", "Ana keeps bees", tags=["own"])
    between = await say(memory, "s2", "Ana has hives at home", tags=["between"])
    last = await say(memory, "s3", "Bees are what Ana has", tags=["last"])
    first, _ = await drop(db, scope, clock, "delete", Loss(goes, "near", between))
    clock.advance(60)
    await drop(db, scope, clock, "delete", Loss(between, "near", last))
    await memory.semantic.forget(last, "said in error")
    assert (await memory.clean_orphans()).orphans["Tag"] > 0
    await memory.semantic.restore(last)
    before = await _tags(ask, scope)

    await memory.undo(first)

    after = await _tags(ask, scope)
    assert [last] == list(before)
    assert {"own", "between", "last"} <= before[last]
    assert (goes in after, "own" in after[goes]) == (True, True)
    assert before[last] - {"own"} == after[last]


async def _tags(ask: Ask, scope: str) -> dict[str, set[str]]:
    """Return what leads to each fact."""
    rows = await ask(
        "MATCH (f:Fact {scope: $scope}) "
        "RETURN f.id AS id, COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.label } AS tags",
        scope=scope,
    )
    return {row["id"]: set(row["tags"]) for row in rows}


async def test_what_is_deprecated_still_is_led_to_by_nothing(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask
) -> None:
    """An undone purge brings no label back that the next clean-up would take again."""
    fact_id = await sails(memory)
    await memory.procedural.define("Tag it, then push.", intent="release")
    before = await leads(ask, scope)
    await fade(memory, clock)
    await memory.clean_orphans()
    clock.advance(61 * DAY)
    purge = await memory.tiered_decay()

    undone = await memory.undo(purge.run_id)
    routes = await ask(
        "MATCH (n:Tag|Term|Intent) WHERE n.scope = $scope RETURN n.id AS id", scope=scope
    )

    assert (purge.purged, undone.restored, routes) == (2, 2, [])
    assert 0 == (await memory.clean_orphans()).deleted
    assert fact_id == await sails(memory)
    assert before == await leads(ask, scope)


async def test_of_two_at_once_one_undoes(
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other one, which asked before that was done and held the scope after it, is told so."""
    fact_id = await sails(memory)
    run_id, _ = await drop(db, scope, clock, "delete", Loss(fact_id, "of no use"))
    look = removal.get_run

    async def be_overtaken(db: Database, scope: str, run_id: str) -> MaintenanceRun:
        found = await look(db, scope, run_id)
        monkeypatch.setattr(removal, "get_run", look)
        await memory.undo(run_id)
        return found

    monkeypatch.setattr(removal, "get_run", be_overtaken)

    with pytest.raises(InputError, match="undone already") as refused:
        await memory.undo(run_id)

    assert "run-undone" == refused.value.kind
    assert [fact_id] == [one.id for one in await memory.semantic.list()]


async def test_an_undo_is_not_undone(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """It says so, rather than to do nothing."""
    fact_id = await sails(memory)
    run_id, _ = await drop(db, scope, clock, "delete", Loss(fact_id, "of no use"))
    await memory.undo(run_id)
    (undo, *_) = await memory.runs(operations=["undo"])

    with pytest.raises(InputError, match="by the operation itself") as refused:
        await memory.undo(undo.id)

    assert refused.value.kind == "undo-of-undo"
    assert [RunState.DONE] == [run.state for run in await memory.runs(operations=["undo"])]
    assert [fact_id] == [one.id for one in await memory.semantic.list()]


async def test_an_undo_that_was_cut_off_goes_on(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By undoing the same run once more; undoing the undo tells so."""
    monkeypatch.setattr(removal, "BATCH", 1)
    monkeypatch.setattr(removal, "_PAGE", 1)
    ids = [await sails(memory), (await memory.semantic.remember("Ana keeps bees")).id]
    run_id, _ = await drop(db, scope, clock, "delete", *(Loss(one, "of no use") for one in ids))
    transact = Run.transact
    batches = iter([True])

    async def once(run: Run, *given: object) -> object:
        if next(batches, False):
            return await transact(run, *given)  # type: ignore[arg-type]
        raise StoreError("the server is gone")

    with monkeypatch.context() as patched:
        patched.setattr(Run, "transact", once)
        with pytest.raises(StoreError):
            await memory.undo(run_id)
    (cut,) = await memory.runs(operations=["undo"])
    with pytest.raises(InputError, match=f"undo\\('{run_id}'\\) takes back the rest"):
        await memory.undo(cut.id)
    between = await memory.semantic.list()

    undone = await memory.undo(run_id)

    assert (cut.state, len(between)) == (RunState.FAILED, 1)
    assert (undone.restored, undone.changed) == (1, 0)
    assert sorted(ids) == sorted(one.id for one in await memory.semantic.list())
    assert RunState.UNDONE == (await memory.run(run_id)).state


async def test_a_run_that_took_nothing_away_is_no_undone_one(memory: AsyncGraphMemory) -> None:
    """Communities are made anew and tombstones go for good: neither may call itself undone."""
    communities = await memory.update_communities()
    tick = await memory.maintain(steps=["tombstones"])
    (gone,) = (step.run_id for step in tick.steps)

    for run_id in (communities.run_id, gone):
        with pytest.raises(InputError) as refused:
            await memory.undo(run_id)

        assert "nothing-to-undo" == refused.value.kind
        assert RunState.DONE == (await memory.run(run_id)).state


@pytest.mark.parametrize("first", [0, 2])
async def test_two_that_went_for_one_another_keep_what_is_theirs(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    scope: str,
    clock: FrozenClock,
    first: int,
) -> None:
    """What was handed over is taken back along the way that it went, and no further."""
    ana, bruno, cleo = [
        (await memory.semantic.remember(text)).id
        for text in ("Ana keeps bees", "Bruno sails on Sundays", "Cleo paints doors")
    ]

    async def goes(loss: Loss, mode: RemovalMode = "deprecate") -> str:
        clock.advance(60)
        run_id, gone = await drop(db, scope, clock, mode, loss)
        assert [loss.id] == gone
        clock.advance(60)
        return run_id

    runs = [await goes(Loss(cleo, "the same", ana)), await goes(Loss(ana, "the same", bruno))]
    decayed = await goes(Loss(bruno, "it is of no use"), "delete")
    assert ana == (await memory.semantic.remember("Ana keeps bees")).id
    await memory.undo(decayed)
    runs.append(await goes(Loss(bruno, "the same", ana)))

    await memory.undo(runs[first])
    await memory.undo(runs[2 - first])

    facts = [await memory.semantic.get(fact_id) for fact_id in (ana, bruno, cleo)]
    # Ana was stated again; Bruno keeps what it got for her, who came back by that.
    assert [2, 2, 1] == [fact.validated_count for fact in facts if fact is not None]
