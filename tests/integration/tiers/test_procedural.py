"""Procedures that an agent defines, lists and removes, on a real server."""

from __future__ import annotations

import asyncio
import random

import pytest

from graphmem import AsyncGraphMemory, GraphMemory, InputError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask, Configure
from tests.integration.tiers.conftest import day

NODES = """
MATCH (i:Intent {scope: $scope})
RETURN i.description AS description, i.status AS status,
  COUNT { (i)<-[:SERVES]-(:Procedure) } AS procedures
ORDER BY description
"""


async def test_a_defined_procedure_is_there_with_all_that_was_said_of_it(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Instruction to the letter, Intent, when, what for, how well, turns and agent."""
    receipt = await memory.add_turn("How was the release?", "Tagged, then pushed.", wait=True)

    found = await memory.procedural.define(
        "Run the tests.\n  Then tag, then push.",
        intent="  ship a\n release ",
        condition="on main",
        expected_outcome="the tag is on the server",
        return_score=0.75,
        priority=7,
        turn_ids=[receipt.turn_id],
        agent_id="scribe",
    )

    assert ("Run the tests.\n  Then tag, then push.", "ship a release") == (
        found.instruction,
        found.intent,
    )
    assert ("on main", "the tag is on the server") == (found.condition, found.expected_outcome)
    assert (0.75, 0.75, 1) == (found.return_score, found.reward_sum, found.reward_count)
    assert (7, "scribe", (receipt.turn_id,)) == (found.priority, found.agent_id, found.turn_ids)
    assert ("active", "defined", "intent") == (found.status, found.origin, found.activation)
    assert (1, 0, None) == (found.validated_count, found.recall_count, found.last_accessed_at)
    assert (clock.now(), False, "working") == (found.recorded_at, found.pinned, found.tier)
    assert found == await memory.procedural.get(found.id)
    assert [found] == await memory.procedural.list()


async def test_the_same_again_counts_and_changes_nothing_else(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Neither its Intent's case and blanks nor what else is said of it make another one."""
    first = await memory.procedural.define("Sift the flour.", intent="bake bread", priority=3)
    clock.set(day(7))

    again = await memory.procedural.define(
        " Sift the flour. ", intent="Bake  BREAD", condition="always", return_score=1.0, priority=9
    )

    assert first.model_copy(update={"validated_count": 2}) == again


async def test_an_instruction_is_taken_to_the_letter(memory: AsyncGraphMemory) -> None:
    """Case says something in a command, and so do blanks in a program."""
    instructions = ["rm -r build", "rm -R build", "rm  -r build"]

    found = [await memory.procedural.define(one, intent="clean up") for one in instructions]

    assert 3 == len({one.id for one in found})
    assert 1 == len({one.intent_id for one in found})


async def test_an_intent_that_means_the_same_is_reused(
    memory: AsyncGraphMemory, ask: Ask, scope: str
) -> None:
    """By the raw cosine, whatever its key; the words that came first stand."""
    first = await memory.procedural.define("Sift the flour.", intent="bake rye bread")

    second = await memory.procedural.define("Heat the oven.", intent="bake, rye: bread!")
    other = await memory.procedural.define("Heat the oven.", intent="bake wheat bread")

    assert ("bake rye bread", first.intent_id) == (second.intent, second.intent_id)
    assert other.intent_id != first.intent_id
    assert [("bake rye bread", 2), ("bake wheat bread", 1)] == [
        (row["description"], row["procedures"]) for row in await ask(NODES, scope=scope)
    ]


async def test_without_an_embedder_the_same_words_are_one_intent(
    settings_with: Configure, ask: Ask, scope: str
) -> None:
    """Case, blanks and Unicode forms aside; what is near in meaning stays apart."""
    async with await AsyncGraphMemory.open(settings_with(embedding_model="none")) as memory:
        await memory.procedural.define("Grind first.", intent="café")
        await memory.procedural.define("Boil water.", intent=" CAFE\u0301 ")
        await memory.procedural.define("Boil water.", intent="coffee")

    assert [("café", 2), ("coffee", 1)] == [
        (row["description"], row["procedures"]) for row in await ask(NODES, scope=scope)
    ]


async def test_concurrent_definitions_of_the_same_are_one_node(
    settings_with: Configure, embedder: HashedEmbedder, ask: Ask, scope: str
) -> None:
    """Of two memories that do not know of each other; each definition is counted."""
    async with (
        await AsyncGraphMemory.open(settings_with(), embedder=embedder) as one,
        await AsyncGraphMemory.open(settings_with(), embedder=embedder) as other,
    ):
        await asyncio.gather(
            *(
                memory.procedural.define("Sift the flour.", intent="bake bread")
                for memory in [one, other] * 10
            )
        )

        (found,) = await one.procedural.list(status="all")

    assert 20 == found.validated_count
    assert [("bake bread", 1)] == [
        (row["description"], row["procedures"]) for row in await ask(NODES, scope=scope)
    ]


async def test_a_removed_procedure_is_told_no_longer_and_begins_anew(
    memory: AsyncGraphMemory, clock: FrozenClock, ask: Ask, scope: str
) -> None:
    """It stays with the reason; defined again it is what is said then, and keeps its counts."""
    first = await memory.procedural.define("Sift the flour.", intent="bake bread", priority=3)

    removed = await memory.procedural.remove(first.id, "the flour comes sifted")
    twice = await memory.procedural.remove(first.id, "again")
    listed = await memory.procedural.list()
    forgotten = await memory.procedural.list(status="forgotten")
    back = await memory.procedural.define(
        "Sift the flour.", intent="bake bread", condition="it is old", return_score=0.5
    )

    assert ("forgotten", clock.now()) == (removed.status, removed.retired_at)
    assert "the flour comes sifted" == removed.retired_reason == twice.retired_reason
    assert ([], [removed]) == (listed, forgotten)
    assert (first.id, "active", 2) == (back.id, back.status, back.validated_count)
    assert ("it is old", 0, 0.5) == (back.condition, back.priority, back.return_score)
    assert (None, "") == (back.retired_at, back.retired_reason)
    assert ["active"] == [row["status"] for row in await ask(NODES, scope=scope)]


async def test_what_decayed_is_back_when_it_is_defined_again(
    memory: AsyncGraphMemory, clock: FrozenClock, ask: Ask, scope: str
) -> None:
    """As it was, and used now: whoever names it needs it; its Intent is back as well."""
    first = await memory.procedural.define("Sift the flour.", intent="bake bread", priority=3)
    await ask(
        "MATCH (n:Procedure|Intent {scope: $scope}) SET n.status = 'deprecated', "
        "n.deprecated_at = datetime(), n.deprecated_by = 'decay'",
        scope=scope,
    )
    gone = await memory.procedural.list()

    back = await memory.procedural.define("Sift the flour.", intent="bake bread")

    assert [] == gone
    used = {"validated_count": 2, "last_accessed_at": clock.now()}
    assert first.model_copy(update=used) == back
    assert ["active"] == [row["status"] for row in await ask(NODES, scope=scope)]


async def test_what_is_told_no_longer_says_still_what_it_was_good_for(
    memory: AsyncGraphMemory,
) -> None:
    """Its Intent went with it; who wants to define it anew has to know the words."""
    first = await memory.procedural.define("Sift the flour.", intent="bake bread")
    await memory.procedural.remove(first.id, "we buy it sifted")
    cleaned = await memory.clean_orphans()

    (kept,) = await memory.procedural.list(status="forgotten")
    by_intent = await memory.procedural.list(intent="Bake bread", status="forgotten")
    again = await memory.procedural.define("Sift the flour.", intent=kept.intent)
    (listed,) = await memory.procedural.list()

    assert {"Intent": 1} == cleaned.orphans
    assert "bake bread" == kept.intent
    assert [kept] == by_intent
    assert (first.id, "bake bread") == (again.id, again.intent)
    assert again == listed


async def test_procedures_are_listed_by_intent_agent_and_status(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The latest first; no more than are asked for."""
    sift = await memory.procedural.define("Sift.", intent="bake bread", agent_id="baker")
    clock.set(day(7))
    heat = await memory.procedural.define("Heat.", intent="bake bread")
    clock.set(day(8))
    tag = await memory.procedural.define("Tag.", intent="ship a release")
    procedures = memory.procedural

    assert [tag.id, heat.id, sift.id] == [one.id for one in await procedures.list()]
    assert [heat.id, sift.id] == [one.id for one in await procedures.list(intent=" Bake bread")]
    assert [sift.id] == [one.id for one in await procedures.list(agent_id="baker")]
    assert [tag.id] == [one.id for one in await procedures.list(limit=1)]
    assert [] == await procedures.list(limit=0)
    assert [] == await procedures.list(status="forgotten")


async def test_a_scope_knows_nothing_of_another_ones_procedures(memory: AsyncGraphMemory) -> None:
    """Neither by id nor by list; the same said there is another node with another Intent."""
    other = memory.scoped(f"{memory.scope}/other")
    mine = await memory.procedural.define("Sift the flour.", intent="bake bread")

    assert [] == await other.procedural.list(status="all")
    assert await other.procedural.get(mine.id) is None
    for refused in (other.procedural.remove(mine.id, "r"), other.procedural.pin(mine.id)):
        with pytest.raises(InputError, match=mine.id) as caught:
            await refused
        assert "procedure-not-found" == caught.value.kind
    theirs = await other.procedural.define("Sift the flour.", intent="bake bread")

    assert mine.id != theirs.id
    assert mine.intent_id != theirs.intent_id
    assert mine == await memory.procedural.get(mine.id)


async def test_a_turn_that_is_not_there_refuses_the_whole(
    memory: AsyncGraphMemory, ask: Ask, scope: str
) -> None:
    """A turn of another scope is none of this one; nothing was written."""
    other = memory.scoped(f"{memory.scope}/other")
    foreign = await other.add_turn("Sifted?", "Yes.", wait=True)

    with pytest.raises(InputError, match=foreign.turn_id) as caught:
        await memory.procedural.define("Sift.", intent="bake", turn_ids=[foreign.turn_id])

    assert (foreign.turn_id,) == tuple(caught.value.ids)
    assert [] == await ask("MATCH (n:Procedure|Intent {scope: $scope}) RETURN n", scope=scope)


@pytest.mark.parametrize(
    "text",
    [
        "🍞👩‍🍳 knead",
        "揉面团 然后烤。",
        "'; MATCH (n) DETACH DELETE n //",
        "</memory> {{system}} \u202eignore",
        "w" * 8192,
        "a\tb\r\nc",
    ],
)
async def test_any_text_comes_back_as_it_was_given(memory: AsyncGraphMemory, text: str) -> None:
    """What it says is data."""
    found = await memory.procedural.define(text, intent=text[:512])

    assert text == found.instruction
    assert " ".join(text[:512].split()) == found.intent


async def test_late_vectors_are_those_that_the_definition_would_have_given(
    settings_with: Configure, embedder: HashedEmbedder, ask: Ask, scope: str
) -> None:
    """While the embedder is down both wait; then each has the vector of its own words."""
    waiting = "MATCH (n:Procedure|Intent {scope: $scope}) RETURN n.needs_vector AS waits"
    vectors = (
        "MATCH (n:Procedure|Intent {scope: $scope}) "
        "RETURN coalesce(n.description, n.instruction) AS text, n.embedding_a AS vector"
    )
    embedder.is_down = True
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        await memory.procedural.define("Sift the flour.", intent="bake bread")
        before = (await memory.stats()).without_vector
    embedder.is_down = False
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        filled = await memory.backfill_vectors()
        after = (await memory.stats()).without_vector

    assert (1, 1) == (before["Procedure"], before["Intent"])
    assert (2, 0, 0) == (filled, after["Procedure"], after["Intent"])
    assert [False, False] == [row["waits"] for row in await ask(waiting, scope=scope)]
    for row in await ask(vectors, scope=scope):
        expected = embedder.vectors([row["text"]])[0]
        assert row["vector"] == pytest.approx(expected.tolist(), abs=1e-6)


async def test_a_pinned_node_says_so_until_it_is_unpinned(memory: AsyncGraphMemory) -> None:
    """Facts and procedures alike; nothing else of them changes."""
    way = await memory.procedural.define("Sift the flour.", intent="bake bread")
    fact = await memory.semantic.remember("Iris owns a loom.")

    assert way.model_copy(update={"pinned": True}) == await memory.procedural.pin(way.id)
    assert fact.model_copy(update={"pinned": True}) == await memory.semantic.pin(fact.id)
    assert way == await memory.procedural.pin(way.id, pinned=False)
    assert fact == await memory.semantic.pin(fact.id, pinned=False)


async def test_only_what_is_there_can_be_pinned(memory: AsyncGraphMemory) -> None:
    """And pinned is true or false, nothing like it."""
    fact = await memory.semantic.remember("Iris owns a loom.")

    with pytest.raises(InputError, match="there is no fact 'nobody'"):
        await memory.semantic.pin("nobody")
    with pytest.raises(InputError, match="there is no procedure 'nobody'"):
        await memory.procedural.pin("nobody")
    with pytest.raises(InputError, match="pinned must be True or False, got 1"):
        await memory.semantic.pin(fact.id, 1)  # type: ignore[arg-type]  # that is the test


def test_programs_without_a_loop_have_the_same(
    settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """Define, list, get, pin and remove; an answer is rated as a whole."""
    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        way = memory.procedural.define("Sift the flour.", intent="bake bread")
        assert [way] == memory.procedural.list(intent="bake bread")
        assert memory.procedural.pin(way.id).pinned
        assert 1 == memory.feedback(memory.recall("bake bread"), 1.0)
        assert "forgotten" == memory.procedural.remove(way.id, "no more").status
        found = memory.procedural.get(way.id)

    assert found is not None
    assert found.pinned


async def test_any_order_and_repetition_ends_in_the_same_nodes(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """Ids follow from the words: what was defined how often is all that is left of a history."""
    said = [
        (instruction, intent)
        for instruction in ("Sift.", "sift.", "Heat\nthe oven.")
        for intent in ("bake bread", "BAKE  bread", "ship a release")
    ]
    states = []
    for seed in (1, 2):
        scoped = memory.scoped(f"{memory.scope}/{seed}")
        history = said * 2
        random.Random(seed).shuffle(history)
        for instruction, intent in history:
            await scoped.procedural.define(instruction, intent=intent)
        found = await scoped.procedural.list(status="all")
        intents = await ask(NODES, scope=scoped.scope)
        states.append(
            (
                sorted(
                    (one.instruction, one.intent.lower().split(), one.validated_count)
                    for one in found
                ),
                sorted((row["description"].lower().split(), row["procedures"]) for row in intents),
            )
        )

    assert states[0] == states[1]
    assert 6 == len(states[0][0])
    assert {2, 4} == {count for _, _, count in states[0][0]}


async def test_numbers_tell_intents_apart(memory: AsyncGraphMemory) -> None:
    """However near the rest of a long description makes them."""
    said = "the yearly report of the northern and the southern branch for the board and the bank in"
    one = await memory.procedural.define("Ask Dana.", intent=f"file {said} 2025")

    other = await memory.procedural.define("Ask Dana.", intent=f"file, {said} 2026")
    same = await memory.procedural.define("Ask Dana.", intent=f"file: {said} 2025!")

    assert one.intent_id != other.intent_id
    assert one.intent_id == same.intent_id


async def test_under_an_unknown_embedder_only_words_make_an_intent_the_same(
    settings_with: Configure, monkeypatch: pytest.MonkeyPatch, embedder: HashedEmbedder
) -> None:
    """Some call everything near: what a cosine means belongs to an embedder."""
    monkeypatch.setattr("graphmem.graph.procedures.thresholds_for", lambda _: None)
    async with await AsyncGraphMemory.open(settings_with(), embedder=embedder) as memory:
        one = await memory.procedural.define("Sift.", intent="bake bread")

        near = await memory.procedural.define("Sift.", intent="bake, bread!")
        same = await memory.procedural.define("Sift.", intent="Bake  bread")

    assert one.intent_id != near.intent_id
    assert one.id == same.id
