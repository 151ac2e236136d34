"""A scope is held however long something works between two batches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.maintain.consolidation.comparing import Comparison
from graphmem.maintain.consolidation.merging import Plan
from graphmem.maintain.runs import Run
from tests.integration.conftest import Ask
from tests.integration.maintain.test_consolidate import make, of


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[bool]]:
    """Have something last until the hold is renewed; it tells each time whether that came."""
    renewed = threading.Event()
    real_hold = Run._hold_on

    async def hold(run: Run) -> None:
        await real_hold(run)
        renewed.set()

    def lasts(owner: Any, name: str) -> list[bool]:
        real = getattr(owner, name)
        held: list[bool] = []

        def work(*args: Any) -> Any:
            renewed.clear()
            held.append(renewed.wait(60))
            return real(*args)

        monkeypatch.setattr(owner, name, work)
        return held

    monkeypatch.setattr(Run, "_hold_on", hold)
    monkeypatch.setattr("graphmem.maintain.runs._HOLD", timedelta(seconds=0.1))
    return lasts


@pytest.mark.parametrize(
    ("owner", "name"), [(Comparison, "_near"), (Plan, "_go_through")], ids=["vectors", "words"]
)
async def test_a_scope_is_held_while_facts_are_compared(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    lasting: Callable[[Any, str], list[bool]],
    owner: Any,
    name: str,
) -> None:
    """By their vectors, and by what they say."""
    await make(ask, memory, scope, [of("a", 0), of("b", 1, idle_h=9)])
    held = lasting(owner, name)

    report = await memory.consolidate_semantics()

    assert ["b"] == [node.id for node in report.removed if node.kind == "Fact"]
    assert [True] == held
