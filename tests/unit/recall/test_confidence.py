"""When an answer can be relied on, from numbers alone."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from graphmem import Calibration, Hit, Turn
from graphmem.calibration import threshold_between
from graphmem.recall.confidence import Confidence, judge
from graphmem.recall.fuse import Nominees
from graphmem.recall.lexical import Words
from graphmem.recall.seeds import Scale

NOW = datetime(2026, 3, 1, tzinfo=UTC)
MEASURED = Calibration(
    same_median=0.8, different_median=0.4, different_p90=0.6, threshold=0.5, sample=200, at=NOW
)
SCALE = Scale({}, 4, 40, 4.0, sample=40, mean=0.1, deviation=0.1)


def hits(*cosines: float | None) -> list[Hit]:
    """Return turns a, b, c … with these cosines."""
    return [
        Hit(
            turn=Turn(id="abcdefghij"[place], session_id="s", at=NOW, seq=1, text=""),
            score=1.0,
            cosine=cosine,
        )
        for place, cosine in enumerate(cosines)
    ]


def nominees(**held: str) -> Nominees:
    """Return nominees of the question "kiln hot ana bees zinc", and the words that turns hold."""
    rarities = dict.fromkeys(["kiln", "hot", "ana", "bees", "zinc"], 1.0)
    counts = {turn: Counter(words.split()) for turn, words in held.items()}
    words = Words(rarities, {}, counts, {})
    return Nominees(words, {}, {}, {}, {}, ((), ()), {}, SCALE, "")


@pytest.mark.parametrize(
    ("cosine", "words", "expected"),
    [
        (0.51, "", True),
        (0.49, "", False),
        (0.45, "kiln hot", True),
        (0.45, "kiln", False),
        (0.0, "kiln hot ana bees", True),
        (0.0, "kiln hot ana", False),
        (None, "kiln", True),
        (None, "", False),
    ],
)
def test_a_turn_is_reliable_when_it_is_near_for_the_words_it_holds(
    cosine: float | None, words: str, expected: bool
) -> None:
    """Each fifth of the question lends .032 to a cosine; four fifths need none at all."""
    found = judge(hits(cosine), nominees(a=words), MEASURED)

    assert expected is found.is_confident


@pytest.mark.parametrize(
    ("cosine", "words", "expected"),
    [(0.3, "kiln", True), (0.3, "", False), (0.51, "", True), (0.49, "", False)],
)
def test_without_a_calibration_words_decide_or_a_cosine_that_stands_out(
    cosine: float, words: str, expected: bool
) -> None:
    """A fifth of the question, or four deviations above the scope's mean."""
    assert expected is judge(hits(cosine), nominees(a=words), None).is_confident


def test_one_reliable_turn_among_the_best_is_enough() -> None:
    """Wherever among the first six it stands; the seventh is no answer."""
    assert Confidence(True) == judge(hits(0.1, 0.2, 0.6), nominees(), MEASURED)
    assert not judge(hits(*[0.1] * 6, 0.6), nominees(), MEASURED).is_confident


def test_the_best_of_what_is_rejected_is_told() -> None:
    """Its raw cosine; the share of the question it holds where no vector was compared."""
    assert Confidence(False, 0.3) == judge(hits(0.1, 0.3), nominees(a="kiln"), MEASURED)
    assert Confidence(False, 0.0) == judge(hits(None, None), nominees(), MEASURED)
    assert Confidence(False, None) == judge([], nominees(), MEASURED)


def test_near_is_a_quarter_of_the_way_to_the_same() -> None:
    """Whatever range an embedder's cosines have."""
    assert 0.5 == pytest.approx(threshold_between(0.8, 0.4))
    assert 0.8 == pytest.approx(threshold_between(0.95, 0.75))
