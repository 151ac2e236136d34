"""The root of the command line: which commands there are, and how errors are told."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated

import typer

from graphmem.cli import (
    add,
    cleaning,
    communities,
    cypher,
    decay,
    demo,
    doctor,
    embedder,
    extract,
    facts,
    feedback,
    import_file,
    maintain,
    procedures,
    quarantine,
    recall,
    runs,
    server,
    settings,
    show,
    stats,
    terms,
    trace,
)
from graphmem.errors import GraphmemError

__all__ = ["app", "run"]

app = typer.Typer(
    name="graphmem",
    help="Long-term memory for LLM agents, kept in Neo4j. Without NEO4J_URI every command uses "
    "a local server that graphmem brings itself. Settings: `graphmem settings`.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command("demo")(demo.demo)
app.command("add")(add.add)
app.command("import")(import_file.import_file)
app.command("recall")(recall.recall)
app.command("show")(show.show)
app.command("feedback")(feedback.feedback)
app.command("stats")(stats.stats)
app.command("doctor")(doctor.doctor)
app.command("extract")(extract.extract)
app.command("maintain")(maintain.maintain)
app.command("communities")(communities.communities)
app.command("settings")(settings.settings)
app.command("consolidate")(cleaning.consolidate)
app.command("decay")(decay.decay)
app.command("orphans")(cleaning.orphans)
app.command("retention")(cleaning.retention)
app.add_typer(facts.app, name="facts")
app.add_typer(procedures.app, name="procedures")
app.add_typer(terms.app, name="terms")
app.add_typer(runs.app, name="runs")
app.add_typer(trace.app, name="trace")
app.add_typer(quarantine.app, name="quarantine")
app.add_typer(embedder.app, name="embedder")
app.add_typer(server.app, name="server")
app.add_typer(cypher.app, name="cypher")


@app.callback()
def _root(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Log each operation to stderr, before the command.")
    ] = False,
) -> None:
    # Faults are told once, as the command's error; the log is for who asks for it.
    if verbose:
        logging.basicConfig(level=logging.INFO, format="%(message)s")
    else:
        logging.getLogger("graphmem").addHandler(logging.NullHandler())
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"graphmem {installed('graphmem')}")
        raise typer.Exit


def run(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: Those after the program's name; None = the process's.

    Returns:
        The exit code: 0 = done, 1 = an error that was told on stderr, 2 = wrong usage, 130 =
        stopped by the user.
    """
    try:
        app(args=arguments, prog_name="graphmem")
    except GraphmemError as error:
        typer.echo(f"error: {error.kind}: {error}", err=True)
        return 1
    except OSError as error:
        # What the command does itself is told as an error of graphmem's: this is its output,
        # such as a disk that is full. What is still buffered cannot be written either.
        _let_output_go()
        typer.echo(f"error: output: {error}", err=True)
        return 1
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        return 130
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    return 0


def _let_output_go() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
