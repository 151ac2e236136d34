"""What is told of the conflict pipeline: an event a decision, and where its zones begin."""

from __future__ import annotations

import logging

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock
from tests.integration.memory.conftest import Configure


async def test_each_decision_is_one_event(
    memory: AsyncGraphMemory, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    """With what was decided, by which stage; never with what was said."""
    caplog.set_level(logging.INFO, logger="graphmem.operation")

    await memory.add_turn(
        "Where does Ines live?",
        "In Porto.",
        extraction={"triples": [["Ines", "lives in", "Porto"], ["Ines", "likes", "tea"]]},
        wait=True,
    )
    clock.advance(60)
    await memory.semantic.remember("Ines lives in Faro")

    told = [one.getMessage() for one in caplog.records if "conflict.decide" in one.getMessage()]
    assert ["admit", "admit", "supersede"] == sorted(_field(line, "kind") for line in told)
    assert "Porto" not in " ".join(told)


async def test_the_doctor_tells_where_zones_begin(memory: AsyncGraphMemory) -> None:
    """Of an embedder that is known, they are those of its profile; a setting comes before."""
    known = (await memory.doctor()).conflict_zones
    await memory.configure(conflict_thresholds={"cold": 0.3})

    assert {"hot": 0.95, "near_dup": 0.85, "cold": 0.4} == known
    assert {"hot": 0.95, "near_dup": 0.85, "cold": 0.3} == (await memory.doctor()).conflict_zones


async def test_without_an_embedder_there_are_no_zones(settings_with: Configure) -> None:
    """Nor are any proposed."""
    async with await AsyncGraphMemory.open(settings_with(embedding_model="none")) as memory:
        report = await memory.doctor()

    assert ({}, {}) == (report.conflict_zones, report.proposed_zones)


def _field(line: str, name: str) -> str:
    return next(part for part in line.split() if part.startswith(f"{name}=")).partition("=")[2]
