"""What ends nothing though it says the same kind of thing, and what does end what it denies."""

from __future__ import annotations

import pytest

from graphmem.conflict import ConflictPipeline, Verdict
from graphmem.decisions import DecisionKind

from .corpus import PACKS, READER, Fact, Row, laid_out

HOME = "Ana lives in Paris"
HEIM = "Ana wohnt in Paris"
AN_EARLIER_TIME = [
    (HOME, "Ana moved to Rome in 2010"),
    (HOME, "In 2010, Ana moved to Rome"),
    (HOME, "Ana moved to Rome back in 2010."),
    (HOME, "Ana moved to Rome in March 2010"),
    (HOME, "Ana moved to Rome on 3 May 2010"),
    (HOME, "Ana moved to Rome (2010)"),
    (HOME, "Ana moved to Rome in the 1990s"),
    (HOME, "Ana moved to Rome last year"),
    (HOME, "Ana moved to Rome three years ago"),
    (HOME, "Ana moved to Rome several years ago"),
    (HOME, "Ana moved to Rome in her twenties"),
    (HOME, "Before that, Ana moved to Rome"),
    (HOME, "Ana moved to Rome when she was a child"),
    (HOME, "Ana moved to Rome when she was 19"),
    (HOME, "As a child, Ana moved to Rome"),
    (HOME, "Ana used to live in Rome"),
    (HOME, "Ana previously moved to Rome"),
    (HOME, "Ana moved to Rome at the age of twelve"),
    (HOME, "Ana moved to Rome a long time ago"),
    (HOME, "Ana moved from Rome to Milan in 2004"),
    ("Ana works at Acme", "Ana quit Acme in 2011"),
    ("Ana works at Acme", "Ana stopped working at Acme in 2011"),
    ("Ana is married to Tom", "Ana married Leo in 2003"),
    ("Ana works as a clerk", "Ana got promoted to head of sales in 2012"),
    ("Ana | lives in | Paris", "Ana | moved to | Rome in 2010"),
    (HEIM, "2010 zog Ana nach Rom"),
    (HEIM, "Ana zog 2010 nach Rom"),
    (HEIM, "Ana ist 2010 nach Rom gezogen"),
    (HEIM, "Im Jahr 2010 ist Ana nach Rom gezogen"),
    (HEIM, "Ana ist letztes Jahr nach Rom gezogen"),
    (HEIM, "Ana ist vor drei Jahren nach Rom gezogen"),
    (HEIM, "Als Kind zog Ana nach Rom"),
    (HEIM, "Früher wohnte Ana in Rom"),
    (HEIM, "Ana ist früher nach Rom gezogen"),
    (HEIM, "Damals ist Ana nach Rom gezogen"),
    (HEIM, "Davor ist Ana nach Rom gezogen"),
    (HEIM, "Ana ist in ihrer Jugend nach Rom gezogen"),
    (HEIM, "Mit zwanzig ist Ana nach Rom gezogen"),
    ("Ana arbeitet bei Siemens", "Ana hat 2011 bei Siemens gekündigt"),
    ("Ana ist mit Tom verheiratet", "Ana hat 2003 Leo geheiratet"),
]
NO_EARLIER_TIME = [
    (HOME, "Ana moved to Rome in 2025"),
    (HOME, "Ana moved to Rome in March 2026"),
    (HOME, "Ana moved to Rome in 2026"),
    (HOME, "Ana moved to Rome last week"),
    (HOME, "Ana moved to Rome yesterday"),
    (HOME, "Ana moved to Rome two months ago"),
    (HOME, "Ana has moved back to Rome, where she lived as a child"),
    (HOME, "Ana is based in Rome since 2010"),
    (HOME, "Ana is based in Rome since March 2010"),
    (HOME, "Ana is based in Rome since 3 May 2010"),
    ("Ana works at Acme", "Since 2010 Ana works at Globex"),
    ("Ana was born in Lyon", "Ana was born in Dijon in 1990"),
    ("The report is due on 3 May 2027", "The report is due on 5 June 2024"),
    ("Ana moved to Paris in 2005", "Ana moved to Rome in 2010"),
    ("Ana's account number is 2041", "Ana's account number is 2012"),
    (HEIM, "Ana ist 2026 nach Rom gezogen"),
    (HEIM, "Ana wohnt seit 2010 in Rom"),
    (HEIM, "Ana ist letzte Woche nach Rom gezogen"),
    (HEIM, "Gestern ist Ana nach Rom gezogen"),
    (HEIM, "Inzwischen ist Ana nach Rom gezogen"),
]
ONE_OF_MANY = [
    ("My friend lives in Bonn", "My friend lives in Ulm"),
    ("My friend lives in Bonn", "My friend moved to Ulm"),
    ("My old friend lives in Bonn", "My old friend lives in Ulm"),
    ("My colleague works at Acme", "My colleague works at Globex"),
    ("My sister lives in Bonn", "My sister lives in Ulm"),
    ("My brother is married to Bea", "My brother is married to Eva"),
    ("My cousin lives in Bonn", "My cousin now lives in Ulm"),
    ("Our neighbour works at Acme", "Our neighbour works at Globex"),
    ("Ana's friend lives in Bonn", "Ana's friend lives in Ulm"),
    ("A man lives in Bonn", "A man lives in Ulm"),
    ("Someone I met lives in Bonn", "Someone I met lives in Ulm"),
    ("One of my colleagues lives in Bonn", "One of my colleagues lives in Ulm"),
    ("A friend of mine lives in Bonn", "A friend of mine lives in Ulm"),
    ("My friend from school lives in Bonn", "My friend from school lives in Ulm"),
    ("My dog is called Rex", "My dog is called Bello"),
    ("A man works at Acme", "A man does not work at Acme"),
    ("My friend | lives in | Bonn", "My friend | lives in | Ulm"),
    ("Mein Freund wohnt in Bonn", "Mein Freund wohnt in Ulm"),
    ("Meine Schwester wohnt in Bonn", "Meine Schwester ist nach Ulm gezogen"),
    ("Ein Kollege arbeitet bei Siemens", "Ein Kollege arbeitet bei Bosch"),
    ("Eine Freundin von mir wohnt in Bonn", "Eine Freundin von mir wohnt in Ulm"),
    ("Einer meiner Brüder wohnt in Bonn", "Einer meiner Brüder wohnt in Ulm"),
    ("Unser Nachbar arbeitet bei Siemens", "Unser Nachbar arbeitet jetzt bei Bosch"),
    ("Ein Mann wohnt in Bonn", "Ein Mann wohnt in Ulm"),
]
ONE = [
    ("My wife lives in Bonn", "My wife lives in Ulm"),
    ("My mother lives in Bonn", "My mother moved to Ulm"),
    ("My boss works at Acme", "My boss works at Globex"),
    ("My oldest brother lives in Bonn", "My oldest brother lives in Ulm"),
    ("My best friend lives in Bonn", "My best friend lives in Ulm"),
    ("My friend Tom lives in Bonn", "My friend Tom lives in Ulm"),
    ("My sister Eva lives in Bonn", "My sister Eva lives in Ulm"),
    ("Our parents live in Bonn", "Our parents live in Ulm"),
    ("I live in Bonn", "I live in Ulm"),
    ("Tom Weber lives in Bonn", "Tom Weber lives in Ulm"),
    ("A ticket | costs | $10", "A ticket | costs | $12"),
    ("My friend lives in Bonn", "My friend no longer lives in Bonn"),
    ("The user lives in Bonn", "The user lives in Ulm"),
    ("User | lives in | Bonn", "User | lives in | Ulm"),
    ("Meine Frau wohnt in Bonn", "Meine Frau wohnt in Ulm"),
    ("Mein Chef arbeitet bei Siemens", "Mein Chef arbeitet bei Bosch"),
    ("Meine älteste Schwester wohnt in Bonn", "Meine älteste Schwester wohnt in Ulm"),
    ("Mein Freund Tom wohnt in Bonn", "Mein Freund Tom wohnt in Ulm"),
]
NO_PLACE = [
    ("I live in Berlin", "I moved to Postgres"),
    ("I live in Berlin", "I moved to Zed"),
    ("I live in Berlin", "I just moved to Fastmail"),
    ("I live in Berlin", "I moved back to Helix"),
    ("We live in Berlin", "We moved to Notion"),
    ("We live in Berlin", "We moved to Linear"),
    ("We live in Berlin", "We have moved to Cloudflare for hosting"),
    ("I live in Berlin", "I moved to Team B"),
    ("I live in Berlin", "I moved on to dessert"),
    ("I live in Berlin", "I moved to dessert."),
    ("I live in Berlin", "I was moved to tears"),
    ("I live in Berlin", "I moved from Bear to Craft"),
    ("Ana | lives in | Berlin", "Ana | moved to | Zed"),
    ("I live in Berlin", "I am moving to Oslo next year"),
    ("Ich wohne in Berlin", "Ich bin zu Zed umgezogen"),
    ("Ich wohne in Berlin", "Wir sind auf Postgres umgestiegen"),
    ("Ich wohne in Berlin", "Ich bin zum Nachtisch gegangen"),
    ("Ich wohne in Berlin", "Ich bin ins Team B gewechselt"),
]
A_PLACE = [
    ("I live in Berlin", "I just moved to Tbilisi"),
    ("I live in Berlin", "I just moved to tbilisi."),
    ("I live in Berlin", "I moved to Bad Nauheim"),
    ("I live in Berlin", "I moved to Olten, Switzerland"),
    ("I live in Berlin", "I moved to Olten with my family"),
    ("I live in Berlin", "I relocated to Olten"),
    ("I live in Berlin", "I moved from Berlin to Olten"),
    ("I live in Berlin", "I moved to Wolfenbüttel"),
    ("I live in Berlin", "I live in Olten"),
    ("Ana | lives in | Berlin", "Ana | moved to | Lyon"),
    ("Ich wohne in Berlin", "Ich bin nach Olten gezogen"),
    ("Ich wohne in Berlin", "Ich ziehe nach Olten um"),
]
DENIED = [
    ("I am vegetarian", "I am no longer vegetarian"),
    ("I am vegetarian", "I'm not vegetarian anymore"),
    ("I am a vegetarian", "I am no longer vegetarian"),
    ("I have a dog", "I no longer have a dog"),
    ("I have a dog", "I don't have a dog any more"),
    ("I smoke", "I don't smoke any more"),
    ("I smoke", "I no longer smoke"),
    ("I smoke", "I stopped smoking"),
    ("Ana smokes", "Ana doesn't smoke any more"),
    ("Ana is vegan", "Ana is no longer vegan"),
    ("My sister is pregnant", "My sister is no longer pregnant"),
    ("I can swim", "I can no longer swim"),
    ("I am no longer vegetarian", "I am vegetarian again"),
    ("Ana owns a boat", "Ana no longer owns the boat"),
    ("Ana | has | a dog", "Ana | no longer has | dog"),
    ("I | am | vegetarian", "I | am no longer | vegetarian"),
    ("Ich bin Vegetarier", "Ich bin nicht mehr Vegetarier"),
    ("Ich bin Vegetarier", "Ich bin kein Vegetarier mehr"),
    ("Ich habe einen Hund", "Ich habe keinen Hund mehr"),
    ("Ich rauche", "Ich rauche nicht mehr"),
    ("Ana raucht", "Ana raucht nicht mehr"),
    ("Ana ist schwanger", "Ana ist nicht mehr schwanger"),
    ("Mein Bruder ist krank", "Mein Bruder ist nicht mehr krank"),
    ("Ana hat eine Katze", "Ana hat keine Katze mehr"),
]
NOT_DENIED = [
    ("I am vegetarian", "I am no longer vegan"),
    ("I am vegetarian", "Ana is no longer vegetarian"),
    ("I have a dog", "I no longer have a cat"),
    ("I have a dog", "I am no longer a dog"),
    ("I smoke", "I don't drink any more"),
    ("I smoke cigars", "I no longer smoke cigarettes"),
    ("I am in the band", "I am no longer on the board"),
    ("I am vegetarian", "I might be vegetarian no longer"),
    ("I am vegetarian", "As a child I was not vegetarian"),
    ("My dog is old", "My cat is no longer old"),
    ("Ich habe einen Hund", "Ich habe keine Katze mehr"),
    ("Ich bin Vegetarier", "Ich bin nicht mehr Veganer"),
    ("Ich bin Vegetarier", "Ana ist nicht mehr Vegetarierin"),
    ("Ich rauche", "Ich trinke nicht mehr"),
]


def resolved(known: str, candidate: str, *, since: float = 2025, told: float = 2026) -> Verdict:
    """Return the verdict on a candidate beside one fact."""
    row = Row((Fact(known, 0.7, since=since),), Fact(candidate, since=told), "")
    return READER.resolve(*laid_out(row))


def ends(verdict: Verdict) -> list[str]:
    """Return the texts of the facts that a verdict ends."""
    return [closing.fact_id for closing in verdict.closes]


@pytest.mark.parametrize(("known", "candidate"), AN_EARLIER_TIME)
def test_what_tells_of_an_earlier_time_ends_nothing(known: str, candidate: str) -> None:
    """A year, an age or a former time lies before what is known began."""
    verdict = resolved(known, candidate, told=2025.5)

    assert [] == ends(verdict), verdict.reason
    assert "dedup" != verdict.kind


@pytest.mark.parametrize(("known", "candidate"), NO_EARLIER_TIME)
def test_what_tells_of_now_ends_what_was(known: str, candidate: str) -> None:
    """The same year, a later one, what goes on since, and a date that is none of its time."""
    assert [known] == ends(resolved(known, candidate, told=2026.5))


def test_a_dated_statement_waits_for_a_judge() -> None:
    """It is told meanwhile, and a judge retires nothing by it."""
    candidate, known = laid_out(
        Row((Fact(HOME, 0.7, since=2025),), Fact("Ana moved to Rome in 2010", since=2026), "")
    )

    verdict = READER.resolve(candidate, known)

    assert ("pending", (HOME,)) == (verdict.kind, verdict.against)
    assert READER.guards(candidate, known.slot[0])


def test_a_former_time_has_a_slot_of_its_own() -> None:
    """What was so once is no answer to what is so."""
    assert "was lives_in" == READER.split("As a child, Ana moved to Rome").predicate_key
    assert "was lives_in" == READER.split("Ana ist früher nach Rom gezogen").predicate_key


@pytest.mark.parametrize(("known", "candidate"), ONE_OF_MANY)
def test_one_of_several_supersedes_no_other(known: str, candidate: str) -> None:
    """Two friends may live in two towns: a judge has to say."""
    verdict = resolved(known, candidate)

    assert ([], "pending") == (ends(verdict), verdict.kind), verdict.reason


@pytest.mark.parametrize(("known", "candidate"), ONE)
def test_who_is_one_supersedes(known: str, candidate: str) -> None:
    """A wife, a mother, the user, somebody with a name; and a friend of whom it is denied."""
    assert [known] == ends(resolved(known, candidate))


@pytest.mark.parametrize(("known", "candidate"), NO_PLACE)
def test_a_move_to_what_may_be_no_place_ends_no_home(known: str, candidate: str) -> None:
    """Nothing shows that it is a place."""
    assert [] == ends(resolved(known, candidate))


@pytest.mark.parametrize(("known", "candidate"), A_PLACE)
def test_a_move_to_a_place_ends_the_home(known: str, candidate: str) -> None:
    """Its name, its form, the sentence or the verb shows that it is one."""
    assert [known] == ends(resolved(known, candidate))


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        ("Tom lives in Olten", ["I live in Berlin"]),
        ("Eva visited Olten", ["I live in Berlin"]),
        ("Olten | located in | Switzerland", []),
        ("Tom uses Olten", []),
        ("Tom moved to Olten", []),
    ],
)
def test_the_store_may_know_a_place(evidence: str, expected: list[str]) -> None:
    """Where somebody lives or was is a place, whoever it is."""
    row = Row(
        (Fact("I live in Berlin", 0.7), Fact(evidence, 0.6)),
        Fact("I moved to Olten", since=2025),
        "",
    )

    assert expected == ends(READER.resolve(*laid_out(row)))


def test_a_move_to_no_known_place_waits() -> None:
    """It is told, and a judge may end the home."""
    candidate, known = laid_out(
        Row((Fact("I live in Berlin", 0.7),), Fact("I moved to Olten", since=2025), "")
    )

    verdict = READER.resolve(candidate, known)

    assert ("pending", ("I live in Berlin",)) == (verdict.kind, verdict.against)
    assert READER.guards(candidate, known.slot[0]) is None


@pytest.mark.parametrize(("known", "candidate"), DENIED)
@pytest.mark.parametrize("cosine", [0.2, 0.7, 0.97])
def test_a_denial_ends_what_it_denies(known: str, candidate: str, cosine: float) -> None:
    """Of the same subject, in the same words; the article does not matter."""
    row = Row(
        (Fact(known, cosine), Fact("I live in Berlin", 0.3), Fact("I am tall", 0.6)),
        Fact(candidate, since=2025),
        "",
    )

    assert [known] == ends(READER.resolve(*laid_out(row)))


@pytest.mark.parametrize(("known", "candidate"), NOT_DENIED)
def test_a_denial_ends_nothing_else(known: str, candidate: str) -> None:
    """Another subject, another thing, another verb."""
    assert [] == ends(resolved(known, candidate))


def test_triples_of_one_sentence_are_read_each_by_itself() -> None:
    """Two statements with the same text share nothing: the place of one is none of the other."""
    text = "Ana moved to Lyon and then to Zed"
    reader = ConflictPipeline(PACKS, thresholds=None)

    place, other = (reader.split(text, "Ana", "moved to", end) for end in ("Lyon", "Zed"))
    cached = [reader._parsed[key] for key in reader._parsed]

    assert [place, other] == cached
    assert (False, True) == (place.is_loose, other.is_loose)


@pytest.mark.parametrize(
    ("known", "candidate", "cosine", "expected"),
    [
        ("I use Vim", "I switched to Vodafone", 0.33, DecisionKind.PENDING),
        ("I use Gmail", "I switched to Obsidian", 0.09, DecisionKind.PENDING),
        ("I use Vim", "I switched to Emacs", 0.41, DecisionKind.SUPERSEDE),
        ("I use Vim", "I switched from Vim to Vodafone", 0.33, DecisionKind.SUPERSEDE),
        ("I use Vim", "I switched to Emacs", None, DecisionKind.SUPERSEDE),
        ("Ich nutze Vim", "Ich bin zu Vodafone gewechselt", 0.3, DecisionKind.PENDING),
        ("I live in Berlin", "I just moved to Tbilisi", 0.1, DecisionKind.SUPERSEDE),
    ],
)
def test_a_switch_ends_what_is_near(
    known: str, candidate: str, cosine: float | None, expected: DecisionKind
) -> None:
    """Who names what is over, or has one at a time, needs no nearness."""
    row = Row((Fact(known, cosine),), Fact(candidate, since=2025), expected)

    verdict = READER.resolve(*laid_out(row))

    assert expected is verdict.kind
