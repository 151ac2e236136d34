"""The made-up facts that the pipeline is held to are what they say they are."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from tests.integration.graph.stories import FAMILIES, PAIR_KINDS, chains, pairs


def test_pairs_are_of_every_kind_and_each_is_said_once() -> None:
    """500 pairs, a thousand texts; a kind has its share."""
    made = pairs(500)

    counts = Counter(pair.kind for pair in made)
    texts = [said.text for pair in made for said in (pair.before, pair.after)]
    assert set(PAIR_KINDS) == set(counts)
    assert min(counts.values()) >= 45
    assert len(set(texts)) == len(texts) == 1000
    assert {"open predicate"} == {pair.kind for pair in made if not pair.is_unrelated}


def test_the_second_of_a_pair_is_told_of_a_later_time() -> None:
    """But for stays with an end, which may be told in any order and share no day."""
    for pair in pairs(500):
        stays = sorted((pair.before, pair.after), key=lambda said: said.at)
        if pair.kind == "other time":
            assert stays[0].until is not None
            assert stays[0].until <= stays[1].at
        else:
            assert (pair.before, pair.after) == tuple(stays)


def test_chains_are_of_every_family_and_length() -> None:
    """Two to eight statements, each later than the one before it and saying something else."""
    made = chains(1000)

    assert set(FAMILIES) == {chain.family for chain in made}
    assert set(range(2, 9)) == {len(chain.said) for chain in made}
    assert 1000 == len({chain.subject for chain in made})
    for chain in made:
        assert all(chain.subject in said.text for said in chain.said)
        for before, after in pairwise(chain.said):
            assert before.at < after.at
            assert before.text != after.text


def test_chains_are_told_in_many_ways() -> None:
    """Two forms and more a family, triples too; some come back, some are told in any order."""
    made = chains(1000)

    for family in FAMILIES:
        forms = {
            tuple(said.text.split(chain.subject)[-1].split()[:2])
            for chain in made
            if chain.family == family
            for said in chain.said
        }
        assert len(forms) >= 2
    assert 600 < sum(bool(said.parts) for chain in made for said in chain.said) < 1200
    assert 100 < sum(chain.is_late for chain in made) < 250
    assert 20 < sum(chain.said[0].text.split()[-1] in chain.said[-1].text for chain in made)


def test_the_same_seed_makes_the_same_and_another_seed_something_else() -> None:
    """A failure can be looked at again."""
    assert pairs(50) == pairs(50)
    assert chains(50) == chains(50)
    assert pairs(50) != pairs(50, seed=6)
    assert chains(50) != chains(50, seed=6)
