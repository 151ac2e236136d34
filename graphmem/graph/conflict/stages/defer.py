"""Stage 5: what the others left open is told to be the same, new, or for a judge to say."""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage, Zone
from graphmem.graph.conflict.comparing.comparison import Comparison, shares_time
from graphmem.graph.conflict.comparing.guards import (
    has_other_identifier,
    has_other_leading_name,
    is_one_sided,
    names_same,
)
from graphmem.graph.conflict.model import Statement, Verdict
from graphmem.graph.conflict.stages.embedding import same_in_zone
from graphmem.text import analyse

__all__ = ["decide_deferred", "unrelated"]


def decide_deferred(case: Comparison) -> Verdict:
    """Return what becomes of a candidate on which no other stage decided."""
    if not case.measured:
        return _unmeasured(case)
    same = same_in_zone(case, Zone.NEAR_DUP, Stage.EMBEDDING)
    if same is not None:
        return same
    reasons: list[str] = []
    open_facts: list[Statement] = []
    for near in case.measured:
        if case.zone_of(near) is Zone.COLD:
            continue
        reason = unrelated(case, near.statement)
        if reason is None:
            open_facts.append(near.statement)
        else:
            reasons.append(reason)
    if open_facts:
        return _pending(open_facts, "it may contradict what is near it; a judge has to say")
    if case.cardinality == "functional" and (rivals := _rivals(case)):
        # "For Tom" is far from "at Acme", and may be the only work there is.
        return _pending(rivals, "another value of the same kind; a judge has to say")
    return _admit(reasons[0] if reasons else "nothing known is near it")


def unrelated(case: Comparison, fact: Statement) -> str | None:
    """Return why the candidate and a fact both stand, None where they may exclude each other."""
    candidate = case.candidate
    if not fact.is_live or not shares_time(candidate, fact):
        return "what is near it held at another time"
    if case.said.is_hedged or case.is_hedged(fact):
        return "one of them says what may be, not what is"
    if candidate.has_parts and fact.has_parts:
        return _other_slot(case, fact)
    return _other_text(case, fact)


def _other_text(case: Comparison, fact: Statement) -> str | None:
    if has_other_identifier(case.packs, case.candidate.text, fact.text):
        return "they name different identifiers"
    if has_other_leading_name(case.packs, case.candidate.text, fact.text):
        return "they begin with different names"
    return None


def _other_slot(case: Comparison, fact: Statement) -> str | None:
    candidate = case.candidate
    if candidate.subject_key != fact.subject_key:
        return "it is about another subject"
    if candidate.predicate_key != fact.predicate_key:
        return None if _may_end(case, fact) else "it says something else of the same subject"
    return _other_object(case, fact)


def _may_end(case: Comparison, fact: Statement) -> bool:
    """Return whether it says that some tie to an object is over, and the fact is one.

    "I left Acme", of who founded it; "I sold the car", of who drives one.
    """
    candidate = case.candidate
    is_end = candidate.is_negated and not fact.is_negated and case.said.is_loose
    return is_end and bool(candidate.object_key) and _is_within(case, fact, candidate)


def _other_object(case: Comparison, fact: Statement) -> str | None:
    candidate = case.candidate
    if candidate.is_negated != fact.is_negated:
        denied, told = candidate, fact
        if fact.is_negated:
            denied, told = fact, candidate
        return None if _is_within(case, told, denied) else "what it denies is not what is known"
    if is_one_sided(candidate.object_key, fact.object_key):
        return "it says the same and more"
    if case.said.is_addition:
        return "it says that it comes on top"
    if case.cardinality == "unknown" and candidate.valid_from == fact.valid_from:
        # "Covers A, B and C": who says several at once means all of them.
        return "both were said of the same time"
    if case.cardinality == "multi":
        return f"{candidate.predicate_key!r} may have several objects"
    return None


def _is_within(case: Comparison, told: Statement, denied: Statement) -> bool:
    """Return whether what is denied is what is told, or a wider one: no cat, and a cat named Leo.

    Who denies without an object may mean any, of what nobody is known to have several of.
    """
    if not denied.object_key:
        return case.cardinality != "multi"
    if names_same(case.packs, told.object_key, denied.object_key):
        return True
    inner, outer = (set(analyse(one.object_key)) for one in (told, denied))
    return bool(outer) and outer <= inner


def _unmeasured(case: Comparison) -> Verdict:
    """Return the verdict where no cosine says anything: only the same slot is looked at."""
    if case.said.is_hedged:
        return _admit("it says what may be, not what is")
    if open_facts := _rivals(case):
        return _pending(open_facts, "another value of the same kind; a judge has to say")
    return _admit("nothing that is known speaks against it")


def _rivals(case: Comparison) -> list[Statement]:
    """Return what says the same kind of thing of the same subject, and may not hold beside it."""
    return [fact for fact in case.slot if fact.is_live and unrelated(case, fact) is None]


def _admit(reason: str) -> Verdict:
    return Verdict(DecisionKind.ADMIT, Stage.DEFER, reason)


def _pending(facts: list[Statement], reason: str) -> Verdict:
    return Verdict(
        DecisionKind.PENDING, Stage.DEFER, reason, against=tuple(fact.id for fact in facts)
    )
