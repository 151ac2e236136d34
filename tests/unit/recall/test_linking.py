"""Which Terms and Tags a question is about, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.recall.linking import linked_tags, linked_terms
from graphmem.recall.question import Question, take_apart
from graphmem.recall.request import RecallOptions, recall_request
from graphmem.recall.seeds import NodeSeed, Scale, Seeds
from graphmem.scoring import rarity

SCALE = Scale({}, sessions=1, turns=100, average_length=10.0, sample=0, mean=0.0, deviation=0.0)
NOTHING = Seeds((), (), (), (), (), SCALE, ())


def asked(query: str) -> Question:
    """Return a question, taken apart."""
    request = recall_request(query, scope="s", limit=1)
    return take_apart(request, RecallOptions(now=datetime(2026, 3, 1, tzinfo=UTC)))


def part(name: str, tokens: Sequence[str], links: int = 1) -> NodeSeed:
    """Return a Term that words of the question led to."""
    return NodeSeed(name, name, links, tokens=tuple(tokens))


def test_a_name_in_full_counts_as_much_as_it_is_rare() -> None:
    """A hub tells next to nothing, and less than a name of one turn."""
    seeds = replace(NOTHING, terms=(NodeSeed("rare", "Rare", 1), NodeSeed("hub", "Hub", 90)))

    linked = linked_terms(seeds, asked("Rare Hub"))

    assert {"rare": rarity(100, 1), "hub": rarity(100, 90)} == linked


def test_a_part_of_a_name_is_worth_its_share_of_the_name() -> None:
    """Half of the words of a name are half a link to it."""
    seeds = replace(NOTHING, part_terms=(part("Melanie Brooks", ["melani", "brook"]),))

    linked = linked_terms(seeds, asked("What did Melanie say?"))

    assert {"Melanie Brooks": pytest.approx(rarity(100, 1) / 2)} == linked


def test_a_part_that_two_names_share_is_given_to_neither_with_certainty() -> None:
    """Two Mayas get half each of what the only one would get."""
    one = (part("Maya Brooks", ["maya", "brook"]),)
    two = (*one, part("Maya Chen", ["maya", "chen"]))
    question = asked("What can Maya not eat?")

    alone = linked_terms(replace(NOTHING, part_terms=one), question)
    both = linked_terms(replace(NOTHING, part_terms=two), question)

    assert both["Maya Brooks"] == both["Maya Chen"]
    assert pytest.approx(alone["Maya Brooks"] / 2) == both["Maya Brooks"]


def test_a_word_that_a_name_shares_with_its_aliases_is_not_shared_out() -> None:
    """They lead to one Term, which is meant for certain."""
    smith = [part("Bob", ["bob", "smith"]), part("Bob", ["robert", "smith"])]
    question = asked("What does Smith do?")

    alone = linked_terms(replace(NOTHING, part_terms=(smith[0],)), question)
    both = linked_terms(replace(NOTHING, part_terms=tuple(smith)), question)

    assert alone == both


def test_an_alias_that_was_not_said_takes_no_word_from_another_name() -> None:
    """Who says Bob in full has not said Robert Smith: Robert is a part of Robert Jones, too."""
    bob, alias = part("Bob", ["bob"]), part("Bob", ["robert", "smith"])
    jones = part("Robert Jones", ["robert", "jone"])
    seeds = replace(NOTHING, terms=(bob,), part_terms=(bob, alias, jones))

    assert {"Bob", "Robert Jones"} == set(linked_terms(seeds, asked("What do Bob and Robert do?")))


def test_a_word_of_many_names_links_to_none() -> None:
    """It tells none of them apart."""
    names = tuple(part(f"street {n}", ["street", str(n)]) for n in range(5))

    assert {} == linked_terms(replace(NOTHING, part_terms=names), asked("Which street is it?"))


def test_words_of_a_name_in_full_belong_to_that_name() -> None:
    """Who asks for Maya Chen does not mean Maya Brooks."""
    chen, brooks = part("Maya Chen", ["maya", "chen"]), part("Maya Brooks", ["maya", "brook"])
    seeds = replace(NOTHING, terms=(chen,), part_terms=(chen, brooks))

    assert {"Maya Chen"} == set(linked_terms(seeds, asked("When did Maya Chen sign?")))


def test_a_name_near_in_meaning_counts_by_its_cosine() -> None:
    """Below one half it is only the least far one."""
    near, far = NodeSeed("near", "Near", 1, 0.8), NodeSeed("far", "Far", 1, 0.49)
    seeds = replace(NOTHING, near_terms=(near, far), near_tags=(near, far))

    assert {"near": pytest.approx(0.8 * rarity(100, 1))} == linked_terms(seeds, asked("x"))
    assert {"near": pytest.approx(0.8 * rarity(100, 1))} == linked_tags(seeds)


def test_the_surest_way_to_a_term_counts() -> None:
    """Named in full and near in meaning is not counted twice."""
    seeds = replace(
        NOTHING,
        terms=(NodeSeed("ana", "Ana", 1),),
        near_terms=(NodeSeed("ana", "Ana", 1, 0.9),),
    )

    assert {"ana": rarity(100, 1)} == linked_terms(seeds, asked("Ana"))
