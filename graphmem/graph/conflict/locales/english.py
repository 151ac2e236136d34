"""English: what says that something changed, and how common predicates are told."""

from __future__ import annotations

from graphmem.graph.conflict.locales.english_doubts import (
    FORMERS,
    MILESTONES,
    ONCE_UPON,
    ONE_OF_MANY,
    PASSING,
    TOLD_ON,
)
from graphmem.graph.conflict.locales.english_endings import ENDINGS
from graphmem.graph.conflict.locales.english_predicates import FAMILIES, NAME, PLACE, VERB
from graphmem.graph.conflict.locales.english_times import (
    AGOS,
    BEFORE_DATES,
    DECADE_ENDINGS,
    MONTH,
    MONTHS,
    SINCE,
    UNTIL,
)
from graphmem.graph.conflict.locales.pack import Marker, define_locale_pack

__all__ = ["en_locale_pack"]

# Of several the surest counts.
_MARKERS = (
    Marker("moved to", rf"moved (?:back |over )?to{PLACE}", 0.9),
    Marker("moved from", rf"moved from (?P<old>{NAME}[\w.-]{{0,30}}) to(?= {NAME})", 0.92),
    Marker("relocated", "relocated to", 0.9),
    Marker(
        "switched",
        r"(?:switched|changed|migrated|"
        r"moved)(?: over)? from (?P<old>[\w.+#/-]+(?: [\w.+#/-]+)?) to",
        0.92,
        acts_on_multi=True,
    ),
    Marker("switched to", r"(?:switched|changed|migrated)(?: over)? to", 0.9, acts_on_multi=True),
    Marker(
        "replaced",
        r"replaced (?P<old>[\w.+#/-]+(?: [\w.+#/-]+)?) (?:with|by)",
        0.9,
        acts_on_multi=True,
    ),
    Marker(
        "instead of",
        r"(?:instead of|rather than) (?P<old>[\w.+#/-]+)(?=[.,!]|$| )",
        0.9,
        acts_on_multi=True,
    ),
    Marker("instead", r"instead(?! of)", 0.8, acts_on_multi=True),
    Marker("promoted", r"(?:got|was|been) promoted", 0.9),
    Marker("renamed", r"(?:renamed|changed (?:my|her|his|their|its) name|now called)", 0.9),
    Marker("married", r"(?:got |just )(?:re)?married", 0.85),
    Marker("new job", r"new job|started (?:working|work|a job) ", 0.85),
    Marker(
        "ended",
        r"quit|resigned|fired|laid off|let go|divorced|separated|broke up|left(?= \w)|"
        r"moved (?:away|out)",
        0.85,
    ),
    Marker("turned", r"turned(?= \d)", 0.85),
    Marker("from now on", r"from now on|as of (?:today|now|this)", 0.85),
    Marker("now", r"(?<!right )(?<!until )(?<!by )(?<!for )(?:now|nowadays|these days)", 0.8),
)
_NEGATIONS = (
    Marker("no longer", r"no longer|no more", 0.95),
    Marker(
        "not any more",
        r"(?:(?:do|does) )?not(?=[^.!?]{1,200}?(?<!\w)(?:any ?more|any longer)(?!\w))",
        0.95,
    ),
    Marker(
        "stopped", r"(?:(?:has|have) )?(?:stopped|quit|gave up|given up|ceased)(?= \w+ing\b)", 0.85
    ),
    Marker("used to", r"(?<!is )(?<!am )(?<!are )(?<!get )(?<!got )used to(?= \w)", 0.85),
    Marker("never", r"never", 0.7),
    Marker("not", r"(?:(?:do|does) )?not", 0.6),
)
_ATTRIBUTE = r"(?:new |current )?(?P<name>[a-z][\w-]{0,24}(?: [a-z][\w-]{0,24}){0,2}?)"
# Words, with blanks between them.
_FIRST_PERSON = """
i me my myself i'm mine
"""
_PRONOUNS = """
he she they it you him her them this that these those his their its your there here someone
somebody everyone everybody nobody anyone anybody one who which what something nothing
everything anything us people some many most all
"""
_CLAUSE_WORDS = """
who which that where when if because what why how than said says say told tells think thinks
believe believes know knows hope hopes wish was were did had been is are am be has have do
does can will would should could must let only please to for with at not never no nobody
while forget remember as by about but or like though although until a an some every each
another many most two three once neither nor used stopped
"""
_COMMON_WORDS = """
a an the i my me we our us he she it they you his her their its your this that these those
there here in on at to from of for with by as and but or so if when since after before because
while now today yesterday yes no not never always often please do does is are was were has
have had can will would should all some every each both one what who where why how i'm i've
it's well just still also again use keep remember don't let's got get once maybe perhaps
sometimes
"""
_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday january february april june july
august september october november december today tomorrow yesterday spring summer autumn
winter morning evening noon midnight weekly daily monthly yearly biweekly fortnightly hourly
"""
_NUMBERS = """
two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 twenty=20
thirty=30 forty=40 fifty=50 hundred=100 thousand=1000 million=1000000 dozen=12 half=0.5
first=1 second=2 third=3 twice=2 once=1 zero=0
"""
_UNITS = """
mile miles ft inch inches hr hour hours minute minutes sec second seconds day days week weeks month
months year years percent dollar dollars euro euros pound pounds am pm celsius fahrenheit
"""
_CONTRASTS = """
on/off open/closed open/shut before/after left/right up/down with/without more/less most/least
over/under above/below in/out inside/outside early/late earlier/later first/last high/low
higher/lower tall/short taller/shorter long/short longer/shorter big/small bigger/smaller
large/small larger/smaller old/young older/younger old/new older/newer fast/slow faster/slower
hot/cold hotter/colder warm/cool warmer/cooler good/bad better/worse best/worst hard/easy
harder/easier hard/soft full/empty wet/dry light/dark light/heavy loud/quiet rich/poor
cheap/expensive strong/weak stronger/weaker increase/decrease rise/fall rose/fell raise/lower
gain/lose gained/lost win/lose won/lost start/stop begin/end add/remove buy/sell bought/sold
borrow/lend lends/borrows lent/borrowed send/receive sent/received enable/disable
enabled/disabled allow/forbid allowed/forbidden accept/reject accepted/rejected pass/fail
passed/failed true/false yes/no always/never all/none maximum/minimum max/min upper/lower
north/south east/west northern/southern eastern/western morning/evening day/night summer/winter
mother/daughter father/son parent/child husband/wife brother/sister male/female man/woman
major/minor push/pull import/export public/private safe/dangerous guilty/innocent alive/dead
present/absent same/different ascending/descending vertical/horizontal
"""
en_locale_pack = define_locale_pack(
    "en",
    markers=_MARKERS,
    negations=_NEGATIONS,
    families=FAMILIES,
    normalisers=(
        *ENDINGS,
        (r"(?:can ?not|can't|could not|couldn't) (?:stand|bear|abide)", "detest"),
        (r"can't wait|can ?not wait", "look forward"),
        # Work, and for how long, which is looked for in what was written.
        (r"(?:help|fill|stand)s? (?:out|in) at", "work at"),
        (r"(?:(?:help|fill|stand)ing (?:out|in)|volunteering|temping|interning) at", "working at"),
        (r"(?:volunteer|temp|intern)s? at", "work at"),
        (r"(?:do not|don't|never) (?:forget|hesitate|mind|worry)", "please"),
        (r"not (?:only|just|merely|to mention|least|bad|yet sure)", "besides"),
        (r"why not|if not|whether or not|not to worry|no doubt|no problem|not at all", "well"),
        (r"can't", "can not"),
        (r"cannot", "can not"),
        (r"won't", "will not"),
        (r"ain't", "is not"),
        (r"(do|does|did|is|are|was|were|has|have|had|would|could|should)n't", r"\1 not"),
        (r"(I)'m", r"\1 am"),
        (r"(we|they|you)'re", r"\1 are"),
        (r"(I|we|they|you)'ve", r"\1 have"),
        (r"(I|he|she|we|they|you|it)'ll", r"\1 will"),
        (r"(I|he|she|we|they|you)'d", r"\1 would"),
    ),
    predicate_normalisers=(
        (r"^(?:is|are|am|be|has been|have been|has|have) (?=\w)", ""),
        # "status" and "analysis" are no plurals, and no verbs.
        (r"^(\w{2,}[^isu\W])s(?= |$)", r"\1"),
    ),
    attribute_forms=(
        rf"my {_ATTRIBUTE} (?:is|are) (?P<object>.+)",
        rf"(?P<subject>[^,;:.!?']{{1,60}}?)'s? {_ATTRIBUTE} "
        r"(?:is|are) (?P<object>.+)",
        rf"the {_ATTRIBUTE} of "
        r"(?P<subject>[^,;:.!?']{1,60}?) (?:is|are) (?P<object>.+)",
    ),
    single_attributes=(
        r"favou?rite .+|desk|office|seat|room|(?:phone|mobile|telephone)(?: number)?|e-?mail"
        r"(?: address)?|address|salary|nick ?name|surname|last name|first name|password|code ?word|"
        r"height|blood type|shoe size|status|budget|version|(?:user|account) ?name|account number|"
        r"doctor|dentist|landlord|time ?zone|licen[cs]e plate|ceo|cto|president|capital|population|"
        r"owner|native language|mother tongue|default (?:branch|port)|port|host ?name|team"
    ),
    many_attributes=(
        r"friend|brother|sister|sibling|cousin|uncle|aunt|colleague|neighbou?r|pet|dog|cat|hobby|"
        r"hobbies|interest|language|goal|skill|car|bike|book|kid|children|project|plan"
    ),
    hedges=(
        "if",
        "unless",
        "whether",
        "would",
        "could",
        "can be",
        "might",
        "(?-i:may)",
        "should",
        "(?-i:will)",
        "going to",
        "gonna",
        "about to",
        r"(?:want|wish|hope|plan|intend|expect|long|need|try|hesitate|threaten)(?:s|es|ed|ing)? to",
        r"(?:dream|think|talk|speak|joke|consider)(?:s|ed|ing|t)?(?: (?:of|about))? \w+ing",
        r"(?:wish|hope|think|thought|believe|guess|suppose|assume|doubt|imagine|pretend|"
        r"dream(?:ed|t)?|"
        r"claim|say|said|tell|told|heard|hear|ask|asked|reported|joke|joked|"
        r"suggest|suggested|deny|denied|swear|swore)(?:s|d|ed)?(?! (?:hello|goodbye|no|yes|to\b))",
        "according to",
        "perhaps",
        "maybe",
        "probably",
        "possibly",
        "allegedly",
        "supposedly",
        "apparently",
        "rumou?r(?:s|ed)?",
        "almost",
        "nearly",
        "what if",
        "as if",
        "as though",
        r"(?:mov|relocat|leav|start|join|marr|switch)(?:e|es|s|y|ies|ing)\b[^.!?;]{0,80}? "
        r"(?:next (?:week|month|year|spring|summer|autumn|fall|winter)|tomorrow|soon|"
        r"in (?:an?|two|three|four|six|a few|\d+) (?:days?|weeks?|months?|years?))",
        r"(?:from|as of|starting|beginning) (?:next \w+|tomorrow)",
        "let's",
        "imagine",
        "suppose",
        "hypothetically",
        "potentially",
        r"in (?:the|a|my|his|her|their) (?:novel|story|film|movie|game|dream|book|play|series)",
        r"(?:considers?|considering|considered|ponders?)",
        r"^(?:where|who|what|when|why|how|do|does|did|is|are|was|has|have|"
        r"can)(?= (?:\w+ ){1,8}\w+\?)",
    ),
    additions=(
        "also",
        "too",
        "as well",
        "in addition",
        "additionally",
        "besides",
        "another",
        "on top of (?:that|it)",
        "a second",
        "part of the year",
        r"until (?:next \w+|the end of|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
        rf"|{MONTH})",
        "both",
        r"(?:at|on|during) (?:the )?(?:weekends?|weekdays?|week)",
        r"on (?:mon|tues|wednes|thurs|fri|satur|sun)days",
        r"every (?:mon|tues|wednes|thurs|fri|satur|sun)day",
        r"in (?:the )?(?:summers|winters|mornings?|evenings?|afternoons?)",
        r"half (?:of )?the (?:week|month|year|time)",
        # A stay that is told to be short leaves the home where it is.
        r"on (?:holiday|vacation)",
        "for (?:a|some) (?:while|time)",
        r"for (?:an?|one|two|three|four|a few|a couple of|some|\d+) "
        r"(?:nights?|days?|weeks?|weekends?|months?|semesters?)",
    ),
    fillers=(
        r"(?-i:just|now|currently|presently|recently|finally|really|actually|officially|already|"
        r"still|also|too|always|often|usually|truly|absolutely|simply|happily|nowadays|definitely|"
        r"apparently|totally|permanently|Now|Currently|Recently|Finally|Actually|Nowadays|"
        r"Officially|Well,|So,|Yes,|Oh,|Btw,|By the way,|Update:|FYI,|Hi,|Hey,|Good news:|News:)",
        "these days",
        r"full[- ]time",
        TOLD_ON,
        r"(?:started|began|has started|have started)(?= \w+ing\b)",
        "as well",
        "right now",
        "at the moment",
        "at present",
    ),
    leads=(
        r"(?:as|when|while|before|back|during) [^,]{1,40}, ?",
        r"(?:previously|formerly|originally|initially|earlier|beforehand),? ",
        r"(?:since|in|as of|from) (?:\w+ )?(?:19|20)\d\d,? ",
        r"(?:since|in|on|as of|from|after|at|last|this|for|until) [^,]{1,30}, ?",
        rf"(?:(?:and|so|but) )?{ONCE_UPON},? ",
        r"(?:sadly|unfortunately|luckily|fortunately|thankfully|alas),? ",
        r"(?:today|yesterday|tonight|and|so|but|well|ok|okay|please|besides),? ",
        r"(?:no|nope|wait|no wait|sorry|correction|actually|i mean|in fact)[,:] ?",
        r"(?:last|this) (?:week|month|year|spring|summer|autumn|winter),? ",
    ),
    tails=(
        "any ?more",
        "any longer",
        "at all",
        "instead",
        "again",
        "today",
        "yesterday",
        "too",
        "as well",
        "for good",
        "very much",
        "a lot",
        "so much",
        "nowadays",
        "now",
        "later(?: on)?|afterwards?",
        "as of (?:today|now)",
        "these days",
        "since then",
        "years old",
        "please",
        "though",
        "last (?:week|month|year|spring|summer|autumn|winter)",
        r"(?:\w+|a (?:couple of|few)) (?:days?|weeks?|months?|years?|decades?) ago",
        "years ago",
        "this (?:week|month|year|spring|summer|autumn|winter|morning)",
    ),
    cuts=(
        r"\s+(?:because|since|until|while|when|where|who|which|though|although|so that|"
        r"for the|for a|"
        r"for my|for her|for his|for work|for good|with my|with her|with his|instead of|"
        r"rather than|"
        r"as of|after|before|due to|thanks to|to be|in order|not|but not|these days|and not|"
        r"than|in (?:19|20)\d\d|from (?:19|20)\d\d|on (?:19|20)\d\d)\b",
        rf"\s+(?:back )?(?:in|on|by|during|around|since) (?:(?:early|late|mid)[ -])?(?:the )?"
        rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?(?:{MONTH}\b|(?:19|20)\d\d)",
        r"\s+(?:at (?:the )?age |back (?:then|in)|(?:in|during) (?:my|his|her|their) (?:\w+[ -]?)?"
        r"(?:\w+ties|teens|youth|childhood)|a long time ago)\b",
        r",\s*(?:where|who|which|because|since|not|so|near|close|next|together|with|on|at|after|as|"
        r"a|the)\b",
        r"\s*[;(]",
        r"\s+(?:-|\u2013|\u2014)\s",
    ),
    breaks=(
        rf"(?:,|;|\band|\bbut|\bor|\bthen|\bso)\s+(?:then |also )?{VERB}\b",
        r"\bbut\b(?! not)",
    ),
    determiners=("the",),
    indefinites=(r"(?:an?|some|my|our|his|her|their|your)",),
    generic_objects=(
        r"(?:(?:my|her|his|their|the|our|your|a|this|that) )?(?:job|work|position|post|place|"
        r"company|employer|office|home office|there|here|together|harmony|peace|fear|luxury|"
        r"poverty|hope)(?: (?:with|of) .+)?",
    ),
    formers=FORMERS,
    asides=(
        r"(?:where|which|whose)",
        r"(?:because|since|as|so that|though|although) (?:i|he|she|they|we|it)",
    ),
    one_of_many=ONE_OF_MANY,
    milestones=MILESTONES,
    passing=PASSING,
    limits=(
        r"with|when|while|until",
        r"for(?! (?:good|work|the better|(?:\w+ )?reasons?)\b)",
        r"(?:after|before|during|at|in|on)(?! (?:(?:early|late|mid|the|about|almost|over|more|"
        rf"than)[ -])*(?:\d|{MONTH}|\w+ (?:days?|weeks?|months?|years?|decades?)\b|last|this|that|"
        r"all\b|spring|summer|autumn|fall|winter))",
    ),
    prepositions=("from|in|at|on|with|near|like|under|over|behind|off|into|away|out",),
    since=SINCE,
    until=UNTIL,
    months=MONTHS,
    agos=AGOS,
    before_dates=BEFORE_DATES.split(),
    decade_endings=DECADE_ENDINGS,
    units=_UNITS.split(),
    abbreviations=("Dr", "Mr", "Ms", "Mrs", "St", "No"),
    verb_endings=("ly", "ing", "ed"),
    speakers=("i",),
    articles=("a", "an", "any", "the", "some"),
    auxiliaries={
        "am": "be",
        "is": "be",
        "are": "be",
        "be": "be",
        "has": "have",
        "have": "have",
    },
    first_person=_FIRST_PERSON.split(),
    pronouns=_PRONOUNS.split(),
    clause_words=_CLAUSE_WORDS.split(),
    common_words=_COMMON_WORDS.split(),
    calendar=_CALENDAR.split(),
    numbers=dict(pair.split("=") for pair in _NUMBERS.split()),
    contrasts=(pair.split("/") for pair in _CONTRASTS.split()),  # type: ignore[misc]
    contrary_prefixes=("un", "in", "im", "il", "ir", "dis", "non", "non-"),
    conjunctions=("and", "or", "nor", "as", "well"),
)
