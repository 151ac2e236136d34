"""What of a recall fits into a budget: the most value for its tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem.models import FactHit, Hit, ProcedureHit, Recall
from graphmem.render.lines import (
    PROCEDURES_LINE,
    TurnLines,
    cut_procedure,
    cut_turn,
    fact_line,
    facts_line,
    group_of,
    header_line,
    is_endless,
    procedure_line,
    turn_lines,
)

__all__ = ["Chosen", "ProcedureLine", "choose", "cost_of", "turns_for"]

Count = Callable[[str], int]

# Facts are short and say what holds now; turns are the evidence. So much of the budget is kept
# for facts before turns are placed; what turns leave over goes to facts as well.
_SHARE_OF_FACTS = 0.15
# The same for procedures: a few short lines, or the beginning of a long one.
_SHARE_OF_PROCEDURES = 0.15
# A turn is worth less the lower it stands, and is chosen by its worth over cost ** _THRIFT. Not
# over the whole cost: a longer turn is likelier to hold the answer. Both are measured
# (docs/render.md).
_WORTH_OFFSET = 2
_THRIFT = 0.6
# Of what turns may take, the best one takes at most so much when there are others.
_SHARE_OF_BEST = 0.5
# A part of a turn that has no room as a whole: with fewer tokens it tells too little.
_SMALLEST_PART = 40
_GAP_TOKENS = 1
# A short turn with its marks takes about so many tokens; a packet is chosen from what a recall
# found, so that there must be more of them than it can hold.
_SHORT_TURN = 15
_FEWEST_TURNS, _MOST_TURNS = 6, 200


@dataclass(frozen=True, slots=True)
class ProcedureLine:
    """A procedure as it stands in the block; the end of its instruction may be left out."""

    hit: ProcedureHit
    text: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """What goes into the block.

    Attributes:
        turns: By rank.
        facts: By rank.
        procedures: By rank.
    """

    turns: tuple[TurnLines, ...]
    facts: tuple[FactHit, ...]
    procedures: tuple[ProcedureLine, ...] = ()


def turns_for(max_tokens: int) -> int:
    """Return how many turns a recall needs, so that a packet of so many tokens can be filled."""
    return min(_MOST_TURNS, max(_FEWEST_TURNS, max_tokens // _SHORT_TURN))


def choose(recall: Recall, budget: int, count: Count) -> Chosen:
    """Return what is shown.

    Args:
        recall: What was found; of a turn that is cut, the part that answers its query is kept.
        budget: Tokens for all of it, without the block's own lines.
        count: Counts tokens.
    """
    has_others = bool(recall.turns or recall.facts)
    for_procedures = int(budget * _SHARE_OF_PROCEDURES) if has_others else budget
    _, for_procedures = _fitting_procedures(recall, for_procedures, count)
    for_facts = int(budget * _SHARE_OF_FACTS) if recall.turns else budget - for_procedures
    _, for_facts = _fitting(recall, for_facts, count)
    room = budget - for_facts - for_procedures
    turns, left = _Turns(recall.query, room, count).chosen(recall.turns)
    facts, used = _fitting(recall, for_facts + left, count)
    left += for_facts - used
    procedures, _ = _fitting_procedures(recall, for_procedures + left, count)
    return Chosen(turns, facts, procedures)


def cost_of(text: str, count: Count) -> int:
    """Return the tokens of lines, the end of the last one included.

    It is counted with them: after a full stop it costs nothing with most tokenizers.
    """
    return count(f"{text}\n")


def _fitting(recall: Recall, budget: int, count: Count) -> tuple[tuple[FactHit, ...], int]:
    """Return the facts that fit, and the tokens that they take with the line above them."""
    taken: list[FactHit] = []
    used = cost_of(facts_line(recall.as_of), count)
    for fact in recall.facts:
        cost = cost_of(fact_line(fact), count)
        if used + cost <= budget:
            taken.append(fact)
            used += cost
    return tuple(taken), used if taken else 0


def _fitting_procedures(
    recall: Recall, budget: int, count: Count
) -> tuple[tuple[ProcedureLine, ...], int]:
    """Return the procedures that fit, and the tokens that they take with the line above them.

    The best one is cut rather than left out.
    """
    taken: list[ProcedureLine] = []
    used = cost_of(PROCEDURES_LINE, count) if recall.procedures else 0
    for hit in recall.procedures:
        text: str | None = procedure_line(hit)
        if text is not None and used + cost_of(text, count) > budget:
            room = budget - used - 1
            is_best = hit is recall.procedures[0] and room >= _SMALLEST_PART
            text = cut_procedure(hit, room, count) if is_best else None
        if text is not None:
            taken.append(ProcedureLine(hit, text))
            used += cost_of(text, count)
    return tuple(taken), used if taken else 0


def _worth(rank: int, cost: int) -> float:
    return 1 / (rank + _WORTH_OFFSET) / math.pow(max(1, cost), _THRIFT)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A turn with its lines and what they cost; without, where it is too long to look at."""

    hit: Hit
    lines: TurnLines | None
    cost: int


class _Turns:
    """Turns on their way into a budget."""

    def __init__(self, query: str, room: int, count: Count) -> None:
        self._query = query
        self._room = room
        self._count = count
        self._left = room
        self._groups: set[tuple[str, str]] = set()
        self._taken: dict[int, TurnLines] = {}

    def chosen(self, hits: Sequence[Hit]) -> tuple[tuple[TurnLines, ...], int]:
        """Return the turns that fit, by rank, and how many tokens are left."""
        waiting = self._waiting(hits)
        if waiting:
            self._place_best(*next(iter(waiting.items())), is_alone=len(waiting) == 1)
        for rank in sorted(waiting, key=lambda rank: -_worth(rank, waiting[rank].cost)):
            self._place(rank, waiting[rank])
        for rank, one in waiting.items():
            if rank not in self._taken and self._left >= _SMALLEST_PART:
                self._place_part(rank, one.hit, self._left)
        if waiting:
            self._grow_best(*next(iter(waiting.items())))
        return tuple(self._taken[rank] for rank in sorted(self._taken)), self._left

    def _waiting(self, hits: Sequence[Hit]) -> dict[int, _Waiting]:
        """Return the turns by rank, but for those that say nothing, or nothing new."""
        waiting: dict[int, _Waiting] = {}
        seen: set[str] = {""}
        for rank, hit in enumerate(hits):
            if is_endless(hit, self._room):
                waiting[rank] = _Waiting(hit, None, self._room + 1)
                continue
            lines = turn_lines(hit)
            if lines.text not in seen:
                seen.add(lines.text)
                waiting[rank] = _Waiting(hit, lines, cost_of(lines.text, self._count))
        return waiting

    def _place_best(self, rank: int, best: _Waiting, *, is_alone: bool) -> None:
        # It is never left out for a worse one: it is cut.
        if self._place(rank, best):
            return
        share = 1.0 if is_alone else _SHARE_OF_BEST
        if not self._place_part(rank, best.hit, int(self._left * share)):
            self._place_part(rank, best.hit, self._left)

    def _grow_best(self, rank: int, best: _Waiting) -> None:
        # What the others left over: half of a small room can end before the words that answer.
        taken = self._taken.get(rank)
        if taken is None or not taken.is_cut or self._left <= _GAP_TOKENS + 1:
            return
        del self._taken[rank]
        self._left += cost_of(taken.text, self._count)
        self._place_part(rank, best.hit, self._left)

    def _place(self, rank: int, one: _Waiting) -> bool:
        if rank in self._taken:
            return True
        cost = one.cost + self._cost_of_group(one.hit)
        if one.lines is None or cost > self._left:
            return False
        self._taken[rank] = one.lines
        self._groups.add(group_of(one.hit))
        self._left -= cost
        return True

    def _place_part(self, rank: int, hit: Hit, room: int) -> bool:
        part = cut_turn(hit, self._query, room - self._cost_of_group(hit) - 1, self._count)
        if part is None:
            return False
        return self._place(rank, _Waiting(hit, part, cost_of(part.text, self._count)))

    def _cost_of_group(self, hit: Hit) -> int:
        if group_of(hit) in self._groups:
            # It may not follow on the turn above it.
            return _GAP_TOKENS
        return cost_of(header_line(hit.turn.at), self._count)
