"""What goes wrong before a server is needed is one clear line."""

from __future__ import annotations

import pytest

from graphmem.cli.root import run
from graphmem.settings_table import describe_settings


@pytest.mark.parametrize(
    ("arguments", "extra", "code", "expected"),
    [
        (["stats", "--scope", ""], {}, 1, "scope"),
        (["stats"], {"GRAPHMEM_SCOPE": ""}, 1, "error: config: "),
        (["stats"], {"NEO4J_URI": "bolt://127.0.0.1:9"}, 1, "error: unreachable: "),
        (["add", "q", "--at", "2026-03-02T10:00:00"], {}, 1, "has no zone"),
        (["recall", "q", "--since", "2026-03-02T10:00:00"], {}, 1, "has no zone"),
        (["import", "nowhere.jsonl"], {}, 2, "nowhere.jsonl"),
        (["recall"], {}, 2, "Missing argument"),
        (["recall", "q", "--explain", "--cypher"], {}, 2, "each print another thing"),
        (["recall", "q", "--as-of", "2026-03-02"], {}, 1, "write it as 2026-03-02T00:00:00Z"),
        (["trace", "drop", "--before", "yesterday"], {}, 1, "is no time"),
        (["nonsense"], {}, 2, "nonsense"),
    ],
)
def test_an_error_is_one_clear_line(
    *,
    arguments: list[str],
    extra: dict[str, str],
    code: int,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Kind and message on stderr, exit code 1, or 2 for wrong usage; never a traceback."""
    for row in describe_settings():
        if row.env:
            monkeypatch.delenv(row.env, raising=False)
    for name, value in extra.items():
        monkeypatch.setenv(name, value)

    ended = run(arguments)

    told = capsys.readouterr()
    assert code == ended
    assert expected in told.err
    assert "Traceback" not in told.err
    assert "" == told.out
