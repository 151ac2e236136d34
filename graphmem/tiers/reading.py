"""Facts, their history and the conflict log, as the store holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.clock import none_if_open
from graphmem.decisions import Decision, FactHistory, FactVersion
from graphmem.models import TOLD, Fact
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = [
    "FactFilter",
    "count_open",
    "get_decisions",
    "get_facts",
    "get_history",
    "list_decisions",
    "list_facts",
]

# Of the log of one fact: one that is restated each day for years has many entries.
_MOST_DECISIONS = 1000
# A node that lacks a property has its default: one that was made by hand, for instance.
_DEFAULTS = (
    "subject",
    "predicate",
    "object",
    "confidence",
    "origin",
    "agent_id",
    "sensitivity",
    "recorded_at",
    "retired_at",
    "retired_reason",
    "recall_count",
    "last_accessed_at",
    "reward_sum",
    "reward_count",
    "importance",
    "pinned",
    "tier",
)


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts are listed.

    Attributes:
        statuses: Of the facts that are wanted.
        holds_at: The instant at which they must hold; None = whenever.
        subject_key: Key of what they are about, "" = anything.
        predicate: In lower case, "" = any.
        predicate_key: Key of its family, which counts too; "" where there is none.
        agent_id: Who learned them, "" = anybody.
        tag_keys: Keys of tags that each must have.
    """

    statuses: tuple[str, ...] = TOLD
    holds_at: datetime | None = None
    subject_key: str = ""
    predicate: str = ""
    predicate_key: str = ""
    agent_id: str = ""
    tag_keys: tuple[str, ...] = ()


async def get_facts(db: Database, scope: str, fact_ids: Sequence[str]) -> list[Fact]:
    """Return the facts with these ids that are there, in the order of the ids."""
    if not fact_ids:
        return []
    rows = await db.run(get_query("tiers/get_facts"), scope=scope, fact_ids=list(fact_ids))
    found = {row["fact"]["id"]: _fact(row["fact"]) for row in rows}
    return [found[fact_id] for fact_id in fact_ids if fact_id in found]


async def list_facts(
    db: Database, scope: str, wanted: FactFilter, *, limit: int, now: datetime
) -> list[Fact]:
    """Return facts, the latest recorded first.

    Args:
        db: The store.
        scope: Whose memory it is.
        wanted: Which.
        limit: The most facts.
        now: Stands in where it does not matter when they hold.
    """
    rows = await db.run(
        get_query("tiers/list_facts"),
        scope=scope,
        statuses=list(wanted.statuses),
        now=wanted.holds_at or now,
        is_held=wanted.holds_at is not None,
        subject_key=wanted.subject_key,
        predicate=wanted.predicate,
        predicate_key=wanted.predicate_key,
        agent_id=wanted.agent_id,
        tag_keys=list(wanted.tag_keys),
        k=limit,
    )
    return await get_facts(db, scope, [row["id"] for row in rows])


async def get_history(db: Database, scope: str, fact_id: str) -> FactHistory | None:
    """Return how a fact came and went, or None where there is no such fact."""
    rows = await db.run(
        get_query("tiers/fact_history"), scope=scope, fact_id=fact_id, k=_MOST_DECISIONS
    )
    if not rows:
        return None
    row = rows[0]
    chain = await get_facts(db, scope, row["chain"])
    fact = next(one for one in chain if one.id == fact_id)
    return FactHistory(
        fact=fact,
        versions=_versions(row["versions"], fact),
        chain=tuple(sorted(chain, key=_order)),
        decisions=tuple(await get_decisions(db, scope, row["decisions"])),
    )


async def get_decisions(db: Database, scope: str, decision_ids: Sequence[str]) -> list[Decision]:
    """Return the decisions with these ids that are there, in the order of the ids."""
    if not decision_ids:
        return []
    rows = await db.run(
        get_query("tiers/get_decisions"), scope=scope, decision_ids=list(decision_ids)
    )
    found = {row["decision"]["id"]: _decision(row["decision"]) for row in rows}
    return [found[one] for one in decision_ids if one in found]


async def list_decisions(
    db: Database, scope: str, *, states: Iterable[str], kinds: Iterable[str], limit: int
) -> list[Decision]:
    """Return decisions, the latest first."""
    rows = await db.run(
        get_query("tiers/list_decisions"),
        scope=scope,
        states=list(states),
        kinds=list(kinds),
        k=limit,
    )
    return await get_decisions(db, scope, [row["id"] for row in rows])


async def count_open(db: Database, scope: str) -> int:
    """Return how many decisions wait for a judge."""
    (row,) = await db.run(get_query("tiers/count_open_decisions"), scope=scope)
    return int(row["waiting"])


def _fact(entry: Mapping[str, Any]) -> Fact:
    known = {name: entry[name] for name in _DEFAULTS if entry[name] is not None}
    return Fact(
        id=entry["id"],
        text=entry["text"],
        valid_from=none_if_open(entry["valid_from"]),
        valid_to=none_if_open(entry["valid_to"]),
        status=entry["status"],
        validated_count=entry["validated_count"] or 0,
        tags=tuple(entry["tags"]),
        turn_ids=tuple(entry["turn_ids"]),
        **known,
    )


def _versions(columns: Mapping[str, Any], fact: Fact) -> tuple[FactVersion, ...]:
    """Return what was said of a fact over time; it is what it is until the first change."""
    if not columns["at"]:
        if fact.recorded_at is None:
            return ()
        only = FactVersion(
            at=fact.recorded_at,
            status=fact.status,
            valid_from=fact.valid_from,
            valid_to=fact.valid_to,
        )
        return (only,)
    rows = zip(
        columns["at"], columns["status"], columns["valid_from"], columns["valid_to"], strict=True
    )
    return tuple(
        FactVersion(
            at=at, status=status, valid_from=none_if_open(start), valid_to=none_if_open(end)
        )
        for at, status, start, end in rows
    )


def _order(fact: Fact) -> tuple[float, float, float, str]:
    """Order a chain by when its facts began to hold, and ended, then by when they were learned."""
    began = -1e18 if fact.valid_from is None else fact.valid_from.timestamp()
    # Of two that began at once the one that was ended then came first.
    ended = 1e18 if fact.valid_to is None else fact.valid_to.timestamp()
    learned = 0.0 if fact.recorded_at is None else fact.recorded_at.timestamp()
    return (began, ended, learned, fact.id)


def _decision(entry: Mapping[str, Any]) -> Decision:
    return Decision(
        id=entry["id"],
        kind=entry["kind"],
        stage=entry["stage"],
        zone=entry["zone"] or None,
        similarity=entry["similarity"],
        reason=entry["reason"],
        text=entry["text"],
        fact_id=next(iter(entry["about"]), ""),
        against=tuple(entry["against"]),
        at=entry["at"],
        state=entry["state"],
        judged_kind=entry["judged_kind"] or None,
        judged_reason=entry["judged_reason"] or "",
        judged_by=entry["judged_by"] or "",
        judged_at=entry["judged_at"],
        attempts=entry["attempts"] or 0,
        error=entry["error"] or "",
    )
