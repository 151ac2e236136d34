"""A real Neo4j of graphmem's own: started when it is needed, outliving who started it."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.errors import ConfigError, InputError, ServerError
from graphmem.server.admin import dump_database, load_database, set_first_password
from graphmem.server.extra import require_extra
from graphmem.server.home import Home, Record, default_home
from graphmem.server.jars import Lock, fetch_jars, jgo_fetch, read_lock
from graphmem.server.ports import BOLT_PORT, HTTP_PORT, Reservation, choose_port
from graphmem.server.process import alive, find, is_ready, launch, stop_process
from graphmem.server.progress import Progress, log_progress
from graphmem.server.startup import PortTakenError, wait_until_ready
from graphmem.server.status import ServerStatus

__all__ = ["ManagedServer", "managed_settings"]

logger = logging.getLogger(__name__)

_STOP_TIMEOUT_S = 60.0
# Longer than a first start with its fetching, shorter than anybody's patience.
_LOCK_WAIT_S = 900.0
# Another program may take a port between the look and the start; it is rare three times.
_PORT_TRIES = 3
_SIZE = re.compile(r"[1-9][0-9]*[kmg]", re.IGNORECASE)


class ManagedServer:
    """The Neo4j of one home folder. Its methods block: call them from a thread in async code."""

    def __init__(
        self,
        home: Path,
        *,
        jars: Path | None = None,
        heap: str = "1g",
        page_cache: str = "256m",
        repository: str | None = None,
        bolt_port: int | None = None,
        http_port: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Name a server; nothing is read or written yet.

        Args:
            home: Its folder.
            jars: Where its jars are kept, None = `jars` in the home; homes may share it.
            heap: Java heap, such as 512m or 1g. Takes effect at the next start.
            page_cache: Memory for the store's pages. As above.
            repository: Maven repository to fetch from, None = the usual one.
            bolt_port: The one port for Bolt that will do, None = the remembered one, else 7687
                or the next free one.
            http_port: As above, for HTTP and Neo4j Browser, from 7474 on.
            progress: Told how far fetching has come, None = log lines.

        Raises:
            ConfigError: A size or a port cannot be one.
        """
        for name, size in (("heap", heap), ("page cache", page_cache)):
            if not _SIZE.fullmatch(size):
                raise ConfigError(f"{name} must be a size such as 512m or 1g, got {size!r}")
        for port in (bolt_port, http_port):
            if port is not None and not 0 < port < 65_536:  # noqa: PLR2004 - the ports there are
                raise ConfigError(f"a port is a number from 1 to 65535, got {port}")
        self._home = Home.at(home)
        self._jars = self._home.path / "jars" if jars is None else jars.expanduser().absolute()
        self._heap, self._page_cache = heap, page_cache
        self._repository = repository
        self._ports = (bolt_port, http_port)
        self._progress = progress

    @classmethod
    def from_settings(
        cls,
        settings: Settings,
        *,
        bolt_port: int | None = None,
        http_port: int | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Return the server that the settings describe: its home, jars and memory."""
        return cls(
            settings.home or default_home(),
            jars=settings.server_jars,
            heap=settings.server_heap,
            page_cache=settings.server_page_cache,
            repository=settings.jar_repository,
            bolt_port=bolt_port,
            http_port=http_port,
            progress=progress,
        )

    def __repr__(self) -> str:
        return f"ManagedServer({str(self._home.path)!r})"

    def start(self) -> ServerStatus:
        """Start the server unless it runs, and wait until it answers.

        Several processes may call this at once: one starts it, the others wait and get the
        same one. It goes on running when the caller ends.

        Returns:
            The status of the running server.

        Raises:
            ServerError: It cannot be fetched or started; `kind` tells why, the message what
                to do.
        """
        require_extra()
        record = self._home.record()
        if record and alive(self._home, record) and self._answers(record):
            return self.status()
        self._home.make()
        with self._locked():
            self._start_under_lock()
        return self.status()

    def stop(self) -> ServerStatus:
        """End the server of this home, and no other process; nothing happens when none runs.

        Raises:
            ServerError: It belongs to another user.
        """
        require_extra()
        if not self._home.path.exists():
            return self.status()
        with self._locked():
            record = self._adopt(self._home.record())
            if record and record.pid is not None:
                stop_process(record.pid, timeout_s=_STOP_TIMEOUT_S)
                self._forget(record)
        return self.status()

    def status(self) -> ServerStatus:
        """Tell whether the server runs, where, and how large it is; starts nothing."""
        require_extra()
        home, record, lock = self._home, self._home.record(), read_lock()
        pid = alive(home, record)
        running = record is not None and pid is not None
        version, gds_version = _versions(lock)
        return ServerStatus(
            running=running,
            version=record.version if record and running else version,
            gds_version=record.gds_version if record and running else gds_version,
            uri=f"bolt://127.0.0.1:{record.bolt_port}" if record else None,
            http=f"http://127.0.0.1:{record.http_port}" if record else None,
            password_file=home.password_file,
            pid=pid,
            home=home.path,
            data=home.data,
            size_bytes=home.size_bytes(),
            heap=record.heap if record and running else self._heap,
            page_cache=record.page_cache if record and running else self._page_cache,
        )

    def password(self) -> str:
        """Read the password of the user neo4j.

        Raises:
            ServerError: The server was never started, or the file is gone.
        """
        return self._home.password()

    def logs(self, lines: int = 50) -> list[str]:
        """Return the last lines of the server's log, oldest first; none when there is no log."""
        return self._home.log_lines(lines)

    def dump(self, path: Path) -> Path:
        """Write the whole database into one file.

        Args:
            path: The file; replaced when it is there.

        Returns:
            The absolute place of the file.

        Raises:
            ServerError: The server runs, was never started, or the tool failed.
        """
        require_extra()
        target = path.expanduser().absolute()
        if target.is_dir():
            raise InputError(f"{target} is a folder: name the file that the dump goes to")
        if not self._home.has_store:
            raise ServerError(
                f"there is no database in {self._home.path} to dump: run `graphmem server start` "
                "once, or set GRAPHMEM_HOME to the home that is meant",
                kind="server-absent",
            )
        with self._locked():
            self._require_stopped("dump")
            self._install()
            dump_database(self._home, target)
        return target

    def load(self, path: Path, *, overwrite: bool = False) -> None:
        """Replace the database by the one in a dump file.

        Args:
            path: A file that dump wrote, here or on another machine.
            overwrite: Whether the database that is there now may be lost.

        Raises:
            InputError: There is no such file.
            ServerError: The server runs, a database is there already, or the tool failed.
        """
        require_extra()
        source = path.expanduser().absolute()
        if not source.is_file():
            raise InputError(f"there is no file {source} to load")
        self._home.make()
        with self._locked():
            self._require_stopped("load")
            if (self._home.data / "databases" / "neo4j").exists() and not overwrite:
                raise ServerError(
                    f"a database is there already in {self._home.data}: dump it first if it is "
                    "worth something, then load with --overwrite",
                    kind="server-exists",
                )
            self._install()
            load_database(self._home, source)

    def _answers(self, record: Record) -> bool:
        try:
            return is_ready(record.http_port, self.password())
        except ServerError:
            # Looked into under the lock, where it is clear whose answer that is.
            return False

    def _start_under_lock(self) -> None:
        home = self._home
        record = self._adopt(home.record())
        if record is not None and record.pid is not None:
            # Started by another process a moment ago, or left behind by one that was killed.
            wait_until_ready(home, record, None)
            return
        lock = self._install()
        # The first time a warning, so that it shows where logging was never set up: the caller
        # of a library would otherwise wait without knowing for what.
        level = logging.INFO if home.has_store else logging.WARNING
        logger.log(
            level,
            "server.start: starting Neo4j in %s; takes some 10 seconds, the first time 20, on a "
            "busy machine more",
            home.path,
        )
        password = home.ensure_password()
        taken: frozenset[int] = frozenset()
        with Reservation() as reservation:
            for attempt in range(1, _PORT_TRIES + 1):
                record = self._choose_ports(record, taken, reservation, lock)
                self._prepare(record, password)
                try:
                    self._launch(record)
                except PortTakenError:
                    taken |= {record.bolt_port, record.http_port}
                    if attempt == _PORT_TRIES or any(self._ports):
                        raise
                else:
                    return

    def _choose_ports(
        self, record: Record | None, taken: frozenset[int], reservation: Reservation, lock: Lock
    ) -> Record:
        bolt, http = self._ports
        bolt_port = choose_port(
            bolt or (record.bolt_port if record else BOLT_PORT),
            take=reservation.take,
            taken=taken,
            is_fixed=bolt is not None,
        )
        http_port = choose_port(
            http or (record.http_port if record else HTTP_PORT),
            take=reservation.take,
            taken=taken | {bolt_port},
            is_fixed=http is not None,
        )
        version, gds_version = _versions(lock)
        return Record(
            bolt_port=bolt_port,
            http_port=http_port,
            heap=self._heap,
            page_cache=self._page_cache,
            version=version,
            gds_version=gds_version,
        )

    def _prepare(self, record: Record, password: str) -> None:
        self._home.remember(record)
        self._home.configure(
            bolt_port=record.bolt_port,
            http_port=record.http_port,
            heap=record.heap,
            page_cache=record.page_cache,
        )
        if not self._home.has_store:
            set_first_password(self._home, password)

    def _launch(self, record: Record) -> None:
        launched = launch(self._home, heap=self._heap)
        running = record.model_copy(update={"pid": launched.pid, "created_s": launched.created_s})
        try:
            # Before the wait: whoever is killed while waiting leaves a server that is known.
            self._home.remember(running)
            wait_until_ready(self._home, running, launched)
        except BaseException:
            launched.kill()
            self._forget(running)
            raise
        launched.disown()

    def _install(self) -> Lock:
        lock = read_lock()
        progress = self._progress or log_progress()
        fetch_jars(lock.jars, self._jars, fetch=jgo_fetch(self._repository), progress=progress)
        self._home.install(lock, self._jars)
        return lock

    def _require_stopped(self, verb: str) -> None:
        record = self._adopt(self._home.record())
        if record is not None and record.pid is not None:
            raise ServerError(
                f"the server runs (process {record.pid}), and a {verb} needs it stopped: run "
                f"`graphmem server stop`, then {verb}, then `graphmem server start`",
                kind="server-running",
            )

    def _adopt(self, record: Record | None) -> Record | None:
        """Return the record with the process that really runs, or with none."""
        if alive(self._home, record):
            return record
        found = find(self._home)
        if found is None:
            return self._forget(record) if record and record.pid is not None else record
        if record is None:
            raise ServerError(
                f"process {found[0]} is a Neo4j of {self._home.path}, but the record of its ports "
                f"is gone: end it (kill {found[0]}), then start again; nothing is lost",
                kind="server-lost",
            )
        adopted = record.model_copy(update={"pid": found[0], "created_s": found[1]})
        self._home.remember(adopted)
        return adopted

    def _forget(self, record: Record) -> Record:
        """Remember that no process runs, and return that."""
        idle = record.model_copy(update={"pid": None, "created_s": 0.0})
        self._home.remember(idle)
        return idle

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock

        lock = filelock.FileLock(self._home.lock_file)
        try:
            with lock.acquire(timeout=_LOCK_WAIT_S):
                yield
        except filelock.Timeout as error:
            raise ServerError(
                f"another process has been starting or stopping the server of {self._home.path} "
                f"for {_LOCK_WAIT_S / 60:.0f} minutes: end that process, then try again",
                kind="server-busy",
                retryable=True,
            ) from error
        except OSError as error:
            raise self._home.fault(error) from error


def managed_settings(settings: Settings) -> Settings:
    """Start the managed server unless it runs; return the settings that lead to it.

    Raises:
        ServerError: It cannot be fetched or started; `kind` tells why.
    """
    server = ManagedServer.from_settings(settings)
    status = server.start()
    return settings.model_copy(
        update={
            "neo4j_uri": status.uri,
            "neo4j_username": status.username,
            "neo4j_password": SecretStr(server.password()),
        }
    )


def _versions(lock: Lock) -> tuple[str, str]:
    return lock.version_of("neo4j-server"), lock.version_of("opengds-extension")
