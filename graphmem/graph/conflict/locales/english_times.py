"""English: how a time is named."""

from __future__ import annotations

__all__ = ["AGOS", "BEFORE_DATES", "DECADE_ENDINGS", "MONTH", "MONTHS", "SINCE", "UNTIL"]

MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
SINCE = (
    r"(?:since|from|as of|starting(?: in)?)(?: (?:early|late|mid)[ -]?)?"
    rf"(?: the)?(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?: {MONTH})?(?: \d{{1,2}},?)?",
)
UNTIL = ("to", "until", "till", "-", "\u2013", "through")
MONTHS = (
    "jan(?:uary)?",
    "feb(?:ruary)?",
    "mar(?:ch)?",
    "apr(?:il)?",
    "may",
    "june?",
    "july?",
    "aug(?:ust)?",
    "sept?(?:ember)?",
    "oct(?:ober)?",
    "nov(?:ember)?",
    "dec(?:ember)?",
)
AGOS = (
    ("last year", r"(?:last|the previous) year"),
    ("last month", r"(?:last|the previous) month"),
    ("year", r"(?P<count>\w+|a (?:couple of|few)) years? ago"),
    ("year", r"(?<!\w )years ago"),
    ("month", r"(?P<count>\w+|a (?:couple of|few)) months? ago"),
    ("decade", r"(?P<count>\w+|a (?:couple of|few)) decades? ago"),
)
# Words, with blanks between them.
BEFORE_DATES = """
in of during around about circa until to and between from
"""
# "The 1990s", "the 1990's".
DECADE_ENDINGS = ("s",)
