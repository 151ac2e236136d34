"""A second opinion on the order: the caller's own reranker, which can never lose an answer."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Sequence
from typing import Protocol, TypeVar, runtime_checkable

from graphmem.errors import InputError
from graphmem.models import FactHit, Hit

__all__ = ["FactReRanker", "ReRanker", "check_reranker", "rerank"]

H = TypeVar("H", Hit, FactHit)
H_contra = TypeVar("H_contra", Hit, FactHit, contravariant=True)

logger = logging.getLogger(__name__)


@runtime_checkable
class ReRanker(Protocol):
    """Anything that scores recalled turns for a question, such as a cross-encoder."""

    async def rerank(self, query: str, hits: Sequence[Hit]) -> Sequence[float]:
        """Return one finite number a hit, in their order; higher is better.

        Args:
            query: The question.
            hits: The best turns by graphmem's own order, with their messages; at least one.
        """
        ...


@runtime_checkable
class FactReRanker(Protocol):
    """Anything that scores facts for a question; what scores turns may be another."""

    async def rerank(self, query: str, hits: Sequence[FactHit]) -> Sequence[float]:
        """Return one finite number a hit, in their order; higher is better.

        Args:
            query: The question.
            hits: The best facts by graphmem's own order; at least one.
        """
        ...


class _Scorer(Protocol[H_contra]):
    async def rerank(self, query: str, hits: Sequence[H_contra]) -> Sequence[float]: ...


R = TypeVar("R", ReRanker, FactReRanker)


def check_reranker(reranker: R | None) -> R | None:
    """Return `reranker` when it is one, or None for None.

    Raises:
        InputError: It has no method `rerank`.
    """
    if reranker is None or isinstance(reranker, ReRanker | FactReRanker):
        return reranker
    raise InputError(
        f"a reranker has a method `async def rerank(query, hits)`, and {type(reranker).__name__} "
        "has none; None switches reranking off"
    )


async def rerank(
    reranker: _Scorer[H], query: str, hits: Sequence[H], *, timeout_s: float
) -> tuple[H, ...] | None:
    """Return the hits in the order that the reranker gives them, or None when it fails.

    Hits to which it gives the same number keep their order.

    Args:
        reranker: The caller's.
        query: The question.
        hits: Best first.
        timeout_s: The longest wait in seconds.
    """
    try:
        async with asyncio.timeout(timeout_s):
            scores = _checked(await reranker.rerank(query, tuple(hits)), len(hits))
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        # Foreign code: the answer stands as it was, also when a library exits or panics, or a
        # task of its own was cancelled.
        if isinstance(error, asyncio.CancelledError) and _is_leaving():
            raise
        # What it says may hold texts of turns, so that only the kind is logged.
        logger.warning("recall.rerank_failed kind=%s", type(error).__name__)
        return None
    scored = [
        hit.model_copy(update={"rerank_score": score})
        for hit, score in zip(hits, scores, strict=True)
    ]
    return tuple(sorted(scored, key=lambda hit: -(hit.rerank_score or 0.0)))


def _is_leaving() -> bool:
    """Whether it is the asker who was cancelled."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def _checked(scores: Sequence[float], wanted: int) -> list[float]:
    numbers = [float(score) for score in scores]
    if len(numbers) != wanted or not all(map(math.isfinite, numbers)):
        raise ValueError("a reranker returns one finite number for each turn")
    return numbers
