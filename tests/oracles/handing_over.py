"""What facts have after merges and undos, by the plain rule: their own, and what went for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Ledger", "PlainHolder"]


@dataclass(frozen=True, slots=True)
class PlainHolder:
    """What one fact has.

    Attributes:
        turns: Those that state it.
        tags: Those that lead to it.
        unturned: How often it was stated without a turn.
    """

    turns: frozenset[str]
    tags: frozenset[str]
    unturned: int = 0
    recalled: int = 0
    reward_sum: float = 0.0
    reward_count: int = 0

    def __add__(self, other: PlainHolder) -> PlainHolder:
        return PlainHolder(
            # A turn or a tag that both have is one.
            self.turns | other.turns,
            self.tags | other.tags,
            self.unturned + other.unturned,
            self.recalled + other.recalled,
            self.reward_sum + other.reward_sum,
            self.reward_count + other.reward_count,
        )


@dataclass(slots=True)
class Ledger:
    """What facts have by themselves, and each merge that stands.

    Attributes:
        facts: By id.
        merges: Of each fact that went for another one, in which run, and for which.
    """

    facts: dict[str, PlainHolder]
    merges: dict[str, tuple[int, str]] = field(default_factory=dict)

    def merge(self, run: int, pairs: Iterable[tuple[str, str]]) -> None:
        """Let each loser go for its survivor."""
        self.merges |= {loser: (run, survivor) for loser, survivor in pairs}

    def undo(self, run: int) -> None:
        """Tell the losers of a run again."""
        self.merges = {loser: entry for loser, entry in self.merges.items() if entry[0] != run}

    def told(self) -> dict[str, PlainHolder]:
        """Return what each fact has that is told, with all that went for it, near or far."""
        return {key: self._has(key) for key in self.facts if key not in self.merges}

    def _has(self, key: str) -> PlainHolder:
        has = self.facts[key]
        for loser, (_, survivor) in self.merges.items():
            if survivor == key:
                has += self._has(loser)
        return has
