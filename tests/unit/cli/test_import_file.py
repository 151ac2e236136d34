"""How a file is read, and what becomes of pieces that cannot be stored."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from graphmem.cli.formats import BadLine, FoundTurn
from graphmem.cli.import_file import drafts_of, read_lines
from graphmem.errors import InputError


def test_only_line_feeds_end_a_line(tmp_path: Path) -> None:
    """A separator that JSON leaves as it is does not cut its line."""
    file = tmp_path / "a.jsonl"
    file.write_bytes('{"question": "a\u2028b\u0085c"}\r\n{"question": "d"}'.encode())

    lines = read_lines(file)

    assert 2 == len(lines)
    assert "\u2028" in lines[0]


def test_a_compressed_file_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    """Both give the plain text."""
    packed, marked = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl"
    packed.write_bytes(gzip.compress(b"{}"))
    marked.write_bytes(b"\xef\xbb\xbf{}")

    assert ["{}\n"] == read_lines(packed) == read_lines(marked)


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.jsonl", "Zoë".encode("latin-1"), "save it as UTF-8"),
        ("a.gz", b"plain", "cannot be read"),
        ("a.gz", gzip.compress(b"x" * 100, mtime=0)[:-12], "cannot be read"),
        ("a.gz", gzip.compress(bytes(range(256)), mtime=0)[:15] + b"\xff" * 40, "cannot be read"),
    ],
)
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, name: str, content: bytes, reason: str
) -> None:
    """The message says what is wrong with the file."""
    file = tmp_path / name
    file.write_bytes(content)

    with pytest.raises(InputError, match=reason):
        read_lines(file)


PIECES = (
    FoundTurn("line 1", {"question": "good"}),
    FoundTurn("line 2", {"question": " "}),
    BadLine("line 3", "no JSON"),
    FoundTurn("line 4", {"question": "fine", "colour": "red"}),
)


def test_what_cannot_be_stored_is_set_aside() -> None:
    """Nothing is lost: each piece is a turn or in the list, with its place and reason."""
    bad: list[BadLine] = []

    drafts = list(drafts_of(PIECES, "s", bad, is_strict=False))

    assert 1 == len(drafts)
    assert ["line 2", "line 3", "line 4"] == [piece.place for piece in bad]
    assert "colour" in bad[2].reason


def test_a_strict_import_stops_at_the_first_fault() -> None:
    """The error names the line and says how to go on."""
    with pytest.raises(InputError, match=r"line 2: .*--skip-bad"):
        list(drafts_of(PIECES, "s", [], is_strict=True))
