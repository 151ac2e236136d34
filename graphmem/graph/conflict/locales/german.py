"""German: what says that something changed, and how common predicates are told."""

from __future__ import annotations

from graphmem.graph.conflict.locales.german_endings import ENDINGS
from graphmem.graph.conflict.locales.german_predicates import FAMILIES, NAME
from graphmem.graph.conflict.locales.german_times import (
    AGOS,
    BEFORE_DATES,
    DECADE_ENDINGS,
    MONTHS,
    SINCE,
    UNTIL,
)
from graphmem.graph.conflict.locales.pack import Marker, define_locale_pack

__all__ = ["de_locale_pack"]

_MARKERS = (
    Marker("umgezogen", r"(?:um)?gezogen|zieh(?:t|e|en) nach [^.!?]{1,60}? um", 0.9),
    Marker("zieht nach", rf"(?:zieh(?:t|e|en)|zog(?:en)?) nach(?= {NAME})", 0.85),
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
_UNITS = """
stunde stunden minuten tag tage woche wochen monat monate jahr jahre prozent euro celsius
fahrenheit uhr
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
_WEEKDAY = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_MONTH = "(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
_THEN = (
    r"(?:dann|danach|daraufhin|darauf|anschließend|später|schließlich|irgendwann|eines tages|"
    r"kurz(?:e zeit)? (?:darauf|danach|später)|nachher|im anschluss(?: daran)?|von dort(?: aus)?|"
    r"hinterher|letztlich|am ende|zuletzt)"
)
_LATER = (
    r"(?:(?:\w+ ){1,2}(?:tage?|wochen?|monate?|jahre?) (?:später|darauf|danach)|im (?:jahr|sommer|"
    r"winter|herbst|frühjahr) (?:darauf|danach)|im (?:folgenden|nächsten|selben) (?:jahr|sommer|"
    r"winter|"
    r"herbst|frühjahr))"
)
_WHOSE = r"(?:mein|unser|sein|ihr|dein|euer|eur)(?:e|er|em|en|es)?|[\w-]+s"
_TOLD_APART = r"(?:einzige|älteste|jüngste|beste|erste|zweite)[rns]?"

de_locale_pack = define_locale_pack(
    "de",
    markers=_MARKERS,
    negations=_NEGATIONS,
    families=FAMILIES,
    normalisers=(
        *ENDINGS,
        (
            r"kann (?P<thing>[^.,;!?]{1,60}?) (?:nicht|gar nicht) (?:ausstehen|leiden)",
            r"hasst \g<thing>",
        ),
        (r"nicht (?:nur|zuletzt|schlecht|vergessen|umsonst)|vergiss nicht", "auch"),
        (r"nicht wahr", "so"),
        # Work, and for how long, which is looked for in what was written.
        (
            r"(?:helf|hilf)(?:e|t|en) ([^.,;!?]{0,30}?)(bei|beim) ([^.,;!?]{1,60}) aus",
            r"arbeite \1\2 \3",
        ),
        (r"jobb(?:e|t|en)", "arbeite"),
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
        # What is told of the future, in the present tense.
        r"(?:ab |seit )?nächste[nrsm]? (?:woche|monat|jahr|frühjahr|frühling|sommer|herbst|winter|"
        rf"wochenende|{_WEEKDAY})(?:s|es)?",
        r"bald|demnächst|übermorgen|(?<!am )(?<!heute )(?<!gestern )(?<!jeden )morgen",
        r"in (?:den )?(?:kommenden|nächsten) (?:tagen|wochen|monaten|jahren)",
        r"(?:in (?:zwei|drei|vier|fünf|sechs|ein paar|wenigen|\d{1,2}) (?:tagen|wochen|monaten|"
        r"jahren)|in einer woche|in einem (?:monat|jahr)) (?:zieh|arbeit|wohn|leb|heirat|wechs)\w+",
        r"(?:zieh|arbeit|heirat|wechs|wohn|leb)(?:t|e|en|ele|elt|eln)? [^.!?;]{0,40}?(?:in (?:zwei|"
        r"drei|vier|fünf|sechs|ein paar|wenigen|\d{1,2}) (?:tagen|wochen|monaten|jahren)|in einer "
        r"woche|in einem (?:monat|jahr))",
        rf"ab (?:dem )?(?:\d{{1,2}}\. )?(?:{_MONTH}|{_WEEKDAY})(?! (?:19|20)\d\d)",
        rf"(?:zieh|heirat|wechs)(?:t|e|en|ele|elt|eln) [^.!?;]{{0,40}}?im {_MONTH}",
        rf"im {_MONTH} (?:zieh|heirat|wechs)(?:t|e|en|ele|elt|eln)",
        r"zum (?:jahresende|monatsende|jahreswechsel|quartalsende)",
    ),
    additions=(
        "auch",
        "ebenfalls",
        "außerdem",
        "zusätzlich",
        "noch ein(?:e|en)?",
        "zudem",
        # At times, and for a while: the rest goes on.
        r"(?:am|an) wochenende[n]?|wochenends|unter der woche|werktags",
        rf"{_WEEKDAY}s|an {_WEEKDAY}en",
        r"(?:wohn|leb|arbeit)(?:e|t|et|en) (?:[\w]+ )?im (?:sommer|winter|herbst|frühling|frühjahr)"
        r"(?! \d)",
        r"im (?:sommer|winter|herbst|frühling|frühjahr) (?:wohn|leb|arbeit)(?:e|t|et|en)",
        "teilweise|im urlaub",
        r"für (?:eine|einen|ein|zwei|drei|vier|ein paar|einige|\d{1,2}) (?:nächte?|tage?|wochen?|"
        r"wochenenden?|monate?|semester)",
        rf"bis (?:nächste[nrsm]? \w+|ende \w+|{_WEEKDAY}|{_MONTH})",
    ),
    fillers=(
        _THEN,
        "in vollzeit|vollzeit",
        r"(?-i:jetzt|nun|inzwischen|mittlerweile|aktuell|derzeit|gerade|neuerdings|"
        r"endlich|wirklich|"
        r"schon|bereits|noch|immer|wieder|auch|momentan|zurzeit|kürzlich|gestern|seit kurzem|"
        r"früher|"
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
        "damals|davor|vorher|zuvor|einst|ehemals|vormals|seinerzeit|ursprünglich|zunächst|zuerst|anfangs",
        r"^erst (?:bin|ist|sind|zog|zogen|wohnt|wohnte|lebte|war)",
        r"in den (?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|\d0)ern",
        r"(?:in|während) (?:meiner|seiner|ihrer|unserer|der) (?:jugend|kindheit|"
        r"schulzeit|studienzeit|"
        r"studentenzeit|lehrzeit)|während (?:des|meines|seines|ihres) studiums",
        r"in (?:meinen|seinen|ihren|den) (?:zwanzig|dreißig|vierzig|fünfzig|sechzig|\d0)ern",
        r"mit (?:\d{1,2}|(?:drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zehn|zwanzig|"
        r"dreißig|vierzig|fünfzig))"
        r"(?= (?:jahren|nach|in|bin|ist|sind|zog|wohnte|lebte|war)\b|$|[.,!])",
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
    milestones=(
        r"(?:nach|vor|während) (?:(?:de[rms]|(?:mein|sein|ihr|unser)e[rm]) )?"
        r"(?:schule|abitur|abi|studium|ausbildung|lehre|krieg|wehrdienst|bundeswehr|hochzeit|"
        r"heirat|"
        r"scheidung|wende|promotion|uni|schulabschluss|abschluss|geburt)",
        # Told one after the other, of yesterday or of long ago.
        rf"^(?:(?:und|da|aber|also) )?(?:{_THEN}|zunächst|{_LATER})",
        rf"(?:zog(?:en)?|bin|ist|sind|hab[et]?|haben|ging(?:en)?|kam(?:en)?|heiratete|wechselte|"
        rf"arbeitete|fing) (?:\w+ ){{0,2}}(?:{_THEN}|{_LATER})",
        r"(?:nachdem|bevor|ehe|als) (?:ich|er|sie|wir) [^.!?;]{1,40}(?:war|hatte|wurde|kam|traf|"
        r"kennenlernte|heiratete|fertig|begann)\w*",
        r"(?:für|zum) (?:(?:mein|sein|ihr|das) )?studium|(?:einmal|mal) nach [^.!?;]{1,40} gezogen",
    ),
    passing=(
        r"vorübergehend|übergangsweise|vorläufig|einstweilen|fürs erste|für(?:s)? erste|"
        r"zunächst einmal|"
        r"erst ?mal|erst einmal|bis auf weiteres|auf zeit|befristet|vorerst|zur probe|auf probe|"
        r"probeweise|für den übergang|zur überbrückung|interimsweise|im moment noch|"
        r"bis (?:ich|er|sie|wir) (?:etwas|was) [\w ]{1,30}",
        r"(?:in )?teilzeit|halbtags|tageweise|stundenweise|nebenbei|nebenher|nebenberuflich|"
        r"freiberuflich|(?:für den|diesen) (?:sommer|winter|monat)|diese woche|dieses semester|"
        r"ehrenamtlich|aushilfsweise|zur aushilfe|als (?:aushilfe|vertretung|"
        r"nebenjob|praktikant(?:in)?|freiwillige[r]?|werkstudent(?:in)?|springer(?:in)?)",
        r"zeitweise|zeitweilig|manchmal|gelegentlich|ab und (?:zu|an)|hin und wieder|"
        r"(?:einen|ein|zwei|drei|vier|\d+) (?:tage?|stunden?|abende?|nachmittage?|nächte?) "
        r"(?:pro|die|in der|im) (?:woche|monat|tag)",
        r"helfe|hilft|helfen|aushelfe|aushilft|springe?(?= ein)|springt(?= ein)|vertrete|vertritt|"
        r"jobb(?:e|t|en)",
    ),
    limits=("mit|für|während|wenn|bis",),
    prepositions=("aus|in|im|bei|beim|am|an|auf|mit|neben|vor|unter|über|weg",),
    since=SINCE,
    until=UNTIL,
    months=MONTHS,
    agos=AGOS,
    before_dates=BEFORE_DATES.split(),
    decade_endings=DECADE_ENDINGS,
    units=_UNITS.split(),
    abbreviations=("Dr", "Mr", "Ms", "Mrs", "St", "No"),
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
