"""No operation of upkeep touches another scope; what is old and still asked for is found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_consolidate import NOW, make, of

# Of names that begin alike, or mean something to who puts them into a statement or a pattern.
ENDINGS = (
    "/",
    "/a",
    "/a/b",
    ":a",
    "'",
    '"',
    "`",
    "\\",
    " or true",
    "*",
    ".*",
    "%",
    "é",
    "e\u0301",
    "Å",
)
NAMES = ("ana", "bruno", "cleo", "dana")

# The ids, keys and words are the same in each scope: what leaves its scope meets its like.
FACTS = st.lists(
    st.fixed_dictionaries(
        {
            "degrees": st.sampled_from([0, 3, 40, 180]),
            "tags": st.lists(st.sampled_from(["x", "y", "z"]), min_size=1, unique=True),
            "idle_h": st.sampled_from([0.0, 100.0, 9000.0]),
            "tier": st.sampled_from(["working", "peripheral"]),
            "status": st.sampled_from(["active", "active", "superseded", "forgotten"]),
            "pinned": st.booleans(),
            "names": st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
        }
    ),
    max_size=6,
)
TURNS = st.lists(st.lists(st.sampled_from(NAMES), min_size=2, unique=True), max_size=4)
GRAPHS = st.tuples(FACTS, TURNS)
# In each graph there is something to do for each operation.
ALWAYS: tuple[dict[str, Any], ...] = (
    {"degrees": 90, "tags": ["all"], "idle_h": 5000.0, "names": ["ana", "bruno"]},
    {"degrees": 90, "tags": ["all", "own"], "idle_h": 9000.0, "names": ["ana"]},
    {"degrees": 270, "tags": ["all"], "idle_h": 9000.0, "tier": "peripheral"},
)


async def fill(
    ask: Ask, memory: AsyncGraphMemory, facts: Sequence[Mapping[str, Any]], turns: Sequence[Any]
) -> None:
    """Put a graph into a scope."""
    told = [
        {**of(f"f{number}", **{"pinned": False, "names": [], **fact})}
        for number, fact in enumerate([*ALWAYS, *facts])
    ]
    await make(ask, memory, memory.scope, told)
    await ask(
        """
        UNWIND $names AS name
        CREATE (:Term {scope: $scope, id: 't ' + name, key: name, name: name, status: 'active',
          needs_community: true})
        WITH count(*) AS terms
        CALL () {
          UNWIND $facts AS row
          MATCH (f:Fact {scope: $scope, id: row.id})
          UNWIND row.names AS name
          MATCH (t:Term {scope: $scope, key: name})
          CREATE (f)-[:SUBJECT]->(t)
        }
        CALL () {
          UNWIND range(0, size($turns) - 1) AS number
          CREATE (turn:Turn {scope: $scope, id: 'u' + number, session_id: 's', at: $old,
            extraction: 'given', status: 'active', text: '', search_text: ''})
          WITH turn, number
          UNWIND $turns[number] AS name
          MATCH (t:Term {scope: $scope, key: name})
          CREATE (turn)-[:MENTIONS {weight: 1.0}]->(t)
        }
        CREATE
          (:Tag {scope: $scope, id: 'g orphan', key: 'orphan', label: 'orphan', status: 'active'}),
          (:Term {scope: $scope, id: 't orphan', key: 'orphan', name: 'orphan', status: 'active'}),
          (:Intent {scope: $scope, id: 'i orphan', key: 'orphan', description: 'orphan',
            status: 'active'}),
          (:Community {scope: $scope, id: 'c', key: 'c', ordinal: 1, size: 0, summary: '',
            status: 'active', revision: 0}),
          (:Message {scope: $scope, id: 'm', session_id: 's', turn_id: 'none', role: 'user',
            content: '', at: $old}),
          (:Fact {scope: $scope, id: 'faded', text: 'faded', status: 'deprecated', tier: 'working',
            pinned: false, deprecated_by: 'decay', deprecated_at: $old, recorded_at: $old}),
          (:Tombstone {scope: $scope, id: 'over', was: 'Fact', run_id: 'r', purge_after: $old}),
          (p:Procedure {scope: $scope, id: 'p', instruction: 'Paint.', status: 'active',
            tier: 'peripheral', pinned: false, recall_count: 0, recorded_at: $old}),
          (p)-[:SERVES]->(:Intent {scope: $scope, id: 'i', key: 'i', description: 'i',
            status: 'active'})
        """,
        scope=memory.scope,
        names=NAMES,
        facts=[{"id": fact["id"], "names": fact["names"]} for fact in told],
        turns=turns,
        old=NOW - timedelta(days=400),
    )


async def undo_last(memory: AsyncGraphMemory) -> None:
    """Remove something, and take back what can be."""
    report = await memory.consolidate_and_decay(mode="deprecate")
    await memory.undo(report.run_id)


OPERATIONS: dict[str, Callable[[AsyncGraphMemory], Awaitable[object]]] = {
    "communities": lambda memory: memory.update_communities(engine="python"),
    "communities by the library": lambda memory: memory.update_communities(engine="gds"),
    "consolidate": lambda memory: memory.consolidate_semantics(),
    "consolidate all": lambda memory: memory.consolidate_semantics(candidates="all"),
    "decay": lambda memory: memory.decay_nodes(),
    "tiers": lambda memory: memory.tiered_decay(),
    "orphans": lambda memory: memory.clean_orphans(),
    "messages": lambda memory: memory.retain_messages("referenced"),
    "routine": lambda memory: memory.consolidate_and_decay(),
    "undo": undo_last,
    "tick": lambda memory: memory.maintain(),
}


@pytest.mark.parametrize("operation", OPERATIONS)
@given(
    graphs=st.tuples(GRAPHS, GRAPHS, GRAPHS),
    endings=st.lists(st.sampled_from(ENDINGS), min_size=2, max_size=2, unique=True),
    place=st.integers(0, 2),
)
@settings(
    max_examples=3,
    deadline=None,
    # The graphs are small as they are, and each costs a second.
    phases=[Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_an_operation_leaves_other_scopes_alone(
    *,
    memory: AsyncGraphMemory,
    ask: Ask,
    picture: Picture,
    operation: str,
    graphs: Sequence[Any],
    endings: Sequence[str],
    place: int,
) -> None:
    """Random graphs in three scopes: the operation changes its own one and no other."""
    base = f"test/{uuid4().hex}"
    scopes = [memory.scoped(f"{base}{ending}") for ending in ("", *endings)]
    for one, (facts, turns) in zip(scopes, graphs, strict=True):
        await fill(ask, one, facts, turns)
    before = [await picture(one) for one in scopes]

    await OPERATIONS[operation](scopes[place])

    after = [await picture(one) for one in scopes]
    assert [number != place for number in range(3)] == [
        one == other for one, other in zip(before, after, strict=True)
    ]


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
