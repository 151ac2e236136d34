"""`graphmem facts` on a real server: what a shell can say of a fact, and what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from graphmem import GraphMemory
from graphmem.cli import facts
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
        code = run(["facts", *arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    monkeypatch.setattr(facts, "open_memory", opened)
    return command


def told(answer: tuple[int, str, str]) -> Any:
    """Return what a command printed as JSON."""
    code, output, errors = answer
    assert 0 == code, errors
    return json.loads(output)


def test_what_supersedes_takes_all_that_can_be_said_of_a_fact(
    shell: Shell, settings_with: Configure, embedder: HashedEmbedder
) -> None:
    """The options of `remember` are those of `supersede`."""
    with GraphMemory.open(settings_with(), embedder=embedder) as memory:
        turn = memory.add_turn("The kiln was rebuilt for wood.", wait=True).turn_id
    old = told(shell("remember", "The kiln is fired with gas.", "--json"))["fact"]

    done = told(
        shell(
            *("supersede", old["id"], "The kiln is fired with wood.", "--reason", "rebuilt"),
            *("--confidence", "0.5", "--tag", "Kiln", "--tag", "wood", "--turn", turn),
            *("--from", "2026-07-01T00:00Z", "--to", "2026-09-01T00:00Z"),
            *("--agent", "potter", "--sensitivity", "public", "--json"),
        )
    )

    new = done["fact"]
    assert (0.5, [turn], "potter", "public") == (
        new["confidence"],
        new["turn_ids"],
        new["agent_id"],
        new["sensitivity"],
    )
    assert {"Kiln", "wood"} <= set(new["tags"])
    assert ("2026-07-01T00:00:00Z", "2026-09-01T00:00:00Z") == (new["valid_from"], new["valid_to"])


def test_what_is_not_said_of_the_sensitivity_follows_from_what_is_superseded(
    shell: Shell,
) -> None:
    """A shell that names none leaves a secret a secret."""
    old = told(shell("remember", "I live in Berlin", "--sensitivity", "secret", "--json"))["fact"]

    new = told(shell("supersede", old["id"], "I live in Oslo", "--reason", "moved", "--json"))[
        "fact"
    ]

    assert "secret" == new["sensitivity"]


@pytest.mark.parametrize(
    "command",
    [
        ("show",),
        ("history",),
        ("restore",),
        ("pin",),
        ("forget", "--reason", "gone"),
        ("supersede", "The kiln is electric.", "--reason", "rebuilt"),
    ],
    ids=lambda command: command[0],
)
def test_an_unknown_id_is_told_with_a_command_that_shows_those_there_are(
    shell: Shell, command: tuple[str, ...]
) -> None:
    """Whichever command asks for it."""
    name, *rest = command

    code, _, errors = shell(name, "0" * 32, *rest)

    assert 1 == code
    assert errors.startswith("error: fact-not-found: ")
    assert "`graphmem facts list --status all`" in errors
    assert "()" not in errors


@pytest.mark.parametrize("command", ["list", "conflicts", "judge"])
def test_a_bound_is_a_number_that_a_person_can_read(shell: Shell, command: str) -> None:
    """Too large a limit is told with the largest one."""
    _, _, errors = shell(command, "--limit", "5000000000")

    assert "from 0 to 1,000,000,000, got 5000000000" in errors
