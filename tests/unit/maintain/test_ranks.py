"""Ranks of names are their PageRank."""

from __future__ import annotations

import pytest

from graphmem.maintain.communities.ranks import page_ranks, scaled
from tests.oracles.label_propagation import planted, undirected

EXACT = {"tolerance": 1e-7, "max_rounds": 200}


def test_two_that_are_linked_rank_alike() -> None:
    """Each leads to the other alone: what goes out comes in."""
    assert {"a": pytest.approx(1.0), "b": pytest.approx(1.0)} == page_ranks(
        undirected({("a", "b"): 3.0}), **EXACT
    )


def test_the_middle_of_a_star_ranks_highest() -> None:
    """A middle with four rays has (.15 + .85 * 4 * .15) / (1 - .85 ** 2)."""
    star = undirected(dict.fromkeys([("hub", f"ray{i}") for i in range(4)], 1.0))

    ranks = page_ranks(star, **EXACT)

    assert pytest.approx((0.15 + 0.85 * 4 * 0.15) / (1 - 0.85**2), abs=1e-5) == ranks["hub"]
    assert pytest.approx(0.15 + 0.85 * ranks["hub"] / 4, abs=1e-5) == ranks["ray0"]


def test_a_name_alone_has_what_everybody_has() -> None:
    """Nobody leads to it."""
    assert {"alone": pytest.approx(0.15)} == page_ranks({"alone": {}})


def test_scaled_ranks_lie_between_nothing_and_one() -> None:
    """The highest is 1; of nothing there is nothing."""
    ranks = scaled(page_ranks(planted(1)[0]))

    assert (1.0, True) == (max(ranks.values()), min(ranks.values()) > 0)
    assert {} == scaled({})
