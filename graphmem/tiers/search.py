"""Search among facts: two lists, by words and by meaning, fused by their ranks.

Source: Graphorin, hybrid search: 60 candidates a list, reciprocal rank fusion with k = 60.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.clock import OPEN_FROM, OPEN_TO, none_if_open
from graphmem.ids import scope_token
from graphmem.models import LIVE, TOLD, Fact, FactHit
from graphmem.queries import get_query
from graphmem.scoring import rrf
from graphmem.text import analyse, lucene_query
from graphmem.tiers.reading import get_facts
from graphmem.tiers.requests import FACT_STATUSES

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = ["Asked", "QueryVector", "search_facts"]

# Candidates of each list.
POOL = 60
# What an index is looked through for facts that count: more where too few of those were found.
_TEXT_DEPTHS = (1_000, 10_000, 100_000)
_VECTOR_DEPTHS = (POOL, 1_000, 5_000)
_LAST_CODE_POINT = "\U0010ffff"

# What a list holds of a fact: its id, and what is told of it.
Entry = Mapping[str, Any]
# Asks one list of candidates to a depth; returns how many it looked through and what it found.
Probe = Callable[[int], Coroutine[Any, Any, tuple[int, list[Entry]]]]


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The vector of a question.

    Attributes:
        slot: "a" or "b", where the vectors of its embedder live.
        embedder_id: "provider:model@dimensions".
    """

    slot: str
    embedder_id: str
    vector: NDArray[float32]


@dataclass(frozen=True, slots=True)
class Told:
    """What the store says of a fact, or said once."""

    status: str
    valid_from: datetime
    valid_to: datetime


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the facts of a scope.

    Attributes:
        holds_at: The instant at which they must hold.
        known_at: As the store knew them then; None = as it knows them now.
        include_superseded: Whether facts are wanted that had ended by then, too.
        tag_keys: Keys of tags that each must have.
        agent_id: Who learned them, "" = anybody.
    """

    query: str
    holds_at: datetime
    known_at: datetime | None = None
    include_superseded: bool = False
    tag_keys: tuple[str, ...] = ()
    agent_id: str = ""

    def is_answer(self, entry: Entry) -> bool:
        """Return whether a fact, as it was told at `known_at`, is asked for."""
        told = self.told(entry)
        return (
            told.status in TOLD
            and told.valid_from <= self.holds_at
            and (self.include_superseded or told.valid_to > self.holds_at)
        )

    def told(self, entry: Entry) -> Told:
        """Return what was said of a fact at `known_at`."""
        times = entry["version_at"]
        if self.known_at is None or not times:
            return Told(entry["status"], entry["valid_from"], entry["valid_to"])
        # The first entry is from when it was recorded, and it was by then.
        place = max(0, bisect_right(times, self.known_at) - 1)
        return Told(
            entry["version_status"][place],
            entry["version_valid_from"][place],
            entry["version_valid_to"][place],
        )

    @property
    def window(self) -> dict[str, Any]:
        """Return what the indexes are asked to filter by."""
        if self.known_at is not None:
            # What it was then may have changed in every respect: it is filtered afterwards.
            return {
                "statuses": list(FACT_STATUSES),
                "begun_by": OPEN_TO,
                "ended_after": OPEN_FROM,
                "known_by": self.known_at,
            }
        return {
            "statuses": list(TOLD),
            "begun_by": self.holds_at,
            "ended_after": OPEN_FROM if self.include_superseded else self.holds_at,
            "known_by": OPEN_TO,
        }


async def search_facts(
    db: Database,
    scope: str,
    asked: Asked,
    vector: QueryVector | None,
    *,
    language: str,
    limit: int,
) -> list[FactHit]:
    """Return the facts that answer a question, best first.

    Args:
        db: The store.
        scope: Whose memory it is.
        asked: The question.
        vector: Of the question; None = words alone find them.
        language: Of stop words and stems.
        limit: The most facts.
    """
    lists = [_by_text(db, scope, asked, language)]
    if vector is not None:
        is_tagged = bool(asked.tag_keys)
        search = _by_tag if is_tagged else _by_vector
        lists.append(search(db, scope, asked, vector))
    found = await asyncio.gather(*lists)
    scores = rrf([[entry["id"] for entry in entries] for entries in found])
    # Of equal ones that of the first list comes first.
    best = sorted(scores, key=lambda fact_id: -scores[fact_id])[:limit]
    told = {entry["id"]: asked.told(entry) for entries in found for entry in entries}
    return [
        FactHit(fact=_as_told(fact, told[fact.id], asked), score=scores[fact.id])
        for fact in await get_facts(db, scope, best)
    ]


def _as_told(fact: Fact, told: Told, asked: Asked) -> Fact:
    if asked.known_at is None:
        return fact
    is_told = told.status in LIVE
    return fact.model_copy(
        update={
            "status": told.status,
            "valid_from": none_if_open(told.valid_from),
            "valid_to": none_if_open(told.valid_to),
            "retired_at": None if is_told else fact.retired_at,
            "retired_reason": "" if is_told else fact.retired_reason,
        }
    )


async def _by_text(db: Database, scope: str, asked: Asked, language: str) -> list[Entry]:
    tokens = analyse(asked.query, language, asking=True)
    query = lucene_query(tokens, {"scope_token": scope_token(scope)})
    if query is None:
        return []

    async def probe(depth: int) -> tuple[int, list[Entry]]:
        (row,) = await db.run(
            get_query("tiers/search_facts_by_text"),
            scope=scope,
            fact_query=query,
            agent_id=asked.agent_id,
            tag_keys=list(asked.tag_keys),
            looked_through=depth,
            pool=_pool(asked, depth),
            **asked.window,
        )
        return _answers(asked, row)

    return await _deepened(probe, _TEXT_DEPTHS)


async def _by_vector(db: Database, scope: str, asked: Asked, vector: QueryVector) -> list[Entry]:
    async def probe(depth: int) -> tuple[int, list[Entry]]:
        (row,) = await db.run(
            get_query("tiers/search_facts_by_vector", vector.slot),
            scope=scope,
            vector=vector.vector,
            agent_from=asked.agent_id,
            agent_to=asked.agent_id or _LAST_CODE_POINT,
            pool=depth,
            **asked.window,
        )
        return _answers(asked, row)

    return await _deepened(probe, _VECTOR_DEPTHS)


async def _by_tag(db: Database, scope: str, asked: Asked, vector: QueryVector) -> list[Entry]:
    (row,) = await db.run(
        get_query("tiers/search_tagged_facts", vector.slot),
        scope=scope,
        vector=vector.vector,
        agent_id=asked.agent_id,
        tag_keys=list(asked.tag_keys),
        embedder_id=vector.embedder_id,
        pool=_pool(asked, _VECTOR_DEPTHS[-1]),
        **asked.window,
    )
    return _answers(asked, row)[1][:POOL]


async def _deepened(probe: Probe, depths: Sequence[int]) -> list[Entry]:
    """Look deeper until there are enough: facts that count are not crowded out by others."""
    found: list[Entry] = []
    for depth in depths:
        looked, found = await probe(depth)
        if len(found) >= POOL or looked < depth:
            break
    return found[:POOL]


def _pool(asked: Asked, depth: int) -> int:
    """Return how many facts a list brings: those that are filtered afterwards come on top."""
    return POOL if asked.known_at is None else depth


def _answers(asked: Asked, row: Entry) -> tuple[int, list[Entry]]:
    return row["looked"], [entry for entry in row["found"] if asked.is_answer(entry)]
