"""The schema: what constraints and indexes there must be.

What is wanted is read from the files in cypher/schema/: to add an index, add its file.
`prepare` compares that with what the database has, since IF NOT EXISTS hides an index of the
same name that is another one.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from graphmem.db import Database
from graphmem.embedder_lock import EmbedderInfo
from graphmem.errors import QueryFileError, SchemaError, StoreError
from graphmem.queries import Query, all_queries, get_query
from graphmem.vectors import MAX_DIMENSIONS

__all__ = [
    "IndexState",
    "SchemaReport",
    "WantedIndex",
    "prepare",
    "show_indexes",
    "wanted_indexes",
]

logger = logging.getLogger(__name__)

# A million vectors take some minutes to be indexed on a small machine.
_ONLINE_DEADLINE_S = 600.0
_POLL_FIRST_S = 0.05
_POLL_MOST_S = 2.0
# Simultaneous first starts stand in each other's way; each statement is over in well under a
# second, so that some tries are enough for fifty of them.
_CREATE_TRIES = 12

# The server's default rounds each number to one bit: of the 20 nearest in a scope with 5 % of
# 8,000 nodes it then found 85 %, without rounding all, in the same time. In this spelling every
# version from the least one on takes it.
_VECTOR_CONFIG = {"vector.similarity_function": "cosine", "vector.quantization.enabled": False}

_CREATE = re.compile(
    r"CREATE (?P<kind>CONSTRAINT|INDEX|FULLTEXT INDEX|VECTOR INDEX) (?P<name>\w+) IF NOT EXISTS\s+"
    r"FOR \(n:(?P<label>\w+)\)\s+"
    r"(?:REQUIRE|ON EACH|ON) (?P<properties>\([\w., ]+\)|\[[\w., ]+\]|n\.\w+)"
    r"(?:\s+WITH (?P<filters>\[[\w., ]+\]))?"
    r"(?P<unique> IS UNIQUE)?"
)
_PROPERTY = re.compile(r"n\.(\w+)")
_KINDS = {
    "CONSTRAINT": "RANGE",
    "INDEX": "RANGE",
    "FULLTEXT INDEX": "FULLTEXT",
    "VECTOR INDEX": "VECTOR",
}


@dataclass(frozen=True, slots=True)
class WantedIndex:
    """A constraint or index as its file describes it.

    Attributes:
        type: As SHOW INDEXES names it: RANGE, FULLTEXT or VECTOR.
        properties: In order; of a vector index the vector first, then the filters.
        is_constraint: Whether it stands behind a uniqueness constraint of the same name.
        query: What makes it.
    """

    name: str
    type: str
    label: str
    properties: tuple[str, ...]
    is_constraint: bool
    query: Query

    @property
    def is_vector(self) -> bool:
        """Whether it needs to know the embedder's dimensions."""
        return self.type == "VECTOR"

    def __str__(self) -> str:
        kind = "CONSTRAINT" if self.is_constraint else self.type
        return _told(kind, self.label, self.properties)


@dataclass(frozen=True, slots=True)
class IndexState:
    """An index as the database has it.

    Attributes:
        percent: How much of it is filled, 0..100.
        failure: Why it failed, "" unless it did.
        dimensions: Of a vector index.
        analyzer: Of a full-text index.
    """

    name: str
    type: str
    labels: tuple[str, ...]
    properties: tuple[str, ...]
    state: str
    percent: float
    is_constraint: bool
    failure: str
    dimensions: int | None
    analyzer: str | None

    def __str__(self) -> str:
        kind = "CONSTRAINT" if self.is_constraint else self.type
        return _told(kind, "|".join(self.labels), self.properties)


@dataclass(frozen=True, slots=True)
class SchemaReport:
    """What `prepare` found and made.

    Attributes:
        created: Names that were not there before.
        indexes: All that graphmem has, sorted by name.
        has_vectors: Whether the vector indexes are there: a query that names a missing one
            is refused by the server.
    """

    created: tuple[str, ...]
    indexes: tuple[IndexState, ...]
    has_vectors: bool


@cache
def wanted_indexes() -> tuple[WantedIndex, ...]:
    """Return every constraint and index of graphmem, constraints first.

    Raises:
        QueryFileError: A file of MODE schema does not make one.
    """
    wanted = [_wanted(query) for query in all_queries("schema") if query.mode == "schema"]
    return tuple(sorted(wanted, key=lambda index: (not index.is_constraint, index.name)))


async def show_indexes(db: Database) -> dict[str, IndexState]:
    """Return every index of the database by name, but for the lookup ones."""
    rows = await db.run(get_query("schema/show_indexes"))
    return {row["name"]: _state(row) for row in rows}


async def _whole_indexes(db: Database) -> dict[str, IndexState]:
    """Return what `show_indexes` does, without the indexes of constraints that are half made.

    A constraint is made in two steps, its index first. Between them, and for good where the
    second one failed, the index stands there alone; making the constraint takes it over.
    """
    present = await show_indexes(db)
    for index in wanted_indexes():
        found = present.get(index.name)
        if found is not None and index.is_constraint and not found.is_constraint:
            form = (index.type, (index.label,), index.properties)
            if form == (found.type, found.labels, found.properties):
                del present[index.name]
    return present


async def prepare(
    db: Database,
    embedder: EmbedderInfo | None,
    *,
    slot: str = "a",
    deadline_s: float = _ONLINE_DEADLINE_S,
) -> SchemaReport:
    """Make what is missing and wait until all of it is online.

    One round trip when all is there. Safe to be run by many processes at once.

    Args:
        db: The database.
        embedder: Whose dimensions the vector indexes have; None or one of unknown
            dimensions makes none.
        slot: The slot that this embedder writes to; the other one may have any dimensions.
        deadline_s: How long to wait for indexes to be filled, in seconds.

    Returns:
        What is there now.

    Raises:
        SchemaError: An index of the same name is another one (kind "schema-clash"), has
            other dimensions ("schema-dimensions"), failed ("schema-failed"), or is not
            online in time ("schema-not-online").
    """
    dimensions = embedder.dimensions if embedder else None
    if dimensions is not None and not 1 <= dimensions <= MAX_DIMENSIONS:
        raise SchemaError(
            f"the embedder makes vectors of {dimensions} numbers, a vector index takes 1 to "
            f"{MAX_DIMENSIONS}; choose another model or set GRAPHMEM_EMBEDDING_DIMENSIONS",
            kind="schema-dimensions",
        )
    present = await _whole_indexes(db)
    wanted = [w for w in wanted_indexes() if dimensions or not w.is_vector or w.name in present]
    _check(wanted, present, dimensions, slot)
    missing = [index for index in wanted if index.name not in present]
    _check_unnamed(missing, present.values())
    await _create_all(db, missing, dimensions)
    if missing or any(_is_unready(present[index.name]) for index in wanted):
        present = await _wait_online(db, wanted, deadline_s)
        # A process that started at the same moment may have made another index.
        _check(wanted, present, dimensions, slot)
    if missing:
        logger.info("schema.prepare created=%d", len(missing))
    names = {index.name for index in wanted_indexes()}
    vectors = {index.name for index in wanted_indexes() if index.is_vector}
    return SchemaReport(
        created=tuple(index.name for index in missing),
        indexes=tuple(present[name] for name in sorted(names & present.keys())),
        has_vectors=vectors <= present.keys(),
    )


def _wanted(query: Query) -> WantedIndex:
    match = _CREATE.search(query.body)
    if match is None or ((match["kind"] == "CONSTRAINT") != bool(match["unique"])):
        raise QueryFileError(
            f"{query.path}: a file of MODE schema is one CREATE … IF NOT EXISTS FOR (n:Label) …"
        )
    stem = match["name"] if query.slot is None else match["name"].removesuffix(f"_{query.slot}")
    if query.name != f"schema/{stem}":
        raise QueryFileError(f"{query.path}: it makes {match['name']}, which is not its own name")
    return WantedIndex(
        name=match["name"],
        type=_KINDS[match["kind"]],
        label=match["label"],
        properties=tuple(_PROPERTY.findall(match["properties"] + (match["filters"] or ""))),
        is_constraint=match["kind"] == "CONSTRAINT",
        query=query,
    )


def _state(row: Mapping[str, Any]) -> IndexState:
    config = row["config"] or {}
    labels = row["labels"] or []
    return IndexState(
        name=row["name"],
        type=row["type"],
        # An index on a relationship type of the same name is not one on a label.
        labels=tuple(labels if row["entity"] == "NODE" else [f"[{label}]" for label in labels]),
        properties=tuple(row["properties"] or ()),
        state=row["state"],
        percent=row["percent"],
        is_constraint=row["constraint"] is not None,
        failure=row["failure"] or "",
        dimensions=config.get("vector.dimensions"),
        analyzer=config.get("fulltext.analyzer"),
    )


def _check(
    wanted: Iterable[WantedIndex],
    present: Mapping[str, IndexState],
    dimensions: int | None,
    slot: str,
) -> None:
    for index in wanted:
        found = present.get(index.name)
        if found is None:
            continue
        _check_form(index, found)
        if found.state == "FAILED":
            raise SchemaError(
                f"the index {found.name} failed: {found.failure}; drop it with DROP INDEX "
                f"{found.name} and start again, it is made anew from the nodes",
                kind="schema-failed",
            )
        is_own = index.is_vector and index.query.slot == slot and dimensions is not None
        if is_own and found.dimensions != dimensions:
            raise SchemaError(
                f"the index {found.name} holds vectors of {found.dimensions} numbers, this "
                f"embedder makes {dimensions}: open the store with the embedder it was made "
                "with, or import the conversations into a new one",
                kind="schema-dimensions",
            )


def _check_form(index: WantedIndex, found: IndexState) -> None:
    is_same = (index.type, (index.label,), index.properties, index.is_constraint) == (
        found.type,
        found.labels,
        found.properties,
        found.is_constraint,
    )
    if not is_same:
        raise SchemaError(
            f"the name {index.name} is taken: the database has {found}, graphmem needs {index}; "
            "drop or rename that one, or give graphmem a database of its own",
            kind="schema-clash",
        )
    if index.type == "FULLTEXT" and found.analyzer != "whitespace":
        raise SchemaError(
            f"the full-text index {index.name} has the analyzer {found.analyzer!r}, graphmem "
            "needs 'whitespace'; drop it and start again, it is made anew from the nodes",
            kind="schema-clash",
        )


def _check_unnamed(missing: Iterable[WantedIndex], present: Iterable[IndexState]) -> None:
    # Another index on the same properties makes CREATE … IF NOT EXISTS do nothing, silently.
    taken = {(found.type, found.labels, found.properties): found for found in present}
    for index in missing:
        found = taken.get((index.type, (index.label,), index.properties))
        if found is not None:
            raise SchemaError(
                f"the database has {found} under the name {found.name}, graphmem needs {index} "
                f"under the name {index.name}; drop or rename that one, or give graphmem a "
                "database of its own",
                kind="schema-clash",
            )


async def _create_all(db: Database, missing: Sequence[WantedIndex], dimensions: int | None) -> None:
    # Many first starts at once would queue up at the lock of one index after the other. In
    # random order they share the work, and a look before each (a read takes no lock) leaves
    # out what another one has made meanwhile.
    left = random.sample(missing, len(missing))
    left.sort(key=lambda index: not index.is_constraint)
    for number, index in enumerate(left):
        if number == 0 or index.name not in await _whole_indexes(db):
            await _create(db, index, dimensions)


async def _create(db: Database, index: WantedIndex, dimensions: int | None) -> None:
    params: dict[str, Any] = {}
    if index.is_vector:
        params["options"] = {"indexConfig": {"vector.dimensions": dimensions, **_VECTOR_CONFIG}}
    pause_s = 0.05
    for attempt in range(1, _CREATE_TRIES + 1):
        try:
            await db.run(index.query, **params)
        except StoreError as error:
            if error.kind == "missing-rights":
                raise
            # IF NOT EXISTS looks before it leaps: another process may make the same index
            # in between, which then shows as a clash or a deadlock.
            if index.name in await _whole_indexes(db):
                return
            if attempt == _CREATE_TRIES or not error.retryable:
                raise SchemaError(f"cannot make {index.name} ({index}): {error}") from error
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, 1.0)
        else:
            return


def _is_unready(state: IndexState) -> bool:
    return state.state != "ONLINE"


async def _wait_online(
    db: Database, wanted: Sequence[WantedIndex], deadline_s: float
) -> dict[str, IndexState]:
    deadline = time.monotonic() + deadline_s
    pause_s = _POLL_FIRST_S
    while True:
        present = await _whole_indexes(db)
        absent = [index.name for index in wanted if index.name not in present]
        filling = [
            present[index.name]
            for index in wanted
            if index.name in present and present[index.name].state == "POPULATING"
        ]
        if not absent and not filling:
            return present
        if time.monotonic() > deadline:
            told = ", ".join(f"{state.name} at {state.percent:.0f} %" for state in filling)
            raise SchemaError(
                f"not online after {deadline_s:.0f} s: {told or ', '.join(absent)}; the server "
                "goes on filling them: start again later",
                kind="schema-not-online",
                retryable=True,
            )
        if filling:
            slowest = min(filling, key=lambda state: state.percent)
            logger.info("schema.wait index=%s percent=%.0f", slowest.name, slowest.percent)
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 2, _POLL_MOST_S)


def _told(kind: str, label: str, properties: tuple[str, ...]) -> str:
    return f"{kind} on :{label}({', '.join(properties)})"
