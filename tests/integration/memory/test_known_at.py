"""What a memory knew at a time: the turns that were stored by then, and facts as it told them."""

from __future__ import annotations

from datetime import timedelta

from graphmem import AsyncGraphMemory
from graphmem.models import Recall
from graphmem.testing import FrozenClock

DAY = 86_400


def facts_of(answer: Recall) -> list[str]:
    """Return the texts of an answer's facts, sorted."""
    return sorted(hit.fact.text for hit in answer.facts)


def sessions_of(answer: Recall) -> set[str]:
    """Return the sessions of an answer's turns."""
    return {hit.turn.session_id for hit in answer.turns}


async def test_a_recall_tells_what_was_known_then(
    memory: AsyncGraphMemory,
    clock: FrozenClock,
) -> None:
    """A move that was stored later is not known, nor is an old conversation imported later."""
    await memory.add_turn(
        "Where does Ines live?",
        "Ines lives in Porto.",
        session_id="first",
        extraction={"triples": [["Ines", "lives in", "Porto"]]},
        wait=True,
    )
    then = clock.now() + timedelta(seconds=1)
    clock.advance(DAY)
    await memory.add_turn(
        "Ines moved.",
        "Ines lives in Faro now.",
        session_id="second",
        extraction={"triples": [["Ines", "lives in", "Faro"]]},
        wait=True,
    )
    await memory.add_turn(
        "Where did Ines live before?",
        "Ines lived with her aunt.",
        session_id="imported",
        at=then - timedelta(days=30),
        extraction={"facts": ["Ines lived with her aunt."]},
        wait=True,
    )

    known = await memory.recall("Where does Ines live?", known_at=then)
    now = await memory.recall("Where does Ines live?")

    assert ["Ines lives in Porto"] == facts_of(known)
    assert {"first"} == sessions_of(known)
    assert then == known.known_at
    assert "Ines lives in Faro" in facts_of(now)
    assert "Ines lives in Porto" not in facts_of(now)
    assert {"first", "second", "imported"} == sessions_of(now)


async def test_before_anything_was_known_nothing_is_told(
    memory: AsyncGraphMemory,
    clock: FrozenClock,
) -> None:
    """Although what was said is older."""
    before = clock.now() - timedelta(seconds=1)
    await memory.add_turn(
        "Where does Ines live?",
        "In Porto.",
        at=before - timedelta(days=9),
        extraction={"triples": [["Ines", "lives in", "Porto"]]},
        wait=True,
    )

    answer = await memory.recall("Where does Ines live?", known_at=before)

    assert ((), ()) == (answer.turns, answer.facts)


async def test_no_secret_fact_rides_along_in_what_was_known(
    memory: AsyncGraphMemory,
    clock: FrozenClock,
) -> None:
    """As in every recall."""
    await memory.add_turn("The safe of Ines?", "She has one.", wait=True)
    await memory.semantic.remember("The code of the safe of Ines is 4711.", sensitivity="secret")
    clock.advance(1)

    answer = await memory.recall("What is the code of the safe of Ines?", known_at=clock.now())

    assert () == answer.facts
    assert answer.turns
