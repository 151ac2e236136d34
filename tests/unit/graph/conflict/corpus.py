"""The table of what becomes of statements: known facts with their cosines, a candidate, a verdict.

Every row states its cosines, so that no embedder is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from graphmem.clock import OPEN_TO
from graphmem.conflict import (
    DEFAULT_THRESHOLDS,
    ConflictPipeline,
    Known,
    Neighbour,
    Statement,
    Thresholds,
    de_locale_pack,
    en_locale_pack,
)
from graphmem.text import canonical_hash

PACKS = (en_locale_pack, de_locale_pack)
READER = ConflictPipeline(PACKS, thresholds=DEFAULT_THRESHOLDS)


def year(number: float) -> datetime:
    """Return the beginning of a year; 2024.5 is its July."""
    return datetime(int(number), 7 if number % 1 else 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Fact:
    """A fact as a row tells it: by its sentence or as a triple "s | p | o".

    Attributes:
        cosine: To the candidate; None = not measured, and then it is no neighbour.
        since: Year from when it holds.
        until: Year until when, None = still.
        recorded: Year in which it was learned.
        retired: Year in which it was retired.
    """

    text: str
    cosine: float | None = None
    since: float = 2024
    until: float | None = None
    status: str = "active"
    recorded: float | None = None
    retired: float | None = None
    is_withdrawn: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table; `target` is the text of the fact that decided, "" = none."""

    known: tuple[Fact, ...]
    candidate: Fact
    expected: str
    target: str = ""
    thresholds: Thresholds | None = DEFAULT_THRESHOLDS
    hot: str = "guarded"
    learned: dict[str, str] = field(default_factory=dict)
    successor: str = ""

    @property
    def id(self) -> str:
        """What the test is called."""
        before = " + ".join(fact.text for fact in self.known) or "nothing"
        return f"{before} > {self.candidate.text}"[:110].replace("[", "(").replace("]", ")")


def statement(fact: Fact, place: str, reader: ConflictPipeline = READER) -> Statement:
    """Return the fact as the pipeline is given it."""
    parts = [part.strip() for part in fact.text.split("|")]
    text = " ".join(parts)
    said = reader.split(text, *parts) if len(parts) == 3 else reader.split(text)
    return Statement(
        id=place,
        text=text,
        canonical_hash=canonical_hash(fact.text),
        subject_key=said.subject_key,
        predicate_key=said.predicate_key,
        object_key=said.object_key,
        predicate=said.predicate,
        is_negated=said.is_negated,
        valid_from=year(fact.since),
        valid_to=OPEN_TO if fact.until is None else year(fact.until),
        recorded_at=year(fact.since if fact.recorded is None else fact.recorded),
        status=fact.status,
        retired_at=None if fact.retired is None else year(fact.retired),
        is_withdrawn=fact.is_withdrawn,
    )


def laid_out(row: Row) -> tuple[Statement, Known]:
    """Return a row's candidate, and what the store would find beside it."""
    candidate = statement(row.candidate, "candidate")
    told = [(statement(fact, fact.text), fact.cosine) for fact in row.known]
    near = sorted(
        (Neighbour(fact, cosine) for fact, cosine in told if cosine is not None and fact.is_live),
        key=lambda neighbour: -(neighbour.cosine or 0),
    )
    return candidate, Known(
        exact=tuple(f for f, _ in told if f.canonical_hash == candidate.canonical_hash),
        slot=tuple(fact for fact, _ in told if fact.shares_slot(candidate)),
        near=tuple(near),
        cardinality=row.learned,  # type: ignore[arg-type]  # words of the table
    )


def pair(
    known: str, candidate: str, expected: str, cosine: float | None = 0.7, **more: object
) -> Row:
    """Return a row of one fact and a candidate a year later; it decides unless it is new."""
    target = "" if expected.startswith("admit") else known
    row = Row((Fact(known, cosine),), Fact(candidate, since=2025), expected, target)
    return replace(row, **more)  # type: ignore[arg-type]  # fields of Row


def pairs(expected: str, lines: Iterable[tuple[str, str]], cosine: float = 0.7) -> list[Row]:
    """Return a row for each (known, candidate) that ends alike."""
    return [pair(known, candidate, expected, cosine) for known, candidate in lines]


SUPERSEDE_TEXT = "supersede heuristic"
SUPERSEDE_TRIPLE = "supersede triple"
ADMIT = "admit defer"
PENDING = "pending defer"

CHANGES = pairs(
    SUPERSEDE_TEXT,
    [
        ("I live in Berlin", "I just moved to Tbilisi for the new gig."),
        ("I am 34 years old", "I turned 35 last week"),
        ("Ana lives in Rome", "Ana relocated to Milan"),
        ("Ana lives in Rome", "Ana moved from Rome to Milan last year"),
        ("Ana works at Acme", "Ana no longer works at Acme"),
        ("Ana works at Acme", "Ana does not work at Acme any more."),
        ("Ana works at Acme", "Ana doesn't work at Acme anymore"),
        ("Ana works at Acme", "Ana stopped working at Acme"),
        ("Ana works at Acme", "Ana quit Acme"),
        ("Ana lives in Rome", "Ana lives in Rome no longer."),
        ("I work at Acme", "I quit my job"),
        ("Ana works as a clerk", "Ana got promoted to head of sales"),
        ("Ana uses Vim", "Ana switched from Vim to Emacs"),
        ("Ana uses Vim", "Ana switched to Emacs"),
        ("Ana is using Vim", "Ana switched to Emacs"),
        ("We use Postgres", "We use MySQL instead"),
        ("Ana drinks coffee", "Ana stopped drinking coffee"),
        ("Ana is married to Tom", "Ana divorced Tom"),
        ("Ana lives in Rome", "Ana used to live in Rome"),
        ("Ana likes okra", "Ana no longer likes okra"),
        ("Ana eats meat", "Ana never eats meat"),
        ("Ana owns a boat", "Ana does not own a boat"),
        ("I am 34 years old", "I turned 35"),
        ("The project is called Falcon", "The project was renamed to Kestrel"),
        ("Ana is married to Tom", "Ana is now married to Leo"),
        ("Ana likes tea", "Ana likes coffee instead of tea"),
    ],
)
VALUES = pairs(
    SUPERSEDE_TRIPLE,
    [
        ("Tomas loves okra.", "Tomas can't stand okra."),
        ("Tomas hates okra.", "Tomas loves okra."),
        ("Ana works at Acme", "Ana works for Globex"),
        ("Noor lives in Oslo", "Noor is based in Bergen"),
        ("Ana's phone number is 555-0101", "Ana's phone number is 555-0188"),
        ("Priya's desk is 4B", "Priya's desk is 7C"),
        ("My phone number is 1234", "My new phone number is 5678"),
        ("I don't drink coffee", "I started drinking coffee again"),
        ("My favourite colour is blue", "My favourite colour is green"),
        ("Ana's wife is Bea", "Ana is married to Cleo"),
        ("Ana's manager is Tom", "Ana reports to Leo"),
        ("The plan costs $10", "The plan costs $12"),
        ("Ana | lives_in | Rome", "Ana | lives in | Turin"),
        ("Ana | works at | Acme", "Ana | worksAt | Globex"),
        ("The status of Orion is planned", "Orion | status | blocked"),
        ("Ana | lives_in | Rome", "Ana | lives in | Milan"),
        ("The report is due on Monday", "The report is due on Friday"),
        ("Ana was born in Lyon", "Ana was born in Dijon"),
        ("I live in berlin", "I live in tbilisi"),
    ],
)
GERMAN = [
    *pairs(
        SUPERSEDE_TEXT,
        [
            ("Ich wohne in Berlin", "Ich wohne nicht mehr in Berlin"),
            ("Ich wohne in Berlin", "Ich bin nach Hamburg gezogen"),
            ("Ana wohnt in Berlin", "Ana zieht nach Köln um"),
            ("Ana wohnt in Berlin", "Inzwischen wohnt Ana in Bonn"),
            ("Ana wohnt in Berlin", "Ana ist nach Wien umgezogen"),
            ("Ana mag Kaffee", "Ana mag keinen Kaffee mehr"),
            ("Ana arbeitet bei Siemens", "Ana hat bei Siemens gekündigt"),
            ("Ana arbeitet bei Siemens", "Ana arbeitet nicht mehr bei Siemens"),
            ("Ana arbeitet bei Siemens", "Ana arbeitet jetzt bei Bosch"),
            ("Ana ist mit Tom verheiratet", "Ana ist geschieden"),
            ("Ana nutzt Vim", "Ana ist von Vim auf Emacs umgestiegen"),
            ("Ana lives in Rome", "Ana wohnt jetzt in Berlin"),
        ],
    ),
    *pairs(
        SUPERSEDE_TRIPLE,
        [
            ("Ana arbeitet bei Siemens", "Ana arbeitet bei Bosch"),
            ("Ana arbeitet als Lehrerin", "Ana arbeitet als Autorin"),
            ("Ana mag Okra", "Ana kann Okra nicht ausstehen"),
            ("Ana wohnt in Bonn", "Ana lives in Rome"),
        ],
    ),
    *pairs(
        ADMIT,
        [
            ("Ana mag Kaffee", "Ana mag Tee"),
            ("Ana wohnt in Berlin", "Ana würde gern in Hamburg wohnen"),
            ("Ana wohnt in Berlin", "Ana zieht vielleicht nach Hamburg um"),
            ("Ana wohnt in Berlin", "Tom wohnt in Hamburg"),
            ("Ana wohnt in Berlin", "Tom sagt, Ana wohnt in Hamburg"),
            ("Ana spricht Deutsch", "Ana spricht jetzt Polnisch"),
            ("Ana wohnt in Berlin", "Ana wohnte früher in Hamburg"),
            ("Ana wohnt in Berlin", "Wohnt Ana in Hamburg?"),
        ],
    ),
]
MANY_VALUED = pairs(
    ADMIT,
    [
        ("Ana likes tea", "Ana likes coffee"),
        ("Ana likes tea", "Ana also likes coffee"),
        ("Ana speaks French", "Ana speaks Polish"),
        ("Ana speaks French", "Ana now speaks Polish"),
        ("Ana knows Tom", "Ana knows Leo"),
        ("Ana visited Rome", "Ana visited Oslo"),
        ("Ana owns a car", "Ana owns a boat"),
        ("Ana is the mother of Mia", "Ana is the mother of Noah"),
        ("Ana's brother is Tom", "Ana's brother is Leo"),
        ("Ana's hobby is chess", "Ana's hobby is climbing"),
        ("Ana | likes | tea", "Ana | enjoys | walks"),
        ("Ana lives in Rome", "Ana also lives in Oslo"),
        ("Ana likes tea and cake", "Ana likes bread, jam and honey"),
        ("Ana plays chess", "Ana plays the flute"),
    ],
)
UNRELATED = pairs(
    ADMIT,
    [
        ("Ana lives in Rome", "Tom lives in Oslo"),
        ("Ana lives in Rome", "Tom moved to Oslo"),
        ("Ines works at Corvid Labs.", "Ines lives in Oslo"),
        ("My sister lives in Rome", "My brother lives in Oslo"),
        ("Maya lives in Rome", "Maya from accounts lives in Oslo"),
        ("Maya (sister) | lives in | Rome", "Maya (accounts) | lives in | Oslo"),
        ("Ana worked at Acme", "Ana works at Globex"),
        ("Ana works at Acme", "Ana worked at Globex"),
        ("Ana lives in Rome", "Ana does not live in Oslo"),
        ("Ana does not live in Oslo", "Ana lives in Rome"),
        ("INV-1041 was paid late", "INV-1042 was paid late"),
        ("Corvid Labs | uses | Kafka", "Kafka | uses | ZooKeeper"),
        ("Ana was born in Lyon", "Ana was born in 1990"),
        ("Ana | born in | Lyon", "Ana | born in | 1990"),
        ("Ana lives in Lyon", "Ana lives in Lyon, France"),
    ],
)
CORRECTED = pairs(
    SUPERSEDE_TRIPLE,
    [
        ("I live in Berlin", "No, I live in Porto"),
        ("Ana lives in Nice", "Ana lives in Siena with two cats"),
        ("Ana works as a pilot", "Ana's job title is engraver"),
        ("Ana lives in Rome", "Sorry, Ana lives in Oslo"),
        ("Mein Chef ist Herr Braun", "Mein neuer Chef ist Herr Weiss"),
        ("Ich esse kein Fleisch", "Ich esse wieder Fleisch"),
    ],
)
HARMLESS = [
    # What somebody of the speaker's family is or does is not who that is.
    ("My sister is married to Bea.", "My sister is based in Oslo now."),
    ("My brother is married to Bea.", "My brother is employed by Globex instead."),
    ("I live in Berlin", "I moved to tears"),
    ("I live in Berlin", "The film moved me to tears"),
    ("I live in Berlin", "I was moved to tears by the film"),
    ("Use the staging queue for imports.", "Do not forget to use the staging queue for imports."),
    ("Ana works at Acme", "Ana cannot wait to work at Globex"),
    ("Ana owns a notebook", "Ana bought another notebook"),
    ("Ana lives in Rome", "Ana might move to Oslo"),
    ("Ana lives in Rome", "Ana wants to move to Oslo"),
    ("Ana lives in Rome", "Ana plans to move to Oslo"),
    ("Ana lives in Rome", "If Ana moved to Oslo, she would ski"),
    ("Ana lives in Rome", "Tom said that Ana moved to Oslo"),
    ("Ana lives in Rome", 'Tom wrote "Ana moved to Oslo" on a card'),
    ("Ana lives in Rome", "Has Ana moved to Oslo?"),
    ("Ana lives in Rome", "Ana almost moved to Oslo"),
    ("Ana lives in Rome", "In the novel, Ana moved to Oslo"),
    ("Ana lives in Rome", "Ana will move to Oslo next year"),
    ("Ana lives in Rome", "Ana dreamt she moved to Oslo"),
    ("I live in Berlin", "I moved to the back of the room"),
    ("I live in Berlin", "I moved to Kubernetes"),
    ("I live in Berlin", "We moved the meeting to Friday"),
    ("Ana lives in Rome", "Ana moved to Team Phoenix"),
    ("Ana works at Acme", "Ana works at night"),
    ("Ana works at Acme", "Ana not only works at Acme"),
    ("Ana works at Acme", "This works for me now"),
    ("Ana works at Acme", "Ana is used to working at Acme"),
    ("Ana likes tea", "Ana has no doubt about tea now"),
    ("Ana lives in Rome", "She moved to Oslo"),
    ("Ana lives in Rome", "Maybe Ana lives in Oslo now"),
    ("Ana works at Acme", "According to Tom, Ana works at Globex now"),
    ("Ana lives in Rome", "Ana would rather live in Oslo instead"),
    ("Ana lives in Rome", "Nobody knows whether Ana moved to Oslo"),
    ("Ana lives in Rome", "A friend moved to Oslo"),
    ("Ines works at Corvid Labs.", "Ines runs the Corvid Labs code repository."),
    ("Ana is married to Tom", "Ana's promotion was no longer a secret"),
    ("My wife is Eva", "My wife is tired"),
    ("My boss is Lee", "My boss is angry"),
    ("My birthday is 3 May", "My birthday is next week"),
    ("Ana lives in Paris", "Ana lives in fear of dogs"),
    ("Ana lives in Paris", "Ana lives in harmony with her neighbours"),
    ("Ana lives in Paris", "Ana lives in the 11th arrondissement"),
    ("Ana lives in Paris", "Ana lives at 12 Rue Oberkampf"),
    ("Ana lives in Paris", "Ana moved to Seat 4"),
    ("Ana lives in Paris", "Ana moved to Firefox"),
    ("Ana lives in Paris", "Ana moved to FastAPI"),
    ("Ana lives in Paris", "Ana moved to Rome for a week"),
    ("Ana lives in Paris during the week", "Ana lives in Lyon at weekends"),
    ("I work at Acme", "I work at the office on Mondays"),
    ("I work at Acme", "I work at improving my German"),
    ("Ich arbeite bei Siemens", "Ich arbeite bei schlechtem Licht"),
]
APART = [
    # An embedder calls all of these nearly the same; kept as one, what is new would be lost.
    ("Ana likes tea", "Ana likes green tea"),
    ("The light is on", "The light is off"),
    ("The gate opens before noon", "The gate opens after noon"),
    ("The shop is open on Sundays", "The shop is closed on Sundays"),
    ("The left pump is broken", "The right pump is broken"),
    ("Ana takes it with milk", "Ana takes it without milk"),
    ("The syrup is safe for cats", "The syrup is unsafe for cats"),
    ("The cat is legal", "The cat is illegal"),
    ("Increase the dose", "Decrease the dose"),
    ("ana trusts ben", "ben trusts ana"),
    ("vivo en madrid", "vivo en sevilla"),
    ("Die Tür ist offen", "Die Tür ist geschlossen"),
    ("x > 5", "x < 5"),
    ("The balance is $5", "The balance is -$5"),
    ("\U0001f98a", "\U0001f43b"),
    ("Xxxxxx", "\U0001f43b"),
    ("\u79c1\u306f\u30d9\u30eb\u30ea\u30f3", "\u79c1\u306f\u30d1\u30ea"),
    (
        "\u0623\u0639\u064a\u0634 \u0641\u064a \u0628\u0631\u0644\u064a\u0646",
        "\u0623\u0639\u064a\u0634 \u0641\u064a \u0628\u0627\u0631\u064a\u0633",
    ),
]
TOGETHER = [
    ("The heating hums at night", "At night the heating hums"),
    ("The fridge holds tea and coffee", "The fridge holds coffee and tea"),
    ("The heating hums", "The heating hums \U0001f600"),
    ("the heating hums", "the heating hums loudly"),
]
ZONES = [
    pair("The heating hums at night", "At night the heating hums", "dedup embedding", 0.95),
    pair("The heating hums at night", "The heating makes noise", "dedup embedding", 0.9499999),
    pair("The heating hums at night", "The heating makes noise", "dedup embedding", 0.85),
    pair("The heating hums at night", "The heating makes noise", PENDING, 0.8499999),
    pair("The heating hums at night", "The heating makes noise", PENDING, 0.4000001),
    pair("The heating hums at night", "The heating makes noise", ADMIT, 0.40),
    pair("The heating hums at night", "The heating makes noise", ADMIT, -0.2),
    pair("The heating hums at night", "The heating makes noise", ADMIT, 1.0, thresholds=None),
    pair("Loves mountain hiking", "Enjoys mountain hiking", "dedup embedding", 0.96),
    pair("The heating hums", "The heating does not hum", PENDING, 0.97),
    pair("The heating hums", "The heating never hums", PENDING, 0.90),
    pair("The cellar has 3 doors", "The cellar has 4 doors", PENDING, 0.98),
    pair("The cellar has three doors", "The cellar has four doors", PENDING, 0.98),
    pair("The cellar has 3 doors", "The cellar has three doors", "dedup embedding", 0.98),
    pair("The dose is 10 mg", "The dose is 10 g", PENDING, 0.98),
    pair("The dose is 10 mg", "The dose is 10mg", "dedup embedding", 0.98),
    pair("The rent is 1,240 euros", "The rent is 1240 euros", "dedup embedding", 0.98),
    pair("The store opens at 9:30", "The store opens at 9:45", PENDING, 0.98),
    pair("The party is on 2026-03-01", "The party is on 2026-03-02", PENDING, 0.98),
    pair("The party is on Monday", "The party is on Tuesday", PENDING, 0.98),
    pair("We met Ana by the lake", "We met Tom by the lake", PENDING, 0.96),
    pair("The key fits door A4", "The key fits door A5", ADMIT, 0.99),
    pair("The key fits INV-1041", "The key fits INV-1042", ADMIT, 0.99),
    pair("The tool is written in C", "The tool is written in C++", PENDING, 0.99),
    pair("Bob | manages | Ana", "Ana | manages | Bob", ADMIT, 0.99),
    pair("We saw Bob help Ana", "We saw Ana help Bob", PENDING, 0.99),
    pair("The cellar has 3 doors", "The cellar has 4 doors", "dedup embedding", 0.98, hot="always"),
    pair("Ana lives in Rome", "Ana lives in Milan", "dedup embedding", 0.96, hot="always"),
    pair("Ana lives in Rome", "Ana lives in Milan", SUPERSEDE_TRIPLE, 0.96),
    pair("Ana lives in Rome", "Ana lives in Milan", SUPERSEDE_TRIPLE, 0.10),
    pair("I live in Berlin", "I just moved to Tbilisi", SUPERSEDE_TEXT, 0.10),
    pair("My favourite tea is green", "My favourite tea is black", SUPERSEDE_TRIPLE, 0.90),
    pair("Ana likes tea", "Ana likes coffee", ADMIT, 0.90),
]
SAME = [
    pair("Ana lives in Rome", "ana  LIVES in rome", "dedup exact", None),
    pair("Ana lives in Rome", "Ana lives in Rome", "dedup exact", 1.0),
    pair("Ana lives in Rome", "Ana lives in Rome", "dedup exact", None, thresholds=None),
    pair("Ana lives in Rome", "Ana is living in Rome", "dedup triple"),
    pair("Ana lives in Rome", "Ana still lives in Rome", "dedup triple"),
    pair("Ana lives in Rome", "Ana resides in Rome", "dedup triple", None, thresholds=None),
    pair("Ana | works at | Acme", "Ana | is employed by | Acme", "dedup triple"),
    pair("Ana loves okra", "Ana likes okra", "dedup triple"),
    pair("Ana lives in Rome", "Ana wohnt in Rome", "dedup triple"),
    pair("Ana lives in Rome", "Ana lives in Rome with her sister", ADMIT),
    pair("Ana lives in Rome", "Ana lives in Rome since 2019", ADMIT),
    pair("Ana | uses | Vim", "Ana | use | Vim", "dedup triple"),
]
UNKNOWN = [
    pair("Ana | studies | law", "Ana | studies | physics", PENDING),
    pair("Ana | studies | law", "Ana | studies | physics", ADMIT, 0.3),
    pair("Ana | studies | law", "Ana | studies | physics", PENDING, None, thresholds=None),
    pair("Ana | likes | tea", "Ana | likes | coffee", ADMIT, None, thresholds=None),
    pair("Ana lives in Rome", "Ana moved to Oslo", SUPERSEDE_TEXT, None, thresholds=None),
    pair("Ana lives in Rome", "Ana lives in Oslo", SUPERSEDE_TRIPLE, 0.9, thresholds=None),
    pair(
        "Ana | studies | law",
        "Ana | studies | physics",
        SUPERSEDE_TRIPLE,
        0.5,
        learned={"studie": "functional", "study": "functional"},
    ),
    pair(
        "Ana | studies | law",
        "Ana | studies | physics",
        ADMIT,
        0.5,
        learned={"studie": "multi", "study": "multi"},
    ),
    pair("Ana | likes | tea", "Ana | likes | coffee", ADMIT, learned={"likes": "functional"}),
    pair("Ana lives in Rome", "Ana lives in Italy", PENDING),
    pair("Ana lives in Rome", "Ana lives in a small flat", PENDING),
    # One breath: several values that are said at once hold together.
    Row((Fact("The journal | covers | storms", 0.8),), Fact("The journal | covers | tides"), ADMIT),
    Row(
        (Fact("The journal | covers | storms", 0.8),),
        Fact("The journal | covers | tides", since=2025),
        PENDING,
        "The journal | covers | storms",
    ),
    # Near to an embedder, and two things that are said of one.
    Row((Fact("Tideway | recorded by | Ana", 0.97),), Fact("Tideway | written by | Ana"), ADMIT),
    Row((Fact("Lake Arn | flows into | Arn", 0.9),), Fact("Lake Arn | is fed by | Arn"), ADMIT),
    pair("The ledger can be changed to blue", "The ledger can be changed to red", ADMIT),
    Row((), Fact("Ana lives in Rome"), ADMIT),
    Row((), Fact("🌊 🌊"), ADMIT),
    Row(
        (Fact("Ana uses Vim", 0.6), Fact("Ana uses Nano", 0.6)),
        Fact("Ana switched to Emacs", since=2025),
        "pending heuristic",
        "Ana uses Vim",
    ),
    Row(
        (Fact("Ana uses Vim", 0.6), Fact("Ana uses Nano", 0.6)),
        Fact("Ana switched from Nano to Emacs", since=2025),
        SUPERSEDE_TEXT,
        "Ana uses Nano",
    ),
]
OLD = Fact("Ana lives in Rome", None, since=2020, until=2023, status="superseded", retired=2023)
NEW = Fact("Ana lives in Oslo", 0.8, since=2023)
TIME = [
    Row(
        (OLD, NEW),
        replace(OLD, since=2025, until=None, status="active"),
        SUPERSEDE_TRIPLE,
        "Ana lives in Oslo",
    ),
    Row(
        (OLD, NEW),
        Fact("Ana lives in Rome", since=2021, recorded=2025),
        "dedup exact",
        "Ana lives in Rome",
    ),
    Row(
        (OLD, NEW),
        Fact("Ana is living in Rome", since=2021, recorded=2025),
        "dedup triple",
        "Ana lives in Rome",
    ),
    Row(
        (NEW,),
        Fact("Ana lives in Turin", since=2021, recorded=2025),
        "admit triple",
        "Ana lives in Oslo",
        successor="Ana lives in Oslo",
    ),
    Row(
        (NEW,),
        Fact("Ana moved to Turin", since=2021, recorded=2025),
        "admit heuristic",
        "Ana lives in Oslo",
        successor="Ana lives in Oslo",
    ),
    Row(
        (OLD, NEW),
        Fact("Ana lives in Turin", since=2022, recorded=2025),
        SUPERSEDE_TRIPLE,
        "Ana lives in Rome",
        successor="Ana lives in Oslo",
    ),
    Row((NEW,), Fact("Ana lives in Turin", since=2019, until=2020, recorded=2025), ADMIT),
    Row(
        (NEW,),
        Fact("Ana lives in Turin", since=2024, until=2024.5, recorded=2025),
        "admit triple",
        "Ana lives in Oslo",
    ),
    Row(
        (NEW,),
        Fact("Ana lives in Turin", since=2024, until=2026, recorded=2024),
        "pending triple",
        "Ana lives in Oslo",
    ),
    Row((NEW,), Fact("Ana lives in Turin", since=2023), "pending triple", "Ana lives in Oslo"),
    Row((NEW,), Fact("Ana moved to Turin", since=2023), SUPERSEDE_TEXT, "Ana lives in Oslo"),
    Row((replace(NEW, until=2024),), Fact("Ana lives in Turin", since=2024), ADMIT),
    Row((replace(NEW, until=2024, cosine=1.0),), replace(NEW, since=2025), ADMIT),
    Row((replace(NEW, since=2023, cosine=1.0),), replace(NEW, since=2019, until=2021), ADMIT),
    Row(
        (Fact("Ana likes okra", 0.8, since=2023),),
        Fact("Ana does not like okra", since=2021, recorded=2025),
        "admit heuristic",
        "Ana likes okra",
        successor="Ana likes okra",
    ),
    Row(
        (replace(NEW, status="pending"),),
        Fact("Ana lives in Turin", since=2025),
        SUPERSEDE_TRIPLE,
        "Ana lives in Oslo",
    ),
]
GONE = replace(NEW, status="forgotten", recorded=2023, retired=2025, cosine=None)
FORGOTTEN = [
    Row((GONE,), replace(NEW, recorded=2024), "dedup exact", "Ana lives in Oslo"),
    Row((GONE,), replace(NEW, recorded=2025), "dedup exact", "Ana lives in Oslo"),
    Row((GONE,), replace(NEW, since=2026), "dedup exact revived", "Ana lives in Oslo"),
    Row(
        (replace(GONE, is_withdrawn=True),),
        replace(NEW, recorded=2024),
        "dedup exact revived",
        "Ana lives in Oslo",
    ),
    Row((GONE,), Fact("Ana is based in Oslo", since=2024), "dedup triple", "Ana lives in Oslo"),
    Row((GONE,), Fact("Ana is based in Oslo", since=2026), ADMIT),
    Row((GONE,), Fact("Ana lives in Turin", since=2026), ADMIT),
    Row(
        (replace(GONE, status="deprecated"),),
        replace(NEW, since=2026),
        "dedup exact revived",
        "Ana lives in Oslo",
    ),
]
ROWS: dict[str, list[Row]] = {
    "changes": CHANGES,
    "corrected": CORRECTED,
    "values": VALUES,
    "german": GERMAN,
    "many-valued": MANY_VALUED,
    "unrelated": UNRELATED,
    "zones": ZONES,
    "same": SAME,
    "unknown": UNKNOWN,
    "time": TIME,
    "forgotten": FORGOTTEN,
}
