"""What a write has decided so far is found by what it is asked for, however much it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from graphmem.graph.admit import decide
from graphmem.graph.conflict.locales.shipped import shipped_packs
from graphmem.graph.conflict.model import DEFAULT_THRESHOLDS, Known, Statement
from graphmem.graph.conflict.resolve import ConflictPipeline
from graphmem.graph.neighbours import Candidate, Neighbourhood, find_neighbours
from graphmem.text import canonical_hash

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
PACKS = shipped_packs(("en", "de"))
ON = ConflictPipeline(PACKS, thresholds=DEFAULT_THRESHOLDS)
OFF = ConflictPipeline(PACKS, thresholds=DEFAULT_THRESHOLDS, mode="off")


def said(subject: str, predicate: str, end: str, number: int = 0) -> Candidate:
    """Return a candidate with a vector of its own."""
    parsed = ON.split(f"{subject} {predicate} {end}", subject, predicate, end)
    hashed = canonical_hash(f"{subject} {predicate} {end}")
    vector = np.zeros(64, dtype=np.float32)
    vector[number % 64] = 1.0
    statement = Statement(
        id=hashed,
        text=f"{subject} {predicate} {end}",
        canonical_hash=hashed,
        valid_from=AT + timedelta(minutes=number),
        valid_to=FOREVER,
        recorded_at=AT,
        subject_key=parsed.subject_key,
        predicate_key=parsed.predicate_key,
        object_key=parsed.object_key,
        predicate=parsed.predicate,
    )
    return Candidate(statement, vector=vector)


def took(candidates: Sequence[Candidate]) -> float:
    """Return the least seconds of work, of three, to decide where nothing is known before."""
    empty = Neighbourhood((Known(),) * len(candidates), {})
    runs = []
    for _ in range(3):
        started = time.process_time()
        decide("test", candidates, empty, ON, now=AT)
        runs.append(time.process_time() - started)
    return min(runs)


def test_four_times_as_many_statements_take_about_four_times_as_long() -> None:
    """Each looks at its like alone, and at no other of the write."""
    some = [said(f"Person {n}", "likes", f"thing {n}", n) for n in range(500)]
    many = [said(f"Person {n}", "likes", f"thing {n}", n) for n in range(2000)]

    assert took(many) < 8 * took(some)


def test_a_statement_of_a_write_is_decided_beside_those_before_it() -> None:
    """By the same words, by the same subject and predicate, and by meaning."""
    words = Candidate(said("The loom", "is", "oiled each spring", 7).statement)
    near = said("x", "y", "z", 7).vector
    loom = Candidate(
        Statement(
            id="loom",
            text="The loom in the back is oiled each spring.",
            canonical_hash="loom",
            valid_from=AT,
            valid_to=FOREVER,
            recorded_at=AT,
        ),
        vector=near,
    )
    again = Candidate(
        Statement(
            id="again",
            text="The loom in the back is oiled every spring.",
            canonical_hash="again",
            valid_from=AT,
            valid_to=FOREVER,
            recorded_at=AT,
        ),
        vector=near,
    )
    told = [
        said("Ada", "lives in", "Bergen", 1),
        said("Ada", "lives in", "Bergen", 2),
        said("Ada", "lives in", "Tromso", 3),
        words,
        loom,
        again,
    ]
    empty = Neighbourhood((Known(),) * len(told), {})

    decided = decide("test", told, empty, ON, now=AT + timedelta(days=1)).decided

    kinds = ["admit", "dedup", "supersede", "admit", "admit", "dedup"]
    assert kinds == [one.verdict.kind.value for one in decided]
    assert "loom" == decided[-1].fact_id


class Asked:
    """Takes what the store is asked instead of the store."""

    def __init__(self) -> None:
        self.queries: list[tuple[str, dict[str, Any]]] = []

    async def run(self, query: Any, **params: Any) -> list[dict[str, Any]]:
        """Note a query; nothing is found."""
        self.queries.append((query.name, params))
        found = [{"exact": [], "slot": [], "near": [], "cosines": []} for _ in params["asked"]]
        return [{"found": found, "functional": [], "named_facts": []}]


@pytest.mark.parametrize("pipeline", [ON, OFF])
async def test_with_the_pipeline_off_only_the_same_words_are_looked_for(
    pipeline: ConflictPipeline,
) -> None:
    """No vector is compared, and nothing of the same subject."""
    store: Any = Asked()

    await find_neighbours(store, "test", [said("Ada", "is", "tall")], pipeline, slot="a")

    ((name, params),) = store.queries
    (row,) = params["asked"]
    looked_for = {"near": "near" in params, "slot": bool(row["subject_key"])}
    is_on = pipeline is ON
    assert {"near": is_on, "slot": is_on} == looked_for
    assert ("graph/find_neighbours" if is_on else "graph/find_known") == name
    assert row["canonical_hash"]
