"""Semantic memory for programs without an event loop."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from graphmem.decisions import Decision, FactHistory, JudgeReport, Remembered
from graphmem.models import Fact, FactHit
from graphmem.operation import Progress
from graphmem.recall.rerank import FactReRanker
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.semantic import AsyncSemantic

__all__ = ["Semantic"]


class Semantic:
    """The facts of one scope: reached as `memory.semantic`.

    Every method does what the one of the same name of `AsyncSemantic` does.
    """

    def __init__(self, inner: AsyncSemantic, loop: BackgroundLoop) -> None:
        self._inner = inner
        self._loop = loop

    # Writing ------------------------------------------------------------------------------

    def remember(
        self,
        text: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of a triple
        confidence: float = 1.0,
        tags: Iterable[str] = (),
        turn_ids: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        agent_id: str | None = None,
        sensitivity: str | None = None,
    ) -> Fact:
        """Remember a statement, and return the fact that it is now."""
        return self._loop.run(
            self._inner.remember(
                text,
                subject=subject,
                predicate=predicate,
                object=object,
                confidence=confidence,
                tags=tags,
                turn_ids=turn_ids,
                valid_from=valid_from,
                valid_to=valid_to,
                agent_id=agent_id,
                sensitivity=sensitivity,
            )
        )

    def remember_with_decision(
        self,
        text: str,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,  # noqa: A002 - the word of a triple
        confidence: float = 1.0,
        tags: Iterable[str] = (),
        turn_ids: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        agent_id: str | None = None,
        sensitivity: str | None = None,
    ) -> Remembered:
        """Remember a statement, and return the fact that it is now with how that was decided."""
        return self._loop.run(
            self._inner.remember_with_decision(
                text,
                subject=subject,
                predicate=predicate,
                object=object,
                confidence=confidence,
                tags=tags,
                turn_ids=turn_ids,
                valid_from=valid_from,
                valid_to=valid_to,
                agent_id=agent_id,
                sensitivity=sensitivity,
            )
        )

    def supersede(self, old_id: str, new: str | Mapping[str, Any], reason: str) -> Remembered:
        """Say what holds since, in the place of a fact; the conflict pipeline is not asked."""
        return self._loop.run(self._inner.supersede(old_id, new, reason))

    def forget(self, fact_id: str, reason: str) -> Fact:
        """Tell a fact no longer; it stays in the store, and `restore` takes that back."""
        return self._loop.run(self._inner.forget(fact_id, reason))

    def restore(self, fact_id: str) -> Fact:
        """Tell a forgotten fact again, as it stood before."""
        return self._loop.run(self._inner.restore(fact_id))

    def pin(self, fact_id: str, pinned: bool = True) -> Fact:
        """Keep upkeep from a fact, or let it at it again."""
        return self._loop.run(self._inner.pin(fact_id, pinned))

    # Reading ------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        include_superseded: bool = False,
        tags: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> builtins.list[FactHit]:
        """Find facts by their words and their meaning, best first."""
        return self._loop.run(
            self._inner.search(
                query,
                limit=limit,
                as_of=as_of,
                known_at=known_at,
                include_superseded=include_superseded,
                tags=tags,
                agent_id=agent_id,
            )
        )

    def set_reranker(self, reranker: FactReRanker | None) -> None:
        """Let the best facts of every search be ordered by a reranker; None = no longer."""
        self._inner.set_reranker(reranker)

    def get(self, fact_id: str) -> Fact | None:
        """Return a fact, whatever its status, or None."""
        return self._loop.run(self._inner.get(fact_id))

    def list(
        self,
        *,
        limit: int = 100,
        subject: str | None = None,
        predicate: str | None = None,
        status: str | None = None,
        tags: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> builtins.list[Fact]:
        """Return facts, the latest recorded first."""
        return self._loop.run(
            self._inner.list(
                limit=limit,
                subject=subject,
                predicate=predicate,
                status=status,
                tags=tags,
                agent_id=agent_id,
            )
        )

    def history(self, fact_id: str) -> FactHistory:
        """Return how a fact came and went: its versions, its chain, the decisions about it."""
        return self._loop.run(self._inner.history(fact_id))

    # Conflicts ----------------------------------------------------------------------------

    def conflicts(
        self, *, limit: int = 100, state: str | None = None, kind: str | None = None
    ) -> builtins.list[Decision]:
        """Return the log of the conflict pipeline, the latest decision first."""
        return self._loop.run(self._inner.conflicts(limit=limit, state=state, kind=kind))

    def judge_pending(self, *, limit: int = 50, progress: Progress | None = None) -> JudgeReport:
        """Let the chat model judge decisions that wait: one call each."""
        return self._loop.run(self._inner.judge_pending(limit=limit, progress=progress))
