"""What upkeep says of itself: runs, what they removed and why, and what was protected."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from graphmem.models import Value

__all__ = [
    "IRREVERSIBLE",
    "OPERATIONS",
    "REMOVAL_MODES",
    "STEPS",
    "DecayPolicy",
    "DecayPreview",
    "Horizon",
    "MaintenanceReport",
    "MaintenanceRun",
    "MaintenanceStep",
    "RemovalMode",
    "RemovalReport",
    "RemovedNode",
    "RoutineReport",
    "RunState",
    "ScoredNode",
    "StepState",
    "TierReport",
    "UndoReport",
]

# "delete" can be undone for some days, and is gone then; "deprecate" keeps the node, untold.
RemovalMode = Literal["delete", "deprecate"]
REMOVAL_MODES: tuple[RemovalMode, ...] = ("delete", "deprecate")
# "value" is Mnemosyne's, by hand; "tiered" is Graph Memory's, which upkeep does by itself.
DecayPolicy = Literal["value", "tiered"]


# What a tick does, in its order.
STEPS = ("backfill", "communities", "consolidate", "decay", "orphans", "retention", "tombstones")
# What leaves a run, by the name that it has: steps, the tick, and what is done by hand alone.
OPERATIONS = ("maintain", *STEPS[1:], "consolidate_and_decay", "undo")
# Of those, what undo does not take back, and why.
IRREVERSIBLE = {
    "communities": "it took nothing away; update_communities(rebuild=True) makes them anew",
    "tombstones": "it deleted for good what could be taken back no longer",
    "undo": "it is an undo; what it brought back goes again by the operation itself",
}
StepState = Literal["done", "cut", "skipped", "failed"]


class RunState(StrEnum):
    """How a run of upkeep stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    # Its process ended, or its caller gave up; what it did until then stands.
    BROKEN = "broken"
    UNDONE = "undone"


class MaintenanceRun(Value):
    """One operation of upkeep in one scope: the receipt that stays in the graph.

    Attributes:
        operation: One of `OPERATIONS`.
        params: What it was called with.
        state: How it stands.
        at: When it began.
        ended_at: None while it runs.
        counts: What it counted, by word.
        ids: What it changed, the first thousand; `CHANGED` relationships lead to all that `undo`
            takes back.
        errors: What went wrong, a sentence each.
        part_of: The run that it is a part of, "" for one of its own.
        parts: What it did one after the other, where it is a tick or a routine; told by `run()`
            alone, not by `runs()`.
        undo_until: Until when `undo` takes it back; see `may_be_undone`.
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
    parts: tuple[MaintenanceRun, ...] = ()
    undo_until: datetime
    undone_at: datetime | None = None

    @property
    def may_be_undone(self) -> bool:
        """Whether it is one of those that `undo` takes back, until `undo_until`."""
        return self.operation not in IRREVERSIBLE and self.state is not RunState.UNDONE


class RemovedNode(Value):
    """One node that went, or would go.

    Attributes:
        id: Of the node.
        kind: Its label: "Fact", "Procedure", "Tag", "Intent", "Term", "Community", "Message".
        text: What it says.
        reason: Why it goes.
        score: What decided, None where nothing was scored.
        survivor_id: What stays for it, "" where nothing does.
        survivor_text: What that says.
        survivor_score: What decided in its favour.
        cosine: Raw cosine of the two, None where none was measured.
    """

    id: str
    kind: str
    text: str = ""
    reason: str = ""
    score: float | None = None
    survivor_id: str = ""
    survivor_text: str = ""
    survivor_score: float | None = None
    cosine: float | None = None


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
        skipped: Target nodes that could not be compared, since they have no vector (yet).
        cut: Target nodes that were not compared with all that share a Tag with them, since these
            were too many.
        deleted_ids: Ids of what is gone, the target nodes first.
        deprecated_ids: Ids of what was deprecated.
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
    skipped: int = 0
    cut: int = 0
    deleted_ids: tuple[str, ...] = ()
    deprecated_ids: tuple[str, ...] = ()
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
    state: StepState
    run_id: str = ""
    counts: Mapping[str, int] = {}
    duration_ms: float = 0.0
    error: str = ""


class MaintenanceReport(Value):
    """What a tick did: each step as it was done; an error of one does not keep the others.

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


class RoutineReport(Value):
    """What consolidation and decay removed, one after the other.

    Attributes:
        run_id: The receipt of both together, "" of a dry run; `undo` takes both back.
        is_dry_run: Nothing was changed: the numbers say what would be.
        consolidated: Nodes that consolidation removed.
        decayed: Nodes that decay removed.
        checked: Nodes that were looked at, by both together.
        consolidation: All of the first.
        decay: All of the second.
    """

    run_id: str = ""
    is_dry_run: bool = False
    consolidated: int = 0
    decayed: int = 0
    checked: int = 0
    consolidation: RemovalReport
    decay: RemovalReport


class TierReport(Value):
    """What the tiered policy did in a scope.

    Attributes:
        run_id: Its receipt, "" of a dry run.
        is_dry_run: Nothing was changed: the numbers say what would be.
        checked: Live facts and procedures that were looked at.
        promoted: Those that went up a tier.
        demoted: Those that went down one.
        deprecated: Silent peripheral ones that are told no longer.
        purged: Those that decay had deprecated, for long enough, and that are deleted now.
        dated: Those that decay had deprecated, nobody knew when: their time begins now.
        orphans: Tags, Intents, Terms and Communities that lost their last child, by label.
        protected: What would have been deprecated or purged, by what protects it.
        future: Nodes whose last use lies ahead; they count as used now.
        deprecated_ids: Ids of what was deprecated.
        purged_ids: Ids of what was purged.
        removed: What was deprecated or purged and why, the first thousand.
    """

    run_id: str = ""
    is_dry_run: bool = False
    checked: int = 0
    promoted: int = 0
    demoted: int = 0
    deprecated: int = 0
    purged: int = 0
    dated: int = 0
    orphans: Mapping[str, int] = {}
    protected: Mapping[str, int] = {}
    future: int = 0
    deprecated_ids: tuple[str, ...] = ()
    purged_ids: tuple[str, ...] = ()
    removed: tuple[RemovedNode, ...] = ()


class ScoredNode(Value):
    """What decay makes of one fact or procedure, with each factor.

    Attributes:
        id: Of the node.
        kind: "Fact" or "Procedure".
        text: What it says.
        status: As it stands.
        tier: "core", "working" or "peripheral".
        next_tier: Where the tiered policy puts it now; "" by the policy of value.
        uses: Times it was recalled; by the tiered policy also those it was stated again.
        rewards: How many rewards it got.
        idle_days: Days since its last use.
        age_days: Days since it was made; None by the policy of value.
        recency: How fresh its last use is, from 0 to 1.
        frequency: How often it was used, from 0 to 1.
        reward: What its rewards say; None by the tiered policy, which knows none.
        intrinsic: What its Terms are worth in the graph; None by the policy of value.
        score: The product of the factors (value), or their weighted mean (tiered).
        goes_in_days: In how many days it goes while nobody uses it; 0 = now, None = never, or
            not within the days that were asked for.
        protected: What keeps it from going, as of `RemovalReport.protected`, "" = nothing.
    """

    id: str
    kind: str
    text: str = ""
    status: str = "active"
    tier: str = "working"
    next_tier: str = ""
    uses: int = 0
    rewards: int = 0
    idle_days: float = 0.0
    age_days: float | None = None
    recency: float
    frequency: float
    reward: float | None = None
    intrinsic: float | None = None
    score: float
    goes_in_days: float | None = None
    protected: str = ""


class Horizon(Value):
    """How long a node lives that nobody touches from now on.

    Attributes:
        node_type: "semantic" or "procedural".
        usage: What became of it before, in words.
        days: Until it goes; None = never.
    """

    node_type: str
    usage: str
    days: float | None


class DecayPreview(Value):
    """What decay would take, and when; nothing was changed.

    Attributes:
        policy: "value" or "tiered".
        at: The instant that it was looked at.
        days: How far ahead.
        threshold: Below which a node goes; None of the tiered policy.
        checked: Live nodes of the types that were looked at.
        goes: How many go now: are deleted (value) or deprecated (tiered).
        goes_later: How many go on each day from tomorrow on, in order, while nobody uses them.
        purges: Of the tiered policy: how many that it deprecated are deleted now.
        purges_later: The same on each day from tomorrow on.
        protected: What would go now, by what protects it.
        kept: All live nodes that stay whatever they are worth, by what protects them (for as
            long as it does: a decision may be made). Empty where nodes were asked for.
        kept_nodes: These with each factor, the first thousand.
        future: Nodes whose last use lies ahead; they count as used now.
        nodes: Those that go now with each factor, the first thousand; or those asked for.
        horizons: How long untouched nodes live, by type and by what became of them before.
    """

    policy: DecayPolicy
    at: datetime
    days: int
    threshold: float | None = None
    checked: int = 0
    goes: int = 0
    goes_later: tuple[int, ...] = ()
    purges: int = 0
    purges_later: tuple[int, ...] = ()
    protected: Mapping[str, int] = {}
    kept: Mapping[str, int] = {}
    kept_nodes: tuple[ScoredNode, ...] = ()
    future: int = 0
    nodes: tuple[ScoredNode, ...] = ()
    horizons: tuple[Horizon, ...] = ()
