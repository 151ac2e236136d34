"""`graphmem communities`: which names belong together."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    note,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)

if TYPE_CHECKING:
    from graphmem.communities import Community, CommunityReport

__all__ = ["communities"]


class Engine(StrEnum):
    """What finds all communities."""

    AUTO = "auto"
    GDS = "gds"
    PYTHON = "python"


class Summaries(StrEnum):
    """Who says what they are about."""

    LOCAL = "local"
    LLM = "llm"


def communities(
    *,
    update: Annotated[
        bool, typer.Option("--update", help="First put anew what changed since the last time.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="First find all of them anew.")
    ] = False,
    engine: Annotated[
        Engine | None,
        typer.Option(help="Of --rebuild: what finds all of them; else auto."),
    ] = None,
    summaries: Annotated[
        Summaries | None,
        typer.Option(
            help="Of --update and --rebuild: who says what they are about; else local. llm = the "
            "configured model."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="The most to list.")] = 20,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List which names are spoken of together, the largest first."""
    if engine is not None and not rebuild:
        raise typer.BadParameter("this is of --rebuild: add it", param_hint="--engine")
    if summaries is not None and not (update or rebuild):
        raise typer.BadParameter("this is of --update: add it", param_hint="--summaries")
    report = None
    with open_memory(scope) as memory:
        if update or rebuild:
            with bar("Communities", "names") as advance:
                report = memory.update_communities(
                    rebuild=rebuild,
                    engine=(engine or Engine.AUTO).value,
                    summaries=(summaries or Summaries.LOCAL).value,
                    progress=advance,
                )
        found = memory.communities(limit=limit)
    if as_json:
        told = [one.model_dump(mode="json") for one in found]
        done = None if report is None else report.model_dump(mode="json")
        print_json({"report": done, "communities": told})
        return
    if report is not None and report.terms:
        note(_told(report))
    if not found:
        typer.echo(
            "no names are in communities yet: --update finds them"
            if report is None
            else "no names are known here"
        )
        return
    _show(found)


def _show(found: list[Community]) -> None:
    rows = table("communities", "no.", "names", "about", "first of them")
    for one in found:
        rows.add_row(
            str(one.ordinal),
            str(one.size),
            visible(one.summary),
            visible(", ".join(term.name for term in one.terms)),
        )
    stdout().print(rows)


def _told(report: CommunityReport) -> str:
    how = {"gds": "Graph Data Science", "python": "Python", "": "nothing had changed"}
    parts = [
        f"{report.terms} names in {report.communities} communities ({how[report.engine]})",
        f"{report.moved} moved",
        f"{report.created} new, {report.changed} changed, {report.dropped} dropped",
        f"{report.summaries + report.llm_summaries} summaries",
    ]
    if report.llm_calls:
        parts.append(
            f"{report.llm_calls} calls, {report.prompt_tokens + report.completion_tokens} tokens"
        )
    if not report.converged:
        parts.append("broken off at the cap on rounds")
    return "; ".join([*parts, *report.errors])
