"""`graphmem terms`: who and what is spoken of, and which names mean the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)

if TYPE_CHECKING:
    from graphmem.terms import Term

__all__ = ["app"]

app = typer.Typer(
    help="Join names that mean the same, and tell namesakes apart.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_terms(
    query: Annotated[
        str | None, typer.Argument(metavar="[WORD]", help="What a name or alias contains.")
    ] = None,
    *,
    limit: Annotated[int, typer.Option(min=0, help="The most to list.")] = 100,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """List names with their aliases, the most mentioned first."""
    with open_memory(scope) as memory:
        found = memory.terms(limit=limit, query=query)
    if as_json:
        print_json([term.model_dump(mode="json") for term in found])
        return
    if not found:
        typer.echo("no such name is known")
        return
    rows = table("terms", "name", "aliases", "turns", "facts")
    for term in found:
        aliases = visible(", ".join(term.aliases))
        rows.add_row(visible(term.name), aliases, str(term.mentions), str(term.facts))
    stdout().print(rows)


@app.command("merge")
def merge(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What stands for both.")],
    alias: Annotated[str, typer.Argument(metavar="ALIAS", help="What leads to it from now on.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; it is kept.")] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Also where they differ in a number alone.")
    ] = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say that two names mean the same; `unmerge` takes that back."""
    with open_memory(scope) as memory:
        merged = memory.merge_terms(name, alias, reason=reason, force=force)
    if as_json:
        print_json(merged.model_dump(mode="json"))
    else:
        typer.echo(visible(f"{merged.alias} means {merged.term.name} from now on"))
        typer.echo(f"moved: {merged.mentions} mentions, {merged.facts} facts")


@app.command("unmerge")
def unmerge(
    alias: Annotated[str, typer.Argument(metavar="ALIAS", help="A name that was merged.")],
    *,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let a name stand for itself again. What was said by it goes back to it."""
    with open_memory(scope) as memory:
        term = memory.unmerge_term(alias)
    _show(term, as_json=as_json)


@app.command("split")
def split(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What both are called.")],
    *,
    qualifier: Annotated[str, typer.Option(help="What the one is, such as baker.")],
    turn: Annotated[
        list[str], typer.Option("--turn", help="A turn that speaks of that one; repeatable.")
    ],
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell two apart that bear one name. What some turns say of it goes to the qualified one."""
    with open_memory(scope) as memory:
        told = memory.split_term(name, qualifier=qualifier, turn_ids=turn)
    if as_json:
        print_json(told.model_dump(mode="json"))
    else:
        _show(told.term, as_json=False)
        _show(told.rest, as_json=False)


def _show(term: Term, *, as_json: bool) -> None:
    if as_json:
        print_json(term.model_dump(mode="json"))
    else:
        typer.echo(visible(f"{term.name}: {term.mentions} turns, {term.facts} facts"))
