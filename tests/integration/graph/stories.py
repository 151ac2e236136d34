"""Made-up facts whose truth is known: pairs that have nothing to do with each other, and chains.

Everything follows from a seed. What a pair or a chain is about has a name of its own, made of
words that many others have too, so that all of them may lie in one scope.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

__all__ = ["FAMILIES", "PAIR_KINDS", "Chain", "Pair", "Said", "chains", "pairs"]

_STARTED = datetime(2019, 1, 1, tzinfo=UTC)

# Words, with blanks between them.
_FIRST = """
Ana Bo Cleo Dario Edda Finn Greta Hugo Ines Joris Karla Lev Mira Nils Olga Pavel Quirin Rosa
Sven Tilda Uwe Vera Wim Xenia Yara Zeno Alba Bruno Carla Dora Emil Fritz
"""
_LAST = """
Berg Lund Kiro Varga Sand Moreau Petrov Stein Okafor Lindt Haas Novak Reyes Tamm Ueda Vogt
Wolff Yilmaz Zoltan Abel Brandt Conti Duval Engel Fabri Gallo Holm Ivers Jansen Kern Lopez Marin
"""
_CITIES = """
Lyon Oslo Graz Ulm Bonn Kiel Turin Porto Ghent Malmo Tartu Sofia Brno Lodz Split Cork Leeds Bath
Jena Trier Basel Chur Nice Metz Lille Delft Siena Lecce Padua Vigo
"""
_FIRMS = """
Corvid Nimbus Halden Orbis Tessera Quill Argon Meridian Fathom Kestrel Lumen Pylon Sable Vesper
Wicker Zephyr Acorn Bramble Cobalt Drumlin
"""
_FIRM_ENDS = "Labs Press Foods Works Energy"
_JOBS = """
baker nurse welder editor surgeon architect gardener pilot teacher plumber chemist clerk
dispatcher engraver forester glazier
"""
_TONGUES = "Danish Polish Greek Basque Welsh Frisian Maltese Catalan Estonian Irish Korean Hindi"
_TOOLS = "Vim Emacs Helix Nano Kakoune Sublime Zed Eclipse Xcode Notepad"
_THINGS = "tea kites chess sailing jazz quilts figs opera orchids puzzles cider falcons"
_BEASTS = """
heron otter badger goat mule goose weasel falcon hound stoat lynx marten crane beaver raven hare
"""
_DEEDS = """
naps|digs|swims|hides|waits|forages|limps|sings|nests|hunts|drinks|grazes|shivers|paces
"""
_PLACES = """
by the old mill|under the bridge|near the chapel|behind the granary|along the canal|on the levee
at the quarry|in the orchard|above the weir|beside the kiln
"""
_ONSETS = "badefigohukaleminoru"
_STATES = "planned drafted reviewed blocked approved paused shipped archived"
_COLOURS = "green amber violet teal crimson ochre indigo ivory"


@dataclass(frozen=True, slots=True)
class Said:
    """One statement.

    Attributes:
        text: The sentence.
        parts: Subject, predicate and object, empty for a sentence alone.
        at: From when it holds.
        until: Until when, where it says so.
    """

    text: str
    at: datetime
    parts: tuple[str, str, str] | tuple[()] = ()
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements that are both so.

    Attributes:
        kind: Why they are; one of `PAIR_KINDS`.
        is_unrelated: Whether not even a judge may end one by the other. Two values of one
            predicate of which nobody knows whether it has several are for a judge to say.
    """

    kind: str
    before: Said
    after: Said
    is_unrelated: bool = True


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements each of which ends the one before it.

    Attributes:
        family: Of `FAMILIES`.
        subject: What it is about.
        question: What the newest one answers.
        said: In the order of time.
        is_late: Whether they come to be told in another order.
    """

    family: str
    subject: str
    question: str
    said: tuple[Said, ...]
    is_late: bool


def _words(text: str) -> list[str]:
    return [word.strip() for line in text.strip().splitlines() for word in line.split("|")]


def _names(seed: int) -> Iterator[str]:
    """Yield names of people, no two the same; first and last ones come again and again."""
    names = [f"{first} {last}" for last in _LAST.split() for first in _FIRST.split()]
    random.Random(seed).shuffle(names)
    yield from names


def _firms(rng: random.Random) -> str:
    return f"{rng.choice(_FIRMS.split())} {rng.choice(_FIRM_ENDS.split())}"


# Pairs --------------------------------------------------------------------------------------


class _Ground:
    """What a pair is made of."""

    def __init__(self, rng: random.Random, number: int, name: str, other: str) -> None:
        self.rng = rng
        self.number = number
        self.name = name
        self.other = other
        self.at = _STARTED + timedelta(days=rng.randrange(1000))
        self.city, self.city_2 = rng.sample(_CITIES.split(), 2)
        self.firm, self.firm_2 = f"{name.split()[1]} {_firms(rng)}", _firms(rng)

    def pair(
        self,
        kind: str,
        before: str | tuple[str, str, str],
        after: str | tuple[str, str, str],
        *,
        is_unrelated: bool = True,
    ) -> Pair:
        later = self.at + timedelta(days=self.rng.randrange(1, 900))
        return Pair(kind, _said(before, self.at), _said(after, later), is_unrelated)


def _said(what: str | tuple[str, str, str], at: datetime, until: datetime | None = None) -> Said:
    if isinstance(what, str):
        return Said(what, at, (), until)
    return Said(f"{' '.join(what)}.", at, what, until)


def _other_subject(g: _Ground) -> Pair:
    """Two people who share a name, a predicate, and nothing else."""
    predicate, one, two = g.rng.choice(
        (
            ("lives in", g.city, g.city_2),
            ("works at", g.firm, g.firm_2),
            ("is married to", "Ada Quist", "Ulf Quist"),
            ("reports to", "Ada Quist", "Ulf Quist"),
        )
    )
    before, after = (g.name, predicate, one), (g.other, predicate, two)
    if g.rng.random() < 0.5:
        return g.pair("other subject", f"{' '.join(before)}.", f"{' '.join(after)} now.")
    return g.pair("other subject", before, after)


def _other_predicate(g: _Ground) -> Pair:
    """One person, and two things that go together."""
    one, two = g.rng.choice(
        (
            (f"works at {g.firm}", f"runs the {g.firm} code repository"),
            (f"lives in {g.city}", f"works at {g.city} Press now"),
            (f"lives in {g.city}", f"was born in {g.city_2}"),
            (f"works at {g.firm}", f"has moved to {g.city}"),
            (f"works as a {g.rng.choice(_JOBS.split())}", f"works at {g.firm} now"),
            (f"is married to {g.other}", f"reports to {g.other} now"),
            (f"founded {g.firm}", f"no longer works at {g.firm_2}"),
        )
    )
    return g.pair("other predicate", f"{g.name} {one}.", f"{g.name} {two}.")


def _several(g: _Ground) -> Pair:
    """A predicate that may have several objects."""
    predicate, pool = g.rng.choice(
        (
            ("likes", _THINGS.split()),
            ("speaks", _TONGUES.split()),
            ("visited", _CITIES.split()),
            ("knows", _FIRST.split()),
            ("plays", ["chess", "the cello", "rugby", "go"]),
            ("is allergic to", ["nuts", "pollen", "wool", "eggs"]),
        )
    )
    one, two = g.rng.sample(pool, 2)
    now = g.rng.choice(("", " now", " these days"))
    if g.rng.random() < 0.5:
        return g.pair("several objects", (g.name, predicate, one), (g.name, predicate, two))
    return g.pair(
        "several objects", f"{g.name} {predicate} {one}.", f"{g.name} {predicate} {two}{now}."
    )


def _sentences(g: _Ground) -> Pair:
    """Sentences that no pack splits, about one animal or two."""
    beasts = g.rng.sample(_BEASTS.split(), 2)
    deeds = g.rng.sample(_words(_DEEDS), 2)
    places = g.rng.sample(_words(_PLACES), 2)
    whose = g.name.split()[0]
    second = g.rng.choice(beasts)
    place = g.rng.choice(places)
    return g.pair(
        "sentences",
        f"The {beasts[0]} of {whose} {g.number} {deeds[0]} {places[0]}.",
        f"A {second} that {g.other.split()[1]} fed {deeds[1]} {place}.",
    )


def _identifiers(g: _Ground) -> Pair:
    """Two numbers of one kind, each with what is so of it."""
    one, two = f"INV-{1000 + 2 * g.number}", f"INV-{1001 + 2 * g.number}"
    states = g.rng.sample(_STATES.split(), 2)
    form = g.rng.choice(("sentence", "triple", "due", "within"))
    if form == "triple":
        return g.pair("identifiers", (one, "status", states[0]), (two, "status", states[1]))
    if form == "due":
        return g.pair("identifiers", f"{one} is due on 3 May.", f"{two} is due on 4 June.")
    if form == "within":
        return g.pair(
            "identifiers",
            f"The refund for order {one} goes to {g.city}.",
            f"The refund for order {two} goes to {g.city_2}.",
        )
    return g.pair(
        "identifiers", f"{one}'s status is {states[0]}.", f"{two}'s status is {states[1]}."
    )


def _shared_words(g: _Ground) -> Pair:
    """Names one of which stands in the other one."""
    one, two = g.rng.choice(
        (
            (f"{g.firm} is based in {g.city}.", f"{g.firm} {g.city_2} is based in {g.city_2} now."),
            (
                f"{g.firm}'s budget is 40 million euros.",
                f"{g.firm} Charity's budget is 3 million euros.",
            ),
            (f"{g.name} lives in {g.city}.", f"{g.name} Junior lives in {g.city_2} now."),
            (f"The {g.firm} shop costs $400.", f"The {g.firm} shop window costs $90."),
        )
    )
    return g.pair("shared words", one, two)


def _hedged(g: _Ground) -> Pair:
    """What may be, was asked, or somebody said."""
    after = g.rng.choice(
        (
            "{n} might move to {c}.",
            "{n} wants to live in {c}.",
            "{o} said that {n} moved to {c}.",
            "If {n} moved to {c}, the shop would close.",
            "Has {n} moved to {c}?",
            "{n} will move to {c} some day.",
            "{n} almost moved to {c}.",
            'The card reads "{n} lives in {c}".',
            "Perhaps {n} lives in {c} now.",
            "{n} plans to move to {c}.",
        )
    ).format(n=g.name, o=g.other.split()[0], c=g.city_2)
    return g.pair("hedged", f"{g.name} lives in {g.city}.", after)


def _past(g: _Ground) -> Pair:
    """What was over when it was told."""
    one, two = g.rng.choice(
        (
            (f"lives in {g.city}", f"lived in {g.city_2}"),
            (f"works at {g.firm}", f"used to work at {g.firm_2}"),
            (f"works at {g.firm}", f"worked at {g.firm_2} as a student"),
            (f"is married to {g.other}", "was married to Ulf Quist"),
        )
    )
    return g.pair("past", f"{g.name} {one}.", f"{g.name} {two}.")


def _other_time(g: _Ground) -> Pair:
    """Two stays that are told with their ends and have no day in common."""
    predicate, one, two = g.rng.choice(
        (("lives in", g.city, g.city_2), ("works at", g.firm, g.firm_2))
    )
    first_end = g.at + timedelta(days=300)
    start = first_end + timedelta(days=g.rng.randrange(0, 100))
    stays = [
        _said((g.name, predicate, one), g.at, first_end),
        _said((g.name, predicate, two), start, start + timedelta(days=200)),
    ]
    if g.rng.random() < 0.5:
        stays.reverse()
    return Pair("other time", *stays)


def _idioms(g: _Ground) -> Pair:
    """Words that look as if something had changed."""
    after = g.rng.choice(
        (
            "{n} moved to tears a whole hall in {c}.",
            "{n} moved to the back of the hall.",
            "{n} switched to the night train.",
            "Do not forget that {n} lives next to the quay.",
            "{n} cannot stop to talk about {c}.",
            "{n} now sees the sea from there.",
            "{n} moved the piano to {c}.",
            "{n} left {c} out of the speech.",
            "{n} is no stranger to {c}.",
        )
    ).format(n=g.name, c=g.city_2)
    return g.pair("idioms", f"{g.name} lives in {g.city}.", after)


def _open_predicate(g: _Ground) -> Pair:
    """Two objects of a predicate of which nobody knows how many it has."""
    predicate = g.rng.choice(("runs", "chairs", "repairs", "teaches"))
    one, two = (f"the {place} {what}" for place, what in ((g.city, "club"), (g.city_2, "choir")))
    return g.pair(
        "open predicate", (g.name, predicate, one), (g.name, predicate, two), is_unrelated=False
    )


_PAIRS: tuple[Callable[[_Ground], Pair], ...] = (
    _other_subject,
    _other_predicate,
    _several,
    _sentences,
    _identifiers,
    _shared_words,
    _hedged,
    _past,
    _other_time,
    _idioms,
    _open_predicate,
)
PAIR_KINDS = frozenset(
    make.__name__[1:].replace("_", " ") for make in _PAIRS if make is not _several
) | {"several objects"}


def pairs(count: int, *, seed: int = 5) -> list[Pair]:
    """Return pairs of statements that are both so, as many of each kind.

    Args:
        count: How many, up to 500.
        seed: Another seed, other pairs.
    """
    rng = random.Random(seed)
    names = list(_names(seed))
    return [
        _PAIRS[number % len(_PAIRS)](_Ground(rng, number, names[2 * number], names[2 * number + 1]))
        for number in range(count)
    ]


# Chains -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kind:
    """A family of chains.

    Attributes:
        forms: Ways to say it; "{n}" is the subject, "{v}" the value, "{o}" the one before.
        first: Ways to say the first one; none = as the others.
        predicates: Ways to say it as a triple.
        last: Ways to say that nothing holds any more; none = it always holds.
        is_marked: Only words say that one ended: each has to be told when it was so.
    """

    values: tuple[str, ...]
    question: str
    forms: tuple[str, ...]
    first: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    subjects: str = "people"
    is_marked: bool = False


def _numbered(form: str, numbers: Sequence[int]) -> tuple[str, ...]:
    return tuple(form.format(number) for number in numbers)


_ALL_FIRMS = tuple(f"{one} {end}" for one in _FIRMS.split() for end in ("Labs", "Press"))
_HOMES = tuple(_CITIES.split())

FAMILIES: dict[str, _Kind] = {
    "home": _Kind(
        _HOMES,
        "home of {n}",
        (
            "{n} lives in {v}.",
            "{n} has moved to {v}.",
            "{n} just moved to {v}",
            "{n} resides in {v} now.",
            "{n} is based in {v} these days.",
            "{n} relocated to {v} last spring.",
            "{n} moved from {o} to {v}.",
            "Since May, {n} has been living in {v}.",
            "{n} moved back to {v}.",
            "{n} lives in {v} with two cats.",
        ),
        first=("{n} lives in {v}.", "{n} is living in {v}."),
        predicates=("lives in", "resides in", "LIVES_IN", "moved to", "based in"),
    ),
    "employer": _Kind(
        _ALL_FIRMS,
        "work of {n}",
        (
            "{n} works at {v}.",
            "{n} works for {v} now.",
            "{n} started working at {v}.",
            "{n} got a new job at {v}.",
            "{n} is employed by {v}.",
            "{n}'s employer is {v}.",
            "{n} started a new job at {v}.",
            "{n} has been working for {v} since then.",
        ),
        first=("{n} works at {v}.", "{n} is employed at {v}."),
        predicates=("works at", "works for", "employed by", "worksAt"),
    ),
    "employer that ends": _Kind(
        _ALL_FIRMS,
        "work of {n}",
        ("{n} works at {v}.", "{n} works for {v} now.", "{n} is employed by {v}."),
        last=(
            "{n} no longer works at {o}.",
            "{n} does not work for {o} any more.",
            "{n} resigned from {o}.",
            "{n} stopped working at {o}.",
        ),
    ),
    "title": _Kind(
        tuple(_JOBS.split()),
        "occupation of {n}",
        (
            "{n} works as a {v}.",
            "{n} was promoted to {v}.",
            "{n}'s job title is {v}.",
            "{n}'s new role is {v}.",
            "{n} got promoted to {v}.",
            "{n}'s position is now {v}.",
        ),
        predicates=("works as", "job title", "role"),
    ),
    "marriage": _Kind(
        tuple(f"{name} Quist" for name in _FIRST.split()),
        "marriage of {n}",
        (
            "{n} is married to {v}.",
            "{n} married {v}.",
            "{n} got married to {v}.",
            "{n}'s husband is {v}.",
            "{n} has been married to {v} since spring.",
        ),
        predicates=("is married to", "married", "spouse"),
        last=("{n} is divorced from {o}.", "{n} got divorced from {o}."),
    ),
    "age": _Kind(
        _numbered("{}", range(31, 60)),
        "how old is {n}?",
        ("{n} is {v} years old.", "{n} turned {v}.", "{n}'s age is {v}.", "{n} is {v}."),
        predicates=("age",),
    ),
    "boss": _Kind(
        tuple(f"{name} Quist" for name in _FIRST.split()),
        "who leads {n}?",
        (
            "{n} reports to {v}.",
            "{n}'s manager is {v}.",
            "{n} now reports to {v}.",
            "{n}'s new boss is {v}.",
            "The supervisor of {n} is {v}.",
        ),
        predicates=("reports to", "manager"),
    ),
    "phone": _Kind(
        _numbered("+49 30 {}", range(90100, 99000, 111)),
        "number of {n}",
        (
            "{n}'s phone number is {v}.",
            "The phone number of {n} is {v}.",
            "{n}'s new phone number is {v}.",
        ),
        predicates=("phone number",),
    ),
    "address": _Kind(
        _numbered("{} Mill Road", range(3, 90, 4)),
        "address of {n}",
        ("{n}'s address is {v}.", "The address of {n} is {v} now.", "{n}'s new address is {v}."),
    ),
    "price": _Kind(
        _numbered("${}", range(120, 400, 7)),
        "price of {n}",
        ("The {n} costs {v}.", "The price of the {n} is {v}.", "The {n} now costs {v}."),
        subjects="goods",
    ),
    "deadline": _Kind(
        tuple(f"{day} {month}" for day in (3, 12, 21, 28) for month in ("May", "June", "July")),
        "when must {n} be done?",
        ("{n} is due on {v}.", "{n}'s deadline is {v}.", "The deadline of {n} is {v} now."),
        subjects="projects",
    ),
    "status": _Kind(
        tuple(_STATES.split()),
        "state of {n}",
        ("{n}'s status is {v}.", "The status of {n} is {v}.", "{n}'s current status is {v}."),
        predicates=("status",),
        subjects="projects",
    ),
    "name": _Kind(
        tuple(f"{beast.title()} {end}" for beast in _BEASTS.split() for end in ("Hall", "Inn")),
        "name of {n}",
        ("The {n} is called {v}.", "The {n} was renamed to {v}.", "The {n} is now called {v}."),
        subjects="goods",
    ),
    "favourite": _Kind(
        tuple(_COLOURS.split()),
        "colour of {n}",
        ("{n}'s favourite colour is {v}.", "The favourite colour of {n} is {v} now."),
        predicates=("favourite colour",),
    ),
    "editor": _Kind(
        tuple(_TOOLS.split()),
        "editor of {n}",
        (
            "{n} switched to {v}.",
            "{n} switched from {o} to {v}.",
            "{n} has replaced {o} with {v}.",
            "{n} uses {v} instead.",
            "{n} uses {v} instead of {o}.",
            "{n} now uses {v}.",
        ),
        first=("{n} uses {v}.", "{n} is using {v}."),
        is_marked=True,
    ),
    "Zuhause": _Kind(
        _HOMES,
        "Wohnort von {n}",
        (
            "{n} wohnt in {v}.",
            "{n} wohnt jetzt in {v}.",
            "{n} ist nach {v} gezogen.",
            "{n} lebt inzwischen in {v}.",
        ),
        first=("{n} wohnt in {v}.", "{n} lebt in {v}."),
    ),
    "Arbeit": _Kind(
        _ALL_FIRMS,
        "Arbeit von {n}",
        ("{n} arbeitet bei {v}.", "{n} arbeitet jetzt bei {v}.", "{n} arbeitet nun für {v}."),
    ),
}


def chains(count: int, *, seed: int = 5) -> list[Chain]:
    """Return chains of two to eight statements, as many of each family.

    Three of twenty come to be told in any order, one of ten comes back to what was so before.

    Args:
        count: How many, up to 1,000.
        seed: Another seed, other chains.
    """
    rng = random.Random(seed)
    families = list(FAMILIES)
    made = []
    for number in range(count):
        family = families[number % len(families)]
        made.append(_chain(rng, family, _subject(rng, FAMILIES[family], number)))
    return made


def _subject(rng: random.Random, kind: _Kind, number: int) -> str:
    # A last name that is found: what is asked here is not how well names are told apart.
    digits = [2 * int(digit) for digit in f"{number:03}"[::-1]]
    last = "".join(_ONSETS[at : at + 2] for at in digits).title() + "p"
    if kind.subjects == "goods":
        return f"{last} lodge"
    return (
        f"{last} project" if kind.subjects == "projects" else f"{rng.choice(_FIRST.split())} {last}"
    )


def _chain(rng: random.Random, family: str, subject: str) -> Chain:
    kind = FAMILIES[family]
    length = rng.randint(2, 8)
    values = rng.sample(kind.values, min(length, len(kind.values)))
    if family == "age":
        values.sort()
    is_late = not kind.is_marked and not kind.last and rng.random() < 0.2
    if len(values) > 2 and not is_late and family != "age" and rng.random() < 0.1:
        values[-1] = values[0]
    at = _STARTED + timedelta(days=rng.randrange(500))
    said: list[Said] = []
    for place, value in enumerate(values):
        before = values[place - 1] if place else ""
        is_last = place > 0 and place == len(values) - 1
        words = {"n": subject, "v": value, "o": before}
        said.append(_link(rng, kind, words, at, is_last=is_last))
        at += timedelta(days=rng.randrange(20, 250))
    return Chain(family, subject, kind.question.format(n=subject), tuple(said), is_late)


def _link(
    rng: random.Random, kind: _Kind, words: dict[str, str], at: datetime, *, is_last: bool
) -> Said:
    if is_last and kind.last and rng.random() < 0.8:
        return Said(rng.choice(kind.last).format(**words), at)
    if kind.predicates and rng.random() < 0.3:
        parts = (words["n"], rng.choice(kind.predicates), words["v"])
        return Said(f"{' '.join(parts)}.", at, parts)
    forms = kind.forms
    if not words["o"]:
        forms = kind.first or tuple(one for one in kind.forms if "{o}" not in one)
    return Said(rng.choice(forms).format(**words), at)
