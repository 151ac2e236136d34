"""`graphmem show`: one turn as it is stored."""

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
from graphmem.cli.fact_tables import show_facts
from graphmem.errors import InputError

if TYPE_CHECKING:
    from graphmem.models import Evidence

__all__ = ["show"]


def show(
    turn_id: Annotated[str, typer.Argument(metavar="TURN", help="Id of the turn.")],
    *,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Show one turn: its exact messages, and what facts it states."""
    with open_memory(scope) as memory:
        found = memory.get_turn(turn_id)
        where = memory.scope
    if found is None:
        raise InputError(
            f"there is no turn {turn_id!r} in scope {where!r}: `graphmem recall --explain` shows "
            "the ids of turns",
            kind="turn-not-found",
            ids=[turn_id],
        )
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        _print(found)


def _print(found: Evidence) -> None:
    console = stdout()
    turn = found.turn
    about = table(f"turn {turn.id}", "what", "value")
    for name, value in (
        ("session", turn.session_id),
        ("place in it", str(turn.seq)),
        ("agent", turn.agent_id),
        ("project", turn.project),
        ("when (UTC)", f"{turn.at:%Y-%m-%d %H:%M:%S}"),
        ("status", turn.status),
        ("extraction", turn.extraction.value),
        ("extracted by", turn.extracted_by),
        ("error", turn.error),
        ("outcome", turn.outcome.value),
        ("intent", turn.intent),
        ("summary", turn.summary),
    ):
        if value:
            about.add_row(name, visible(value))
    about.add_row("in answers", str(turn.recall_count))
    if turn.reward_count:
        mean = turn.reward_sum / turn.reward_count
        about.add_row("rated", f"{mean:.2f}, the average of {turn.reward_count}")
    console.print(about)
    messages = table("messages", "role", "name", "content")
    for message in turn.messages:
        messages.add_row(message.role, visible(message.name), visible(message.content))
    console.print(messages)
    if found.facts:
        show_facts("facts that it states", found.facts)
