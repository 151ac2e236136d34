"""How common predicates are told in English."""

from __future__ import annotations

from graphmem.graph.conflict.locales.english_kinds import (
    ADDRESSES,
    COUNTRIES,
    HOMES,
    OFFICES,
    OWNED,
    PARTICIPLES,
    QUARTERS,
    ROLES,
)
from graphmem.graph.conflict.locales.pack import Family
from graphmem.graph.conflict.locales.people import GIVEN_NAMES, PERSONS
from graphmem.graph.conflict.locales.places import PLACE_FORMS, PLACES

__all__ = ["FAMILIES", "NAME", "PLACE", "VERB"]

NAME = r"(?-i:[A-Z\u00c0-\u00de\u0100-\uffff])"
# "Moved to" is of a home when a place follows: a name, a home, or one plain word that is none
# of those that people are moved to, or move things or systems to.
_TOOLS = (
    r"(?:linux|windows|mac(?:os)?|android|ios|python|rust|go|java|kotlin|typescript|kubernetes|"
    r"docker|aws|azure|gcp|slack|teams|zoom|vim|emacs|vscode|github|gitlab|git|notion|postgres\w*|"
    r"mysql|sqlite|kafka|redis|mongo\w*|jira|agile|scrum|kanban|neo4j|firefox|chrome|safari|"
    r"obsidian|evernote|todoist|trello|asana|figma|photoshop|whatsapp|"
    r"telegram|signal|discord|gmail|"
    r"outlook|protonmail|django|flask|react|vue|angular|svelte|ubuntu|debian|fedora|arch|nixos|"
    r"terraform|jenkins|snowflake|databricks|bigquery|elasticsearch|"
    # Written as no place is: "FastAPI", "S3".
    r"(?-i:[A-Z][a-z]+[A-Z]\w*|\w*\d\w*))\b"
)
_NO_PLACE = (
    r"(?:tears|laughter|action|pity|anger|silence|trash|spam|done|review|prod(?:uction)?|staging|"
    r"archive|backlog|next|top|bottom|front|back|left|right|side|team|group|department|sales|"
    r"marketing|engineering|support|finance|management|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"tomorrow|google|microsoft|apple|amazon|oracle|plan|phase|stage|step|version|level|page|"
    r"chapter|item|strike|dismiss|approve|seat|desk|room|table|floor|building|gate|platform|lane|"
    r"track|channel|slot|shelf|bed|product|design|legal|hr|operations|research|qa|security|"
    r"accounting|procurement|logistics|netflix|spotify|meta|tesla|nvidia|openai|anthropic|ibm|sap|"
    rf"siemens|intel)\b|{_TOOLS}"
)
PLACE = (
    rf"(?= (?:the )?(?!(?:{_NO_PLACE}))(?:{NAME}|(?:an?|my|our|his|her|their) (?:\w+ )?(?:flat|"
    r"house|apartment|city|town|village|farm|cabin|room)\b|\w+(?:[.!]|$| (?:for|with|last|this|"
    r"from|because|since|after|in|yesterday|recently)\b)))"
)
_AUX = r"(?:(?:have|has|is|am|are) )?(?:been )?"
# After "left Acme": what shows that it was for good, and no leaving of a house.
_FOR_GOOD = (
    r"(?:[.!]?$| (?:after|because|since|yesterday|today|for good|for (?:NAME\w*|an?other|"
    r"something)|last (?:week|"
    r"month|"
    r"year|spring|summer|autumn|fall|winter)|in (?:(?:early|late|mid)[ -])?(?:\d{4}|january|"
    r"february|"
    r"march|april|may|june|july|august|september|october|november|december)|"
    r"to (?:join|work|start|found|become|study|retire|raise|run|open))\b)"
).replace("NAME", NAME)
_GIVEN = "|".join(sorted(GIVEN_NAMES))
_LEFT = r"(?:(?:have|has) )?(?:finally |recently |now )?left"
# A name that is neither a town's nor a person's.
_A_FIRM = (
    rf"(?!(?:{'|'.join(sorted(PLACES))}|{_GIVEN})\b){NAME}[\w.&+'-]{{0,30}}"
    rf"(?: {NAME}[\w.&+'-]{{0,30}}){{0,3}}"
)
_GAVE_UP = (
    r"(?:sold|scrapped|gave away|given away|got rid of|gotten rid of|donated|totall?ed|re-?homed|"
    r"returned)(?: off)?"
)
_PARTNER = r"(?:boy ?friend|girl ?friend|partner|significant other)"
_SPOUSE = r"(?:wife|husband|spouse)"
_THEIRS = r"(?:my|our|his|her|their)"
VERB = (
    r"(?:i|you|he|she|we|they|it|am|is|are|was|were|have|has|had|do|does|did|will|would|can|"
    r"live|lives|lived|work|works|worked|love|loves|like|likes|hate|hates|speak|speaks|own|owns|"
    r"use|uses|play|plays|moved|married|joined|started|quit|study|studies|run|runs|want|wants)"
)

FAMILIES = (
    Family(
        "lives_in",
        phrases=(
            rf"{_AUX}(?:lives?|living|resides?|residing|based|settled(?: down)?) (?:in|at)",
            rf"{_AUX}(?:(?:moved|moving) (?:back |over |house )?|relocated )to{PLACE}",
            rf"{_AUX}(?:moved|moving) from (?:{NAME}[\w .-]{{0,40}}) to(?= {NAME})",
        ),
        opposites=(rf"{_AUX}moved (?:away from|out of)",),
        past=(r"(?:lived|resided) (?:in|at)", r"(?:was|were) (?:living|based) in"),
        attributes=(r"home ?(?:town|city|base)?", "(?:city|place) of residence"),
        cardinality="functional",
        kinds=(
            ("country", COUNTRIES),
            ("home", HOMES),
            ("address", ADDRESSES),
            ("quarter", QUARTERS),
        ),
        loose=(
            r"(?:(?:have|has|is|am|are) )?(?:been )?(?:moved|moving)(?: back|"
            r" over)?(?: from .+)? to",
        ),
        examples=PLACES,
        forms=(PLACE_FORMS, HOMES, QUARTERS),
        cues=(
            r"(?:with|near|close to|closer to|to (?:be|live|stay|"
            r"study)(?: \w+)? (?:with|near|close to|"
            r"closer to)?) ?(?:my|her|his|their|our) (?:\w+ )?(?:family|wife|"
            r"husband|spouse|partner|"
            r"parents|kids|children|son|daughter|boyfriend|girlfriend|mother|father|mum|mom|dad|"
            r"sister|brother|fianc[eé]e?|grandparents)",
            r"for (?:college|university|uni|grad school|love|retirement|the (?:weather|climate|sea|"
            r"mountains))",
            r"(?:rent(?:ed|s|ing)?|bought|buy|found) an? (?:\w+ )?(?:flat|house|"
            r"apartment|home|room|"
            r"studio|place)",
            "moved house",
        ),
        evidence=frozenset(
            ("visited", "born_in", "located in", "located", "capital of", "capital")
        ),
    ),
    Family(
        "works_at",
        phrases=(
            rf"{_AUX}(?:works?|working|employed) (?:at|for|by)"
            r"(?! (?:night|home|noon|dawn|once|least|most|full|times|all|free|money|fun|now|hours|"
            r"days|weeks|months|years|\d|(?-i:[a-z]+ing\b)))",
            rf"{_AUX}(?:started|begun|began) (?:working |a (?:new )?job |work )?(?:at|with)"
            rf"(?= {NAME})",
            rf"{_AUX}(?:got|took|found|accepted|starting) (?:a|an|her|his|"
            rf"my) (?:new )?job (?:at|with)",
        ),
        opposites=(
            rf"{_AUX}(?:quit|resigned from|"
            r"(?:(?:been|was|were|got) )?(?:fired|laid off) (?:from|by))"
            r"(?: (?:the|my|her|his|their|a) (?:job|position|post) at)?(?! \w+ing\b)",
            rf"{_AUX}left (?:the|my|her|his|their) (?:job|position|post) (?:at|with)",
            rf"{_LEFT}(?= (?:the|my|her|his|their) (?:job|position|post|company|firm|employer)"
            rf"{_FOR_GOOD})",
            rf"{_LEFT}(?= {_A_FIRM}[.!]?$)",
            rf"{_LEFT} (?P<object>{_A_FIRM})(?={_FOR_GOOD})",
            rf"{_AUX}(?:(?:was|were|got) )?(?:let go|sacked|dismissed|made redundant) (?:from|by|"
            rf"at)",
            rf"{_AUX}(?:retired from|parted ways with|stepped down from)(?= {NAME})",
            rf"(?P<object>{NAME}[\w.&+-]{{0,30}}) (?:has |have )?(?:just )?(?:fired|sacked|"
            rf"dismissed|"
            r"laid off|let go of) (?P<subject>me)",
            rf"(?P<object>{NAME}[\w.&+-]{{0,30}}) (?:has |have )?(?:just )?(?:laid|let) "
            r"(?P<subject>me) (?:off|go)",
        ),
        past=(r"worked (?:at|for)", r"(?:was|were) (?:employed (?:at|by)|working (?:at|for))"),
        attributes=("employer",),
        cardinality="functional",
        kinds=(("home", HOMES), ("office", OFFICES), ("person", f"{PERSONS}|{ROLES}")),
        loose=(rf"{_LEFT}(?: .+)?",),
    ),
    Family(
        "job_title",
        phrases=(
            rf"{_AUX}(?:works?|working|employed) as",
            r"(?:(?:got|was|has been|have been|been) )?promoted to",
        ),
        past=("worked as",),
        attributes=(r"job(?: title)?", "role", "position", "title", "occupation", "profession"),
        cardinality="functional",
    ),
    Family(
        "married_to",
        phrases=(
            r"(?:is|am|are|got|have been|has been) (?:re)?married to",
            rf"(?:re)?married(?= {NAME})",
            r"is (?:the )?(?:wife|husband|spouse) of",
        ),
        alone=(
            r"(?:is|am|are) married(?=(?: any ?more| any longer)?[.!]?$)",
            rf"(?:have|has) a {_SPOUSE}(?=[.!]?$)",
        ),
        opposites=(
            rf"{_AUX}(?:got )?divorced(?: (?:from|with))?(?: {_THEIRS} {_SPOUSE}(?=[.!]?$))?",
            rf"{_AUX}separated from(?: {_THEIRS} {_SPOUSE}(?=[.!]?$))?",
            rf"{_LEFT} {_THEIRS} {_SPOUSE}(?=[.!]?$)",
        ),
        past=("was married to",),
        attributes=("wife", "husband", "spouse"),
        cardinality="functional",
    ),
    Family(
        "together_with",
        phrases=(
            r"(?:is|am|are) (?:dating|seeing|going out with|together with|in a relationship with)"
            rf"(?= {NAME})",
            rf"(?:is|am|are) the {_PARTNER} of",
            rf"(?:have|has) a {_PARTNER}(?:,| named| called)?(?= {NAME})",
        ),
        alone=(
            r"(?:is|am|are) (?:together|dating|a couple|in a relationship)(?=[.!]?$)",
            rf"(?:have|has) a {_PARTNER}(?=[.!]?$)",
        ),
        opposites=(
            rf"{_AUX}(?:broke|broken|split) up(?: with)?(?: {_THEIRS} {_PARTNER}(?=[.!]?$))?",
            rf"{_AUX}(?:ended things|parted ways|called it quits)(?: with(?= (?:{_GIVEN})\b))?"
            rf"(?: with {_THEIRS} {_PARTNER}(?=[.!]?$))?(?! {NAME})",
            rf"{_AUX}(?:dumped|{_LEFT})(?: {_THEIRS} {_PARTNER}(?=[.!]?$)|(?= (?:{_GIVEN})"
            rf"(?: {NAME}\w+)?{_FOR_GOOD}))",
            rf"(?P<object>{NAME}[\w-]{{1,30}}) (?:has )?(?:dumped|left) (?P<subject>me)(?=[.!]?$)",
            rf"(?P<object>{NAME}[\w-]{{1,30}}) (?:has )?broke(?:n)? up with (?P<subject>me)",
        ),
        attributes=("boy ?friend", "girl ?friend", "life partner"),
        loose=(r".*(?:broke|broken|split|dumped|left|ended|parted).*",),
    ),
    Family(
        "engaged_to",
        phrases=(r"(?:is|am|are|got) engaged to",),
        attributes=("fiancée?",),
        cardinality="functional",
    ),
    Family(
        "born_on",
        phrases=(
            r"(?:(?:was|were|is) )?born (?:on|in)(?= (?:the )?(?:\d|january|february|march|april|"
            r"may|june|july|august|september|october|november|december))",
        ),
        attributes=("birthday", "date of birth", "birth ?date"),
        cardinality="functional",
        is_timeless=True,
    ),
    Family(
        "born_in",
        phrases=(r"(?:was|were|is) born in(?! \d)",),
        attributes=("birth ?place", "place of birth"),
        cardinality="functional",
        is_timeless=True,
        kinds=(("country", COUNTRIES), ("home", HOMES)),
    ),
    Family(
        "age",
        phrases=(
            r"(?:is|am|are|turned|turns)(?= \d{1,3}(?: years old)?"
            r"(?: (?:today|yesterday|now|(?:last|this) \w+))?[.!]?$)",
        ),
        attributes=("age",),
        cardinality="functional",
    ),
    Family(
        "name",
        phrases=(
            r"(?:is|am|are|got|was|been) (?:re)?named(?: to)?(?! after)",
            r"(?:is|am|are) called",
            r"(?:was|were|been|got) renamed(?: to)?",
            r"changed (?:my|her|his|their|its) name to",
            r"goes by",
        ),
        past=("was called", "was named"),
        attributes=("name", "full name"),
        cardinality="functional",
    ),
    Family(
        "reports_to",
        phrases=(rf"{_AUX}report(?:s|ing)? to",),
        past=("reported to",),
        attributes=("manager", "boss", "supervisor", "line manager"),
        cardinality="functional",
    ),
    Family(
        "costs",
        phrases=(r"costs?(?= (?:about )?[$€£\d])", r"(?:is|are) priced at"),
        attributes=("price", "cost"),
        cardinality="functional",
        of_kinds=True,
    ),
    Family(
        "weighs",
        phrases=(r"weighs?(?= \d)",),
        attributes=("weight",),
        cardinality="functional",
        of_kinds=True,
    ),
    Family(
        "is_due",
        phrases=(r"(?:is|are) due(?: on| by| at)?",),
        attributes=("deadline", "due date"),
        cardinality="functional",
        is_timeless=True,
    ),
    Family(
        "likes",
        phrases=(
            r"(?:lov|lik|ador)(?:es?|ing)",
            r"enjoy(?:s|ing)?",
            r"(?:is|am|are) (?:(?:very|so|quite) )?(?:fond of|a (?:big |huge )?fan of|"
            r"into|keen on)",
        ),
        opposites=(
            r"(?:hat|dislik|loath|despis)(?:es?|ing)",
            r"detest(?:s|ing)?",
        ),
        past=("liked", "loved", "enjoyed", "hated"),
        cardinality="multi",
    ),
    Family(
        "knows",
        phrases=(r"knows?(?! (?:that|how|if|why|what|where|who|when))",),
        cardinality="multi",
    ),
    Family(
        "speaks",
        phrases=(r"speak(?:s|ing)?(?! (?:to|with|about|at|up|for))", r"(?:is|am|are) fluent in"),
        past=("spoke",),
        cardinality="multi",
    ),
    Family(
        "visited",
        phrases=(rf"{_AUX}visit(?:ed|s)?", r"(?:have|has) been to", r"travell?ed to"),
        cardinality="multi",
    ),
    Family(
        "owns",
        phrases=(
            rf"{_AUX}own(?:s|ing)?",
            r"possess(?:es)?",
            rf"(?:have|has)(?: got)?(?= (?:an?|one|any) {OWNED})",
            # The object of a triple alone; "has won" is none.
            rf"(?:have|has)(?= (?!(?:\w+ed|{PARTICIPLES})$)[a-z][^\W\d]*$)",
        ),
        opposites=(
            rf"{_AUX}{_GAVE_UP}"
            # A triple may have the object alone; of plurals some may be left.
            rf"(?= (?:(?:the|{_THEIRS})\b|[\w-]*[^\W\ds]$))",
        ),
        past=("owned",),
        cardinality="multi",
        loose=(rf"{_AUX}{_GAVE_UP}",),
    ),
    Family(
        "has_child",
        phrases=(r"(?:is|am|are) (?:the )?(?:father|mother|parent|dad|mum|mom) of",),
        attributes=("son", "daughter", "child"),
        cardinality="multi",
    ),
    Family(
        "is_allergic_to",
        phrases=(r"(?:is|am|are) allergic to",),
        attributes=("allergy",),
        cardinality="multi",
    ),
    Family("plays", phrases=(r"plays?(?! (?:with|at|for|a role))",), cardinality="multi"),
    Family(
        "eats",
        phrases=(r"eat(?:s|ing)?",),
        cardinality="multi",
    ),
    Family("drinks", phrases=(r"drink(?:s|ing)?",), cardinality="multi"),
    Family(
        "uses",
        phrases=(
            rf"{_AUX}us(?:es|e|ing)",
            r"(?:has |have )?(?:switched|changed|migrated)(?: over)? "
            rf"(?:from [\w.+#/ -]{{1,60}}? )?to(?= (?:{NAME}|{_TOOLS}))",
            r"(?:has |have )?moved(?: over)? "
            rf"(?:from [\w.+#/ -]{{1,60}}? )?to(?= {_TOOLS})",
            r"(?:has |have )?replaced [\w.+#/ -]{1,60}? (?:with|by)",
        ),
        past=("used(?! to)",),
    ),
    Family("studies_at", phrases=(r"stud(?:ies|y|ying) at",), past=("studied at",)),
    Family("drives", phrases=(r"drives?(?= an?\b)",)),
    Family("prefers", phrases=(r"prefers?",)),
)
