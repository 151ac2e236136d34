"""What an embedder is, the checks that every vector passes, and how one bad text is set apart.

A vector that is not finite, has no direction or another width than the others never gets past
this module, and one text that cannot be embedded never takes its neighbours with it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from graphmem.errors import EmbeddingError, ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

__all__ = [
    "MAX_DIMENSIONS",
    "Embedder",
    "Purpose",
    "RowsError",
    "check_vectors",
    "embed_each",
    "embedder_id",
]

logger = logging.getLogger(__name__)

Purpose = Literal["document", "query"]

# The widest vector that a Neo4j index takes.
MAX_DIMENSIONS = 4096
_BATCH_TEXTS = 64
_BARREN_LIMIT = 2


class Embedder(Protocol):
    """Anything that turns texts into vectors.

    Attributes:
        provider: What kind it is: "local", or "openai" for any endpoint of that protocol.
        model: The model's name there.
        dimensions: Width of its vectors; None = not known before the first call.
    """

    provider: str
    model: str
    dimensions: int | None

    async def embed(self, texts: Sequence[str], *, purpose: Purpose = "document") -> Vector:
        """Return one L2-normalised row a text, in the order of `texts`.

        Raises:
            EmbeddingError: The vectors, or some of them (`RowsError`), cannot be had.
            ModelError: The endpoint cannot be reached; retryable.
        """
        ...

    async def close(self) -> None:
        """Let connections and threads go."""
        ...


class RowsError(EmbeddingError):
    """Some texts of a batch have no vector; the others are in `rows`.

    Attributes:
        rows: A vector or its error for each text, in their order.
    """

    kind = "embedding-rows"

    def __init__(self, rows: Sequence[Vector | EmbeddingError]) -> None:
        self.rows = tuple(rows)
        faults = [row for row in self.rows if isinstance(row, EmbeddingError)]
        super().__init__(
            f"{len(faults)} of {len(self.rows)} texts have no vector (first: {faults[0]})"
        )


def embedder_id(embedder: Embedder) -> str:
    """Return "provider:model@width", the name under which a store is locked to an embedder.

    Raises:
        EmbeddingError: The width is not known yet: nothing has been embedded.
    """
    if embedder.dimensions is None:
        raise EmbeddingError(
            f"the width of {embedder.model} is not known before its first vector: embed a text "
            "first, or set GRAPHMEM_EMBEDDING_DIMENSIONS"
        )
    return f"{embedder.provider}:{embedder.model}@{embedder.dimensions}"


def check_vectors(
    vectors: Sequence[Sequence[float]] | Vector, count: int, width: int | None
) -> Vector:
    """Return `vectors` as L2-normalised float32 rows when each of them can be searched by.

    Args:
        vectors: What an embedder gave.
        count: How many there must be.
        width: How wide each must be; None = as wide as the first.

    Raises:
        RowsError: Single rows are bad: NaN, infinite, all zero, or of another width.
        EmbeddingError: There are not `count` rows.
    """
    import numpy as np

    if not hasattr(vectors, "__len__") or isinstance(vectors, str | bytes):
        raise EmbeddingError(f"asked for {count} vectors, got {type(vectors).__name__}")
    if len(vectors) != count:
        raise EmbeddingError(
            f"asked for {count} vectors, got {len(vectors)}: the endpoint lost some, and none "
            "of them can be told apart"
        )
    expected = width or next((_width(row) for row in vectors if _width(row)), 0)
    unit = _checked_at_once(vectors, expected)
    if unit is not None:
        return unit
    rows = [_checked_row(row, expected) for row in vectors]
    if any(isinstance(row, EmbeddingError) for row in rows):
        raise RowsError(rows)
    return np.asarray(rows, dtype=np.float32).reshape(count, expected)


async def embed_each(
    embedder: Embedder, texts: Sequence[str], *, purpose: Purpose = "document"
) -> list[Vector | EmbeddingError]:
    """Return a vector or its error for each text: a bad one costs the others nothing.

    A batch that fails because of what is in it is halved until the bad text stands alone.
    The number of calls is bounded: a batch of n may fail 2 log2(n) + 4 times, what is left
    then is given up as retryable.

    Raises:
        ModelError: The endpoint as a whole cannot be used now; nothing was embedded.
    """
    results: list[Vector | EmbeddingError] = []
    # A local embedder sorts a batch by length: the more it sees at once, the less it pads.
    size: int = getattr(embedder, "batch_texts", _BATCH_TEXTS)
    for at in range(0, len(texts), size):
        batch = list(texts[at : at + size])
        failures = 2 * math.ceil(math.log2(len(batch) + 1)) + 4
        results += await _Isolation(embedder, purpose, failures).run(batch)
    return results


class _Isolation:
    """Halves a failing batch, within a number of failures."""

    def __init__(self, embedder: Embedder, purpose: Purpose, failures: int) -> None:
        self._embedder = embedder
        self._purpose: Purpose = purpose
        self._left = failures
        self._has_succeeded = False
        self._barren = 0

    async def run(self, texts: list[str]) -> list[Vector | EmbeddingError]:
        rows = await self._rows(texts)
        error = next((row for row in rows if isinstance(row, EmbeddingError)), None)
        if error is not None and not self._has_succeeded and error.retryable:
            raise ModelError(
                f"none of {len(texts)} texts could be embedded (first: {error})",
                kind="endpoint",
                retryable=True,
            )
        return rows

    async def _rows(self, texts: list[str]) -> list[Vector | EmbeddingError]:
        if self._left <= 0:
            given_up = EmbeddingError(
                "given up after too many failing calls; it is tried again later", retryable=True
            )
            return [given_up] * len(texts)
        try:
            rows = await self._embedder.embed(texts, purpose=self._purpose)
            checked = check_vectors(rows, len(texts), self._embedder.dimensions)
        except RowsError as error:
            self._has_succeeded = True
            return list(error.rows)
        except EmbeddingError as error:
            return await self._halved(texts, error)
        except ModelError:
            raise
        except Exception as error:
            # The edge of an embedder of the caller's own, which may raise anything.
            logger.debug("embed.raised reason=%s", type(error).__name__, exc_info=True)
            reason = f"the embedder raised {type(error).__name__}: {error}"
            return await self._halved(texts, EmbeddingError(reason, retryable=True))
        self._has_succeeded = True
        return list(checked)

    async def _halved(
        self, texts: list[str], error: EmbeddingError
    ) -> list[Vector | EmbeddingError]:
        self._left -= 1
        if len(texts) == 1:
            self._note_barren()
            return [error]
        middle = len(texts) // 2
        return [*await self._rows(texts[:middle]), *await self._rows(texts[middle:])]

    def _note_barren(self) -> None:
        # Two single texts in a row failed and nothing has worked yet: it is not the texts.
        self._barren += not self._has_succeeded
        if self._barren >= _BARREN_LIMIT and not self._has_succeeded:
            self._left = 0


def _checked_at_once(vectors: Sequence[Sequence[float]] | Vector, width: int) -> Vector | None:
    """Return all rows normalised when they are an array without a fault, else None."""
    import numpy as np

    if not isinstance(vectors, np.ndarray) or vectors.shape != (len(vectors), width):
        return None
    if vectors.dtype.kind not in "fiu":
        return None
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        return None
    unit: Vector = (vectors / lengths).astype(np.float32)
    return unit


def _width(row: Sequence[float] | Vector) -> int:
    # One number in place of a row, or nothing at all, is no row.
    return len(row) if hasattr(row, "__len__") else 0


def _checked_row(row: Sequence[float] | Vector, width: int) -> Vector | EmbeddingError:
    import numpy as np

    if _width(row) != width or not width:
        return EmbeddingError(
            f"a vector of {_width(row)} numbers where {width} are expected: the endpoint changed "
            "its width, or GRAPHMEM_EMBEDDING_DIMENSIONS is wrong"
        )
    if np.iscomplexobj(row):
        return EmbeddingError("a vector holds complex numbers: it cannot be compared")
    try:
        # In 64 bits first: 1e39 is finite there, and infinite in what is stored.
        wide = np.asarray(row, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return EmbeddingError("a vector holds something that is no number")
    narrow = wide.astype(np.float32) if np.abs(wide).max() <= np.finfo(np.float32).max else None
    if narrow is None or not np.isfinite(narrow).all():
        return EmbeddingError("a vector holds NaN or infinite numbers: it cannot be compared")
    length = float(np.linalg.norm(wide))
    if length == 0:
        return EmbeddingError("a vector is all zero: it has no direction to compare")
    unit: Vector = (wide / length).astype(np.float32)
    return unit
