"""What consolidation and decay would take, on eighty columns: twins are told apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from graphmem.cli import cleaning, decay
from graphmem.cli.root import run
from graphmem.maintenance import DecayPreview, RemovalReport, RemovedNode, ScoredNode

GOES, STAYS = "18626aa9bd583d8d1e3478ee2fb0a21a", "28626aa9bd583d8d1e3478ee2fb0a21b"
BEES = "Ana keeps five hives of quiet brown bees behind the old stone barn near the"
REPORT = RemovalReport(
    operation="decay",
    mode="delete",
    is_dry_run=True,
    checked=2,
    deleted=1,
    removed=(
        RemovedNode(
            id=GOES,
            kind="Fact",
            text=f"{BEES} lake",
            reason="worth less than 0.5",
            score=0.25,
            survivor_id=STAYS,
            survivor_text=f"{BEES} pond",
            survivor_score=0.75,
            cosine=0.9,
        ),
    ),
)
SCORED = ScoredNode(
    id=GOES,
    kind="Fact",
    text=f"{BEES} lake",
    score=0.25,
    recency=0.5,
    frequency=0.5,
    reward=1.0,
    idle_days=9.0,
    uses=0,
    goes_in_days=0.0,
)
KEPT = SCORED.model_copy(
    update={"id": STAYS, "text": f"{BEES} pond", "protected": "pinned", "goes_in_days": None}
)
PREVIEW = DecayPreview(
    policy="value",
    at=datetime(2026, 11, 30, tzinfo=UTC),
    days=1,
    checked=2,
    goes=1,
    goes_later=(0,),
    nodes=(SCORED,),
    kept={"pinned": 1},
    kept_nodes=(KEPT,),
)


class Memory:
    """Has one scope and these reports."""

    scope = "default"

    def consolidate_semantics(self, *_: object, **__: object) -> RemovalReport:
        """Return a pair."""
        return REPORT

    def decay_nodes(self, *_: object, **__: object) -> RemovalReport:
        """Return a node."""
        return REPORT

    def decay_preview(self, **_: object) -> DecayPreview:
        """Return one that goes, and one that stays."""
        return PREVIEW


@contextmanager
def opened(_: str | None) -> Iterator[Memory]:
    """Hand out such a memory."""
    yield Memory()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("consolidate", "--dry-run"),
            {
                GOES: f"{BEES} lake cosine 0.900, worth 0.250",
                STAYS: f"stays for it: {BEES} pond worth 0.750",
            },
        ),
        (("decay", "--dry-run"), {GOES: f"{BEES} lake score 0.250"}),
        (
            ("decay", "--dry-run", "--explain"),
            {GOES: f"{BEES} lake score 0.250 worth less than 0.5"},
        ),
        (
            ("decay", "--preview"),
            {GOES: f"{BEES} lake score 0.250", STAYS: f"{BEES} pond protected: pinned"},
        ),
        (
            ("decay", "--preview", "--explain"),
            {
                GOES: f"{BEES} lake score 0.250, goes now recency 0.500, frequency 0.500, "
                "reward 1.000 idle for 9.0 days, uses: 0",
                STAYS: f"{BEES} pond protected: pinned",
            },
        ),
    ],
)
def test_each_has_its_id_and_its_whole_text(
    arguments: tuple[str, ...],
    told: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The id on the left, in one piece; what it says and its numbers on lines beside it."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(cleaning, "open_memory", opened)
    monkeypatch.setattr(decay, "open_memory", opened)

    code = run([*arguments])

    lines = capsys.readouterr().out.splitlines()
    assert 0 == code
    assert max(map(len, lines)) <= 80
    assert told == {id_: _beside(id_, lines) for id_ in told}


def _beside(id_: str, lines: list[str]) -> str:
    """Return what stands beside an id, without the breaks between lines."""
    (start,) = [place for place, line in enumerate(lines) if line.startswith(f"  {id_}   ")]
    cells = [lines[start][37:]]
    for line in lines[start + 1 :]:
        if line[:37].strip() or not line.strip():
            break
        cells.append(line[37:])
    return " ".join(" ".join(cells).split())
