"""No operation of upkeep touches another scope; what is old and still asked for is found."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock
from tests.integration.maintain.conftest import Picture

NAMES = ("Ana", "Bruno", "Cleo", "Dana", "Emil")
THINGS = ("bees", "boats", "doors", "maps", "clocks", "rivers")
WORDS = ("quiet", "old", "brown", "small", "painted", "broken", "early", "northern")


async def fill(memory: AsyncGraphMemory, dice: random.Random) -> None:
    """Put a random graph into a scope: near facts, procedures, and what leads nowhere."""
    for number in range(dice.randint(4, 8)):
        name, thing = dice.choice(NAMES), dice.choice(THINGS)
        said = " ".join(dice.choices(WORDS, k=6))
        texts = [f"{name} looks after {said} {thing}", f"{name} looks after {said} old {thing}"]
        await memory.add_turn(
            f"turn {number}",
            session_id=f"s{number % 2}",
            extraction={
                "summary": texts[0],
                "facts": [
                    {"text": text, "subject": name, "predicate": "looks after", "object": thing}
                    for text in texts[: dice.randint(1, 2)]
                ],
                "mentions": [dice.choice(NAMES)],
            },
        )
    await memory.procedural.define(f"Paint {dice.choice(THINGS)}.", intent=dice.choice(THINGS))
    gone = await memory.procedural.define("Sell them.", intent="make room in the shed")
    await memory.procedural.remove(gone.id, "not now")
    await memory.flush()
    facts = await memory.semantic.list()
    for fact in dice.sample(facts, k=min(2, len(facts))):
        await memory.semantic.forget(fact.id, "of no use")


async def undo_last(memory: AsyncGraphMemory) -> None:
    """Remove something, and take it back."""
    report = await memory.decay_nodes(threshold=1.0)
    await memory.undo(report.run_id)


OPERATIONS: dict[str, Callable[[AsyncGraphMemory], Awaitable[object]]] = {
    "communities": lambda memory: memory.update_communities(rebuild=True, engine="python"),
    "consolidate": lambda memory: memory.consolidate_semantics(0.5),
    "decay": lambda memory: memory.decay_nodes(threshold=0.5),
    "tiers": lambda memory: memory.tiered_decay(),
    "orphans": lambda memory: memory.clean_orphans(),
    "messages": lambda memory: memory.retain_messages("referenced"),
    "routine": lambda memory: memory.consolidate_and_decay(),
    "undo": undo_last,
    "tick": lambda memory: memory.maintain(),
}


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_operation_leaves_other_scopes_alone(
    memory: AsyncGraphMemory, scope: str, clock: FrozenClock, picture: Picture, operation: str
) -> None:
    """Random graphs in three scopes: node for node, the other two are as they were."""
    dice = random.Random(operation)
    await memory.configure(conflict_mode="off")
    scopes = [memory, memory.scoped(f"{scope}/a"), memory.scoped(f"{scope[:-1]}")]
    for one in scopes:
        await fill(one, dice)
    clock.advance(timedelta(days=dice.randint(31, 200)))
    before = [await picture(one) for one in scopes]

    await OPERATIONS[operation](memory)
    await memory.flush()

    after = [await picture(one) for one in scopes]
    assert before[1:] == after[1:]
    if operation not in ("messages", "undo"):
        assert before[0] != after[0]


async def test_what_is_old_is_found_after_ticks(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A turn that nobody asked for in 240 days answers the question that it is the answer to."""
    receipt = await memory.add_turn(
        "Where is the spare key?",
        "Under the zinc bucket behind the boathouse.",
        extraction={"summary": "The spare key lies under the zinc bucket.", "tags": ["key"]},
        wait=True,
    )
    for number in range(5):
        await memory.add_turn(f"Nothing much on day {number}.", wait=True)
    for _ in range(8):
        clock.advance(timedelta(days=30))
        await memory.maintain()

    found = await memory.recall("where is the spare key, under which bucket?")

    assert receipt.turn_id == found.turns[0].turn.id
