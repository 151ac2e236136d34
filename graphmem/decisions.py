"""What the conflict pipeline says, as the stages hand it on and as callers get it back."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from graphmem.models import Fact, Value

__all__ = [
    "Decision",
    "DecisionKind",
    "FactHistory",
    "FactVersion",
    "JudgeReport",
    "Remembered",
    "Stage",
    "Zone",
]


class DecisionKind(StrEnum):
    """What became of a statement that was to be remembered (Graphorin's four outcomes)."""

    ADMIT = "admit"
    DEDUP = "dedup"
    SUPERSEDE = "supersede"
    PENDING = "pending"


class Stage(StrEnum):
    """Which stage of the conflict pipeline decided, in their order."""

    EXACT = "exact"
    EMBEDDING = "embedding"
    HEURISTIC = "heuristic"
    TRIPLE = "triple"
    DEFER = "defer"
    # Not by the pipeline: an explicit supersede(), or a pipeline that is switched off.
    EXPLICIT = "explicit"
    OFF = "off"


class Zone(StrEnum):
    """Where the raw cosine of a statement to its nearest neighbour lies."""

    HOT = "hot"
    NEAR_DUP = "near-dup"
    CONFLICT_CHECK = "conflict-check"
    COLD = "cold"


class Decision(Value):
    """One row of the conflict log: what was decided about one statement, and why.

    Attributes:
        kind: What became of it.
        stage: Which stage decided.
        zone: Of the nearest neighbour, None where no vector was compared.
        similarity: That raw cosine.
        reason: One sentence.
        text: The statement, also where it was not stored as a fact of its own.
        fact_id: The fact that it became, or that says it already.
        against: The facts that it was decided against, the deciding one first.
        at: When.
        state: "settled"; "open" while a judge is waited for; "unchecked" while its vector is.
        judged_kind: What a judge said of it later, None while none has.
        judged_reason: Its reason, "" as above.
        judged_by: The model, "" as above.
        judged_at: When.
        attempts: How often a judge failed at it.
        error: Why it failed last, "" where it did not.
    """

    id: str
    kind: DecisionKind
    stage: Stage
    zone: Zone | None = None
    similarity: float | None = None
    reason: str
    text: str
    fact_id: str
    against: tuple[str, ...] = ()
    at: datetime
    state: str = "settled"
    judged_kind: DecisionKind | None = None
    judged_reason: str = ""
    judged_by: str = ""
    judged_at: datetime | None = None
    attempts: int = 0
    error: str = ""


class Remembered(Value):
    """A statement that was remembered: the fact it is now, and how that was decided."""

    fact: Fact
    decision: Decision


class FactVersion(Value):
    """What the store said of a fact for a while.

    Attributes:
        at: From when on it said so (recorded time).
        status: As in `Fact`.
        valid_from: As in `Fact`.
        valid_to: As in `Fact`.
    """

    at: datetime
    status: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None


class FactHistory(Value):
    """Everything that is known of how a fact came and went.

    Attributes:
        fact: The fact asked for.
        versions: What the store said of it, oldest first.
        chain: It and what it superseded and was superseded by, oldest first.
        decisions: The conflict log about it, oldest first.
    """

    fact: Fact
    versions: tuple[FactVersion, ...] = ()
    chain: tuple[Fact, ...] = ()
    decisions: tuple[Decision, ...] = ()


class JudgeReport(Value):
    """What a judge made of the decisions that waited.

    Attributes:
        judged: Decisions that wait no longer.
        superseded: Of these, those whose fact ended an earlier one.
        deduped: Those whose fact said nothing new: it is forgotten, and the other one has its
            evidence.
        kept: Those in which both facts stand.
        refused: Those in which both stand although the judge would have ended one: nothing but
            its word showed that the two have to do with each other.
        failed: Decisions that still wait because a reply was no judgement.
        waiting: Decisions that wait now, failed ones among them.
        error: Why it ended before all were tried, "" where it did not.
    """

    judged: int = 0
    superseded: int = 0
    deduped: int = 0
    kept: int = 0
    refused: int = 0
    failed: int = 0
    waiting: int = 0
    error: str = ""
