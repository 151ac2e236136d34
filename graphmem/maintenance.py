"""What upkeep says of itself: runs, what they removed and why, and what was protected."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from graphmem.models import Value

__all__ = [
    "STEPS",
    "MaintenanceReport",
    "MaintenanceRun",
    "MaintenanceStep",
    "RemovalMode",
    "RemovalReport",
    "RemovedNode",
    "RunState",
    "UndoReport",
]

# "delete" can be undone for some days, and is gone then; "deprecate" keeps the node, untold.
RemovalMode = Literal["delete", "deprecate"]


# What a tick does, in its order.
STEPS = ("backfill", "communities", "consolidate", "decay", "orphans", "retention", "purge")


class RunState(StrEnum):
    """How a run of upkeep stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    # Its process ended in the middle; what it did until then stands.
    BROKEN = "broken"
    UNDONE = "undone"


class MaintenanceRun(Value):
    """One operation of upkeep in one scope: the receipt that stays in the graph.

    Attributes:
        operation: Such as "consolidate", "decay", "orphans", "communities", "maintain", "undo".
        params: What it was called with.
        state: How it stands.
        at: When it began.
        ended_at: None while it runs.
        counts: What it counted, by word.
        ids: What it changed, the first thousand; `CHANGED` relationships lead to all.
        errors: What went wrong, a sentence each.
        part_of: The run that it is a part of, "" for one of its own.
        undo_until: Until when `undo` takes it back.
        undone_at: When it was taken back.
    """

    id: str
    operation: str
    params: Mapping[str, Any] = {}
    state: RunState
    at: datetime
    ended_at: datetime | None = None
    counts: Mapping[str, int] = {}
    ids: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    part_of: str = ""
    undo_until: datetime
    undone_at: datetime | None = None


class RemovedNode(Value):
    """One node that went, or would go.

    Attributes:
        id: Of the node.
        kind: Its label: "Fact", "Procedure", "Tag", "Intent", "Term", "Community", "Message".
        text: What it says.
        reason: Why it goes.
        score: What decided, None where nothing was scored.
        survivor_id: What stays for it, "" where nothing does.
    """

    id: str
    kind: str
    text: str = ""
    reason: str = ""
    score: float | None = None
    survivor_id: str = ""


class RemovalReport(Value):
    """What an operation removed from a scope.

    Attributes:
        run_id: Its receipt, "" of a dry run.
        operation: Which operation.
        mode: Whether nodes were deleted or deprecated.
        is_dry_run: Nothing was changed: the numbers say what would be.
        checked: Target nodes that were looked at.
        deleted: Nodes that are gone, with `orphans` among them; of mode "deprecate" these alone.
        deprecated: Nodes that are kept and told no longer.
        orphans: Tags, Intents, Terms and Communities that lost their last child, by label.
        protected: Target nodes that would have gone, by what protects them: "pinned", "core",
            "pending", "chain" (it superseded another one, or was), "decision" (a decision about
            it waits).
        future: Nodes whose last use lies ahead; they count as used now.
        deleted_ids: Ids of what is gone, the target nodes first.
        removed: What went and why, the first thousand.
    """

    run_id: str = ""
    operation: str
    mode: RemovalMode = "delete"
    is_dry_run: bool = False
    checked: int = 0
    deleted: int = 0
    deprecated: int = 0
    orphans: Mapping[str, int] = {}
    protected: Mapping[str, int] = {}
    future: int = 0
    deleted_ids: tuple[str, ...] = ()
    removed: tuple[RemovedNode, ...] = ()


class UndoReport(Value):
    """What was taken back.

    Attributes:
        run_id: The run that was undone.
        restored: Nodes that are as they were before it.
        taken: Nodes that stay away, since the same was learned again meanwhile.
        changed: Nodes that stay as they are, since they were changed after the run.
    """

    run_id: str
    restored: int = 0
    taken: int = 0
    changed: int = 0


class MaintenanceStep(Value):
    """What one step of a tick did.

    Attributes:
        name: One of `STEPS`.
        state: "done"; "cut", where the time was over in the middle: the next tick goes on;
            "skipped", where it was over before; "failed".
        run_id: Its receipt, "" where it has none.
        counts: What it counted, by word.
        duration_ms: How long it took.
        error: What went wrong, "" where nothing did.
    """

    name: str
    state: Literal["done", "cut", "skipped", "failed"]
    run_id: str = ""
    counts: Mapping[str, int] = {}
    duration_ms: float = 0.0
    error: str = ""


class MaintenanceReport(Value):
    """What a tick did: each step, in order; an error of one does not keep the others.

    Attributes:
        run_id: The receipt of the whole; `undo` takes back all of its parts.
        steps: What each did.
        duration_ms: How long it took.
    """

    run_id: str
    steps: tuple[MaintenanceStep, ...] = ()
    duration_ms: float = 0.0

    @property
    def errors(self) -> tuple[str, ...]:
        """What went wrong, by step."""
        return tuple(f"{step.name}: {step.error}" for step in self.steps if step.error)
