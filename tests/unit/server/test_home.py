"""The folder of a managed server."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from graphmem.errors import ServerError
from graphmem.server.home import Home, Record
from graphmem.server.jars import Jar, Lock


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with its folders."""
    made = Home.at(tmp_path / "home")
    made.make()
    return made


def with_store(home: Home) -> Home:
    """Make the home look as after a first start."""
    (home.data / "databases" / "system").mkdir(parents=True)
    return home


def test_password_is_readable_by_its_owner_only(home: Home) -> None:
    """The password file has mode 0600 and the home 0700, whatever the umask is."""
    before = os.umask(0)
    try:
        home.ensure_password()
    finally:
        os.umask(before)

    assert home.password_file.stat().st_mode & 0o777 == 0o600
    assert home.path.stat().st_mode & 0o777 == 0o700


def test_password_is_long_and_kept(home: Home) -> None:
    """A password is made once, at random, and found again."""
    first = home.ensure_password()

    assert len(first) >= 24
    assert home.ensure_password() == first
    assert home.password() == first


def test_password_is_no_option_of_the_admin_tool(home: Home) -> None:
    """Letters and digits only: nothing that begins with a dash, ever."""
    assert set(home.ensure_password()) <= set("0123456789abcdef")


def test_two_homes_have_two_passwords(tmp_path: Path) -> None:
    """No two homes share a password."""
    homes = [Home.at(tmp_path / name) for name in "ab"]
    for made in homes:
        made.make()

    assert len({made.ensure_password() for made in homes}) == 2


def test_lost_password_of_a_store_is_told(home: Home) -> None:
    """A store whose password file is gone gets no new password: the error says what to do."""
    with_store(home)

    with pytest.raises(ServerError, match="put the password back") as caught:
        home.ensure_password()

    assert caught.value.kind == "server-password"
    assert not home.password_file.exists()


def test_password_before_the_first_start_is_told(home: Home) -> None:
    """Asking for a password too early says to start the server."""
    with pytest.raises(ServerError, match="graphmem server start") as caught:
        home.password()

    assert caught.value.kind == "server-absent"


def test_record_is_found_again(home: Home) -> None:
    """What is remembered is read back."""
    record = Record(bolt_port=7690, http_port=7480, pid=12, created_s=3.5, heap="1g")

    home.remember(record)

    assert home.record() == record


@pytest.mark.parametrize("text", ["", "{", "[]", '{"bolt_port": "many"}'])
def test_unreadable_record_is_none(home: Home, text: str) -> None:
    """A record that makes no sense counts as none."""
    (home.path / "record.json").write_text(text)

    assert home.record() is None


def test_configuration_listens_on_loopback_only(home: Home) -> None:
    """Every listen address of the configuration is 127.0.0.1."""
    home.configure(bolt_port=7690, http_port=7480, heap="512m", page_cache="64m")

    lines = (home.server / "conf" / "neo4j.conf").read_text().splitlines()
    listens = [line.partition("=")[2] for line in lines if "listen_address=" in line]
    assert listens == ["127.0.0.1", "127.0.0.1:7690", "127.0.0.1:7480"]


def test_configuration_logs_and_reports_no_query(home: Home) -> None:
    """Queries hold what people said: none is logged, nothing is reported."""
    home.configure(bolt_port=7690, http_port=7480, heap="512m", page_cache="64m")

    lines = (home.server / "conf" / "neo4j.conf").read_text().splitlines()
    assert "db.logs.query.enabled=OFF" in lines
    assert "dbms.usage_report.enabled=false" in lines
    assert "client.allow_telemetry=false" in lines


def test_install_takes_the_jars_of_the_lock_and_no_others(home: Home, tmp_path: Path) -> None:
    """Jars go to the library or plugin folder by kind, and what an older lock left goes."""
    jars = tmp_path / "jars"
    jars.mkdir()
    lock = Lock(
        (
            Jar("server", "g", "a", "1", "", 3, ""),
            Jar("gds", "g", "b", "1", "", 4, ""),
        ),
        "digest",
    )
    (jars / "a-1.jar").write_bytes(b"aaa")
    (jars / "b-1.jar").write_bytes(b"bbbb")
    (home.server / "lib" / "a-0.jar").write_bytes(b"old")
    (home.server / "plugins" / "b-1.jar").write_bytes(b"cut")

    home.install(lock, jars)

    assert [path.name for path in (home.server / "lib").iterdir()] == ["a-1.jar"]
    assert (home.server / "plugins" / "b-1.jar").read_bytes() == b"bbbb"


def test_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A home in a place that is no folder is an error that names the setting."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(ServerError, match="GRAPHMEM_HOME") as caught:
        Home.at(tmp_path / "file" / "home").make()

    assert caught.value.kind == "server-home"


def test_full_disk_is_told(home: Home) -> None:
    """A full disk has a kind of its own, and may be better later."""
    fault = home.fault(OSError(errno.ENOSPC, "No space left on device"))

    assert fault.kind == "server-disk"
    assert fault.retryable


def test_size_counts_what_is_on_disk(home: Home) -> None:
    """The size is that of the files in the data folder, none when there is none."""
    empty = home.size_bytes()
    (home.data / "store").write_bytes(b"x" * 100_000)

    assert empty == 0
    assert home.size_bytes() >= 100_000


def test_log_lines_are_the_last_ones(home: Home) -> None:
    """The last lines of the log come oldest first, and a log that is not there has none."""
    assert home.log_lines(5) == []
    home.console_log.write_text("one\ntwo\nthree\n")

    assert home.log_lines(2) == ["two", "three"]
    assert home.log_lines(0) == []
