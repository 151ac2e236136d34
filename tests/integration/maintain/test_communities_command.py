"""`graphmem communities` on a real server."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from graphmem import GraphMemory
from graphmem.cli import communities as module
from graphmem.cli.root import run
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Configure

Shell = Callable[..., tuple[int, str, str]]

pytestmark = pytest.mark.usefixtures("told_of")


@pytest.fixture
def told_of(settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock) -> None:
    """Two groups of names are spoken of."""
    with GraphMemory.open(settings_with(), embedder=embedder, clock=clock) as opened:
        for names in (["Ana", "Bo", "Cy"], ["Dov", "[bold]Eli"]):
            opened.add_turn(" ".join(names), extraction={"mentions": names}, wait=True)


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

    monkeypatch.setattr(module, "open_memory", opened)
    return command


def test_communities_are_found_and_listed(shell: Shell) -> None:
    """Nothing is there before the first update; then each group is a row, names as they are."""
    _, before, _ = shell("communities")
    code, found, told = shell("communities", "--update", "--engine", "python")

    assert "--update" in before
    assert 0 == code
    assert "Ana, Bo, Cy" in found
    assert "[bold]Eli" in found
    assert "5 names in 2 communities (Python)" in told


def test_programs_get_json(shell: Shell) -> None:
    """The report stands beside the list, or nothing where only the list was asked for."""
    _, first, _ = shell("communities", "--rebuild", "--engine", "python", "--limit", "1", "--json")
    _, second, _ = shell("communities", "--json")

    assert (True, 1) == (
        json.loads(first)["report"]["is_rebuild"],
        len(json.loads(first)["communities"]),
    )
    assert (None, [3, 2]) == (
        json.loads(second)["report"],
        [one["size"] for one in json.loads(second)["communities"]],
    )


def test_a_wrong_choice_is_told(shell: Shell) -> None:
    """An engine that there is not is an error that names those there are."""
    code, _, told = shell("communities", "--update", "--engine", "spark")

    assert 1 == code
    assert "auto, gds, python" in told
