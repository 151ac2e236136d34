"""Plain BM25 over the turns of one conversation: the row that graphmem has to beat.

Lucene's formula with k1 = 1.5 and b = .75, English stop words and Snowball stemming, by the
bm25s library: nothing in it is graphmem's.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Bm25"]


class Bm25:
    """An index over the texts of one conversation."""

    def __init__(self, ids: Sequence[str], texts: Sequence[str]) -> None:
        import bm25s  # type: ignore[import-untyped]  # the library ships no types
        import snowballstemmer  # type: ignore[import-untyped]  # as above

        self._stem = snowballstemmer.stemmer("english").stemWords
        self._ids = list(ids)
        self._index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        self._index.index(self._tokens(list(texts)), show_progress=False)

    def rank(self, query: str, depth: int) -> list[str]:
        """Return the ids of the `depth` best texts, best first."""
        found, _scores = self._index.retrieve(
            self._tokens([query]),
            corpus=self._ids,
            k=min(depth, len(self._ids)),
            show_progress=False,
        )
        return [str(turn) for turn in found[0]]

    def _tokens(self, texts: list[str]) -> list[list[str]]:
        import bm25s

        tokens: list[list[str]] = bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stem, return_ids=False, show_progress=False
        )
        return tokens
