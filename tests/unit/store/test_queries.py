"""What the loader of query files accepts, reads and refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphmem import queries
from graphmem.errors import QueryFileError
from graphmem.queries import ParamDoc, all_queries, get_query, parse_query

GOOD = """\
// NAME     recall/nearest
// DOES     Nearest turns,
//          best first.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.26.0
// PARAMS   scope   STRING           memory scope
//          since   ZONED DATETIME?  earliest time,
//                                   null = any
//          rows    LIST<MAP>        {id, text}
// RETURNS  id STRING
// SOURCE   Graph Memory, "Query-first recall"
// COST     two probes
// TRY      :param scope => 'demo';
//          :param since => datetime();
//          :param rows => [];
CYPHER 25
// $comment is no parameter
MATCH (t:Turn {scope: $scope})
WHERE t.at > $since AND t.text <> '$quoted' // nor is $this
UNWIND $rows AS row
RETURN t.id AS id
"""


def parse(content: str) -> queries.Query:
    """Parse `content` as the file of recall/nearest."""
    return parse_query(content, name="recall/nearest", path="nearest.cypher")


def test_every_field_of_a_header_is_read() -> None:
    """A parsed file says what it takes, needs and does."""
    query = parse(GOOD)

    assert "Nearest turns, best first." == query.does
    assert "read" == query.mode
    assert {"neo4j": (2026, 2), "gds": (2, 26, 0)} == dict(query.needs)
    assert "two probes" == query.cost
    assert "recall" == query.stage
    assert query.body.startswith("CYPHER 25\n")
    assert query.text.startswith("// recall/nearest\nCYPHER 25\n")


def test_parameters_have_type_null_mark_and_meaning() -> None:
    """A `?` behind the type lets a null through; a deeper line goes on with the meaning."""
    params = parse(GOOD).params

    assert ["scope", "since", "rows"] == list(params)
    assert ParamDoc("scope", "STRING", False, "memory scope") == params["scope"]
    assert ParamDoc("since", "ZONED DATETIME", True, "earliest time, null = any") == params["since"]
    assert "LIST<MAP>" == params["rows"].type


def test_texts_and_lists_cross_in_one_map() -> None:
    """By their sizes the server would plan the statement anew; in a map it looks at none."""
    query = parse(GOOD)

    sent = query.packed({"scope": "ana", "since": None, "rows": []})

    assert "{scope: $given.scope}" in query.text
    assert "UNWIND $given.rows" in query.text
    assert "t.at > $since AND t.text <> '$quoted' // nor is $this" in query.text
    assert {"since": None, "given": {"scope": "ana", "rows": []}} == sent


def test_no_statement_has_a_parameter_with_a_size() -> None:
    """So each is planned once, however long a question or a batch is."""
    sized = [
        (query.name, name)
        for query in all_queries()
        for name, param in query.params.items()
        if param.type.startswith(("STRING", "LIST")) and query.mode != "schema"
        if re.search(rf"\${name}\b", re.sub(r"//[^\n]*", "", query.text))
    ]

    assert [] == sized


def test_a_schema_statement_takes_its_parameters_as_they_are() -> None:
    """Where a name or options stand, the server takes a parameter and nothing else."""
    query = parse(GOOD.replace("MODE     read", "MODE     schema"))

    assert "// recall/nearest\n" + query.body == query.text
    assert {"scope": "ana"} == query.packed({"scope": "ana"})


def test_the_name_of_the_map_is_taken() -> None:
    """A parameter of that name would hide the others."""
    with pytest.raises(QueryFileError, match=r"\$given is taken"):
        parse(GOOD.replace("scope   STRING ", "given   STRING ").replace("$scope", "$given"))


def test_the_values_to_try_are_kept_line_by_line() -> None:
    """TRY is what a person pastes."""
    tries = parse(GOOD).tries

    assert ":param scope => 'demo';\n:param since => datetime();\n:param rows => [];" == tries


def test_values_take_the_place_of_parameters() -> None:
    """What only looks like one, in text or in a comment, stays."""
    filled = parse(GOOD).filled()

    assert (
        "CYPHER 25\n// $comment is no parameter\nMATCH (t:Turn {scope: 'demo'})\n"
        "WHERE t.at > datetime() AND t.text <> '$quoted' // nor is $this\n"
        "UNWIND [] AS row\nRETURN t.id AS id"
    ) == filled


def test_given_values_stand_in_the_place_of_those_of_try() -> None:
    """A text cannot end the quotes that it stands in."""
    filled = parse(GOOD).filled(scope="o'hara \\ $rows", rows=["a", "it's"])

    assert r"{scope: 'o\'hara \\ $rows'}" in filled
    assert r"UNWIND ['a', 'it\'s'] AS row" in filled
    assert "t.at > datetime()" in filled


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("NAME     recall/nearest", "NAME     recall/farthest", "the path says"),
        ("// MODE     read", "// MODE     maybe", "MODE is 'maybe'"),
        ("// MODE     read\n", "", "lacks MODE"),
        ("// SOURCE", "// ORIGIN", "ORIGIN is no field"),
        ("// COST     two probes", "// MODE     read", "MODE stands twice"),
        ("//          best first.", "best first.", "lacks MODE"),
        ("neo4j >= 2026.02, gds", "neo4j > 2026, gds", "NEEDS is"),
        ("neo4j >= 2026.02, gds", "gds", "which neo4j"),
        ("scope   STRING  ", "scope   TEXT    ", "not a parameter"),
        ("rows    LIST<MAP>        {id, text}", "scope   STRING   again", "scope stands twice"),
        ("$scope})", "$owner})", "$owner is used"),
        ("UNWIND $rows AS row\n", "", "declares rows"),
        ("//          :param rows => [];\n", "", "no value for $rows"),
        ("rows => []", "lines => []", "unknown $lines"),
        ("RETURN t.id AS id", "RETURN t.id AS id;", "closing ';'"),
        ("// TRY      :param scope", "// TRY      scope", "TRY is"),
    ],
)
def test_a_broken_file_is_refused_with_its_fault(old: str, new: str, told: str) -> None:
    """Whatever breaks the convention is told by file and fault when it is loaded."""
    assert old in GOOD

    with pytest.raises(QueryFileError) as caught:
        parse(GOOD.replace(old, new))

    assert told in str(caught.value)
    assert "nearest.cypher" in str(caught.value)
    assert "query-file" == caught.value.kind


def test_fields_stand_in_one_order() -> None:
    """A header reads the same in every file."""
    lines = GOOD.split("\n")
    lines[3], lines[4] = lines[4], lines[3]

    with pytest.raises(QueryFileError, match="order"):
        parse("\n".join(lines))


def test_a_header_alone_is_no_query() -> None:
    """A file needs a statement."""
    header = GOOD[: GOOD.index("CYPHER 25")]

    with pytest.raises(QueryFileError, match="no statement"):
        parse(header)


def test_a_comment_below_the_header_is_not_swallowed() -> None:
    """A comment that would silently become part of TRY is an error."""
    content = GOOD.replace("CYPHER 25\n", "// why this is so\nCYPHER 25\n")

    with pytest.raises(QueryFileError, match="TRY"):
        parse(content)


def test_a_slot_makes_two_queries_of_one_file() -> None:
    """`{slot}` stands for a or b, in names of indexes and properties."""
    a, b = get_query("schema/turn_embedding", "a"), get_query("schema/turn_embedding", "b")

    assert "turn_embedding_a" in a.text
    assert "n.embedding_b" in b.text
    assert a.text.replace("embedding_a", "embedding_b") == b.text


@pytest.mark.parametrize(("name", "slot"), [("turn_embedding", None), ("turn_embedding", "c")])
def test_a_file_with_a_slot_asks_for_one(name: str, slot: str | None) -> None:
    """Only the two slots there are will do."""
    with pytest.raises(QueryFileError, match="slot='a' or slot='b'"):
        get_query(f"schema/{name}", slot)


def test_a_file_without_a_slot_takes_none() -> None:
    """A slot that changes nothing is a mistake of the caller."""
    with pytest.raises(QueryFileError, match="leave slot='a' out"):
        get_query("schema/turn_id", "a")


@pytest.mark.parametrize("name", ["recall/no_such", "../secret", "README", "schema/", "Schema/X"])
def test_an_unknown_name_is_refused(name: str) -> None:
    """A name is a path below cypher/ and nothing else."""
    with pytest.raises(QueryFileError, match="cypher list"):
        get_query(name)


def test_queries_are_listed_by_name_and_stage() -> None:
    """The listing is sorted, and can be had for one folder."""
    names = [query.name for query in all_queries()]

    assert sorted(names) == names
    assert {"schema"} == {query.stage for query in all_queries("schema")}


def test_a_file_is_read_once() -> None:
    """A query that was loaded is not parsed again."""
    assert get_query("schema/turn_id") is get_query("schema/turn_id")


def test_the_packaged_folder_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package brings its queries along; a checkout has them beside it."""
    package = tmp_path / "graphmem"
    (tmp_path / "cypher").mkdir()
    package.mkdir()
    monkeypatch.setattr(queries, "files", lambda _: package)

    beside = queries._root()
    (package / "cypher").mkdir()
    packaged = queries._root()

    assert (tmp_path / "cypher", package / "cypher") == (beside, packaged)


def test_a_missing_folder_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken installation is told as such."""
    monkeypatch.setattr(queries, "files", lambda _: tmp_path / "graphmem")

    with pytest.raises(QueryFileError, match="install graphmem again"):
        queries._root()
