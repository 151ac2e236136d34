"""`graphmem add`: remember one turn."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.cli.console import JsonFlag, ScopeOption, open_memory, print_json

__all__ = ["add"]


def add(
    question: Annotated[str, typer.Argument(help="What was said or asked.")],
    answer: Annotated[str | None, typer.Argument(help="The answer, where there is one.")] = None,
    *,
    session: Annotated[str, typer.Option(help="The conversation it belongs to.")] = "default",
    agent: Annotated[str | None, typer.Option(help="Which agent answered.")] = None,
    project: Annotated[str | None, typer.Option(help="What the conversation belongs to.")] = None,
    name: Annotated[str | None, typer.Option(help="Who asked, as shown.")] = None,
    at: Annotated[
        str | None, typer.Option(help="When it was said, such as 2026-03-02T09:12:00Z.")
    ] = None,
    key: Annotated[
        str | None, typer.Option(help="Your name for this turn: adding it again changes nothing.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait until it is extracted.")
    ] = True,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Remember one turn: a question, and the answer where one came."""
    from graphmem.cli.formats.found import parse_time

    when = None if at is None else parse_time(at, "--at")
    with open_memory(scope) as memory:
        receipt = memory.add_turn(
            question,
            answer,
            session_id=session,
            agent_id=agent,
            project=project,
            name=name,
            at=when,
            turn_key=key,
        )
        told = receipt.wait() if wait else receipt
    if as_json:
        print_json(told.model_dump(mode="json"))
        return
    verb = "remembered" if told.created else "already there"
    if told.is_other_content:
        verb = "already there with another text, which stays"
    typer.echo(f"{verb}: turn {told.turn_id} in session {told.session_id}")
    typer.echo(f"extraction: {told.extraction.value}" + (f" ({told.error})" if told.error else ""))
