"""When an answer can be relied on, from numbers alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem import Calibration
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


def nominees(cosines: dict[str, float] | None = None, **held: str) -> Nominees:
    """Return nominees of the question "kiln hot ana bees zinc": cosines, and words they hold."""
    rarities = dict.fromkeys(["kiln", "hot", "ana", "bees", "zinc"], 1.0)
    counts = {turn: Counter(words.split()) for turn, words in held.items()}
    words = Words(rarities, {}, counts, {})
    return Nominees(words, {}, cosines or {}, {}, {}, ((), ()), {}, SCALE, "")


@pytest.mark.parametrize(
    ("cosine", "words", "expected"),
    [
        (0.51, "", True),
        (0.49, "", False),
        (0.47, "kiln hot", True),
        (0.47, "kiln", False),
        (0.0, "kiln hot ana bees", True),
        (0.0, "kiln hot ana", False),
    ],
)
def test_what_is_near_for_the_words_that_are_there_is_reliable(
    cosine: float, words: str, expected: bool
) -> None:
    """Each fifth of the question lends .016 to a cosine; four fifths need none at all."""
    found = judge(nominees({"a": cosine}, b=words), (), MEASURED)

    assert expected is found.is_confident


@pytest.mark.parametrize("calibration", [MEASURED, None])
def test_a_fact_that_holds_the_question_is_reliable(calibration: Calibration | None) -> None:
    """Whatever little its turns themselves say."""
    stated = replace(nominees({"a": 0.2}), fact_coverage=0.8)

    assert judge(stated, (), calibration).is_confident


@pytest.mark.parametrize("calibration", [MEASURED, None])
@pytest.mark.parametrize(("words", "expected"), [("kiln hot", True), ("kiln", False)])
def test_without_a_vector_words_decide(
    words: str, expected: bool, calibration: Calibration | None
) -> None:
    """A quarter of the question, by rarity."""
    assert expected is judge(nominees(a=words), (), calibration).is_confident


@pytest.mark.parametrize(
    ("cosine", "words", "expected"),
    [(0.3, "kiln hot", True), (0.3, "kiln", False), (0.51, "", True), (0.49, "", False)],
)
def test_without_a_calibration_a_cosine_must_stand_out(
    cosine: float, words: str, expected: bool
) -> None:
    """Four deviations above the scope's mean, or there are words."""
    assert expected is judge(nominees({"a": cosine}, a=words), (), None).is_confident


def test_what_the_asker_still_sees_is_no_answer() -> None:
    """A turn in the window of the model says nothing of what the memory holds beside it."""
    seen = nominees({"a": 0.9, "b": 0.2}, a="kiln hot ana bees zinc")

    assert Confidence(True) == judge(seen, (), MEASURED)
    assert Confidence(False, 0.2) == judge(seen, {"a"}, MEASURED)


def test_the_best_of_what_is_rejected_is_told() -> None:
    """Its raw cosine; the share of the question it holds where no vector was compared."""
    assert Confidence(False, 0.3) == judge(nominees({"a": 0.1, "b": 0.3}, a="kiln"), (), MEASURED)
    assert Confidence(False, 0.0) == judge(nominees(a="", b=""), (), MEASURED)
    assert Confidence(False, None) == judge(nominees(), (), MEASURED)


def test_near_is_a_quarter_of_the_way_to_the_same() -> None:
    """Whatever range an embedder's cosines have."""
    assert 0.5 == pytest.approx(threshold_between(0.8, 0.4))
    assert 0.8 == pytest.approx(threshold_between(0.95, 0.75))
