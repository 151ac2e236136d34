"""The command line: `graphmem --help`. One module a command or a group of commands."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command that the process's arguments name, and exit."""
    from graphmem.cli.root import run

    raise SystemExit(run())
