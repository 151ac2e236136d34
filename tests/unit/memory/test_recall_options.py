"""Each setting of a recall reaches it."""

from __future__ import annotations

from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

import pytest

from graphmem import Calibration, Settings
from graphmem.recall_options import recall_options

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("setting", "value", "option", "expected"),
    [
        ("language", "german", "language", "german"),
        ("semantic_threshold", 0.3, "semantic_threshold", 0.3),
        ("recall_fusion", "rrf", "mode", "rrf"),
        ("recall_weights", {"time": 0.5}, "weights.time", 0.5),
        ("field_weights", {"summary": 0.25}, "field_weights", {"summary": 0.25}),
        ("link_weights", {"NEXT": 0.25}, "walk.link_weights", {"NEXT": 0.25}),
        ("recall_narrow", False, "walk.narrow", False),
        ("pagerank_engine", "gds", "engine", "gds"),
        ("recall_max_facts", 3, "max_facts", 3),
        ("recall_max_procedures", 1, "max_procedures", 1),
        ("recall_procedure_threshold", 0.75, "intent_threshold", 0.75),
        ("recall_value_weight", 0.4, "value_weight", 0.4),
        ("rerank_depth", 9, "rerank_depth", 9),
        ("rerank_timeout_s", 0.5, "rerank_timeout_s", 0.5),
        ("recall_abstains", True, "abstains", True),
    ],
)
def test_a_setting_reaches_the_recall(setting: str, value: Any, option: str, expected: Any) -> None:
    """It changes the option that it is about, from something else."""
    shipped = attrgetter(option)(recall_options(Settings(), NOW, None))
    found = attrgetter(option)(recall_options(Settings(**{setting: value}), NOW, None))

    if isinstance(expected, dict):
        shipped, found = ({key: given[key] for key in expected} for given in (shipped, found))
    assert expected == found
    assert shipped != found


def test_what_was_measured_and_the_time_are_handed_on() -> None:
    """They belong to no setting."""
    measured = Calibration(
        same_median=0.8, different_median=0.4, different_p90=0.6, threshold=0.5, sample=20, at=NOW
    )

    options = recall_options(Settings(), NOW, measured)

    assert (NOW, measured) == (options.now, options.calibration)


@pytest.mark.parametrize(
    ("embedder_id", "is_measured", "expected"),
    [
        ("local:all-MiniLM-L6-v2@384", False, 0.45),
        ("openai:text-embedding-3-small@1536", False, 0.45),
        ("openai:e5-large@1024", False, None),
        ("openai:e5-large@1024", True, 0.42),
        ("", False, None),
    ],
)
def test_what_is_near_an_intent_belongs_to_the_embedder(
    embedder_id: str, is_measured: bool, expected: float | None
) -> None:
    """Known of its kind, or measured; else words alone find procedures."""
    measured = Calibration(
        same_median=0.8, different_median=0.4, different_p90=0.6, threshold=0.5, sample=20, at=NOW
    )

    options = recall_options(
        Settings(), NOW, measured if is_measured else None, embedder_id=embedder_id
    )

    assert expected == pytest.approx(options.intent_threshold)
