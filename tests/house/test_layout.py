"""The house rules that no linter knows: sizes, names, and where Cypher and settings live."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "graphmem").rglob("*.py"))
MODULE_IDS = [str(path.relative_to(ROOT)) for path in MODULES]

# Docstrings are not counted: those of the facades are the manual of the public interface.
MOST_LINES = 400
VAGUE_NAMES = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}
CYPHER = re.compile(
    r"\b(MATCH|MERGE)\s+(\w+\s*=\s*)?\(|\bUNWIND\s+\$|\bCALL\s+(\{|\w+\.\w+)"
    r"|\bCREATE\s+(VECTOR|FULLTEXT|RANGE|INDEX|CONSTRAINT)\b|\bDETACH\s+DELETE\b|\bSHOW\s+INDEX"
)


@pytest.mark.parametrize("path", MODULES, ids=MODULE_IDS)
def test_a_module_fits_a_few_screens(path: Path) -> None:
    """No module of the package is longer than 400 lines, its docstrings aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = sum(
        (text.end_lineno or text.lineno) - text.lineno + 1 for text in _docstrings(tree).values()
    )
    lines = len(path.read_text(encoding="utf-8").splitlines()) - told

    assert lines <= MOST_LINES, f"{path.name} has {lines} lines: cut it along what it does"


def test_no_module_has_a_vague_name() -> None:
    """Modules are nouns of the domain, so that a listing tells where things are."""
    vague = [
        path for path in MODULES if path.stem in VAGUE_NAMES or path.parent.name in VAGUE_NAMES
    ]

    assert vague == []


@pytest.mark.parametrize("path", MODULES, ids=MODULE_IDS)
def test_no_cypher_stands_in_python(path: Path) -> None:
    """Statements live in cypher/, where Browser, EXPLAIN and people find them."""
    found = [text for text in _strings(path) if CYPHER.search(text)]

    assert found == []


def test_the_cypher_pattern_knows_cypher() -> None:
    """The rule above is one that a statement would break."""
    statements = [
        "MATCH (t:Turn {scope: $scope}) RETURN t",
        "UNWIND $rows AS row MERGE (t:Term {key: row.key})",
        "CALL db.awaitIndexes(60)",
        "CREATE VECTOR INDEX turn_embedding_a",
    ]

    assert [text for text in statements if not CYPHER.search(text)] == []


def test_only_config_reads_the_environment() -> None:
    """Every setting is found in one place."""
    readers = {
        str(path.relative_to(ROOT))
        for path in MODULES
        if re.search(
            r"\bos\.(environ|getenv)\b|from os import .*(environ|getenv)", path.read_text()
        )
    }

    assert readers <= {"graphmem/config.py"}


def test_there_are_fewer_than_thirty_environment_variables() -> None:
    """A table that a person can read."""
    from graphmem.settings_table import describe_settings

    variables = [row.env for row in describe_settings() if row.env]

    assert len(variables) == len(set(variables))
    assert len(variables) < 30


@pytest.mark.parametrize("path", MODULES, ids=MODULE_IDS)
def test_a_module_says_what_it_offers(path: Path) -> None:
    """Each module that defines something has an `__all__` whose names are there."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defined = _defined(tree)
    public = {
        name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for name in [node.name]
        if not name.startswith("_")
    }
    offered = _offered(tree)

    if public:
        assert offered is not None, "it has public names and no __all__"
    assert set(offered or ()) <= defined


def _docstrings(tree: ast.Module) -> dict[int, ast.Constant]:
    return {
        id(node.body[0].value): node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def _strings(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = _docstrings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in docstrings:
            continue
        if isinstance(node.value, str):
            yield node.value


def _defined(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Assign) and _is_lazy_table(node):
            names |= {key.value for key in node.value.keys if isinstance(key, ast.Constant)}  # type: ignore[attr-defined]  # a dict, as just asked
    return names


def _is_lazy_table(node: ast.Assign) -> bool:
    # Names that a module's __getattr__ imports on first use.
    return isinstance(node.value, ast.Dict)


def _offered(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            return list(ast.literal_eval(node.value))
    return None
