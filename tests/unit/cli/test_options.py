"""Options that mean nothing, alone or at all, are refused, and nothing is opened."""

from __future__ import annotations

import pytest

from graphmem.cli import communities, decay, maintain, runs
from graphmem.cli.maintain import Step
from graphmem.cli.root import run
from graphmem.cli.runs import Operation
from graphmem.maintenance import OPERATIONS, STEPS

_TIERED = ("decay", "--policy", "tiered")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("decay", "--days", "3"), "of --preview: add it, and nothing is changed"),
        (("decay", "--node", "f1"), "of --preview: add it, and nothing is changed"),
        ((*_TIERED, "--threshold", "0.2"), "--threshold: the tiered policy knows none"),
        ((*_TIERED, "--threshold", "0.1"), "--threshold: the tiered policy knows none"),
        ((*_TIERED, "--mode", "delete"), "--mode: the tiered policy knows none"),
        ((*_TIERED, "--centred-reward"), "--centred-reward: the tiered policy knows none"),
        ((*_TIERED, "--type", "semantic"), "--type: the tiered policy knows none"),
        ((*_TIERED, "--preview", "--mode", "delete"), "--mode: the tiered policy knows none"),
        (("communities", "--engine", "gds"), "--engine: this is of --rebuild: add it"),
        (("communities", "--update", "--engine", "gds"), "--engine: this is of --rebuild"),
        (("communities", "--summaries", "llm"), "--summaries: this is of --update: add it"),
        (("communities", "--rebuild", "--engine", "spark"), "'auto', 'gds', 'python'"),
        (("communities", "--limit", "-1"), "greater than or equal to 0"),
        (("maintain", "--step", "tidy"), "'backfill', 'communities', 'consolidate', 'decay'"),
        (("runs", "list", "--operation", "tidy"), "'maintain', 'communities', 'consolidate'"),
        (("runs", "list", "--limit", "0"), "greater than or equal to 1"),
        (("maintain", "--budget", "0"), "--budget: it is a number of seconds above 0 and up to 31"),
        (("maintain", "--budget", "nan"), "--budget: it is a number of seconds above 0"),
        (("maintain", "--every", "1w"), "--every: it is a span such as 90s"),
    ],
)
def test_an_option_that_means_nothing_is_refused(
    arguments: tuple[str, ...],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With what to add, what to leave out, or what there is."""

    def opened(_: str | None) -> None:
        raise AssertionError(arguments)

    for module in (communities, decay, maintain, runs):
        monkeypatch.setattr(module, "open_memory", opened)

    code = run([*arguments])

    shown = capsys.readouterr().err
    assert 2 == code
    assert told in shown
    assert "Value error" not in shown


def test_all_steps_and_operations_can_be_named() -> None:
    """In the order in which a tick does them."""
    assert [*STEPS] == [*Step]
    assert [*OPERATIONS] == [*Operation]
