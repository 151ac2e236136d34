"""Facts for programs without an event loop, on a real server."""

from __future__ import annotations

from datetime import timedelta

from graphmem import GraphMemory
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.tiers.conftest import Configure


def test_a_fact_comes_and_goes(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """The whole life of a fact, without a loop."""
    with GraphMemory.open(settings_with(), embedder=embedder, clock=clock) as memory:
        facts = memory.semantic
        old = facts.remember("I live in Berlin")
        clock.advance(timedelta(days=1))
        new = facts.remember_with_decision("I just moved to Tbilisi")

        assert "supersede" == new.decision.kind
        assert [new.fact.id] == [hit.fact.id for hit in facts.search("where do I live or move")]
        assert [old.id, new.fact.id] == [fact.id for fact in facts.history(old.id).chain]
        assert 2 == len(facts.conflicts())
        assert "forgotten" == facts.forget(new.fact.id, "a test").status
        assert [] == facts.list()
        assert "active" == facts.restore(new.fact.id).status
        assert facts.get(new.fact.id) == facts.list()[0]
        clock.advance(timedelta(days=1))
        later = facts.supersede(new.fact.id, "I live in Oslo", "moved again")
        assert [later.fact.id] == [fact.id for fact in facts.list()]
