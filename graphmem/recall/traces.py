"""Answers that are kept, so that yesterday's can be opened today.

What is kept of a turn or a fact hangs on its link, and holds ids, numbers and words of the
question: when the turn is erased, nothing of it is left in the trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.clock import OPEN_TO
from graphmem.explanation import (
    Explanation,
    FactReason,
    PathStep,
    ProcedureReason,
    RecallTrace,
    TurnReason,
)
from graphmem.ids import scope_token
from graphmem.models import Trace
from graphmem.queries import get_query
from graphmem.recall.explain import NAME_LENGTH, drawn

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["drop_traces", "get_trace", "keep_trace", "list_traces"]

# A transaction of bounded size, however many answers were kept.
_DROPPED_AT_ONCE = 500


async def keep_trace(db: Database, told: Explanation) -> None:
    """Keep an explained answer under its `trace_id`.

    Raises:
        StoreError: The server failed; nothing was kept.
    """
    await db.run(
        get_query("recall/keep_trace"),
        scope=told.scope,
        scope_token=scope_token(told.scope),
        id=told.trace_id,
        properties={
            "query": told.query,
            "at": told.at,
            "as_of": told.as_of,
            "turns": len(told.turns),
            "facts": len(told.facts),
            "procedures": len(told.procedures),
            "confident": told.confident,
            "best_rejected": told.best_rejected,
            "degraded": list(told.degraded),
            "details": _details(told.trace),
        },
        turns=[{"id": turn.turn_id, "recalled": _turn_link(turn)} for turn in told.turns],
        facts=[
            {
                "id": fact.fact_id,
                "recalled": {
                    "rank": fact.rank,
                    "score": fact.score,
                    "value": fact.value,
                    "words": list(fact.words),
                },
            }
            for fact in told.facts
        ],
        procedures=[
            {
                "id": way.procedure_id,
                "recalled": {
                    "rank": way.rank,
                    "score": way.score,
                    "cosine": way.cosine,
                    "value": way.value,
                    "words": list(way.words),
                },
            }
            for way in told.procedures
        ],
    )


async def get_trace(db: Database, scope: str, trace_id: str) -> Explanation | None:
    """Return a kept answer with its reasons as they were, or None.

    Names and texts are those of today; what is told no longer is counted as gone.
    """
    rows = await db.run(get_query("recall/get_trace"), scope=scope, trace_id=trace_id)
    if not rows:
        return None
    kept, turns, facts = rows[0]["trace"], rows[0]["turns"], rows[0]["facts"]
    ways = rows[0]["procedures"]
    paths = {turn["id"]: json.loads(turn["recalled"]["paths"]) for turn in turns}
    trace = Trace.model_validate_json(kept["details"])
    names = await _names(db, scope, trace, paths.values())
    seeds = tuple(seed.model_copy(update={"name": names.get(seed.id, "")}) for seed in trace.seeds)
    terms = tuple(seed.name for seed in seeds if seed.label == "Term" and seed.name)
    return drawn(
        Explanation(
            query=kept["query"],
            scope=scope,
            at=kept["at"],
            as_of=kept["as_of"],
            trace_id=kept["id"],
            turns=tuple(_turn_reason(turn, paths[turn["id"]], names) for turn in turns),
            facts=tuple(_fact_reason(fact) for fact in facts),
            procedures=tuple(_procedure_reason(way) for way in ways),
            confident=kept["confident"],
            best_rejected=kept["best_rejected"],
            degraded=tuple(kept["degraded"]),
            trace=trace.model_copy(update={"terms": terms, "seeds": seeds}),
            gone=sum(kept[kind] - len(rows[0][kind]) for kind in ("turns", "facts", "procedures")),
        )
    )


async def list_traces(db: Database, scope: str, limit: int) -> list[RecallTrace]:
    """Return the kept answers of a scope, newest first."""
    rows = await db.run(get_query("recall/list_traces"), scope=scope, limit=limit)
    return [RecallTrace(**row["trace"]) for row in rows]


async def drop_traces(db: Database, scope: str, before: datetime | None) -> int:
    """Delete kept answers that were asked before a time (None = all); return how many."""
    dropped = 0
    while True:
        rows = await db.run(
            get_query("recall/drop_traces"),
            scope=scope,
            before=before or OPEN_TO,
            most=_DROPPED_AT_ONCE,
        )
        batch: int = rows[0]["dropped"]
        dropped += batch
        if batch < _DROPPED_AT_ONCE:
            return dropped


def _details(trace: Trace) -> str:
    # Names are looked up again: they belong to nodes that may be erased.
    seeds = tuple(seed.model_copy(update={"name": ""}) for seed in trace.seeds)
    return trace.model_copy(update={"terms": (), "seeds": seeds}).model_dump_json()


def _turn_link(turn: TurnReason) -> dict[str, Any]:
    paths = [
        [[step.label, step.id, step.link, step.is_forward] for step in path] for path in turn.paths
    ]
    return {
        "rank": turn.rank,
        "score": turn.score,
        "cosine": turn.cosine,
        "value": turn.value,
        "rerank_score": turn.rerank_score,
        "parts": json.dumps(turn.parts),
        "words": list(turn.words),
        "paths": json.dumps(paths),
    }


def _turn_reason(
    entry: Mapping[str, Any], paths: Iterable[Iterable[Any]], names: Mapping[str, str]
) -> TurnReason:
    link = entry["recalled"]
    return TurnReason(
        rank=link["rank"],
        turn_id=entry["id"],
        session_id=entry["session_id"],
        at=entry["at"],
        text=entry["text"],
        score=link["score"],
        parts=json.loads(link["parts"]),
        cosine=link.get("cosine"),
        value=link["value"],
        rerank_score=link.get("rerank_score"),
        words=tuple(link["words"]),
        paths=tuple(
            tuple(
                PathStep(
                    link=kind,
                    is_forward=is_forward,
                    label=label,
                    id=node_id,
                    # A session is called by its id.
                    name=node_id if label == "Session" else names.get(node_id, ""),
                )
                for label, node_id, kind, is_forward in path
            )
            for path in paths
        ),
    )


def _fact_reason(entry: Mapping[str, Any]) -> FactReason:
    link = entry["recalled"]
    return FactReason(
        rank=link["rank"],
        fact_id=entry["id"],
        text=entry["text"],
        score=link["score"],
        value=link["value"],
        words=tuple(link["words"]),
        turn_ids=tuple(entry["turn_ids"]),
    )


def _procedure_reason(entry: Mapping[str, Any]) -> ProcedureReason:
    link = entry["recalled"]
    return ProcedureReason(
        rank=link["rank"],
        procedure_id=entry["id"],
        instruction=entry["instruction"],
        intent=entry["intent"] or "",
        score=link["score"],
        cosine=link.get("cosine"),
        value=link["value"],
        words=tuple(link["words"]),
    )


async def _names(
    db: Database, scope: str, trace: Trace, paths: Iterable[Iterable[Any]]
) -> dict[str, str]:
    wanted: dict[str, set[str]] = {"Turn": set(), "Fact": set(), "Term": set(), "Tag": set()}
    found = [(seed.label, seed.id) for seed in trace.seeds]
    found += [(step[0], step[1]) for of_turn in paths for path in of_turn for step in path]
    for label, node_id in found:
        if label in wanted:
            wanted[label].add(node_id)
    if not any(wanted.values()):
        return {}
    rows = await db.run(
        get_query("recall/name_nodes"),
        scope=scope,
        **{f"{label.lower()}_ids": sorted(ids) for label, ids in wanted.items()},
        name_length=NAME_LENGTH,
    )
    return {row["id"]: row["name"] for row in rows}
