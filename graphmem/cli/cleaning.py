"""`graphmem consolidate`, `orphans` and `retention`: what makes a scope smaller."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    counted,
    open_memory,
    print_json,
    stdout,
    table,
)
from graphmem.cli.listing import short, show_listing
from graphmem.cli.removals import (
    MOST_ROWS,
    DryRun,
    Mode,
    line,
    tell_more,
    tell_orphans,
    tell_protected,
    tell_undo,
    title,
)

if TYPE_CHECKING:
    from graphmem.maintain.retention import Kept
    from graphmem.maintenance import RemovalReport, RemovedNode

__all__ = ["consolidate", "orphans", "retention"]


class Candidates(StrEnum):
    """Which facts are compared."""

    TAGS = "tags"
    ALL = "all"


class Keep(StrEnum):
    """Which messages are kept."""

    ALL = "all"
    REFERENCED = "referenced"
    RECENT = "recent"


def consolidate(
    *,
    threshold: Annotated[
        float,
        typer.Option(
            min=0.0, max=1.0, help="Raw cosine that two facts must exceed, above 0 and up to 1."
        ),
    ] = 0.85,
    candidates: Annotated[
        Candidates, typer.Option(help="Pairs that share a tag, or any pair.")
    ] = Candidates.TAGS,
    mode: Annotated[Mode, typer.Option(help="Delete, or keep and tell no longer.")] = Mode.DELETE,
    dry_run: DryRun = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let facts that nearly say the same become one. No model is asked; it can be undone."""
    with open_memory(scope) as memory, bar("Comparing", "facts") as progress:
        report = memory.consolidate_semantics(
            threshold,
            candidates=candidates.value,
            dry_run=dry_run,
            mode=mode.value,
            progress=progress,
        )
        where = memory.scope
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _show_pairs([node for node in report.removed if node.kind == "Fact"], is_dry_run=dry_run)
    why_none = f"no fact lives in scope {where!r}"
    if report.checked:
        shared = "that share a tag " if candidates is Candidates.TAGS else ""
        why_none = f"no two {shared}are nearer than {threshold:g} and say the same"
    _tell_consolidated(report, why_none)
    tell_undo(report.run_id, report.deleted + report.deprecated, scope)


def _show_pairs(pairs: list[RemovedNode], *, is_dry_run: bool) -> None:
    if not pairs:
        return
    show_listing(
        title(is_dry_run=is_dry_run),
        "fact, and what stays for it",
        (entry for node in pairs[:MOST_ROWS] for entry in _both(node)),
    )
    tell_more(len(pairs))


def _both(node: RemovedNode) -> Iterator[tuple[str, tuple[str, str]]]:
    # What goes above what stays: beside one another they could not be told apart.
    yield node.id, (short(node.text), f"cosine {node.cosine or 0:.3f}, worth {node.score or 0:.3f}")
    stays = f"stays for it: {short(node.survivor_text)}"
    yield node.survivor_id, (stays, f"worth {node.survivor_score or 0:.3f}")


def _tell_consolidated(report: RemovalReport, why_none: str) -> None:
    gone = report.deprecated or report.deleted - sum(report.orphans.values())
    looked_at = f"{counted(report.checked, 'fact')} looked at"
    if gone:
        done = "deprecated" if report.deprecated else "deleted"
        told = f"{gone:,} would be {done}" if report.is_dry_run else f"{gone:,} {done}"
        typer.echo(f"{looked_at}, {told}")
    else:
        goes = "nothing would go" if report.is_dry_run else "nothing goes"
        free = "of those that are not protected " if report.protected else ""
        typer.echo(f"{looked_at}, {goes}: {free}{why_none}")
    if report.skipped:
        typer.echo(f"{report.skipped:,} have no vector, and were not compared")
    if report.cut:
        typer.echo(f"{report.cut:,} have too many beside them to be compared with all of these")
    tell_orphans(report.orphans, is_dry_run=report.is_dry_run)
    tell_protected(report.protected)


def orphans(
    *,
    dry_run: DryRun = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete what leads nowhere: tags, intents, names, communities. It can be undone."""
    with open_memory(scope) as memory:
        report = memory.clean_orphans(dry_run=dry_run)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _show_nodes(report)
    if not report.orphans:
        typer.echo("nothing leads nowhere: every tag, intent, name and community has a child")
    tell_orphans(report.orphans, is_dry_run=dry_run)
    tell_undo(report.run_id, report.deleted, scope)


def retention(
    *,
    keep: Annotated[
        Keep | None,
        typer.Option(
            help="all, those of turns (referenced), or recent ones as well; default: the setting."
        ),
    ] = None,
    recent_turns: Annotated[
        int | None,
        typer.Option(min=0, help="Of recent: as new as so many newest turns of the session."),
    ] = None,
    days: Annotated[
        float | None, typer.Option(min=0, help="Of recent: of so many last days.")
    ] = None,
    batch: Annotated[
        int, typer.Option(min=1, max=10_000, help="Messages of one transaction.")
    ] = 500,
    dry_run: DryRun = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete raw messages that no turn refers to. Keeps all unless told otherwise."""
    with open_memory(scope) as memory, bar("Looking", "messages") as progress:
        kept: Kept = memory.settings.message_retention if keep is None else keep.value
        if kept != "recent" and (recent_turns is not None or days is not None):
            raise typer.BadParameter(
                "this is of --keep recent: add it",
                param_hint="--recent-turns" if recent_turns is not None else "--days",
            )
        report = memory.retain_messages(
            kept,
            recent_turns=recent_turns,
            days=days,
            batch=batch,
            dry_run=dry_run,
            progress=progress,
        )
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _show_nodes(report)
    if kept == "all":
        typer.echo("all messages are kept: --keep or the setting message_retention says otherwise")
        return
    done = "would be deleted" if dry_run else "deleted"
    typer.echo(f"{counted(report.checked, 'message')} looked at, {report.deleted:,} {done}")
    tell_protected(report.protected)
    tell_undo(report.run_id, report.deleted, scope)


def _show_nodes(report: RemovalReport) -> None:
    if not report.removed:
        return
    rows = table(title(is_dry_run=report.is_dry_run), "what", "why", "text")
    for node in report.removed[:MOST_ROWS]:
        rows.add_row(node.kind, node.reason, line(node.text))
    stdout().print(rows)
    tell_more(len(report.removed))
