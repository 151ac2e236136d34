"""`graphmem server`: the local Neo4j that graphmem brings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.console import JsonFlag, fetching, note, print_json, stdout, table
from graphmem.config import Settings

if TYPE_CHECKING:
    from graphmem.server import FetchProgress, ManagedServer, ServerStatus

__all__ = ["app"]

app = typer.Typer(
    help="Start, stop, dump and load the local Neo4j of graphmem. It is used "
    "when NEO4J_URI is not set, listens on this machine only, and goes on running until stopped.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Heap = Annotated[
    str | None, typer.Option(help="Java heap, such as 512m; default: GRAPHMEM_SERVER_HEAP, 1g.")
]
PageCache = Annotated[
    str | None,
    typer.Option(help="Memory for the store; default: GRAPHMEM_SERVER_PAGE_CACHE, 256m."),
]
BoltPort = Annotated[
    int | None, typer.Option(help="Port for drivers; default: as last time, 7687 or the next free.")
]
HttpPort = Annotated[
    int | None,
    typer.Option(help="Port of Neo4j Browser; default: as last time, 7474 or the next free."),
]


@app.command("start")
def start(
    *,
    heap: Heap = None,
    page_cache: PageCache = None,
    bolt_port: BoltPort = None,
    http_port: HttpPort = None,
    as_json: JsonFlag = False,
) -> None:
    """Start the server unless it runs. Fetches it first where it is not there yet."""
    with fetching() as progress:
        server = _server(progress, heap, page_cache, bolt_port, http_port)
        if not server.status().running:
            note("Starting Neo4j ...")
        elif any(told is not None for told in (heap, page_cache, bolt_port, http_port)):
            note("it runs already: for other memory or ports stop it first, then start it")
        status = server.start()
    _show(status, as_json=as_json)


@app.command("stop")
def stop(*, as_json: JsonFlag = False) -> None:
    """Stop the server; what it holds stays."""
    _show(_server().stop(), as_json=as_json)


@app.command("restart")
def restart(*, heap: Heap = None, page_cache: PageCache = None, as_json: JsonFlag = False) -> None:
    """Stop the server and start it again, with other memory."""
    with fetching() as progress:
        server = _server(progress, heap, page_cache)
        note("Restarting Neo4j ...")
        server.stop()
        status = server.start()
    _show(status, as_json=as_json)


@app.command("status")
def status(*, as_json: JsonFlag = False) -> None:
    """Tell whether the server runs, where, and how large it is."""
    _show(_server().status(), as_json=as_json)


@app.command("logs")
def logs(
    *, lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many.")] = 50
) -> None:
    """Print the last lines of the server's log."""
    found = _server().logs(lines)
    for line in found:
        typer.echo(line)
    if not found:
        note("there is no log yet: the server was never started")


@app.command("dump")
def dump(
    file: Annotated[Path, typer.Argument(help="Where the dump goes; replaced if it is there.")],
    *,
    as_json: JsonFlag = False,
) -> None:
    """Write the whole database into one file. The server must be stopped."""
    written = _server().dump(file)
    size = written.stat().st_size
    if as_json:
        print_json({"file": str(written), "size_bytes": size})
    else:
        typer.echo(f"{written} ({_size(size)})")


@app.command("load")
def load(
    file: Annotated[Path, typer.Argument(help="A file that dump wrote.")],
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Give up the database that is there now.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Replace the database by the one in a dump. The server must be stopped."""
    with fetching() as progress:
        _server(progress).load(file, overwrite=overwrite)
    if as_json:
        print_json({"file": str(file)})
    else:
        typer.echo("loaded; run `graphmem server start`")


def _server(
    progress: Callable[[FetchProgress], None] | None = None,
    heap: str | None = None,
    page_cache: str | None = None,
    bolt_port: int | None = None,
    http_port: int | None = None,
) -> ManagedServer:
    from graphmem.server import ManagedServer

    settings = Settings.from_env(server_heap=heap, server_page_cache=page_cache)
    return ManagedServer.from_settings(
        settings, bolt_port=bolt_port, http_port=http_port, progress=progress
    )


def _show(status: ServerStatus, *, as_json: bool) -> None:
    if as_json:
        print_json(status.model_dump(mode="json"))
        return
    rows = table("Neo4j is running" if status.running else "Neo4j is not running", "", "")
    rows.show_header = False
    for name, value in (
        ("version", f"{status.version}, Graph Data Science {status.gds_version}"),
        ("for drivers", status.uri),
        ("Neo4j Browser", f"{status.http}/browser/" if status.http else None),
        ("user", f"{status.username}, password in {status.password_file}"),
        ("process", status.pid),
        ("memory", f"heap {status.heap}, page cache {status.page_cache}"),
        ("data", f"{status.data} ({_size(status.size_bytes)})"),
    ):
        if value is not None:
            rows.add_row(name, str(value))
    stdout().print(rows)


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000:,.1f} MB"
