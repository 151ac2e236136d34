"""Whatever upkeep removes, it spares the same nodes, and says so in the same words."""

from __future__ import annotations

import re

import pytest

from graphmem.queries import Query, all_queries

UPKEEP = all_queries("maintain")

# Of each that has a name for what protects a node, as a word that a report counts by.
NAMED = re.compile(
    r"CASE WHEN (?:coalesce\(\w+\.pinned, false\)|\w+\.pinned) THEN 'pinned' "
    r"WHEN \w+\.tier = 'core' THEN 'core' "
    # What is deprecated is not pending.
    r"(?:WHEN \w+\.status = 'pending' THEN 'pending' )?"
    r"WHEN (?:EXISTS \{ \(\w+\)-\[:SUPERSEDES\]-\(:Fact\) \}|is_chained) THEN 'chain' "
    r"WHEN EXISTS \{ \(\w+\)<-\[:ABOUT\|AGAINST\]-\(d:Decision\) "
    r"WHERE d\.state IN \['open', 'unchecked'\] \} THEN 'decision' "
    r"ELSE '' END AS protect(?:ed|ion)"
)
# Of each that removes, or counts what would be: nothing of it is passed.
FACTS = (
    r"AND NOT (\w+)\.pinned AND \1\.tier <> 'core' "
    r"AND NOT EXISTS \{ \(\1\)-\[:SUPERSEDES\]-\(:Fact\) \} "
    r"AND NOT EXISTS \{ \(\1\)<-\[:ABOUT\|AGAINST\]-\(d:Decision\) "
    r"WHERE d\.state IN \['open', 'unchecked'\] \}"
)
PROCEDURES = r"AND NOT (\w+)\.pinned AND \1\.tier <> 'core'"


def one_line(query: Query) -> str:
    """Return a statement without comments and breaks."""
    return " ".join(re.sub(r"//[^\n]*", "", query.body).split())


def tells(query: Query) -> bool:
    """Return whether a statement says what protects a node."""
    return bool(re.search(r"AS protect(ed|ion)\b", one_line(query)))


def removes(query: Query, label: str) -> bool:
    """Return whether a statement takes Facts or Procedures out, or counts what the purge will."""
    text = one_line(query)
    takes = f"was = '{label}' " in text.replace(",", " ") and "SET" in text and "REMOVE n:" in text
    counts = f":{label} {{scope: $scope, deprecated_by: 'decay'}})" in text and "RETURN day" in text
    return (takes and f"REMOVE n:{label}" in text) or counts


@pytest.mark.parametrize(
    "query", [query for query in UPKEEP if tells(query)], ids=lambda query: query.name
)
def test_what_protects_is_told_in_the_same_words(query: Query) -> None:
    """Each of the five, the mightiest first."""
    assert NAMED.search(one_line(query))


@pytest.mark.parametrize(
    "query", [query for query in UPKEEP if removes(query, "Fact")], ids=lambda query: query.name
)
def test_protected_facts_are_passed_by(query: Query) -> None:
    """A statement that removes looks again, whoever asks and whatever was found before."""
    assert re.search(FACTS, one_line(query))


@pytest.mark.parametrize(
    "query",
    [query for query in UPKEEP if removes(query, "Procedure")],
    ids=lambda query: query.name,
)
def test_protected_procedures_are_passed_by(query: Query) -> None:
    """They are in no chain and under no decision."""
    assert re.search(PROCEDURES, one_line(query))


def test_the_statements_are_found() -> None:
    """The tests above look at some."""
    assert {"maintain/remove_facts", "maintain/foresee_purges"} == {
        query.name for query in UPKEEP if removes(query, "Fact")
    }
    assert {"maintain/remove_procedures", "maintain/foresee_purges"} == {
        query.name for query in UPKEEP if removes(query, "Procedure")
    }
    assert {"maintain/score_value", "maintain/score_tiers", "maintain/page_comparable"} < {
        query.name for query in UPKEEP if tells(query)
    }
