"""`graphmem decay`: forget what is of no use, or see beforehand what would go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)

if TYPE_CHECKING:
    from graphmem.maintenance import (
        DecayPreview,
        RemovalReport,
        RemovedNode,
        ScoredNode,
        TierReport,
    )

__all__ = ["decay"]

# Characters of a text that a table shows, and of the longest bar.
_MOST_TEXT = 60
_WIDTH = 40
# Rows of nodes that a person reads; --json has more.
_MOST_ROWS = 20
_DAYS = 30
# Bars of a plot: of a long time each one is several days.
_MOST_BARS = 15


class NodeType(StrEnum):
    """What decays."""

    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Mode(StrEnum):
    """What becomes of what decays."""

    DELETE = "delete"
    DEPRECATE = "deprecate"


class Policy(StrEnum):
    """By which rule."""

    VALUE = "value"
    TIERED = "tiered"


def decay(
    *,
    threshold: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Of value: what is worth less goes.")
    ] = 0.1,
    node_type: Annotated[
        list[NodeType] | None,
        typer.Option("--type", help="Only facts (semantic) or procedures; repeatable."),
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="Of value: delete, or keep and tell no longer.")
    ] = Mode.DELETE,
    centred_reward: Annotated[
        bool,
        typer.Option("--centred-reward", help="Of value: let praise lift; else any rating lowers."),
    ] = False,
    policy: Annotated[
        Policy, typer.Option(help="value, or tiered: what upkeep does by itself.")
    ] = Policy.VALUE,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Change nothing; say what would go.")
    ] = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Change nothing; say what goes now, and what goes when."),
    ] = False,
    days: Annotated[
        int | None,
        typer.Option(min=1, max=3650, help="Of --preview: how far to look ahead; else 30."),
    ] = None,
    node: Annotated[
        list[str] | None,
        typer.Option(help="Of --preview: only this fact or procedure, by id; repeatable."),
    ] = None,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Forget facts and procedures that nobody uses; it asks nothing, and can be undone."""
    types = tuple(one.value for one in node_type or NodeType)
    if policy is Policy.TIERED and not preview and set(types) != {one.value for one in NodeType}:
        raise typer.BadParameter("the tiered policy takes both types", param_hint="--type")
    if not preview and (days is not None or node):
        # Who looks ahead wants nothing to go.
        raise typer.BadParameter(
            "this is of --preview: add it, and nothing is changed",
            param_hint="--node" if node else "--days",
        )
    with open_memory(scope) as memory, bar("Looking", "nodes") as progress:
        report: DecayPreview | RemovalReport | TierReport
        if preview:
            report = memory.decay_preview(
                node_types=types,
                threshold=threshold,
                policy=policy.value,
                days=_DAYS if days is None else days,
                centred_reward=centred_reward,
                ids=node or (),
                progress=progress,
            )
        elif policy is Policy.TIERED:
            report = memory.tiered_decay(dry_run=dry_run, progress=progress)
        else:
            report = memory.decay_nodes(
                threshold,
                node_types=types,
                dry_run=dry_run,
                mode=mode.value,
                centred_reward=centred_reward,
                progress=progress,
            )
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _show(report)


def _show(report: DecayPreview | RemovalReport | TierReport) -> None:
    from graphmem.maintenance import DecayPreview, TierReport

    if isinstance(report, DecayPreview):
        _show_preview(report)
    elif isinstance(report, TierReport):
        _show_tiers(report)
    else:
        _show_removed(report)


def _show_removed(report: RemovalReport) -> None:
    _show_nodes(report.removed, is_dry_run=report.is_dry_run)
    counts = {"looked at": report.checked, "deprecated": report.deprecated}
    targets = report.deleted - sum(report.orphans.values())
    counts |= {"deleted": targets, **_orphans(report.orphans)}
    _tell(counts, report.protected, report.future)
    _tell_undo(report.run_id, report.deleted + report.deprecated)


def _show_tiers(report: TierReport) -> None:
    _show_nodes(report.removed, is_dry_run=report.is_dry_run)
    counts = {
        "looked at": report.checked,
        "promoted": report.promoted,
        "demoted": report.demoted,
        "deprecated": report.deprecated,
        "purged": report.purged,
        **_orphans(report.orphans),
    }
    _tell(counts, report.protected, report.future)
    _tell_undo(report.run_id, report.deprecated + report.purged)


def _show_nodes(nodes: Sequence[RemovedNode], *, is_dry_run: bool) -> None:
    if not nodes:
        return
    rows = table("would go" if is_dry_run else "gone", "id", "kind", "what, and why")
    for one in nodes[:_MOST_ROWS]:
        rows.add_row(one.id, one.kind, f"{_short(one.text)}\n{visible(one.reason)}")
    stdout().print(rows)
    if len(nodes) > _MOST_ROWS:
        typer.echo(f"and {len(nodes) - _MOST_ROWS:,} more; --json has up to a thousand")


def _orphans(orphans: Mapping[str, int]) -> dict[str, int]:
    plural = {"Community": "Communities"}
    return {
        f"{label if count == 1 else plural.get(label, f'{label}s')} that led to it": count
        for label, count in orphans.items()
    }


def _tell(counts: Mapping[str, int], protected: Mapping[str, int], future: int) -> None:
    first, *rest = counts.items()
    told = [f"{first[1]:,} {first[0]}", *(f"{count:,} {name}" for name, count in rest if count)]
    if len(told) == 1:
        told.append("nothing goes")
    typer.echo(", ".join(told))
    if protected:
        typer.echo(f"protected: {', '.join(f'{n:,} {why}' for why, n in protected.items())}")
    if future:
        typer.echo(f"used last at a time that lies ahead, which counts as now: {future:,}")


def _tell_undo(run_id: str, gone: int) -> None:
    if run_id and gone:
        typer.echo(f"run {run_id}; to take it back: graphmem runs undo {run_id}")


def _show_preview(preview: DecayPreview) -> None:
    if preview.nodes:
        _show_scored(preview)
    if preview.goes_later:
        going = {"looked at": preview.checked, "would go now": preview.goes}
        going["would be purged now"] = preview.purges
        _tell(going, preview.protected, preview.future)
        _plot("goes, while nobody uses anything", preview.goes, preview.goes_later)
    if preview.purges_later:
        _plot("is purged, while nobody states it again", preview.purges, preview.purges_later)
    if preview.horizons:
        rows = table("how long a node lives from now on", "type", "what became of it", "days")
        for one in preview.horizons:
            rows.add_row(one.node_type, one.usage, _days(one.days))
        stdout().print(rows)


def _show_scored(preview: DecayPreview) -> None:
    # An id takes a third of a terminal's line: what makes a score stands in one column.
    rows = table("each factor", "id", "score", "goes in", "what, and why")
    for one in preview.nodes[:_MOST_ROWS]:
        told = [_short(one.text), _factors(one)]
        if one.next_tier and one.next_tier != one.tier:
            told.append(f"{one.tier} > {one.next_tier}")
        if one.protected:
            told.append(f"protected: {one.protected}")
        rows.add_row(one.id, f"{one.score:.3f}", _goes_in(one, preview), "\n".join(told))
    stdout().print(rows)
    if len(preview.nodes) > _MOST_ROWS:
        typer.echo(f"and {len(preview.nodes) - _MOST_ROWS:,} more; --json has up to a thousand")


def _factors(node: ScoredNode) -> str:
    last = ("reward", node.reward) if node.intrinsic is None else ("intrinsic", node.intrinsic)
    factors = (("recency", node.recency), ("frequency", node.frequency), last)
    numbers = ", ".join(f"{name} {number:.3f}" for name, number in factors)
    return f"{numbers} (idle for {node.idle_days:.1f} days, uses: {node.uses:,})"


def _plot(title: str, now: int, later: Sequence[int]) -> None:
    """Show a bar for each day, or for several where there are many days."""
    stretch = -(-len(later) // _MOST_BARS)
    bars = [("now", now)]
    for start in range(0, len(later), stretch):
        end = min(len(later), start + stretch)
        label = f"day {end}" if stretch == 1 else f"days {start + 1}-{end}"
        bars.append((label, sum(later[start:end])))
    if not any(count for _, count in bars):
        typer.echo(f"nothing {title.partition(',')[0]} within {len(later)} days")
        return
    rows = table(title, "when", "nodes", "")
    most = max(count for _, count in bars)
    for label, count in bars:
        length = max(1, round(_WIDTH * count / most)) if count else 0
        rows.add_row(label, f"{count:,}", "#" * length)
    stdout().print(rows)


def _goes_in(node: ScoredNode, preview: DecayPreview) -> str:
    if node.goes_in_days == 0:
        return "now"
    if node.goes_in_days is None and preview.policy == "tiered":
        # It was not looked for beyond that.
        return f"> {preview.days}"
    return _days(node.goes_in_days)


def _days(days: float | None) -> str:
    return "never" if days is None else f"{days:.1f}"


def _short(text: str) -> str:
    told = " ".join(visible(text).split())
    return told if len(told) <= _MOST_TEXT else f"{told[: _MOST_TEXT - 1]}…"
