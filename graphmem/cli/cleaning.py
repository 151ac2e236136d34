"""`graphmem consolidate`, `orphans` and `retention`: what makes a scope smaller."""

from __future__ import annotations

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
    from graphmem.maintenance import RemovalReport, RemovedNode

__all__ = ["consolidate", "orphans", "retention"]

# Characters of a text in a table, and its rows: --json has more.
_MOST_TEXT = 60
_MOST_ROWS = 20

DryRun = Annotated[bool, typer.Option("--dry-run", help="Change nothing; say what would go.")]


class Candidates(StrEnum):
    """Which facts are compared."""

    TAGS = "tags"
    ALL = "all"


class Mode(StrEnum):
    """What becomes of the one that is worth less."""

    DELETE = "delete"
    DEPRECATE = "deprecate"


class Keep(StrEnum):
    """Which messages are kept."""

    ALL = "all"
    REFERENCED = "referenced"
    RECENT = "recent"


def consolidate(
    *,
    threshold: Annotated[
        float, typer.Option(help="Raw cosine that two facts must exceed, above 0 and up to 1.")
    ] = 0.85,
    candidates: Annotated[
        Candidates, typer.Option(help="Pairs that share a tag, or any pair.")
    ] = Candidates.TAGS,
    mode: Annotated[Mode, typer.Option(help="Delete, or keep and tell no longer.")] = Mode.DELETE,
    dry_run: DryRun = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let facts that nearly say the same become one; no model is asked, and it can be undone."""
    with open_memory(scope) as memory, bar("Comparing", "facts") as progress:
        report = memory.consolidate_semantics(
            threshold,
            candidates=candidates.value,
            dry_run=dry_run,
            mode=mode.value,
            progress=progress,
        )
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    pairs = [node for node in report.removed if node.kind == "Fact"]
    if pairs:
        _print_pairs(pairs, "would go" if dry_run else "went")
    facts = report.deprecated or report.deleted - sum(report.orphans.values())
    done = "deprecated" if report.deprecated else "deleted"
    typer.echo(f"{report.checked:,} facts looked at, {facts:,} {_told(done, dry_run)}")
    if report.skipped:
        typer.echo(f"{report.skipped:,} have no vector, and were not compared")
    if report.cut:
        typer.echo(f"{report.cut:,} share a tag with too many to be compared with all of them")
    _print_rest(report)


def orphans(
    *,
    dry_run: DryRun = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Delete tags, intents, terms and communities that lead nowhere; it can be undone."""
    with open_memory(scope) as memory:
        report = memory.clean_orphans(dry_run=dry_run)
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _print_nodes(report.removed, "would go" if dry_run else "went")
    _print_rest(report, is_alone=True)


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
    """Delete raw messages that no turn refers to; keeps all unless told otherwise."""
    with open_memory(scope) as memory, bar("Looking", "messages") as progress:
        report = memory.retain_messages(
            None if keep is None else keep.value,
            recent_turns=recent_turns,
            days=days,
            batch=batch,
            dry_run=dry_run,
            progress=progress,
        )
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    _print_nodes(report.removed, "would go" if dry_run else "went")
    typer.echo(
        f"{report.checked:,} messages looked at, {report.deleted:,} {_told('deleted', dry_run)}"
    )
    for why, count in sorted(report.protected.items()):
        typer.echo(f"{count:,} stay: {why}")
    _print_undo(report)


def _print_pairs(pairs: list[RemovedNode], title: str) -> None:
    rows = table(title, "fact", "worth", "for", "worth", "cosine")
    for node in pairs[:_MOST_ROWS]:
        rows.add_row(
            _short(node.text),
            f"{node.score or 0:.3f}",
            _short(node.survivor_text),
            f"{node.survivor_score or 0:.3f}",
            f"{node.cosine or 0:.3f}",
        )
    stdout().print(rows)


def _print_nodes(nodes: tuple[RemovedNode, ...], title: str) -> None:
    if not nodes:
        return
    rows = table(title, "what", "text", "why")
    for node in nodes[:_MOST_ROWS]:
        rows.add_row(node.kind, _short(node.text), node.reason)
    stdout().print(rows)


def _print_rest(report: RemovalReport, *, is_alone: bool = False) -> None:
    for label, count in report.orphans.items():
        typer.echo(f"{count:,} {label}s that led nowhere {_told('deleted', report.is_dry_run)}")
    if is_alone and not report.orphans:
        typer.echo("nothing leads nowhere")
    for why, count in sorted(report.protected.items()):
        typer.echo(f"{count:,} stay, protected: {why}")
    _print_undo(report)


def _print_undo(report: RemovalReport) -> None:
    if report.run_id and (report.deleted or report.deprecated):
        typer.echo(f"run {report.run_id}: to take it back, `graphmem runs undo {report.run_id}`")


def _told(done: str, is_dry_run: bool) -> str:
    return f"would be {done}" if is_dry_run else done


def _short(text: str) -> str:
    told = visible(" ".join(text.split()))
    return told if len(told) <= _MOST_TEXT else f"{told[: _MOST_TEXT - 1]}…"
