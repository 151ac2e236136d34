"""Data of a scenario: JSON Lines in a folder, plain or packed, and their digest."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["add_data_argument", "data_digest", "names_of", "read_lines"]


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    """Let a scenario be told where its data is."""
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with the data; see benchmarks/README.md"
    )


def names_of(told: str) -> list[str]:
    """Return the names of an option that takes several, separated by commas."""
    return [name for name in told.split(",") if name]


def read_lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of `name`.jsonl or `name`.jsonl.gz.

    Raises:
        SystemExit: There is neither, or a line is no JSON object.
    """
    # Not splitlines(): a text may hold a line separator of Unicode.
    for number, line in enumerate(_content(folder, name).decode("utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise SystemExit(f"{folder / name}.jsonl, line {number}: {error}") from None
        if not isinstance(value, dict):
            raise SystemExit(f"{folder / name}.jsonl, line {number}: not a JSON object")
        yield value


def data_digest(folder: Path, names: Sequence[str]) -> str:
    """Return the SHA-256 of the content of the files, the same for plain and packed ones."""
    whole = hashlib.sha256()
    for name in names:
        content = _content(folder, name)
        whole.update(f"{name}:{len(content)}\n".encode())
        whole.update(content)
    return whole.hexdigest()


def _content(folder: Path, name: str) -> bytes:
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.gz"
    if plain.is_file():
        return plain.read_bytes()
    if packed.is_file():
        return gzip.decompress(packed.read_bytes())
    raise SystemExit(f"{folder} holds no {name}.jsonl or {name}.jsonl.gz; see benchmarks/README.md")
