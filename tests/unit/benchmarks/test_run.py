"""The command that runs a scenario."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import run, scenarios


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of scenarios with one that works and one that cannot be imported."""
    text = '''"""Counts to a number."""
def add_arguments(parser):
    parser.add_argument("--data", type=__import__("pathlib").Path)
    parser.add_argument("--to", type=int, default=2)
def run(chosen, report):
    report.tables["count"] = {"all": {"n": chosen.to}}
'''
    (tmp_path / "count.py").write_text(text, encoding="utf-8")
    (tmp_path / "broken.py").write_text('"""Needs more."""\nimport not_there\n', encoding="utf-8")
    monkeypatch.setattr(scenarios, "__path__", [str(tmp_path)])
    for name in ("count", "broken"):
        monkeypatch.delitem(sys.modules, f"benchmarks.scenarios.{name}", raising=False)
    return "count"


def test_every_module_is_a_sub_command(made_up: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its first line is its help; what it needs is asked for when it is chosen only."""
    with pytest.raises(SystemExit) as ended:
        run.main(["--help"])

    assert 0 == ended.value.code
    printed = capsys.readouterr().out
    assert "Counts to a number." in printed
    assert "Needs more." in printed


def test_the_result_file_has_the_options_and_no_path(
    made_up: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder is told by its name: where it lies is nobody's business."""
    out = tmp_path / "results" / "count.json"

    code = run.main([made_up, "--to", "5", "--data", str(tmp_path / "set"), "--out", str(out)])

    told = json.loads(out.read_text(encoding="utf-8"))
    assert (0, "count") == (code, told["scenario"])
    assert {"to": 5, "data": "set"} == told["options"]
    assert {"count": {"all": {"n": 5}}} == told["tables"]
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    assert "count" in capsys.readouterr().out


def test_a_fault_of_the_memory_is_told_in_a_line(
    made_up: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a traceback, with exit code 1, and without a result file."""
    from graphmem.errors import StoreError

    module = ModuleType("failing")

    def fail(*_: object) -> None:
        raise StoreError("the server went away", kind="unreachable")

    def nothing(*_: object) -> None:
        pass

    vars(module).update(add_arguments=nothing, run=fail)
    monkeypatch.setitem(sys.modules, "benchmarks.scenarios.count", module)

    assert 1 == run.main([made_up])
    assert "error: unreachable: the server went away\n" == capsys.readouterr().err
