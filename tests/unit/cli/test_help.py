"""What `--help` lists, and in which order."""

from __future__ import annotations

import pytest

from graphmem.cli.root import run

GROUPS = (
    "facts",
    "procedures",
    "terms",
    "runs",
    "trace",
    "quarantine",
    "embedder",
    "server",
    "cypher",
)


def test_commands_stand_in_the_order_of_the_way_of_the_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under headings: what remembers first, what recalls after what keeps clean."""
    monkeypatch.setenv("COLUMNS", "80")

    code = run(["--help"])

    lines = capsys.readouterr().out.splitlines()
    told = [line.split()[0] for line in lines[lines.index("Remember:") :] if line]
    assert 0 == code
    assert told == [
        *("Remember:", "demo", "add", "import"),
        *("Extract:", "extract", "quarantine", "embedder"),
        *("What", "facts", "procedures", "terms"),
        *("Keep", "maintain", "communities", "consolidate", "decay", "orphans", "retention"),
        "runs",
        *("Recall:", "recall", "show", "feedback", "trace"),
        *("The", "stats", "doctor", "settings", "server", "cypher"),
    ]


@pytest.mark.parametrize("arguments", [(), *((group,) for group in GROUPS)])
def test_what_a_command_does_is_said_in_a_line(
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is cut off in the middle of a sentence, eighty columns wide."""
    monkeypatch.setenv("COLUMNS", "80")

    run([*arguments, "--help"])

    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines[1:] if line.endswith("...")] == []
