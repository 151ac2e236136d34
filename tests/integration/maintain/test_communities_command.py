"""`graphmem communities` on a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphmem import GraphMemory
from tests.integration.maintain.conftest import Shell


@pytest.fixture
def told_of(opened: Callable[..., GraphMemory]) -> None:
    """Two groups of names are spoken of."""
    with opened() as memory:
        for names in (["Ana", "Bo", "Cy"], ["Dov", "[bold]Eli"]):
            memory.add_turn(" ".join(names), extraction={"mentions": names}, wait=True)


@pytest.mark.usefixtures("told_of")
def test_communities_are_found_and_listed(shell: Shell) -> None:
    """Nothing is there before the first update; then each group is a row, names as they are."""
    before = shell("communities").out
    found = shell("communities", "--rebuild", "--engine", "python")

    assert "--update" in before
    assert 0 == found.code
    assert "Ana, Bo, Cy" in found.out
    assert "[bold]Eli" in found.out
    assert "5 names in 2 communities (Python)" in found.err


def test_where_no_name_is_known_that_alone_is_told(shell: Shell) -> None:
    """Counts of nothing would say no more."""
    found = shell("communities", "--rebuild")

    assert (0, "no names are known here\n", "") == (found.code, found.out, found.err)


@pytest.mark.usefixtures("told_of")
def test_programs_get_json(shell: Shell) -> None:
    """The report stands beside the list, or nothing where only the list was asked for."""
    first = shell("communities", "--update", "--summaries", "local", "--limit", "1", "--json").json
    second = shell("communities", "--json").json

    assert (True, 1) == (first["report"]["is_rebuild"], len(first["communities"]))
    assert (None, [3, 2]) == (
        second["report"],
        [one["size"] for one in second["communities"]],
    )
