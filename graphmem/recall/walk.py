"""The second round trip: PageRank from the seeds, and where the candidates stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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

__all__ = ["Place", "Reached", "WalkSeeds", "standing_alone", "walk_graph"]

_MS_PER_H = 3_600_000


@dataclass(frozen=True, slots=True)
class WalkSeeds:
    """Where the walk begins: weights by id, finite and >= 0; they need not sum to 1."""

    turns: Mapping[str, float]
    terms: Mapping[str, float]
    facts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Place:
    """A turn and where it stands in its conversation.

    Attributes:
        at_ms: Its time, milliseconds since 1970 (UTC); before that below 0.
        length: Characters of its analysed text; 0 where that is not known.
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
    """

    masses: Mapping[str, float]
    places: tuple[Place, ...]
    session_turns: Mapping[str, int]


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
    """Push mass from the seeds for four rounds, and look up the places of turns.

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
        turn_seeds=_rows(seeds.turns),
        term_seeds=_rows(seeds.terms),
        fact_seeds=_rows(seeds.facts),
        link_weights=dict(walk.link_weights),
        hub_links=walk.hub_links,
        kept=walk.kept,
        damping=walk.damping,
        found=walk.found,
        turn_ids=list(turn_ids),
        known=list(known),
        vector=None if slot is None else vector,
        now=options.now,
    )
    row = rows[0]
    now_ms = options.now.timestamp() * 1000
    return Reached(
        masses=dict(row["ranks"]),
        places=tuple(_place(entry, now_ms) for entry in row["places"]),
        session_turns=dict(row["sessions"]),
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
            "",
            None,
            is_eligible=True,
        )
        for turn in turns.values()
    )
    return Reached({}, tuple(places), {})


def _rows(weights: Mapping[str, float]) -> list[dict[str, Any]]:
    for node_id, weight in weights.items():
        if not 0 <= weight < float("inf"):  # false for NaN too
            raise InputError(
                f"the walk cannot start from {node_id} with weight {weight}: weights are finite "
                "numbers >= 0",
                ids=[node_id],
            )
    return [{"id": node_id, "weight": weight} for node_id, weight in weights.items() if weight > 0]


def _place(entry: Sequence[Any], now_ms: float) -> Place:
    turn_id, session_id, at_ms, speakers, length, next_id, cosine, is_eligible, use = entry
    uses, used_ms, reward_sum, reward_count = use or (0, None, 0.0, 0)
    idle_ms = now_ms - (at_ms if used_ms is None else used_ms)
    return Place(
        turn_id,
        session_id,
        at_ms,
        tuple(speakers or ()),
        length or 0,
        next_id or "",
        cosine,
        is_eligible,
        Usage(uses or 0, idle_ms / _MS_PER_H, reward_sum or 0.0, reward_count or 0),
    )
