"""`graphmem cypher` shows the queries."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from graphmem.cli.cypher import app
from graphmem.errors import QueryFileError


def output(*arguments: str) -> str:
    """Run the command and return what it printed."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert 0 == result.exit_code, result.output
    return result.stdout


def test_every_query_is_listed_once() -> None:
    """Also one that is made for two slots."""
    names = [entry["name"] for entry in json.loads(output("list", "--json"))]

    assert 1 == names.count("schema/turn_embedding")
    assert sorted(set(names)) == names


def test_the_list_can_be_narrowed_to_a_stage() -> None:
    """A folder's name leaves the others out."""
    names = [entry["name"] for entry in json.loads(output("list", "schema", "--json"))]

    assert {"schema"} == {name.split("/")[0] for name in names}


def test_a_query_is_shown_ready_to_paste() -> None:
    """It is one statement: of a paste of several, Browser draws nothing."""
    shown = output("show", "explore/session_path").strip()

    assert shown.startswith("// explore/session_path: ")
    assert shown.endswith(";")
    assert 1 == shown.count(";")
    assert "$" not in shown
    assert "WHERE turn.scope = 'demo' AND turn.session_id = COLLECT {" in shown


def test_a_query_is_shown_for_the_scope_that_is_asked_for() -> None:
    """Its name is text, quotes and all, wherever a value names the scope."""
    shown = output("show", "explore/session_path", "--scope", r"a'b\c")

    assert 3 == shown.count(r"'a\'b\\c'")
    assert "'demo'" not in shown


def test_an_unknown_stage_is_wrong_usage() -> None:
    """It is told with the ones there are."""
    result = CliRunner().invoke(app, ["list", "rendr"])

    assert 2 == result.exit_code
    assert "explore" in result.output


def test_a_query_is_shown_for_the_slot_that_is_asked_for() -> None:
    """Without one it is the first."""
    assert "turn_embedding_b" in output("show", "schema/turn_embedding", "--slot", "b")
    assert "turn_embedding_a" in output("show", "schema/turn_embedding")


def test_programs_get_all_of_the_header() -> None:
    """--json tells types and meanings of the parameters."""
    shown = json.loads(output("show", "schema/lock_embedder", "--json"))

    assert "write" == shown["mode"]
    assert {"name": "id", "type": "STRING", "null": False} == {
        key: shown["params"][0][key] for key in ("name", "type", "null")
    }


def test_an_unknown_slot_is_wrong_usage() -> None:
    """It is told with the ones there are."""
    result = CliRunner().invoke(app, ["show", "schema/turn_embedding", "--slot", "z"])

    assert 2 == result.exit_code


def test_an_unknown_query_is_told() -> None:
    """The error comes from the loader."""
    with pytest.raises(QueryFileError, match="no query 'recall/nothing'"):
        output("show", "recall/nothing")
