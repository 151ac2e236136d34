"""English: what says that something is over without a word for "not", and how a denial says it."""

from __future__ import annotations

__all__ = ["ENDINGS"]

_NAME = r"(?-i:[A-Z])[\w-]{1,30}"
_PET = (
    r"(?:dog|cat|puppy|kitten|horse|pony|rabbit|bunny|hamster|guinea pig|bird|parrot|budgie|canary|"
    r"fish|goldfish|tortoise|turtle|snake|lizard|gecko|gerbil|rat|mouse|ferret|chicken|hen|goat|"
    r"sheep|cow|pig|donkey|goose|duck)"
)
_CALLED = rf"(?:,? {_NAME},?)?"
_LATELY = r"(?:(?:has|have|just|sadly|recently|suddenly|finally|unfortunately|now) ){0,2}"
_DIED = (
    rf"{_LATELY}(?:died|passed(?: away)?|is (?:now )?(?:dead|no longer alive)|"
    r"(?:was|got|had to be|been) (?:put (?:down|to sleep)|euthani[sz]ed|run over|killed))"
)
_GONE = (
    rf"{_LATELY}(?:was|got|been|is) (?:just |recently )?(?:stolen|sold|scrapped|totall?ed|"
    r"re-?homed|written off)"
)
_THING = r"[a-z][\w-]{1,30}"
_PARTED = (
    r"(?:broke up|broken up|split up|separated|parted ways|called it quits|got divorced|divorced|"
    r"ended things)"
)
_COUPLE = r"(?:together|dating|married|a couple|in a relationship)"

# (what is said, the denial that says the same); and what is said of a couple, as each says it.
ENDINGS = (
    (rf"my ({_PET}){_CALLED} {_DIED}", r"I no longer have a \1"),
    (rf"our ({_PET}){_CALLED} {_DIED}", r"we no longer have a \1"),
    (rf"({_NAME})'s ({_PET}){_CALLED} {_DIED}", r"\1 no longer has a \2"),
    (
        rf"(I|we) (?:have |just )?had to put (?:my|our) ({_PET}){_CALLED} (?:down|to sleep)",
        r"\1 no longer have a \2",
    ),
    (rf"(I|we) {_LATELY}lost (?:my|our) ({_PET})(?=[.!]?$)", r"\1 no longer have a \2"),
    (rf"my ({_THING}) {_GONE}", r"I no longer own a \1"),
    (rf"our ({_THING}) {_GONE}", r"we no longer own a \1"),
    (rf"({_NAME})'s ({_THING}) {_GONE}", r"\1 no longer owns a \2"),
    # Who is a couple is one for each of the two.
    (rf"({_NAME}|my \w+) and I {_LATELY}{_PARTED}", r"I broke up with \1"),
    (rf"({_NAME}) and ({_NAME}) {_LATELY}{_PARTED}", r"\1 broke up with \2"),
    (rf"({_NAME}) and I are no longer {_COUPLE}", r"I broke up with \1"),
    (rf"we {_LATELY}({_PARTED})", r"I \1"),
    (rf"({_NAME}) and I are {_COUPLE}", r"I am together with \1"),
    (rf"({_NAME}) is (my|her|his) (boyfriend|girlfriend|wife|husband)", r"\2 \3 is \1"),
    (rf"we (?:are|have been|were)(?= (?:no longer |not )?{_COUPLE}\b)", "I am"),
)
