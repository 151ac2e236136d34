"""What the scenario of long chats tells of what it found."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.ablation import SHIPPED
from benchmarks.metrics import Judged, judge
from benchmarks.opening import LOADED_BEFORE
from benchmarks.report import Report
from benchmarks.scenarios import locomo
from benchmarks.talks import Talk


def _judged(ranked: list[str], category: str = "multi-hop") -> Judged:
    return judge(ranked, ["t1"], {"t1": "s1", "t2": "s2"}, category)


FULL, NONE = _judged(["t1"]), _judged(["t2"])


def _report(found: locomo._Found, *tuned: str) -> Report:
    report = Report("locomo")
    locomo._tell(found, frozenset(tuned), report)
    return report


def test_conversations_that_weights_were_chosen_by_stand_apart() -> None:
    """The headline and the differences are of the others alone."""
    asked = [
        locomo._Asked(talk, system, judged)
        for talk, judged in (("c1", NONE), ("c2", FULL))
        for system, judged in (("graphmem", judged), ("bm25", NONE))
    ]

    report = _report(locomo._Found(asked=asked, turns=2, load_s=1.0, with_vectors_s=4.0), "c1")

    assert (1.0, 1) == (
        report.summary["graphmem"]["frac@10"],
        report.summary["graphmem"]["n"],
    )
    assert 0.0 == report.tables["graphmem, tune"]["all"]["frac@10"]
    assert 1.0 == report.tables["graphmem - bm25"]["frac@10"]["mean"]
    assert ["tune", "report"] == [row["part"] for row in report.tables["conversations"].values()]
    assert "chosen by c1" in report.notes[0]
    assert [2.0, 0.5] == [row["rate"] for row in report.tables["turns a second"].values()]


def test_each_step_tells_what_it_changed() -> None:
    """From the row before; what is left out of everything, from everything."""
    rows = (("text alone", NONE), (SHIPPED, FULL), ("without text", NONE), ("without x", FULL))
    steps = [locomo._Asked("c1", step, judged) for step, judged in rows]
    asked = [locomo._Asked("c1", system, FULL) for system in ("graphmem", "bm25")]

    table = _report(locomo._Found(asked=asked, steps=steps)).tables["ablation"]

    assert [None, 1.0, -1.0, 0.0] == [row["change"] for row in table.values()]


def test_what_communities_change_is_told_question_by_question() -> None:
    """Beside the plain recall, as a system and as differences; nothing where it was not asked."""
    asked = [
        locomo._Asked("c1", system, judged)
        for system, judged in (("graphmem", FULL), ("bm25", NONE))
    ]
    narrowed = locomo._Asked("c1", "graphmem, communities", NONE)

    without, report = (_report(locomo._Found(asked=one)) for one in (asked, [*asked, narrowed]))

    name = "graphmem, communities - graphmem"
    assert name not in without.tables
    assert -1.0 == report.tables[name]["frac@10"]["mean"]
    assert 0.0 == report.summary["graphmem, communities"]["frac@10"]


def test_a_store_that_was_there_has_no_load_rate() -> None:
    """A note says whose graph was asked."""
    asked = [locomo._Asked("c1", system, FULL) for system in ("graphmem", "bm25")]

    report = _report(locomo._Found(asked=asked, load_s=1.0))

    assert "turns a second" not in report.tables
    assert [LOADED_BEFORE] == report.notes


@pytest.mark.parametrize(
    ("named", "told"), [(["c9"], "names c9"), (["c1", "c2"], "none is left to report on")]
)
def test_there_is_something_to_report_on(named: list[str], told: str) -> None:
    """Tuning by what is not asked, or by all that is, ends the run before anything is loaded."""
    with pytest.raises(SystemExit, match=told):
        locomo._tuned(named, [Talk("c1"), Talk("c2")])


@pytest.mark.parametrize(
    ("arguments", "expected"), [([], None), (["--ablate"], 1), (["--ablate", "3"], 3)]
)
def test_an_ablation_may_ask_some_of_the_questions(
    arguments: list[str], expected: int | None
) -> None:
    """Each, or every Nth."""
    parser = argparse.ArgumentParser()
    locomo.add_arguments(parser)

    assert expected == parser.parse_args(["--data", "x", *arguments]).ablate
