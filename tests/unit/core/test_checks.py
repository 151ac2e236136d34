"""What a caller passes is taken as it is, or refused with the parameter and its bounds."""

from __future__ import annotations

import pytest

from graphmem.checks import check_flag, check_number, check_whole, check_word
from graphmem.errors import InputError

ODD = (None, True, "1", [], {}, float("nan"))


def test_what_keeps_the_bounds_is_taken() -> None:
    """The bounds themselves are inside."""
    assert ["a", "b"] == [check_word(word, "w", ("a", "b")) for word in ("a", "b")]
    assert [True, False] == [check_flag(flag, "f") for flag in (True, False)]
    assert [0.0, 0.5, 1.0] == [check_number(number, "n", 0, 1) for number in (0, 0.5, 1)]
    assert [-2, 3] == [check_whole(number, "n", -2, 3) for number in (-2, 3)]


@pytest.mark.parametrize("odd", [*ODD, "c", ["a"]])
def test_another_word_is_told_which_there_are(odd: object) -> None:
    """Of any type."""
    with pytest.raises(InputError, match=r"^mode is .*, not one of a, b$"):
        check_word(odd, "mode", ("a", "b"))


@pytest.mark.parametrize("odd", [None, 0, 1, "yes"])
def test_what_is_no_flag(odd: object) -> None:
    """Neither is what Python takes for true."""
    with pytest.raises(InputError, match="dry_run must be True or False, got "):
        check_flag(odd, "dry_run")


@pytest.mark.parametrize("odd", [*ODD, -0.1, 1.1, float("inf"), 10**400])
def test_what_is_no_number_within_bounds(odd: object) -> None:
    """True is none, and neither is what no float holds."""
    with pytest.raises(InputError, match="days must be a number from 0 to 1, got "):
        check_number(odd, "days", 0, 1)


def test_the_smallest_may_be_too_small() -> None:
    """Where the bound is open."""
    with pytest.raises(InputError, match="cosine must be a number above 0 and up to 1, got 0"):
        check_number(0, "cosine", 0, 1, is_open=True)


@pytest.mark.parametrize("odd", [*ODD, 0, 1001, 1.0])
def test_what_is_no_whole_number_within_bounds(odd: object) -> None:
    """Neither is one with a decimal point."""
    with pytest.raises(InputError, match="batch must be a whole number from 1 to 1,000, got "):
        check_whole(odd, "batch", 1, 1000)
