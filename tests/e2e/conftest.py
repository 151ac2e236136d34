"""A newcomer's machine: no NEO4J_URI, no key, a managed server in a home of its own.

One server for all stories, since it is their subject that it outlives the commands. They stand in
one file, because two workers would start two.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphmem.server import ManagedServer
from graphmem.server.home import default_home
from graphmem.settings_table import describe_settings

# Of one command; the first one starts the server.
_LONGEST_S = 240
_PROGRAM = "from graphmem.cli import main; main()"


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who types commands; `environment` is all that their shell has."""

    environment: dict[str, str]
    folder: Path

    def run(self, *arguments: str, code: int = 0, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run `graphmem` with `arguments` and expect the exit code."""
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", _PROGRAM, *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            cwd=self.folder,
            env={**self.environment, **extra},
            timeout=_LONGEST_S,
        )
        assert code == done.returncode, f"{arguments}: {done.stdout}\n{done.stderr}"
        return done

    def json(self, *arguments: str, code: int = 0, **extra: str) -> Any:
        """Run a command with --json and return what it printed."""
        return json.loads(self.run(*arguments, "--json", code=code, **extra).stdout)


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Newcomer]:
    """A machine with a home of its own; its server is stopped at the end."""
    import os

    folder = tmp_path_factory.mktemp("newcomer")
    ours = {row.env for row in describe_settings()} | {"OPENAI_API_KEY"}
    jars = Path(os.environ.get("GRAPHMEM_JARS") or default_home() / "jars")
    environment = {
        **{name: value for name, value in os.environ.items() if name not in ours},
        "GRAPHMEM_HOME": str(folder / "home"),
        "GRAPHMEM_JARS": str(jars),
        "GRAPHMEM_SERVER_HEAP": "512m",
        "GRAPHMEM_SERVER_PAGE_CACHE": "64m",
        "COLUMNS": "160",
    }
    yield Newcomer(environment, folder)
    ManagedServer(folder / "home", jars=jars).stop()
