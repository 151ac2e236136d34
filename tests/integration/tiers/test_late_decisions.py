"""Facts of a bulk load: decided about as all others are, as soon as they have their vectors."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, DecisionKind
from tests.integration.tiers.conftest import Configure, day

# So many turns at once are a bulk load.
BULK = 20


def load(*told: tuple[int, str]) -> list[dict[str, Any]]:
    """Return a bulk of turns: those that are told, of their months, among others."""
    turns: list[dict[str, Any]] = [
        {
            "question": f"noise {n}",
            "at": day(1) + timedelta(hours=n),
            "extraction": {"facts": [f"Crate {n} holds {n} jars."]},
        }
        for n in range(BULK)
    ]
    return turns + [
        {"question": text, "at": day(month), "turn_key": text, "extraction": {"facts": [text]}}
        for month, text in told
    ]


async def test_a_bulk_load_ends_as_if_each_turn_had_come_alone(memory: AsyncGraphMemory) -> None:
    """What says the same in other words is one fact with all its evidence; a move supersedes."""
    receipts = await memory.add_turns(
        load(
            (2, "the heating hums in the old hall at night"),
            (3, "at night the heating hums in the old hall"),
            (2, "Iris lives in Ulm."),
            (4, "Iris just moved to Bonn."),
        ),
        wait=True,
    )

    await memory.flush()

    facts = {fact.text: fact for fact in await memory.semantic.list(limit=99)}
    assert BULK + 2 == len(facts)
    hums = facts["the heating hums in the old hall at night"]
    assert {receipts[BULK].turn_id, receipts[BULK + 1].turn_id} == set(hums.turn_ids)
    assert 2 == hums.validated_count
    assert "Iris just moved to Bonn." in facts
    assert "Iris lives in Ulm." not in facts
    assert [] == await memory.semantic.conflicts(state="unchecked")
    kinds = [one.kind for one in await memory.semantic.conflicts(limit=99)]
    assert BULK + 4 == len(kinds)
    assert 1 == kinds.count(DecisionKind.DEDUP)
    assert 1 == kinds.count(DecisionKind.SUPERSEDE)


async def test_an_older_import_makes_what_is_known_hold_for_longer(
    memory: AsyncGraphMemory,
) -> None:
    """What was told in June was so in February already."""
    known = await memory.semantic.remember("the heating hums in the old hall at night")

    await memory.add_turns(load((2, "at night the heating hums in the old hall")), wait=True)
    await memory.flush()

    fact = await memory.semantic.get(known.id)
    assert fact is not None
    assert (day(2), None, "active") == (fact.valid_from, fact.valid_to, fact.status)
    assert BULK + 1 == len(await memory.semantic.list(limit=99))


async def test_with_the_pipeline_off_nothing_waits_for_a_vector(memory: AsyncGraphMemory) -> None:
    """It is written straight through, and not looked at again."""
    await memory.configure(conflict_mode="off")
    at_once = load((2, "Iris lives in Ulm."), (4, "Iris just moved to Bonn."))

    await memory.add_turns(at_once, wait=True)
    waiting = await memory.semantic.conflicts(state="unchecked")
    await memory.flush()

    assert [] == waiting
    assert BULK + 2 == len(await memory.semantic.list(limit=99))


async def test_numbers_keep_facts_of_a_bulk_load_apart(memory: AsyncGraphMemory) -> None:
    """The crates of the load are alike but for their numbers: each stays."""
    await memory.add_turns(load(), wait=True)

    await memory.flush()

    assert BULK == len(await memory.semantic.list(limit=99))
    assert [] == await memory.semantic.list(status="superseded")


@pytest.mark.parametrize("told", [1, BULK])
async def test_without_an_embedder_nothing_waits_for_a_vector(
    settings_with: Configure, told: int
) -> None:
    """There will be none: what was decided stands."""
    settings = settings_with(embedding_model="none")
    async with await AsyncGraphMemory.open(settings) as memory:
        await memory.add_turns(load()[:told], wait=True)

        assert [] == await memory.semantic.conflicts(state="unchecked")
        assert told == len(await memory.semantic.list(limit=99))
