"""Options of `graphmem decay` that belong together."""

from __future__ import annotations

import pytest

from graphmem.cli import decay
from graphmem.cli.root import run


@pytest.mark.parametrize("option", [("--days", "3"), ("--node", "f1")])
def test_an_option_of_the_preview_alone_opens_no_memory(
    option: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who looks ahead and leaves out `--preview` is told so, and nothing is forgotten."""

    def opened(_: str | None) -> None:
        raise AssertionError(option)

    monkeypatch.setattr(decay, "open_memory", opened)

    code = run(["decay", *option])

    assert 2 == code
    assert "add it, and nothing is changed" in capsys.readouterr().err
