"""Run a benchmark: `python -m benchmarks.run SCENARIO [options]`.

Each module of benchmarks/scenarios is a scenario under its own name. It has a docstring, whose
first line is its help, and two functions:

- ``add_arguments(parser)``: its options;
- ``run(chosen, report)``: do it with the parsed options, and fill the report.

Only the chosen one is imported. All others belong to every scenario: ``--out``, what the result
file tells of the machine and the versions, and what is printed at the end.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import pkgutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

from benchmarks import scenarios
from benchmarks.report import Report

__all__ = ["Scenario", "main"]


class Scenario(Protocol):
    """What a module of benchmarks/scenarios offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add its options."""
        ...

    def run(self, chosen: argparse.Namespace, report: Report) -> None:
        """Measure, and fill the report; options are told already."""
        ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the scenario that the arguments name; return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    chosen = _parser(given).parse_args(given)
    from graphmem.errors import GraphmemError

    report = Report(scenario=chosen.scenario, options=_told(chosen))
    started = time.perf_counter()
    try:
        _load(chosen.scenario).run(chosen, report)
    except GraphmemError as error:
        print(f"error: {error.kind}: {error}", file=sys.stderr)
        return 1
    report.seconds = time.perf_counter() - started
    print(report.to_text())
    if chosen.out is not None:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(report.to_dict(), indent=2) + "\n", encoding="utf-8")
    return 0


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.run", description="Run a benchmark.")
    found = parser.add_subparsers(dest="scenario", required=True, metavar="SCENARIO")
    for name in sorted(module.name for module in pkgutil.iter_modules(scenarios.__path__)):
        about = _first_line(name)
        one = found.add_parser(name, help=about, description=about)
        if name in given[:1]:
            _load(name).add_arguments(one)
        one.add_argument("--out", type=Path, help="write the result as JSON")
    return parser


def _load(name: str) -> Scenario:
    return cast("Scenario", importlib.import_module(f"{scenarios.__name__}.{name}"))


def _first_line(name: str) -> str:
    # Read and not imported: another scenario may need libraries that are not there.
    source = Path(scenarios.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(source)) or name).split("\n", maxsplit=1)[0]


def _told(chosen: argparse.Namespace) -> dict[str, str | int | float | bool | None]:
    """Return the options as a result file tells them; of a path the name alone."""
    hidden = ("out", "scenario", "dump")
    return {
        name: value.name if isinstance(value, Path) else value
        for name, value in vars(chosen).items()
        if name not in hidden
    }


if __name__ == "__main__":
    sys.exit(main())
