"""What is asked, checked once at the door; and the knobs of how it is answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from graphmem.checks import check_whole
from graphmem.clock import OPEN_TO, as_utc
from graphmem.config import check_scope
from graphmem.errors import InputError
from graphmem.ids import check_ids
from graphmem.models import LIVE, TOLD, Calibration
from graphmem.scoring import ValueCurves
from graphmem.text import check_text
from graphmem.turn_text import own_words
from graphmem.weights import FIELD_WEIGHTS, LINK_WEIGHTS, Weights

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MAX_LIMIT", "RecallOptions", "RecallRequest", "Walk", "Weights", "recall_request"]

MAX_LIMIT = 1000
# What a question says, it says in its first and last words; the middle of a pasted document is
# left out, so that the time of an answer does not hang on the length of the question.
_MAX_QUERY_LENGTH = 20_000
# As many as fit in the largest context window, with room.
_MAX_VISIBLE = 2000


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A question in one scope.

    Attributes:
        query: The question; of one over 20,000 characters the first and last 10,000.
        scope: Whose memory answers.
        limit: The most turns wanted, 0..1000.
        session_id: Only turns of this session; None = of any.
        agent_id: Only turns of this agent; None = of any, and those of none.
        project: Only turns of this project; None = of any, and those of none.
        since: Earliest time of a turn (UTC), inclusive; None = any.
        until: Latest time of a turn (UTC), inclusive; None = any.
        as_of: The instant at which facts must hold (UTC); None = `known_at`, else now.
        known_at: Only turns that were stored by then (UTC); None = all. What the memory said of
            facts then is asked of the facts themselves, so that an answer has none.
        visible: Ids of turns that the asker still sees: they are never in the answer.
    """

    query: str
    scope: str
    limit: int
    session_id: str | None = None
    agent_id: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    visible: frozenset[str] = frozenset()

    def held_at(self, now: datetime) -> datetime:
        """Return the instant at which facts must hold."""
        if self.as_of is None:
            return now if self.known_at is None else self.known_at
        # An open end is the last instant that there is: what holds for good holds before it.
        return min(self.as_of, OPEN_TO - timedelta(microseconds=1))

    @property
    def fact_statuses(self) -> tuple[str, ...]:
        """Which facts may be told: what was superseded since held then."""
        return LIVE if self.as_of is None else TOLD

    @property
    def takes_any_procedure(self) -> bool:
        """Whether a procedure needs no turn that may answer: only an agent may be named."""
        # What was known at a time ends then, and so do its turns.
        until = None if self.until == self.known_at else self.until
        return all(one is None for one in (self.session_id, self.project, self.since, until))

    @property
    def is_filtered(self) -> bool:
        """Whether only some turns of the scope may answer."""
        filters = (self.session_id, self.agent_id, self.project, self.since, self.until)
        return any(value is not None for value in filters)


def recall_request(
    query: str,
    *,
    scope: str,
    limit: int,
    session_id: str | None = None,
    agent_id: str | None = None,
    project: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    visible: Iterable[str] = (),
) -> RecallRequest:
    """Check what is asked.

    None is no filter. An empty string is none either, but a mistake (a variable that was not
    set), and answering it from everybody's turns would be a leak: it is refused.

    Raises:
        InputError: The query is blank, or a filter is of another type or out of range.
    """
    if isinstance(query, str) and not query.strip():
        raise InputError("query is empty: ask in plain words what is to be remembered")
    check_text(query, "query")
    check_whole(limit, "limit", 0, MAX_LIMIT)
    start = None if since is None else as_utc(since, name="since")
    end = None if until is None else as_utc(until, name="until")
    known = None if known_at is None else as_utc(known_at, name="known_at")
    if start is not None and end is not None and start > end:
        raise InputError(
            f"since ({start.isoformat()}) lies after until ({end.isoformat()}): swap them"
        )
    if known is not None:
        # What was said later was not stored by then; what was said before may have been.
        end = known if end is None else min(end, known)
    return RecallRequest(
        # A host may ask with a message into which it has put what was recalled before.
        query=_clipped(own_words(query) or query),
        scope=check_scope(scope),
        limit=limit,
        session_id=_filter(session_id, "session_id"),
        agent_id=_filter(agent_id, "agent_id"),
        project=_filter(project, "project"),
        since=start,
        until=end,
        as_of=None if as_of is None else as_utc(as_of, name="as_of"),
        known_at=known,
        visible=_visible(visible),
    )


def _clipped(query: str) -> str:
    if len(query) <= _MAX_QUERY_LENGTH:
        return query
    half = _MAX_QUERY_LENGTH // 2
    return f"{query[:half]} {query[-half:]}"


def _filter(value: object, name: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(f"{name} must be text or None, got {type(value).__name__}")
    if not value:
        raise InputError(f"{name} is empty: pass None to ask without this filter")
    return check_text(value, name)


def _visible(ids: Iterable[str]) -> frozenset[str]:
    found = frozenset(check_ids(ids, "visible"))
    if len(found) > _MAX_VISIBLE:
        raise InputError(f"visible holds {len(found)} ids; at most {_MAX_VISIBLE} are taken")
    return found


@dataclass(frozen=True, slots=True)
class Walk:
    """How the personalised PageRank walks; the query does three rounds.

    Attributes:
        damping: Share of the mass that walks on; .5 as in HippoRAG 2.
        kept: Heaviest nodes that walk on in a round; what the others have counts where it is.
        hub_links: A node with more links passes nothing on: it tells nothing apart.
        found: Turns that the walk may add to those of the two legs.
        turn_seeds: Best turns it starts from; few decide.
        fact_seeds: Best facts it starts from.
        turn_share: Share of the start that the turns get.
        term_share: Share of the Terms that the question names.
        fact_share: Share of the turns that state the facts.
        tag_share: Share of the turns that state facts of the Tags that the question names.
        end_weight: What a best fact gives each Term that it is about, over 1 + the turns that
            mention it, beside all shares: rare ends take the start over, hubs get next to none.
        narrow: Whether common Terms of other communities than those of the seeds end a walk.
        narrow_links: A Term that no more turns mention is passed wherever it belongs: rare names
            lead from one thing to another.
        link_weights: What a link carries, by type; a MENTIONS link also by its own weight. Facts
            and Tags are begun at, not passed: STATES, SUBJECT, OBJECT and TAGGED weigh what they
            give.
    """

    damping: float = 0.5
    kept: int = 24
    hub_links: int = 100
    found: int = 20
    turn_seeds: int = 10
    fact_seeds: int = 5
    turn_share: float = 0.5
    term_share: float = 0.25
    fact_share: float = 0.2
    tag_share: float = 0.05
    end_weight: float = 32.0
    narrow: bool = True
    narrow_links: int = 5
    link_weights: Mapping[str, float] = field(default_factory=lambda: LINK_WEIGHTS)


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """How a question is answered.

    Attributes:
        now: The instant at which facts must hold (aware, UTC).
        language: Of the text analysis; the same as at capture.
        semantic_threshold: Raw cosine that a turn needs which only the vector leg found.
        mode: "weighted" sums scores; "rrf" (k = 60) sums reciprocal ranks.
        weights: Of the weighted sum.
        field_weights: How often a word counts in each field of a turn.
        walk: Of the PageRank.
        text_pool: Turns that the text leg nominates; more for a larger limit.
        vector_pool: Turns that the vector leg nominates, likewise: on LoCoMo 50 find what 100 do.
        fact_pool: Facts that each leg nominates.
        max_facts: The most facts in an answer.
        procedure_pool: Procedures that each leg nominates.
        max_procedures: The most procedures in an answer.
        intent_threshold: Raw cosine from which a question means an Intent; None = words decide.
        engine: What runs the PageRank: "cypher", or "gds" for the Graph Data Science library.
        value_weight: How much of a score what usage says may take away, 0..1.
        curves: How value falls and rises, by type of node.
        rerank_depth: Turns that a reranker orders anew.
        rerank_timeout_s: The longest wait for it.
        calibration: What cosines mean under the embedder; None = that was not measured.
        abstains: Whether an answer in which nothing is reliable is empty.
    """

    now: datetime
    language: str = "english"
    semantic_threshold: float = 0.0
    mode: Literal["weighted", "rrf"] = "weighted"
    weights: Weights = field(default_factory=Weights)
    field_weights: Mapping[str, float] = field(default_factory=lambda: FIELD_WEIGHTS)
    walk: Walk = field(default_factory=Walk)
    text_pool: int = 100
    vector_pool: int = 50
    fact_pool: int = 50
    max_facts: int = 12
    procedure_pool: int = 10
    max_procedures: int = 3
    intent_threshold: float | None = None
    engine: Literal["cypher", "gds"] = "cypher"
    value_weight: float = 0.0
    curves: ValueCurves = field(default_factory=ValueCurves)
    rerank_depth: int = 30
    rerank_timeout_s: float = 5.0
    calibration: Calibration | None = None
    abstains: bool = False
