"""Files of a scenario."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks.data import data_digest, read_lines


def test_plain_and_packed_files_are_the_same_data(tmp_path: Path) -> None:
    """Both give the same objects and the same digest, whatever the packer wrote."""
    content = '{"text": "one\u2028line"}\n\n{"text": "two"}'.encode()
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    for folder in (plain, packed):
        folder.mkdir()
    (plain / "turns.jsonl").write_bytes(content)
    (packed / "turns.jsonl.gz").write_bytes(gzip.compress(content))

    assert [{"text": "one\u2028line"}, {"text": "two"}] == list(read_lines(packed, "turns"))
    assert list(read_lines(plain, "turns")) == list(read_lines(packed, "turns"))
    assert data_digest(plain, ["turns"]) == data_digest(packed, ["turns"])


def test_other_content_has_another_digest(tmp_path: Path) -> None:
    """A changed byte tells two results apart."""
    (tmp_path / "turns.jsonl").write_text('{"a": 1}', encoding="utf-8")
    before = data_digest(tmp_path, ["turns"])

    (tmp_path / "turns.jsonl").write_text('{"a": 2}', encoding="utf-8")

    assert before != data_digest(tmp_path, ["turns"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The run ends with the names that were looked for."""
    with pytest.raises(SystemExit, match=r"no questions\.jsonl or questions\.jsonl\.gz"):
        list(read_lines(tmp_path, "questions"))


@pytest.mark.parametrize(("line", "told"), [("{", "line 2"), ("[1]", "line 2: not a JSON object")])
def test_a_bad_line_is_named(tmp_path: Path, line: str, told: str) -> None:
    """What is no object ends the run with its place, and is not left out."""
    (tmp_path / "turns.jsonl").write_text(f"{{}}\n{line}\n", encoding="utf-8")

    with pytest.raises(SystemExit, match=told):
        list(read_lines(tmp_path, "turns"))
