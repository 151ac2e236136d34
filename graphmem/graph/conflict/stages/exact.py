"""Stage 1: the same statement, by the hash of its canonical form."""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage
from graphmem.graph.conflict.comparing.comparison import Comparison, by_fit, shares_time
from graphmem.graph.conflict.comparing.succession import excludes, is_parted
from graphmem.graph.conflict.model import Statement, Verdict

__all__ = ["decide_exact"]


def decide_exact(case: Comparison) -> Verdict | None:
    """Return a dedup to the fact that says the same of the same time, else None.

    A fact that a person forgot stays forgotten while it is learned from what was there before;
    a fact that ended before the candidate begins leaves room for a second stretch. One that was
    deprecated is told again, or the one that stands for it is stated once more.
    """
    candidate = case.candidate
    exact = by_fit(candidate, [fact for fact in case.known.exact if not fact.same_as])
    for fact in exact:
        if fact.status in ("forgotten", "deprecated") or not shares_time(candidate, fact):
            continue
        if is_parted(case, fact):
            continue
        return _same(fact, "the same statement stands already", revives=False)
    for fact in exact:
        if fact.status != "deprecated" or not shares_time(candidate, fact):
            continue
        if not _is_overtaken(case):
            return _same(fact, "it had fallen silent, and is stated again", revives=True)
    for fact in exact:
        verdict = _forgotten(candidate, fact) if fact.status == "forgotten" else None
        if verdict is not None and not (verdict.revives and _is_overtaken(case)):
            return verdict
    return None


def _is_overtaken(case: Comparison) -> bool:
    """Return whether something holds by now that the statement excludes: it begins anew then."""
    return any(
        fact.is_live and excludes(case, fact) and shares_time(case.candidate, fact)
        for fact in case.slot
    )


def _forgotten(candidate: Statement, fact: Statement) -> Verdict | None:
    is_known_since = fact.retired_at is None or candidate.recorded_at <= fact.retired_at
    if not fact.is_withdrawn and is_known_since:
        return _same(fact, "it was forgotten on purpose, and was said before that", revives=False)
    if not shares_time(candidate, fact) and candidate.valid_from >= fact.valid_to:
        return None
    if fact.is_withdrawn:
        return _same(fact, "the turn that withdrew it says it again", revives=True)
    return _same(fact, "it was forgotten, and is stated anew", revives=True)


def _same(fact: Statement, reason: str, *, revives: bool) -> Verdict:
    return Verdict(
        DecisionKind.DEDUP,
        Stage.EXACT,
        reason,
        against=(fact.id,),
        same_as=fact.id,
        revives=revives,
    )
