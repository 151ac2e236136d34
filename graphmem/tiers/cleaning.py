"""Cleaning a scope: near-duplicates become one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from graphmem.graph.conflict.model import Statement
from graphmem.maintain.consolidate import (
    Guard,
    Said,
    consolidate,
    consolidation_request,
)
from graphmem.maintain.pool import VectorSpace
from graphmem.maintenance import RemovalMode, RemovalReport
from graphmem.operation import operation
from graphmem.scoring import ValueCurves

if TYPE_CHECKING:
    from graphmem.engine import Engine
    from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = ["AsyncCleaning", "guard_of", "space_of"]


class AsyncCleaning:
    """What makes a scope smaller without losing anything: a part of `AsyncMaintenance`."""

    _engine: Engine
    _scope: str

    @property
    def _undo_window(self) -> timedelta:
        return timedelta(days=self._engine.settings.undo_window_days)

    async def consolidate_semantics(
        self,
        threshold: float = 0.85,
        *,
        candidates: Literal["tags", "all"] = "tags",
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        progress: Callable[[int, int | None], None] | None = None,
    ) -> RemovalReport:
        """Let facts that nearly say the same become one; the one that is worth most stays.

        Compared are live facts that hold now and share a tag. Of two whose vectors are nearer
        than the threshold the one of the lower value goes, unless numbers, names, negation,
        subject or the end of their time differ, or how far they may be told. What stays gets
        what the other one had: evidence, tags, counts and rewards, and the earlier beginning of
        its time. Pinned and otherwise protected facts never go; others may go for them. No
        model is asked. What leads nowhere afterwards goes too; `undo` takes all of it back.

        Args:
            threshold: Raw cosine that must be exceeded, above 0 and up to 1. It belongs to an
                embedder: .85 holds for MiniLM and the text-embedding-3 kinds.
            candidates: "tags" = pairs that share a tag; "all" = any pair.
            dry_run: Tell what would go and for what, and change nothing.
            mode: "delete", or "deprecate": they are kept, and told no longer.
            progress: Called with how many facts were compared, and of how many.

        Returns:
            What went and why. Facts without a vector are counted in `skipped`: without an
            embedder that is all of them.

        Raises:
            InputError: A parameter is out of bounds.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed.
        """
        engine = self._engine
        request = consolidation_request(
            threshold,
            candidates=candidates,
            mode=mode,
            dry_run=dry_run,
            curve=ValueCurves.of(engine.settings.value_curves).semantic,
        )
        with operation("maintain.consolidate", self._scope) as current:
            report = await consolidate(
                engine.db,
                self._scope,
                request,
                space=space_of(engine),
                guard=guard_of(engine.pipeline.conflicts),
                clock=engine.clock,
                undo_window=self._undo_window,
                progress=progress,
            )
            current.fields |= {
                "checked": report.checked,
                "deleted": report.deleted,
                "deprecated": report.deprecated,
            }
            return report


def space_of(engine: Engine) -> VectorSpace | None:
    """Return where the vectors of the active embedder lie, None where there is none."""
    vectoriser = engine.vectoriser
    if vectoriser.slot is None:
        return None
    width = int(vectoriser.embedder_id.rpartition("@")[2])
    return VectorSpace(vectoriser.slot, vectoriser.embedder_id, width)


def guard_of(conflicts: ConflictPipeline) -> Guard:
    """Return what keeps facts apart that are near and not the same: the guards of writing."""

    def keeps_apart(one: Said, other: Said) -> str | None:
        return conflicts.keeps_apart(Statement(**asdict(one)), Statement(**asdict(other)))

    return keeps_apart
