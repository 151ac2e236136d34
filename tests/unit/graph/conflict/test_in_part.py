"""What speaks of a part, of a while, of what is planned or of long ago ends nothing as a whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .corpus import READER, Fact, Row, laid_out, year

DENIED_IN_PART = [
    ("I am happy with my job", "I am not happy with my boss"),
    ("I am happy with my job", "I am no longer happy with my boss"),
    ("I am angry because of the noise", "I am no longer angry because of the delay"),
    ("I am tired after work", "I am not tired after lunch"),
    ("I take the train for work", "I no longer take the train for the kids"),
    ("I cook for my family", "I don't cook for my boss any more"),
    ("I run before breakfast", "I no longer run after dinner"),
    ("I train with my coach", "I no longer train with my brother"),
    ("I sleep well since the move", "I don't sleep well when it is hot"),
    ("I am in pain", "I am no longer in pain when walking"),
    ("The bridge is closed for the marathon", "The bridge is not closed for the parade"),
    ("I drink coffee", "I don't drink coffee after lunch"),
    ("Ich bin zufrieden mit meinem Job", "Ich bin nicht zufrieden mit meinem Chef"),
    ("Ich wohne in Berlin", "Ich wohne im Sommer nicht in Berlin"),
]
DENIED_AS_A_WHOLE = [
    ("I am happy with my job", "I am no longer happy with my job"),
    ("I am happy with my job", "I am no longer happy"),
    ("I run before breakfast", "I no longer run before breakfast"),
    ("I run before breakfast", "I no longer run"),
    ("I smoke", "I no longer smoke because of my lungs"),
    ("I smoke", "I no longer smoke since 2025"),
    ("I smoke", "I stopped smoking in May 2025"),
    ("I smoke since 2010", "I no longer smoke because of my lungs"),
    ("I am vegetarian since 2010", "I am no longer vegetarian since last May"),
    ("I work at Acme", "I quit Acme after ten years"),
    ("I work at Acme", "I quit my job when the baby came"),
    ("I work at Acme", "I was fired from Acme"),
    ("I work at Acme", "I got fired from Acme"),
    ("I work at Acme", "I was laid off from Acme"),
    ("I am married to Tom", "I am not married any more"),
    ("Ich rauche", "Ich rauche seit Mai nicht mehr"),
    ("Ich bin zufrieden mit meinem Job", "Ich bin nicht mehr zufrieden mit meinem Job"),
    ("Ich bin mit Tom verheiratet", "Ich bin nicht mehr verheiratet"),
    ("Ich bin mit Tom verheiratet", "Ich habe mich von Tom getrennt"),
]
PLANNED = [
    ("Ich wohne in Berlin", "Nächsten Monat ziehe ich nach Rom"),
    ("Ich wohne in Berlin", "Ich ziehe nächstes Jahr nach Rom"),
    ("Ich wohne in Berlin", "Demnächst ziehe ich nach Rom um"),
    ("Ich wohne in Berlin", "In drei Wochen ziehe ich nach Rom"),
    ("Ich wohne in Berlin", "Morgen ziehe ich nach Rom"),
    ("Ich wohne in Berlin", "Ab Mai wohne ich in Rom"),
    ("Ich wohne in Berlin", "Ich ziehe im Mai nach Rom"),
    ("Ich arbeite bei Bosch", "Ab nächster Woche arbeite ich bei Siemens"),
    ("I live in Berlin", "I live in Rome from next week"),
]
A_WHILE = [
    ("Ich wohne in Berlin", "Am Wochenende wohne ich in Rom"),
    ("Ich wohne in Berlin", "Unter der Woche wohne ich in Rom"),
    ("Ich wohne in Berlin", "Im Sommer wohne ich in Rom"),
    ("Ich wohne in Berlin", "Ich lebe im Winter in Rom"),
    ("Ich wohne in Berlin", "Montags wohne ich in Rom"),
    ("Ich wohne in Berlin", "Ich wohne für eine Woche in Rom"),
    ("Ich arbeite bei Bosch", "Freitags arbeite ich bei Siemens"),
    ("Ich arbeite bei Bosch", "Nebenbei arbeite ich bei Siemens"),
    ("I live in Berlin", "I am living in Rome until September"),
]
LONG_AGO_PERHAPS = [
    ("Ich wohne in Berlin", "Zuerst bin ich nach Rom gezogen"),
    ("Ich wohne in Berlin", "Erst bin ich nach Rom gezogen, dann nach Berlin"),
    ("Ich wohne in Berlin", "Nach dem Studium bin ich nach Rom gezogen"),
    ("Ich wohne in Berlin", "Nach der Schule zog ich nach Rom"),
    ("Ana wohnt in Berlin", "Nach dem Krieg zog Ana nach Rom"),
    ("Ich wohne in Berlin", "In den Neunzigern bin ich nach Rom gezogen"),
    ("Ich wohne in Berlin", "Ich bin vor meiner Hochzeit nach Rom gezogen"),
    ("Ich wohne in Berlin", "Ich bin mit fünf nach Rom gezogen"),
    ("I live in Berlin", "After university, I moved to Rome"),
    ("I live in Berlin", "After graduating, I moved to Rome"),
    ("I live in Berlin", "I moved to Rome before I met Eva"),
    ("I live in Berlin", "I moved to Rome after my degree"),
    ("I live in Berlin", "I moved to Rome when I finished school"),
    ("I live in Berlin", "I moved to Rome for my studies"),
]
OF_ANOTHER_KIND = [
    ("My wife is Eva", "My wife is from Ulm"),
    ("My dentist is Dr. Weber", "My dentist is in Rome"),
    ("Meine Frau ist Eva", "Meine Frau ist aus Ulm"),
]
NOW = [
    ("I live in Berlin", "I moved to Hamburg after Christmas"),
    ("I live in Berlin", "I moved to Hamburg for a new job"),
    ("I live in Berlin", "I moved to Hamburg because of the war"),
    ("My office is in room 5", "My office is in room 6"),
    ("My wife is Eva", "My wife is Karin"),
    ("Ich wohne in Berlin", "Ich wohne mit zwei Katzen in Hamburg"),
    ("Ich wohne in Berlin", "Ich lebe mit meiner Frau in Hamburg"),
    ("Ich wohne in Berlin", "Heute Morgen bin ich nach Hamburg gezogen"),
    ("Ich wohne in Berlin", "Ich wohne seit dem Sommer in Hamburg"),
    ("Ich wohne in Berlin", "Ich bin im Mai nach Hamburg gezogen"),
    ("Ich wohne in Berlin", "Ab jetzt wohne ich in Hamburg"),
    ("Ich arbeite bei Siemens", "Ich arbeite seit Mai bei Bosch"),
    ("Ich arbeite bei Siemens", "Ich arbeite seit zwei Wochen bei Bosch"),
]


def ended(known: str, candidate: str, cosine: float) -> list[str]:
    """Return what a candidate ends, told a year after what is known."""
    row = Row((Fact(known, cosine, since=2025),), Fact(candidate, since=2026), "")
    verdict = READER.resolve(*laid_out(row))
    assert "dedup" != verdict.kind, verdict.reason
    return [closing.fact_id for closing in verdict.closes]


@pytest.mark.parametrize(
    ("known", "candidate"),
    [*DENIED_IN_PART, *PLANNED, *A_WHILE, *LONG_AGO_PERHAPS, *OF_ANOTHER_KIND],
)
@pytest.mark.parametrize("cosine", [0.3, 0.7])
def test_what_speaks_of_a_part_ends_nothing(known: str, candidate: str, cosine: float) -> None:
    """With somebody, for a while, at some time of a life, soon: the rest goes on."""
    assert [] == ended(known, candidate, cosine)


@pytest.mark.parametrize(("known", "candidate"), [*DENIED_AS_A_WHOLE, *NOW])
@pytest.mark.parametrize("cosine", [0.3, 0.7])
def test_what_speaks_of_the_whole_ends_it(known: str, candidate: str, cosine: float) -> None:
    """A reason, a date and company say nothing against it."""
    assert [known] == ended(known, candidate, cosine)


def test_what_may_be_long_ago_waits_for_a_judge() -> None:
    """It is told meanwhile, and the judge may end the home."""
    home = "I live in Berlin"
    candidate, known = laid_out(
        Row((Fact(home, 0.7),), Fact("After university, I moved to Rome", since=2025), "")
    )

    verdict = READER.resolve(candidate, known)

    assert ("pending", (home,)) == (verdict.kind, verdict.against)
    assert READER.guards(candidate, known.slot[0]) is None


def test_the_same_of_an_earlier_stretch_is_no_repeat_of_a_later_one() -> None:
    """Lyon, Oslo, Lyon again, told the latest first: the first stay ends where Oslo begins."""
    oslo = Fact("Ana lives in Oslo", 0.7, since=2021, until=2022, status="superseded")
    again = Fact("Ana lives in Lyon", 0.99, since=2022)
    candidate, known = laid_out(Row((oslo, again), Fact("Ana lives in Lyon", since=2020), ""))

    verdict = READER.resolve(candidate, known)

    assert ("admit", oslo.text) == (verdict.kind, verdict.superseded_by)
    assert year(2021) == verdict.valid_to


def test_what_is_planned_and_holds_sooner_ends_what_holds() -> None:
    """Rome was planned for 2040, and is where somebody lives already."""
    home = Fact("I live in Berlin", 0.7, since=2020, until=2040)
    planned = Fact("I live in Rome", 0.99, since=2040)
    candidate, known = laid_out(Row((home, planned), Fact("I live in Rome", since=2026), ""))

    verdict = READER.resolve(candidate, known)

    assert [(home.text, year(2026))] == [(one.fact_id, one.valid_to) for one in verdict.closes]
    assert (planned.text, year(2040)) == (verdict.superseded_by, verdict.valid_to)


def test_what_was_said_again_later_goes_on_though_something_followed_in_between() -> None:
    """Oslo, said again in 2024, with Lyon in 2023: what is told late of 2022 ends no Oslo."""
    oslo = Fact("Ana lives in Oslo", 0.7, since=2021)
    lyon = Fact("Ana lives in Lyon", 0.7, since=2023, until=2024, status="superseded")
    candidate, known = laid_out(Row((oslo, lyon), Fact("Ana lives in Bonn", since=2022), ""))
    slot = tuple(
        replace(fact, stated_at=year(2024)) if fact.id == oslo.text else fact for fact in known.slot
    )

    verdict = READER.resolve(candidate, replace(known, slot=slot, near=()))

    assert ((), lyon.text, year(2023)) == (verdict.closes, verdict.superseded_by, verdict.valid_to)
