"""The folder of one managed server: its parts, its password, its ports, its configuration.

::

    <home>/            GRAPHMEM_HOME
      jars/            every jar of the lock, verified (GRAPHMEM_JARS puts them elsewhere)
      password         of the user neo4j, readable by its owner only
      record.json      ports, and the process while one runs
      server/          Neo4j's own home: lib plugins conf data logs run import
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from graphmem.errors import ServerError
from graphmem.server.jars import Lock

__all__ = ["JVM_OPTIONS", "Home", "Record", "default_home"]

# What Neo4j's own launcher passes on Java 25, without which it warns or fails.
JVM_OPTIONS = (
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
    "-Dfile.encoding=UTF-8",
    "-Dlog4j2.disable.jmx=true",
)
_FOLDERS = ("lib", "plugins", "conf", "data", "logs", "run", "import")
_PASSWORD_BYTES = 24


class Record(BaseModel):
    """What is remembered between commands.

    Attributes:
        bolt_port: Kept for the next start, so that addresses stay the same.
        http_port: As above.
        pid: The process, None while none runs.
        created_s: When that process was created (seconds since the epoch, as the system
            tells it): a pid alone may be another process by now.
        heap: What the process was started with.
        page_cache: As above.
        version: As above.
        gds_version: As above.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    bolt_port: int
    http_port: int
    pid: int | None = None
    created_s: float = 0.0
    heap: str = ""
    page_cache: str = ""
    version: str = ""
    gds_version: str = ""


def default_home() -> Path:
    """Return the folder that is used when GRAPHMEM_HOME is unset: the user's data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("graphmem", appauthor=False))


@dataclass(frozen=True, slots=True)
class Home:
    """The places of one managed server, and what is written there."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> Self:
        """Return the home at `path`, made absolute: Neo4j runs in a folder of its own."""
        return cls(path.expanduser().absolute())

    @property
    def server(self) -> Path:
        """Neo4j's own home."""
        return self.path / "server"

    @property
    def data(self) -> Path:
        """Where the databases are."""
        return self.server / "data"

    @property
    def console_log(self) -> Path:
        """What the process writes to its standard output: start, stop and faults."""
        return self.server / "logs" / "console.log"

    @property
    def password_file(self) -> Path:
        """The password, readable by its owner only."""
        return self.path / "password"

    @property
    def lock_file(self) -> Path:
        """Held while a start, stop, dump or load is under way."""
        return self.path / ".lock"

    @property
    def _record_file(self) -> Path:
        return self.path / "record.json"

    @property
    def has_store(self) -> bool:
        """Whether the server ran here at least once."""
        return (self.data / "databases" / "system").exists()

    def make(self) -> None:
        """Make the folders; the home itself can be entered by its owner only.

        Raises:
            ServerError: The place cannot be written to.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name in _FOLDERS:
                (self.server / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self.fault(error) from error

    def fault(self, error: OSError) -> ServerError:
        """Return what to tell when something in this home cannot be read or written."""
        if error.errno == errno.ENOSPC:
            return ServerError(
                f"the disk that holds {self.path} is full: free some room and start again, or set "
                "GRAPHMEM_HOME to a folder on another disk",
                kind="server-disk",
                retryable=True,
            )
        return ServerError(
            f"cannot use the server's folder {self.path}: {error}; give it to the user who runs "
            "this, or set GRAPHMEM_HOME to a folder that can be written to",
            kind="server-home",
        )

    def record(self) -> Record | None:
        """Return what is remembered, None before the first start or when it is unreadable."""
        try:
            return Record.model_validate_json(self._record_file.read_bytes())
        except (OSError, ValidationError):
            return None

    def remember(self, record: Record) -> None:
        """Write the record in one step, so that a reader never sees half of it."""
        scratch = self._record_file.with_suffix(".new")
        scratch.write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
        scratch.replace(self._record_file)

    def password(self) -> str:
        """Read the password.

        Raises:
            ServerError: There is none yet, or the file is gone.
        """
        try:
            found = self.password_file.read_text(encoding="utf-8").strip()
        except OSError:
            found = ""
        if found:
            return found
        if self.has_store:
            raise ServerError(
                f"{self.password_file} is missing or empty, but a store is there: put the "
                f"password back, or move {self.data} away and start anew (dump and load work "
                "without it)",
                kind="server-password",
            )
        raise ServerError(
            f"there is no server in {self.path} yet: run `graphmem server start`",
            kind="server-absent",
        )

    def ensure_password(self) -> str:
        """Return the password; make one when nothing was ever started here."""
        if not self.has_store and not self.password_file.exists():
            # Owner-only from its first byte on: never a moment in which others can read it.
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            # Hex: the admin tool would take a password that begins with a dash for an option.
            with os.fdopen(os.open(self.password_file, flags, 0o600), "w") as opened:
                opened.write(secrets.token_hex(_PASSWORD_BYTES) + "\n")
        return self.password()

    def install(self, lock: Lock, jars: Path) -> None:
        """Put the jars of the lock, and no others, onto Neo4j's library and plugin paths."""
        for kind, folder in (("server", self.server / "lib"), ("gds", self.server / "plugins")):
            wanted = {jar.file_name: jar.size for jar in lock.jars if jar.kind == kind}
            for path in folder.iterdir():
                if path.name not in wanted:
                    path.unlink()
            for name, size in wanted.items():
                _place(jars / name, folder / name, size)

    def configure(self, *, bolt_port: int, http_port: int, heap: str, page_cache: str) -> None:
        """Write conf/neo4j.conf; it is written anew at each start."""
        template = (files("graphmem.server") / "neo4j.conf").read_text(encoding="utf-8")
        filled = template.format(
            bolt_port=bolt_port,
            http_port=http_port,
            heap=heap,
            page_cache=page_cache,
            jvm_options="\n".join(f"server.jvm.additional={option}" for option in JVM_OPTIONS),
        )
        (self.server / "conf" / "neo4j.conf").write_text(filled, encoding="utf-8")

    def size_bytes(self) -> int:
        """Return what the data folder takes on disk."""
        total = 0
        for folder, _, names in os.walk(self.data):
            for name in names:
                # Neo4j removes files while it runs: one that is gone counts nothing.
                with contextlib.suppress(OSError):
                    total += _on_disk(os.stat(os.path.join(folder, name)))  # noqa: PTH116,PTH118
        return total

    def log_lines(self, count: int) -> list[str]:
        """Return the last `count` lines of the console log, oldest first."""
        try:
            text = self.console_log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return text.splitlines()[-count:] if count > 0 else []


def _on_disk(stat: os.stat_result) -> int:
    # Transaction logs are sparse where the system can; Windows does not tell blocks.
    blocks: int | None = getattr(stat, "st_blocks", None)
    return stat.st_size if blocks is None else blocks * 512


def _place(source: Path, target: Path, size: int) -> None:
    """Make `target` the file `source`: a hard link, else a symbolic one, else a copy."""
    try:
        if target.stat().st_size == size:
            return
    except OSError:
        pass
    target.unlink(missing_ok=True)
    for link in (target.hardlink_to, target.symlink_to):
        with contextlib.suppress(OSError, NotImplementedError):
            link(source)
            return
    shutil.copyfile(source, target)
