"""What a terminal is shown of texts that anybody may have written."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime

import pytest

from graphmem.cli.console import bar, stdout, table, visible
from graphmem.cli.recall import show_recall
from graphmem.cli.root import run
from graphmem.cli.settings import settings
from graphmem.models import Fact, FactHit, Hit, Recall, Turn
from graphmem.settings_table import describe_settings

AT = datetime(2026, 2, 3, 14, 5, tzinfo=UTC)


def _recall(text: str, *, query: str = "q") -> Recall:
    turn = Turn(id="t", session_id=text, at=AT, seq=1, text=text)
    return Recall(query=query, scope="s", turns=(Hit(turn=turn, score=1.0),))


@pytest.mark.parametrize("text", ["[/bold] x", "a [red] b", "c:\\[x\\", ":warning: 5:heart:6"])
def test_markup_in_what_was_said_is_text(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets and colons of a question, a session and a turn are shown to the letter."""
    show_recall(_recall(text, query=text))

    assert 3 == capsys.readouterr().out.count(text)


def test_what_a_terminal_would_obey_is_not_sent_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences of a turn neither clear the screen nor set its title."""
    show_recall(_recall("a\x1b[2Jb\x07c\x9bd", query="\x1b]0;x"))

    told = capsys.readouterr().out
    assert "\x1b" not in told
    assert "a\ufffd[2Jb\ufffdc\ufffdd" in told


def test_line_breaks_and_scripts_are_shown() -> None:
    """Only control characters go."""
    text = "a\n\tb שלום 会议 👍🏽"

    assert text == visible(text)


def test_facts_are_headed_by_when_they_held(capsys: pytest.CaptureFixture[str]) -> None:
    """An answer as of then is not shown as what holds now."""
    fact = FactHit(fact=Fact(id="f", text="Ana lives in Lyon."), score=1.0)

    for as_of in (None, AT):
        show_recall(Recall(query="q", scope="s", facts=(fact,), as_of=as_of))

    told = capsys.readouterr().out
    assert 1 == told.count("facts that hold\n")
    assert f"facts that held at {AT:%Y-%m-%d %H:%M} UTC" in told


def test_an_id_stands_on_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However narrow the window is, an id can be copied."""
    monkeypatch.setenv("COLUMNS", "60")
    rows = table("kept", "id", "question")
    rows.add_row("0123456789abcdef" * 2, "a question of more words than fit beside it")

    stdout().print(rows)

    assert "0123456789abcdef" * 2 in capsys.readouterr().out


def test_a_bar_leaves_nothing_where_nobody_looks_on(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither bars nor empty lines go into a log file."""
    with bar("Importing", "turns", 3) as progress:
        progress(2, None)

    assert ("", "") == capsys.readouterr()


def test_names_of_settings_can_be_copied(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No variable is broken into two lines, also in a narrow window."""
    monkeypatch.setenv("COLUMNS", "80")

    settings()

    words = capsys.readouterr().out.split()
    assert set() == {row.env for row in describe_settings() if row.env} - set(words)


def test_settings_show_no_password_in_an_address(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not even in an address that opening a memory would refuse."""
    monkeypatch.setenv("NEO4J_URI", "bolt://ana:pw-secret@host:7687")

    assert 0 == run(["settings", "--json"])

    told = capsys.readouterr().out
    assert "bolt://***@host:7687" in told
    assert "pw-secret" not in told


@pytest.mark.parametrize("arguments", [["settings", "--json"], ["cypher", "list"]])
def test_output_that_cannot_be_written_is_one_clear_line(arguments: list[str]) -> None:
    """A full disk is told as an error, without a traceback."""
    code = "import sys; from graphmem.cli.root import run; sys.exit(run(sys.argv[1:]))"
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert 1 == done.returncode
    assert done.stderr.startswith("error: output: ")
    assert 1 == done.stderr.count("\n")
