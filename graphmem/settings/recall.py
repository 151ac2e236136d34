"""How questions are answered, and how answers are rendered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, InstanceOf, PlainSerializer

from graphmem.settings.setting import setting
from graphmem.weights import WeightMap, field_weights, link_weights, part_weights

__all__ = ["RecallSettings"]

# Partial mappings become whole ones: what is not named weighs what was measured.
_PartWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(part_weights), PlainSerializer(dict)
]
_FieldWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(field_weights), PlainSerializer(dict)
]
_LinkWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(link_weights), PlainSerializer(dict)
]


class RecallSettings(BaseModel):
    """How questions are answered, and how answers are rendered."""

    recall_enabled: bool = setting(
        True, None, "Whether recall answers; while off it returns nothing, and says so.", hot=True
    )
    recall_max_turns: int = setting(
        6, None, "Turns in an answer when no limit is given.", hot=True, ge=0, le=1000
    )
    semantic_threshold: float = setting(
        0.0,
        None,
        "Turns that only the vector leg found need at least this raw cosine.",
        hot=True,
        ge=-1,
        le=1,
    )
    recall_max_facts: int = setting(
        12, None, "The most facts in an answer.", hot=True, ge=0, le=1000
    )
    recall_max_procedures: int = setting(
        3, None, "The most procedures in an answer.", hot=True, ge=0, le=100
    )
    recall_procedure_threshold: float | None = setting(
        None,
        None,
        "Raw cosine from which a question means an Intent; unset = what is known of the embedder.",
        hot=True,
        ge=0,
        le=1,
    )
    recall_fusion: Literal["weighted", "rrf"] = setting(
        "weighted",
        None,
        "How the parts become one order: their weighted sum, or reciprocal ranks (k = 60).",
        hot=True,
    )
    recall_weights: _PartWeights = setting(
        part_weights(),
        None,
        "What each part of a score weighs; parts that are not named keep these.",
        hot=True,
    )
    field_weights: _FieldWeights = setting(
        field_weights(),
        None,
        "How often a word counts in each field of a turn; fields that are not named keep these.",
        hot=True,
    )
    link_weights: _LinkWeights = setting(
        link_weights(),
        None,
        "What each link carries in the walk; links that are not named keep these.",
        hot=True,
    )
    pagerank_engine: Literal["cypher", "gds"] = setting(
        "cypher",
        None,
        "What runs the PageRank of a recall: Cypher, or the Graph Data Science library.",
        hot=True,
    )
    recall_narrow: bool = setting(
        True,
        None,
        "Whether communities narrow the walk; nothing changes where there are none.",
        hot=True,
    )
    recall_value_weight: float = setting(
        0.05,
        None,
        "How much of a score what usage says may take away: recency, frequency, rewards.",
        hot=True,
        ge=0,
        le=1,
    )
    recall_abstains: bool = setting(
        False, None, "Whether an answer in which nothing is reliable comes empty.", hot=True
    )
    record_usage: bool = setting(
        True, None, "Whether answers are counted on the turns and facts in them.", hot=True
    )
    rerank_depth: int = setting(
        30, None, "Turns that a reranker orders anew, where one is set.", hot=True, ge=1, le=1000
    )
    rerank_timeout_s: float = setting(
        5.0, None, "The longest wait for it; then the order stays.", unit="s", hot=True, gt=0
    )
    tokenizer: str = setting(
        "auto",
        "GRAPHMEM_TOKENIZER",
        "What counts a packet's tokens: 'estimate', the name of a tiktoken encoding, or 'auto': "
        "tiktoken where its table is on this machine, else the estimate.",
        min_length=1,
    )
    warm_up: bool = setting(
        True, None, "Whether opening has the server plan what a recall asks, in the background."
    )
