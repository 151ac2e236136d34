"""The files in cypher/ keep the convention, name fixed labels, and stay inside a scope."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.db.driver_errors import driver_errors
from graphmem.embedder_lock import EmbedderInfo
from graphmem.queries import Query, all_queries
from graphmem.schema import prepare, show_indexes
from tests.conftest import DIMENSIONS

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "schema.md").read_text(encoding="utf-8")

LABELS = {
    "Session",
    "Message",
    "Turn",
    "Fact",
    "Term",
    "Tag",
    "Agent",
    "Embedder",
    "RecallTrace",
    "Community",
    "Decision",
    "Procedure",
    "Intent",
    "MaintenanceRun",
    "Tombstone",
}
RELATIONSHIPS = {
    "HAS_MESSAGE",
    "HAS_TURN",
    "EVIDENCE",
    "NEXT",
    "SPOKEN_BY",
    "MENTIONS",
    "STATES",
    "SUBJECT",
    "OBJECT",
    "TAGGED",
    "RECALLED",
    "SIMILAR",
    "IN_COMMUNITY",
    "SUPERSEDES",
    "SAME_AS",
    "ABOUT",
    "AGAINST",
    "MERGED_INTO",
    "SERVES",
    "DERIVED_FROM",
    "CHANGED",
}

QUERIES = all_queries()
ALL = pytest.mark.parametrize("query", QUERIES, ids=lambda q: f"{q.name}{q.slot or ''}")
DATA = pytest.mark.parametrize(
    "query", [q for q in QUERIES if q.stage != "schema"], ids=lambda q: f"{q.name}{q.slot or ''}"
)

LABELLED = re.compile(r"\(\s*(\w*)\s*:\s*(\w+(?:[|&:]\w+)*)")
BARE = re.compile(
    r"(?:(?:MATCH|MERGE|CREATE|,|[-}{>])\s*)\(\s*(?P<name>\w*)\s*(?:\{[^{}]*\})?\s*\)(?=\s*(?:<?-|\s))"
)
RELATIONSHIP = re.compile(r"-\[\s*\w*\s*(:[\w|]+)?[^\]]*\]")
DEGREE = re.compile(r"COUNT \{ \(\w+\)<?-(?:\[:[\w|]+\])?->?\(\) \}")
NAMED_FILE = re.compile(r"\b\w+(?:/\w+)+\.(?:py|md|cypher)\b")
CLAUSE = re.compile(
    r"\b(?=(?:OPTIONAL MATCH|(?<!OPTIONAL )MATCH|MERGE|CREATE|WITH|RETURN|UNWIND|CALL|SET|ON CREATE"
    r"|DELETE|DETACH|REMOVE|FOREACH)\b)"
)


def code(query: Query) -> str:
    """Return a statement without its comments and quoted texts."""
    body = re.sub(r"//[^\n]*", "", query.body)
    return re.sub(r"'(?:[^'\\]|\\.)*'", "''", body)


def unlabelled(text: str) -> list[str]:
    """Return the nodes that have no label and were not bound before."""
    text = DEGREE.sub("", text)
    faults = []
    for match in BARE.finditer(text):
        name, before = match["name"], text[: match.start()]
        bound = rf"\(\s*{name}\s*:|\bAS {name}\b|YIELD [^\n]*\b{name}\b|\b{name} IN\b"
        if not name or not re.search(bound, before):
            faults.append(match[0])
    return faults


def unscoped(text: str) -> list[str]:
    """Return the patterns that say in no way which scope they are of."""
    faults = []
    for clause in CLAUSE.split(text):
        is_pattern = clause.startswith(("MATCH", "OPTIONAL MATCH", "MERGE", "CREATE"))
        labels = {label for _, label in LABELLED.findall(clause)}
        # What is reached from a node that is bound already is in that node's scope: no
        # relationship leaves one.
        is_anchored = bool(BARE.search(clause))
        if is_pattern and labels - {"Embedder"} and not is_anchored and "scope" not in clause:
            faults.append(clause)
    return faults


@ALL
def test_a_statement_names_its_language_version(query: Query) -> None:
    """It means the same on any server; only the question for the version is asked in any."""
    expected = query.name != "schema/components"

    assert expected == query.body.startswith("CYPHER 25\n")


@ALL
def test_a_header_tells_all_that_it_should(query: Query) -> None:
    """One sentence, a source, and a meaning for every parameter."""
    assert query.does.endswith(".")
    assert query.source
    assert [] == [param.name for param in query.params.values() if not param.doc]


@ALL
def test_files_that_a_header_names_are_there(query: Query) -> None:
    """A twin that moved is looked for in vain."""
    params = [param.doc for param in query.params.values()]
    told = " ".join([query.does, *params, query.returns, query.source, query.cost])

    assert [] == [name for name in NAMED_FILE.findall(told) if not (ROOT / name).is_file()]


@ALL
def test_names_are_written_one_way(query: Query) -> None:
    """Keywords upper case, no backticks outside of options, no tabs, no blanks at line ends."""
    lines = query.body.split("\n")

    assert [] == [line for line in lines if line != line.rstrip() or "\t" in line]
    assert "`" not in re.sub(r"OPTIONS \{.*\}", "", query.body, flags=re.DOTALL)
    assert [] == re.findall(
        r"\b(?:match|merge|return|where|unwind|optional|detach|delete)\b", code(query)
    )


@ALL
def test_labels_and_relationship_types_are_fixed(query: Query) -> None:
    """What a model says is data, never an identifier."""
    text = code(query)
    labels = {one for _, found in LABELLED.findall(text) for one in re.split(r"[|&:]", found)}
    labels |= set(re.findall(r"\b(?:WHERE|AND) \w+:(\w+)", text))
    types = {
        one
        for found in RELATIONSHIP.findall(text)
        for one in found.removeprefix(":").split("|")
        if one
    }

    assert set() == labels - LABELS
    assert set() == types - RELATIONSHIPS


@DATA
def test_every_relationship_names_its_type(query: Query) -> None:
    """No walk over whatever there is, but for counting by type."""
    untyped = re.findall(r"-\[\s*(\w*)\s*(?:\{[^}]*\})?\]-", code(query))

    assert [] == [name for name in untyped if not name or f"type({name})" not in query.body]


@DATA
def test_every_node_names_its_label(query: Query) -> None:
    """A node without one is bound before; only a degree may be counted without."""
    assert [] == unlabelled(code(query))


@DATA
def test_every_pattern_stays_in_its_scope(query: Query) -> None:
    """Whatever is looked up, merged or made says in which scope."""
    assert [] == unscoped(code(query))


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (n) RETURN n",
        "MATCH (t:Turn {scope: $scope}) MATCH (t)-[:NEXT]->(u) RETURN u",
        "MATCH (t:Turn {scope: $scope})-[:NEXT]->() RETURN t",
        "MERGE (n {id: 1}) RETURN n",
    ],
)
def test_a_node_without_a_label_is_found(text: str) -> None:
    """The check above can fail."""
    assert unlabelled(text + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (t:Turn) WHERE t.id = $id RETURN t.scope",
        "MATCH (s:Session {scope: $scope}) MATCH (t:Turn {id: $id}) RETURN t",
        "UNWIND $rows AS row MERGE (t:Term {key: row.key}) SET t.scope = $scope",
        "OPTIONAL MATCH (f:Fact) RETURN count(f) AS scope",
    ],
)
def test_a_pattern_without_a_scope_is_found(text: str) -> None:
    """The check above can fail."""
    assert unscoped(text + "\n")


@DATA
def test_full_text_is_asked_inside_a_scope(query: Query) -> None:
    """The index knows all scopes: behind the token in the query stands the scope itself."""
    text = code(query)

    for call in text.split("db.index.fulltext.queryNodes")[1:]:
        following = call.split("db.index.")[0]
        assert "scope" in following or "RETURN count(" in following


@ALL
def test_walks_have_an_end(query: Query) -> None:
    """A path of variable length is bounded."""
    assert [] == re.findall(r"-\[[^\]]*\*(?!\d*\.\.\d)[^\]]*\]-", code(query))


@pytest.mark.parametrize("name", sorted(LABELS | RELATIONSHIPS))
def test_the_schema_page_describes_it(name: str) -> None:
    """Labels and relationship types stand in docs/schema.md."""
    assert f"`{name}`" in DOC


def test_the_schema_page_lists_every_index() -> None:
    """Its name is in docs/schema.md."""
    names = {q.name.removeprefix("schema/") for q in QUERIES if q.mode == "schema"}

    assert [] == [name for name in sorted(names) if f"`{name}" not in DOC]


@pytest.fixture
async def db(neo4j_server: Any) -> AsyncIterator[Database]:
    """The shared server with the whole schema, for the dimensions that it has already."""
    settings = Settings(
        neo4j_uri=neo4j_server.uri,
        neo4j_username=neo4j_server.username,
        neo4j_password=neo4j_server.password,
    )
    async with await Database.open(settings) as database:
        present = (await show_indexes(database)).get("turn_embedding_a")
        dimensions = present.dimensions if present else DIMENSIONS
        await prepare(database, EmbedderInfo("tests", "explain", dimensions))
        yield database


async def test_the_server_accepts_every_query(db: Database) -> None:
    """EXPLAIN plans each, and has nothing to say about deprecation."""
    driver = db._driver
    faults = []
    for query in QUERIES:
        # A server without the plugin refuses these, and graphmem reckons with that.
        if "gds" in query.needs or query.name == "schema/gds_version":
            continue
        values = {name: _sample(param.type) for name, param in query.params.items()}
        try:
            # Of what a store does not hold yet the server would tell in each query.
            async with driver.session(
                notifications_disabled_classifications=["UNRECOGNIZED"]
            ) as session:
                # What `graphmem cypher show` prints takes no parameters.
                await (await session.run(f"EXPLAIN {query.filled()}")).consume()
                sent = query.packed(values)
                result = await session.run(f"EXPLAIN {query.text}", sent)
                summary = await result.consume()
        except driver_errors() as error:
            faults.append((query.name, "refused", str(error)))
            continue
        faults += [
            (query.name, status.gql_status, status.status_description)
            for status in summary.gql_status_objects
            if status.raw_classification in ("DEPRECATION", "UNSUPPORTED", "SECURITY")
        ]

    assert [] == faults


async def test_no_query_reads_the_nodes_of_other_scopes(db: Database) -> None:
    """Each begins at an index: an index of scope and id is not used by the scope alone."""
    scans = []
    for query in QUERIES:
        # Those for people may take a moment; what the library copies is the scope.
        if query.stage in ("explore", "schema") or "gds" in query.needs:
            continue
        sent = query.packed({name: _sample(p.type) for name, p in query.params.items()})
        async with db._driver.session(
            notifications_disabled_classifications=["UNRECOGNIZED"]
        ) as session:
            plan = (await (await session.run(f"EXPLAIN {query.text}", sent)).consume()).plan
        scans += [(query.name, step) for step in _steps(plan) if "ByLabel" in step]

    assert [] == scans


def _steps(plan: Any) -> Iterator[str]:
    yield plan["operatorType"]
    for child in plan.get("children", ()):
        yield from _steps(child)


def _sample(kind: str) -> Any:
    samples: dict[str, Any] = {
        "STRING": "x",
        "INTEGER": 1,
        "FLOAT": 0.5,
        "BOOLEAN": True,
        "VECTOR": [0.5, 0.5],
        "MAP": {"indexConfig": {"vector.dimensions": 4, "vector.similarity_function": "cosine"}},
    }
    return [] if kind.startswith("LIST") else samples.get(kind)
