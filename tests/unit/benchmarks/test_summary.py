"""The table of results in the page about benchmarks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.report import Report
from benchmarks.summary import README, RESULTS, summary, with_summary


def test_the_page_shows_the_results_that_are_kept() -> None:
    """Figures on the page are those of the result files: `python -m benchmarks.summary`."""
    text = README.read_text(encoding="utf-8")

    assert with_summary(text, summary(RESULTS)) == text


def test_a_result_is_shown_with_what_it_depends_on(tmp_path: Path) -> None:
    """Options that were not chosen are left out; without rows of its own, the first table."""
    report = Report("x", {"tune": "a,b", "conversations": "", "ablate": 3})
    report.tables["scores"] = {"graphmem": {"frac@10": 0.5, "n": 3}, "bm25": {"n": 3}}
    report.tables["times"] = {"recall": {"p50": 1.0}}
    report.notes.append("few questions")
    (tmp_path / "x-1.json").write_text(json.dumps(report.to_dict()), encoding="utf-8")

    lines = summary(tmp_path).split("\n")

    assert lines[0].startswith("**x-1** (")
    assert "; tune a b, ablate 3; " in lines[0]
    assert [
        "| | frac@10 | n |",
        "|---|---|---|",
        "| graphmem | 0.500 | 3 |",
        "| bm25 |  | 3 |",
        "",
        "Few questions.",
    ] == lines[2:8]


def test_a_page_without_the_section_is_refused() -> None:
    """Nothing is written anywhere else."""
    with pytest.raises(ValueError, match="needs a section"):
        with_summary("# Benchmarks\n", "")
