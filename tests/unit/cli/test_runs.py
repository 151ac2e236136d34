"""How `graphmem runs` tells what a run was called with, and what it counted."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from graphmem.cli import runs
from graphmem.cli.root import run
from graphmem.maintenance import MaintenanceRun, RunState

AT = datetime(2026, 11, 30, 16, 11, tzinfo=UTC)


def test_parameters_are_told_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each on a line of its own, what stands within others too; what was not given is left out."""
    monkeypatch.setenv("COLUMNS", "80")
    found = MaintenanceRun(
        id="r",
        operation="decay",
        params={
            "steps": ["decay", "orphans"],
            "budget_s": None,
            "curves": {"semantic": {"floor": 0.3}, "procedural": {"floor": 0.2}},
        },
        state=RunState.DONE,
        at=AT,
        counts={"protected_chain": 1, "checked": 0},
        undo_until=AT,
    )
    memory = SimpleNamespace(run=lambda _: found)
    monkeypatch.setattr(runs, "open_memory", lambda _: nullcontext(memory))

    code = run(["runs", "show", "r"])

    told = " ".join(capsys.readouterr().out.split())
    assert 0 == code
    assert (
        "called with steps: decay, orphans curves > semantic > floor: 0.3 "
        "curves > procedural > floor: 0.2 counted protected_chain 1 undo until"
    ) in told
