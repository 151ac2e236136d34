"""Answers are counted behind them: together, and without a say in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import Hit, Recall, StoreError, Turn
from graphmem import usage as module
from graphmem.recall.usage import Uses
from graphmem.usage import UsageRecorder

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)


def answer(*names: str, scope: str = "s") -> Recall:
    """Return an answer with these turns."""
    turns = (Turn(id=name, session_id="s", at=NOW, seq=1, text="") for name in names)
    return Recall(query="q", scope=scope, turns=tuple(Hit(turn=turn, score=1.0) for turn in turns))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Mapping[str, Uses]]]:
    """What was written, a statement each; a scope called "broken" cannot be."""
    calls: list[tuple[str, Mapping[str, Uses]]] = []

    async def record(db: Any, scope: str, turns: Mapping[str, Uses], *others: Any) -> None:
        calls.append((scope, turns))
        if scope == "broken":
            raise StoreError("read only")

    monkeypatch.setattr(module, "record_usage", record)
    return calls


async def test_answers_of_a_moment_are_one_statement(
    written: list[tuple[str, Mapping[str, Uses]]],
) -> None:
    """Each node with the number of answers and the last time."""
    recorder = UsageRecorder(None)  # type: ignore[arg-type]  # nothing is written with it here
    recorder.note(answer("a", "b"), NOW)
    recorder.note(answer("b"), LATER)

    assert await recorder.wait(10)

    assert [("s", {"a": Uses(1, NOW), "b": Uses(2, LATER)})] == written


async def test_what_cannot_be_written_is_logged_and_costs_nothing_else(
    written: list[tuple[str, Mapping[str, Uses]]], caplog: pytest.LogCaptureFixture
) -> None:
    """Neither an answer nor the counts of another scope."""
    recorder = UsageRecorder(None)  # type: ignore[arg-type]
    recorder.note(answer("a", scope="broken"), NOW)
    recorder.note(answer("a", scope="whole"), NOW)

    assert await recorder.wait(10)

    assert ["broken", "whole"] == [scope for scope, _ in written]
    assert "recall.usage_lost" in caplog.text


async def test_an_empty_answer_writes_nothing(
    written: list[tuple[str, Mapping[str, Uses]]],
) -> None:
    """A question to an empty store costs no statement."""
    recorder = UsageRecorder(None)  # type: ignore[arg-type]
    recorder.note(answer(), NOW)

    await recorder.close(10)

    assert [] == written
