"""German: how a time is named."""

from __future__ import annotations

__all__ = ["AGOS", "BEFORE_DATES", "DECADE_ENDINGS", "MONTHS", "SINCE", "UNTIL"]

SINCE = (r"(?:seit|ab)(?: dem jahr(?:e)?)?(?: \w+)?", "von")
UNTIL = ("bis", "-", "\u2013")
MONTHS = (
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
)
AGOS = (
    ("last year", r"(?:letzte[snm]?|vorige[snm]?|vergangene[snm]?) jahr(?:es)?"),
    ("last month", r"(?:letzte[nm]|vorige[nm]|vergangene[nm]) monat"),
    ("year", r"vor (?P<count>\w+) jahre?n?"),
    ("year", "vor jahren"),
    ("month", r"vor (?P<count>\w+) monate?n?"),
    ("decade", r"vor (?P<count>\w+) jahrzehnte?n?"),
)
# Words, with blanks between them.
BEFORE_DATES = """
in im jahr jahre circa bis und zwischen von
"""
# "In den 1990ern".
DECADE_ENDINGS = ("er", "ern")
