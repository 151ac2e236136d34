"""What a run found, for people and as JSON."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.metrics import Judged, paired_interval, percentile

__all__ = ["Cell", "Report", "Table", "commit", "differences", "machine", "spread"]

Cell = float | int | str | None
# Rows by name, each with its cells by column.
Table = Mapping[str, Mapping[str, Cell]]


@dataclass(slots=True)
class Report:
    """The result of one scenario.

    Attributes:
        scenario: Its name.
        options: What was chosen on the command line.
        data_sha256: Of the data's content, so that two results can be compared; "" = made up.
        versions: Of graphmem, the server and what else matters.
        tables: Printed, and kept in the file, by title.
        summary: The few rows that benchmarks/README.md shows; empty = the first table.
        notes: Sentences that belong to the figures: printed, and kept.
        figures: Kept in the file only; whatever json.dumps takes.
        seconds: What the whole run took.
    """

    scenario: str
    options: Mapping[str, Any] = field(default_factory=dict)
    data_sha256: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    summary: Table = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that json.dumps takes."""
        return {
            "scenario": self.scenario,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "commit": commit(),
            "data_sha256": self.data_sha256,
            "options": dict(self.options),
            "versions": dict(self.versions),
            "machine": machine(),
            "seconds": round(self.seconds, 1),
            "notes": list(self.notes),
            "summary": _plain(self.summary or next(iter(self.tables.values()), {})),
            "tables": {title: _plain(table) for title, table in self.tables.items()},
            **self.figures,
        }

    def to_text(self) -> str:
        """Return the tables and notes that are printed."""
        lines = [f"{self.scenario}, {self.seconds:.0f} s"]
        for title, table in self.tables.items():
            lines += ["", *_table(title, table)]
        if self.notes:
            lines += ["", *self.notes]
        return "\n".join(lines)


def _plain(table: Table) -> dict[str, dict[str, Cell]]:
    return {row: dict(cells) for row, cells in table.items()}


def spread(values: Sequence[float], digits: int = 2) -> dict[str, Cell]:
    """Return p50, p95 and the number of values; empty without any."""
    if not values:
        return {}
    return {
        "p50": round(percentile(values, 50), digits),
        "p95": round(percentile(values, 95), digits),
        "n": len(values),
    }


def differences(ours: Sequence[Judged], theirs: Sequence[Judged]) -> Table:
    """Return ours - theirs for each score, with the paired 95 % interval; empty without any.

    Args:
        ours: Judged questions.
        theirs: The same questions, in the same order.
    """
    table = {}
    for score in ours[0].scores if ours else ():
        told = paired_interval(
            [one.scores[score] for one in ours], [one.scores[score] for one in theirs]
        )
        table[score] = {
            "mean": round(told.mean, 4),
            "low": round(told.low, 4),
            "high": round(told.high, 4),
        }
    return table


def machine() -> dict[str, str | int | float]:
    """Return what the figures depend on: system, processor, memory and Python."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "processor": platform.machine(),
        "model": _processor_model(),
        "cpus": os.cpu_count() or 1,
        "memory_gib": _memory_gib(),
        "python": platform.python_version(),
    }


def commit() -> str:
    """Return the revision that ran, with "+" where files differ from it; "" without git."""
    git = shutil.which("git")
    root = Path(__file__).parent.parent
    if git is None or not (root / ".git").exists():
        return ""

    def asked(*arguments: str) -> str:
        command = [git, "-C", str(root), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed arguments
        return done.stdout.strip()

    code = ("graphmem", "cypher", "benchmarks", ":!benchmarks/results")
    changed = asked("status", "--porcelain", "--untracked-files=no", "--", *code)
    return asked("rev-parse", "--short=12", "HEAD") + ("+" if changed else "")


def _processor_model() -> str:
    about = Path("/proc/cpuinfo")
    if about.is_file():
        for line in about.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


def _memory_gib() -> float:
    if not hasattr(os, "sysconf"):
        return 0.0
    try:
        held = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0.0
    return round(held / 2**30, 1)


def _table(title: str, rows: Table) -> list[str]:
    columns = list(dict.fromkeys(column for cells in rows.values() for column in cells))
    first = max([len(title), *(len(row) for row in rows)])
    widths = {column: max(8, len(column)) for column in columns}
    head = "  ".join(f"{column:>{widths[column]}}" for column in columns)
    lines = [f"{title:<{first}}  {head}"]
    for row, cells in rows.items():
        told = "  ".join(f"{_cell(cells.get(column)):>{widths[column]}}" for column in columns)
        lines.append(f"{row:<{first}}  {told}")
    return lines


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
