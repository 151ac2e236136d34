"""Whoever marks a fact to be compared moves its revision: each mark is told from the one before."""

from __future__ import annotations

import re

import pytest

from graphmem.queries import Query, all_queries

MARK = re.compile(r"(\w+)\.needs_comparison = ")
WITH_REVISION = re.compile(
    r"(\w+)\.needs_comparison = [^,]+, "
    r"\1\.comparison_revision = coalesce\(\1\.comparison_revision, 0\) \+ 1(?= |$)"
)


def one_line(query: Query) -> str:
    """Return a statement without comments and breaks."""
    return " ".join(re.sub(r"//[^\n]*", "", query.body).split())


def sets_mark(query: Query) -> bool:
    """Return whether a statement sets the mark; one compares it, and one takes it away."""
    return (
        " SET " in (text := one_line(query))
        and bool(MARK.search(text))
        and query.name != "maintain/mark_compared"
    )


MARKING = [query for query in all_queries() if sets_mark(query)]


@pytest.mark.parametrize("query", MARKING, ids=lambda query: query.name)
def test_a_mark_moves_the_revision(query: Query) -> None:
    """In the same breath, whether the fact waits already or not."""
    text = one_line(query)

    assert MARK.findall(text) == WITH_REVISION.findall(text)


def test_the_statements_are_found() -> None:
    """The test above looks at some."""
    assert {"graph/write_facts", "graph/settle_decision", "maintain/undo_facts"} < {
        query.name for query in MARKING
    }
