"""Lists of facts, decisions, procedures, turns and answers on a terminal of eighty columns."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.cli.fact_tables import show_decisions, show_facts, show_hits
from graphmem.cli.listing import show_listing
from graphmem.decisions import Decision, DecisionKind, Stage
from graphmem.models import Fact, FactHit

ID = "18626aa9bd583d8d1e3478ee2fb0a21a"
AT = datetime(2026, 11, 30, 16, 11, tzinfo=UTC)
BEES = "Ana keeps five hives of quiet brown bees behind the old stone barn near the river"
FACT = Fact(id=ID, text=BEES, status="superseded", valid_from=AT, valid_to=AT)


@pytest.fixture(autouse=True)
def _eighty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what was printed: no line too long, and the id on one of them."""
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert 1 == sum(ID in line for line in lines)
    return lines


def words_of(lines: list[str]) -> str:
    """Return all that stands beside the ids, without the breaks between lines."""
    return " ".join(" ".join(line[36:].split()) for line in lines).strip()


def test_a_fact_is_told_in_whole_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Its text, how it stands and when it holds."""
    show_facts("facts", [FACT])

    told = words_of(lines_of(capsys))
    assert f"{BEES} superseded, from 2026-11-30 to 2026-11-30" in told


def test_a_fact_that_was_found_has_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    """That of the reranker, where one came."""
    show_hits([FactHit(fact=FACT, score=0.5, rerank_score=0.25)])

    assert "score 0.2500, superseded, from" in words_of(lines_of(capsys))


def test_a_decision_is_told_in_whole_words(capsys: pytest.CaptureFixture[str]) -> None:
    """What became of the statement, why, by whom, and when."""
    decision = Decision(
        id=ID,
        fact_id="f",
        at=AT,
        kind=DecisionKind.PENDING,
        judged_kind=DecisionKind.ADMIT,
        stage=Stage.DEFER,
        reason="near to another one",
        judged_reason="both may be so",
        error="no such model",
        similarity=0.5,
        state="settled",
        text=BEES,
    )

    show_decisions("decisions", [decision])

    told = words_of(lines_of(capsys))
    assert f"pending, judged admit: {BEES}" in told
    assert "why: both may be so (the judge failed: no such model) (defer)" in told
    assert "2026-11-30 16:11 UTC, settled, cosine 0.500" in told


def test_a_long_text_is_cut_off(capsys: pytest.CaptureFixture[str]) -> None:
    """A list is there to find one; `show` has all of it."""
    show_facts("facts", [FACT.model_copy(update={"text": "bees and\n" * 99})])

    lines = lines_of(capsys)
    assert len(lines) < 12
    assert "bees and bees a\u2026 superseded" in words_of(lines)


def test_a_word_without_end_does_not_push_the_id_away(capsys: pytest.CaptureFixture[str]) -> None:
    """It is broken, since it cannot stand on a line."""
    show_facts("facts", [FACT.model_copy(update={"text": "b" * 100})])

    assert 100 == sum(line.count("b") for line in lines_of(capsys)[1:] if ID not in line) + 41


def test_what_a_terminal_would_obey_is_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wrote it; and lines with nothing on them are left out."""
    show_listing("turns", "turn", [(ID, ["a\x1b[2Jb", "", "c"])])

    lines = lines_of(capsys)
    assert [f"  {ID}   a\ufffd[2Jb", f"  {'':32}   c"] == [line.rstrip() for line in lines[-3:-1]]


def test_what_has_nothing_to_tell_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """By its id alone."""
    show_listing("turns", "turn", [(ID, [""])])

    assert f"  {ID}" == lines_of(capsys)[-2].rstrip()
