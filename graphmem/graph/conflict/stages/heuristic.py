"""Stage 3: words that say that something changed, or no longer holds."""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage, Zone
from graphmem.graph.conflict.comparing.comparison import Comparison, shares_time
from graphmem.graph.conflict.comparing.succession import excludes, succeed, verdict_of
from graphmem.graph.conflict.model import Statement, Verdict

__all__ = ["decide_heuristic"]


def decide_heuristic(case: Comparison) -> Verdict | None:
    """Return what a marker says about facts of the same subject and predicate, else None.

    A marker says nothing of other subjects, and nothing in a sentence that is wished, supposed,
    quoted or asked. What has one object at a time ends whatever the cosine is; of what may have
    several, without a name of what is over, only what is not in the cold zone.
    """
    said = case.said
    if said.marker is None or said.is_hedged or said.is_addition:
        return None
    rivals = [fact for fact in case.slot if excludes(case, fact, is_told=True)]
    place = succeed(case, rivals, is_told=True)
    reason = f"the text says so: {said.marker!r}"
    if place is not None:
        return verdict_of(case, place, Stage.HEURISTIC, reason)
    if case.candidate.is_negated or case.cardinality == "functional":
        return None
    if case.cardinality == "multi" and not said.acts_on_multi:
        return None
    return _replaced(case, reason)


def _replaced(case: Comparison, reason: str) -> Verdict | None:
    """Return a supersede of the one fact that the text can mean."""
    candidate, said = case.candidate, case.said
    others = [
        fact
        for fact in case.slot
        if fact.is_live
        and not fact.is_negated
        and fact.object_key != candidate.object_key
        and shares_time(candidate, fact)
    ]
    # By the name that stands for it, where it was called by another one.
    old_key = candidate.old_key or said.old_key
    targets = _named(others, old_key) if old_key else others
    if not targets:
        return None
    if len(targets) == 1 and not old_key and _is_far(case, targets[0]):
        return Verdict(
            DecisionKind.PENDING,
            Stage.HEURISTIC,
            f"{reason}, and nothing shows that it is said of what is known",
            against=(targets[0].id,),
        )
    if len(targets) == 1:
        place = succeed(case, targets, is_told=True)
        if place is None:
            return None
        return verdict_of(case, place, Stage.HEURISTIC, reason)
    return Verdict(
        DecisionKind.PENDING,
        Stage.HEURISTIC,
        f"{reason}, and more than one fact may be meant",
        against=tuple(fact.id for fact in targets),
    )


def _is_far(case: Comparison, fact: Statement) -> bool:
    """Return whether vectors were compared, and a fact is not near enough to be meant.

    Who uses an editor and "switched to" a telephone company goes on using the editor.
    """
    if not case.measured:
        return False
    zones = [case.zone_of(near) for near in case.measured if near.statement.id == fact.id]
    return not zones or zones[0] is Zone.COLD


def _named(facts: list[Statement], key: str) -> list[Statement]:
    return [fact for fact in facts if fact.object_key == key]
