"""`graphmem decay`: forget what is of no use, or see beforehand what would go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    open_memory,
    print_json,
)
from graphmem.cli.decay_preview import said, show_preview, tell_future
from graphmem.cli.listing import show_listing
from graphmem.cli.removals import (
    MOST_ROWS,
    DryRun,
    Mode,
    tell_more,
    tell_orphans,
    tell_protected,
    tell_undo,
    title,
)
from graphmem.errors import InputError

if TYPE_CHECKING:
    from graphmem.maintenance import DecayPreview, RemovalReport, TierReport
    from graphmem.sync import GraphMemory

__all__ = ["decay"]

_NOUN = {"semantic": "fact", "procedural": "procedure"}
_THRESHOLD = 0.1
_DAYS = 30
# What takes a node out of answers; else it moved alone.
_GONE = ("deprecated", "deleted", "purged")


class NodeType(StrEnum):
    """What decays."""

    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class Policy(StrEnum):
    """By which rule."""

    VALUE = "value"
    TIERED = "tiered"


def decay(
    *,
    threshold: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Of value: what is worth less goes; else 0.1."),
    ] = None,
    node_type: Annotated[
        list[NodeType] | None,
        typer.Option("--type", help="Only facts (semantic) or procedures; repeatable."),
    ] = None,
    mode: Annotated[
        Mode | None, typer.Option(help="Of value: delete, or keep and tell no longer; else delete.")
    ] = None,
    centred_reward: Annotated[
        bool,
        typer.Option("--centred-reward", help="Of value: let praise lift; else any rating lowers."),
    ] = False,
    policy: Annotated[
        Policy, typer.Option(help="value, or tiered: what upkeep does by itself.")
    ] = Policy.VALUE,
    dry_run: DryRun = False,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Change nothing; say what goes now, and what goes when."),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Tell of each one why it goes, factor by factor.")
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
    """Forget facts and procedures that nobody uses. It asks nothing; it can be undone."""
    types = tuple(one.value for one in node_type or NodeType)
    if policy is Policy.TIERED:
        _refuse(
            "the tiered policy knows none: leave it out, or take --policy value",
            {
                "--threshold": threshold is not None,
                "--mode": mode is not None,
                "--centred-reward": centred_reward,
                "--type": not preview and set(types) != {one.value for one in NodeType},
            },
        )
    if not preview:
        # Who looks ahead wants nothing to go.
        _refuse(
            "this is of --preview: add it, and nothing is changed",
            {"--days": days is not None, "--node": bool(node)},
        )
    least = _THRESHOLD if threshold is None else threshold
    with open_memory(scope) as memory, bar("Looking", "nodes") as progress:
        report: DecayPreview | RemovalReport | TierReport
        if preview:
            report = memory.decay_preview(
                node_types=types,
                threshold=least,
                policy=policy.value,
                days=_DAYS if days is None else days,
                centred_reward=centred_reward,
                ids=node or (),
                progress=progress,
            )
            _check_there(node or (), report, memory.scope)
        elif policy is Policy.TIERED:
            report = memory.tiered_decay(dry_run=dry_run, progress=progress)
        else:
            report = memory.decay_nodes(
                least,
                node_types=types,
                dry_run=dry_run,
                mode=(mode or Mode.DELETE).value,
                centred_reward=centred_reward,
                progress=progress,
            )
        empty = _why_none(memory, policy, types)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        _show(report, least, empty, scope, explain=explain)


def _check_there(ids: Iterable[str], preview: DecayPreview, scope: str) -> None:
    found = {node.id for node in preview.nodes}
    absent = [one for one in ids if one not in found]
    if absent:
        raise InputError(
            f"there is no fact and no procedure {', '.join(map(repr, absent))} in scope {scope!r}: "
            "`graphmem facts list` and `graphmem procedures list` show the ids of those that are",
            kind="no-such-node",
            ids=absent,
        )


def _refuse(why: str, given: Mapping[str, bool]) -> None:
    for option, is_given in given.items():
        if is_given:
            raise typer.BadParameter(why, param_hint=option)


def _why_none(memory: GraphMemory, policy: Policy, types: Iterable[str]) -> str:
    """Return why nothing would be looked at."""
    if policy is Policy.TIERED and not memory.settings.decay_enabled:
        return "the setting decay_enabled is off"
    wanted = " and ".join(f"no {_NOUN[one]}" for one in types)
    return f"{wanted} lives in scope {memory.scope!r}"


def _show(
    report: DecayPreview | RemovalReport | TierReport,
    least: float,
    empty: str,
    scope: str | None,
    *,
    explain: bool,
) -> None:
    from graphmem.maintenance import DecayPreview, TierReport

    if isinstance(report, DecayPreview):
        show_preview(report, empty, explain=explain)
        return
    is_tiered = isinstance(report, TierReport)
    counts = _tier_counts(report) if isinstance(report, TierReport) else _value_counts(report)
    gone = sum(counts[name] for name in _GONE if name in counts)
    stay = "used, or not silent for long enough" if is_tiered else f"worth {least:g} or more"
    _show_nodes(report, gone, explain=explain)
    _tell_counts(report, counts, gone, stay if report.checked else empty)
    tell_orphans(report.orphans, is_dry_run=report.is_dry_run)
    tell_protected(report.protected)
    tell_future(report.future)
    tell_undo(report.run_id, gone + sum(report.orphans.values()), scope)


def _value_counts(report: RemovalReport) -> dict[str, int]:
    deleted = report.deleted - sum(report.orphans.values())
    return {"deprecated": report.deprecated, "deleted": deleted}


def _tier_counts(report: TierReport) -> dict[str, int]:
    return {
        "promoted": report.promoted,
        "demoted": report.demoted,
        "deprecated": report.deprecated,
        "purged": report.purged,
    }


def _tell_counts(
    report: RemovalReport | TierReport, counts: Mapping[str, int], gone: int, stay: str
) -> None:
    would = "would be " if report.is_dry_run else ""
    told = [f"{report.checked:,} looked at"]
    told += [f"{count:,} {would}{name}" for name, count in counts.items() if count]
    if gone:
        typer.echo(", ".join(told))
        return
    told.append("nothing would go" if report.is_dry_run else "nothing goes")
    kept = sum(report.protected.values())
    reasons = [f"{max(0, report.checked - kept):,} {stay}" if report.checked else stay]
    if kept:
        reasons.append(f"{kept:,} protected")
    typer.echo(f"{', '.join(told)}: {', '.join(reasons)}")


def _show_nodes(report: RemovalReport | TierReport, gone: int, *, explain: bool) -> None:
    # What led to them is told in a line of its own.
    nodes = report.removed[: min(gone, MOST_ROWS)]
    if not nodes:
        return
    show_listing(
        title(is_dry_run=report.is_dry_run),
        "what, and why" if explain else "what",
        (
            (
                one.id,
                (
                    said(one.kind, one.text),
                    "" if one.score is None else f"score {one.score:.3f}",
                    one.reason if explain else "",
                ),
            )
            for one in nodes
        ),
    )
    tell_more(gone)
