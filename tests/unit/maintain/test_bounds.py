"""What is no parameter of upkeep is refused by name, whatever it is."""

from __future__ import annotations

import pytest
import typer

from graphmem import InputError
from graphmem.cli.maintain import _seconds
from graphmem.maintain.decay.value import check_types
from graphmem.maintain.retention import retention_request
from graphmem.tiers.tick import check_budget, check_steps

ODD = pytest.mark.parametrize("odd", [[], {}, [["a"]], [None], 5, "x", True])


@ODD
def test_what_is_no_way_to_keep_messages(odd: object) -> None:
    """Lists and mappings too."""
    with pytest.raises(InputError, match="keep"):
        retention_request(odd)


@ODD
def test_what_are_no_types_of_nodes(odd: object) -> None:
    """Lists in a list too."""
    with pytest.raises(InputError, match="node_types"):
        check_types(odd)


@ODD
def test_what_are_no_steps(odd: object) -> None:
    """Lists in a list too."""
    with pytest.raises(InputError, match="steps"):
        check_steps(odd)


@pytest.mark.parametrize("odd", [0, -1, "x", True, float("nan"), float("inf"), 10**400])
def test_what_is_no_budget(odd: object) -> None:
    """A number that no float holds too."""
    with pytest.raises(InputError, match="budget_s"):
        check_budget(odd)


@pytest.mark.parametrize("odd", ["", "h", "0", "-1h", "1e3h", "367d", "9" * 400])
def test_what_is_no_span(odd: str) -> None:
    """One that no clock holds too."""
    with pytest.raises(typer.BadParameter, match="it is a span such as 90s"):
        _seconds(odd)
