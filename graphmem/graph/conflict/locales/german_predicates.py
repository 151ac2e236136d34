"""How common predicates are told in German."""

from __future__ import annotations

from graphmem.graph.conflict.locales.pack import Family
from graphmem.graph.conflict.locales.people import GIVEN_NAMES, PERSONS
from graphmem.graph.conflict.locales.places import PLACES

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
_HOMES = r"(?:eine[rnm]?|meine[rnm]?|unsere[rnm]?|ihre[rnm]?|seine[rnm]?|deine[rnm]?|der|dem) .+"
# Where in a firm somebody works, or at what: no other firm.
_OFFICES = (
    r"(?:.* )?(?:\w*büro|\w*niederlassung|\w*filiale|\w*zweigstelle|\w*standort|werk|"
    r"\w*zentrale|"
    r"\w*au(?:ß|ss)enstelle|\w*abteilung|\w*team|\w*lager|\w*empfang|\w*rezeption|\w*schalter|"
    r"\w*kasse|"
    r"\w*vertrieb|\w*einkauf|\w*flughafen|\w*bahnhof|\w*hafen|\w*baustelle)(?: (?:in|an|am|bei|von|"
    r"für) .+| [\w-]+)?"
)
_ROLES = (
    r"(?:chef(?:in)?|bürgermeister(?:in)?|geschäftsführer(?:in)?|inhaber(?:in)?|"
    r"besitzer(?:in)?|minister(?:in)?|präsident(?:en|in)?|direktor(?:in)?|anwalt|anwältin|"
    r"architekt(?:en|in)?|arzt|ärztin|nachbarn?|nachbarin|paar|mann|frau)(?: .+)?"
)
_GIVEN = "|".join(sorted(GIVEN_NAMES))
_THEIRS = r"(?:mein|unser|sein|ihr|dein|euer|eur)(?:e[rnms]?)?"
_PARTNERS = r"(?:(?:festen? )?freund(?:in)?|partner(?:in)?|lebensgefährt(?:e|en|in))"
# A noun, which German writes with a capital, as all that is told of who has it.
_NOUN = r"(?-i:[A-ZÄÖÜ])[\w-]+"
_COUNTRIES = (
    "deutschland|frankreich|italien|spanien|portugal|österreich|(?:der )?schweiz|polen|dänemark|"
    "schweden|norwegen|finnland|irland|england|schottland|großbritannien|grossbritannien|belgien|"
    "(?:den )?niederlande[n]?|griechenland|(?:der )?türkei|ungarn|rumänien|bulgarien|kroatien|"
    "slowenien|tschechien|(?:der )?ukraine|russland|georgien|israel|ägypten|marokko|indien|china|"
    "japan|australien|kanada|mexiko|brasilien|argentinien|(?:den )?usa|europa|asien|afrika|amerika"
)

_WHO_LEFT = (
    rf"(?P<object>(?!(?:{'|'.join(sorted(PLACES))}|{_GIVEN})\b){NAME}[\w.&+-]{{0,30}}"
    rf"(?: {NAME}[\w.&+-]{{0,30}}){{0,3}})"
)
_GENERIC_FIRM = rf"(?:die|den|das|{_THEIRS}) (?:firma|unternehmen|betrieb|stelle|job|arbeit)"

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
            rf"{_HAS} {_WHO} (?:bei|beim) {_OBJECT} (?:angefangen|begonnen)",
        ),
        opposites=(
            rf"{_HAS} (?:bei|beim) {_OBJECT} (?:gekündigt|aufgehört|hingeschmissen)",
            rf"{_HAS} (?:{_THEIRS}|den|die) (?:stelle|job|arbeit|posten) (?:bei|beim) {_OBJECT} "
            r"(?:gekündigt|aufgegeben|verloren|hingeschmissen)",
            rf"{_HAS} {_WHO_LEFT} (?:endgültig )?verlassen",
            rf"{_HAS} {_GENERIC_FIRM} (?:verlassen|gekündigt|aufgegeben|verloren)",
            rf"{_IS} (?:bei|beim) {_OBJECT} (?:ausgeschieden|ausgestiegen|entlassen worden|"
            r"rausgeflogen|weg|raus)",
            rf"{_IS} von {_OBJECT} (?:entlassen|gefeuert|gekündigt) worden",
            rf"wurde (?:bei|von) {_OBJECT} (?:entlassen|gefeuert|gekündigt)",
            rf"(?P<object>{NAME}[\w.&+-]{{0,30}}) hat (?P<subject>mich) (?:entlassen|gefeuert|"
            r"rausgeworfen)",
            rf"(?P<object>{NAME}[\w.&+-]{{0,30}}) hat (?P<subject>mir) gekündigt",
            r"kündig(?:t|te|e|ten) bei",
        ),
        past=(r"arbeiteten? (?:bei|für)", rf"{_HAS} (?:bei|für) {_OBJECT} gearbeitet"),
        attributes=("arbeitgeber",),
        cardinality="functional",
        kinds=(("home", _HOMES), ("office", _OFFICES), ("person", f"{PERSONS}|{_ROLES}")),
        loose=(rf"{_HAS} .+ verlassen",),
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
            rf"{_HAS} (?:{_WHEN} )?{_OBJECT} geheiratet",
            rf"heirate(?:t|te)?(?= {NAME})",
        ),
        alone=(
            rf"{_IS} verheiratet(?=(?: mehr)?[.!]?$)",
            rf"{_HAS} eine(?:n ehemann| ehefrau)(?=[.!]?$)",
        ),
        opposites=(
            rf"{_IS} (?:von {_OBJECT} )?geschieden",
            rf"{_HAS} (?:sich|mich|uns) von {_OBJECT} (?:getrennt|scheiden lassen)",
            rf"{_HAS} (?:sich|mich|uns) scheiden lassen",
        ),
        loose=(rf"{_HAS} (?:sich|mich|uns) von .+ getrennt",),
        past=(rf"war mit {_OBJECT} verheiratet",),
        attributes=("ehemann", "ehefrau", "mann", "frau"),
        cardinality="functional",
    ),
    Family(
        "together_with",
        phrases=(
            rf"{_IS} mit {_OBJECT} zusammen",
            rf"{_IS} zusammen mit(?= {NAME})",
            rf"{_IS} in einer beziehung mit",
            rf"{_HAS} eine[n]? {_PARTNERS} namens(?= {NAME})",
        ),
        alone=(
            rf"{_IS} (?:zusammen|ein paar|in einer beziehung|vergeben)(?=(?: mehr)?[.!]?$)",
            rf"{_HAS} eine[n]? {_PARTNERS}(?=(?: mehr)?[.!]?$)",
        ),
        opposites=(
            rf"{_HAS} (?:uns|sich) getrennt",
            rf"{_HAS} (?:(?:sich|mich) von {_THEIRS} {_PARTNERS} getrennt|"
            rf"mit {_THEIRS} {_PARTNERS} schluss gemacht|{_THEIRS} {_PARTNERS} verlassen|"
            r"schluss gemacht)(?=[.!]?$)",
            rf"{_HAS} (?:sich|mich) von {_THEIRS} {_PARTNERS} {_OBJECT} getrennt",
            rf"{_HAS} mit (?:{_THEIRS} {_PARTNERS} )?{_OBJECT} schluss gemacht",
            rf"{_HAS} schluss gemacht mit",
            rf"{_HAS} (?P<object>(?:{_GIVEN})(?: {NAME}\w+)?) (?:endgültig )?verlassen",
            rf"(?P<object>{NAME}[\w-]{{1,30}}) hat (?P<subject>mich) (?:verlassen|sitzenlassen)",
            rf"(?P<object>{NAME}[\w-]{{1,30}}) hat mit (?P<subject>mir) schluss gemacht",
        ),
        attributes=("partner(?:in)?", r"lebensgefährt(?:e|in)"),
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
    Family(
        "owns",
        phrases=(
            r"besitz(?:t|e|en)",
            rf"{_HAS}(?= (?:eine[nrsm]? |ein )?{_NOUN}(?: mehr)?[.!]?$)",
        ),
        opposites=(
            rf"{_HAS} {_OBJECT} (?:verkauft|verschenkt|abgegeben|weggegeben|verschrottet|"
            r"entsorgt|verschrotten lassen)",
        ),
        cardinality="multi",
    ),
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
