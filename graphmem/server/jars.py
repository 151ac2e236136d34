"""The jars of the server: the lock that names them, and fetching what is not there yet.

The lock was made from Maven's own resolution (scripts/lock_jars.py). A jar has its final name
in the jar folder only after its SHA-256 was found right, so what is there is done, and an
interrupted fetch goes on where it stopped.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from graphmem.errors import ServerError
from graphmem.server.extra import require_extra
from graphmem.server.progress import FetchProgress, Progress

__all__ = ["Fetch", "Jar", "Lock", "fetch_jars", "jgo_fetch", "missing_jars", "read_lock"]

logger = logging.getLogger(__name__)

# Measured: 8 at once fill a usual line; more only lengthen the tail.
_THREADS = 8
_HTTP_TIMEOUT_S = 30
# A transport fault is tried again; a jar is small, and the next start resumes anyway.
_TRANSPORT_TRIES = 3
# Room for the store, its logs and transaction logs beside the jars.
_SPARE_BYTES = 500_000_000
_LOCK_WAIT_S = 1_800
_FIELDS = 7
_SCRATCH = ".fetching-"


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock: `kind` is "server" (on the library path) or "gds" (a plugin)."""

    kind: str
    group: str
    artifact: str
    version: str
    classifier: str
    size: int
    sha256: str

    @property
    def file_name(self) -> str:
        """Its name in the jar folder, unique in the lock."""
        tail = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{tail}.jar"


@dataclass(frozen=True, slots=True)
class Lock:
    """All the jars of one server, with a digest that changes when any of them does."""

    jars: tuple[Jar, ...]
    digest: str

    def version_of(self, artifact: str) -> str:
        """Return the version of the jar of that artifact name."""
        return next(jar.version for jar in self.jars if jar.artifact == artifact)


Fetch = Callable[[Jar, Path], Path]
"""Brings one jar somewhere under a scratch folder and returns its place."""


@functools.cache
def read_lock() -> Lock:
    """Return the lock that comes with graphmem."""
    return parse_lock((files("graphmem.server") / "jars.lock").read_text(encoding="utf-8"))


def parse_lock(text: str) -> Lock:
    """Read a lock: seven fields a line, separated by tabs; `#` opens a comment.

    Raises:
        ServerError: A line has other fields, or two jars have one file name.
    """
    jars = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != _FIELDS or fields[0] not in ("server", "gds") or not fields[5].isdigit():
            raise ServerError(
                f"jars.lock line {number} is no jar: {line!r}; reinstall graphmem",
                kind="server-lock",
            )
        kind, group, artifact, version, classifier, size, sha256 = fields
        classifier = "" if classifier == "-" else classifier
        jars.append(Jar(kind, group, artifact, version, classifier, int(size), sha256))
    if len({jar.file_name for jar in jars}) != len(jars):
        raise ServerError("jars.lock names one file twice; reinstall graphmem", kind="server-lock")
    return Lock(tuple(jars), hashlib.sha256(text.encode()).hexdigest())


def missing_jars(jars: Iterable[Jar], folder: Path) -> list[Jar]:
    """Return the jars that `folder` does not hold in full length."""
    return [jar for jar in jars if not _is_whole(folder / jar.file_name, jar)]


def fetch_jars(
    jars: Sequence[Jar],
    folder: Path,
    *,
    fetch: Fetch,
    progress: Progress,
) -> None:
    """Bring every jar of the lock into `folder`, verified.

    Args:
        jars: All of them; those that are there already are kept.
        folder: Where they go; made when it is not there. Several homes may share it.
        fetch: Brings one jar; `jgo_fetch` outside of tests.
        progress: Told after each jar.

    Raises:
        ServerError: No room, no network, or a jar twice with a wrong hash. What was fetched
            stays: the next call goes on from there.
    """
    if not missing_jars(jars, folder):
        return
    require_extra()
    import filelock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder / ".lock", timeout=_LOCK_WAIT_S):
            # Another process may have fetched them while this one waited for the lock.
            _fetch_missing(jars, missing_jars(jars, folder), folder, fetch, progress)
    except filelock.Timeout as error:
        raise ServerError(
            f"another process has been fetching into {folder} for {_LOCK_WAIT_S // 60} minutes; "
            "look what holds its .lock file, end that process and start again",
            kind="server-busy",
            retryable=True,
        ) from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise _no_room(folder, sum(jar.size for jar in jars)) from error
        raise ServerError(
            f"cannot write to {folder}: {error.strerror or error}; make it writable or set "
            "GRAPHMEM_JARS to another folder",
            kind="server-home",
        ) from error


def _fetch_missing(
    jars: Sequence[Jar], missing: list[Jar], folder: Path, fetch: Fetch, progress: Progress
) -> None:
    needed = sum(jar.size for jar in missing)
    if missing and shutil.disk_usage(folder).free < needed + _SPARE_BYTES:
        raise _no_room(folder, needed + _SPARE_BYTES)
    # Of a fetch that was killed; none runs now, since this one holds the folder's lock.
    for left in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(left, ignore_errors=True)
    count = _Count(sum(jar.size for jar in jars), len(jars), needed, len(missing), progress)
    # The scratch folder lies in the jar folder, so that a jar moves to its name in one step.
    with (
        tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=folder) as scratch,
        ThreadPoolExecutor(_THREADS, thread_name_prefix="graphmem-fetch") as pool,
    ):
        futures = [
            pool.submit(_fetch_one, jar, folder, Path(scratch), fetch, count) for jar in missing
        ]
        try:
            for future in futures:
                future.result()
        except BaseException:
            # Ctrl-C or the first failure: the rest would only fail the same way.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


class _Count:
    """Adds up what the threads bring and reports it, one at a time."""

    def __init__(
        self, total: int, jars: int, missing_bytes: int, missing_jars: int, progress: Progress
    ) -> None:
        self._guard = threading.Lock()
        self._done = FetchProgress(total - missing_bytes, total, jars - missing_jars, jars)
        self._progress = progress
        progress(self._done)

    def add(self, size: int) -> None:
        with self._guard:
            done = self._done
            self._done = FetchProgress(
                done.done_bytes + size, done.total_bytes, done.done_jars + 1, done.total_jars
            )
            self._progress(self._done)


def _fetch_one(jar: Jar, folder: Path, scratch: Path, fetch: Fetch, count: _Count) -> None:
    found = ""
    for _ in range(2):
        place = fetch(jar, scratch)
        with place.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found == jar.sha256:
            place.replace(folder / jar.file_name)
            count.add(jar.size)
            return
        logger.warning("server.refuse: %s has a wrong SHA-256, fetching it again", jar.file_name)
        place.unlink()
    raise ServerError(
        f"{jar.file_name} arrived twice with SHA-256 {found[:16]}… instead of "
        f"{jar.sha256[:16]}… and was refused; check what stands between this machine and the "
        "repository (a proxy, GRAPHMEM_JAR_REPOSITORY), then start again",
        kind="server-hash",
        retryable=True,
    )


def jgo_fetch(repository: str | None) -> Fetch:
    """Return a fetch through jgo.

    Args:
        repository: Address of a Maven repository, None = the one that jgo knows.
    """
    require_extra()

    def fetch(jar: Jar, scratch: Path) -> Path:
        from jgo.maven import MavenContext
        from requests import RequestException

        context = MavenContext(
            repo_cache=scratch,
            remote_repos=None if repository is None else {"named": repository.rstrip("/")},
            timeout=_HTTP_TIMEOUT_S,
        )
        component = context.project(jar.group, jar.artifact).at_version(jar.version)
        artifact = component.artifact(classifier=jar.classifier, packaging="jar")
        fault: Exception | None = None
        for _ in range(_TRANSPORT_TRIES):
            try:
                return Path(artifact.resolve())
            # RuntimeError is what jgo raises when the repository does not answer with the jar.
            except (RequestException, RuntimeError) as error:
                fault = error
                partial = artifact.cached_path
                # jgo takes whatever has the final name for whole.
                if partial is not None:
                    partial.unlink(missing_ok=True)
        raise ServerError(
            f"cannot fetch {jar.file_name} ({type(fault).__name__}): the first start needs a "
            "network, and goes on where it stopped; connect and run `graphmem server start` "
            "again, set GRAPHMEM_JAR_REPOSITORY to a mirror, or NEO4J_URI to a server of yours",
            kind="server-network",
            retryable=True,
        ) from fault

    return fetch


def _is_whole(path: Path, jar: Jar) -> bool:
    try:
        return path.stat().st_size == jar.size
    except OSError:
        return False


def _no_room(folder: Path, needed: int) -> ServerError:
    return ServerError(
        f"no room for Neo4j in {folder}: {needed // 1_000_000} MB are needed; free some, or set "
        "GRAPHMEM_HOME (or GRAPHMEM_JARS for the jars alone) to a folder on another disk",
        kind="server-disk",
        retryable=True,
    )
