"""Finds, parses and checks the files in cypher/; nothing else reads them.

A query is one statement in one file with a header (cypher/README.md tells the convention).
Whatever breaks the convention is an error here, when the file is loaded, and not in the
middle of somebody's conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from graphmem.errors import QueryFileError

__all__ = ["SLOTS", "Mode", "ParamDoc", "Query", "all_queries", "get_query", "parse_query"]

Mode = Literal["read", "write", "implicit", "schema"]
_MODES: Mapping[str, Mode] = {mode: mode for mode in get_args(Mode)}

# An index name cannot be a parameter of SEARCH, so an embedder gets one of two fixed slots:
# the one thing in a file that is substituted.
SLOTS = ("a", "b")
_SLOT_MARK = "{slot}"

_FIELDS = ("NAME", "DOES", "MODE", "NEEDS", "PARAMS", "RETURNS", "SOURCE", "COST", "TRY")
_OPTIONAL_FIELDS = frozenset({"COST"})
_FIELD_LINE = re.compile(r"// ([A-Z]+)( +)(\S.*)")
_MORE_LINE = re.compile(r"//( +)(\S.*)")
_PARAM_LINE = re.compile(r"([a-z][a-z0-9_]*) {1,}([A-Z][A-Z0-9<>, ]*?\??)(?: {2,}(\S.*))?")
_SCALARS = "STRING|INTEGER|FLOAT|BOOLEAN|ZONED DATETIME|DATE|DURATION|MAP|VECTOR|ANY"  # of Cypher
_TYPE = re.compile(rf"(?:LIST<)*(?:{_SCALARS})>*\??")
_NEED = re.compile(r"(neo4j|gds) >= (\d+(?:\.\d+)*)")
_TRY_PARAM = re.compile(r"^:param (\w+) => (.*?);$", re.MULTILINE | re.DOTALL)
# Comments and quoted text of a statement, to be left out when parameters are looked for.
_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_USED_PARAM = re.compile(r"\$(\w+)")
# The server keeps a plan for each size of a text or a list that is a parameter (0, 1, up to 10,
# up to 100, …), and makes each anew: a recall with six of them would be planned hundreds of
# times. In a map it looks at no size, so they cross in one; plans are the same without it.
_MAP = "given"
# Either of them: what is matched as no code has no name of a parameter.
_CODE_PARAM = re.compile(rf"{_NOT_CODE.pattern}|{_USED_PARAM.pattern}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ParamDoc:
    """What a query says of one of its parameters.

    Attributes:
        type: Cypher's name of its type, without the mark of a null.
        is_nullable: Whether null may be passed (`STRING?` in the header).
        doc: Unit and range, in words.
    """

    name: str
    type: str
    is_nullable: bool
    doc: str


@dataclass(frozen=True, slots=True)
class Query:
    """One statement with what its header says.

    Attributes:
        name: "stage/verb_noun", the path below cypher/ without its ending.
        does: One sentence.
        text: What the server gets: the name as a comment, so that it can be told apart in the
            server's own logs, and the statement, whose texts and lists are taken from one map
            (see `packed`).
        body: The statement alone.
        mode: Which kind of transaction it runs in.
        params: What it takes, by name, in the header's order.
        returns: Its columns, in words; "nothing".
        needs: Least versions, by product ("neo4j", "gds").
        source: Where the idea is from.
        cost: What it costs where that is more than one index probe, else "".
        tries: `:param` lines with a value for each parameter, for Neo4j Browser.
        path: The file, for error messages.
        slot: The embedder slot it was made for, None where it has none.
    """

    name: str
    does: str
    text: str
    body: str
    mode: Mode
    params: Mapping[str, ParamDoc]
    returns: str
    needs: Mapping[str, tuple[int, ...]]
    source: str
    cost: str
    tries: str
    path: str
    slot: str | None = None

    @property
    def stage(self) -> str:
        """The folder it lies in: the part of the name before the last slash."""
        return self.name.rpartition("/")[0]

    def packed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of `text` for values by the names of `params`."""
        sent = dict(values)
        if self.mode != "schema":
            inside = {name: sent.pop(name) for name in values if _has_size(self.params[name])}
            if inside:
                sent[_MAP] = inside
        return sent

    def filled(self, **values: str | Sequence[str]) -> str:
        """Return the statement with a value in the place of each parameter: given, or TRY's.

        Neo4j Browser draws the result of a statement that is pasted alone; of a paste with
        `:param` lines before it only ticks are shown.

        Args:
            values: Texts, or lists of texts, by the parameter's name.
        """
        tried = dict(_TRY_PARAM.findall(self.tries))
        literals = {**tried, **{name: _literal(value) for name, value in values.items()}}
        return _CODE_PARAM.sub(lambda found: literals.get(found[1], found[0]), self.body)


def _literal(value: str | Sequence[str]) -> str:
    """Return a text, or a list of texts, as Cypher writes it."""
    if isinstance(value, str):
        return "'{}'".format(value.replace("\\", r"\\").replace("'", r"\'"))
    return f"[{', '.join(_literal(item) for item in value)}]"


@cache
def get_query(name: str, slot: str | None = None) -> Query:
    """Return the query in cypher/<name>.cypher.

    Args:
        name: Such as "recall/vector_seeds".
        slot: "a" or "b" for a file in which `{slot}` stands, None for any other.

    Raises:
        QueryFileError: There is no such file, it breaks the convention, or `slot` does not
            fit it.
    """
    if not re.fullmatch(r"[a-z0-9_]+(/[a-z0-9_]+)+", name):
        raise QueryFileError(f"{name!r} is no query name; `graphmem cypher list` shows them")
    file = _root().joinpath(*f"{name}.cypher".split("/"))
    try:
        content = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise QueryFileError(
            f"there is no query {name!r}: {file} is missing; `graphmem cypher list` shows them"
        ) from None
    except UnicodeDecodeError as error:
        raise QueryFileError(f"{file} is not UTF-8: {error}") from None
    return parse_query(content, name=name, path=str(file), slot=slot)


def all_queries(stage: str | None = None) -> tuple[Query, ...]:
    """Return every query, sorted by name; one with a `{slot}` once for each slot.

    Args:
        stage: Only those of one folder, such as "recall".
    """
    found: list[Query] = []
    folder = _root() if stage is None else _root().joinpath(*stage.split("/"))
    for name, content in sorted(_names(folder, f"{stage}/" if stage else "")):
        slots: tuple[str | None, ...] = SLOTS if _SLOT_MARK in content else (None,)
        found.extend(get_query(name, slot) for slot in slots)
    return tuple(found)


def parse_query(content: str, *, name: str, path: str, slot: str | None = None) -> Query:
    """Parse and check one file.

    Args:
        content: The file as it is.
        name: What its header must call it.
        path: For error messages.
        slot: See `get_query`.

    Raises:
        QueryFileError: It breaks the convention; the message tells file and fault.
    """
    content = _in_slot(content, slot, path)
    fields, body = _split(content, path)
    if fields["NAME"] != name:
        raise QueryFileError(f"{path}: NAME is {fields['NAME']!r}, the path says {name!r}")
    mode = _MODES.get(fields["MODE"])
    if mode is None:
        raise QueryFileError(f"{path}: MODE is {fields['MODE']!r}, not one of {', '.join(_MODES)}")
    params = _params(fields["PARAMS"], path)
    _check_use(params, body, fields["TRY"], path)
    return Query(
        name=name,
        does=" ".join(fields["DOES"].split()),
        text=f"// {name}\n{body if mode == 'schema' else _in_map(body, params)}",
        body=body,
        mode=mode,
        params=MappingProxyType(params),
        returns=" ".join(fields["RETURNS"].split()),
        needs=MappingProxyType(_needs(fields["NEEDS"], path)),
        source=" ".join(fields["SOURCE"].split()),
        cost=" ".join(fields["COST"].split()),
        tries="" if fields["TRY"] == "none" else fields["TRY"],
        path=path,
        slot=slot,
    )


def _in_map(body: str, params: Mapping[str, ParamDoc]) -> str:
    """Return the statement with its texts and lists taken from the map."""

    def taken(found: re.Match[str]) -> str:
        name = found[1]
        return f"${_MAP}.{name}" if name in params and _has_size(params[name]) else found[0]

    return _CODE_PARAM.sub(taken, body)


def _has_size(param: ParamDoc) -> bool:
    return param.type == "STRING" or param.type.startswith("LIST")


def _root() -> Traversable:
    """Return the folder of the queries: inside the package, or beside it in a checkout."""
    package = files("graphmem")
    packaged = package / "cypher"
    if packaged.is_dir():
        return packaged
    beside = Path(str(package)).parent / "cypher"
    if beside.is_dir():
        return beside
    raise QueryFileError(
        f"the folder cypher/ is neither in {package} nor beside it; install graphmem again"
    )


def _names(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _names(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            yield prefix + entry.name.removesuffix(".cypher"), entry.read_text(encoding="utf-8")


def _in_slot(content: str, slot: str | None, path: str) -> str:
    has_mark = _SLOT_MARK in content
    if has_mark and slot not in SLOTS:
        raise QueryFileError(f"{path} is made for a slot: pass slot='a' or slot='b', got {slot!r}")
    if not has_mark and slot is not None:
        raise QueryFileError(f"{path} has no {_SLOT_MARK}: leave slot={slot!r} out")
    return content.replace(_SLOT_MARK, slot) if slot else content


def _split(content: str, path: str) -> tuple[dict[str, str], str]:
    """Return the header's fields and the statement.

    A field's further lines keep how far they are indented beyond its first, since that is
    what tells a new parameter from the rest of a description.
    """
    lines = content.split("\n")
    size = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    fields = _fields(lines[:size], path)
    for key in _FIELDS:
        if key not in fields and key not in _OPTIONAL_FIELDS:
            raise QueryFileError(f"{path}: the header lacks {key}")
    if [key for key in _FIELDS if key in fields] != list(fields):
        raise QueryFileError(f"{path}: the fields are not in the order {', '.join(_FIELDS)}")
    body = "\n".join(lines[size:]).strip()
    if not body:
        raise QueryFileError(f"{path}: there is no statement after the header")
    if body.endswith(";"):
        raise QueryFileError(f"{path}: a file is one statement without a closing ';'")
    return {key: fields.get(key, "") for key in _FIELDS}, body


def _fields(header: list[str], path: str) -> dict[str, str]:
    fields: dict[str, list[str]] = {}
    column = 0
    for number, line in enumerate(header, start=1):
        if match := _FIELD_LINE.fullmatch(line):
            key, gap, value = match.groups()
            if key not in _FIELDS:
                raise QueryFileError(f"{path}:{number}: {key} is no field of a header")
            if key in fields:
                raise QueryFileError(f"{path}:{number}: {key} stands twice")
            fields[key] = [value.rstrip()]
            column = len("// ") + len(key) + len(gap)
        elif (match := _MORE_LINE.fullmatch(line)) and fields:
            indent = len("//") + len(match[1])
            last = next(reversed(fields))
            fields[last].append(" " * max(0, indent - column) + match[2].rstrip())
        else:
            raise QueryFileError(f"{path}:{number}: not a line of a header: {line!r}")
    return {key: "\n".join(lines) for key, lines in fields.items()}


def _params(field: str, path: str) -> dict[str, ParamDoc]:
    params: dict[str, ParamDoc] = {}
    if field == "none":
        return params
    for line in field.split("\n"):
        if line.startswith(" "):
            last = next(reversed(params.values()))
            params[last.name] = ParamDoc(
                last.name, last.type, last.is_nullable, f"{last.doc} {line.strip()}".strip()
            )
            continue
        match = _PARAM_LINE.fullmatch(line)
        if match is None or not _TYPE.fullmatch(match[2]):
            raise QueryFileError(
                f"{path}: not a parameter: {line!r}; write name, type and two blanks before "
                "what it means, such as 'k  INTEGER  1..100'"
            )
        if match[1] in params:
            raise QueryFileError(f"{path}: the parameter {match[1]} stands twice")
        if match[1] == _MAP:
            raise QueryFileError(f"{path}: ${_MAP} is taken by the loader; use another name")
        params[match[1]] = ParamDoc(
            match[1], match[2].removesuffix("?"), match[2].endswith("?"), match[3] or ""
        )
    return params


def _needs(field: str, path: str) -> dict[str, tuple[int, ...]]:
    needs: dict[str, tuple[int, ...]] = {}
    for part in re.split(r",\s*|\n\s*", field):
        match = _NEED.fullmatch(part)
        if match is None:
            raise QueryFileError(f"{path}: NEEDS is {part!r}, not such as 'neo4j >= 2026.02'")
        needs[match[1]] = tuple(int(number) for number in match[2].split("."))
    if "neo4j" not in needs:
        raise QueryFileError(f"{path}: NEEDS does not say which neo4j")
    return needs


def _check_use(params: Mapping[str, ParamDoc], body: str, tries: str, path: str) -> None:
    used = set(_USED_PARAM.findall(_NOT_CODE.sub(" ", body)))
    for name in sorted(used - set(params)):
        raise QueryFileError(f"{path}: ${name} is used, but PARAMS does not declare it")
    for name in sorted(set(params) - used):
        raise QueryFileError(f"{path}: PARAMS declares {name}, but nothing uses it")
    if tries != "none" and not (tries.startswith(":param ") and tries.endswith(";")):
        raise QueryFileError(
            f"{path}: TRY is 'none' or ':param name => value;' for each parameter (a comment "
            "right below the header counts as part of it: put it below the first clause)"
        )
    tried = {name for name, _ in _TRY_PARAM.findall(tries)}
    for name in sorted(set(params) ^ tried):
        fault = "has no value for" if name in params else "gives a value to an unknown"
        raise QueryFileError(f"{path}: TRY {fault} ${name}")
