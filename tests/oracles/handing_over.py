"""What facts have after merges and undos, by the plain rule: who handed what to whom, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Ledger", "PlainHolder"]


@dataclass(slots=True)
class PlainHolder:
    """What one fact has.

    Attributes:
        ends: What it is linked to (turns that state it, tags), each with the merge that handed it
            over as (run, loser), None where it is its own.
        is_told: Whether it is neither deleted nor deprecated.
    """

    ends: dict[str, tuple[int, str] | None]
    validated: int = 1
    recalled: int = 0
    reward_sum: float = 0.0
    reward_count: int = 0
    is_told: bool = True

    @property
    def turns(self) -> set[str]:
        """The turns that state it."""
        return {end for end in self.ends if end.startswith("turn")}


@dataclass(frozen=True, slots=True)
class _Handed:
    """One merge: what it added to the numbers of the one that stays."""

    run: int
    loser: str
    survivor: str
    validated: int
    recalled: int
    reward_sum: float
    reward_count: int


@dataclass(slots=True)
class Ledger:
    """Facts, and each merge that stands."""

    facts: dict[str, PlainHolder]
    merges: list[_Handed] = field(default_factory=list)

    def merge(self, run: int, pairs: Iterable[tuple[str, str]]) -> None:
        """Let each loser go for its survivor, once and whole, the first id first."""
        for loser, survivor in sorted(pairs):
            goes, stays = self.facts[loser], self.facts[survivor]
            new_turns = goes.turns - stays.turns
            for end in goes.ends.keys() - stays.ends.keys():
                stays.ends[end] = (run, loser)
            handed = _Handed(
                run,
                loser,
                survivor,
                # A turn counts once; what was stated without one counts as well.
                len(new_turns) + goes.validated - len(goes.turns),
                goes.recalled,
                goes.reward_sum,
                goes.reward_count,
            )
            self._book(handed, 1)
            goes.is_told = False
            self.merges.append(handed)

    def undo(self, run: int) -> None:
        """Give back what a run handed over, and tell the losers again."""
        for handed in [one for one in self.merges if one.run == run]:
            self._book(handed, -1)
            self.facts[handed.loser].is_told = True
            stays = self.facts[handed.survivor]
            stays.ends = {
                end: by for end, by in stays.ends.items() if by != (handed.run, handed.loser)
            }
            self.merges.remove(handed)

    def _book(self, handed: _Handed, sign: int) -> None:
        stays = self.facts[handed.survivor]
        stays.validated += sign * handed.validated
        stays.recalled += sign * handed.recalled
        stays.reward_sum += sign * handed.reward_sum
        stays.reward_count += sign * handed.reward_count
