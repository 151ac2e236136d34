"""How common predicates are told in German."""

from __future__ import annotations

from graphmem.graph.conflict.locales.pack import Family

__all__ = ["FAMILIES", "NAME"]

_OBJECT = r"(?P<object>[^,.;:!?]{1,80}?)"
_SUBJECT = r"(?P<subject>[^,.;:!?]{1,60}?)"
NAME = r"(?-i:[A-Z\u00c4\u00d6\u00dc])"
_WHEN = (
    r"(?:(?:im jahre? )?\d{4}|(?:letzte|vorige|vergangene|diese)[snmr]? \w+|vor \w+ \w+|gestern|"
    r"heute|kürzlich|früher|damals|davor|als \w+|im \w+(?: \d{4})?|"
    r"in (?:ihrer|seiner|meiner) \w+|mit \w+|"
    r"seit (?:de[mr] jahr |anfang |ende |de[mr] |\w+ (?=tag|woche|monat|jahr))?\w+)"
)
_WHO = rf"(?!{_WHEN} ){_SUBJECT}"
_IS = r"(?:ist|bin|sind)"
_HAS = r"(?:hat|habe|haben)"
_HOMES = r"(?:einer?|einem|meiner?|meinem|unserer?|ihrer?|seiner?|der|dem) .+"
_COUNTRIES = (
    "deutschland|frankreich|italien|spanien|portugal|österreich|(?:der )?schweiz|polen|dänemark|"
    "schweden|norwegen|finnland|irland|england|schottland|großbritannien|grossbritannien|belgien|"
    "(?:den )?niederlande[n]?|griechenland|(?:der )?türkei|ungarn|rumänien|bulgarien|kroatien|"
    "slowenien|tschechien|(?:der )?ukraine|russland|georgien|israel|ägypten|marokko|indien|china|"
    "japan|australien|kanada|mexiko|brasilien|argentinien|(?:den )?usa|europa|asien|afrika|amerika"
)

FAMILIES = (
    Family(
        "lives_in",
        phrases=(
            r"(?:wohn|leb)(?:t|e|en) (?:in|im|bei)",
            rf"(?:wohn|leb)(?:t|e|en) {_WHEN} (?:in|im|bei)",
            rf"(?:wohn|leb)(?:t|e|en) (?:zusammen )?mit [^,.;:!?]{{1,40}}? in(?= {NAME})",
            rf"(?:wohn|leb)(?:t|e|en) {_WHO} in",
            rf"{_IS} (?:in|im) {_OBJECT} (?:zu ?hause|daheim)",
            rf"(?:zieh(?:t|e|en)|zog(?:en)?) (?:nach|in) {_OBJECT} um",
            rf"(?:zieh(?:t|e|en)|zog(?:en)?) nach(?= {NAME})",
            rf"(?:zieht|ziehe|zog) (?:{_WHEN} )?nach(?= {NAME})",
            rf"(?:zieht|ziehe|zog) {_WHO} (?:{_WHEN} )?nach(?= {NAME})",
            rf"{_IS} {_WHO} (?:{_WHEN} )?nach {_OBJECT} (?:um)?gezogen",
            rf"{_IS} (?:{_WHEN} )?(?:von \w+ )?nach {_OBJECT} (?:um)?gezogen",
        ),
        opposites=(rf"{_IS} aus {_OBJECT} (?:weg|fort|aus)gezogen",),
        past=(
            rf"(?:wohn|leb)ten? (?:{_WHEN} )?(?:in|im)",
            rf"(?:wohn|leb)ten? {_WHO} (?:{_WHEN} )?(?:in|im)",
            rf"{_HAS} in {_OBJECT} (?:gewohnt|gelebt)",
        ),
        attributes=("wohnort", "heimatstadt"),
        cardinality="functional",
        kinds=(("country", _COUNTRIES), ("home", _HOMES)),
    ),
    Family(
        "works_at",
        phrases=(
            r"arbeite[tn]? (?:bei|für|beim)(?! (?-i:(?!(?:d|ein|mein|dein|sein|ihr|unser|eur|dies|"
            r"jed)em\b)[a-zäöüß]+em\b))",
            rf"arbeite[tn]? {_WHEN} (?:bei|für|beim)",
            rf"arbeite[tn]? {_WHO} bei",
            rf"{_IS} (?:bei|beim) {_OBJECT} (?:angestellt|beschäftigt)",
            rf"{_HAS} (?:bei|beim) {_OBJECT} (?:angefangen|begonnen)",
        ),
        opposites=(rf"{_HAS} (?:bei|beim) {_OBJECT} (?:gekündigt|aufgehört)",),
        past=(r"arbeiteten? (?:bei|für)", rf"{_HAS} (?:bei|für) {_OBJECT} gearbeitet"),
        attributes=("arbeitgeber",),
        cardinality="functional",
        kinds=(("home", _HOMES),),
    ),
    Family(
        "job_title",
        phrases=(
            r"arbeite[tn]? als",
            rf"(?:wurde|{_IS}) (?:zum|zur) {_OBJECT} (?:befördert|ernannt)(?: worden)?",
        ),
        attributes=("beruf", "position", "stelle", "rolle"),
        cardinality="functional",
    ),
    Family(
        "married_to",
        phrases=(
            rf"{_IS} mit {_OBJECT} verheiratet",
            rf"{_IS} verheiratet mit",
            rf"{_IS} verheiratet(?=[.!]?$)",
            rf"{_HAS} (?:{_WHEN} )?{_OBJECT} geheiratet",
            rf"heirate(?:t|te)?(?= {NAME})",
        ),
        opposites=(
            rf"{_IS} (?:von {_OBJECT} )?geschieden",
            rf"{_HAS} (?:sich|mich|uns) von {_OBJECT} getrennt",
        ),
        past=(rf"war mit {_OBJECT} verheiratet",),
        attributes=("ehemann", "ehefrau", "mann", "frau"),
        cardinality="functional",
    ),
    Family(
        "born_in",
        phrases=(rf"(?:wurde|{_IS}) in {_OBJECT} geboren",),
        attributes=("geburtsort",),
        cardinality="functional",
        is_timeless=True,
        kinds=(("country", _COUNTRIES),),
    ),
    Family(
        "born_on",
        phrases=(rf"(?:wurde|{_IS}) (?:am {_OBJECT}|(?:im jahr(?:e)? )?(?=\d)) geboren",),
        attributes=("geburtstag", "geburtsdatum"),
        cardinality="functional",
        is_timeless=True,
    ),
    Family(
        "age",
        phrases=(rf"{_IS}(?= \d{{1,3}}(?: jahre? alt)?[.!]?$)",),
        attributes=("alter",),
        cardinality="functional",
    ),
    Family(
        "name",
        phrases=(r"heiß(?:t|e|en)", r"heisst", rf"wurde in {_OBJECT} umbenannt"),
        attributes=("name", "nachname"),
        cardinality="functional",
    ),
    Family(
        "costs",
        phrases=(r"kostet(?= \d)",),
        attributes=("preis",),
        cardinality="functional",
        of_kinds=True,
    ),
    Family(
        "likes",
        phrases=(r"m(?:ag|ögen)", r"lieb(?:t|e|en)", r"schätz(?:t|e|en)"),
        opposites=(r"hass(?:t|e|en)", "verabscheu(?:t|e|en)"),
        past=("mochten?", "liebten?", "hassten?"),
        cardinality="multi",
    ),
    Family("speaks", phrases=(r"sprech(?:e|en)", "spricht"), cardinality="multi"),
    Family("knows", phrases=(r"kenn(?:t|e|en)",), cardinality="multi"),
    Family(
        "visited",
        phrases=(rf"{_HAS} {_OBJECT} besucht", rf"war(?:en)? (?:schon )?in(?= {NAME})"),
        cardinality="multi",
    ),
    Family("owns", phrases=(r"besitz(?:t|e|en)",), cardinality="multi"),
    Family("eats", phrases=(r"iss?t", "esse[n]?"), cardinality="multi"),
    Family("drinks", phrases=(r"trink(?:t|e|en)",), cardinality="multi"),
    Family(
        "uses",
        phrases=(
            r"(?:be)?nutz(?:t|e|en)",
            r"verwende(?:t|n)?",
            rf"{_IS} (?:von [\w.+#-]{{1,40}} )?(?:auf|zu) {_OBJECT} (?:umgestiegen|gewechselt)",
        ),
    ),
)
