"""Names as a program joins and parts them: recall and facts follow."""

from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem import AsyncGraphMemory, DecisionKind, InputError
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask
from tests.integration.tiers.conftest import Configure

SIMILAR = """
MATCH (a:Term {scope: $scope})-[r:SIMILAR]-(b:Term)
RETURN a.key AS one, b.key AS other, round(r.cosine, 4) AS cosine ORDER BY one, other
"""


async def told(memory: AsyncGraphMemory, text: str, *triples: tuple[str, str, str]) -> str:
    """Add a turn with its triples; return its id."""
    extraction = {"triples": [list(one) for one in triples]}
    receipt = await memory.add_turn(text, extraction=extraction, wait=True)
    return receipt.turn_id


async def test_a_question_by_an_alias_leads_to_what_stands_for_it(
    memory: AsyncGraphMemory,
) -> None:
    """The seed of the walk is the Term that stands for both, once."""
    turn = await told(memory, "She fires the kiln.", ("Annelore", "fires", "the kiln"))
    for n in range(6):
        await told(memory, f"Rain on day {n}.", ("rain", "fell on", f"day {n}"))
    await told(memory, "Lore was here.", ("Lore", "visited", "the shop"))
    await memory.merge_terms("Annelore", "Lore", reason="nickname")

    found = await memory.recall("What about Lore and Annelore?")

    names = [seed.name for seed in found.trace.seeds if seed.label == "Term"]
    assert 1 == names.count("Annelore")
    assert "Lore" not in names
    assert turn in [hit.turn.id for hit in found.turns]


async def test_an_alias_is_asked_for_by_name_alone(memory: AsyncGraphMemory) -> None:
    """Neither the turn nor its facts say the name that is asked for."""
    turn = await told(memory, "She fires it on Sundays.", ("Annelore", "fires", "the kiln"))
    await told(memory, "Hello.", ("Zaza", "is", "a name"))
    for n in range(6):
        await told(memory, f"Rain on day {n}.", ("rain", "fell on", f"day {n}"))
    await memory.merge_terms("Annelore", "Zaza")

    found = await memory.recall("Zaza", limit=2)

    assert turn in [hit.turn.id for hit in found.turns]


@pytest.mark.parametrize("question", ["What does Robert do?", "What does Smith do?"])
async def test_a_part_of_an_alias_leads_to_what_stands_for_it(
    memory: AsyncGraphMemory, question: str
) -> None:
    """As a part of the name itself does: the walk begins there."""
    await told(memory, "He fires it on Sundays.", ("Bob", "fires", "the kiln"))
    await told(memory, "Hello.", ("Robert Smith", "is", "a name"))
    for n in range(6):
        await told(memory, f"Rain on day {n}.", ("rain", "fell on", f"day {n}"))
    await memory.merge_terms("Bob", "Robert Smith")

    found = await memory.recall(question)

    names = [seed.name for seed in found.trace.seeds if seed.label == "Term"]
    assert 1 == names.count("Bob")
    assert "Robert Smith" not in names


async def test_what_is_said_by_an_alias_is_what_is_known_by_the_name(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """A triple and a sentence, of either name, are the same fact; another city ends it."""
    await told(memory, "a", ("Ana", "lives in", "Lyon"))
    await told(memory, "b", ("Annie", "owns", "a kiln"))
    await memory.merge_terms("Ana", "Annie")
    facts = memory.semantic

    sentence = await facts.remember_with_decision("Annie lives in Lyon")
    triple = await facts.remember_with_decision(
        "Annie lives in Lyon", subject="Annie", predicate="lives in", object="Lyon"
    )
    clock.advance(timedelta(days=1))
    moved = await facts.remember_with_decision("Annie lives in Oslo")

    assert ["dedup", "dedup", "supersede"] == [
        done.decision.kind for done in (sentence, triple, moved)
    ]
    assert "Ana lives in Lyon" == sentence.fact.text == triple.fact.text
    by_either = [
        [fact.text for fact in await facts.list(subject=name)] for name in ("ana", "ANNIE")
    ]
    assert ["Annie lives in Oslo", "Annie owns a kiln"] == sorted(by_either[0])
    assert by_either[0] == by_either[1]


async def test_a_correction_that_names_an_alias_ends_what_the_name_had(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The fact of the name that stands for it ends, and no other one."""
    await told(memory, "a", ("Ana", "uses", "Vim"), ("Ana", "uses", "Nano"))
    await told(memory, "b", ("Ben", "mentions", "Vi"))
    await memory.merge_terms("Vim", "Vi")
    clock.advance(timedelta(days=1))

    sentence = await memory.semantic.remember_with_decision("Ana switched from Vi to Emacs")

    assert DecisionKind.SUPERSEDE == sentence.decision.kind
    assert {"Nano", "Emacs"} == {
        fact.text.split()[-1] for fact in await memory.semantic.list(subject="Ana")
    }


async def test_what_two_aliases_say_is_the_same(memory: AsyncGraphMemory) -> None:
    """None of them is the name that stands for both."""
    await told(memory, "a", ("Ana", "owns", "a kiln"), ("Annie", "lives in", "Lyon"))
    await told(memory, "b", ("Anneke", "owns", "a van"))
    await memory.merge_terms("Ana", "Annie")
    await memory.merge_terms("Ana", "Anneke")

    done = await memory.semantic.remember_with_decision("Anneke lives in Lyon")

    assert ("dedup", "Annie lives in Lyon") == (done.decision.kind, done.fact.text)


async def test_other_names_still_tell_statements_apart(memory: AsyncGraphMemory) -> None:
    """A merge makes its two names one, and nothing else."""
    await told(memory, "a", ("Ana", "knows", "Ben Weber"), ("Annie", "owns", "a kiln"))
    await memory.merge_terms("Ana", "Annie")

    done = await memory.semantic.remember_with_decision(
        "Annie knows Ben Huber", subject="Annie", predicate="knows", object="Ben Huber"
    )

    assert "dedup" != done.decision.kind


async def test_what_an_alias_said_of_what_was_known_goes_back_to_it(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """The turn counts for a fact of the alias' own, and for the name's no longer."""
    first = await told(memory, "a", ("Ana", "lives in", "Lyon"))
    await told(memory, "b", ("Annie", "owns", "a kiln"))
    await memory.merge_terms("Ana", "Annie")
    clock.advance(timedelta(days=1))
    second = await told(memory, "Annie lives in Lyon", ("Annie", "lives in", "Lyon"))
    (shared,) = await memory.semantic.list(predicate="lives in")

    await memory.unmerge_term("Annie")

    (hers,) = await memory.semantic.list(subject="Ana")
    (annies,) = await memory.semantic.list(subject="Annie", predicate="lives in")
    assert ({first, second}, 2) == (set(shared.turn_ids), shared.validated_count)
    assert (shared.id, (first,), 1) == (hers.id, hers.turn_ids, hers.validated_count)
    assert ((second,), 1, "active") == (
        annies.turn_ids,
        annies.validated_count,
        annies.status,
    )
    assert ("Annie lives in Lyon", "Annie", "Lyon") == (
        annies.text,
        annies.subject,
        annies.object,
    )
    assert clock.now() == annies.valid_from
    terms = {term.name: (term.mentions, term.facts) for term in await memory.terms()}
    assert ((1, 1), (2, 2)) == (terms["Ana"], terms["Annie"])


async def test_evidence_of_what_an_alias_said_goes_back_to_it(memory: AsyncGraphMemory) -> None:
    """Also where an agent stated it, with a turn that shows it."""
    await told(memory, "a", ("Ana", "lives in", "Lyon"))
    await told(memory, "b", ("Annie", "owns", "a kiln"))
    await memory.merge_terms("Ana", "Annie")
    await memory.semantic.remember(
        "Annie lives in Lyon",
        subject="Annie",
        predicate="lives in",
        object="Lyon",
        turn_ids=[await told(memory, "c", ("rain", "fell on", "Lyon"))],
    )
    (shared,) = await memory.semantic.list(subject="Ana", predicate="lives in")

    await memory.unmerge_term("Annie")

    (hers,) = await memory.semantic.list(subject="Ana")
    (annies,) = await memory.semantic.list(subject="Annie", predicate="lives in")
    assert (2, 1, 1) == (shared.validated_count, hers.validated_count, annies.validated_count)


async def test_a_sentence_goes_back_with_the_name_that_it_says(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """It has no link to the Term, and a key as all facts have."""
    await told(memory, "a", ("Ana", "owns", "a kiln"), ("Annie", "owns", "a van"))
    await memory.semantic.remember("Annie lives in Rome")
    await memory.merge_terms("Ana", "Annie")
    await memory.semantic.remember("Annie works at Ember House")
    merged = await memory.semantic.list(subject="Ana")

    await memory.unmerge_term("Annie")

    assert 4 == len(merged)
    assert ["Ana owns a kiln"] == [f.text for f in await memory.semantic.list(subject="Ana")]
    assert 3 == len(await memory.semantic.list(subject="Annie"))


async def test_links_to_similar_terms_go_and_come_back(memory: AsyncGraphMemory, ask: Ask) -> None:
    """An alias has none; unmerged it is linked as before."""
    await told(memory, "a", ("Ember House", "owns", "a kiln"), ("House Ember", "owns", "a van"))
    await memory.backfill_vectors()
    before = await ask(SIMILAR, scope=memory.scope)

    await memory.merge_terms("Ember House", "House Ember")
    # As when it gets its vector while it is an alias.
    await ask(
        "MATCH (x:Term {scope: $scope, key: 'house ember'}) SET x.needs_links = true",
        scope=memory.scope,
    )
    await memory.backfill_vectors()
    merged = await ask(SIMILAR, scope=memory.scope)
    await memory.unmerge_term("House Ember")
    await memory.backfill_vectors()

    assert 2 == len(before)
    assert [] == merged
    assert before == await ask(SIMILAR, scope=memory.scope)


async def test_one_exact_name_is_one_term_whatever_its_vectors_say(
    memory: AsyncGraphMemory, embedder: HashedEmbedder
) -> None:
    """The key is looked up before any vector: four mentions, one node."""
    for n, name in enumerate(("KVLT", "kvlt", " KVLT ", "Kvlt")):
        await memory.add_turn(f"turn {n}", extraction={"mentions": [name]}, wait=True)

    assert [("KVLT", 4)] == [(term.name, term.mentions) for term in await memory.terms()]


async def test_terms_are_listed_by_how_often_they_are_spoken_of(
    memory: AsyncGraphMemory,
) -> None:
    """A turn counts once, an alias is found and shown with what stands for it."""
    await told(memory, "a", ("Ana", "owns", "a kiln"), ("Annie", "owns", "a van"))
    await told(memory, "b", ("Ana", "knows", "Ben"))
    await memory.merge_terms("Ana", "Annie")

    first = (await memory.terms(limit=1))[0]
    by_alias = await memory.terms(query="NNI")

    assert ("Ana", ("Annie",), 2, 3) == (first.name, first.aliases, first.mentions, first.facts)
    assert [first] == by_alias
    assert [] == await memory.terms(query="Zoe")
    assert [] == await memory.terms(limit=0)
    with pytest.raises(InputError, match="limit"):
        await memory.terms(limit=-1)


def test_names_are_joined_and_parted_without_a_loop(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """The same four methods."""
    from graphmem import GraphMemory

    with GraphMemory.open(settings_with(), embedder=embedder, clock=clock) as memory:
        receipt = memory.add_turn("q", extraction={"mentions": ["Ana", "Annie"]}, wait=True)

        assert "Ana" == memory.merge_terms("Ana", "Annie").term.name
        assert ["Ana"] == [term.name for term in memory.terms()]
        assert "Annie" == memory.unmerge_term("Annie").name
        told = memory.split_term("Ana", qualifier="baker", turn_ids=[receipt.turn_id])
        assert ("baker", 0) == (told.term.qualifier, told.rest.mentions)


async def test_what_was_ended_by_another_one_is_told_again_when_they_are_told_apart(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Two of one name lived in two towns all the time."""
    await told(memory, "She is my sister.", ("Maya", "lives in", "Bonn"))
    clock.advance(timedelta(days=1))
    other = await told(memory, "She is in accounts.", ("Maya", "lives in", "Ulm"))
    before = [fact.object for fact in await memory.semantic.list()]

    split = await memory.split_term("Maya", qualifier="accounts", turn_ids=[other])

    after = {(fact.subject, fact.object) for fact in await memory.semantic.list()}
    assert ["Ulm"] == before
    assert {("Maya", "Bonn"), (split.term.name, "Ulm")} == after


async def test_what_an_alias_had_ended_is_told_again_when_it_stands_for_itself(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """What is said of each itself still ends what it had."""
    for name, town in (("Robert", "Lyon"), ("Bob", "Oslo"), ("Robert", "Bonn")):
        await told(memory, f"{name} is in {town}.", (name, "lives in", town))
        clock.advance(timedelta(days=1))
        if name == "Robert" and town == "Lyon":
            await told(memory, "Both.", ("Bob", "knows", "Robert"))
            await memory.merge_terms("Robert", "Bob")
    merged = [fact.object for fact in await memory.semantic.list(predicate="lives in")]

    await memory.unmerge_term("Bob")

    facts = await memory.semantic.list(predicate="lives in")
    lyon = (await memory.semantic.list(predicate="lives in", status="superseded"))[0]
    assert ["Bonn"] == merged
    assert {("Robert", "Bonn"), ("Bob", "Oslo")} == {(one.subject, one.object) for one in facts}
    bonn = next(one for one in facts if one.object == "Bonn")
    assert ("Lyon", bonn.valid_from) == (lyon.object, lyon.valid_to)
