"""A word that only one fact says is told nowhere once that fact is told no longer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory
from graphmem.maintenance import RemovalMode
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.test_tiered import DAY, fade

CANARY = "zirconia"
KEPT = "Dana keeps bees in the garden"
GONE = f"{KEPT} {CANARY}"

Way = Callable[[AsyncGraphMemory, FrozenClock, str], Awaitable[object]]


async def _forget(memory: AsyncGraphMemory, _: FrozenClock, fact_id: str) -> None:
    await memory.semantic.forget(fact_id, "nobody's business")


async def _supersede(memory: AsyncGraphMemory, clock: FrozenClock, fact_id: str) -> None:
    clock.advance(DAY)
    await memory.semantic.supersede(fact_id, "Dana has no code word", reason="dropped")


async def _hide(memory: AsyncGraphMemory, _: FrozenClock, fact_id: str) -> None:
    fact = await memory.semantic.get(fact_id)
    assert fact is not None
    await memory.semantic.remember(
        fact.text,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        sensitivity="secret",
    )


async def _decay(memory: AsyncGraphMemory, clock: FrozenClock, _: str) -> None:
    clock.advance(20 * DAY)
    await _use(memory)
    await memory.decay_nodes()


async def _decay_softly(memory: AsyncGraphMemory, clock: FrozenClock, _: str) -> None:
    clock.advance(20 * DAY)
    await _use(memory)
    await memory.decay_nodes(mode="deprecate")


async def _fall_silent(memory: AsyncGraphMemory, clock: FrozenClock, _: str) -> None:
    await fade(memory, clock, 120)
    await _use(memory)


async def _use(memory: AsyncGraphMemory) -> None:
    """Let what is to stay be stated again."""
    await memory.semantic.remember(KEPT, subject="Dana", predicate="keeps", object="bees")


async def _consolidate(memory: AsyncGraphMemory, _: FrozenClock, __: str) -> None:
    await memory.consolidate_semantics(0.5, candidates="all")


async def _consolidate_softly(memory: AsyncGraphMemory, _: FrozenClock, __: str) -> None:
    await memory.consolidate_semantics(0.5, candidates="all", mode="deprecate")


# How it leaves, as what it is kept afterwards, and where it is left in the end: what may be
# restored keeps its names, as Tombstones.
LEAVES: dict[str, tuple[Way, str, set[str]]] = {
    "forgotten": (_forget, "forgotten", {"Fact", "Decision", "Tombstone"}),
    "superseded": (_supersede, "superseded", {"Fact", "Decision", "Term", "Tag"}),
    "secret": (_hide, "active", {"Fact", "Decision", "Term", "Tag"}),
    "decayed": (_decay, "", set()),
    "decayed, kept": (_decay_softly, "deprecated", set()),
    "silent": (_fall_silent, "deprecated", set()),
    "consolidated": (_consolidate, "", set()),
    "consolidated, kept": (_consolidate_softly, "deprecated", {"Fact", "Decision"}),
}


@pytest.mark.parametrize("way", LEAVES)
async def test_a_word_leaves_with_its_fact(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, way: str
) -> None:
    """At once from summaries and answers, and from the whole scope once nobody can take it back."""
    leave, status, left = LEAVES[way]
    await _use(memory)
    if way.startswith("consolidated"):
        # Else it would be the first one stated again.
        await memory.configure(conflict_mode="off")
        clock.advance(-timedelta(days=1))
        fact = await memory.semantic.remember(
            GONE, subject="Dana", predicate="keeps", object="bees"
        )
        clock.advance(timedelta(days=1))
    else:
        fact = await memory.semantic.remember(
            f"Dana has the code word {CANARY}",
            subject="Dana",
            predicate="has the code word",
            object=CANARY,
            tags=[f"{CANARY} of Dana"],
        )
    await memory.flush()
    await memory.update_communities(engine="python")
    kept = await memory.recall("What does Dana keep, and which code word?", keep_trace=True)
    assert kept.trace_id
    await memory.flush()
    # Names of a high rank would keep what was asked for once for ever.
    await ask(
        "MATCH (f:Fact {scope: $scope}) SET f.recall_count = 0, f.last_accessed_at = f.recorded_at",
        scope=scope,
    )
    before = await _places(ask, scope)
    assert {"Fact", "Community"} <= before.keys()

    await leave(memory, clock, fact.id)
    at_once = await _places(ask, scope)
    await memory.flush()
    await memory.update_communities(engine="python")
    await memory.clean_orphans()
    after = await _places(ask, scope)

    assert "Community" not in at_once
    assert "Community" not in after
    assert status in (after.get("Fact") or [""])
    assert CANARY not in await _answers(memory)
    # An answer of then may tell what held then.
    assert (way == "superseded") == (CANARY in await _opened(memory, kept.trace_id))
    for days in (8, 61, 8):
        clock.advance(days * DAY)
        await memory.maintain(steps=["decay", "orphans", "tombstones"])
    assert left == (await _places(ask, scope)).keys()


@pytest.mark.parametrize("mode", ["delete", "deprecate"])
async def test_a_word_leaves_with_its_procedure(
    memory: AsyncGraphMemory, clock: FrozenClock, scope: str, ask: Ask, mode: RemovalMode
) -> None:
    """It is in no answer, its Intent goes, and nothing is left once nobody can take it back."""
    await memory.procedural.define(f"Polish the {CANARY}.", intent=f"make {CANARY} shine")
    kept = await memory.recall(f"How do I make {CANARY[:-1]} shine?", keep_trace=True)
    assert kept.procedures
    assert kept.trace_id
    clock.advance(20 * DAY)

    await memory.decay_nodes(node_types=["procedural"], mode=mode)

    places = await _places(ask, scope)
    assert places.keys() == {"Tombstone"} | ({"Procedure"} if mode == "deprecate" else set())
    assert CANARY not in await _opened(memory, kept.trace_id)
    for days in (8, 61, 8):
        clock.advance(days * DAY)
        await memory.maintain(steps=["decay", "orphans", "tombstones"])
    assert set() == (await _places(ask, scope)).keys()


async def _places(ask: Ask, scope: str) -> dict[str, list[str]]:
    """Return the labels of the nodes of a scope that say the word, with the status of each.

    What stands on a relationship counts by its type.
    """
    rows = await ask(
        "MATCH (n) WHERE n.scope = $scope "
        "RETURN labels(n)[0] AS label, properties(n) AS props UNION ALL "
        "MATCH (n)-[r]->() WHERE n.scope = $scope RETURN type(r) AS label, properties(r) AS props",
        scope=scope,
    )
    places: dict[str, list[str]] = {}
    for row in rows:
        if CANARY in json.dumps(row["props"], default=str).casefold():
            places.setdefault(row["label"], []).append(row["props"].get("status", ""))
    return places


async def _answers(memory: AsyncGraphMemory) -> str:
    """Return all that is told of a scope to somebody who does not know the word."""
    found = await memory.recall("What does Dana keep, and which code word?", max_tokens=700)
    told = [*await memory.communities(), *await memory.runs(), *await memory.recall_traces()]
    return "\n".join(
        [
            found.prompt(),
            (await found.explain()).to_text(),
            *(one.model_dump_json() for one in told),
        ]
    )


async def _opened(memory: AsyncGraphMemory, trace_id: str) -> str:
    """Return a kept answer as a person reads it now."""
    trace = await memory.recall_trace(trace_id)
    assert trace is not None
    return trace.to_text()
