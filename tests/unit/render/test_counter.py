"""Who counts tokens: a table of tiktoken's that is at hand, or the estimate."""

from __future__ import annotations

import hashlib
import pickle
import sys
from pathlib import Path
from types import ModuleType

import pytest

from graphmem.config import tokenizer_cache
from graphmem.render import tokens
from graphmem.render.tokens import ESTIMATE, load_counter


class Encoding:
    """Stands in for tiktoken's: a token a word."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return a number for each word."""
        return [len(word) for word in text.split()]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Install a stand-in for tiktoken; return the names of encodings that are asked for."""
    names: list[str] = []
    module = ModuleType("tiktoken")

    def get_encoding(name: str) -> Encoding:
        names.append(name)
        if name == "broken":
            raise OSError("no network")
        return Encoding()

    module.get_encoding = get_encoding  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tiktoken", module)
    monkeypatch.setattr(tokens, "find_spec", lambda _: object())
    return names


def test_without_a_table_at_hand_nothing_is_fetched(asked: list[str], tmp_path: Path) -> None:
    """The estimate counts, and tiktoken is not asked: it would go to the network."""
    assert load_counter("auto", tmp_path) is ESTIMATE
    assert asked == []


def test_a_table_at_hand_is_taken(
    asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is whole: one that is damaged would be fetched again."""
    table = b"table"
    monkeypatch.setattr(
        tokens, "_TABLES", (("a", "file-a", "0" * 64), ("b", "file-b", _sha256(table)))
    )
    (tmp_path / "file-a").write_bytes(table)
    (tmp_path / "file-b").write_bytes(table)

    counter = load_counter("auto", tmp_path)

    assert ("tiktoken:b", 3) == (counter.name, counter.count("one two three"))
    assert asked == ["b"]


def test_a_named_encoding_is_asked_for(asked: list[str], tmp_path: Path) -> None:
    """Also one of a package of somebody else's; its counter goes through pickle."""
    counter = load_counter("theirs", tmp_path)

    assert counter.name == "tiktoken:theirs"
    assert pickle.loads(pickle.dumps(counter)).count("one two") == 2  # noqa: S301 - our own


def test_where_an_encoding_cannot_be_had_the_estimate_counts(
    asked: list[str], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With a warning; nothing fails."""
    assert load_counter("broken", tmp_path) is ESTIMATE
    assert "render.no_tokenizer encoding=broken" in caplog.text


def test_the_estimate_can_be_named(asked: list[str], tmp_path: Path) -> None:
    """Then tiktoken is left alone."""
    assert load_counter("estimate", tmp_path) is ESTIMATE
    assert asked == []


def test_the_folder_of_tables_is_tiktokens_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """As its documentation names it."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "/tables")

    assert tokenizer_cache() == Path("/tables")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
