"""Who works on a turn, and whether that process has ended."""

from __future__ import annotations

import subprocess
import sys

import pytest

from graphmem.owner import is_dead, new_owner


def test_this_process_is_not_dead() -> None:
    """Who runs is never judged ended."""
    assert not is_dead(new_owner())


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is judged there")
def test_a_process_that_ended_on_this_machine_is_dead() -> None:
    """Its turns can be taken up at once."""
    done = subprocess.run(
        [sys.executable, "-c", "from graphmem.owner import new_owner; print(new_owner())"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert is_dead(done.stdout.strip())


@pytest.mark.parametrize("owner", ["", "elsewhere:1:x", "no colon", "a:b:c:d"])
def test_nobody_else_is_judged(owner: str) -> None:
    """A process of another machine keeps its lease."""
    assert not is_dead(owner)
