"""What other libraries are given: the same turns, names, facts and vectors as graphmem."""

from __future__ import annotations

from benchmarks.made_up import MadeUpScope
from benchmarks.peers.corpus import ItemFact, SharedVectors, of_scope, of_talk
from benchmarks.talks import Talk
from graphmem.testing import HashedEmbedder

TURNS = [
    {
        "id": "D1:1",
        "session": 1,
        "pos": 0,
        "time": "2023-05-08T13:56",
        "speaker": "Ana",
        "text": "Hi!",
    },
    {
        "id": "D1:2",
        "session": 1,
        "pos": 1,
        "time": "2023-05-08T13:56",
        "speaker": "Ben",
        "text": "I baked bread with Cleo in Lyon.",
    },
]


def test_a_fact_links_its_speaker_to_the_name_in_its_text() -> None:
    """Of the names of the turn the first one that the fact tells of is its object."""
    talk = Talk("conv", TURNS)
    talk.names["D1:2"] = ["bread", "Cleo", "Lyon"]
    talk.facts["D1:2"] = [{"speaker": "Ben", "text": "Ben was in Lyon with Cleo."}]

    item = of_talk(talk).items[1]

    assert "Ben: I baked bread with Cleo in Lyon." == item.text
    assert ("Ben", "bread", "Cleo", "Lyon") == item.names
    assert (ItemFact("Ben was in Lyon with Cleo.", "Ben", "said", "Cleo"),) == item.facts


def test_a_fact_without_a_name_links_the_two_speakers() -> None:
    """Libraries that keep facts as links need both ends."""
    talk = Talk("conv", TURNS)
    talk.facts["D1:2"] = [{"speaker": "Ben", "text": "Ben is tired."}]

    item = of_talk(talk).items[1]

    assert "Ana" == item.facts[0].object
    assert ("Ben", "Ana") == item.names


def test_a_made_up_scope_has_a_fact_a_turn() -> None:
    """So the number of facts is that of the turns, and each fact's ends are names of its turn."""
    corpus = of_scope(MadeUpScope("owner", 0, 50, seed=1))

    assert 50 == corpus.facts
    assert all(
        {fact.subject, fact.object} <= set(item.names)
        for item in corpus.items
        for fact in item.facts
    )


async def test_shared_vectors_embed_a_text_once() -> None:
    """What one system had embedded costs the next one nothing."""
    embedder = HashedEmbedder(16)
    vectors = SharedVectors(lambda: embedder)

    rows = await vectors.embed(["one", "two", "one"])
    await vectors.embed(["two"])

    assert ["one", "two"] == embedder.texts
    assert rows[0].tolist() == rows[2].tolist() == vectors.floats("one")
