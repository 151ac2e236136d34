"""What a run leaves behind."""

from __future__ import annotations

import json

from benchmarks.metrics import Judged
from benchmarks.report import Report, differences, spread


def test_a_result_tells_what_its_figures_depend_on() -> None:
    """Data, options, versions, code and machine stand beside the tables."""
    report = Report(scenario="x", options={"every": 2}, data_sha256="ab", versions={"neo4j": "5"})
    report.tables["scores"] = {"ours": {"frac@10": 0.5}}
    report.figures["links"] = 7

    told = json.loads(json.dumps(report.to_dict()))

    assert {"every": 2} == told["options"]
    assert ("ab", {"neo4j": "5"}, 7) == (told["data_sha256"], told["versions"], told["links"])
    assert 0.5 == told["tables"]["scores"]["ours"]["frac@10"]
    assert {"commit", "made_at", "seconds", "notes"} <= set(told)
    assert {"cpus", "memory_gib", "model", "system", "python"} <= set(told["machine"])


def test_tables_stand_in_columns() -> None:
    """A cell that a row does not have stays empty, under its own heading."""
    report = Report(scenario="x")
    report.tables["scores"] = {"ours": {"a": 0.25, "n": 3}, "theirs": {"n": 12}}
    report.notes.append("Few questions.")

    lines = report.to_text().split("\n")

    assert [
        "scores         a         n",
        "ours       0.250         3",
        "theirs                  12",
        "",
        "Few questions.",
    ] == lines[2:]


def test_a_spread_tells_how_many_values_it_stands_on() -> None:
    """Without a value there is none."""
    assert {"p50": 2, "p95": 3, "n": 3} == spread([3, 1, 2])
    assert {} == spread([])


def test_differences_are_told_score_by_score() -> None:
    """Ours minus theirs, between the ends of the interval; nothing without a question."""
    ours = [Judged("c", {"a": 1.0, "b": 0.5}), Judged("c", {"a": 0.5, "b": 0.5})]
    theirs = [Judged("c", {"a": 0.5, "b": 0.5}), Judged("c", {"a": 0.0, "b": 0.5})]

    told = differences(ours, theirs)

    assert {"mean": 0.5, "low": 0.5, "high": 0.5} == told["a"]
    assert {"mean": 0.0, "low": 0.0, "high": 0.0} == told["b"]
    assert {} == differences([], [])
