"""How the command line shows what decay would take, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from graphmem.cli.console import stdout, table
from graphmem.cli.listing import comma, short, show_listing
from graphmem.cli.removals import MOST_ROWS, tell_more

if TYPE_CHECKING:
    from graphmem.maintenance import DecayPreview, Horizon, ScoredNode

__all__ = ["said", "show_preview", "tell_future"]

# Characters of the longest bar.
_WIDTH = 40
# Bars of a plot: of a long time each one is several days.
_MOST_BARS = 15


def show_preview(preview: DecayPreview, empty: str, *, explain: bool) -> None:
    """Print what goes now, what goes when, what never goes, and how long untouched nodes live.

    Args:
        preview: What was foreseen.
        empty: Why nothing was looked at, where that is so.
        explain: Tell each factor.
    """
    is_asked = not preview.goes_later
    if preview.nodes:
        _show_scored(preview, is_asked=is_asked, explain=explain or is_asked)
    if is_asked:
        return
    if not preview.checked:
        typer.echo(f"0 looked at: {empty}")
    else:
        _tell_counts(preview)
        _show_kept(preview)
        _plot("goes, while nobody uses anything", preview.goes, preview.goes_later)
    if preview.purges_later:
        _plot("is purged, while nobody states it again", preview.purges, preview.purges_later)
    if preview.horizons:
        _show_horizons(preview.horizons)


def said(kind: str, text: str) -> str:
    """Return what a node says; most are facts, and others are named."""
    return short(text if kind == "Fact" else f"{kind}: {text}")


def tell_future(future: int) -> None:
    """Say how many were used at a time that lies ahead."""
    if future:
        typer.echo(f"used last at a time that lies ahead, which counts as now: {future:,}")


def _tell_counts(preview: DecayPreview) -> None:
    told = [f"{preview.checked:,} looked at", f"{preview.goes:,} would go now"]
    if preview.purges:
        told.append(f"{preview.purges:,} would be purged now")
    typer.echo(", ".join(told))
    tell_future(preview.future)


def _show_kept(preview: DecayPreview) -> None:
    if not preview.kept:
        return
    told = ", ".join(f"{count:,} {why}" for why, count in sorted(preview.kept.items()))
    show_listing(
        f"protected, whatever they are worth: {told}",
        "what",
        (
            (one.id, (said(one.kind, one.text), f"protected: {one.protected}"))
            for one in preview.kept_nodes[:MOST_ROWS]
        ),
    )
    tell_more(sum(preview.kept.values()))


def _show_scored(preview: DecayPreview, *, is_asked: bool, explain: bool) -> None:
    show_listing(
        "each factor" if explain else "would go now",
        "what, and why" if explain else "what",
        (
            (
                one.id,
                (
                    said(one.kind, one.text),
                    comma(f"score {one.score:.3f}", _goes(one, preview) if explain else ""),
                    *(_why(one) if explain else ()),
                ),
            )
            for one in preview.nodes[:MOST_ROWS]
        ),
    )
    tell_more(len(preview.nodes) if is_asked else preview.goes)


def _why(node: ScoredNode) -> list[str]:
    last = ("reward", node.reward) if node.intrinsic is None else ("intrinsic", node.intrinsic)
    factors = (("recency", node.recency), ("frequency", node.frequency), last)
    told = [
        ", ".join(f"{name} {number:.3f}" for name, number in factors),
        f"idle for {node.idle_days:.1f} days, uses: {node.uses:,}",
    ]
    if node.next_tier and node.next_tier != node.tier:
        told.append(f"{node.tier} > {node.next_tier}")
    if node.protected:
        told.append(f"protected: {node.protected}")
    return told


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


def _show_horizons(horizons: Sequence[Horizon]) -> None:
    types = tuple(dict.fromkeys(one.node_type for one in horizons))
    rows = table("days that a node lives from now on", "what became of it", *types)
    lives: dict[str, list[str]] = {}
    for one in horizons:
        lives.setdefault(one.usage, []).append(_days(one.days))
    for usage, days in lives.items():
        rows.add_row(usage, *days)
    stdout().print(rows)


def _goes(node: ScoredNode, preview: DecayPreview) -> str:
    if node.protected:
        return "never goes"
    if node.goes_in_days == 0:
        return "goes now"
    if node.goes_in_days is None and preview.policy == "tiered":
        # It was not looked for beyond that.
        return f"goes in more than {preview.days} days"
    return "never goes" if node.goes_in_days is None else f"goes in {node.goes_in_days:.1f} days"


def _days(days: float | None) -> str:
    return "never" if days is None else f"{days:.1f}"
