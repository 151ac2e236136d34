"""Facts that an agent states, corrects and forgets, on a real server."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, DecisionKind, InputError, Stage
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.tiers.conftest import day


async def test_a_remembered_fact_is_there_with_all_that_was_said_of_it(
    memory: AsyncGraphMemory,
) -> None:
    """Parts, tags, times, evidence, agent and sensitivity come back as they were given."""
    receipt = await memory.add_turn("Iris lives in Lyon.", wait=True)

    fact = await memory.semantic.remember(
        "Iris lives in Lyon.",
        subject="Iris",
        predicate="lives in",
        object="Lyon",
        confidence=0.75,
        tags=["home"],
        turn_ids=[receipt.turn_id],
        valid_from=day(3),
        agent_id="scribe",
        sensitivity="secret",
    )

    assert ("Iris", "lives in", "Lyon") == (fact.subject, fact.predicate, fact.object)
    assert (0.75, "scribe", "secret") == (fact.confidence, fact.agent_id, fact.sensitivity)
    assert (day(3), None) == (fact.valid_from, fact.valid_to)
    assert {"home", "Iris", "Lyon"} <= set(fact.tags)
    assert (receipt.turn_id,) == fact.turn_ids
    assert ("remembered", "active") == (fact.origin, fact.status)
    assert fact == await memory.semantic.get(fact.id)


async def test_a_fact_holds_from_now_on_where_nothing_is_said(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """valid_from is the time of the statement."""
    fact = await memory.semantic.remember("The loom is oiled with linseed oil.")

    assert (clock.now(), None) == (fact.valid_from, fact.valid_to)


async def test_the_same_statement_again_is_one_fact(memory: AsyncGraphMemory) -> None:
    """Case and blanks make no difference; it counts once more, and the log says so."""
    first = await memory.semantic.remember("Iris owns a loom.")

    again = await memory.semantic.remember_with_decision("iris  owns a LOOM.")

    assert first.id == again.fact.id
    assert (DecisionKind.DEDUP, Stage.EXACT) == (again.decision.kind, again.decision.stage)
    assert first.validated_count + 1 == again.fact.validated_count


async def test_what_was_said_before_ends_where_the_new_one_begins(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Graphorin's own example: Berlin, then Tbilisi; one holds, the other one is history."""
    old = await memory.semantic.remember("I live in Berlin")
    clock.advance(timedelta(days=30))

    new = await memory.semantic.remember_with_decision("I just moved to Tbilisi")

    ended = await memory.semantic.get(old.id)
    assert ended is not None
    assert DecisionKind.SUPERSEDE == new.decision.kind
    assert (old.id,) == new.decision.against[:1]
    assert ("superseded", new.fact.valid_from) == (ended.status, ended.valid_to)
    assert [new.fact.id] == [fact.id for fact in await memory.semantic.list()]


async def test_evidence_that_is_not_there_is_refused_whole(memory: AsyncGraphMemory) -> None:
    """The error names the turn, and no fact was written."""
    with pytest.raises(InputError, match="feedc0de") as caught:
        await memory.semantic.remember("Iris owns a loom.", turn_ids=["feedc0de"])

    assert ("feedc0de",) == caught.value.ids
    assert [] == await memory.semantic.list(status="all")
    assert [] == await memory.semantic.conflicts()


async def test_evidence_of_another_scope_is_not_there(memory: AsyncGraphMemory) -> None:
    """Scopes are walls for evidence, too."""
    foreign = await memory.scoped(f"{memory.scope}/other").add_turn("Iris owns a loom.")

    with pytest.raises(InputError, match=foreign.turn_id):
        await memory.semantic.remember("Iris owns a loom.", turn_ids=[foreign.turn_id])


async def test_an_explicit_supersede_bypasses_the_pipeline(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Two statements that have nothing in common follow on one another when the caller says so."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    clock.advance(timedelta(days=1))

    done = await memory.semantic.supersede(
        old.id, {"subject": "Studio", "predicate": "bought", "object": "wheel"}, "it was sold"
    )

    ended = await memory.semantic.get(old.id)
    assert ended is not None
    assert ("superseded", clock.now(), "it was sold") == (
        ended.status,
        ended.valid_to,
        ended.retired_reason,
    )
    assert (DecisionKind.SUPERSEDE, Stage.EXPLICIT) == (done.decision.kind, done.decision.stage)
    assert ("Studio bought wheel", "active") == (done.fact.text, done.fact.status)


async def test_what_is_planned_stays_when_what_is_so_is_superseded(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The new one comes between: it holds until the one begins that was waiting already."""
    planned = clock.now() + timedelta(days=60)
    old = await memory.semantic.remember("The kiln is fired with gas.")
    later = await memory.semantic.supersede(
        old.id, {"text": "The kiln is electric.", "valid_from": planned}, "ordered"
    )
    clock.advance(timedelta(days=1))

    done = await memory.semantic.supersede(old.id, "The kiln is fired with wood.", "gas is out")

    chain = (await memory.semantic.history(old.id)).chain
    assert [old.id, done.fact.id, later.fact.id] == [fact.id for fact in chain]
    assert [clock.now(), planned, None] == [fact.valid_to for fact in chain]
    assert "active" == done.fact.status
    told = await memory.semantic.search("kiln", as_of=planned + timedelta(days=1))
    assert [later.fact.id] == [hit.fact.id for hit in told]


async def test_what_is_planned_already_may_begin_at_once(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The fact that waits is the one that is named: it begins earlier, and still holds."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    new = {"text": "The kiln is electric.", "valid_from": clock.now() + timedelta(days=60)}
    later = await memory.semantic.supersede(old.id, new, "ordered")
    clock.advance(timedelta(days=1))

    done = await memory.semantic.supersede(old.id, "The kiln is electric.", "it came early")

    assert (later.fact.id, clock.now(), None) == (
        done.fact.id,
        done.fact.valid_from,
        done.fact.valid_to,
    )
    assert [done.fact.id] == [fact.id for fact in await memory.semantic.list()]


async def test_what_follows_a_planned_end_supersedes_what_was_planned(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A fact that is over by then is not superseded; the error names the one that holds then."""
    planned = clock.now() + timedelta(days=60)
    old = await memory.semantic.remember("The kiln is fired with gas.")
    new = {"text": "The kiln is electric.", "valid_from": planned}
    later = await memory.semantic.supersede(old.id, new, "ordered")
    after = {"text": "The kiln is fired with wood.", "valid_from": planned + timedelta(days=1)}

    with pytest.raises(InputError, match=later.fact.id):
        await memory.semantic.supersede(old.id, after, "power is dear")

    ended = await memory.semantic.get(old.id)
    assert ended is not None
    assert planned == ended.valid_to


async def test_what_is_told_no_longer_cannot_be_superseded(memory: AsyncGraphMemory) -> None:
    """The error says so, and nothing was written."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    await memory.semantic.supersede(old.id, "The kiln is fired with wood.", "rebuilt")

    with pytest.raises(InputError):
        await memory.semantic.supersede(old.id, "The kiln is electric.", "rebuilt again")

    assert 2 == len(await memory.semantic.list(status="all"))


async def test_what_is_not_there_cannot_be_superseded(memory: AsyncGraphMemory) -> None:
    """Nothing is written for an unknown id."""
    with pytest.raises(InputError):
        await memory.semantic.supersede("0" * 32, "The kiln is electric.", "rebuilt")

    assert [] == await memory.semantic.list(status="all")


async def test_two_who_supersede_the_same_fact_make_one_chain(memory: AsyncGraphMemory) -> None:
    """One of them wins, the other one is told; what holds is one fact."""
    old = await memory.semantic.remember("The kiln is fired with gas.")

    done = await asyncio.gather(
        memory.semantic.supersede(old.id, "The kiln is fired with wood.", "rebuilt"),
        memory.semantic.supersede(old.id, "The kiln runs on mains power.", "rebuilt"),
        return_exceptions=True,
    )

    assert 1 == sum(isinstance(one, InputError) for one in done)
    assert 1 == len(await memory.semantic.list())


async def test_a_forgotten_fact_is_told_no_longer_and_stays(memory: AsyncGraphMemory) -> None:
    """Neither list nor search tells it; get does, with the reason."""
    fact = await memory.semantic.remember("Iris is allergic to nuts.")

    forgotten = await memory.semantic.forget(fact.id, "she asked for it")

    assert ("forgotten", "she asked for it") == (forgotten.status, forgotten.retired_reason)
    assert [] == await memory.semantic.list()
    assert [] == await memory.semantic.search("nuts")
    assert forgotten == await memory.semantic.get(fact.id)


async def test_forgetting_twice_changes_nothing(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The first reason and time stand."""
    fact = await memory.semantic.remember("Iris is allergic to nuts.")
    first = await memory.semantic.forget(fact.id, "she asked for it")
    clock.advance(timedelta(days=1))

    second = await memory.semantic.forget(fact.id, "again")

    assert first == second


async def test_a_forgotten_fact_is_not_learned_again_from_its_turn(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The turn stays, and its extraction anew brings nothing back; a new statement does."""
    extraction = {"summary": "Nuts.", "facts": ["Iris is allergic to nuts."]}
    turn = await memory.add_turn("nuts", extraction=extraction, turn_key="one", wait=True)
    evidence = await memory.get_turn(turn.turn_id)
    assert evidence is not None
    (fact,) = evidence.facts
    clock.advance(timedelta(days=1))
    await memory.semantic.forget(fact.id, "she asked for it")
    clock.advance(timedelta(days=1))

    again = await memory.semantic.remember_with_decision("Iris is allergic to nuts.")

    assert (fact.id, "active") == (again.fact.id, again.fact.status)
    assert DecisionKind.DEDUP == again.decision.kind


async def test_what_is_stated_anew_ends_what_held_meanwhile(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A forgotten home that is stated again is a second stretch, and the home of meanwhile ends."""
    first = await memory.semantic.remember("Iris lives in Berlin.")
    clock.advance(timedelta(days=1))
    await memory.semantic.forget(first.id, "a test")
    clock.advance(timedelta(days=1))
    await memory.semantic.remember("Iris lives in Tbilisi.")
    clock.advance(timedelta(days=1))

    again = await memory.semantic.remember("Iris lives in Berlin.")

    assert first.id != again.id
    assert [again.id] == [fact.id for fact in await memory.semantic.list()]
    assert clock.now() == again.valid_from


async def test_restoring_takes_forgetting_back(memory: AsyncGraphMemory) -> None:
    """It is told again as it was; its history keeps all three."""
    fact = await memory.semantic.remember("Iris is allergic to nuts.")
    await memory.semantic.forget(fact.id, "by mistake")

    restored = await memory.semantic.restore(fact.id)

    history = await memory.semantic.history(fact.id)
    assert fact == restored
    assert ["active", "forgotten", "active"] == [one.status for one in history.versions]


async def test_a_superseded_fact_is_not_restored(memory: AsyncGraphMemory) -> None:
    """The error says what to do instead."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    await memory.semantic.supersede(old.id, "The kiln is fired with wood.", "rebuilt")

    with pytest.raises(InputError, match="remember it again") as caught:
        await memory.semantic.restore(old.id)

    assert "fact-not-forgotten" == caught.value.kind


async def test_a_superseded_fact_that_was_forgotten_is_superseded_when_restored(
    memory: AsyncGraphMemory,
) -> None:
    """Restoring brings no ended fact back into default answers."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    new = await memory.semantic.supersede(old.id, "The kiln is fired with wood.", "rebuilt")
    await memory.semantic.forget(old.id, "a typing error")

    restored = await memory.semantic.restore(old.id)

    assert "superseded" == restored.status
    assert [new.fact.id] == [fact.id for fact in await memory.semantic.list()]


@pytest.mark.parametrize("method", ["forget", "restore", "history"])
async def test_what_is_not_there_is_said_to_be_not_there(
    memory: AsyncGraphMemory, method: str
) -> None:
    """The error names the id and its kind."""
    call = getattr(memory.semantic, method)

    with pytest.raises(InputError) as caught:
        await (call("0" * 32, "why") if method == "forget" else call("0" * 32))

    assert ("fact-not-found", ("0" * 32,)) == (caught.value.kind, caught.value.ids)


async def test_a_chain_is_told_from_any_of_its_facts(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Oldest first, with the decisions that made it."""
    ids = [(await memory.semantic.remember("Iris lives in Ulm.")).id]
    for city in ("Bonn", "Kiel", "Graz"):
        clock.advance(timedelta(days=10))
        ids.append((await memory.semantic.remember(f"Iris lives in {city}.")).id)

    history = await memory.semantic.history(ids[1])

    assert ids == [fact.id for fact in history.chain]
    assert ["superseded"] * 3 + ["active"] == [fact.status for fact in history.chain]
    assert ["active", "superseded"] == [one.status for one in history.versions]
    assert {ids[1], ids[2]} == {one.fact_id for one in history.decisions}


async def test_one_decision_is_logged_a_statement(memory: AsyncGraphMemory, ask: Ask) -> None:
    """Admitted, said again, superseded: three statements, three entries."""
    old = await memory.semantic.remember("The kiln is fired with gas.")
    await memory.semantic.remember("The kiln is fired with gas.")
    await memory.semantic.supersede(old.id, "The kiln is fired with wood.", "rebuilt")

    decisions = await memory.semantic.conflicts()

    assert {"admit", "dedup", "supersede"} == {str(one.kind) for one in decisions}
    assert 3 == len(decisions)
    assert [] == await memory.semantic.conflicts(state="open")
    assert ["dedup"] == [str(one.kind) for one in await memory.semantic.conflicts(kind="dedup")]


async def test_facts_are_listed_by_subject_predicate_and_tag(memory: AsyncGraphMemory) -> None:
    """Each filter narrows; a predicate means its family."""
    lives = await memory.semantic.remember(
        "Iris lives in Ulm", subject="Iris", predicate="lives in", object="Ulm", tags=["home"]
    )
    owns = await memory.semantic.remember(
        "Iris owns loom", subject="Iris", predicate="owns", object="loom"
    )
    await memory.semantic.remember(
        "Tomas owns boat", subject="Tomas", predicate="owns", object="boat"
    )

    async def listed(**wanted: object) -> set[str]:
        return {fact.id for fact in await memory.semantic.list(**wanted)}  # type: ignore[arg-type]

    assert {lives.id, owns.id} == await listed(subject="IRIS")
    assert {owns.id} == await listed(subject="Iris", predicate="Owns")
    assert {lives.id} == await listed(predicate="resides in")
    assert {lives.id} == await listed(tags=["Home"])
    assert set() == await listed(subject="Nobody")
    assert 1 == len(await memory.semantic.list(limit=1))


async def test_what_supersedes_a_secret_is_a_secret(memory: AsyncGraphMemory) -> None:
    """Unless it is said that it is none."""
    old = await memory.semantic.remember("The gate opens with 4711.", sensitivity="secret")
    new = await memory.semantic.supersede(old.id, "The gate opens with 9922.", "changed")
    told = {"text": "The gate opens by itself.", "sensitivity": "public"}
    open_to_all = await memory.semantic.supersede(new.fact.id, told, "rebuilt")

    assert ("secret", "public") == (new.fact.sensitivity, open_to_all.fact.sensitivity)


async def test_what_the_pipeline_lets_follow_on_a_secret_is_a_secret(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """So is what a turn states; who says how far it may be told is heard."""
    facts = memory.semantic
    await facts.remember("I live in Berlin", sensitivity="secret")
    clock.advance(timedelta(days=1))
    stated = await facts.remember_with_decision("I just moved to Tbilisi")
    clock.advance(timedelta(days=1))
    draft = {"subject": "I", "predicate": "live in", "object": "Lyon", "text": "I live in Lyon"}
    await memory.add_turn("I live in Lyon now", extraction={"facts": [draft]}, wait=True)
    clock.advance(timedelta(days=1))
    (learned,) = await facts.list()

    named = await facts.remember("I just moved to Oslo", sensitivity="internal")

    assert DecisionKind.SUPERSEDE == stated.decision.kind
    assert ("I live in Lyon", "secret") == (learned.text, learned.sensitivity)
    assert ("secret", "internal") == (stated.fact.sensitivity, named.sensitivity)


async def test_what_is_known_can_become_a_secret_and_stays_one(memory: AsyncGraphMemory) -> None:
    """Stated again by somebody who does not say so, it is not given away."""
    await memory.semantic.remember("The vault word is heron.")

    secret = await memory.semantic.remember("The vault word is heron.", sensitivity="secret")
    again = await memory.semantic.remember("The vault word is heron.")

    assert ("secret", "secret") == (secret.sensitivity, again.sensitivity)


async def test_what_is_not_there_is_told_by_its_kind(memory: AsyncGraphMemory) -> None:
    """An unknown id is the same error, whatever is to be done with the fact."""
    unknown = "0" * 32

    for attempt in (
        memory.semantic.supersede(unknown, "The kiln is electric.", "rebuilt"),
        memory.semantic.forget(unknown, "gone"),
        memory.semantic.restore(unknown),
        memory.semantic.history(unknown),
    ):
        with pytest.raises(
            InputError, match="`graphmem facts list --status all` show the ids"
        ) as fault:
            await attempt
        assert "fact-not-found" == fault.value.kind
