"""Search among facts on a real server: what holds, what held, and what was known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, FactHit, InputError
from graphmem.testing import FrozenClock, HashedEmbedder
from graphmem.tiers import search as search_module
from tests.integration.conftest import Ask
from tests.integration.tiers.conftest import Configure, day

DESKS = 20


async def texts(memory: AsyncGraphMemory, query: str, **options: object) -> list[str]:
    """Return the texts of what is found, best first."""
    hits = await memory.semantic.search(query, **options)  # type: ignore[arg-type]
    return [hit.fact.text for hit in hits]


async def move_desks(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """Tell twenty successive desks of Priya, a day each from June 1st on, and one of Tomas."""
    await memory.semantic.remember("Tomas's desk is T1.")
    for number in range(DESKS):
        await memory.semantic.remember(f"Priya's desk is D{number}.")
        clock.advance(timedelta(days=1))


async def test_a_default_answer_holds_what_is_so_now(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Nineteen ended facts neither come nor take places from those that hold."""
    await move_desks(memory, clock)

    found = await texts(memory, "where is Priya's desk", limit=5)

    assert ["Priya's desk is D19.", "Tomas's desk is T1."] == found


async def test_ended_facts_are_found_when_they_are_asked_for(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """include_superseded brings all twenty."""
    await move_desks(memory, clock)

    found = await texts(memory, "Priya's desk", limit=50, include_superseded=True)

    assert {f"Priya's desk is D{number}." for number in range(DESKS)} <= set(found)


async def test_as_of_tells_what_held_then(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """On June 4th it was the fourth desk."""
    await move_desks(memory, clock)

    found = await texts(memory, "Priya's desk", as_of=day(6, 4))

    assert "Priya's desk is D3." == found[0]
    assert not any("Priya" in text for text in found[1:])


async def test_an_instant_between_two_facts_belongs_to_the_later_one(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """An end is exclusive: at the very instant of the change the new one holds alone."""
    await memory.semantic.remember("Priya's desk is D0.")
    clock.set(day(7))
    await memory.semantic.remember("Priya's desk is D1.")

    at_the_change = await texts(memory, "Priya's desk", as_of=day(7))
    just_before = await texts(memory, "Priya's desk", as_of=day(7) - timedelta(microseconds=1))

    assert ["Priya's desk is D1."] == at_the_change
    assert ["Priya's desk is D0."] == just_before


async def test_known_at_tells_what_was_known_then(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A change that was told late was not known before it was told."""
    await memory.semantic.remember("Priya's desk is D0.")
    clock.set(day(8))
    await memory.semantic.remember("Priya's desk is D1.", valid_from=day(7))

    then = await memory.semantic.search("Priya's desk", known_at=day(7, 15))
    now_of_then = await texts(memory, "Priya's desk", as_of=day(7, 15))
    both = await texts(memory, "Priya's desk", known_at=day(7, 15), as_of=day(6, 15))

    assert [("Priya's desk is D0.", "active", None)] == [
        (hit.fact.text, hit.fact.status, hit.fact.valid_to) for hit in then
    ]
    assert ["Priya's desk is D1."] == now_of_then
    assert ["Priya's desk is D0."] == both


async def test_a_recall_of_what_was_known_embeds_its_question_once(
    memory: AsyncGraphMemory, clock: FrozenClock, embedder: HashedEmbedder
) -> None:
    """Turns and facts are looked for by the same vector."""
    await memory.add_turn("The kiln is fired with gas.", wait=True)
    await memory.semantic.remember("The kiln is fired with gas.")
    clock.advance(timedelta(days=1))

    found = await memory.recall("what fires the kiln", known_at=clock.now())

    assert 1 == embedder.texts.count("what fires the kiln")
    assert found.turns
    assert found.facts


async def test_a_forgotten_fact_was_known_before_it_was_forgotten(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Forgetting is no rewriting of what was said; default answers stay silent."""
    fact = await memory.semantic.remember("Iris is allergic to nuts.")
    clock.set(day(7))
    await memory.semantic.forget(fact.id, "she asked for it")

    assert [fact.text] == await texts(memory, "nuts", known_at=day(6, 15))
    assert [] == await texts(memory, "nuts")
    assert [] == await texts(memory, "nuts", as_of=day(6, 15))
    assert [] == await texts(memory, "nuts", include_superseded=True)


async def test_what_begins_later_is_not_told_yet(memory: AsyncGraphMemory) -> None:
    """A fact of the future comes with the time."""
    await memory.semantic.remember("Iris will chair the guild.", valid_from=day(9))

    assert [] == await texts(memory, "guild")
    assert ["Iris will chair the guild."] == await texts(memory, "guild", as_of=day(9))


async def test_what_will_end_holds_until_then(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """A successor of the future leaves the present alone, in search and list."""
    old = await memory.semantic.remember("Priya's desk is D0.")
    await memory.semantic.remember("Priya's desk is D1.", valid_from=day(7))

    before = await texts(memory, "Priya's desk")
    listed = await memory.semantic.list()
    clock.set(day(7))

    assert ["Priya's desk is D0."] == before
    assert [old.id] == [fact.id for fact in listed]
    assert ["Priya's desk is D1."] == await texts(memory, "Priya's desk")


async def test_tags_narrow_before_the_cut(memory: AsyncGraphMemory) -> None:
    """One tagged fact among seventy that fit better is found."""
    for number in range(70):
        await memory.semantic.remember(f"loom loom note {number}")
    await memory.semantic.remember("A note on the loom of the far guild house", tags=["Guild"])

    found = await texts(memory, "loom note", tags=["guild"], limit=5)

    assert ["A note on the loom of the far guild house"] == found


async def test_an_agent_finds_what_it_learned(memory: AsyncGraphMemory) -> None:
    """agent_id narrows both lists."""
    await memory.semantic.remember("The loom needs oil.", agent_id="scribe")
    await memory.semantic.remember("The loom needs wax.", agent_id="cook")

    assert ["The loom needs wax."] == await texts(
        memory, "what does the loom need", agent_id="cook"
    )


async def test_meaning_finds_what_words_do_not_and_the_other_way_round(
    memory: AsyncGraphMemory,
) -> None:
    """A fact that both lists have comes before one that a single list has."""
    await memory.semantic.remember("Iris polishes violins.")
    await memory.semantic.remember("Iris keeps bees.")

    hits = await memory.semantic.search("Iris polishes violins")

    assert "Iris polishes violins." == hits[0].fact.text
    assert pytest.approx(2 / 61) == hits[0].score


async def test_words_alone_find_facts_while_the_embedder_is_down(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """Search goes on by text."""
    await memory.semantic.remember("Iris polishes violins.")
    embedder.is_down = True

    hits = await memory.semantic.search("violins")

    assert pytest.approx(1 / 61) == hits[0].score


async def test_secret_facts_are_found_by_asking_for_facts_alone(memory: AsyncGraphMemory) -> None:
    """A recall does not tell them."""
    await memory.semantic.remember("The safe opens with zircon.", sensitivity="secret")

    recalled = await memory.recall("How does the safe open?")

    assert ["The safe opens with zircon."] == await texts(memory, "safe")
    assert [] == list(recalled.facts)


async def test_why_a_turn_came_names_no_part_of_a_secret(memory: AsyncGraphMemory) -> None:
    """A name and a tag that only a secret fact has are linked to no question."""
    await memory.add_turn("What is the zircon code of Dana?", "I do not know.", wait=True)
    await memory.semantic.remember(
        "The code of Dana is zircon-77.",
        subject="Dana",
        predicate="code",
        object="zircon-77",
        tags=["zircon vault"],
        sensitivity="secret",
    )
    await memory.flush()

    recalled = await memory.recall("Which zircon code has Dana?")
    told = await recalled.explain()

    assert "zircon-77" not in told.to_text()
    assert not any("vault" in seed.name or "77" in seed.name for seed in told.trace.seeds)


async def test_other_scopes_are_not_searched(memory: AsyncGraphMemory) -> None:
    """Scopes are walls for facts, too."""
    await memory.scoped(f"{memory.scope}-other").semantic.remember("Iris polishes violins.")

    assert [] == await texts(memory, "violins")
    assert [] == await memory.semantic.list(status="all")


async def test_nothing_is_asked_for_nothing(memory: AsyncGraphMemory) -> None:
    """A limit of 0 is an empty answer; a question without a word finds by meaning alone."""
    await memory.semantic.remember("Iris polishes violins.")

    assert [] == await memory.semantic.search("violins", limit=0)
    with pytest.raises(InputError):
        await memory.semantic.search("violins", limit=51)


async def test_facts_that_count_are_not_crowded_out(
    memory: AsyncGraphMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the index is full of ended facts, it is looked into more deeply."""
    monkeypatch.setattr(search_module, "_TEXT_DEPTHS", (5, 50))
    await move_desks(memory, clock)
    await memory.semantic.remember(
        "Somewhere there is also a desk that nobody ever mentions at all"
    )

    found = await texts(memory, "Priya's desk is", limit=3)

    assert "Somewhere there is also a desk that nobody ever mentions at all" in found


class ByLength:
    """Prefers short facts."""

    async def rerank(self, query: str, hits: Sequence[FactHit]) -> list[float]:  # noqa: ARG002 - its form
        """Return a number a hit."""
        return [-float(len(hit.fact.text)) for hit in hits]


class Broken:
    """Fails."""

    async def rerank(self, query: str, hits: Sequence[FactHit]) -> list[float]:  # noqa: ARG002 - its form
        """Fail."""
        raise ValueError("no")


async def test_a_reranker_orders_facts_and_cannot_lose_them(memory: AsyncGraphMemory) -> None:
    """Its order counts, what it fails at stays; None switches it off."""
    await memory.semantic.remember("Iris polishes violins and violas on Mondays.")
    await memory.semantic.remember("Iris tunes violins.")
    query = "Iris polishes violins and violas on Mondays"
    own = await texts(memory, query)

    memory.semantic.set_reranker(ByLength())
    ordered = await memory.semantic.search(query)
    memory.semantic.set_reranker(Broken())
    broken = await texts(memory, query)
    memory.semantic.set_reranker(None)

    assert "Iris tunes violins." == ordered[0].fact.text
    assert -19.0 == ordered[0].rerank_score
    assert own == broken == await texts(memory, query)


async def test_what_is_found_is_counted(memory: AsyncGraphMemory) -> None:
    """A found fact has a recall_count, and when it was last told."""
    fact = await memory.semantic.remember("Iris polishes violins.")
    await memory.semantic.search("violins")
    await memory.flush()

    told = await memory.semantic.get(fact.id)

    assert told is not None
    assert 1 == told.recall_count


async def test_facts_are_found_without_an_embedder(
    settings_with: Configure, clock: FrozenClock, ask: Ask
) -> None:
    """None is a setting: exact statements are one fact, and words find them."""
    settings = settings_with(embedding_model="none")
    async with await AsyncGraphMemory.open(settings, clock=clock) as memory:
        first = await memory.semantic.remember("Iris polishes violins.")
        again = await memory.semantic.remember("Iris polishes violins.")

        assert first.id == again.id
        assert ["Iris polishes violins."] == await texts(memory, "violins")
