"""Vectors from hashed words: texts that share words are near, and no model is needed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from graphmem.errors import EmbeddingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HashedEmbedder"]

# One token a word; a character each in scripts that write no spaces.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+")


class HashedEmbedder:
    """Give each word a fixed random direction and each text the sum of its words'.

    The expected cosine of two texts is the share of words they have in common; the noise is
    about 1 / sqrt(dimensions).

    Args:
        dimensions: Width of the vectors, >= 1.
        provider: First part of the embedder's id.
        model: Second part of the embedder's id; two models are two embedders, and their
            vectors for the same text differ.

    Attributes:
        is_down: Set it to True and every call fails as an endpoint that is away does.
        texts: Every text that was embedded, in order.
    """

    def __init__(
        self, dimensions: int = 64, *, provider: str = "hashed", model: str = "words"
    ) -> None:
        if dimensions < 1:
            raise ValueError(f"dimensions must be >= 1, got {dimensions}")
        self.provider = provider
        self.model = model
        self.dimensions: int | None = dimensions
        self.is_down = False
        self.texts: list[str] = []
        self._width = dimensions

    async def embed(
        self,
        texts: Sequence[str],
        *,
        purpose: Literal["document", "query"],
    ) -> NDArray[np.float32]:
        """Return one L2-normalised row a text, in order; `purpose` makes no difference.

        Raises:
            EmbeddingError: `is_down` is set; retryable.
        """
        del purpose
        if self.is_down:
            raise EmbeddingError("the embedder is down, as scripted", retryable=True)
        self.texts.extend(texts)
        return self.vectors(texts)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return what `embed` returns, without a loop and without a record."""
        import numpy as np

        rows = np.zeros((len(texts), self._width), dtype=np.float32)
        for place, text in enumerate(texts):
            for token in _TOKEN.findall(text.casefold()) or [text]:
                rows[place] += self._direction(token)
            if not rows[place].any():
                # Directions can cancel out in narrow vectors; a zero row means nothing.
                rows[place, 0] = 1.0
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _direction(self, token: str) -> NDArray[np.float32]:
        import numpy as np

        seed = f"{self.model}\x1f{token}".encode("utf-8", "surrogatepass")
        raw = hashlib.shake_256(seed).digest((self._width + 7) // 8)
        bits = np.unpackbits(np.frombuffer(raw, dtype=np.uint8))[: self._width]
        return bits.astype(np.float32) * 2 - 1
