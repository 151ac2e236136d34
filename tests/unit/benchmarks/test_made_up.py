"""The made-up store: the same one each time, with a hub, small and large scopes, and topics."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.made_up import MadeUpEmbedder, MadeUpScope, scopes_of
from graphmem.extract.given import given_extraction
from graphmem.text import analyse

SCOPE = MadeUpScope("scope-03", 3, 400, seed=7)


def test_a_seed_makes_one_store() -> None:
    """Two runs load and ask the same, so that their figures can be compared."""
    again = MadeUpScope("scope-03", 3, 400, seed=7)

    assert list(SCOPE.drafts(390)) == list(again.drafts())[390:]
    assert SCOPE.questions(5) == again.questions(5)


def test_other_scopes_and_seeds_hold_something_else() -> None:
    """No scope is a copy of another one."""
    first = next(SCOPE.drafts())["question"]
    others = [MadeUpScope("x", 4, 400, seed=7), MadeUpScope("x", 3, 400, seed=8)]

    assert first not in [next(other.drafts())["question"] for other in others]


def test_the_last_scope_holds_one_per_cent() -> None:
    """The others share the rest, and nothing is lost."""
    sizes = [scope.turns for scope in scopes_of(10_000, 20)]

    assert 100 == sizes[-1]
    assert 10_000 == sum(sizes)
    assert max(sizes[:-1]) - min(sizes[:-1]) < 20


def test_more_than_half_of_the_turns_mention_the_hub() -> None:
    """A name that tells nothing apart stands in most turns, and the next ones fall off."""
    held = Counter(name for draft in SCOPE.drafts() for name in draft["extraction"]["mentions"])
    (first, most), (_, second) = held.most_common(2)

    assert SCOPE.hub == first
    assert 200 < most
    assert second < most / 2


def test_extractions_are_taken_whole() -> None:
    """What is made up is what callers may hand in: nothing of it is dropped."""
    found = [given_extraction(draft["extraction"]) for draft in SCOPE.drafts(380)]

    assert [] == [note for extraction in found for note in extraction.dropped]
    assert {1} == {len(extraction.facts) for extraction in found}


def test_looked_for_words_are_those_that_graphmem_looks_for() -> None:
    """The floor asks for the same words: no stemmer changes them."""
    for asked in SCOPE.questions(20):
        assert set(asked.words) == set(analyse(asked.text, asking=True))


def test_vectors_find_the_turn_that_a_question_was_made_of() -> None:
    """Questions are near their turns, and turns of a topic nearer than others."""
    drafts = list(SCOPE.drafts())
    embedder = MadeUpEmbedder(384)
    turns = embedder.vectors([f"{draft['question']} {draft['answer']}" for draft in drafts])
    asked = SCOPE.questions(20)

    order = np.argsort(-(embedder.vectors([one.text for one in asked]) @ turns.T), axis=1)

    found = [
        one.turn_key in {f"t{turn}" for turn in row[:10]}
        for one, row in zip(asked, order, strict=True)
    ]
    assert 18 <= sum(found)
    assert float(np.mean(turns[0] @ turns[1:20].T)) > float(np.mean(turns[0] @ turns[20:].T)) + 0.1
