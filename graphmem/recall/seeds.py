"""The first round trip: what both legs nominate, and what the scope measures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from graphmem.errors import StoreError
from graphmem.queries import get_query
from graphmem.recall.question import Question, filter_params
from graphmem.recall.request import RecallOptions, RecallRequest

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = [
    "FactSeed",
    "NodeSeed",
    "ProcedureSeed",
    "Scale",
    "Seeds",
    "TurnSeed",
    "find_seeds",
    "is_fatal",
]

logger = logging.getLogger(__name__)

_MAX_POOL = 5000
# Full text filters by scope, session and agent inside the index; what is left (status,
# project, time) is looked at in so many of the best matches.
_LOOKED_THROUGH = 4
_LOOKED_THROUGH_WHEN_FILTERED = 20_000
# Past this many turns a token tells next to nothing: it is not counted further.
_COUNT_CAP = 1000
# Longer turns are scored by what Lucene says of them, so that a thousand documents do not
# cross the wire to be counted here.
_TEXT_LENGTH = 4000
# Mean and deviation of 64 cosines are off by an eighth of the deviation.
_SAMPLE_SIZE = 64
# Names that share a word with the question: enough to see that a word is no name's own.
_PART_POOL = 30
# Names near in meaning; what is further is about something else.
_NEAR_POOL = 5
_LEAST_DEVIATION = 0.05
# What another leg or a second try cannot cure.
_FATAL = frozenset(
    {"unreachable", "closed", "wrong-event-loop", "wrong-credentials", "database-not-found"}
)


# Tuples, since a recall makes hundreds: a frozen dataclass takes four times as long to make.
class TurnSeed(NamedTuple):
    """A turn that a leg nominated.

    Attributes:
        at_ms: Its time, milliseconds since 1970 (UTC).
        length: Characters of its analysed text.
        tokens: That text, where the text leg found it; None for a long one.
        held: Of a long one, the words of the question that it holds.
        full_text_score: Lucene's score, where the text leg found it.
        cosine: Raw cosine, where the vector leg found it.
    """

    id: str
    session_id: str
    speakers: tuple[str, ...]
    at_ms: int = 0
    length: int = 0
    tokens: tuple[str, ...] | None = None
    held: tuple[str, ...] = ()
    full_text_score: float = 0.0
    cosine: float | None = None


class FactSeed(NamedTuple):
    """A live fact that a leg nominated, with the turns that state it."""

    id: str
    turn_ids: tuple[str, ...]
    tokens: tuple[str, ...] = ()
    cosine: float | None = None


class ProcedureSeed(NamedTuple):
    """A procedure that shares words with the question.

    Attributes:
        intent: Description of the Intent that it serves.
        tokens: Words of that, of its instruction and its condition, analysed.
    """

    id: str
    intent: str
    tokens: frozenset[str]


@dataclass(frozen=True, slots=True)
class NodeSeed:
    """A Term or a Tag that the question may be about.

    Attributes:
        links: Turns that mention the Term; facts that the Tag leads to.
        cosine: Of its name to the question; None where they were not compared.
        tokens: Its analysed name, where words of the question led to it.
    """

    id: str
    name: str
    links: int
    cosine: float | None = None
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scale:
    """What scores are measured against: the scope itself, never its neighbours.

    Attributes:
        held: By token, how many turns of the scope hold it.
        sessions: How many sessions the scope has.
        turns: How many turns.
        average_length: Characters of a turn's analysed text.
        sample: Turns of a random sample whose cosine to the question was measured.
        mean: Of those cosines; 0 without any.
        deviation: Their standard deviation.
    """

    held: Mapping[str, int]
    sessions: int
    turns: int
    average_length: float
    sample: int
    mean: float
    deviation: float

    @property
    def spread(self) -> float:
        """The deviation, or the least that is one worth the name: alike turns have next to none."""
        return max(_LEAST_DEVIATION, self.deviation)


@dataclass(frozen=True, slots=True)
class Seeds:
    """What was nominated for a question, and which legs could not take part.

    Attributes:
        terms: Terms that are named in full.
        tags: Tags that are.
        part_terms: Terms that share words with the question, those in full among them.
        near_terms: Terms that are near in meaning.
        near_tags: Tags that are.
        text_procedures: Procedures that share words with the question.
        near_procedures: Procedures of the Intents that are nearest in meaning, with the raw
            cosine of the Intent.
    """

    text_turns: tuple[TurnSeed, ...]
    vector_turns: tuple[TurnSeed, ...]
    text_facts: tuple[FactSeed, ...]
    vector_facts: tuple[FactSeed, ...]
    terms: tuple[NodeSeed, ...]
    scale: Scale
    degraded: tuple[str, ...]
    tags: tuple[NodeSeed, ...] = ()
    part_terms: tuple[NodeSeed, ...] = ()
    near_terms: tuple[NodeSeed, ...] = ()
    near_tags: tuple[NodeSeed, ...] = ()
    text_procedures: tuple[ProcedureSeed, ...] = ()
    near_procedures: tuple[tuple[str, float], ...] = ()


async def find_seeds(
    db: Database,
    request: RecallRequest,
    question: Question,
    options: RecallOptions,
    *,
    vector: NDArray[float32] | None,
    slot: str | None,
) -> Seeds:
    """Ask for words, for meaning and for names at once; where one leg is down, go on by the other.

    Raises:
        StoreError: The server cannot be reached, or neither leg answers.
    """
    values = _params(request, question, options, vector)
    asked = {"names": "recall/find_by_name", "text": "recall/find_by_text"}
    if vector is not None and slot is not None:
        nearest = "find_by_vector" if request.is_filtered else "find_unfiltered_by_vector"
        asked |= {"vector": f"recall/{nearest}", "links": "recall/link_by_vector"}
    answers = await asyncio.gather(
        *(_ask(db, name, slot, values) for name in asked.values()), return_exceptions=True
    )
    rows: dict[str, Mapping[str, Any]] = {}
    failures: dict[str, StoreError] = {}
    for leg, answer in zip(asked, answers, strict=True):
        if isinstance(answer, StoreError):
            failures[leg] = answer
        elif isinstance(answer, BaseException):
            raise answer
        else:
            rows[leg] = answer
    for leg, error in failures.items():
        if is_fatal(error) or leg == "names":
            raise error
        logger.warning("recall.leg_failed leg=%s kind=%s", leg, error.kind)
    if "text" not in rows and "vector" not in rows:
        raise failures["text"]
    return _seeds(rows)


async def _ask(
    db: Database, name: str, slot: str | None, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    query = get_query(name, slot if name.endswith("_vector") else None)
    (row,) = await db.run(query, **{key: values[key] for key in query.params})
    return row


def is_fatal(error: StoreError) -> bool:
    """Return whether the server itself failed, so that no other query would do better."""
    return error.retryable or error.kind in _FATAL


def _params(
    request: RecallRequest,
    question: Question,
    options: RecallOptions,
    vector: NDArray[float32] | None,
) -> dict[str, Any]:
    text_pool, vector_pool = (
        # Turns that are not to be returned take places in the pools; others must still fill in.
        min(_MAX_POOL, max(pool, 3 * request.limit) + len(request.visible))
        for pool in (options.text_pool, options.vector_pool)
    )
    is_filtered_later = (
        request.project is not None or request.since is not None or request.until is not None
    )
    return {
        **filter_params(request),
        "scope": request.scope,
        "vector": vector,
        "turn_query": question.turn_query,
        "fact_query": question.fact_query,
        "token_queries": [
            {"token": token, "query": query} for token, query in question.token_queries
        ],
        "term_keys": list(question.keys),
        "now": request.held_at(options.now),
        "fact_statuses": list(request.fact_statuses),
        "text_pool": text_pool,
        "vector_pool": vector_pool,
        "looked_through": (
            _LOOKED_THROUGH_WHEN_FILTERED if is_filtered_later else _LOOKED_THROUGH * text_pool
        ),
        "fact_pool": options.fact_pool,
        "text_length": _TEXT_LENGTH,
        "count_cap": _COUNT_CAP,
        "sample_size": _SAMPLE_SIZE,
        "part_pool": _PART_POOL,
        "near_pool": _NEAR_POOL,
        "any_procedure": request.takes_any_procedure,
        # A question that nothing may answer with asks for none.
        "procedure_pool": options.procedure_pool if options.max_procedures else 0,
    }


def _seeds(rows: Mapping[str, Mapping[str, Any]]) -> Seeds:
    none: Mapping[str, Any] = {}
    names, text = rows["names"], rows.get("text", none)
    vector, links = rows.get("vector", none), rows.get("links", none)
    sample = vector.get("sample", none)
    is_whole = {"text": bool(text), "vector": bool(vector) and bool(links)}
    return Seeds(
        text_turns=tuple(_text_turn(entry) for entry in text.get("text_turns", ())),
        vector_turns=tuple(_vector_turn(entry) for entry in vector.get("vector_turns", ())),
        text_facts=tuple(
            FactSeed(fact_id, tuple(turn_ids), tokens=tuple(words.split()))
            for fact_id, words, turn_ids in text.get("text_facts", ())
        ),
        vector_facts=tuple(
            FactSeed(fact_id, tuple(turn_ids), cosine=cosine)
            for fact_id, cosine, turn_ids in links.get("vector_facts", ())
        ),
        terms=tuple(sorted((NodeSeed(*entry) for entry in names["terms"]), key=_by_name)),
        tags=tuple(sorted((NodeSeed(*entry) for entry in names["tags"]), key=_by_name)),
        part_terms=tuple(
            NodeSeed(term_id, name, links, tokens=tuple(words.split()))
            for term_id, name, words, links in text.get("part_terms", ())
        ),
        near_terms=tuple(NodeSeed(*entry) for entry in links.get("near_terms", ())),
        near_tags=tuple(NodeSeed(*entry) for entry in links.get("near_tags", ())),
        text_procedures=tuple(
            ProcedureSeed(procedure_id, intent or "", frozenset((words or "").split()))
            for procedure_id, intent, words in text.get("text_procedures", ())
        ),
        near_procedures=tuple(
            (procedure_id, cosine) for procedure_id, cosine in links.get("near_procedures", ())
        ),
        scale=Scale(
            held=dict(text.get("tokens", ())),
            sessions=names["sessions"],
            turns=names["turns"],
            average_length=names["average_length"] or 0.0,
            sample=sample.get("cosines", 0),
            mean=sample.get("mean") or 0.0,
            deviation=sample.get("deviation") or 0.0,
        ),
        degraded=tuple(leg for leg, is_there in is_whole.items() if not is_there),
    )


def _text_turn(entry: Sequence[Any]) -> TurnSeed:
    turn_id, session_id, speakers, at_ms, length, score, text, held = entry
    return TurnSeed(
        turn_id,
        session_id,
        tuple(speakers or ()),
        at_ms,
        length or 0,
        tokens=None if text is None else tuple(text.split()),
        held=tuple(held or ()),
        full_text_score=score,
    )


def _vector_turn(entry: Sequence[Any]) -> TurnSeed:
    turn_id, session_id, speakers, at_ms, length, cosine = entry
    return TurnSeed(turn_id, session_id, tuple(speakers or ()), at_ms, length or 0, cosine=cosine)


def _by_name(node: NodeSeed) -> str:
    return node.name
