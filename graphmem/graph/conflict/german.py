"""German: what says that something changed, and how common predicates are told."""

from __future__ import annotations

from graphmem.graph.conflict.pack import Family, Marker, define_locale_pack

__all__ = ["de_locale_pack"]

_OBJECT = r"(?P<object>[^,.;:!?]{1,80}?)"
_SUBJECT = r"(?P<subject>[^,.;:!?]{1,60}?)"
_NAME = r"(?-i:[A-Z\u00c4\u00d6\u00dc])"
_WHEN = (
    r"(?:(?:im jahre? )?\d{4}|(?:letzte|vorige|vergangene|diese)[snmr]? \w+|vor \w+ \w+|gestern|"
    r"heute|kürzlich|früher|damals|davor|als \w+|im \w+(?: \d{4})?|"
    r"in (?:ihrer|seiner|meiner) \w+|mit \w+|seit (?:dem jahr |anfang |ende )?\w+)"
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

_FAMILIES = (
    Family(
        "lives_in",
        phrases=(
            r"(?:wohn|leb)(?:t|e|en) (?:in|im|bei)",
            rf"(?:wohn|leb)(?:t|e|en) {_WHEN} (?:in|im|bei)",
            rf"(?:wohn|leb)(?:t|e|en) {_WHO} in",
            rf"{_IS} (?:in|im) {_OBJECT} (?:zu ?hause|daheim)",
            rf"(?:zieh(?:t|e|en)|zog(?:en)?) (?:nach|in) {_OBJECT} um",
            rf"(?:zieh(?:t|e|en)|zog(?:en)?) nach(?= {_NAME})",
            rf"(?:zieht|ziehe|zog) (?:{_WHEN} )?nach(?= {_NAME})",
            rf"(?:zieht|ziehe|zog) {_WHO} (?:{_WHEN} )?nach(?= {_NAME})",
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
            rf"arbeite[tn]? {_SUBJECT} bei",
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
            rf"{_HAS} (?:{_WHEN} )?{_OBJECT} geheiratet",
            rf"heirate(?:t|te)?(?= {_NAME})",
        ),
        opposites=(rf"{_IS} (?:von {_OBJECT} )?geschieden", rf"{_HAS} sich von {_OBJECT} getrennt"),
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
        phrases=(rf"{_HAS} {_OBJECT} besucht", rf"war(?:en)? (?:schon )?in(?= {_NAME})"),
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

_MARKERS = (
    Marker("umgezogen", r"(?:um)?gezogen|zieh(?:t|e|en) nach [^.!?]{1,60}? um", 0.9),
    Marker("zieht nach", rf"(?:zieh(?:t|e|en)|zog(?:en)?) nach(?= {_NAME})", 0.85),
    Marker(
        "umgestiegen von",
        r"von (?P<old>[\w.+#-]+) (?:auf|zu) [\w.+# -]{1,40} (?:umgestiegen|gewechselt)",
        0.92,
        acts_on_multi=True,
    ),
    Marker("umgestiegen", "umgestiegen|gewechselt", 0.9, acts_on_multi=True),
    Marker("statt", r"(?:statt|anstelle von|anstatt) (?P<old>[\w.+#-]+)", 0.9, acts_on_multi=True),
    Marker("stattdessen", "stattdessen", 0.8, acts_on_multi=True),
    Marker("befördert", "befördert|ernannt", 0.9),
    Marker("umbenannt", r"umbenannt|heißt (?:jetzt|nun|inzwischen)", 0.9),
    Marker("geheiratet", "geheiratet", 0.85),
    Marker("beendet", "gekündigt|aufgehört|geschieden|getrennt|(?:weg|fort|aus)gezogen", 0.85),
    Marker("angefangen", r"angefangen|neue[rn]? (?:job|stelle)", 0.85),
    Marker("ab jetzt", r"ab (?:jetzt|sofort|heute)|von nun an", 0.85),
    Marker("inzwischen", r"inzwischen|mittlerweile|jetzt|nun|neuerdings", 0.8),
)
_NEGATIONS = (
    Marker("nicht mehr", "nicht (?:länger|mehr)", 0.95),
    Marker("kein … mehr", r"kein(?:e|en|em|er|es)?(?=[^.!?]{1,80}? mehr(?!\w))", 0.95),
    Marker("aufgehört", r"hör(?:t|te) auf zu", 0.85),
    Marker("nie", r"nie(?:mals)?", 0.7),
    Marker("kein", r"kein(?:e|en|em|er|es)?", 0.6),
    Marker("nicht", "nicht", 0.6),
)
# Words, with blanks between them.
_FIRST_PERSON = """
ich mich mir mein meine
"""
_PRONOUNS = """
er sie es ihr ihm ihn ihnen du dich dir man das dies jemand niemand alle uns euch wer was dort
hier sich etwas
"""
_CLAUSE_WORDS = """
der die das den dem dass weil wenn ob wer was wo wie als und oder aber sagt sagte meint glaubt
denkt ist bin sind war hat habe haben wird nicht nie kein keine zu mit für bei nach aus in im
ein eine einer jeder jede vergiss nur mag
"""
_COMMON_WORDS = """
der die das den dem des ein eine einen einem einer ich wir er sie es ihr mein meine unser
unsere sein seine ihre in im an am auf bei mit nach von zu für und oder aber wenn weil seit
jetzt inzwischen heute gestern ja nein nicht kein keine bitte alle man wer was wo wie warum
"""
_CALENDAR = """
montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli
oktober dezember heute gestern frühling sommer herbst winter täglich wöchentlich
"""
_NUMBERS = """
zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 zwanzig=20
dreißig=30 hundert=100 tausend=1000 halb=0.5 zweimal=2
"""
_CONTRASTS = """
an/aus offen/geschlossen offen/zu vor/nach links/rechts linke/rechte linker/rechter hoch/runter
mit/ohne mehr/weniger über/unter innen/außen früh/spät früher/später hoch/niedrig höher/niedriger
groß/klein größer/kleiner lang/kurz länger/kürzer alt/jung älter/jünger alt/neu schnell/langsam
heiß/kalt warm/kühl gut/schlecht besser/schlechter schwer/leicht voll/leer nass/trocken hell/dunkel
laut/leise billig/teuer stark/schwach steigt/fällt erlaubt/verboten immer/nie alle/keine
maximal/minimal morgens/abends tag/nacht sommer/winter nord/süd ost/west kauft/verkauft
gekauft/verkauft gewonnen/verloren bestanden/durchgefallen mutter/tochter vater/sohn
"""
# People and animals of whom somebody may have several.
_MANY = (
    r"(?:freund(?:in|e|innen)?|kumpel|bekannte[rn]?|kolleg(?:e|in|en|innen)|mitarbeiter(?:in)?|"
    r"mitbewohner(?:in)?|mitschüler(?:in)?|kommiliton(?:e|in)|bruder|brüder|schwester|schwestern|"
    r"geschwister|cousin|cousine|vetter|onkel|tante|neffe|nichte|sohn|söhne|"
    r"tochter|töchter|kind|kinder|"
    r"enkel(?:in|kind)?|opa|oma|großvater|großmutter|schwager|schwägerin|verwandte[rn]?|"
    r"nachbar(?:in|n)?|gast|mieter(?:in)?|kund(?:e|in)|patient(?:in)?|"
    r"student(?:in)?|schüler(?:in)?|"
    r"lehrer(?:in)?|professor(?:in)?|trainer(?:in)?|ex|haustier|hund|katze|kater|pferd|hase)"
)
_WHOSE = r"(?:mein|unser|sein|ihr|dein|euer|eur)(?:e|er|em|en|es)?|[\w-]+s"
_TOLD_APART = r"(?:einzige|älteste|jüngste|beste|erste|zweite)[rns]?"

de_locale_pack = define_locale_pack(
    "de",
    markers=_MARKERS,
    negations=_NEGATIONS,
    families=_FAMILIES,
    normalisers=(
        (
            r"kann (?P<thing>[^.,;!?]{1,60}?) (?:nicht|gar nicht) (?:ausstehen|leiden)",
            r"hasst \g<thing>",
        ),
        (r"nicht (?:nur|zuletzt|schlecht|vergessen|umsonst)|vergiss nicht", "auch"),
        (r"nicht wahr", "so"),
        (r"mag (?P<thing>[^.,;!?]{1,60}?) nicht mehr", r"mag nicht mehr \g<thing>"),
        (r"mag (?P<thing>[^.,;!?]{1,60}?) nicht", r"mag nicht \g<thing>"),
    ),
    predicate_normalisers=((r"^(?:ist|sind|hat|haben) (?=\w)", ""),),
    attribute_forms=(
        r"mein[e]? (?:neue[rs]? |aktuelle[rs]? )?(?P<name>[\w-]{1,24}(?: [\w-]{1,24})?) "
        r"(?:ist|lautet|heißt) (?P<object>.+)",
        r"(?P<subject>[A-ZÄÖÜ]\w{1,30}?)s (?P<name>[A-ZÄÖÜ][\w-]{1,24}) (?:ist|"
        r"lautet) (?P<object>.+)",
    ),
    single_attributes=(
        r"lieblings.+|schreibtisch|büro|zimmer|telefonnummer|handynummer|nummer|adresse|gehalt|"
        r"spitzname|passwort|größe|blutgruppe|schuhgröße|hausarzt|vermieter|chef(?:in)?|kennzeichen"
    ),
    many_attributes=(
        "freund(?:in)?|bruder|schwester|cousine?|onkel|tante|kolleg(?:e|in)|"
        "nachbar(?:in)?|haustier|hund|katze|"
        "hobby|sprache|ziel|auto|buch|kind|sohn|tochter|projekt"
    ),
    hedges=(
        "wenn",
        "falls",
        "ob",
        r"würden?",
        r"könnten?",
        r"möchten?",
        r"wollen",
        "(?-i:will)",
        "wollten?",
        r"sollten?",
        "soll(?:en)?",
        r"wäre[n]?",
        r"hätten?",
        "vielleicht",
        "wahrscheinlich",
        "möglicherweise",
        "angeblich",
        "vermutlich",
        "fast",
        "beinahe",
        r"plan(?:t|e|en)",
        r"überleg(?:t|e|en)",
        r"hoff(?:t|e|en)",
        r"träum(?:t|e|en)",
        r"wünsch(?:t|e|en)",
        r"(?:sagt|sagte|meint|meinte|behauptet|behauptete|glaubt|glaube|denkt|denke|hörte|erzählt|"
        r"erzählte|fragt|fragte)(?:en)?",
        "laut",
        "wird",
        "werde",
        "werden",
        "als ob",
        "stell dir vor",
        r"im (?:roman|film|traum|spiel|buch)",
        r"in (?:der|einer) (?:geschichte|serie)",
        "nimm an",
    ),
    additions=("auch", "ebenfalls", "außerdem", "zusätzlich", "noch ein(?:e|en)?", "zudem"),
    fillers=(
        r"(?-i:jetzt|nun|inzwischen|mittlerweile|aktuell|derzeit|gerade|neuerdings|"
        r"endlich|wirklich|"
        r"schon|bereits|noch|immer|wieder|auch|momentan|kürzlich|gestern|seit kurzem|früher|"
        r"sehr|gern|gerne|"
        r"Inzwischen|Mittlerweile|Jetzt|Nun|Aktuell|Derzeit|Gestern|Kürzlich|Neuerdings|Endlich)",
    ),
    leads=(
        r"(?:seit|ab|im|am|nach|vor) (?:dem |der |einem |einer )?\w+(?: \d{4})? "
        r"(?=(?:wohn|leb|arbeit|bin|ist|hab|hat|mag))",
    ),
    tails=(
        "mehr",
        "an",
        "zur zeit",
        "im moment",
        "seit kurzem",
        "jahre? alt",
        "um",
        "heute",
        "gern",
    ),
    cuts=(
        r"\s+(?:weil|da|seit|seitdem|bis|während|wo|obwohl|damit|denn|statt|anstatt|"
        r"anstelle von|sondern|für den|"
        r"für die|mit mein\w*|mit ihr\w*|mit sein\w*|als)\b",
        r",\s*(?:wo|der|die|das|weil|denn|seit|nicht|in|bei|nahe|mit)\b",
        r"\s*[;(]",
        r"\s+(?:-|\u2013|\u2014)\s",
    ),
    breaks=(
        r"(?:,|;|\bund|\baber|\boder)\s+(?:auch )?(?:ich|er|sie|wir|ist|bin|hat|habe|"
        r"wohn\w*|leb\w*|"
        r"arbeite\w*|mag|lieb\w*|hass\w*|sprech\w*|spricht|nutz\w*)\b",
        r"\baber\b",
    ),
    determiners=("der|die|das|den|dem",),
    indefinites=(r"(?:einer?|einem|einen|mein\w*|unser\w*|ihr\w*|sein\w*)",),
    generic_objects=(
        r"(?:(?:meinen|meine|den|die|seinen|ihren) )?(?:job|stelle|arbeit|dort|hier)",
    ),
    formers=(
        r"als (?:(?:kleine[rs]?|junge[rs]?) )?(?:kind|junge|mädchen|jugendliche[r]?|teenager|baby|"
        r"kleinkind|mann|frau)",
        r"^als (?:junge[r]? )?(?:student(?:in)?|schüler(?:in)?|lehrling|azubi)",
        "früher(?! (?:oder|als|auf))",
        "damals|davor|vorher|zuvor|einst|ehemals|vormals|seinerzeit|ursprünglich|zunächst",
        r"(?:in|während) (?:meiner|seiner|ihrer|unserer|der) (?:jugend|kindheit|"
        r"schulzeit|studienzeit|"
        r"studentenzeit|lehrzeit)|während (?:des|meines|seines|ihres) studiums",
        r"in (?:meinen|seinen|ihren|den) (?:zwanzig|dreißig|vierzig|fünfzig|sechzig|\d0)ern",
        r"mit (?:\d{1,2}|(?:zehn|elf|zwölf|\w+zehn|zwanzig|dreißig|vierzig|fünfzig))(?= |$|[.,!])",
        r"als (?:\w+ ){1,3}(?:noch )?(?:\w+ ){0,3}(?:jung|klein|jünger|kind|\d{1,2}|student(?:in)?|"
        r"schüler(?:in)?) war(?:en)?",
        "vor (?:langer zeit|langem|ewigkeiten)|(?:es ist )?lange her|in der vergangenheit",
    ),
    asides=(r"(?:wo|weil|da|denn|obwohl)", r"(?<=, )(?:der|die|das|in der|in dem)"),
    one_of_many=(
        rf""
        rf"(?:{_WHOSE}) (?!(?:.+ )?{_TOLD_APART} )(?:[\w-]+ ){{0,2}}"
        rf"{_MANY}(?: (?:aus|in|bei|von|mit|an) .+)?",
        r"(?:ein(?:e|er|es|em|en)?|irgendein(?:e|er|em|en)?|noch ein(?:e|er)?|"
        r"manche|einige|viele|mehrere|"
        r"zwei|drei|kein(?:e|er)?|jemand|irgendwer|irgendjemand)(?: .+)?",
        rf"{_MANY}(?: (?:von|aus) .+)",
        r"(?:mann|frau|freund(?:in)?|kolleg(?:e|in)|nachbar(?:in)?|bruder|"
        r"schwester|cousine?|mensch|"
        r"person|leute|typ)",
    ),
    since=(r"(?:seit|ab)(?: dem jahr(?:e)?)?(?: \w+)?", "von"),
    until=("bis", "-", "\u2013"),
    months=(
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
    ),
    agos=(
        ("last year", r"(?:letzte[snm]?|vorige[snm]?|vergangene[snm]?) jahr(?:es)?"),
        ("last month", r"(?:letzte[nm]|vorige[nm]|vergangene[nm]) monat"),
        ("year", r"vor (?P<count>\w+) jahre?n?"),
        ("year", "vor jahren"),
        ("month", r"vor (?P<count>\w+) monate?n?"),
        ("decade", r"vor (?P<count>\w+) jahrzehnte?n?"),
    ),
    speakers=("ich",),
    articles=("ein", "eine", "einen", "einem", "einer", "der", "die", "das", "den", "dem"),
    auxiliaries={
        "bin": "sein",
        "ist": "sein",
        "sind": "sein",
        "habe": "haben",
        "hat": "haben",
        "haben": "haben",
    },
    first_person=_FIRST_PERSON.split(),
    pronouns=_PRONOUNS.split(),
    clause_words=_CLAUSE_WORDS.split(),
    common_words=_COMMON_WORDS.split(),
    calendar=_CALENDAR.split(),
    numbers=dict(pair.split("=") for pair in _NUMBERS.split()),
    contrasts=(pair.split("/") for pair in _CONTRASTS.split()),  # type: ignore[misc]
    contrary_prefixes=("un", "nicht"),
    conjunctions=("und", "oder", "sowie"),
)
