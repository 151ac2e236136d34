"""Long-term memory for LLM agents, kept in Neo4j.

capture → extract → graph → maintain → recall → render: a conversation goes in turn by turn, is
kept clean, and its exact source turns come back with the facts that still hold.
"""

from graphmem.communities import Community, CommunityReport, CommunityTerm
from graphmem.config import Settings
from graphmem.decisions import (
    Decision,
    DecisionKind,
    FactHistory,
    FactVersion,
    JudgeReport,
    Remembered,
    Stage,
    Zone,
)
from graphmem.errors import (
    ConfigError,
    EmbedderRegistrationError,
    EmbeddingError,
    ExtractionError,
    GraphmemError,
    InputError,
    MaintenanceBusy,
    ModelError,
    QueryFileError,
    SchemaError,
    ServerError,
    StoreError,
)
from graphmem.explanation import AsyncRecall, Explanation, RecallTrace
from graphmem.health import DoctorReport, Stats
from graphmem.maintenance import (
    DecayPreview,
    Horizon,
    MaintenanceReport,
    MaintenanceRun,
    MaintenanceStep,
    RemovalReport,
    RemovedNode,
    RoutineReport,
    RunState,
    ScoredNode,
    TierReport,
    UndoReport,
)
from graphmem.memory import AsyncGraphMemory
from graphmem.models import (
    Calibration,
    Evidence,
    Extraction,
    ExtractionState,
    Fact,
    FactDraft,
    FactHit,
    Flushed,
    Hit,
    Mention,
    Message,
    Outcome,
    Packet,
    Procedure,
    ProcedureHit,
    QuarantinedTurn,
    Recall,
    Receipt,
    Turn,
)
from graphmem.recall.rerank import FactReRanker, ReRanker
from graphmem.sync import GraphMemory
from graphmem.sync.procedural import Procedural
from graphmem.sync.recall import SyncRecall
from graphmem.sync.semantic import Semantic
from graphmem.terms import MergedTerm, SplitTerm, Term
from graphmem.tiers.procedural import AsyncProcedural
from graphmem.tiers.semantic import AsyncSemantic

__all__ = [
    "AsyncGraphMemory",
    "AsyncProcedural",
    "AsyncRecall",
    "AsyncSemantic",
    "Calibration",
    "Community",
    "CommunityReport",
    "CommunityTerm",
    "ConfigError",
    "DecayPreview",
    "Decision",
    "DecisionKind",
    "DoctorReport",
    "EmbedderRegistrationError",
    "EmbeddingError",
    "Evidence",
    "Explanation",
    "Extraction",
    "ExtractionError",
    "ExtractionState",
    "Fact",
    "FactDraft",
    "FactHistory",
    "FactHit",
    "FactReRanker",
    "FactVersion",
    "Flushed",
    "GraphMemory",
    "GraphmemError",
    "Hit",
    "Horizon",
    "InputError",
    "JudgeReport",
    "MaintenanceBusy",
    "MaintenanceReport",
    "MaintenanceRun",
    "MaintenanceStep",
    "Mention",
    "MergedTerm",
    "Message",
    "ModelError",
    "Outcome",
    "Packet",
    "Procedural",
    "Procedure",
    "ProcedureHit",
    "QuarantinedTurn",
    "QueryFileError",
    "ReRanker",
    "Recall",
    "RecallTrace",
    "Receipt",
    "Remembered",
    "RemovalReport",
    "RemovedNode",
    "RoutineReport",
    "RunState",
    "SchemaError",
    "ScoredNode",
    "Semantic",
    "ServerError",
    "Settings",
    "SplitTerm",
    "Stage",
    "Stats",
    "StoreError",
    "SyncRecall",
    "Term",
    "TierReport",
    "Turn",
    "UndoReport",
    "Zone",
    "__version__",
]

__version__ = "0.1.0"
