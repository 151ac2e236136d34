"""Stage 2: nearness in meaning, by the zones of the raw cosine."""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage, Zone
from graphmem.graph.conflict.comparing.comparison import Comparison, shares_time
from graphmem.graph.conflict.comparing.guards import difference, is_merely_near
from graphmem.graph.conflict.comparing.succession import is_parted
from graphmem.graph.conflict.model import Statement, Verdict
from graphmem.text import analyse

__all__ = ["decide_embedding", "same_in_zone"]


def decide_embedding(case: Comparison) -> Verdict | None:
    """Return a dedup to a HOT neighbour; NEAR-DUP and below wait for the next stages."""
    return same_in_zone(case, Zone.HOT, Stage.EMBEDDING)


def same_in_zone(case: Comparison, zone: Zone, stage: Stage) -> Verdict | None:
    """Return a dedup to the nearest neighbour of a zone that no guard keeps apart."""
    for near in case.measured:
        fact = near.statement
        if case.zone_of(near) != zone or fact.id == case.candidate.id:
            continue
        if zone is Zone.HOT and case.is_hot_final:
            return _same(fact.id, stage, "nearly the same meaning, and HOT always decides")
        if not fact.is_live or not shares_time(case.candidate, fact):
            continue
        if case.said.is_hedged != case.is_hedged(fact) or is_parted(case, fact):
            continue
        if _says_more(case, fact) or is_merely_near(case.packs, case.candidate, fact):
            continue
        if difference(case.packs, case.candidate, fact) is None:
            return _same(fact.id, stage, f"the same meaning: the zone is {zone.value}")
    return None


def _says_more(case: Comparison, fact: Statement) -> bool:
    """Return whether it is one more thing beside a wider one: green tea beside tea."""
    return (
        case.cardinality == "multi"
        and case.candidate.shares_slot(fact)
        and set(analyse(case.candidate.object_key)) != set(analyse(fact.object_key))
    )


def _same(fact_id: str, stage: Stage, reason: str) -> Verdict:
    return Verdict(DecisionKind.DEDUP, stage, reason, against=(fact_id,), same_as=fact_id)
