"""Examines a memory: what it stands on, what is wrong, and what to do about it."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from graphmem.graph.pending import count_failing
from graphmem.graph.vectors import count_unembedded
from graphmem.health import DoctorReport, Fault, Stats
from graphmem.models import Calibration, ExtractionState
from graphmem.recall.read import stats
from graphmem.schema import IndexState, show_indexes, wanted_indexes

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["examine"]


async def examine(engine: Engine, scope: str) -> DoctorReport:
    """Return what the memory stands on and what is wrong with it.

    Raises:
        StoreError: The server cannot be reached.
    """
    # Whether the embedder answers is known only when it is asked.
    await engine.vectoriser.query("doctor")
    present = await show_indexes(engine.db)
    ours = {index.name for index in wanted_indexes()}
    indexes = {name: state for name, state in sorted(present.items()) if name in ours}
    counted = await stats(engine.db, scope)
    unembedded = await count_unembedded(engine.db, scope)
    failing = await count_failing(engine.db, scope)
    settings = engine.settings
    thresholds = engine.pipeline.conflicts.thresholds
    zones = {} if thresholds is None else asdict(thresholds)
    return DoctorReport(
        versions={
            "graphmem": _installed("graphmem"),
            "python": platform.python_version(),
            "driver": _installed("neo4j"),
            "neo4j": engine.db.version.text,
            "gds": await engine.db.gds_version() or "",
        },
        uri=settings.neo4j_uri or "",
        database=settings.neo4j_database or "",
        indexes={name: state.state for name, state in indexes.items()},
        dimensions={name: state.dimensions for name, state in indexes.items() if state.dimensions},
        embedder=engine.vectoriser.embedder_id,
        embedder_state=engine.vectoriser.state,
        calibration=engine.vectoriser.calibration,
        conflict_zones=zones,
        proposed_zones={} if zones else _proposed_zones(engine.vectoriser.calibration),
        extractor=engine.route,
        language=settings.language,
        tokenizer=engine.counter.name,
        stats=counted,
        faults=(
            *_index_faults(engine, indexes),
            *_embedder_faults(engine, unembedded),
            *_extraction_faults(engine, counted, *failing),
        ),
    )


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _proposed_zones(calibration: Calibration | None) -> dict[str, float]:
    """Return where zones may begin: where halves of a turn lie, and above what is no kin."""
    if calibration is None:
        return {}
    cold = min(1.0, max(0.0, calibration.different_p90))
    near_dup = min(1.0, max(cold, calibration.same_median))
    # A third of what is left to 1, as .95 stands to .85.
    hot = 1 - (1 - near_dup) / 3
    return {"hot": round(hot, 3), "near_dup": round(near_dup, 3), "cold": round(cold, 3)}


def _index_faults(engine: Engine, indexes: dict[str, IndexState]) -> Iterator[Fault]:
    for index in wanted_indexes():
        state = indexes.get(index.name)
        if state is None:
            if index.is_vector and engine.vectoriser.slot is None:
                continue
            yield Fault(
                what=f"the index {index.name} is missing",
                remedy="open the memory again: it makes what is missing",
            )
        elif state.state == "POPULATING":
            yield Fault(
                what=f"the index {index.name} is filled to {state.percent:.0f} %",
                remedy="wait; until then its leg of recall misses turns",
            )
        elif state.state != "ONLINE":
            yield Fault(
                what=f"the index {index.name} is {state.state} {state.failure}".strip(),
                remedy=f"drop it (DROP INDEX {index.name}) and open the memory again",
            )


def _embedder_faults(engine: Engine, unembedded: int) -> Iterator[Fault]:
    state = engine.vectoriser.state
    if state == "down":
        yield Fault(
            what="the embedder does not answer; recall goes on by text",
            remedy="check GRAPHMEM_EMBEDDING_BASE_URL, _MODEL and _API_KEYS; it is asked again "
            "every 30 s",
        )
    elif state == "mismatch":
        yield Fault(
            what=f"the store is locked to the embedder {engine.vectoriser.embedder_id}; recall "
            "goes on by text",
            remedy="set GRAPHMEM_EMBEDDING_MODEL (and _DIMENSIONS) to that one",
        )
    elif state == "none" and not engine.settings.embedding_model:
        yield Fault(
            what="there is no embedder: recall goes by text and graph alone",
            remedy="pip install 'graphmem[local]', or set GRAPHMEM_EMBEDDING_MODEL "
            "('none' says that this is meant)",
        )
    if state == "ready" and unembedded:
        yield Fault(
            what=f"{unembedded:,} nodes wait for a vector",
            remedy="the background does it while a memory is open; `graphmem embedder backfill` "
            "does it now",
        )


def _extraction_faults(engine: Engine, counted: Stats, failing: int, error: str) -> Iterator[Fault]:
    quarantined = counted.extraction.get(ExtractionState.QUARANTINED, 0)
    pending = counted.extraction.get(ExtractionState.PENDING, 0)
    if quarantined:
        yield Fault(
            what=f"the extraction of {quarantined:,} turns was refused",
            remedy="`graphmem quarantine list` tells why, `graphmem quarantine retry` tries again",
        )
    if failing:
        yield Fault(
            what=f"{failing:,} turns wait, since an attempt failed: {error}",
            remedy="mend what it names; they are tried again in the background while a memory is "
            "open, and `graphmem extract` does it now",
        )
    if pending and not engine.settings.extraction_enabled:
        yield Fault(
            what=f"{pending:,} turns wait and extraction is off",
            remedy="configure(extraction_enabled=True)",
        )
