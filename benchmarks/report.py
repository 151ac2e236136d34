"""What a run found, for people and as JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.metrics import Judged, mean_scores, percentile

__all__ = ["Report", "machine"]


@dataclass(slots=True)
class Report:
    """The result of one scenario.

    Attributes:
        scenario: Its name.
        data_sha256: Of the data's content, so that two results can be compared.
        options: What was chosen on the command line.
        versions: Of graphmem, the server and what else matters.
        systems: Judged questions by system.
        recall_ms: Each timed recall without its embedding.
        recall_with_embedding_ms: Each timed recall as the caller sees it.
        turns: Turns that were loaded.
        load_s: Until all of them were extracted and in the graph.
        load_with_vectors_s: Until all nodes had their vectors too.
    """

    scenario: str
    data_sha256: str
    options: Mapping[str, Any]
    versions: Mapping[str, str] = field(default_factory=dict)
    systems: dict[str, list[Judged]] = field(default_factory=dict)
    recall_ms: list[float] = field(default_factory=list)
    recall_with_embedding_ms: list[float] = field(default_factory=list)
    turns: int = 0
    load_s: float = 0.0
    load_with_vectors_s: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that json.dumps takes."""
        return {
            "scenario": self.scenario,
            "data_sha256": self.data_sha256,
            "options": dict(self.options),
            "versions": dict(self.versions),
            "machine": machine(),
            "questions": max((len(judged) for judged in self.systems.values()), default=0),
            "systems": {
                name: {
                    "all": mean_scores(judged),
                    "by_category": {
                        category: mean_scores([one for one in judged if one.category == category])
                        for category in _categories(judged)
                    },
                }
                for name, judged in self.systems.items()
            },
            "latency_ms": {
                "recall": _spread(self.recall_ms),
                "recall_with_embedding": _spread(self.recall_with_embedding_ms),
            },
            "load": {
                "turns": self.turns,
                "seconds": round(self.load_s, 3),
                "turns_per_s": _rate(self.turns, self.load_s),
                "turns_per_s_with_vectors": _rate(self.turns, self.load_with_vectors_s),
            },
        }

    def to_text(self) -> str:
        """Return the tables that are printed."""
        found = self.to_dict()
        lines = [f"{self.scenario}, {found['questions']} questions, {self.turns} turns"]
        for name, scores in found["systems"].items():
            lines += ["", *_table(name, {**scores["by_category"], "all": scores["all"]})]
        for name, spread in found["latency_ms"].items():
            if spread:
                lines.append(f"{name}: p50 {spread['p50']} ms, p95 {spread['p95']} ms")
        if found["load"]["turns_per_s"] is not None:
            lines.append(
                f"load: {found['load']['turns_per_s']} turns/s into the graph, "
                f"{found['load']['turns_per_s_with_vectors']} with their vectors"
            )
        return "\n".join(lines)


def _rate(turns: int, seconds: float) -> float | None:
    return round(turns / seconds, 1) if seconds else None


def machine() -> dict[str, str | int]:
    """Return what the figures depend on: system, processor and Python."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "processor": platform.machine(),
        "cpus": os.cpu_count() or 1,
        "python": platform.python_version(),
    }


def _categories(judged: Sequence[Judged]) -> list[str]:
    return sorted({one.category for one in judged})


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    return {
        "p50": round(percentile(values, 50), 2),
        "p95": round(percentile(values, 95), 2),
    }


def _table(name: str, rows: Mapping[str, Mapping[str, float]]) -> list[str]:
    columns = list(next(iter(rows.values()), {}))
    width = max([len(name), *(len(row) for row in rows)])
    lines = [f"{name:<{width}}  " + "  ".join(f"{column:>13}" for column in columns)]
    for row, scores in rows.items():
        told = "  ".join(f"{scores[column]:>13.3f}" for column in columns if column in scores)
        lines.append(f"{row:<{width}}  {told}")
    return lines
