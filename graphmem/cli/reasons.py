"""How the command line tells why a turn came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from graphmem.cli.console import note, print_json, stdout, visible

if TYPE_CHECKING:
    from graphmem.explanation import Explanation
    from graphmem.sync.recall import SyncRecall

__all__ = ["show_explanation", "show_query", "show_reasons"]


def show_reasons(found: SyncRecall, *, draw: bool, as_json: bool) -> None:
    """Print why the turns of an answer came, or the query that draws them.

    Args:
        found: The answer; it is asked for its reasons here.
        draw: Print the query alone.
        as_json: Print JSON: the answer with its explanation, or the query.
    """
    told = found.explain()
    if draw:
        show_query(told, as_json=as_json)
    elif as_json:
        print_json({**found.to_dict(), "explanation": told.to_dict()})
    else:
        show_explanation(told)


def show_explanation(told: Explanation) -> None:
    """Print an explanation for a person: each turn a block, its first line in bold."""
    console = stdout()
    for place, block in enumerate(told.to_text().split("\n\n")):
        head, _, rest = visible(block).partition("\n")
        if place:
            console.print()
        console.print(head, style="bold")
        if rest:
            console.print(rest)


def show_query(told: Explanation, *, as_json: bool) -> None:
    """Print the query that draws an answer, ready to be pasted into Neo4j Browser."""
    if as_json:
        print_json({"cypher": told.cypher})
    elif told.cypher:
        typer.echo(told.cypher)
    else:
        note("nothing was recalled: there is nothing to draw")
