"""The second round trip: PageRank from the seeds, and where the candidates stand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from graphmem.errors import InputError
from graphmem.queries import get_query
from graphmem.recall.question import filter_params
from graphmem.recall.request import RecallOptions, RecallRequest
from graphmem.recall.seeds import Seeds
from graphmem.scoring import Usage

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = ["Place", "Reached", "WalkSeeds", "seed_params", "standing_alone", "walk_graph"]

_MS_PER_H = 3_600_000


@dataclass(frozen=True, slots=True)
class WalkSeeds:
    """Where the walk begins: weights by id, finite and >= 0; they need not sum to 1.

    Attributes:
        facts: What each gives to the turns that state it.
        tags: What each gives to the turns that state its facts.
        ends: What each fact gives each Term that it is about, over how many turns mention it.
    """

    turns: Mapping[str, float]
    terms: Mapping[str, float]
    facts: Mapping[str, float]
    tags: Mapping[str, float] = field(default_factory=dict)
    ends: Mapping[str, float] = field(default_factory=dict)


# A tuple, since a recall makes hundreds: a frozen dataclass takes four times as long to make.
class Place(NamedTuple):
    """A turn and where it stands in its conversation.

    Attributes:
        at_ms: Its time, milliseconds since 1970 (UTC); before that below 0.
        length: Characters of its analysed text; 0 where that is not known.
        asks: Whether it only asks, so that the turn after it answers.
        next_id: The turn after it, "" at the end.
        cosine: Raw cosine to the question, None where it was known before or there is none.
        is_eligible: Whether the filters let it into the answer; others only lend context.
        usage: What became of it; None where that is not known.
    """

    id: str
    session_id: str
    at_ms: int
    speakers: tuple[str, ...]
    length: int
    asks: bool
    next_id: str
    cosine: float | None
    is_eligible: bool
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """What the walk reached.

    Attributes:
        masses: PageRank by turn id, the heaviest ones.
        places: Nominated and reached turns, and two turns before and after each.
        session_turns: Turns by session id.
        linkage: Share of the start that lies on both ends of facts, 0..1: how far the question
            is linked to statements that lead from one thing to another.
    """

    masses: Mapping[str, float]
    places: tuple[Place, ...]
    session_turns: Mapping[str, int]
    linkage: float = 0.0


async def walk_graph(
    db: Database,
    request: RecallRequest,
    options: RecallOptions,
    *,
    seeds: WalkSeeds,
    turn_ids: Sequence[str],
    known: Sequence[str],
    vector: NDArray[float32] | None,
    slot: str | None,
) -> Reached:
    """Push mass from the seeds for three rounds, and look up the places of turns.

    Args:
        db: The database.
        request: What is asked; its filters say which turns are eligible.
        options: `walk` and `now`.
        seeds: Where the walk begins; none = no walk.
        turn_ids: Turns to look up besides those that the walk reaches.
        known: Turns whose cosine is known already.
        vector: Of the question; None = no cosine is measured.
        slot: Where the vectors are.

    Raises:
        InputError: A weight is negative or no number.
        StoreError: The server failed.
    """
    walk = options.walk
    # Which slot a query without a vector names makes no difference.
    query = get_query("recall/walk_graph", slot or "a")
    filters = filter_params(request)
    rows = await db.run(
        query,
        **{name: value for name, value in filters.items() if name in query.params},
        scope=request.scope,
        **seed_params(seeds),
        link_weights=dict(walk.link_weights),
        hub_links=walk.hub_links,
        kept=walk.kept,
        damping=walk.damping,
        found=walk.found,
        turn_ids=list(turn_ids),
        known=list(known),
        vector=None if slot is None else vector,
        now=request.held_at(options.now),
        fact_statuses=list(request.fact_statuses),
        narrow=walk.narrow,
        narrow_links=walk.narrow_links,
    )
    row = rows[0]
    now_ms = options.now.timestamp() * 1000
    return Reached(
        masses=dict(row["ranks"]),
        places=tuple(_place(entry, now_ms) for entry in row["places"]),
        session_turns=dict(row["sessions"]),
        linkage=_linkage(seeds, row["ends"]),
    )


def standing_alone(seeds: Seeds) -> Reached:
    """Return the nominated turns without what the graph knows of them: it could not be asked."""
    turns = {turn.id: turn for turn in (*seeds.text_turns, *seeds.vector_turns)}
    places = (
        Place(
            turn.id,
            turn.session_id,
            turn.at_ms,
            turn.speakers,
            turn.length,
            asks=False,
            next_id="",
            cosine=None,
            is_eligible=True,
        )
        for turn in turns.values()
    )
    return Reached({}, tuple(places), {})


def seed_params(seeds: WalkSeeds) -> dict[str, list[dict[str, Any]]]:
    """Return the seeds as parameters of the queries that begin at them.

    Raises:
        InputError: A weight is negative or no number.
    """
    return {
        "turn_seeds": _rows(seeds.turns),
        "term_seeds": _rows(seeds.terms),
        "tag_seeds": _rows(seeds.tags),
        "fact_seeds": _fact_rows(seeds),
    }


def _rows(weights: Mapping[str, float]) -> list[dict[str, Any]]:
    for node_id, weight in weights.items():
        if not 0 <= weight < float("inf"):  # false for NaN too
            raise InputError(
                f"the walk cannot start from {node_id} with weight {weight}: weights are finite "
                "numbers >= 0",
                ids=[node_id],
            )
    return [{"id": node_id, "weight": weight} for node_id, weight in weights.items() if weight > 0]


def _linkage(seeds: WalkSeeds, ends: Iterable[Sequence[float]]) -> float:
    whole = math.fsum(
        weight
        for weights in (seeds.turns, seeds.terms, seeds.tags, seeds.facts)
        for weight in weights.values()
    )
    linked = 0.0
    for given in ends:
        whole += math.fsum(given)
        # A hub at one end leads everywhere: a link is worth what its weaker end is.
        if len(given) > 1:
            linked += len(given) * min(given)
    return linked / whole if whole > 0 else 0.0


def _fact_rows(seeds: WalkSeeds) -> list[dict[str, Any]]:
    _rows(seeds.ends)
    facts = {row["id"]: row["weight"] for row in _rows(seeds.facts)}
    return [
        {"id": fact_id, "weight": facts.get(fact_id, 0.0), "ends": seeds.ends.get(fact_id, 0.0)}
        for fact_id in dict.fromkeys([*facts, *seeds.ends])
    ]


def _place(entry: Sequence[Any], now_ms: float) -> Place:
    turn_id, session_id, at_ms, speakers, length, asks, next_id, cosine, is_eligible, use = entry
    uses, used_ms, reward_sum, reward_count = use or (0, None, 0.0, 0)
    idle_ms = now_ms - (at_ms if used_ms is None else used_ms)
    return Place(
        turn_id,
        session_id,
        at_ms,
        tuple(speakers or ()),
        length or 0,
        asks,
        next_id or "",
        cosine,
        is_eligible,
        Usage(uses or 0, idle_ms / _MS_PER_H, reward_sum or 0.0, reward_count or 0),
    )
