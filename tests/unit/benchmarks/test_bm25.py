"""The row that graphmem is compared with."""

from __future__ import annotations

import pytest

from benchmarks.bm25 import Bm25


# numpy warns of its own future when the library makes its arrays.
@pytest.mark.filterwarnings("ignore")
def test_the_text_with_the_rarest_words_comes_first() -> None:
    """Stemmed words count, stop words do not."""
    index = Bm25(
        ["t1", "t2", "t3"],
        ["Ana: the kiln is hot", "Ben: the boats were painted", "Ana: the kiln and the boat"],
    )

    assert ["t2", "t3", "t1"] == index.rank("Who painted the boat?", 3)
