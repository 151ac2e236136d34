"""What was recalled into a message is not remembered a second time."""

from __future__ import annotations

from graphmem import AsyncGraphMemory
from graphmem.models import ExtractionState
from graphmem.testing import ScriptedModel
from tests.integration.conftest import Ask
from tests.integration.memory.conftest import Configure


async def _told(memory: AsyncGraphMemory) -> str:
    """Remember something and return the packet of a recall of it."""
    await memory.add_turn(
        "Where is the kiln?",
        "The kiln stands in the cellar in Lyon.",
        turn_key="kiln",
        extraction={
            "summary": "The kiln stands in the cellar in Lyon.",
            "triples": [["kiln", "stands in", "cellar in Lyon"]],
        },
        wait=True,
    )
    found = await memory.recall("Where is the kiln?", max_tokens=700)
    return found.prompt()


async def test_a_host_may_hand_the_packet_in_with_the_next_message(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """The message stays exact; its text, mentions and facts are those of its own words."""
    packet = await _told(memory)
    question = f"{packet}\n\nWhen does the pottery class begin?"

    receipt = await memory.add_turn(question, "On Monday.", wait=True)

    evidence = await memory.get_turn(receipt.turn_id)
    assert evidence is not None
    assert "The kiln stands in the cellar in Lyon." in packet
    assert evidence.turn.messages[0].content == question
    assert evidence.turn.text == "user: When does the pottery class begin?\nassistant: On Monday."
    assert evidence.facts == ()
    assert receipt.dropped == ("recalled history: it was said before, and is not extracted again",)
    terms = await ask(
        "MATCH (:Turn {scope: $scope, id: $id})-[:MENTIONS]->(term:Term) RETURN term.key AS key",
        scope=memory.scope,
        id=receipt.turn_id,
    )
    assert {row["key"] for row in terms} & {"kiln", "cellar", "lyon"} == set()
    (stated,) = await ask(
        "MATCH (fact:Fact {scope: $scope}) RETURN fact.validated_count AS count",
        scope=memory.scope,
    )
    assert stated["count"] == 1


async def test_a_turn_is_found_by_its_own_words_only(memory: AsyncGraphMemory) -> None:
    """And shown by them: no packet stands inside a packet."""
    packet = await _told(memory)
    receipt = await memory.add_turn(
        f"{packet}\n\nWhen does the pottery class begin?", "On Monday.", session_id="s2", wait=True
    )

    by_old = await memory.recall("kiln cellar Lyon")
    by_new = await memory.recall(f"{packet}\n\npottery class", max_tokens=700)

    assert "text" not in {
        part
        for hit in by_old.turns
        if hit.turn.id == receipt.turn_id
        for part, score in hit.parts.items()
        if score > 0
    }
    assert by_new.query == "pottery class"
    assert by_new.turns[0].turn.id == receipt.turn_id
    assert by_new.prompt().count("<recalled_history") == 1
    assert "¦ user: When does the pottery class begin?\n¦ assistant: On Monday." in by_new.prompt()


async def test_a_turn_of_nothing_else_asks_no_model(settings_with: Configure) -> None:
    """It is stored and counts as done locally, with an empty summary; its messages are whole."""
    with ScriptedModel([{"summary": "The class begins on Monday.", "triples": []}]) as server:
        settings = settings_with(
            llm_model="scripted", llm_base_url=server.base_url, embedding_model="none"
        )
        async with await AsyncGraphMemory.open(settings) as memory:
            packet = await _told(memory)
            silent = await memory.add_messages([{"role": "user", "content": packet}], wait=True)
            spoken = await memory.add_turn(f"{packet}\nWhen is the class?", "Monday.", wait=True)
            evidence = await memory.get_turn(silent.turn_id)

    assert [request.turn_text for request in server.chat_requests] == [
        "user: When is the class?\nassistant: Monday."
    ]
    assert (silent.extraction, spoken.extraction) == (ExtractionState.LOCAL, ExtractionState.DONE)
    assert evidence is not None
    assert (evidence.turn.summary, evidence.turn.text) == ("", "user: [recalled history]")
    assert evidence.turn.messages[0].content == packet


async def test_a_packet_is_filled_from_more_turns_than_an_answer_has(
    memory: AsyncGraphMemory,
) -> None:
    """Asked with its size, a recall brings as many as it can be chosen from."""
    await memory.add_turns(
        [{"question": f"The kiln has brick number {n}.", "turn_key": str(n)} for n in range(40)],
        wait=True,
    )

    plain = await memory.recall("Which bricks has the kiln?")
    sized = await memory.recall("Which bricks has the kiln?", max_tokens=500)

    packet = sized.packet()
    assert len(plain.turns) == 6
    assert len(packet.turn_ids) > 12
    assert 430 < packet.tokens <= 500
