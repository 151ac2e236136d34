"""Stage 4: subject, predicate and object."""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage
from graphmem.graph.conflict.comparing.comparison import Comparison, by_fit, shares_time
from graphmem.graph.conflict.comparing.guards import difference
from graphmem.graph.conflict.comparing.succession import excludes, is_parted, succeed, verdict_of
from graphmem.graph.conflict.model import Statement, Verdict

__all__ = ["decide_triple"]


def decide_triple(case: Comparison) -> Verdict | None:
    """Return a dedup to the same triple, or the succession of a predicate that has one object."""
    if case.said.is_hedged or not case.candidate.has_slot:
        return None
    same = _same(case)
    if same is not None:
        return same
    if case.said.is_addition:
        return None
    rivals = [fact for fact in case.slot if excludes(case, fact)]
    place = succeed(case, rivals, is_told=False)
    if place is None:
        return None
    return verdict_of(case, place, Stage.TRIPLE, _reason(case, place.ended))


def _same(case: Comparison) -> Verdict | None:
    candidate = case.candidate
    if not (candidate.object_key or candidate.is_whole) or case.said.has_detail:
        return None
    for fact in by_fit(candidate, case.slot):
        if fact.object_key != candidate.object_key or not shares_time(candidate, fact):
            continue
        if difference(case.packs, candidate, fact) is not None or is_parted(case, fact):
            continue
        if fact.status == "forgotten" and not _stays_forgotten(candidate, fact):
            continue
        return Verdict(
            DecisionKind.DEDUP,
            Stage.TRIPLE,
            "the same subject, predicate and object"
            + (", forgotten on purpose" if fact.status == "forgotten" else ""),
            against=(fact.id,),
            same_as=fact.id,
            revives=fact.status == "deprecated",
        )
    return None


def _stays_forgotten(candidate: Statement, fact: Statement) -> bool:
    if fact.is_withdrawn:
        return False
    return fact.retired_at is None or candidate.recorded_at <= fact.retired_at


def _reason(case: Comparison, ended: tuple[Statement, ...]) -> str:
    if any(fact.is_negated != case.candidate.is_negated for fact in ended):
        return "the contrary of the same statement"
    learned = "is declared to have" if case.is_declared else "has had so far"
    return f"{case.candidate.predicate_key!r} {learned} one object at a time"
