"""`graphmem doctor`: whether the memory is fit, and what to do where it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, open_memory, print_json, stdout, table

if TYPE_CHECKING:
    from graphmem.health import DoctorReport

__all__ = ["doctor"]


def doctor(*, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Examine server, indexes, embedder and extraction. Tells a cure for each fault.

    Exits with 1 when there is a fault.
    """
    # An examination goes on where a plain start would refuse another embedder.
    with open_memory(scope, on_embedder_mismatch="text") as memory:
        report = memory.doctor()
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _show(report)
    if report.faults:
        raise typer.Exit(1)


def _show(report: DoctorReport) -> None:
    console = stdout()
    rows = table("graphmem doctor", "what", "found")
    for name, version in report.versions.items():
        rows.add_row(name, version or "absent")
    rows.add_row("server", report.uri)
    rows.add_row("database", report.database or "home database")
    named = f"{report.embedder} ({report.embedder_state})" if report.embedder else "none"
    rows.add_row("embedder", named)
    rows.add_row("calibration", _calibration(report))
    rows.add_row("conflict zones", _zones(report))
    rows.add_row("extractor", report.extractor)
    rows.add_row("language", report.language)
    rows.add_row("tokens counted by", report.tokenizer)
    online = sum(1 for state in report.indexes.values() if state == "ONLINE")
    sizes = sorted(set(report.dimensions.values()))
    rows.add_row("dimensions", ", ".join(map(str, sizes)) or "no vector index yet")
    rows.add_row("indexes online", f"{online} of {len(report.indexes)}")
    for state, count in sorted(report.stats.extraction.items()):
        rows.add_row(f"turns {state}", f"{count:,}")
    for label, count in sorted(report.stats.without_vector.items()):
        rows.add_row(f"{label} without vector", f"{count:,}")
    for state, count in sorted(report.stats.undecided.items()):
        rows.add_row(f"decisions {state}", f"{count:,}")
    console.print(rows)
    for fault in report.faults:
        console.print(f"fault: {fault.what}\n  do: {fault.remedy}")
    if not report.faults:
        console.print("no faults")


def _zones(report: DoctorReport) -> str:
    if report.conflict_zones:
        return _told(report.conflict_zones)
    if report.proposed_zones:
        proposed = _told(report.proposed_zones)
        return f"not known of this embedder; conflict_thresholds could be {proposed}"
    return "not known: statements are compared by their words and triples alone"


def _told(zones: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {cosine:.2f}" for name, cosine in zones.items())


def _calibration(report: DoctorReport) -> str:
    found = report.calibration
    if found is None:
        return "none: `graphmem embedder calibrate` measures when an answer can be relied on"
    return (
        f"near from {found.threshold:.2f}: halves of a turn {found.same_median:.2f}, other turns "
        f"{found.different_median:.2f} (a tenth above {found.different_p90:.2f}), measured on "
        f"{found.sample} turns on {found.at:%Y-%m-%d}"
    )
