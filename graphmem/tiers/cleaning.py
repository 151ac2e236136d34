"""Cleaning a scope: near-duplicates become one, and raw messages go that nothing needs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from graphmem.graph.conflict.model import Statement
from graphmem.maintain.consolidation.consolidate import (
    Candidates,
    ConsolidationRequest,
    consolidate,
    consolidation_request,
)
from graphmem.maintain.consolidation.merging import Guard, Said
from graphmem.maintain.consolidation.pool import VectorSpace
from graphmem.maintain.retention import Kept, retain_messages, retention_request
from graphmem.maintenance import RemovalMode, RemovalReport
from graphmem.operation import Progress, operation
from graphmem.scoring import ValueCurves

if TYPE_CHECKING:
    from graphmem.engine import Engine
    from graphmem.graph.conflict.resolve import ConflictPipeline
    from graphmem.maintain.runs import Run

__all__ = ["AsyncCleaning", "consolidate_scope"]


class AsyncCleaning:
    """What makes a scope smaller and loses nothing that is told: a part of `AsyncMaintenance`."""

    _engine: Engine
    _scope: str

    async def consolidate_semantics(
        self,
        threshold: float = 0.85,
        *,
        candidates: Candidates = "tags",
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        progress: Progress | None = None,
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
            report = await consolidate_scope(engine, self._scope, request, progress=progress)
            current.fields |= {
                "checked": report.checked,
                "deleted": report.deleted,
                "deprecated": report.deprecated,
            }
            return report

    async def retain_messages(
        self,
        keep: Kept | None = None,
        *,
        recent_turns: int | None = None,
        days: float | None = None,
        batch: int = 500,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> RemovalReport:
        """Delete raw messages that nothing refers to any more; by default all are kept.

        A message that is evidence of a turn never goes, nor one of a turn whose extraction is
        not done. What goes are messages whose turn is gone.

        Args:
            keep: "all"; "referenced" = only those that never go; "recent" = recent ones as
                well. None = the setting `message_retention`.
            recent_turns: Messages as new as the so many newest turns of their session are
                recent; None = the setting `message_recent_turns`.
            days: So are those of so many last days; None = the setting
                `message_retention_days`.
            batch: Messages of one transaction, 1 to 10,000.
            dry_run: Tell what would go, and change nothing.
            progress: Called with how many messages were looked at.

        Returns:
            What went; under `protected` how many stayed, by why: "referenced", "unextracted",
            "recent".

        Raises:
            InputError: A parameter is out of bounds.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed.
        """
        settings = self._engine.settings
        request = retention_request(
            settings.message_retention if keep is None else keep,
            recent_turns=settings.message_recent_turns if recent_turns is None else recent_turns,
            days=settings.message_retention_days if days is None else days,
            batch=batch,
            dry_run=dry_run,
        )
        with operation("maintain.retention", self._scope) as current:
            report = await retain_messages(
                self._engine.db,
                self._scope,
                request,
                clock=self._engine.clock,
                undo_window=self._engine.undo_window,
                progress=progress,
            )
            current.fields |= {"checked": report.checked, "deleted": report.deleted}
            return report


async def consolidate_scope(
    engine: Engine,
    scope: str,
    request: ConsolidationRequest,
    *,
    part_of: Run | None = None,
    progress: Progress | None = None,
) -> RemovalReport:
    """Let facts of a scope that nearly say the same become one; see `consolidate`."""
    return await consolidate(
        engine.db,
        scope,
        request,
        space=_space_of(engine),
        guard=_guard_of(engine.pipeline.conflicts),
        clock=engine.clock,
        undo_window=engine.undo_window,
        part_of=part_of,
        progress=progress,
    )


def _space_of(engine: Engine) -> VectorSpace | None:
    """Return where the vectors of the active embedder lie, None where there is none."""
    vectoriser = engine.vectoriser
    if vectoriser.slot is None:
        return None
    width = int(vectoriser.embedder_id.rpartition("@")[2])
    return VectorSpace(vectoriser.slot, vectoriser.embedder_id, width)


def _guard_of(conflicts: ConflictPipeline) -> Guard:
    """Return what keeps facts apart that are near and not the same: the guards of writing."""

    def keeps_apart(one: Said, other: Said) -> str | None:
        return conflicts.keeps_apart(Statement(**asdict(one)), Statement(**asdict(other)))

    return keeps_apart
