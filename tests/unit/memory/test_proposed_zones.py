"""Where the zones of an embedder may begin, by what was measured of it."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from graphmem.doctor import _proposed_zones
from graphmem.graph.conflict.model import Thresholds
from graphmem.models import Calibration

COSINE = st.floats(min_value=-1, max_value=1)


def measured(same: float, other: float) -> Calibration:
    """Return a calibration with these cosines."""
    return Calibration(
        same_median=same,
        different_median=other,
        different_p90=other,
        threshold=other,
        sample=100,
        at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def test_nothing_is_proposed_before_anything_was_measured() -> None:
    """An empty proposal is none."""
    assert {} == _proposed_zones(None)


def test_an_embedder_that_finds_everything_alike_gets_narrow_zones() -> None:
    """As e5 does: other turns lie at .8."""
    assert {"hot": 0.98, "near_dup": 0.94, "cold": 0.8} == _proposed_zones(measured(0.94, 0.8))


@given(COSINE, COSINE)
def test_what_is_proposed_can_be_set(same: float, other: float) -> None:
    """Whatever was measured."""
    Thresholds(**_proposed_zones(measured(same, other)))
