"""Run a benchmark: `python -m benchmarks.run locomo --data FOLDER`."""

from __future__ import annotations

import argparse
import json
import sys
import uuid
from pathlib import Path

from benchmarks.report import Report
from benchmarks.scenarios import locomo

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the scenario that the arguments name; return the exit code."""
    chosen = _parser().parse_args(arguments)
    from graphmem import GraphMemory
    from graphmem.errors import GraphmemError

    has_facts = chosen.extraction == "observations"
    names = [name for name in chosen.conversations.split(",") if name]
    talks = locomo.read_data(chosen.data, names, with_observations=has_facts)
    report = Report(
        scenario="locomo",
        data_sha256=locomo.data_digest(chosen.data, with_observations=has_facts),
        options={"extraction": chosen.extraction, "conversations": [talk.name for talk in talks]},
    )
    # A new place for each run: what an earlier version extracted would be measured again.
    prefix = f"bench/{uuid.uuid4().hex[:8]}"
    try:
        with GraphMemory.from_env() as memory:
            doctor = memory.doctor()
            report.versions = {**doctor.versions, "embedder": doctor.embedder}
            locomo.run(memory, talks, chosen.extraction, report, prefix=prefix)
    except GraphmemError as error:
        print(f"error: {error.kind}: {error}", file=sys.stderr)
        return 1
    print(report.to_text())
    if chosen.out is not None:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(json.dumps(report.to_dict(), indent=2) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__)
    scenarios = parser.add_subparsers(dest="scenario", required=True)
    talk = scenarios.add_parser("locomo", help="evidence turns of questions on long chats")
    talk.add_argument("--data", type=Path, required=True, help="folder with turns, questions, …")
    talk.add_argument("--conversations", default="", help="names, separated by commas; all")
    talk.add_argument(
        "--extraction",
        choices=("local", "observations"),
        default="local",
        help="local: no model; observations: the data's facts are given",
    )
    talk.add_argument("--out", type=Path, help="write the result as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
