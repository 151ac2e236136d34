"""Puts statements that exclude each other into their order of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphmem.decisions import DecisionKind, Stage
from graphmem.graph.conflict.comparing.comparison import Comparison, shares_time
from graphmem.graph.conflict.comparing.doubt import doubt_about
from graphmem.graph.conflict.comparing.guards import contradicts, names_same
from graphmem.graph.conflict.model import Closing, Statement, Verdict
from graphmem.models import TOLD

__all__ = ["Succession", "excludes", "is_parted", "succeed", "verdict_of"]


@dataclass(frozen=True, slots=True)
class Succession:
    """A candidate's place among its rivals.

    Attributes:
        ended: Facts that it ends at its beginning, those still told first.
        successor: The fact that follows it, None where it is the latest.
        until: When that begins, or was said again.
        is_unclear: Nobody knows which of two holds, or for how long; a judge has to say.
        is_past: Of an unclear one, whether it was over when it was told.
        unclear: The facts that make it unclear.
        doubt: Why it is unclear.
    """

    ended: tuple[Statement, ...] = ()
    successor: Statement | None = None
    until: datetime | None = None
    is_unclear: bool = False
    is_past: bool = False
    unclear: tuple[Statement, ...] = ()
    doubt: str = "two values of one kind, and nothing says which of them holds"


def excludes(case: Comparison, fact: Statement, *, is_told: bool = False) -> bool:
    """Return whether the candidate and a fact of its slot cannot hold at the same time."""
    candidate = case.candidate
    if fact.status not in TOLD:
        return False
    is_same = names_same(case.packs, candidate.object_key, fact.object_key)
    if candidate.is_negated != fact.is_negated:
        # "Is not married" ends whoever it was.
        names_none = not candidate.object_key or not fact.object_key
        is_one = case.cardinality == "functional" or _is_the_only_one(case, fact)
        return is_same or (names_none and is_one)
    if candidate.is_negated or case.cardinality != "functional":
        return False
    return contradicts(case.packs, candidate, fact, is_told=is_told)


def _is_the_only_one(case: Comparison, fact: Statement) -> bool:
    """Return whether a denial that names no object can mean one fact alone.

    "We broke up", of who is known to be together with one. Of what somebody may have several of
    it says nothing: who "does not drink" may drink tea.
    """
    if case.cardinality != "unknown" or case.candidate.object_key:
        return False
    told = [one.id for one in case.slot if one.is_live and not one.is_negated]
    return case.candidate.is_negated and told == [fact.id]


def is_parted(case: Comparison, fact: Statement) -> bool:
    """Return whether a fact says the same of a later time, and something else holds until then.

    Both stand: who lives in Lyon, then in Oslo and in Lyon again, lived in Oslo in between.
    """
    begins = case.candidate.valid_from
    return begins < fact.valid_from and any(
        one.valid_from < fact.valid_from and begins < one.valid_to and excludes(case, one)
        for one in case.slot
        if one.id != fact.id
    )


def succeed(case: Comparison, rivals: Sequence[Statement], *, is_told: bool) -> Succession | None:
    """Return where a candidate stands among facts that exclude it, None where none touches it.

    Args:
        case: The statement beside what is known.
        rivals: Facts that cannot hold together with it, whatever their time.
        is_told: A marker says that something changed at the candidate's beginning.
    """
    candidate = case.candidate
    touching = [fact for fact in rivals if shares_time(candidate, fact)]
    if not touching:
        return None
    ended = sorted(
        (fact for fact in touching if fact.valid_from <= candidate.valid_from),
        key=lambda fact: (not fact.is_live, fact.valid_from, fact.id),
    )
    later = sorted(
        (fact for fact in touching if fact.valid_from > candidate.valid_from),
        key=lambda fact: (fact.valid_from, not fact.is_live, fact.id),
    )
    tied = tuple(
        fact
        for fact in ended
        if fact.valid_from == candidate.valid_from and fact.recorded_at == candidate.recorded_at
    )
    for fact in ended or touching:
        doubt = doubt_about(case, fact)
        if doubt:
            # What nothing says of one it says of none: a judge sees all of them.
            return Succession(is_unclear=True, unclear=tuple(ended or touching), doubt=doubt)
    outlived = tuple(fact for fact in ended if candidate.valid_to < fact.valid_to)
    if tied and not is_told:
        return Succession(is_unclear=True, unclear=tied)
    if outlived and not later:
        # A stay with a told end inside something longer: closing that would lose its rest.
        is_past = candidate.valid_to <= candidate.recorded_at
        return Succession(is_unclear=True, is_past=is_past, unclear=outlived)
    # The same that begins again later, where something else holds until then.
    later += [fact for fact in case.slot if _says_it_later(case, fact)]
    follower = min(later, key=lambda fact: fact.valid_from) if later else None
    # "In Lyon" of May, said again in July, is not ended by what was said of June.
    again = min(
        (fact for fact in ended if fact.is_live and _said_last(fact) > candidate.valid_from),
        key=_said_last,
        default=None,
    )
    if again is not None and (follower is None or _said_last(again) < follower.valid_from):
        return Succession(successor=again, until=_said_last(again))
    if again is not None:
        # What comes between the two is the follower, and ends nothing that goes on after it.
        ended = [
            fact for fact in ended if not (fact.is_live and _said_last(fact) > candidate.valid_from)
        ]
    return Succession(tuple(ended), follower, None if follower is None else follower.valid_from)


def _says_it_later(case: Comparison, fact: Statement) -> bool:
    candidate = case.candidate
    return (
        fact.status in TOLD
        and fact.object_key == candidate.object_key
        and fact.is_negated == candidate.is_negated
        and candidate.valid_from < fact.valid_from < candidate.valid_to
    )


def _said_last(fact: Statement) -> datetime:
    return fact.stated_at or fact.valid_from


def verdict_of(case: Comparison, place: Succession, stage: Stage, reason: str) -> Verdict:
    """Return what a place in time means for the candidate."""
    candidate = case.candidate
    if place.is_unclear:
        against = tuple(fact.id for fact in place.unclear)
        if place.is_past:
            return Verdict(
                DecisionKind.ADMIT,
                stage,
                "it was over when it was told, and ends nothing",
                against=against,
            )
        return Verdict(
            DecisionKind.PENDING,
            stage,
            place.doubt,
            against=against,
        )
    closes = tuple(Closing(fact.id, candidate.valid_from) for fact in place.ended)
    against = tuple(fact.id for fact in place.ended)
    if place.successor is None:
        return Verdict(
            DecisionKind.SUPERSEDE,
            stage,
            reason,
            against=against,
            closes=closes,
        )
    return Verdict(
        DecisionKind.SUPERSEDE if closes else DecisionKind.ADMIT,
        stage,
        f"told late, it held until something later: {reason}",
        against=(*against, place.successor.id),
        closes=closes,
        superseded_by=place.successor.id,
        valid_to=place.until,
    )
