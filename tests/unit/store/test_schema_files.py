"""What is wanted of the database, as the files in cypher/schema/ say it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.embedder_lock import EmbedderInfo
from graphmem.errors import QueryFileError
from graphmem.queries import get_query
from graphmem.schema import WantedIndex, _wanted, wanted_indexes

BY_NAME = {index.name: index for index in wanted_indexes()}
LABELS = ("Session", "Message", "Turn", "Fact", "Term", "Tag", "Agent")


@pytest.mark.parametrize("label", LABELS)
def test_ids_are_unique_inside_a_scope(label: str) -> None:
    """Each label of a scope has a constraint on (scope, id)."""
    index = BY_NAME[f"{label.lower()}_id"]

    assert (label, ("scope", "id"), True) == (index.label, index.properties, index.is_constraint)


@pytest.mark.parametrize("label", ["Term", "Tag"])
def test_keys_are_unique_inside_a_scope(label: str) -> None:
    """One name is one node."""
    index = BY_NAME[f"{label.lower()}_key"]

    assert (("scope", "key"), True) == (index.properties, index.is_constraint)


@pytest.mark.parametrize("slot", ["a", "b"])
@pytest.mark.parametrize("label", ["Turn", "Fact", "Term", "Tag"])
def test_vectors_are_filtered_by_scope_and_status_inside_the_index(label: str, slot: str) -> None:
    """Each label with vectors has an index in both slots, and no scope is filtered afterwards."""
    index = BY_NAME[f"{label.lower()}_embedding_{slot}"]

    assert (label, "VECTOR") == (index.label, index.type)
    assert (f"embedding_{slot}", "scope", "status") == index.properties[:3]


def test_turns_are_filtered_by_all_that_a_recall_may_ask() -> None:
    """Agent, session, project and time narrow a search before it is cut."""
    expected = {"scope", "status", "agent_id", "session_id", "project", "at"}

    assert expected == set(BY_NAME["turn_embedding_a"].properties[1:])


@pytest.mark.parametrize("label", ["Turn", "Message", "Fact", "Term"])
def test_words_are_found_inside_a_scope(label: str) -> None:
    """A full-text index holds the scope's token beside the analysed text."""
    index = BY_NAME[f"{label.lower()}_text"]

    assert (label, "FULLTEXT") == (index.label, index.type)
    assert ("search_text", "scope_token") == index.properties[:2]
    assert "'whitespace'" in index.query.body


def test_no_index_holds_free_text_as_a_key() -> None:
    """A range index refuses keys of 8 kB and more: only bounded properties have one."""
    keyed = {
        name for index in BY_NAME.values() if index.type == "RANGE" for name in index.properties
    }

    assert not keyed & {"text", "content", "summary", "name", "label", "subject", "object"}


def test_constraints_come_first() -> None:
    """They are made before anything is written that they should keep apart."""
    flags = [index.is_constraint for index in wanted_indexes()]

    assert sorted(flags, reverse=True) == flags


def test_an_index_is_called_as_its_file() -> None:
    """Who reads SHOW INDEXES finds the file."""
    query = get_query("schema/turn_id")

    with pytest.raises(QueryFileError, match="not its own name"):
        _wanted(replace(query, body=query.body.replace("turn_id", "turn_ident")))


def test_a_schema_file_makes_one_index() -> None:
    """Nothing else has MODE schema."""
    query = replace(get_query("schema/turn_id"), body="DROP CONSTRAINT turn_id")

    with pytest.raises(QueryFileError, match="CREATE"):
        _wanted(query)


def test_an_index_tells_itself() -> None:
    """Two clashing ones can be told side by side."""
    index: WantedIndex = BY_NAME["fact_hash"]

    assert "RANGE on :Fact(scope, canonical_hash)" == str(index)


def test_an_embedder_s_id_names_provider_model_and_width() -> None:
    """An unknown width is told as such."""
    assert "local:mini@384" == EmbedderInfo("local", "mini", 384).id
    assert "local:mini@?" == EmbedderInfo("local", "mini", None).id
