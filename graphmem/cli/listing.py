"""Lists of what has an id: the id on the left, and what is told of it on lines beside it."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.cli.console import stdout, table, visible

__all__ = ["comma", "short", "show_listing"]

# Of a text in a list; --json and `show` have all of it.
_MOST_CHARACTERS = 160


def show_listing(title: str, what: str, entries: Iterable[tuple[str, Iterable[str]]]) -> None:
    """Print a list that can be read on a terminal of eighty columns.

    An id takes most of a line there: columns beside it would break every word.

    Args:
        title: What stands above it.
        what: What the second column tells.
        entries: An id, and the lines that are told of it; empty lines are left out.
    """
    rows = table(title, "id", what)
    for id_, lines in entries:
        first, *others = [visible(line) for line in lines if line] or [""]
        rows.add_row(id_, first)
        for line in others:
            rows.add_row("", line)
    stdout().print(rows)


def short(text: str) -> str:
    """Return a text on one line, cut off where it is long."""
    told = " ".join(text.split())
    return told if len(told) <= _MOST_CHARACTERS else f"{told[: _MOST_CHARACTERS - 1]}\u2026"


def comma(*parts: str) -> str:
    """Return the parts that there are, with commas between them."""
    return ", ".join(part for part in parts if part)
