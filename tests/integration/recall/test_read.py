"""Reading without a question."""

from __future__ import annotations

import json

from graphmem.recall.read import get_evidence, stats
from tests.integration.conftest import Ask
from tests.integration.recall.conftest import Memory


async def test_evidence_is_the_turn_with_all_that_it_states(memory: Memory, ask: Ask) -> None:
    """Messages in order; a fact that holds no longer is told with its status."""
    turn = await memory.add(
        "Where is Ana?",
        "In Lyon.",
        extraction={"facts": [["Ana", "lives in", "Lyon"], ["Ana", "likes", "Lyon"]]},
    )
    await ask(
        "MATCH (f:Fact {scope: $scope, predicate: 'likes'}) SET f.status = 'superseded'",
        scope=memory.scope,
    )

    found = await get_evidence(memory.db, memory.scope, turn)

    assert found is not None
    assert [message.content for message in found.turn.messages] == ["Where is Ana?", "In Lyon."]
    assert {(fact.predicate, fact.status) for fact in found.facts} == {
        ("lives in", "active"),
        ("likes", "superseded"),
    }
    assert found.facts[0].turn_ids == (turn,)


async def test_a_turn_that_is_not_there_has_no_evidence(memory: Memory) -> None:
    """Neither has one of another scope."""
    other = Memory(memory.db, f"{memory.scope}-other")
    turn = await other.add("Where is Ana?")

    assert await get_evidence(memory.db, memory.scope, "nothing") is None
    assert await get_evidence(memory.db, memory.scope, turn) is None


async def test_an_empty_scope_counts_zero(memory: Memory) -> None:
    """Every label is told, with nothing in it."""
    counted = await stats(memory.db, memory.scope)

    assert set(counted.nodes.values()) == {0}
    assert {
        "Session",
        "Message",
        "Turn",
        "Fact",
        "Term",
        "Tag",
        "Community",
        "Intent",
        "Procedure",
        "Agent",
        "RecallTrace",
    } == set(counted.nodes)
    assert set(counted.relationships.values()) <= {0}
    assert set(counted.without_vector.values()) == {0}


async def test_counts_are_those_of_the_scope_alone(memory: Memory) -> None:
    """What others store is not counted, and not named."""
    other = Memory(memory.db, f"{memory.scope}-other")
    await other.add("canary-b2", extraction={"facts": ["Wim builds kites"]})
    await memory.add("One", "Two", extraction={"facts": [["Ana", "likes", "tea"]]})
    await memory.add("Three", extraction={"mentions": ["tea"]})

    counted = await stats(memory.db, memory.scope)

    assert counted.nodes["Session"] == 1
    assert counted.nodes["Turn"] == 2
    assert counted.nodes["Message"] == 3
    assert counted.nodes["Fact"] == 1
    assert counted.nodes["Term"] == 2
    assert counted.relationships["NEXT"] == 1
    assert counted.relationships["EVIDENCE"] == 3
    assert counted.extraction == {"given": 2}
    assert "canary" not in json.dumps(counted.model_dump(mode="json"))


async def test_a_turn_made_by_hand_is_counted(memory: Memory, ask: Ask) -> None:
    """Counting is for a store in any state."""
    await ask("CREATE (:Turn {scope: $scope, id: randomUUID()})", scope=memory.scope)

    counted = await stats(memory.db, memory.scope)

    assert counted.extraction == {"unknown": 1}
