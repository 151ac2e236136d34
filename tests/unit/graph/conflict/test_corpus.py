"""The conflict pipeline says of every row of the table what the table says."""

from __future__ import annotations

import pytest

from graphmem.conflict import DEFAULT_THRESHOLDS, ConflictPipeline
from graphmem.graph.conflict import resolve

from .corpus import APART, HARMLESS, PACKS, ROWS, TOGETHER, Row, laid_out, pair

TABLE = [pytest.param(row, id=f"{group}: {row.id}") for group, rows in ROWS.items() for row in rows]


def resolved(row: Row):
    """Return the verdict on a row's candidate."""
    pipeline = ConflictPipeline(PACKS, thresholds=row.thresholds, hot=row.hot)  # type: ignore[arg-type]
    return pipeline.resolve(*laid_out(row))


@pytest.mark.parametrize("row", TABLE)
def test_a_row_ends_as_the_table_says(row: Row) -> None:
    """Kind, stage, the deciding fact and the successor are those of the row."""
    verdict = resolved(row)

    told = f"{verdict.kind} {verdict.stage}" + (" revived" if verdict.revives else "")
    target = "" if row.expected.startswith("admit defer") else next(iter(verdict.against), "")
    assert (row.expected, row.target, row.successor) == (
        told,
        target,
        verdict.superseded_by,
    ), verdict.reason


@pytest.mark.parametrize(("known", "candidate"), HARMLESS, ids=[line[1] for line in HARMLESS])
@pytest.mark.parametrize("cosine", [0.3, 0.7, 0.9])
def test_a_harmless_sentence_retires_nothing(known: str, candidate: str, cosine: float) -> None:
    """Words that look like a marker, and are none here, close no fact."""
    verdict = resolved(pair(known, candidate, "", cosine))

    assert () == verdict.closes, verdict.reason


@pytest.mark.parametrize(("known", "candidate"), APART)
@pytest.mark.parametrize("cosine", [0.86, 0.99])
def test_what_an_embedder_confuses_is_kept_as_two(
    known: str, candidate: str, cosine: float
) -> None:
    """An opposite, a sign, an exchange, or a name without a capital is no repetition."""
    verdict = resolved(pair(known, candidate, "", cosine))

    assert "dedup" != verdict.kind, verdict.reason


@pytest.mark.parametrize(("known", "candidate"), TOGETHER)
def test_the_same_words_otherwise_are_one(known: str, candidate: str) -> None:
    """Their order in a list or a sentence, an emoji or a word more make no second fact."""
    verdict = resolved(pair(known, candidate, "", 0.97))

    assert "dedup" == verdict.kind, verdict.reason


def test_the_table_is_long_enough() -> None:
    """At least 140 cases, 30 harmless sentences and 15 true changes."""
    assert sum(len(rows) for rows in ROWS.values()) >= 140
    assert len(HARMLESS) >= 30
    assert len(ROWS["changes"]) >= 15


def test_a_verdict_tells_the_nearest_cosine_and_its_zone() -> None:
    """The log shows how near it was, whatever stage decided."""
    verdict = resolved(pair("Ana lives in Rome", "Ana moved to Oslo", "", 0.62))

    assert (0.62, "conflict-check") == (verdict.similarity, verdict.zone)


def test_a_pipeline_that_is_off_admits_and_warns_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second pipeline of the same process is quiet."""
    row = pair("Ana lives in Rome", "Ana lives in Rome", "")
    monkeypatch.setattr(resolve._Warned, "is_done", False)

    kinds = [
        ConflictPipeline(PACKS, mode="off", thresholds=DEFAULT_THRESHOLDS).resolve(*laid_out(row))
        for _ in range(2)
    ]

    assert {"admit off"} == {f"{verdict.kind} {verdict.stage}" for verdict in kinds}
    assert 1 == len([line for line in caplog.records if "conflict.off" in line.message])
