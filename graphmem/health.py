"""Whether a memory is fit, and what it holds: what `doctor` and `stats` tell."""

from __future__ import annotations

from pydantic import Field

from graphmem.models import Calibration, Value

__all__ = ["DoctorReport", "Fault", "Stats"]


class Stats(Value):
    """Counts of one scope.

    Attributes:
        nodes: Live nodes by label.
        relationships: By type.
        extraction: Turns by extraction state.
        without_vector: Nodes that wait for a vector, by label.
        undecided: Decisions that wait: "open" ones for a judge, "unchecked" ones for the vector
            of their fact; one that is not there is 0.
    """

    scope: str
    nodes: dict[str, int] = Field(default_factory=dict)
    relationships: dict[str, int] = Field(default_factory=dict)
    extraction: dict[str, int] = Field(default_factory=dict)
    without_vector: dict[str, int] = Field(default_factory=dict)
    undecided: dict[str, int] = Field(default_factory=dict)


class Fault(Value):
    """Something that `doctor` found, and what to do about it."""

    what: str
    remedy: str


class DoctorReport(Value):
    """Whether a memory is fit, and what it stands on.

    Attributes:
        versions: "graphmem", "python", "driver", "neo4j", "gds" ("" where it is absent).
        uri: Address of the server.
        database: "" = the user's home database.
        indexes: State by index name, such as "ONLINE".
        dimensions: Width of the vectors by name of a vector index.
        embedder: Id of the embedder that the store is locked to, "" while there is none.
        embedder_state: "ready", "down", "none" or "mismatch".
        calibration: What its cosines mean; None until `calibrate()` has measured it.
        conflict_zones: Raw cosines from which statements are hot, near_dup and above cold; empty
            where nobody knows them for this embedder, and statements are compared without.
        proposed_zones: What the calibration suggests instead for `conflict_thresholds`; empty
            where they are known, or nothing was measured.
        extractor: The route that extracts turns: "local" or "<model>@<host>".
        language: Of stop words and stemming.
        tokenizer: What counts a packet's tokens: "estimate", or "tiktoken:" and the encoding.
        stats: Counts of the scope.
        faults: What is wrong; empty when nothing is.
    """

    versions: dict[str, str] = Field(default_factory=dict)
    uri: str = ""
    database: str = ""
    indexes: dict[str, str] = Field(default_factory=dict)
    dimensions: dict[str, int] = Field(default_factory=dict)
    embedder: str = ""
    embedder_state: str = "none"
    calibration: Calibration | None = None
    conflict_zones: dict[str, float] = Field(default_factory=dict)
    proposed_zones: dict[str, float] = Field(default_factory=dict)
    extractor: str = "local"
    language: str = "english"
    tokenizer: str = "estimate"
    stats: Stats
    faults: tuple[Fault, ...] = ()
