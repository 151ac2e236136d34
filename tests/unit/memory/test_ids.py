"""Ids that a caller names."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import InputError
from graphmem.ids import check_ids


@pytest.mark.parametrize("value", ["abc", b"abc", 7, None, {"a": 1}, [7], [["a"]], ["\udfff"]])
def test_what_is_no_list_of_ids_is_refused(value: Any) -> None:
    """One id as text would be taken for its letters; the message names the parameter."""
    with pytest.raises(InputError, match="turn_ids"):
        check_ids(value, "turn_ids")


def test_an_id_counts_once_in_its_place() -> None:
    """Any iterable is taken."""
    assert ("b", "a") == check_ids(iter(["b", "a", "b"]), "turn_ids")
