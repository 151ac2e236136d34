"""`graphmem procedures` on a real server: what a shell can say of them, and what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import GraphMemory
from graphmem.cli import facts, feedback, procedures, recall
from graphmem.cli.root import run
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.tiers.conftest import Configure

Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Run a command on the shared server; return its code, its output and its errors."""

    def opened(_: str | None) -> GraphMemory:
        return GraphMemory.open(settings_with(), embedder=embedder, clock=clock)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run([*arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    for module in (facts, feedback, procedures, recall):
        monkeypatch.setattr(module, "open_memory", opened)
    return command


def told(answer: tuple[int, str, str]) -> Any:
    """Return what a command printed as JSON."""
    code, output, errors = answer
    assert 0 == code, errors
    return json.loads(output)


def test_a_procedure_from_its_definition_to_its_end(shell: Shell) -> None:
    """Defined, recalled, rated, pinned, listed, shown and removed."""
    way = told(
        shell(
            *("procedures", "define", "Tag, then push.", "--intent", "ship a release"),
            *("--condition", "main is green", "--expected-outcome", "a tag"),
            *("--return-score", "0.5", "--priority", "3", "--agent", "scribe", "--json"),
        )
    )

    found = told(shell("recall", "How do I ship a release?", "--json"))
    shown = shell("recall", "How do I ship a release?")
    block = told(shell("recall", "How do I ship a release?", "--prompt", "300", "--json"))
    rated = told(shell("feedback", way["id"], "--reward", "1", "--json"))
    pinned = told(shell("procedures", "pin", way["id"], "--json"))
    free = told(shell("procedures", "unpin", way["id"], "--json"))
    listed = told(shell("procedures", "list", "--intent", "Ship a release", "--json"))
    page = shell("procedures", "show", way["id"])
    gone = told(shell("procedures", "remove", way["id"], "--reason", "a robot does it", "--json"))
    nothing = shell("procedures", "list")
    forgotten = told(shell("procedures", "list", "--status", "forgotten", "--json"))

    assert ("main is green", "a tag", 0.5, 3, "scribe") == (
        way["condition"],
        way["expected_outcome"],
        way["return_score"],
        way["priority"],
        way["agent_id"],
    )
    assert [way["id"]] == [hit["procedure"]["id"] for hit in found["procedures"]]
    assert "Tag, then push." in shown[1]
    assert [way["id"]] == block["procedure_ids"]
    assert {"rated": 1} == rated
    assert (True, False) == (pinned["pinned"], free["pinned"])
    assert (1.5, 2) == (listed[0]["reward_sum"], listed[0]["reward_count"])
    assert "0.75" in page[1]
    assert ("forgotten", "a robot does it") == (gone["status"], gone["retired_reason"])
    assert "no such procedure is known\n" == nothing[1]
    assert [way["id"]] == [one["id"] for one in forgotten]


def test_a_procedure_that_is_not_there_is_told_in_one_line(shell: Shell) -> None:
    """With the command that shows those that are."""
    for command in ("show", "pin", "unpin"):
        code, output, errors = shell("procedures", command, "nobody")

        assert (1, "") == (code, output)
        assert errors.startswith("error: procedure-not-found: there is no procedure 'nobody'")


def test_a_fact_is_pinned_and_let_go(shell: Shell) -> None:
    """And its page says so."""
    fact = told(shell("facts", "remember", "Iris owns a loom.", "--json"))["fact"]

    pinned = shell("facts", "pin", fact["id"])
    free = told(shell("facts", "unpin", fact["id"], "--json"))

    assert "pinned" in pinned[1]
    assert fact == free
