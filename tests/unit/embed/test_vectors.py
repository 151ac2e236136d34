"""What no vector may be, and how one bad text is set apart from its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graphmem.errors import EmbeddingError, ModelError
from graphmem.testing import HashedEmbedder
from graphmem.vectors import RowsError, check_vectors, embed_each, embedder_id


class _Fragile(HashedEmbedder):
    """Breaks over texts with "bad" in them; counts its calls."""

    def __init__(self, *, retryable: bool = False) -> None:
        super().__init__(8)
        self.calls = 0
        self._retryable = retryable

    async def embed(self, texts: Sequence[str], **_: object) -> NDArray[np.float32]:
        self.calls += 1
        if any("bad" in text for text in texts):
            raise EmbeddingError("cannot", retryable=self._retryable)
        return self.vectors(texts)


def test_vectors_come_back_with_length_one() -> None:
    """Lists and arrays alike become float32 rows of length 1."""
    rows = check_vectors([[3.0, 4.0], [0.0, 2.0]], 2, 2)

    assert np.float32 == rows.dtype
    assert [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 1.0]] == rows.tolist()
    assert rows.tolist() == check_vectors(np.array([[3.0, 4.0], [0.0, 2.0]]), 2, 2).tolist()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ([float("nan"), 1.0], "NaN"),
        ([float("inf"), 1.0], "infinite"),
        ([1e39, 1.0], "infinite"),
        ([0.0, 0.0], "all zero"),
        ([], "0 numbers where 2"),
        ([1.0], "1 numbers where 2"),
        ([1.0, 2.0, 3.0], "3 numbers where 2"),
        ([None, 1.0], "NaN|no number"),
        (["x", 1.0], "no number"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(bad: list[float], reason: str) -> None:
    """The error carries each good vector."""
    with pytest.raises(RowsError, match=reason) as caught:
        check_vectors([[1.0, 0.0], bad, [0.0, 1.0]], 3, 2)

    kinds = [isinstance(row, EmbeddingError) for row in caught.value.rows]
    assert [False, True, False] == kinds


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_an_array_is_checked_as_lists_are(bad: float) -> None:
    """An embedder of one's own gets no free pass."""
    with pytest.raises(RowsError):
        check_vectors(np.array([[1.0, 0.0], [bad, 1.0]], dtype=np.float32), 2, 2)


@pytest.mark.parametrize("count", [1, 3])
def test_a_wrong_number_of_vectors_is_an_error(count: int) -> None:
    """Nobody can say which text one belongs to."""
    with pytest.raises(EmbeddingError, match=f"asked for {count} vectors, got 2"):
        check_vectors([[1.0], [2.0]], count, 1)


@pytest.mark.parametrize("answer", [None, iter([[1.0]]), "text", 7, {"a": [1.0]}])
def test_what_is_no_list_of_rows_is_an_error(answer: Any) -> None:
    """An embedder of one's own may give anything back."""
    with pytest.raises(EmbeddingError):
        check_vectors(answer, 1, 1)


@pytest.mark.parametrize("rows", [[1.0, 2.0], np.array([1.0, 2.0]), [[10**400], [1.0]]])
def test_a_row_that_is_no_vector_is_an_error(rows: Any) -> None:
    """Numbers in place of rows, and a number that no float holds."""
    with pytest.raises(EmbeddingError):
        check_vectors(rows, 2, 1)


@pytest.mark.parametrize("dtype", [object, complex])
def test_an_array_of_no_real_numbers_is_an_error(dtype: type) -> None:
    """None and complex numbers cannot be compared by cosine."""
    rows = np.full((2, 3), None if dtype is object else "1", dtype=dtype)

    with pytest.raises(EmbeddingError):
        check_vectors(rows, 2, 3)


class _Raising(_Fragile):
    """Raises what is no error of graphmem's over texts with "bad" in them."""

    async def embed(self, texts: Sequence[str], **_: object) -> NDArray[np.float32]:
        if any("bad" in text for text in texts):
            raise ValueError("too odd")
        return self.vectors(texts)


async def test_an_embedder_that_raises_anything_costs_one_text_its_vector() -> None:
    """An error of a foreign kind is told as one of graphmem's; the others are embedded."""
    rows = await embed_each(_Raising(), ["one", "bad", "two"])

    assert [False, True, False] == [isinstance(row, EmbeddingError) for row in rows]
    assert "ValueError: too odd" in str(rows[1])


async def test_an_embedder_that_raises_over_everything_is_down() -> None:
    """Nothing can be embedded now; it is asked again later."""
    with pytest.raises(ModelError, match="ValueError") as caught:
        await embed_each(_Raising(), ["bad one", "bad two"])

    assert caught.value.retryable


def test_no_text_gives_no_vector() -> None:
    """An empty batch is no error."""
    assert (0, 4) == check_vectors([], 0, 4).shape


async def test_one_bad_text_costs_the_other_nine_nothing() -> None:
    """The batch is halved until it stands alone, in few calls."""
    embedder = _Fragile(retryable=True)
    texts = [f"text {number}" for number in range(9)]
    texts.insert(6, "bad")

    rows = await embed_each(embedder, texts)

    assert [6] == [at for at, row in enumerate(rows) if isinstance(row, EmbeddingError)]
    assert embedder.calls <= 9


async def test_rows_that_came_are_kept_without_another_call() -> None:
    """A single bad row of an answer is not asked again."""

    class Zero(_Fragile):
        async def embed(self, texts: Sequence[str], **_: object) -> NDArray[np.float32]:
            self.calls += 1
            rows = self.vectors(texts)
            rows[1] = 0
            return rows

    embedder = Zero()

    rows = await embed_each(embedder, ["a", "b", "c"])

    assert [False, True, False] == [isinstance(row, EmbeddingError) for row in rows]
    assert 1 == embedder.calls


async def test_calls_are_bounded_when_every_text_is_bad() -> None:
    """64 bad texts do not make 127 calls."""
    embedder = _Fragile()

    rows = await embed_each(embedder, ["bad"] * 64)

    assert all(isinstance(row, EmbeddingError) for row in rows)
    assert embedder.calls <= 18


@pytest.mark.parametrize("count", [1, 10, 64])
async def test_an_endpoint_that_embeds_nothing_is_down(count: int) -> None:
    """Texts are not to blame when none can be embedded."""
    embedder = _Fragile(retryable=True)

    with pytest.raises(ModelError) as caught:
        await embed_each(embedder, ["bad"] * count)

    assert caught.value.retryable
    assert embedder.calls <= 9


def test_an_embedder_is_named_by_provider_model_and_width() -> None:
    """The name under which a store is locked."""
    embedder = HashedEmbedder(8)

    assert f"{embedder.provider}:{embedder.model}@8" == embedder_id(embedder)
