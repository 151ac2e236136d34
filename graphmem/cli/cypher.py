"""`graphmem cypher`: the queries, to be read and to be pasted into Neo4j Browser."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphmem.cli.console import JsonFlag, print_json, stdout, table
from graphmem.queries import SLOTS, Query, all_queries, get_query

__all__ = ["app"]

# The scope that the values in the files' headers name.
_SCOPE_OF_TRY = "demo"

app = typer.Typer(
    help="Show the Cypher that graphmem runs.", no_args_is_help=True, rich_markup_mode=None
)


@app.command("list")
def list_queries(
    stage: Annotated[str | None, typer.Argument(help="Only one folder, such as 'recall'.")] = None,
    *,
    as_json: JsonFlag = False,
) -> None:
    """List every query with what it does."""
    # One that is made for a slot differs from its twin by a letter: it is listed once.
    queries = [
        query
        for query in all_queries()
        if query.slot in (None, SLOTS[0]) and stage in (None, query.stage)
    ]
    if not queries:
        stages = ", ".join(sorted({query.stage for query in all_queries()}))
        raise typer.BadParameter(f"{stage!r} is none of the folders: {stages}", param_hint="STAGE")
    if as_json:
        print_json([_described(query) for query in queries])
        return
    shown = table("queries", "name", "mode", "what it does")
    for query in queries:
        shown.add_row(query.name, query.mode, query.does)
    stdout().print(shown)


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(help="Such as recall/find_by_text.")],
    *,
    slot: Annotated[str, typer.Option("--slot", help="Which vectors it looks at: a or b.")] = SLOTS[
        0
    ],
    scope: Annotated[
        str, typer.Option("--scope", help="Whose memory it is to look at.")
    ] = _SCOPE_OF_TRY,
    as_json: JsonFlag = False,
) -> None:
    """Print one query, its values filled in, for Neo4j Browser."""
    query = _find(name.removesuffix(".cypher"), slot)
    if as_json:
        texts = {"try": query.tries, "text": query.body, "filled": _filled(query, scope)}
        print_json({**_described(query), **texts})
        return
    typer.echo(f"// {query.name}: {query.does}\n{_filled(query, scope)};")


def _filled(query: Query, scope: str) -> str:
    quoted = "'{}'".format(scope.replace("\\", r"\\").replace("'", r"\'"))
    return query.filled().replace(f"'{_SCOPE_OF_TRY}'", quoted)


def _find(name: str, slot: str) -> Query:
    if slot not in SLOTS:
        raise typer.BadParameter(f"it is one of {', '.join(SLOTS)}", param_hint="--slot")
    has_slot = any(query.name == name and query.slot for query in all_queries())
    return get_query(name, slot if has_slot else None)


def _described(query: Query) -> dict[str, Any]:
    return {
        "name": query.name,
        "does": query.does,
        "mode": query.mode,
        "needs": {product: list(version) for product, version in query.needs.items()},
        "params": [
            {"name": param.name, "type": param.type, "null": param.is_nullable, "doc": param.doc}
            for param in query.params.values()
        ],
        "returns": query.returns,
        "source": query.source,
        "cost": query.cost,
        "slot": query.slot,
        "path": query.path,
    }
