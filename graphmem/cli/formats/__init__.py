"""The file formats that `graphmem import` reads: one module a format, each a pure reader."""

from __future__ import annotations

from graphmem.cli.formats.found import BadLine, FoundTurn
from graphmem.cli.formats.jsonl import read_jsonl
from graphmem.cli.formats.locomo import read_locomo
from graphmem.cli.formats.openai import read_openai

__all__ = ["BadLine", "FoundTurn", "read_jsonl", "read_locomo", "read_openai"]
