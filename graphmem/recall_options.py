"""How a question is answered: the settings that hold, and what is known of the embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphmem.graph.conflict.profiles import thresholds_for
from graphmem.recall.procedures import intent_threshold
from graphmem.recall.request import RecallOptions, Walk
from graphmem.scoring import ValueCurves
from graphmem.weights import Weights

if TYPE_CHECKING:
    from datetime import datetime

    from graphmem.config import Settings
    from graphmem.models import Calibration

__all__ = ["recall_options"]


def recall_options(
    settings: Settings, now: datetime, calibration: Calibration | None, *, embedder_id: str = ""
) -> RecallOptions:
    """Return how a question is answered under some settings.

    Args:
        settings: Those that hold now.
        now: The instant of the question (aware, UTC).
        calibration: What cosines mean under the embedder; None = that was not measured.
        embedder_id: The embedder; "" while there is none.
    """
    threshold = settings.recall_procedure_threshold
    if threshold is None:
        is_known = thresholds_for(embedder_id) is not None
        threshold = intent_threshold(is_known=is_known, calibration=calibration)
    return RecallOptions(
        now=now,
        language=settings.language,
        semantic_threshold=settings.semantic_threshold,
        mode=settings.recall_fusion,
        weights=Weights(**settings.recall_weights),
        field_weights=settings.field_weights,
        walk=Walk(link_weights=settings.link_weights, narrow=settings.recall_narrow),
        engine=settings.pagerank_engine,
        max_facts=settings.recall_max_facts,
        max_procedures=settings.recall_max_procedures,
        intent_threshold=threshold,
        value_weight=settings.recall_value_weight,
        curves=ValueCurves.of(settings.value_curves),
        rerank_depth=settings.rerank_depth,
        rerank_timeout_s=settings.rerank_timeout_s,
        calibration=calibration,
        abstains=settings.recall_abstains,
    )
