"""The memory that a scenario measures: the one of the environment, in scopes of its own."""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benchmarks.report import Report

if TYPE_CHECKING:
    from graphmem import GraphMemory
    from graphmem.config import Settings
    from graphmem.embed import Embedder

__all__ = ["LOADED_BEFORE", "add_prefix_argument", "new_prefix", "open_memory", "server_figures"]

# Belongs to figures of a store that was there: its graph is that of the revision that wrote it.
LOADED_BEFORE = "asked of what an earlier run has loaded: links and vectors are of its revision"


def add_prefix_argument(parser: argparse.ArgumentParser) -> None:
    """Let a scenario find what an earlier run has loaded: adding it again changes nothing."""
    parser.add_argument(
        "--prefix",
        default="",
        help="first part of the scopes' names, as an earlier run told it: nothing is loaded again",
    )


@contextmanager
def open_memory(
    report: Report,
    *,
    embedder: Embedder | None = None,
    prefix: str = "",
    record_usage: bool = False,
) -> Iterator[GraphMemory]:
    """Open the memory of the environment and note its versions in the report.

    Args:
        report: Gets `versions`, and the prefix among its figures.
        embedder: Instead of the one of the settings.
        prefix: Scope of the memory; "" = a new one.
        record_usage: Whether answers are counted: one question changes the order of the next
            then, where usage orders.
    """
    from graphmem import GraphMemory
    from graphmem.config import Settings

    settings = Settings.from_env(
        scope=prefix or new_prefix(),
        record_usage=record_usage,
        # A scenario that wants upkeep asks for it: beside a measurement it would only take time.
        maintenance_interval=0,
        maintenance_every_h=0,
    )
    with GraphMemory.open(settings, embedder=embedder) as memory:
        doctor = memory.doctor()
        report.figures["prefix"] = memory.scope
        print(f"scopes: {memory.scope}/…", file=sys.stderr, flush=True)
        report.versions = {**doctor.versions, "embedder": doctor.embedder}
        yield memory


def new_prefix() -> str:
    """Return the first part of the scopes of one run.

    A new place for each run: what an earlier version extracted would be measured again.
    """
    return f"bench/{uuid.uuid4().hex[:8]}"


def server_figures(settings: Settings) -> dict[str, int | str]:
    """Return memory and disk of the managed server; nothing of another one."""
    from graphmem.server import ManagedServer

    status = ManagedServer.from_settings(settings).status()
    if status.pid is None or settings.neo4j_uri not in (None, status.uri):
        return {}
    import psutil

    resident = psutil.Process(status.pid).memory_info().rss
    return {
        "resident_mib": resident // 2**20,
        "disk_mib": status.size_bytes // 2**20,
        "heap": status.heap,
        "page_cache": status.page_cache,
    }
