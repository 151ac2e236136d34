"""Questions on a real server, linked to names, tags and facts; and what held at another time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.integration.conftest import Ask
from tests.integration.recall.conftest import NOW, Memory, ids, texts


async def test_two_people_of_one_name_are_neither_joined_nor_guessed(memory: Memory) -> None:
    """Who asks for Maya gets both as equals, and the sister's turn by what was said."""
    sister = await memory.add(
        "My sister Maya can't eat nuts.",
        extraction={"triples": [["Maya Brooks", "cannot eat", "nuts"]]},
    )
    await memory.add(
        "Maya from accounts signed the budget.",
        extraction={"triples": [["Maya Chen", "signed", "budget"]]},
    )
    await memory.add("Maya called.", extraction={"mentions": []})

    found = await memory.ask("what can Maya not eat")

    weights = {seed.name: seed.weight for seed in found.trace.seeds if seed.label == "Term"}
    assert sister == ids(found)[0]
    assert pytest.approx(weights["Maya Brooks"]) == weights["Maya Chen"]
    assert "Maya Chen signed budget" != texts(found)[0]


async def test_a_tag_leads_to_its_fact_and_so_to_the_turn(memory: Memory) -> None:
    """Also where neither the turn nor the fact says the word that is asked for."""
    tagged = await memory.add(
        "On Sundays she throws pots.",
        extraction={"facts": [{"text": "She throws pots", "tags": ["hobbies"]}]},
    )
    for n in range(12):
        await memory.add(f"It rained on day {n}.", extraction={"mentions": ["rain"]})

    found = await memory.ask("hobbies?", by_vector=False)

    assert {"hobbies"} <= {seed.name for seed in found.trace.seeds if seed.label == "Tag"}
    assert tagged == ids(found)[0]


async def test_facts_lead_to_turns_that_share_no_word_with_the_question(memory: Memory) -> None:
    """Two steps: what the best fact is about is spoken of elsewhere."""
    await memory.add(
        "Journal of Kilns is printed by Ember House.",
        extraction={"triples": [["Journal of Kilns", "printed by", "Ember House"]]},
    )
    second = await memory.add(
        "Ember House was founded by Ruth Vale.",
        extraction={"triples": [["Ember House", "founded by", "Ruth Vale"]]},
    )
    for n in range(12):
        await memory.add(f"Rain on day {n}.", extraction={"triples": [["rain", "fell", f"{n}"]]})

    found = await memory.ask("Who stands behind the Journal of Kilns?", limit=2)

    assert second in ids(found)
    assert found.turns[1].parts["graph"] > 1


async def superseded(memory: Memory, ask: Ask, text: str) -> None:
    """Close a fact as a later statement would."""
    await ask(
        "MATCH (f:Fact {scope: $scope, text: $text}) "
        "SET f.status = 'superseded', f.valid_to = $ended",
        scope=memory.scope,
        text=text,
        ended=NOW - timedelta(days=1),
    )


@pytest.mark.parametrize("by_vector", [True, False])
async def test_as_of_tells_what_held_then(memory: Memory, ask: Ask, by_vector: bool) -> None:
    """A superseded fact is told for the time in which it held, and only then."""
    await memory.add("Ana works in Lyon", extraction={"facts": ["Ana works in Lyon"]})
    later = {"text": "Ana works in Oslo", "valid_from": NOW - timedelta(days=1)}
    await memory.add("Ana works in Oslo now", extraction={"facts": [later]})
    await superseded(memory, ask, "Ana works in Lyon")

    then = await memory.ask(
        "Where does Ana work?", by_vector=by_vector, as_of=NOW - timedelta(days=2)
    )
    now = await memory.ask("Where does Ana work?", by_vector=by_vector)
    before = await memory.ask(
        "Where does Ana work?", by_vector=by_vector, as_of=NOW - timedelta(days=900)
    )

    assert ["Ana works in Lyon"] == texts(then)
    assert ["Ana works in Oslo"] == texts(now)
    assert [] == texts(before)
    assert (NOW - timedelta(days=2), None) == (then.as_of, now.as_of)


async def test_a_small_scope_gets_its_full_share_of_every_leg(memory: Memory, ask: Ask) -> None:
    """Nearer Turns, Facts, Terms and Tags of a neighbour take none of its places."""
    neighbour = Memory(memory.db, f"{memory.scope}/neighbour")
    said = "kiln heat"
    for n in range(60):
        await neighbour.add(said, extraction={"triples": [["kiln heat", "has", f"day {n}"]]})
    for n in range(6):
        await memory.add(
            f"{said} number {n} of a longer story",
            extraction={"triples": [[f"kiln heat {n}", "gives", f"warmth {n}"]]},
            session_id="s1",
            project="p",
            agent_id="a",
        )
    since = NOW - timedelta(days=31)

    found = await memory.ask(
        said, limit=6, session_id="s1", agent_id="a", project="p", since=since, until=NOW
    )

    labels = [seed.label for seed in found.trace.seeds]
    assert 6 == len(found.turns)
    assert 6 == len(found.facts)
    assert {"Term", "Tag", "Fact", "Turn"} <= set(labels)
    assert [{"scope": memory.scope}] == await ask(
        "UNWIND $ids AS id MATCH (n:Turn|Term|Fact|Tag {id: id}) "
        "WHERE n.scope STARTS WITH $scope RETURN DISTINCT n.scope AS scope",
        ids=[seed.id for seed in found.trace.seeds],
        scope=memory.scope,
    )
