"""`graphmem recall`: ask the memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    in_scope,
    note,
    open_memory,
    print_json,
    stdout,
    table,
    visible,
)
from graphmem.cli.listing import show_listing
from graphmem.cli.reasons import show_reasons

if TYPE_CHECKING:
    from graphmem.models import Recall

__all__ = ["recall", "show_recall"]


def recall(
    query: Annotated[str, typer.Argument(help="The question, in plain words.")],
    *,
    limit: Annotated[
        int | None, typer.Option(min=0, help="The most turns to show; default: 6.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only turns of this session.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only turns of this agent.")] = None,
    project: Annotated[str | None, typer.Option(help="Only turns of this project.")] = None,
    since: Annotated[
        str | None,
        typer.Option(help="Only turns at or after it, such as 2026-03-02T09:12Z."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Only turns at or before it, written likewise.")
    ] = None,
    known_at: Annotated[
        str | None,
        typer.Option(help="Tell what this memory knew then, instead of now; a time likewise."),
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(help="Tell the facts that held then, instead of now; a time likewise."),
    ] = None,
    prompt: Annotated[
        int | None,
        typer.Option(metavar="TOKENS", help="Print the block for a prompt, within so many tokens."),
    ] = None,
    seen: Annotated[
        list[str] | None,
        typer.Option(
            "--visible",
            metavar="TURN",
            help="Id of a turn that is seen already: others fill its place; repeatable.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Tell why each turn came, and by which path.")
    ] = False,
    draw: Annotated[
        bool,
        typer.Option("--cypher", help="Print a query that draws this answer in Neo4j Browser."),
    ] = False,
    keep_trace: Annotated[
        bool,
        typer.Option("--keep-trace", help="Keep the answer; `graphmem trace show` opens it."),
    ] = False,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Find the turns that answer a question, and facts that hold."""
    from graphmem.cli.formats.found import parse_time

    if (prompt is not None) + explain + draw > 1:
        raise typer.BadParameter("--prompt, --explain and --cypher each print another thing")
    # A time that cannot be read is told before a server is started.
    start = None if since is None else parse_time(since, "--since")
    end = None if until is None else parse_time(until, "--until")
    held_at = None if as_of is None else parse_time(as_of, "--as-of")
    known = None if known_at is None else parse_time(known_at, "--known-at")
    with open_memory(scope) as memory:
        found = memory.recall(
            query,
            limit=limit,
            # As many as a packet of that size is chosen from.
            max_tokens=prompt,
            session_id=session,
            agent_id=agent,
            project=project,
            since=start,
            until=end,
            as_of=held_at,
            known_at=known,
            visible=seen or (),
            keep_trace=keep_trace,
        )
        # Before it is closed: that may wait for turns that an earlier command left.
        if explain or draw:
            show_reasons(found, draw=draw, as_json=as_json)
        else:
            _print(found, prompt, as_json=as_json)
        if found.trace_id:
            note(f"kept; see `graphmem trace show {found.trace_id}{in_scope(scope)}`")
        elif keep_trace:
            note("the answer could not be kept; see `graphmem doctor`")


def _print(found: Recall, prompt: int | None, *, as_json: bool) -> None:
    if prompt is not None:
        packet = found.packet(max_tokens=prompt)
        if as_json:
            told = packet.model_dump(mode="json")
            print_json({"prompt": told.pop("text"), **told})
        elif packet.text:
            typer.echo(packet.text)
        else:
            is_found = found.turns or found.facts or found.procedures
            note(f"nothing fits in {prompt} tokens" if is_found else "nothing was recalled")
    elif as_json:
        print_json(found.to_dict())
    else:
        show_recall(found)


def show_recall(found: Recall, *, marked: Sequence[str] = ()) -> None:
    """Print a recall for a person: turns with their score parts, then facts and procedures.

    Args:
        found: What was recalled.
        marked: Ids of turns to point out.
    """
    console = stdout()
    if not found.turns:
        console.print("nothing was recalled")
    else:
        turns = table(found.query, "score", "made of", "when (UTC), session", "turn")
        for hit in found.turns:
            parts = sorted(hit.parts.items(), key=lambda part: -abs(part[1]))
            made_of = [f"{name} {value:.3f}" for name, value in parts if round(value, 3)]
            if hit.value != 1:
                made_of.append(f"times value {hit.value:.3f}")
            if hit.rerank_score is not None:
                made_of.append(f"reranked {hit.rerank_score:.3f}")
            mark = "* " if hit.turn.id in marked else ""
            turns.add_row(
                f"{mark}{hit.score:.3f}",
                "\n".join(made_of),
                f"{hit.turn.at:%Y-%m-%d %H:%M}\n{visible(hit.turn.session_id)}",
                visible(hit.turn.text),
            )
        console.print(turns)
    if found.facts:
        held = found.as_of or found.known_at
        when = "hold" if held is None else f"held at {held:%Y-%m-%d %H:%M} UTC"
        facts = table(f"facts that {when}", "score", "fact", "since")
        for fact_hit in found.facts:
            since = fact_hit.fact.valid_from
            facts.add_row(
                f"{fact_hit.score:.3f}",
                visible(fact_hit.fact.text),
                "" if since is None else f"{since:%Y-%m-%d}",
            )
        console.print(facts)
    _show_procedures(found)
    if found.best_rejected is not None:
        note(
            "nothing reliable was found; the likeness of the nearest turn is "
            f"{found.best_rejected:.3f} of 1"
        )
    if found.degraded:
        note(f"degraded: {', '.join(found.degraded)} could not take part; see `graphmem doctor`")


def _show_procedures(found: Recall) -> None:
    entries = []
    for hit in found.procedures:
        way = hit.procedure
        entries.append((way.id, [way.instruction, f"score {hit.score:.3f}, intent: {way.intent}"]))
    if entries:
        show_listing("procedures", "procedure", entries)
