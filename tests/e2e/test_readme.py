"""The README begins with what a newcomer types; test_command_line.py runs its Python."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the README's blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_readme_opens_with_the_two_verbs() -> None:
    """The first block is `make demo` and `make test`."""
    first, second = blocks("console")[0].strip().splitlines()

    assert first.startswith("$ make demo")
    assert second.startswith("$ make test")
    assert README.index("make demo") < README.index("pip install")


def test_verbs_of_the_makefile_are_told_in_the_readme_or_its_help() -> None:
    """Each target that people type has a line in `make help`."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony is not None

    untold = [verb for verb in phony[1].split() if f"make {verb}" not in makefile]

    assert ["help"] == untold
