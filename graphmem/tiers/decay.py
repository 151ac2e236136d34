"""Forgetting what is of no use: by value, by hand; and by tiers, as upkeep does by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from graphmem.checks import check_word
from graphmem.ids import check_ids
from graphmem.maintain.consolidation.consolidate import (
    Candidates,
    ConsolidationRequest,
    consolidation_request,
)
from graphmem.maintain.decay.preview import check_days, preview_tiers, preview_value
from graphmem.maintain.decay.tiered import decay_by_tiers, tier_request
from graphmem.maintain.decay.value import DecayRequest, decay_nodes, decay_request
from graphmem.maintain.runs import run_in
from graphmem.maintenance import (
    DecayPolicy,
    DecayPreview,
    RemovalMode,
    RemovalReport,
    RoutineReport,
    TierReport,
)
from graphmem.operation import Progress, operation
from graphmem.scoring import ValueCurves
from graphmem.tiers.cleaning import consolidate_scope

if TYPE_CHECKING:
    from graphmem.engine import Engine
    from graphmem.maintain.runs import Run

__all__ = ["AsyncDecay"]


class AsyncDecay:
    """The decay of one scope: a part of `AsyncMaintenance`."""

    _engine: Engine
    _scope: str

    async def decay_nodes(
        self,
        threshold: float = 0.1,
        *,
        node_types: Iterable[str] = ("semantic", "procedural"),
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        progress: Progress | None = None,
    ) -> RemovalReport:
        """Remove facts and procedures that are of no use: the policy of value, by hand.

        A node is worth recency x frequency x reward (docs/maintain.md, "Decay"). At the
        defaults one that nobody uses falls below .1 after 4.6 days, so a store that rests for
        a week is all but emptied: `decay_preview()` tells beforehand, `dry_run` lists, and
        `undo` takes it back.

        Args:
            threshold: What is worth less than that goes, from 0 to 1; the same stays.
            node_types: "semantic" (facts), "procedural" (procedures), or both.
            dry_run: Change nothing, and report what would go.
            mode: "delete", or "deprecate": kept, and told no longer.
            centred_reward: Whether a reward of one half counts as none does, so that praise
                lifts. As published, any rating puts a node below one that nobody rated.
            curves: Knobs of this call by type, such as {"semantic": {"floor": 0.5}}; they win
                over the setting `value_curves`.
            progress: Called with how many nodes were looked at, and of how many.

        Raises:
            InputError: A parameter is out of bounds.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed; what was removed until then stays so.
        """
        request = decay_request(
            threshold,
            node_types=node_types,
            mode=mode,
            dry_run=dry_run,
            centred_reward=centred_reward,
            curves=curves,
            configured=self._engine.settings.value_curves,
        )
        with operation("maintain.decay", self._scope, policy="value") as current:
            report = await self._decay(request, None, progress)
            current.fields["checked"] = report.checked
            current.fields["removed"] = report.deleted + report.deprecated
            return report

    async def tiered_decay(
        self, *, dry_run: bool = False, progress: Progress | None = None
    ) -> TierReport:
        """Do what the tiered policy does by itself in the background, now.

        Facts and procedures move between core, working and peripheral; peripheral ones that
        are worth little and were silent for `decay_auto_deprecate_after_days` are deprecated,
        and what decay deprecated `decay_purge_after_days` ago is deleted (docs/maintain.md,
        "Decay"). Stated again, a deprecated one is back.

        Args:
            dry_run: Change nothing, and report what would be done.
            progress: Called with how many nodes were looked at, and of how many.

        Raises:
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed; what was done until then stays so.
        """
        with operation("maintain.decay", self._scope, policy="tiered") as current:
            report = await decay_by_tiers(
                self._engine.db,
                self._scope,
                tier_request(self._engine.settings, is_dry_run=dry_run),
                clock=self._engine.clock,
                undo_window=self._engine.undo_window,
                progress=progress,
            )
            current.fields["checked"] = report.checked
            current.fields["removed"] = report.deprecated + report.purged
            return report

    async def decay_preview(
        self,
        *,
        node_types: Iterable[str] = ("semantic", "procedural"),
        threshold: float = 0.1,
        policy: DecayPolicy = "value",
        days: int = 30,
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        ids: Iterable[str] = (),
        progress: Progress | None = None,
    ) -> DecayPreview:
        """Return what decay would take now, and on each of the next days; nothing is changed.

        `nodes` tells each factor of what would go; with `ids`, of those nodes, so that it says
        why a fact went or when it will. `horizons` says how long a node lives that nobody
        touches. All of it holds while nothing is used: a use, a reward or a new statement
        lengthens a life.

        Args:
            node_types: "semantic" (facts), "procedural" (procedures), or both.
            threshold: Of the policy of value: what is worth less goes.
            policy: "value" (what `decay_nodes` does) or "tiered" (what upkeep does by itself,
                at one tick a day).
            days: How far to look ahead, 1 to 3,650.
            centred_reward: As of `decay_nodes`.
            curves: As of `decay_nodes`.
            ids: Only these facts and procedures, whatever their status.
            progress: Called with how many nodes were looked at, and of how many.

        Raises:
            InputError: A parameter is out of bounds.
            StoreError: The server failed.
        """
        check_word(policy, "policy", get_args(DecayPolicy))
        settings, now = self._engine.settings, self._engine.clock.now()
        asked, ahead = check_ids(ids, "ids"), check_days(days)
        request = decay_request(
            threshold,
            node_types=node_types,
            centred_reward=centred_reward,
            curves=curves,
            configured=settings.value_curves,
        )
        with operation("maintain.decay_preview", self._scope, policy=policy) as current:
            if policy == "value":
                preview = await preview_value(
                    self._engine.db,
                    self._scope,
                    request,
                    now=now,
                    days=ahead,
                    ids=asked,
                    progress=progress,
                )
            else:
                preview = await preview_tiers(
                    self._engine.db,
                    self._scope,
                    tier_request(settings),
                    node_types=tuple(request.curves),
                    now=now,
                    days=ahead,
                    ids=asked,
                    progress=progress,
                )
            current.fields["checked"] = preview.checked
            current.fields["goes"] = preview.goes
            return preview

    async def consolidate_and_decay(
        self,
        *,
        consolidate_threshold: float = 0.85,
        decay_threshold: float = 0.1,
        candidates: Candidates = "tags",
        node_types: Iterable[str] = ("semantic", "procedural"),
        dry_run: bool = False,
        mode: RemovalMode = "delete",
        centred_reward: bool = False,
        curves: Mapping[str, Mapping[str, float]] | None = None,
        progress: Progress | None = None,
    ) -> RoutineReport:
        """Consolidate, then decay: in this order, since a fact may be worth enough and double.

        Both work under one hold on the scope, and one `undo` takes both back.

        Args:
            consolidate_threshold: As of `consolidate_semantics`.
            decay_threshold: As of `decay_nodes`.
            candidates: As of `consolidate_semantics`.
            node_types: As of `decay_nodes`.
            dry_run: Change nothing, and report what would go. What survivors would get from
                their doubles is not counted in for them then.
            mode: "delete" or "deprecate", for both.
            centred_reward: As of `decay_nodes`.
            curves: As of `decay_nodes`.
            progress: Called by the one and then by the other.

        Raises:
            InputError: A parameter is out of bounds; nothing was changed.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed; what was removed until then stays so.
        """
        settings = self._engine.settings
        first = consolidation_request(
            consolidate_threshold,
            candidates=candidates,
            mode=mode,
            dry_run=dry_run,
            curve=ValueCurves.of(settings.value_curves).semantic,
        )
        then = decay_request(
            decay_threshold,
            node_types=node_types,
            mode=mode,
            dry_run=dry_run,
            centred_reward=centred_reward,
            curves=curves,
            configured=settings.value_curves,
        )
        with operation("maintain.consolidate_and_decay", self._scope) as current:
            report = await self._both(first, then, progress)
            current.fields["checked"] = report.checked
            current.fields["removed"] = report.consolidated + report.decayed
            return report

    async def _both(
        self, first: ConsolidationRequest, then: DecayRequest, progress: Progress | None
    ) -> RoutineReport:
        if first.is_dry_run:
            found = await consolidate_scope(self._engine, self._scope, first, progress=progress)
            return _routine("", found, await self._decay(_after(then, found), None, progress))
        async with run_in(
            self._engine.db,
            self._scope,
            "consolidate_and_decay",
            clock=self._engine.clock,
            params={"consolidate": first.params, "decay": then.params},
            undo_window=self._engine.undo_window,
        ) as whole:
            found = await consolidate_scope(
                self._engine, self._scope, first, part_of=whole, progress=progress
            )
            report = _routine(whole.id, found, await self._decay(then, whole, progress))
            whole.counts.update(
                {
                    "consolidated": report.consolidated,
                    "decayed": report.decayed,
                    "checked": report.checked,
                }
            )
            return report

    async def _decay(
        self, request: DecayRequest, whole: Run | None, progress: Progress | None
    ) -> RemovalReport:
        return await decay_nodes(
            self._engine.db,
            self._scope,
            request,
            clock=self._engine.clock,
            undo_window=self._engine.undo_window,
            part_of=whole,
            progress=progress,
        )


def _after(decay: DecayRequest, found: RemovalReport) -> DecayRequest:
    """Return a dry decay that looks at what a dry consolidation would leave."""
    facts = found.deleted - sum(found.orphans.values())
    return replace(
        decay,
        gone=frozenset((*found.deleted_ids[:facts], *found.deprecated_ids)),
        gone_orphans=frozenset(found.deleted_ids[facts:]),
    )


def _routine(run_id: str, found: RemovalReport, decayed: RemovalReport) -> RoutineReport:
    return RoutineReport(
        run_id=run_id,
        is_dry_run=found.is_dry_run,
        consolidated=found.deleted + found.deprecated,
        decayed=decayed.deleted + decayed.deprecated,
        checked=found.checked + decayed.checked,
        consolidation=found,
        decay=decayed,
    )
