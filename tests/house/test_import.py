"""Importing graphmem is cheap and quiet."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = ("graphdatascience", "jgo", "neo4j", "numpy", "onnxruntime", "openai", "pandas")


def _loaded_after(code: str) -> list[str]:
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return modules


def test_importing_the_facade_loads_nothing_heavy() -> None:
    """Driver, model clients and number crunching are imported when they are used."""
    loaded = _loaded_after("from graphmem import AsyncGraphMemory, GraphMemory")

    assert [name for name in HEAVY if name in loaded] == []


def test_the_help_of_the_command_line_loads_nothing_heavy() -> None:
    """`graphmem --help` answers at once."""
    loaded = _loaded_after("from graphmem.cli.root import run\nassert run(['--help']) == 0")

    assert [name for name in HEAVY if name in loaded] == []


def test_the_public_names_are_there() -> None:
    """Every name in `graphmem.__all__` can be imported, and none is there twice."""
    import graphmem

    missing = [name for name in graphmem.__all__ if getattr(graphmem, name, None) is None]

    assert missing == []
    assert len(graphmem.__all__) == len(set(graphmem.__all__))


def test_every_public_name_is_spelled_out_for_checkers() -> None:
    """`dir(graphmem)` shows each public name, imported on first use or not."""
    import graphmem

    assert set(graphmem.__all__) <= set(dir(graphmem))
