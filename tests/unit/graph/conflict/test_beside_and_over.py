"""What may go on beside what is known waits for a judge; what says that a value is over ends it."""

from __future__ import annotations

import pytest

from graphmem.conflict import Verdict

from .corpus import READER, Fact, Row, laid_out

WORK, HOME = "I work at Acme", "I live in Berlin"
ARBEIT, HEIM = "Ich arbeite bei Siemens", "Ich wohne in Berlin"
FOR_SOMEBODY = [
    (WORK, "I work for Tom"),
    (WORK, "I work for Tom now"),
    (WORK, "I work for Sarah Miller"),
    (WORK, "I am working for Priya"),
    (WORK, "I work for Mr. Smith"),
    (WORK, "I work for Dr Weber"),
    (WORK, "I work for Maria and Ben"),
    (WORK, "I work for Uncle Bob"),
    (WORK, "I work for my dad"),
    (WORK, "I work for the mayor"),
    (WORK, "I work for a lawyer"),
    (WORK, "I work for the Smith family"),
    ("Ana works at Acme", "Ana works for Giulia Rossi"),
    ("Ana | works at | Acme", "Ana | works for | Tom"),
    (ARBEIT, "Ich arbeite für Tom"),
    (ARBEIT, "Ich arbeite jetzt für Sabine"),
    (ARBEIT, "Ich arbeite bei Herrn Braun"),
    (ARBEIT, "Ich arbeite für Frau Dr. Weber"),
    (ARBEIT, "Ich arbeite für Thomas Müller"),
    (ARBEIT, "Ich arbeite für meinen Onkel"),
    (ARBEIT, "Ich arbeite bei meiner Tante"),
    (ARBEIT, "Ich arbeite für den Bürgermeister"),
    (ARBEIT, "Ich arbeite für Onkel Karl"),
    (ARBEIT, "Ich arbeite bei Peter"),
    ("Ana arbeitet bei Siemens", "Ana arbeitet für Jürgen"),
]
AT_A_PART = [
    (WORK, "I work at the Berlin office"),
    (WORK, "I now work at the Berlin office"),
    (WORK, "I work at the Munich branch"),
    (WORK, "I work at headquarters"),
    (WORK, "I work at the new site in Ulm"),
    (WORK, "I work for the marketing department"),
    (WORK, "I work for the platform team"),
    (WORK, "I work at the front desk"),
    (WORK, "I work at the warehouse"),
    (WORK, "I work at the airport"),
    (WORK, "I work at counter 4"),
    ("Ana works at Acme", "Ana is working at the Lyon plant"),
    ("Ana | works at | Acme", "Ana | works at | the Berlin office"),
    (ARBEIT, "Ich arbeite bei der Berliner Niederlassung"),
    (ARBEIT, "Ich arbeite beim Berliner Büro"),
    (ARBEIT, "Ich arbeite bei der Filiale in Köln"),
    (ARBEIT, "Ich arbeite jetzt bei der Außenstelle in Ulm"),
    (ARBEIT, "Ich arbeite für die Abteilung Einkauf"),
    (ARBEIT, "Ich arbeite für die Personalabteilung"),
    (ARBEIT, "Ich arbeite für das Team Plattform"),
    (ARBEIT, "Ich arbeite bei der Zentrale"),
    (ARBEIT, "Ich arbeite für den Vertrieb"),
    (ARBEIT, "Ich arbeite beim Standort Bonn"),
    ("Ana arbeitet bei Siemens", "Ana arbeitet bei der Zweigstelle Nord"),
]
FOR_A_WHILE = [
    (WORK, "I work part-time at Globex"),
    (WORK, "I work at Globex part time"),
    (WORK, "I work at Globex on a part-time basis"),
    (WORK, "I work at Globex for now"),
    (WORK, "For now I work at Globex"),
    (WORK, "I am working at Globex for the time being"),
    (WORK, "I work at Globex temporarily"),
    (WORK, "I temporarily work at Globex"),
    (WORK, "These days I help out at Globex"),
    (WORK, "I now help out at Globex"),
    (WORK, "I am filling in at Globex"),
    (WORK, "I work at Globex two days a week"),
    (WORK, "I work for Globex on the side"),
    (WORK, "I work at Globex as a volunteer"),
    (WORK, "I sometimes work at Globex"),
    (WORK, "I work at Globex until I find something better"),
    (WORK, "I am volunteering at Globex"),
    (HOME, "I live in Rome for now"),
    (HOME, "I live in Rome for the summer"),
    (HOME, "I am based in Rome this month"),
    (HOME, "For the moment I live in Rome"),
    (HOME, "I have temporarily moved to Rome"),
    (HOME, "I moved to Rome for the time being"),
    (HOME, "I am living in Rome until further notice"),
    (HOME, "I am based in Rome on and off"),
    (ARBEIT, "Ich arbeite in Teilzeit bei Bosch"),
    (ARBEIT, "Ich arbeite Teilzeit bei Bosch"),
    (ARBEIT, "Ich arbeite vorübergehend bei Bosch"),
    (ARBEIT, "Ich arbeite vorerst bei Bosch"),
    (ARBEIT, "Ich arbeite jetzt aushilfsweise bei Bosch"),
    (ARBEIT, "Ich arbeite zwei Tage die Woche bei Bosch"),
    (ARBEIT, "Ich arbeite ehrenamtlich bei Bosch"),
    (ARBEIT, "Ich helfe zurzeit bei Bosch aus"),
    (ARBEIT, "Ich arbeite bei Bosch als Aushilfe"),
    (ARBEIT, "Ich jobbe jetzt bei Bosch"),
    (HEIM, "Ich wohne erstmal in Rom"),
    (HEIM, "Ich wohne vorläufig in Rom"),
    (HEIM, "Ich wohne diesen Sommer in Rom"),
    (HEIM, "Fürs Erste wohne ich in Rom"),
    (HEIM, "Ich bin vorübergehend nach Rom gezogen"),
    (HEIM, "Ich wohne bis auf Weiteres in Rom"),
    (HEIM, "Ich wohne jetzt zeitweise in Rom"),
]
TOLD_ON = [
    (HOME, "Then I moved to Rome"),
    (HOME, "And then I moved to Rome"),
    (HOME, "I then moved to Rome"),
    (HOME, "After that I moved to Rome"),
    (HOME, "After that, I moved to Rome"),
    (HOME, "Later I moved to Rome"),
    (HOME, "I later moved to Rome"),
    (HOME, "I moved to Rome later on"),
    (HOME, "Two years later I moved to Rome"),
    (HOME, "Eventually, I moved to Rome"),
    (HOME, "From there I moved to Rome"),
    (HOME, "The following year I moved to Rome"),
    (HOME, "Some time later, I moved to Rome"),
    (HOME, "One day I moved to Rome"),
    ("Ana lives in Berlin", "Then Ana moved to Rome"),
    ("Ana lives in Berlin", "Ana subsequently relocated to Rome"),
    ("Ana is married to Tom", "Then Ana married Leo"),
    (HEIM, "Dann zog ich nach Rom"),
    (HEIM, "Und dann bin ich nach Rom gezogen"),
    (HEIM, "Danach zog ich nach Rom"),
    (HEIM, "Später bin ich nach Rom gezogen"),
    (HEIM, "Anschließend zog ich nach Rom"),
    (HEIM, "Schließlich zog ich nach Rom"),
    (HEIM, "Irgendwann zog ich nach Rom"),
    (HEIM, "Eines Tages zog ich nach Rom"),
    (HEIM, "Kurz darauf zog ich nach Rom"),
    (HEIM, "Zwei Jahre später zog ich nach Rom"),
    (HEIM, "Im Jahr darauf zog ich nach Rom"),
    ("Ana wohnt in Berlin", "Dann zog Ana nach Rom"),
    ("Ana wohnt in Berlin", "Ana zog dann nach Rom"),
    ("Ana wohnt in Berlin", "Ana ist später nach Rom gezogen"),
    ("Ana arbeitet bei Siemens", "Danach hat Ana bei Bosch angefangen"),
]
# What says nothing of the kind, and ends the earlier value.
ALONE = [
    (WORK, "I work for Globex"),
    (WORK, "I work for Google"),
    (WORK, "I work for Tom Weber GmbH"),
    (WORK, "I work at Morris Labs"),
    (WORK, "I work for the city of Bonn"),
    (WORK, "I work full-time at Globex"),
    (HOME, "I live in Rome at the moment"),
    (HOME, "I live in Rome these days"),
    (HOME, "I moved to Rome"),
    (ARBEIT, "Ich arbeite bei Bosch"),
    (ARBEIT, "Ich arbeite in Vollzeit bei Bosch"),
    (ARBEIT, "Ich arbeite für das Technische Hilfswerk"),
    (HEIM, "Ich wohne zurzeit in Rom"),
    (HEIM, "Ich bin nach Rom gezogen"),
]
LEFT_WORK = [
    (WORK, "I left Acme"),
    (WORK, "I've left Acme"),
    (WORK, "I left Acme last month"),
    (WORK, "I left Acme yesterday"),
    (WORK, "Yesterday I left Acme"),
    (WORK, "I left Acme after ten years"),
    (WORK, "I left Acme to study law"),
    (WORK, "I recently left Acme"),
    (WORK, "I quit Acme"),
    (WORK, "I just quit Acme"),
    (WORK, "I resigned from Acme"),
    (WORK, "I was let go from Acme"),
    (WORK, "Acme fired me"),
    (WORK, "Acme let me go"),
    (WORK, "Acme laid me off"),
    (WORK, "I retired from Acme"),
    (WORK, "I left the company"),
    (WORK, "I left my job at Acme"),
    ("Ana works at Acme", "Ana left Acme"),
    ("Ana works at Acme", "Ana has left Acme for Globex"),
    ("Ana | works at | Acme", "Ana | left | Acme"),
    ("Ana | works at | Acme", "Ana | resigned from | Acme"),
    (ARBEIT, "Ich habe Siemens verlassen"),
    (ARBEIT, "Ich habe die Firma verlassen"),
    (ARBEIT, "Ich habe bei Siemens gekündigt"),
    (ARBEIT, "Ich habe meinen Job bei Siemens gekündigt"),
    (ARBEIT, "Ich habe meine Stelle bei Siemens aufgegeben"),
    (ARBEIT, "Siemens hat mich entlassen"),
    (ARBEIT, "Siemens hat mir gekündigt"),
    (ARBEIT, "Ich wurde bei Siemens entlassen"),
    (ARBEIT, "Ich bin von Siemens entlassen worden"),
    (ARBEIT, "Ich bin bei Siemens ausgeschieden"),
    ("Ana arbeitet bei Siemens", "Ana hat Siemens verlassen"),
    ("Ana arbeitet bei Siemens", "Ana hat bei Siemens aufgehört"),
]
LOST = [
    ("I have a cat", "My cat died"),
    ("I have a cat", "My cat has died"),
    ("I have a cat", "my cat passed away"),
    ("I have a cat", "My cat died last week"),
    ("I have a cat", "Sadly, my cat died"),
    ("I have a cat", "My cat Leo died"),
    ("I have a cat", "My cat is dead"),
    ("I have a cat", "My cat was run over"),
    ("I have a dog", "I had to put my dog down"),
    ("I own a dog", "My dog had to be put down"),
    ("We have a dog", "Our dog died"),
    ("Ana has a cat", "Ana's cat died"),
    ("I own a car", "I sold the car"),
    ("I have a car", "I sold the car"),
    ("I have a car", "I sold my car"),
    ("I have a car", "I've sold my car"),
    ("I have a car", "I got rid of the car"),
    ("I have a car", "I gave away my car"),
    ("I have a car", "My car was stolen"),
    ("I have a boat", "My boat got sold"),
    ("We own a house", "We sold the house"),
    ("Ana owns a boat", "Ana sold her boat"),
    ("Ana | owns | a boat", "Ana | sold | the boat"),
    ("I | have | a car", "I | sold | car"),
    ("Ich habe eine Katze", "Meine Katze ist gestorben"),
    ("Ich habe eine Katze", "Leider ist meine Katze gestorben"),
    ("Ich habe eine Katze", "Meine Katze ist tot"),
    ("Ich habe eine Katze", "Meine Katze Mimi ist letzte Woche gestorben"),
    ("Ich habe einen Hund", "Mein Hund wurde eingeschläfert"),
    ("Wir haben einen Hund", "Unser Hund ist gestorben"),
    ("Ana hat eine Katze", "Anas Katze ist gestorben"),
    ("Ich habe ein Auto", "Ich habe das Auto verkauft"),
    ("Ich habe ein Auto", "Ich habe mein Auto verkauft"),
    ("Ich besitze ein Boot", "Ich habe das Boot verkauft"),
    ("Ich habe ein Auto", "Mein Auto wurde gestohlen"),
    ("Wir haben ein Haus", "Wir haben das Haus verkauft"),
    ("Ana hat ein Auto", "Ana hat ihr Auto verschenkt"),
]
PARTED = [
    ("I am dating Tom", "We broke up"),
    ("I'm dating Tom", "We split up"),
    ("My boyfriend is Tom", "We broke up last week"),
    ("My girlfriend is Eva", "We have broken up"),
    ("My boyfriend is Tom", "Tom and I broke up"),
    ("I am dating Tom", "I broke up with Tom"),
    ("I am dating Tom", "Tom broke up with me"),
    ("I am dating Tom", "Tom left me"),
    ("I am dating Tom", "I dumped Tom"),
    ("I have a girlfriend", "We broke up"),
    ("I have a boyfriend", "My boyfriend and I broke up"),
    ("I have a girlfriend", "I broke up with my girlfriend"),
    ("I am in a relationship", "We broke up"),
    ("I have a boyfriend named Tom", "We broke up"),
    ("Tom is my boyfriend", "We broke up"),
    ("Tom and I are together", "We broke up"),
    ("We are together", "We broke up"),
    ("We are a couple", "We are no longer a couple"),
    ("Ana is dating Tom", "Ana and Tom broke up"),
    ("I am married to Tom", "We got divorced"),
    ("I am married", "We divorced"),
    ("I am married", "I am no longer married"),
    ("Ana | is dating | Tom", "Ana | broke up with | Tom"),
    ("Ich bin mit Tom zusammen", "Wir haben uns getrennt"),
    ("Ich habe eine Freundin", "Wir haben uns getrennt"),
    ("Ich habe einen Freund", "Ich habe Schluss gemacht"),
    ("Ich bin mit Tom zusammen", "Ich habe mit Tom Schluss gemacht"),
    ("Ich bin mit Tom zusammen", "Tom und ich haben uns getrennt"),
    ("Ich bin mit Tom zusammen", "Tom hat mich verlassen"),
    ("Ich bin mit Tom zusammen", "Tom hat mit mir Schluss gemacht"),
    ("Ich bin mit Tom zusammen", "Ich bin nicht mehr mit Tom zusammen"),
    ("Wir sind ein Paar", "Wir sind kein Paar mehr"),
    ("Wir sind zusammen", "Wir haben Schluss gemacht"),
    ("Tom und ich sind zusammen", "Wir haben Schluss gemacht"),
    ("Ich habe einen Freund namens Tom", "Wir haben uns getrennt"),
    ("Ana ist mit Tom zusammen", "Ana und Tom haben sich getrennt"),
    ("Ich bin mit Tom verheiratet", "Wir haben uns scheiden lassen"),
]
# Known facts of other values; nothing of them is over.
NOT_OVER = [
    (WORK, "I left Globex"),
    (WORK, "I left Acme at five"),
    (WORK, "I left Acme early today"),
    (WORK, "I left Acme for lunch"),
    (WORK, "I left the party"),
    (WORK, "I left the office at six"),
    (WORK, "I left my keys at Acme"),
    (WORK, "Leo left Acme"),
    (WORK, "If I left Acme, I would travel"),
    (WORK, "I almost left Acme"),
    (WORK, "I have not left Acme"),
    (WORK, "I never left Acme"),
    (WORK, "Acme fired Tom"),
    (HOME, "I left Berlin at noon"),
    ("I have a dog", "My cat died"),
    ("I have a cat", "My cat almost died"),
    ("I have a cat", "I dreamt that my cat died"),
    ("I have a cat", "Ana's cat died"),
    ("I have a cat", "My friend's cat died"),
    ("I have a cat", "If my cat died, I would cry"),
    ("I have a cat", "Did my cat die?"),
    ("I have a phone", "My phone died"),
    ("I have a car", "I sold a car to a client"),
    ("I have a car", "I sold the bike"),
    ("I have a car", "Tom sold the car"),
    ("I have a car", "I want to sold the car"),
    ("I have a car", "I haven't sold the car"),
    ("I have a car", "I might have sold the car"),
    ("I own shares", "I sold shares"),
    ("I am dating Tom", "Ana and Leo broke up"),
    ("I am dating Tom", "The band broke up"),
    ("I am dating Tom", "I broke up with Leo in 2010"),
    ("I am dating Tom", "I broke up the fight"),
    ("I am dating Tom", "We almost broke up"),
    ("I am dating Tom", "We never broke up"),
    ("I am married to Tom", "My parents got divorced"),
    (ARBEIT, "Ich habe Bosch verlassen"),
    (ARBEIT, "Ich habe das Haus verlassen"),
    (ARBEIT, "Tom hat Siemens verlassen"),
    (ARBEIT, "Ich habe Siemens um fünf verlassen"),
    (ARBEIT, "Ich habe Siemens nicht verlassen"),
    (HEIM, "Ich habe Berlin um acht verlassen"),
    ("Ich habe einen Hund", "Meine Katze ist gestorben"),
    ("Ich habe eine Katze", "Meine Katze wäre fast gestorben"),
    ("Ich habe eine Katze", "Anas Katze ist gestorben"),
    ("Ich habe ein Auto", "Ich habe das Rad verkauft"),
    ("Ich habe ein Auto", "Ich habe das Auto nicht verkauft"),
    ("Ich habe ein Auto", "Vielleicht habe ich das Auto verkauft"),
    ("Ich bin mit Tom zusammen", "Ana und Leo haben sich getrennt"),
    ("Ich bin mit Tom zusammen", "Wir haben uns fast getrennt"),
    ("Ich bin mit Tom zusammen", "Wir haben uns nicht getrennt"),
]
OTHERS = (
    "I have a rabbit",
    "I like Acme",
    "I play the flute",
    "My sister lives in Bonn",
    "Tom works at Acme",
    "Tom lives in Berlin",
    "Ana plays the flute",
    "Ich habe ein Pferd",
)


def resolved(known: str, candidate: str, cosine: float | None) -> Verdict:
    """Return the verdict on a candidate beside a fact and much that has nothing to do with it."""
    others = tuple(Fact(text, cosine, since=2025) for text in OTHERS)
    row = Row((Fact(known, cosine, since=2025), *others), Fact(candidate, since=2026), "")
    return READER.resolve(*laid_out(row))


def ended(verdict: Verdict) -> list[str]:
    """Return the facts that a verdict ends."""
    return [closing.fact_id for closing in verdict.closes]


@pytest.mark.parametrize(
    ("known", "candidate"), [*FOR_SOMEBODY, *AT_A_PART, *FOR_A_WHILE, *TOLD_ON]
)
@pytest.mark.parametrize("cosine", [None, 0.3, 0.7])
def test_what_may_go_on_beside_it_waits(known: str, candidate: str, cosine: float | None) -> None:
    """Somebody, an office, a while, a story: the judge has to say, whatever is near."""
    verdict = resolved(known, candidate, cosine)

    assert ("pending", []) == (verdict.kind, ended(verdict)), verdict.reason
    assert known in verdict.against


@pytest.mark.parametrize(("known", "candidate"), ALONE)
def test_what_says_nothing_of_the_kind_ends_it(known: str, candidate: str) -> None:
    """A firm that is called after somebody, a house that is an employer, a plain move."""
    assert [known] == ended(resolved(known, candidate, 0.7))


@pytest.mark.parametrize(("known", "candidate"), [*LEFT_WORK, *LOST, *PARTED])
@pytest.mark.parametrize("cosine", [None, 0.3, 0.7, 0.97])
def test_what_says_that_a_value_is_over_ends_that_value(
    known: str, candidate: str, cosine: float | None
) -> None:
    """And nothing else, with vectors or without."""
    verdict = resolved(known, candidate, cosine)

    assert [known] == ended(verdict), verdict.reason


@pytest.mark.parametrize(("known", "candidate"), NOT_OVER)
@pytest.mark.parametrize("cosine", [None, 0.3, 0.7])
def test_what_is_over_elsewhere_ends_nothing(
    known: str, candidate: str, cosine: float | None
) -> None:
    """Of somebody else, of another thing, for an hour, nearly, perhaps, not."""
    verdict = resolved(known, candidate, cosine)

    assert [] == ended(verdict), verdict.reason


@pytest.mark.parametrize(
    ("known", "candidate"),
    [
        ("Ana founded Acme", "Ana left Acme"),
        ("Ana | manages | Acme", "Ana | left | Acme"),
        ("I have a cat named Leo", "My cat died"),
        ("I work as an engineer at Acme", "I left Acme"),
        ("I drive a Volvo", "I sold the Volvo"),
        ("I am married to Tom", "Tom left me"),
        ("Ana lives in Lyon, France", "Ana no longer lives in Lyon"),
        ("Ich bin mit Tom zusammen", "Ich habe mich von Tom getrennt"),
    ],
)
def test_what_may_mean_what_is_known_waits(known: str, candidate: str) -> None:
    """The same end, said in another way: a judge may end it."""
    verdict = resolved(known, candidate, 0.7)

    assert ("pending", [], True) == (verdict.kind, ended(verdict), known in verdict.against)


@pytest.mark.parametrize(
    ("known", "candidate", "expected"),
    [
        ("I have a red car", "I have a blue car", "admit"),
        ("I have a dog", "I have a cat", "admit"),
        ("I have a dentist appointment on Monday", "I have a dentist appointment today", "pending"),
        ("I have a budget of $500", "I have a budget of $700", "pending"),
        ("Ich habe einen Termin am Montag", "Ich habe einen Termin am Freitag", "pending"),
    ],
)
def test_what_is_had_is_one_of_several_where_it_is_a_thing(
    known: str, candidate: str, expected: str
) -> None:
    """A second dog is no contradiction; a second time of one appointment may be."""
    verdict = resolved(known, candidate, 0.7)

    assert (expected, []) == (verdict.kind, ended(verdict)), verdict.reason


def test_a_parting_that_names_nobody_may_mean_one_of_two() -> None:
    """Who is together with two has parted from one of them: a judge has to say."""
    row = Row(
        (Fact("I am dating Tom", 0.7), Fact("I am dating Leo", 0.7)),
        Fact("We broke up", since=2025),
        "",
    )

    verdict = READER.resolve(*laid_out(row))

    assert ("pending", (), 2) == (verdict.kind, verdict.closes, len(verdict.against))
