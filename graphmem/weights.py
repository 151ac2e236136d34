"""What the parts of a score and the links of the graph weigh: measured defaults, and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

__all__ = [
    "CONFLICT_ZONES",
    "FIELD_WEIGHTS",
    "LINK_WEIGHTS",
    "VALUE_KNOBS",
    "VALUE_TYPES",
    "CurveMap",
    "WeightMap",
    "Weights",
    "are_zones",
    "conflict_zones",
    "field_weights",
    "link_weights",
    "part_weights",
    "value_curves",
]

# Far beyond anything that helps, and small enough that no sum of parts leaves the numbers.
_MOST = 1000.0


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part of a turn's score weighs.

    Measured on LoCoMo (docs/recall.md): the sum is flat around these values.

    Attributes:
        text: Of BM25 over the best turn's.
        vector: Of (cosine - mean) / (4 * standard deviation).
        neighbours: Of text and vector of the two turns before and after.
        coverage: Of the share of the question's words that the turn holds together with the
            two before and after.
        reply: For a turn that follows one that only asks; against one that only asks.
        session: Of the text score of the whole session over the best session's.
        speaker: For turns of the one speaker whom the question names.
        time: Of the nearness to a time that the question names.
        length: Of ln(length / average length), within -1..1.
        facts: Of text and vector of the best fact that the turn states.
        graph: Of the cube root of the PageRank over the best turn's, where half of the walk's start
            or more lies on both ends of facts; with less, so much less of it, down to a
            twentieth: where the question is linked to statements that lead from one thing to
            another, what they lead to counts more than its own words (MuSiQue).
    """

    text: float = 1.0
    vector: float = 1.0
    neighbours: float = 0.45
    coverage: float = 1.8
    reply: float = 0.3
    session: float = 0.6
    speaker: float = 0.45
    time: float = 2.2
    length: float = 0.5
    facts: float = 0.6
    graph: float = 8.0


# How often a word counts in each field of a turn. A summary that a model or the caller wrote says
# in few words what matters: LoCoMo gains up to 1.5, and is flat from there to 3.
FIELD_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"question": 1.0, "answer": 1.0, "summary": 1.5}
)
# Where the zones of a raw cosine begin (Graphorin, five-stage pipeline).
CONFLICT_ZONES: Mapping[str, float] = MappingProxyType({"hot": 0.95, "near_dup": 0.85, "cold": 0.4})
# What a link carries in the walk, by type; a MENTIONS link also by its own weight. At facts and
# Tags, which STATES, SUBJECT, OBJECT and TAGGED lead from, a walk only begins.
LINK_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "MENTIONS": 1.0,
        "NEXT": 0.5,
        "HAS_TURN": 0.1,
        "STATES": 1.0,
        "SUBJECT": 1.0,
        "OBJECT": 1.0,
        # Nearly every Tag is called as an end of its fact: it adds little to SUBJECT and OBJECT.
        "TAGGED": 0.1,
        "SIMILAR": 1.0,
    }
)

# How the value of a node falls and rises (Mnemosyne, "Decay Scoring"), which has these numbers for
# every type: decay an hour, uses at which frequency is one half, frequency of what was never used,
# and how much a reward tells.
VALUE_KNOBS: Mapping[str, float] = MappingProxyType(
    {"rate_per_h": 0.01, "half_uses": 5.0, "floor": 0.3, "slope": 1.0}
)
# Mnemosyne's words for what graphmem calls facts, procedures and turns.
VALUE_TYPES = ("semantic", "procedural", "episodic")


class WeightMap(Mapping[str, float]):
    """A mapping of names to weights that cannot be changed, so that it has a hash."""

    __slots__ = ("_weights",)

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = dict(weights)

    def __getitem__(self, name: str) -> float:
        return self._weights[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._weights)

    def __len__(self) -> int:
        return len(self._weights)

    def __hash__(self) -> int:
        return hash(frozenset(self._weights.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._weights == dict(other)

    def __repr__(self) -> str:
        return ", ".join(f"{name} {weight:g}" for name, weight in self._weights.items())


class CurveMap(Mapping[str, WeightMap]):
    """The knobs of value by type of node; it cannot be changed, so that it has a hash."""

    __slots__ = ("_curves",)

    def __init__(self, curves: Mapping[str, WeightMap]) -> None:
        self._curves = dict(curves)

    def __getitem__(self, node_type: str) -> WeightMap:
        return self._curves[node_type]

    def __iter__(self) -> Iterator[str]:
        return iter(self._curves)

    def __len__(self) -> int:
        return len(self._curves)

    def __hash__(self) -> int:
        return hash(frozenset(self._curves.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and self._curves == dict(other)

    def __repr__(self) -> str:
        if len(set(self._curves.values())) == 1:
            return f"{next(iter(self._curves.values()))!r} for each type"
        return "; ".join(f"{name}: {curve!r}" for name, curve in self._curves.items())


def part_weights(changes: object = MappingProxyType({})) -> WeightMap:
    """Return the weights of all parts of a score: the measured ones, and `changes` over them.

    Raises:
        ValueError: A part is unknown, or a weight no number from 0 to 1,000.
    """
    measured = Weights()
    known = {field.name: getattr(measured, field.name) for field in fields(Weights)}
    return _merged(known, changes, "part of a score")


def link_weights(changes: object = MappingProxyType({})) -> WeightMap:
    """Return the weights of all links that the walk takes: the measured ones, and `changes`.

    Raises:
        ValueError: A type is unknown, or a weight no number from 0 to 1,000.
    """
    return _merged(LINK_WEIGHTS, changes, "link that the walk takes")


def are_zones(*, hot: float, near_dup: float, cold: float) -> bool:
    """Return whether these may be where the zones begin; NaN may not."""
    return 0 <= cold <= near_dup <= hot <= 1


def conflict_zones(changes: object = MappingProxyType({})) -> WeightMap:
    """Return where the zones of a raw cosine begin: Graphorin's numbers, and `changes` over them.

    Raises:
        ValueError: A zone is unknown, or 0 <= cold <= near_dup <= hot <= 1 does not hold.
    """
    zones = _merged(CONFLICT_ZONES, changes, "zone")
    if not are_zones(**zones):
        raise ValueError(f"0 <= cold <= near_dup <= hot <= 1 does not hold: {dict(zones)}")
    return zones


def field_weights(changes: object = MappingProxyType({})) -> WeightMap:
    """Return the weights of the fields of a turn: the measured ones, and `changes` over them.

    Raises:
        ValueError: A field is unknown, or a weight no number from 0 to 1,000.
    """
    return _merged(FIELD_WEIGHTS, changes, "field of a turn")


def value_curves(
    changes: object = MappingProxyType({}), *, over: Mapping[str, Mapping[str, float]] | None = None
) -> CurveMap:
    """Return the knobs of value for every type of node: Mnemosyne's, and `changes` over them.

    Args:
        changes: A mapping of types ("semantic", "procedural", "episodic") to knobs.
        over: What they change; None = the published numbers.

    Raises:
        ValueError: A type or a knob is unknown, or a knob is out of range: `rate_per_h` and
            `slope` lie in 0..1,000, `half_uses` is above 0, `floor` lies in 0..1.
    """
    if not isinstance(changes, Mapping):
        raise ValueError(  # noqa: TRY004 - pydantic tells a ValueError as a fault of the field
            f"it must be a mapping of types to knobs, got {type(changes).__name__}"
        )
    for node_type in changes:
        if node_type not in VALUE_TYPES:
            raise ValueError(
                f"{node_type!r} is no type of node; there are {', '.join(VALUE_TYPES)}"
            )
    known = dict.fromkeys(VALUE_TYPES, VALUE_KNOBS) if over is None else over
    curves = {
        name: _merged(known[name], changes.get(name, {}), "knob of a value curve")
        for name in VALUE_TYPES
    }
    for name, curve in curves.items():
        if curve["half_uses"] == 0:
            raise ValueError(f"half_uses of {name} must be above 0: it divides")
        if curve["floor"] > 1:
            raise ValueError(f"floor of {name} must lie in 0 to 1, got {curve['floor']:g}")
    return CurveMap(curves)


def _merged(known: Mapping[str, float], changes: object, kind: str) -> WeightMap:
    if not isinstance(changes, Mapping):
        raise ValueError(  # noqa: TRY004 - pydantic tells a ValueError as a fault of the field
            f"it must be a mapping of names to weights, got {type(changes).__name__}"
        )
    for name, weight in changes.items():
        if name not in known:
            raise ValueError(f"{name!r} is no {kind}; there are {', '.join(known)}")
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise ValueError(f"{name} must be a number, got {type(weight).__name__}")  # noqa: TRY004
        if not 0 <= weight <= _MOST:  # true for NaN too
            raise ValueError(f"{name} must be a number from 0 to {_MOST:,.0f}, got {weight}")
    return WeightMap({name: float(changes.get(name, weight)) for name, weight in known.items()})
