"""German: what says that something is over without a word for "not", and how a denial says it."""

from __future__ import annotations

__all__ = ["ENDINGS"]

_NAME = r"(?-i:[A-ZÄÖÜ])[\w-]{1,30}"
_PET = (
    r"(?:hund|hündin|katze|kater|welpe|pferd|pony|kaninchen|hase|hamster|meerschweinchen|vogel|"
    r"papagei|wellensittich|kanarienvogel|fisch|goldfisch|schildkröte|schlange|echse|gecko|ratte|"
    r"maus|frettchen|huhn|ziege|schaf|kuh|schwein|esel|gans|ente)"
)
_CALLED = rf"(?:,? {_NAME},?)?"
_LATELY = (
    r"(?:(?:leider|plötzlich|gestern|kürzlich|neulich|heute|inzwischen|letzte[nrs]? \w+|"
    r"diese[nrs]? \w+|vor \w+ \w+|im \w+) )?"
)
_DIED = (
    rf"(?:ist {_LATELY}(?:gestorben|tot|verstorben|verendet|eingegangen|eingeschläfert worden|"
    rf"überfahren worden)|(?:musste|wurde) {_LATELY}(?:eingeschläfert|überfahren)(?: werden)?|"
    rf"starb)"
)
_DEAD = "(?:gestorben|verstorben)"
_GONE = (
    rf"(?:ist {_LATELY}(?:gestohlen|geklaut|verkauft|verschrottet) worden|"
    rf"wurde {_LATELY}(?:gestohlen|geklaut|verkauft|verschrottet)|ist verkauft)"
)
_PARTED = r"(?:haben uns (?:getrennt|scheiden lassen)|haben schluss gemacht|sind geschieden)"

# (what is said, the denial that says the same); and what is said of a couple, as each says it.
ENDINGS = (
    (
        rf"{_LATELY}ist meine? ({_PET}){_CALLED} {_DEAD}",
        r"ich habe keinen \1 mehr",
    ),
    (
        rf"{_LATELY}ist unsere? ({_PET}){_CALLED} {_DEAD}",
        r"wir haben keinen \1 mehr",
    ),
    (rf"meine? ({_PET}){_CALLED} {_DIED}", r"ich habe keinen \1 mehr"),
    (rf"unsere? ({_PET}){_CALLED} {_DIED}", r"wir haben keinen \1 mehr"),
    (rf"({_NAME})s ({_PET}){_CALLED} {_DIED}", r"\1 hat keinen \2 mehr"),
    (
        rf"(ich|wir) mussten? (?:meinen?|unseren?|mein|unser) ({_PET}){_CALLED} "
        r"einschläfern(?: lassen)?",
        r"\1 haben keinen \2 mehr",
    ),
    (rf"meine? ({_NAME}) {_GONE}", r"ich habe keinen \1 mehr"),
    (rf"unsere? ({_NAME}) {_GONE}", r"wir haben keinen \1 mehr"),
    # Who is a couple is one for each of the two.
    (
        rf"({_NAME}) und ich (?:haben uns getrennt|haben schluss gemacht)",
        r"ich habe mit \1 schluss gemacht",
    ),
    (rf"({_NAME}) und ich haben uns scheiden lassen", r"ich bin von \1 geschieden"),
    (rf"({_NAME}) und ({_NAME}) haben sich getrennt", r"\1 hat mit \2 schluss gemacht"),
    ("wir haben uns getrennt|wir haben schluss gemacht", "ich habe schluss gemacht"),
    ("wir haben uns scheiden lassen|wir sind geschieden", "ich bin geschieden"),
    ("wir sind (?=nicht mehr (?:zusammen|ein paar|verheiratet))nicht mehr", "ich bin nicht mehr"),
    (rf"({_NAME}) und ich sind (?:zusammen|ein paar)", r"ich bin mit \1 zusammen"),
    ("wir sind kein paar mehr", "ich bin nicht mehr ein paar"),
    ("wir sind(?= (?:zusammen|ein paar|in einer beziehung|verheiratet)\\b)", "ich bin"),
)
