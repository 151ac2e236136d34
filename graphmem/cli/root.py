"""The root of the command line: which commands there are, and how errors are told."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

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


class _Sections(TyperGroup):
    """A group whose help lists its commands under the headings that they were added with."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            # What a check says comes with pydantic's own word for it in front.
            error.message = error.message.removeprefix("Value error, ")
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = self.list_commands(ctx)
        width = max(map(len, names))
        sections: dict[str, list[tuple[str, str]]] = {}
        for name in names:
            command: Any = self.get_command(ctx, name)
            # Two columns stand before the name, two behind it, and two are left free.
            told = command.get_short_help_str(formatter.width - width - 6)
            sections.setdefault(command.rich_help_panel, []).append((name.ljust(width), told))
        for heading in _HEADINGS:
            with formatter.section(heading):
                formatter.write_dl(sections[heading])


app = typer.Typer(
    name="graphmem",
    cls=_Sections,
    help="Long-term memory for LLM agents, kept in Neo4j. Without NEO4J_URI every command uses "
    "a local server that graphmem brings itself. Settings: `graphmem settings`.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
# In the order of the way of the data.
_HEADINGS = (
    _REMEMBER := "Remember",
    _EXTRACT := "Extract",
    _GRAPH := "What is known",
    _MAINTAIN := "Keep clean",
    _RECALL := "Recall",
    _STORE := "The store",
)
for _heading, _name, _command in (
    (_REMEMBER, "demo", demo.demo),
    (_REMEMBER, "add", add.add),
    (_REMEMBER, "import", import_file.import_file),
    (_EXTRACT, "extract", extract.extract),
    (_EXTRACT, "quarantine", quarantine.app),
    (_EXTRACT, "embedder", embedder.app),
    (_GRAPH, "facts", facts.app),
    (_GRAPH, "procedures", procedures.app),
    (_GRAPH, "terms", terms.app),
    (_MAINTAIN, "maintain", maintain.maintain),
    (_MAINTAIN, "communities", communities.communities),
    (_MAINTAIN, "consolidate", cleaning.consolidate),
    (_MAINTAIN, "decay", decay.decay),
    (_MAINTAIN, "orphans", cleaning.orphans),
    (_MAINTAIN, "retention", cleaning.retention),
    (_MAINTAIN, "runs", runs.app),
    (_RECALL, "recall", recall.recall),
    (_RECALL, "show", show.show),
    (_RECALL, "trace", trace.app),
    (_RECALL, "feedback", feedback.feedback),
    (_STORE, "stats", stats.stats),
    (_STORE, "doctor", doctor.doctor),
    (_STORE, "settings", settings.settings),
    (_STORE, "server", server.app),
    (_STORE, "cypher", cypher.app),
):
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name, rich_help_panel=_heading)
    else:
        app.command(_name, rich_help_panel=_heading)(_command)


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
