"""A reranker orders, and whatever it does otherwise costs no answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import Hit, InputError, ReRanker, Turn
from graphmem.recall.rerank import check_reranker, rerank

TURN = Turn(id="", session_id="s", at=datetime(2026, 3, 1, tzinfo=UTC), seq=1, text="")
HITS = tuple(
    Hit(turn=TURN.model_copy(update={"id": name}), score=1.0 - n) for n, name in enumerate("abc")
)


class Panic(BaseException):
    """What a library in another language raises when it breaks."""


class Fixed:
    """Gives what it was made with, or raises it."""

    def __init__(self, answer: Any, wait_s: float = 0.0) -> None:
        self.answer = answer
        self.wait_s = wait_s

    async def rerank(self, query: str, hits: Sequence[Hit]) -> Any:  # noqa: ARG002
        """Return or raise the answer."""
        await asyncio.sleep(self.wait_s)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


async def test_hits_come_in_the_order_of_the_reranker() -> None:
    """The highest first; equal ones keep their order; each tells its number."""
    found = await rerank(Fixed([0, 2.5, 0]), "q", HITS, timeout_s=5)

    assert found is not None
    assert [("b", 2.5), ("a", 0.0), ("c", 0.0)] == [
        (hit.turn.id, hit.rerank_score) for hit in found
    ]
    assert {0.0, 1.0, -1.0} == {hit.score for hit in found}


@pytest.mark.parametrize(
    "answer",
    [
        RuntimeError("model gone"),
        TimeoutError(),
        asyncio.CancelledError("a task of its own"),
        SystemExit(1),
        Panic(),
        [1.0, 2.0],
        [1.0, 2.0, 3.0, 4.0],
        [1.0, float("nan"), 2.0],
        [1.0, float("inf"), 2.0],
        [1.0, "high", 2.0],
        None,
        7,
    ],
)
async def test_what_is_no_order_is_none(answer: Any) -> None:
    """An error, another number of scores, and what is no number."""
    assert await rerank(Fixed(answer), "q", HITS, timeout_s=5) is None


async def test_a_slow_reranker_is_not_waited_for() -> None:
    """The limit is the setting's."""
    assert await rerank(Fixed([1, 2, 3], wait_s=30), "q", HITS, timeout_s=0.01) is None


async def test_an_asker_who_leaves_is_not_held_back() -> None:
    """Cancelling is no fault of the reranker, and must go through."""
    task = asyncio.create_task(rerank(Fixed([1, 2, 3], wait_s=30), "q", HITS, timeout_s=60))
    await asyncio.sleep(0)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("leaving", [KeyboardInterrupt(), GeneratorExit()])
async def test_the_end_of_the_program_is_no_fault_of_it(leaving: BaseException) -> None:
    """Ctrl-C while it works ends the program, as anywhere."""
    with pytest.raises(type(leaving)):
        await Fixed(leaving).rerank("q", HITS)
    coroutine = rerank(Fixed(leaving), "q", HITS, timeout_s=5)
    with pytest.raises(type(leaving)):
        await coroutine


def test_a_reranker_is_known_by_its_method() -> None:
    """None switches it off; anything else is a mistake that is told at once."""
    one: ReRanker = Fixed([])

    assert one is check_reranker(one)
    assert check_reranker(None) is None
    with pytest.raises(InputError, match="async def rerank"):
        check_reranker(print)
