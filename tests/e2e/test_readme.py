"""The README keeps its word: its Python runs, as it stands, on a newcomer's machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import Newcomer

pytestmark = pytest.mark.xdist_group("newcomer")

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_readme_opens_with_the_two_verbs() -> None:
    """The first block is `make demo` and `make test`."""
    first, second = _blocks("console")[0].strip().splitlines()

    assert first.startswith("$ make demo")
    assert second.startswith("$ make test")
    assert README.index("make demo") < README.index("pip install")


def test_the_python_of_the_readme_runs(newcomer: Newcomer) -> None:
    """All blocks together are one program: it recalls what it was told, without a warning."""
    program = "\n".join(_blocks("python"))

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**newcomer.environment, "GRAPHMEM_SCOPE": "readme"},
    )

    assert 0 == done.returncode, done.stderr
    assert "At a bakery in Lyon, since May." in done.stdout
    assert "the small room, Friday at ten" in done.stdout
    assert "Ana lives in Lyon." in done.stdout
    assert "\n()\n" in done.stdout


def test_verbs_of_the_makefile_are_told_in_the_readme_or_its_help() -> None:
    """Each target that people type has a line in `make help`."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None

    untold = [verb for verb in phony[1].split() if f"make {verb}" not in makefile]

    assert ["help"] == untold
