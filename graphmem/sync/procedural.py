"""Procedural memory for programs without an event loop."""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from graphmem.models import Procedure
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.procedural import AsyncProcedural

__all__ = ["Procedural"]


class Procedural:
    """The procedures of one scope: reached as `memory.procedural`.

    Every method does what the one of the same name of `AsyncProcedural` does.
    """

    def __init__(self, inner: AsyncProcedural, loop: BackgroundLoop) -> None:
        self._inner = inner
        self._loop = loop

    def define(
        self,
        instruction: str,
        *,
        intent: str,
        condition: str = "",
        expected_outcome: str = "",
        return_score: float | None = None,
        priority: int = 0,
        turn_ids: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> Procedure:
        """Define how something is done, and return the procedure that it is now."""
        return self._loop.run(
            self._inner.define(
                instruction,
                intent=intent,
                condition=condition,
                expected_outcome=expected_outcome,
                return_score=return_score,
                priority=priority,
                turn_ids=turn_ids,
                agent_id=agent_id,
            )
        )

    def list(
        self,
        *,
        limit: int = 100,
        intent: str | None = None,
        status: str | None = None,
        agent_id: str | None = None,
    ) -> builtins.list[Procedure]:
        """Return procedures, the latest defined first."""
        return self._loop.run(
            self._inner.list(limit=limit, intent=intent, status=status, agent_id=agent_id)
        )

    def get(self, procedure_id: str) -> Procedure | None:
        """Return a procedure, whatever its status, or None."""
        return self._loop.run(self._inner.get(procedure_id))

    def remove(self, procedure_id: str, reason: str) -> Procedure:
        """Tell a procedure no longer; it stays in the store, and defined anew it is back."""
        return self._loop.run(self._inner.remove(procedure_id, reason))

    def pin(self, procedure_id: str, pinned: bool = True) -> Procedure:
        """Keep upkeep from a procedure, or let it at it again."""
        return self._loop.run(self._inner.pin(procedure_id, pinned))
