"""What keeps a statement from ending another one although both say the same kind of thing."""

from __future__ import annotations

import re

from graphmem.graph.conflict.comparing.comparison import Comparison
from graphmem.graph.conflict.model import Statement
from graphmem.graph.conflict.reading.times import tells_of_before

__all__ = ["doubt_about"]

# "No longer" says of somebody that it was so before; "not" may be said of anybody.
_SURELY_DENIED = 0.8


def doubt_about(case: Comparison, fact: Statement) -> str:
    """Return why nothing shows that the candidate ends a fact, "" where it does."""
    if tells_of_before(case.packs, case.candidate, fact):
        return "it names a time before what is known began; a judge has to say what holds"
    if doubt := _doubt_in_text(case):
        return doubt
    if _denies_a_part(case, fact):
        return "it denies what is known in one respect only; a judge has to say"
    if _is_one_of_many(case) and not _denies(case, fact):
        return "it may be about another one of several; a judge has to say"
    if _is_loose(case, fact):
        return (
            f"nothing shows that {case.candidate.object_key!r} is what "
            f"{case.candidate.predicate_key!r} is said of; a judge has to say"
        )
    return ""


def _doubt_in_text(case: Comparison) -> str:
    """Return why the text itself leaves open that it holds now, and alone; "" where it does not."""
    if case.candidate.is_negated:
        return ""
    text = case.candidate.text[:600]
    if any(pack.milestones and pack.milestones.search(text) for pack in case.packs):
        return "it tells of a time that may be long ago; a judge has to say"
    if any(pack.passing and pack.passing.search(text) for pack in case.packs):
        return "it may hold for a while, or beside what is known; a judge has to say"
    return ""


def _is_one_of_many(case: Comparison) -> bool:
    candidate = case.candidate
    if any(
        pack.families[candidate.predicate_key].of_kinds
        for pack in case.packs
        if candidate.predicate_key in pack.families
    ):
        return False
    return any(
        pack.one_of_many is not None and pack.one_of_many.fullmatch(candidate.subject_key)
        for pack in case.packs
    )


def _denies(case: Comparison, fact: Statement) -> bool:
    """Return whether it says of what is known, and of nothing else, that it is over."""
    return (
        case.candidate.is_negated
        and not fact.is_negated
        and case.said.marker_confidence >= _SURELY_DENIED
    )


def _denies_a_part(case: Comparison, fact: Statement) -> bool:
    """Return whether a denial tells of what part it speaks, and what is known speaks of another.

    "No longer drinks coffee after lunch" leaves the coffee of the morning. What says that
    something ended then ("quit") speaks of all of it.
    """
    said, known = _words(case.said.detail), _words(case.read(fact).detail)
    if case.candidate.is_negated == fact.is_negated or not said or said == known:
        return False
    if any(case.said.marker == marker.name for pack in case.packs for marker, _ in pack.markers):
        return False
    if said[:1] == known[:1] and not any(
        pack.since and pack.since.match(said[0]) for pack in case.packs
    ):
        # "Because of the noise", "because of the delay"; not "since 2010", "since May".
        return True
    return any(pack.limits and pack.limits.match(" ".join(said)) for pack in case.packs)


def _words(detail: str) -> list[str]:
    return re.findall(r"[\w'-]+", detail.casefold())


def _is_loose(case: Comparison, fact: Statement) -> bool:
    """Return whether the phrase means the predicate of some objects only, and this may be none.

    What the store knows of the object counts beside what the packs do.
    """
    candidate, said = case.candidate, case.said
    if not said.is_loose or candidate.is_negated:
        return False
    if said.old_key and said.old_key == fact.object_key:
        # "From Rome to Milan", of who lives in Rome.
        return False
    told = {near.statement.id: near.statement for near in case.known.near}
    told |= {one.id: one for one in case.known.slot}
    kinds = {candidate.predicate_key, f"was {candidate.predicate_key}"}
    for pack in case.packs:
        if candidate.predicate_key in pack.families:
            kinds |= pack.families[candidate.predicate_key].evidence
    return not any(
        one.predicate_key in kinds
        and one.object_key == candidate.object_key
        and one.id != candidate.id
        and not one.is_negated
        and not case.read(one).is_loose
        for one in told.values()
    )
