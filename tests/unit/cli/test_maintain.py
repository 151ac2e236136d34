"""`graphmem maintain --every`: what passes by itself does not end it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from graphmem.cli import maintain
from graphmem.cli.root import run
from graphmem.errors import GraphmemError, MaintenanceBusy, StoreError
from graphmem.maintenance import MaintenanceReport


class Upkeep:
    """A memory whose second tick may fail; Ctrl-C comes after the third."""

    def __init__(self, fault: GraphmemError | None, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fault = fault
        self.ticks = 0
        self.pauses: list[float] = []
        clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=self.sleep)
        monkeypatch.setattr(maintain, "time", clock)
        monkeypatch.setattr(maintain, "open_memory", self.opened)

    @contextmanager
    def opened(self, _: str | None) -> Iterator[Upkeep]:
        """Hand out this one."""
        yield self

    def sleep(self, seconds: float) -> None:
        """Note a pause; stop at the third."""
        self.pauses.append(seconds)
        if len(self.pauses) == 3:
            raise KeyboardInterrupt

    def maintain(self, **_: object) -> MaintenanceReport:
        """Fail at the second tick."""
        self.ticks += 1
        if self.fault is not None and self.ticks == 2:
            raise self.fault
        return MaintenanceReport(run_id=f"r{self.ticks}")


@pytest.mark.parametrize(
    "fault",
    [
        MaintenanceBusy("busy for now"),
        StoreError("away for now", kind="unreachable", retryable=True),
    ],
    ids=lambda fault: fault.kind,
)
def test_what_passes_by_itself_is_noted(
    fault: GraphmemError, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It goes on at the next time, and stdout has the reports alone, a line each."""
    upkeep = Upkeep(fault, monkeypatch)

    code = run(["maintain", "--every", "1h", "--json"])

    told = capsys.readouterr()
    assert 130 == code
    assert [3600.0] * 3 == upkeep.pauses
    assert ["r1", "r3"] == [json.loads(line)["run_id"] for line in told.out.splitlines()]
    assert f"{fault.kind}: {fault}" == told.err.splitlines()[0]


def test_what_stays_ends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Trying a wrong password again and again would help nobody."""
    upkeep = Upkeep(StoreError("refused", kind="wrong-credentials"), monkeypatch)

    code = run(["maintain", "--every", "1h"])

    assert 1 == code
    assert 2 == upkeep.ticks
    assert "error: wrong-credentials: refused\n" == capsys.readouterr().err


def test_once_it_ends_with_the_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who asks for one tick wants to know that there was none."""
    upkeep = Upkeep(StoreError("away", kind="unreachable", retryable=True), monkeypatch)
    upkeep.ticks = 1

    code = run(["maintain"])

    assert (1, []) == (code, upkeep.pauses)
    assert "error: unreachable: away\n" == capsys.readouterr().err
