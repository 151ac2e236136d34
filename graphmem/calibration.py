"""Measures what a cosine means under the store's embedder, from the store's own turns."""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING, Any

from graphmem.errors import EmbeddingError, InputError
from graphmem.models import Calibration
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.vectorise import Vectoriser

__all__ = ["calibrate", "threshold_between"]

_MOST_TURNS = 200
# A tenth of 20 * 19 pairs is enough to name; of fewer, chance decides.
_LEAST_TURNS = 20
# A turn of fewer words has no half that says anything.
_LEAST_WORDS = 6
# Where a cosine begins to count as near, from different turns (0) to the same turn (1).
_NEAR = 0.25
# An embedder that puts halves of the same turn no nearer than this tells nothing apart.
_LEAST_SPREAD = 0.02


async def calibrate(db: Database, vectoriser: Vectoriser, scope: str, clock: Clock) -> Calibration:
    """Measure how near the half of a turn is to its whole, and to other turns; keep it.

    Args:
        db: The database.
        vectoriser: Embeds the halves, as questions.
        scope: Whose turns are taken, at most 200 of them; only numbers leave the scope.
        clock: For the time.

    Raises:
        EmbeddingError: There is no embedder, it is down, or it tells nothing apart.
        InputError: The scope has too few turns with a vector.
        StoreError: The server failed.
    """
    if not await vectoriser.is_up():
        raise EmbeddingError(
            f"the embedder cannot be asked (it is {vectoriser.state}): `graphmem doctor` tells why",
            kind="embedder-unavailable",
        )
    rows = await db.run(
        get_query("recall/sample_turns", vectoriser.slot),
        scope=scope,
        embedder_id=vectoriser.embedder_id,
        sample_size=_MOST_TURNS,
        least_words=_LEAST_WORDS,
    )
    if len(rows) < _LEAST_TURNS:
        raise InputError(
            f"the scope has {len(rows)} turns of {_LEAST_WORDS} words and more with a vector; "
            f"calibrating takes {_LEAST_TURNS}: add turns, or run `graphmem embedder backfill`",
            kind="too-few-turns",
        )
    same, different = await _cosines(vectoriser, rows)
    found = Calibration(
        same_median=median(same),
        different_median=median(different),
        different_p90=quantiles(different, n=10)[-1],
        threshold=threshold_between(median(same), median(different)),
        sample=len(rows),
        at=clock.now(),
    )
    if found.same_median - found.different_median < _LEAST_SPREAD:
        raise EmbeddingError(
            f"under {vectoriser.embedder_id} half of a turn is no nearer to its whole "
            f"({found.same_median:.2f}) than to other turns ({found.different_median:.2f}): its "
            "vectors tell nothing apart; check the model",
            kind="no-spread",
        )
    await db.run(
        get_query("schema/calibrate_embedder"),
        id=vectoriser.embedder_id,
        **found.model_dump(),
    )
    vectoriser.calibration = found
    return found


def threshold_between(same: float, different: float) -> float:
    """Return the raw cosine from which a turn counts as near to a question."""
    return different + _NEAR * (same - different)


async def _cosines(
    vectoriser: Vectoriser, rows: list[dict[str, Any]]
) -> tuple[list[float], list[float]]:
    import numpy as np

    halves = [_first_half(row["text"]) for row in rows]
    vectors = await vectoriser.queries(halves)
    placed = [place for place, half in enumerate(halves) if half in vectors]
    if len(placed) < _LEAST_TURNS:
        raise EmbeddingError("the embedder failed; try again when it answers", retryable=True)
    asked = np.stack([vectors[halves[place]] for place in placed])
    wholes = np.array([rows[place]["embedding"] for place in placed], dtype=np.float32)
    wholes /= np.linalg.norm(wholes, axis=1, keepdims=True)
    near = asked @ wholes.T
    is_same = np.eye(len(placed), dtype=bool)
    return near[is_same].tolist(), near[~is_same].tolist()


def _first_half(text: str) -> str:
    words = text.split()
    return " ".join(words[: len(words) // 2])
