"""Write the newest results into benchmarks/README.md: `python -m benchmarks.summary`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["README", "RESULTS", "main", "summary", "with_summary"]

README = Path(__file__).parent / "README.md"
RESULTS = Path(__file__).parent / "results"

_START, _END = "<!-- results: python -m benchmarks.summary -->\n", "<!-- end of results -->"


def main() -> int:
    """Write the section anew; return the exit code."""
    text = README.read_text(encoding="utf-8")
    README.write_text(with_summary(text, summary(RESULTS)), encoding="utf-8")
    return 0


def with_summary(text: str, section: str) -> str:
    """Return the page with its section of results replaced.

    Raises:
        ValueError: The page has no such section.
    """
    before, start, rest = text.partition(_START)
    _old, end, after = rest.partition(_END)
    if not start or not end:
        raise ValueError(f"the page needs a section from {_START.strip()} to {_END}")
    return before + start + section + end + after


def summary(folder: Path) -> str:
    """Return what each result file of a folder tells, in the order of their names."""
    return "".join(
        _section(path.stem, json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.json"))
    )


def _section(name: str, result: Mapping[str, Any]) -> str:
    options = ", ".join(
        f"{option.replace('_', '-')} {str(value).replace(',', ' ')}"
        for option, value in result["options"].items()
        if value not in (None, "", False)
    )
    machine, versions = result["machine"], result["versions"]
    about = [
        f"{result['made_at'][:10]}, revision {result['commit'] or 'unknown'}",
        options or "no options",
        f"Neo4j {versions.get('neo4j', '?')}, {machine['cpus']} CPUs",
    ]
    lines = [f"**{name}** ({'; '.join(about)})", "", *_table(result["summary"]), ""]
    lines += [f"{note[0].upper()}{note[1:]}.\n" for note in result["notes"]]
    return "\n".join(lines) + "\n"


def _table(rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for row, cells in rows.items():
        lines.append(f"| {row} | {' | '.join(_cell(cells.get(column)) for column in columns)} |")
    return lines


def _cell(value: float | int | str | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
