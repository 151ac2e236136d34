"""The docs name what there is."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from graphmem.cli.root import app
from graphmem.settings_table import describe_settings

ROOT = Path(__file__).parents[2]


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name, child in command.commands.items():
            yield from _commands(child, f"{path} {name}")
    else:
        yield path, command


COMMANDS = dict(_commands(typer.main.get_command(app), "graphmem"))


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_is_documented(path: str) -> None:
    """docs/cli.md names every command, and every option of it."""
    page = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    options = [
        option
        for parameter in COMMANDS[path].params
        for option in parameter.opts
        if option.startswith("--")
    ]

    section = re.search(
        rf"^#+ .*`{re.escape(path)}\b.*?(?=^#+ |\Z)", page, re.MULTILINE | re.DOTALL
    )

    assert section is not None, f"docs/cli.md has no section on {path}"
    shared = page.split("\n## ")[0]
    assert [option for option in options if f"`{option}" not in section[0] + shared] == []


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_explains_itself(path: str) -> None:
    """Every command, argument and option has a help text."""
    command = COMMANDS[path]

    assert command.help
    assert [
        parameter.name for parameter in command.params if not getattr(parameter, "help", None)
    ] == []


def test_results_can_be_read_by_programs() -> None:
    """Every command that returns something takes --json."""
    silent = {"graphmem server load", "graphmem server logs"}
    without = {
        path
        for path, command in COMMANDS.items()
        if not any("--json" in parameter.opts for parameter in command.params)
    }

    assert without <= silent


def test_the_table_of_settings_is_the_one_in_the_code() -> None:
    """docs/settings.md holds what scripts/settings_table.py prints."""
    table = runpy.run_path(str(ROOT / "scripts/settings_table.py"))["table"]()

    assert table in (ROOT / "docs/settings.md").read_text(encoding="utf-8")


def test_the_tables_of_methods_are_those_in_the_code() -> None:
    """docs/sdk.md holds what scripts/sdk_table.py prints."""
    tables = runpy.run_path(str(ROOT / "scripts/sdk_table.py"))["tables"]()

    assert tables in (ROOT / "docs/sdk.md").read_text(encoding="utf-8")


def test_every_setting_says_what_it_does() -> None:
    """No row of the table is empty."""
    assert [row.name for row in describe_settings() if not row.doc.strip()] == []


def test_links_between_pages_lead_somewhere() -> None:
    """A relative link in README or docs names a file that is there."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "benchmarks/README.md"]
    links = [
        (page, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    ]

    assert links
    assert [
        (page.name, target) for page, target in links if not (page.parent / target).exists()
    ] == []


def test_every_page_of_the_docs_is_linked() -> None:
    """docs/index.md leads to each page."""
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    pages = [
        str(page.relative_to(ROOT / "docs"))
        for page in (ROOT / "docs").rglob("*.md")
        if page.name != "index.md"
    ]

    assert [page for page in pages if f"({page})" not in index] == []
