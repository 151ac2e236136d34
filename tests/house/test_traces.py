"""The project speaks of itself alone: no machine, no registry, nobody's home."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (
    ".ci",
    "benchmarks",
    "cypher",
    "docker",
    "docs",
    "graphmem",
    "requirements",
    "scripts",
    "tests",
)
# Hosts that may be named: this machine, names that stand for any host, and what is quoted.
HOSTS = re.compile(
    r"localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0|[\w.-]*\bexample(\.(com|org|net|invalid))?"
    r"|[\w.-]+\.(example|invalid|test)|\{[^}]*\}|keepachangelog\.com|semver\.org|www\.apache\.org|.{0,3}"
    # The default of the model client, and the name space of Maven's project files.
    r"|api\.openai\.com|maven\.apache\.org"
)
URL = re.compile(r"https?://(?:[^/\s\"'`@]*@)?([^/\s:\"'`)>\]]*)")


def _texts() -> Iterator[tuple[str, str]]:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    for path in [*paths, *ROOT.glob("*.*"), ROOT / "Makefile"]:
        if not path.is_file() or "__pycache__" in path.parts:
            continue
        try:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def test_no_foreign_host_is_named() -> None:
    """What is fetched is named by package, never by address."""
    named = {
        f"{name}: {host}"
        for name, text in _texts()
        for host in URL.findall(text)
        if name != "LICENSE" and not HOSTS.fullmatch(host)
    }

    assert set() == named


def test_no_path_of_this_machine_is_named() -> None:
    """Neither the folder of this checkout nor the home of who built it stands in a file."""
    places = [str(place) for place in (ROOT, Path.home()) if len(place.parts) > 1]
    named = {
        f"{name}: {place}"
        for name, text in _texts()
        for place in places
        if re.search(rf"{re.escape(place)}(?![\w-])", text)
    }

    assert set() == named


def test_the_locks_carry_hashes_and_no_address() -> None:
    """Each locked package has a hash, and no index, link or host stands beside it."""
    for path in sorted((ROOT / "requirements").glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        packages = re.split(r"\n(?=\S)", text.strip())

        assert [package for package in packages if "--hash=sha256:" not in package] == []
        assert "://" not in text
        assert not re.search(r"--(extra-)?index-url|--find-links", text)
