"""The lock of jars, and fetching them."""

from __future__ import annotations

import gc
import hashlib
import re
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import pytest

from graphmem.errors import ServerError
from graphmem.server.jars import (
    Jar,
    fetch_jars,
    jgo_fetch,
    missing_jars,
    parse_lock,
    read_lock,
)
from graphmem.server.progress import FetchProgress, log_progress


def make_jar(name: str, content: bytes) -> Jar:
    """Return a jar of that content."""
    digest = hashlib.sha256(content).hexdigest()
    return Jar("server", "org.example", name, "1.0", "", len(content), digest)


@dataclass
class ScriptedFetch:
    """Brings what is told for each jar, one content a call, and counts the calls."""

    contents: dict[str, list[bytes]]
    calls: list[str] = field(default_factory=list)

    def __call__(self, jar: Jar, scratch: Path) -> Path:
        """Bring the next content of that jar."""
        self.calls.append(jar.artifact)
        place = scratch / jar.file_name
        place.write_bytes(self.contents[jar.artifact].pop(0))
        return place


def ignore(progress: FetchProgress) -> None:
    """Take a progress and do nothing with it."""


@pytest.fixture
def repository() -> Iterator[tuple[str, dict[str, list[bytes]]]]:
    """A Maven repository on loopback: contents by file name, one for each request."""
    contents: dict[str, list[bytes]] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served = contents.get(self.path.rsplit("/", 1)[-1], [])
            body = served.pop(0) if served else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", contents
    server.shutdown()
    thread.join()
    server.server_close()


def test_shipped_lock_names_server_and_plugin() -> None:
    """The lock that is shipped holds Neo4j 2026.02 or newer and Graph Data Science."""
    lock = read_lock()

    year, month, _ = (int(part) for part in lock.version_of("neo4j-server").split("."))

    assert (year, month) >= (2026, 2)
    assert {jar.kind for jar in lock.jars} == {"server", "gds"}
    assert lock.version_of("proc") == lock.version_of("opengds-extension")


def test_shipped_lock_is_whole() -> None:
    """Each jar of the shipped lock has a size and a SHA-256 of full length."""
    broken = [
        jar
        for jar in read_lock().jars
        if jar.size <= 0 or not re.fullmatch("[0-9a-f]{64}", jar.sha256)
    ]

    assert broken == []


def test_shipped_lock_brings_no_artifact_twice() -> None:
    """A plugin jar never hides the server's own version of the same artifact."""
    lock = read_lock()

    server = {(jar.group, jar.artifact) for jar in lock.jars if jar.kind == "server"}
    gds = {(jar.group, jar.artifact) for jar in lock.jars if jar.kind == "gds"}

    assert server & gds == set()


def test_shipped_lock_names_no_address() -> None:
    """The lock says what is fetched, never from where."""
    text = (files("graphmem.server") / "jars.lock").read_text(encoding="utf-8")

    assert "://" not in text


def test_lock_line_with_classifier() -> None:
    """A classifier stands in the file name, a hyphen in its field means none."""
    text = "# comment\nserver\tg\ta\t1\tlinux\t5\tff\ngds\tg\tb\t2\t-\t6\tee\n"

    lock = parse_lock(text)

    assert [jar.file_name for jar in lock.jars] == ["a-1-linux.jar", "b-2.jar"]


@pytest.mark.parametrize(
    "line",
    ["server\tg\ta\t1\t-\t5", "other\tg\ta\t1\t-\t5\tff", "server\tg\ta\t1\t-\tmany\tff"],
)
def test_bad_lock_line_is_refused(line: str) -> None:
    """A line that is no jar is an error with its number."""
    with pytest.raises(ServerError, match="line 2") as caught:
        parse_lock(f"# head\n{line}\n")

    assert caught.value.kind == "server-lock"


def test_two_jars_of_one_name_are_refused() -> None:
    """Two jars that would overwrite each other are an error."""
    with pytest.raises(ServerError, match="twice"):
        parse_lock("server\tg\ta\t1\t-\t5\tff\ngds\th\ta\t1\t-\t5\tee\n")


def test_fetched_jars_are_in_the_folder(tmp_path: Path) -> None:
    """Every jar is there afterwards, with its content, and no scratch folder stays."""
    jars = [make_jar("a", b"aaa"), make_jar("b", b"bbbb")]
    fetch = ScriptedFetch({"a": [b"aaa"], "b": [b"bbbb"]})

    fetch_jars(jars, tmp_path / "jars", fetch=fetch, progress=ignore)

    assert (tmp_path / "jars" / "b-1.0.jar").read_bytes() == b"bbbb"
    assert missing_jars(jars, tmp_path / "jars") == []
    assert list((tmp_path / "jars").glob(".fetching-*")) == []


def test_wrong_hash_is_fetched_again_once(tmp_path: Path) -> None:
    """A jar of the right length and the wrong content is refused and fetched again."""
    jar = make_jar("a", b"right")
    fetch = ScriptedFetch({"a": [b"wrong", b"right"]})

    fetch_jars([jar], tmp_path, fetch=fetch, progress=ignore)

    assert (tmp_path / jar.file_name).read_bytes() == b"right"
    assert fetch.calls == ["a", "a"]


def test_wrong_hash_twice_is_an_error(tmp_path: Path) -> None:
    """A jar that arrives wrong twice is never put into the folder."""
    jar = make_jar("a", b"right")
    fetch = ScriptedFetch({"a": [b"wrong", b"wrong", b"right"]})

    with pytest.raises(ServerError, match=r"a-1\.0\.jar arrived twice") as caught:
        fetch_jars([jar], tmp_path, fetch=fetch, progress=ignore)

    assert caught.value.kind == "server-hash"
    assert missing_jars([jar], tmp_path) == [jar]


def test_fetching_resumes(tmp_path: Path) -> None:
    """After a failure only what is missing is fetched."""
    jars = [make_jar("a", b"aaa"), make_jar("b", b"bbbb")]
    with pytest.raises(ServerError):
        fetch_jars(
            jars,
            tmp_path,
            fetch=ScriptedFetch({"a": [b"aaa"], "b": [b"x", b"x"]}),
            progress=ignore,
        )
    again = ScriptedFetch({"b": [b"bbbb"]})

    fetch_jars(jars, tmp_path, fetch=again, progress=ignore)

    assert again.calls == ["b"]
    assert missing_jars(jars, tmp_path) == []


def test_scratch_of_a_killed_fetch_is_removed(tmp_path: Path) -> None:
    """What a killed fetch left half done takes no room for ever."""
    (tmp_path / ".fetching-killed").mkdir()
    (tmp_path / ".fetching-killed" / "half.jar").write_bytes(b"half")

    fetch_jars(
        [make_jar("a", b"aaa")], tmp_path, fetch=ScriptedFetch({"a": [b"aaa"]}), progress=ignore
    )

    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "a-1.0.jar"]


def test_cut_off_jar_is_missing(tmp_path: Path) -> None:
    """A jar in the folder that is shorter than it must be is fetched anew."""
    jar = make_jar("a", b"whole")
    (tmp_path / jar.file_name).write_bytes(b"who")

    fetch_jars([jar], tmp_path, fetch=ScriptedFetch({"a": [b"whole"]}), progress=ignore)

    assert (tmp_path / jar.file_name).read_bytes() == b"whole"


def test_two_at_once_fetch_each_jar_once(tmp_path: Path) -> None:
    """Two callers that share a jar folder do not fetch the same jar twice."""
    jars = [make_jar(f"j{number}", bytes([number]) * 9) for number in range(20)]
    fetch = ScriptedFetch({jar.artifact: [bytes([n]) * 9] for n, jar in enumerate(jars)})

    with ThreadPoolExecutor(2) as pool:
        both = [
            pool.submit(fetch_jars, jars, tmp_path, fetch=fetch, progress=ignore) for _ in range(2)
        ]
        for future in both:
            future.result()

    assert sorted(fetch.calls) == sorted(jar.artifact for jar in jars)


def test_progress_ends_at_the_whole(tmp_path: Path) -> None:
    """Progress counts what was there before, grows, and ends at the total."""
    jars = [make_jar("a", b"aaa"), make_jar("b", b"bbbb")]
    (tmp_path / jars[0].file_name).write_bytes(b"aaa")
    seen: list[FetchProgress] = []

    fetch_jars(jars, tmp_path, fetch=ScriptedFetch({"b": [b"bbbb"]}), progress=seen.append)

    assert seen == [FetchProgress(3, 7, 1, 2), FetchProgress(7, 7, 2, 2)]


def test_log_progress_warns_once(caplog: pytest.LogCaptureFixture) -> None:
    """Where nobody shows a bar, the first line is a warning and ten more at most follow."""
    report = log_progress()
    caplog.set_level("INFO", logger="graphmem.server.progress")

    for done in range(101):
        report(FetchProgress(done, 100, done, 100))

    assert [record.levelname for record in caplog.records] == ["WARNING"] + ["INFO"] * 10


def test_full_disk_is_told_before_fetching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too little room is an error that names a way out, and nothing is fetched."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    fetch = ScriptedFetch({"a": [b"aaa"]})

    with pytest.raises(ServerError, match="GRAPHMEM_HOME") as caught:
        fetch_jars([make_jar("a", b"aaa")], tmp_path, fetch=fetch, progress=ignore)

    assert caught.value.kind == "server-disk"
    assert fetch.calls == []


def test_unusable_jar_folder_is_told(tmp_path: Path) -> None:
    """A jar folder that cannot be made is an error that names the setting."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(ServerError, match="GRAPHMEM_JARS") as caught:
        fetch_jars(
            [make_jar("a", b"aaa")],
            tmp_path / "file" / "jars",
            fetch=ScriptedFetch({}),
            progress=ignore,
        )

    assert caught.value.kind == "server-home"


def test_jgo_fetches_from_a_named_repository(
    tmp_path: Path, repository: tuple[str, dict[str, list[bytes]]]
) -> None:
    """A jar comes from the repository that is named, refused once, right the second time."""
    address, contents = repository
    jar = make_jar("a", b"right")
    contents[jar.file_name] = [b"wrong", b"right"]

    fetch_jars([jar], tmp_path, fetch=jgo_fetch(address + "/"), progress=ignore)

    assert (tmp_path / jar.file_name).read_bytes() == b"right"


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_jar_that_is_nowhere_is_told(
    tmp_path: Path, repository: tuple[str, dict[str, list[bytes]]]
) -> None:
    """A repository without the jar is an error that names the jar and what to set."""
    address, _ = repository

    with pytest.raises(ServerError, match=r"a-1\.0\.jar.*GRAPHMEM_JAR_REPOSITORY") as caught:
        fetch_jars([make_jar("a", b"aaa")], tmp_path, fetch=jgo_fetch(address), progress=ignore)

    assert caught.value.kind == "server-network"
    # jgo leaves the answer open; it is let go here, where that is no error.
    del caught
    gc.collect()


def test_no_network_is_told(tmp_path: Path) -> None:
    """With nobody at the other end, the error says that the first start needs a network."""
    with pytest.raises(ServerError, match="first start needs a network") as caught:
        fetch_jars(
            [make_jar("a", b"aaa")],
            tmp_path,
            fetch=jgo_fetch("http://127.0.0.1:1"),
            progress=ignore,
        )

    assert caught.value.kind == "server-network"
    assert caught.value.retryable
