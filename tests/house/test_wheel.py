"""The wheel holds what a checkout holds."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree, by way of the source distribution."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


def _contents(wheel: Path, prefix: str) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {
            name.removeprefix(prefix): archive.read(name)
            for name in archive.namelist()
            if name.startswith(prefix)
        }


def test_the_wheel_holds_every_query_to_the_byte(wheel: Path) -> None:
    """cypher/ of the tree is graphmem/cypher/ of the wheel."""
    tree = {
        str(path.relative_to(ROOT / "cypher")): path.read_bytes()
        for path in (ROOT / "cypher").rglob("*")
        if path.is_file()
    }

    assert tree == _contents(wheel, "graphmem/cypher/")


def test_the_wheel_holds_the_package_and_what_it_reads(wheel: Path) -> None:
    """No module, lock or bundled conversation is left behind."""
    tree = {
        str(path.relative_to(ROOT / "graphmem"))
        for path in (ROOT / "graphmem").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }

    packed = {name for name in _contents(wheel, "graphmem/") if not name.startswith("cypher/")}

    assert tree == packed


def test_the_wheel_brings_no_other_package(wheel: Path) -> None:
    """Tests, benchmarks and scripts stay at home."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}

    assert {"graphmem"} == {top for top in tops if not top.endswith(".dist-info")}
