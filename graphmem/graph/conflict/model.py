"""What the conflict pipeline is given and what it says: plain values, no store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from graphmem.decisions import DecisionKind, Stage, Zone
from graphmem.errors import ConfigError
from graphmem.models import LIVE
from graphmem.weights import CONFLICT_ZONES, are_zones

__all__ = [
    "DEFAULT_THRESHOLDS",
    "WHOLE",
    "Cardinality",
    "Closing",
    "Known",
    "Neighbour",
    "Statement",
    "Thresholds",
    "Verdict",
]

# Before the words of a statement that no predicate is known of: they are one key as they stand.
WHOLE = "so: "
# One object at a time, several at once, or nobody knows.
Cardinality = Literal["functional", "multi", "unknown"]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the zones of the raw cosine begin (Graphorin, five-stage pipeline).

    Attributes:
        hot: From here on two statements say the same.
        near_dup: From here on nearly.
        cold: Above this they may contradict each other; at it and below they are strangers.

    Raises:
        ConfigError: Not 0 <= cold <= near_dup <= hot <= 1.
    """

    hot: float = CONFLICT_ZONES["hot"]
    near_dup: float = CONFLICT_ZONES["near_dup"]
    cold: float = CONFLICT_ZONES["cold"]

    def __post_init__(self) -> None:
        """Check the order."""
        if not are_zones(hot=self.hot, near_dup=self.near_dup, cold=self.cold):
            raise ConfigError(
                f"conflict thresholds must hold 0 <= cold <= near_dup <= hot <= 1, got "
                f"cold={self.cold}, near_dup={self.near_dup}, hot={self.hot}"
            )

    def zone(self, cosine: float) -> Zone:
        """Return the zone of a raw cosine in [-1, 1]."""
        if cosine >= self.hot:
            return Zone.HOT
        if cosine >= self.near_dup:
            return Zone.NEAR_DUP
        return Zone.CONFLICT_CHECK if cosine > self.cold else Zone.COLD


DEFAULT_THRESHOLDS = Thresholds()


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as the stages compare it: a candidate, or a fact of the store.

    Attributes:
        id: Of the fact that it is or would become.
        text: The sentence.
        canonical_hash: MD5 of its canonical form.
        subject_key: Key of what it is about, "" where that is not known.
        predicate_key: Name of the predicate's family, else the normalised predicate; "" as above.
        object_key: Key of its other end, "" as above.
        predicate: As written, "" where the sentence could not be split.
        is_negated: It says that this does not hold (any more).
        valid_from: From when it holds, aware UTC; `clock.OPEN_FROM` = open.
        valid_to: Until when, exclusive; `clock.OPEN_TO` = still.
        status: Of a fact: "active", "pending", "superseded", "deprecated", "forgotten".
        recorded_at: When the store learned it; of a candidate, when what states it came.
        stated_at: Of a fact that was stated again: the latest time of which it was said; None =
            `valid_from`.
        retired_at: When the store stopped telling it, None while it does.
        is_withdrawn: Forgotten because its turn was read anew and no longer says it.
        subject_via: Key by which the subject was called, where that is an alias; else "".
        object_via: The same of the other end.
        same_as: Of a deprecated fact: the one that stands for it since it was found to say the
            same, "" = none does.
        old_key: Of a candidate: key of what it names as over, "" where it names nothing.
    """

    id: str
    text: str
    canonical_hash: str
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime
    subject_key: str = ""
    predicate_key: str = ""
    object_key: str = ""
    predicate: str = ""
    is_negated: bool = False
    status: str = "active"
    stated_at: datetime | None = None
    retired_at: datetime | None = None
    is_withdrawn: bool = False
    subject_via: str = ""
    object_via: str = ""
    same_as: str = ""
    old_key: str = ""

    @property
    def is_live(self) -> bool:
        """Whether default answers may tell it."""
        return self.status in LIVE

    @property
    def has_slot(self) -> bool:
        """Whether it is known what it is about and what it says of it."""
        return bool(self.subject_key and self.predicate_key)

    @property
    def is_whole(self) -> bool:
        """Whether all that it says is one key: it can be denied, and compared with no other."""
        return self.predicate_key.startswith(WHOLE)

    @property
    def has_parts(self) -> bool:
        """Whether it may be compared with others by its subject, predicate and object."""
        return self.has_slot and not self.is_whole

    def shares_slot(self, other: Statement) -> bool:
        """Return whether both say the same kind of thing of the same subject."""
        return (
            self.has_slot
            and self.subject_key == other.subject_key
            and self.predicate_key == other.predicate_key
        )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A statement that may say the same as a candidate, or the opposite.

    Attributes:
        cosine: Raw cosine to the candidate, None where it was not measured.
    """

    statement: Statement
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class Closing:
    """A fact that a candidate supersedes: it holds until `valid_to` and no longer."""

    fact_id: str
    valid_to: datetime


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a candidate.

    Attributes:
        kind: admit, dedup, supersede or pending.
        stage: Which stage said so.
        zone: Of the nearest neighbour's cosine, None where none was measured.
        similarity: That raw cosine.
        reason: One sentence for a person who looks into the log.
        against: Ids of the facts that it was decided against, the deciding one first.
        same_as: The fact that says it already: of a dedup, and of an explicit supersede by
            something that is known.
        revives: Of a dedup, whether that fact was forgotten and is told again.
        closes: Of a supersede, the facts that end, each with its new end.
        superseded_by: The fact that holds since; set where the candidate is of an earlier time
            than what holds now. It is stored as superseded then, until `valid_to`.
        valid_to: Its end where the store knows what came after it; None = its own.
    """

    kind: DecisionKind
    stage: Stage
    reason: str
    zone: Zone | None = None
    similarity: float | None = None
    against: tuple[str, ...] = ()
    same_as: str = ""
    revives: bool = False
    closes: tuple[Closing, ...] = ()
    superseded_by: str = ""
    valid_to: datetime | None = None

    @property
    def is_final(self) -> bool:
        """Whether a vector that comes later could tell nothing more.

        What has its place among others would only lose the reason why, and with the pipeline
        off nothing is looked for.
        """
        is_placed = self.kind is not DecisionKind.ADMIT or bool(self.superseded_by)
        return is_placed or self.stage is Stage.OFF


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows beside a candidate, from one read.

    Attributes:
        exact: Facts with the same canonical hash, whatever their status.
        slot: Facts of the same subject and predicate, whatever their status.
        near: Live facts that are nearest in meaning, nearest first; none without vectors.
        cardinality: What the store taught of predicates, by predicate key.
    """

    exact: tuple[Statement, ...] = ()
    slot: tuple[Statement, ...] = ()
    near: tuple[Neighbour, ...] = ()
    cardinality: Mapping[str, Cardinality] = field(default_factory=dict)

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every fact of it, as often as it was found."""
        return (*self.exact, *self.slot, *(one.statement for one in self.near))
