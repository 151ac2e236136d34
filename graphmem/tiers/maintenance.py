"""Upkeep of a scope: what removes and orders, and takes back what it did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem.checks import check_words
from graphmem.ids import check_ids
from graphmem.maintain.orphans import remove_orphans
from graphmem.maintain.removal import undo
from graphmem.maintain.runs import get_run, list_runs
from graphmem.maintenance import (
    OPERATIONS,
    STEPS,
    MaintenanceReport,
    MaintenanceRun,
    RemovalReport,
    UndoReport,
)
from graphmem.operation import Progress, operation
from graphmem.tiers.cleaning import AsyncCleaning
from graphmem.tiers.communities import AsyncCommunities
from graphmem.tiers.decay import AsyncDecay
from graphmem.tiers.requests import check_limit
from graphmem.tiers.tick import check_budget, check_steps, tick

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["AsyncMaintenance"]


class AsyncMaintenance(AsyncCleaning, AsyncCommunities, AsyncDecay):
    """The upkeep of one scope: a part of `AsyncGraphMemory`.

    One operation at a time works in a scope: another one raises `MaintenanceBusy`. Each leaves a
    `MaintenanceRun`, and what it removed can be taken back for `undo_window_days`.
    """

    _engine: Engine
    _scope: str

    async def maintain(
        self,
        *,
        budget_s: float | None = None,
        steps: Iterable[str] | None = None,
        progress: Progress | None = None,
    ) -> MaintenanceReport:
        """Keep this scope clean once; the background does the same by itself.

        In this order: take up turns that wait and embed what has no vector ("backfill"), put
        names into communities, let near-duplicates become one ("consolidate"), move facts
        between tiers and deprecate those that fell silent ("decay"), clean "orphans", let raw
        messages go as far as the settings say ("retention"; as a rule none), and delete for
        good what can be taken back no longer ("tombstones"). Near-duplicates and silent
        facts are deprecated, not deleted; `undo` of the tick takes all of it back.

        Args:
            budget_s: How long it may work, in seconds; it ends between two batches, and the
                next tick with a budget begins with the first step that was skipped. None = as
                long as it takes.
            steps: Only these; they are done in the order above.
            progress: Called after each step with how many are done, and of how many.

        Returns:
            What each step did. An error of one does not keep the others.

        Raises:
            InputError: A parameter is out of bounds.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed at the begin.
        """
        chosen = check_steps(STEPS if steps is None else steps)
        checked = check_budget(budget_s)
        with operation("maintain.tick", self._scope) as current:
            report = await tick(
                self._engine, self._scope, budget_s=checked, steps=chosen, progress=progress
            )
            for step in report.steps:
                current.fields |= {f"{step.name}.{word}": n for word, n in step.counts.items()}
            current.fields["errors"] = len(report.errors)
            return report

    async def runs(
        self, *, limit: int = 100, operations: Iterable[str] = (), parts: bool = True
    ) -> list[MaintenanceRun]:
        """Return what upkeep did in this scope, newest first.

        Args:
            limit: The most to return.
            operations: Only these of `OPERATIONS`, such as ["decay"]; none = all.
            parts: Whether the steps of ticks are listed beside the ticks.

        Raises:
            InputError: A parameter is out of bounds.
            StoreError: The server failed.
        """
        check_limit(limit)
        wanted = check_words(operations, "operations", OPERATIONS)
        with operation("maintain.list_runs", self._scope):
            return await list_runs(
                self._engine.db, self._scope, limit=limit, operations=wanted, has_parts=parts
            )

    async def run(self, run_id: str) -> MaintenanceRun:
        """Return one run.

        Raises:
            InputError: There is none of that id.
            StoreError: The server failed.
        """
        (checked,) = check_ids([run_id], "run_id")
        with operation("maintain.get_run", self._scope):
            return await get_run(self._engine.db, self._scope, checked)

    async def undo(self, run_id: str) -> UndoReport:
        """Take back what a run deleted or deprecated.

        Nodes and their links are as they were, and what was handed to those that stayed for
        them goes back. What was learned again meanwhile stays as it is now.

        Args:
            run_id: Of a report, or of `runs()`; of a whole tick it takes back all parts.

        Raises:
            InputError: There is no such run, it is an undo, left nothing that could come back, was
                undone before, or its time is over.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed.
        """
        (checked,) = check_ids([run_id], "run_id")
        with operation("maintain.undo", self._scope) as current:
            report = await undo(
                self._engine.db,
                self._scope,
                checked,
                clock=self._engine.clock,
                undo_window=self._engine.undo_window,
            )
            current.fields["restored"] = report.restored
            return report

    async def clean_orphans(self, *, dry_run: bool = False) -> RemovalReport:
        """Delete what leads nowhere any more, across this scope.

        Tags without a fact that is told or was superseded, Intents without a live procedure,
        Terms that no turn mentions and no such fact speaks of (names that were merged stay),
        and communities without a member. What is needed again is made again; `undo` takes it
        back.

        Args:
            dry_run: Tell what would go, and change nothing.

        Returns:
            What went, by label in `orphans`.

        Raises:
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed.
        """
        with operation("maintain.orphans", self._scope) as current:
            report = await remove_orphans(
                self._engine.db,
                self._scope,
                clock=self._engine.clock,
                undo_window=self._engine.undo_window,
                dry_run=dry_run,
            )
            current.fields["deleted"] = report.deleted
            return report
