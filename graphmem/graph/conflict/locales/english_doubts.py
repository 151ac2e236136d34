"""English: what tells of a former time or a passing one, and who is one of several."""

from __future__ import annotations

__all__ = ["FORMERS", "MILESTONES", "ONCE_UPON", "ONE_OF_MANY", "PASSING", "TOLD_ON"]

# People and animals of whom somebody may have several.
_MANY = (
    r"(?:friend|buddy|pal|mate|acquaintance|colleague|co-?worker|team ?mate|class ?mate|flat ?mate|"
    r"room ?mate|house ?mate|brother|sister|sibling|cousin|uncle|aunt|"
    r"nephew|niece|son|daughter|child|"
    r"kid|grandson|granddaughter|grandchild|grandfather|grandmother|grandpa|grandma|grandparent|"
    r"(?:step|half)[ -]?(?:brother|sister|son|daughter|child)|(?:brother|"
    r"sister|son|daughter)-in-law|"
    r"relative|neighbou?r|roomie|guest|tenant|client|customer|patient|student|pupil|teacher|"
    r"professor|coach|employee|intern|assistant|follower|fan|ex|ex-\w+|pet|dog|cat|puppy|kitten|"
    r"horse|rabbit|hamster|bird)s?"
)
_SOMEONE = (
    r"(?:man|woman|guy|girl|boy|person|lady|gentleman|stranger|men|women|people|guys|girls|boys)"
)
_WHOSE = r"(?:my|our|his|her|their|your|its|[\w-]+(?: [\w-]+){0,2}'s?)"
_TOLD_APART = r"(?:only|oldest|eldest|youngest|best|twin|first|second|third|one)"
_WHICH = r"(?: (?:from|in|at|of|with|who|that|on|across|next) .+)?"
_PAST_VERB = r"(?:\w+ed|had|was|were|got|took|went|found|began|quit|left)"
_YOUNG = (
    r"(?:(?:small|little|young|teenage) )?(?:child|kid|boy|girl|teen|teenager|baby|toddler|infant|"
    r"youth|young (?:man|woman|adult|person))"
)
_LEARNER = r"(?:(?:young|\w+) )?(?:student|undergraduate|pupil|schoolboy|schoolgirl|apprentice)"
FORMERS = (
    rf"(?<!who )as an? {_YOUNG}",
    rf"(?:^|, )(?:while |when )?as an? {_LEARNER}",
    r"(?:back )?(?:in|during) (?:my|his|her|their|our) (?:early |mid[- ]?|late )?(?:teens|"
    r"(?:twen|thir|for|fif|six|seven)ties|\d0'?s|youth|childhood|infancy|"
    r"(?:student|school|college|"
    r"university|younger|early) (?:days|years)|studies)",
    rf"(?:when|while)(?: \w+){{1,3}} (?:was|were) (?:(?:still|only|just|"
    rf"about) )?(?:an? (?:{_YOUNG}|"
    rf"{_LEARNER})|{_YOUNG}|young(?:er)?|little|small|(?:in|at) (?:(?:high|"
    rf"grad|primary|secondary) )?"
    r"(?:school|college|university|uni|her|his|my|their)|\d{1,2}|"
    r"(?:four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|"
    r"thir|for|fif|six)ty))",
    r"(?:while|back) (?:in|at) (?:(?:high|grad|primary|"
    r"secondary) )?(?:school|college|university|uni)",
    r"(?:before|prior to|previous to) (?:that|this|then)",
    r"back then|back in the days?|in (?:those|the old|former) (?:days|times|years)|"
    r"at th(?:at|e) time(?! of)",
    "(?:a )?long (?:time )?ago|ages ago|in the (?:distant )?past|once upon a time",
    r"at (?:the )?age (?:of )?\w+|aged \d{1,2}",
    rf"(?:previously|formerly|originally|initially|once)(?= {_PAST_VERB}\b)",
    r"^(?:previously|formerly|originally|initially|at first|beforehand)(?=[, ])",
    r"(?:previously|formerly|originally|beforehand)(?=[.!]?$)",
    r"(?:growing up|earlier in (?:my|his|her|their) (?:life|career)|until recently|until then)",
)
_STAGE = (
    r"(?:(?:the|my|his|her|their|our) )?(?:(?:high|grad|primary|secondary|law|med(?:ical)?) )?"
    r"(?:school|college|university|uni|graduation|studies|degree|diploma|apprenticeship|training|"
    r"war|revolution|military service|military|army|wedding|marriage|divorce)"
)
_THEN = (
    r"(?:then|after (?:that|this)|afterwards?|later(?: on)?|thereafter|subsequently|eventually|"
    r"from there|in the end|(?:soon|shortly) after(?:wards?)?)"
)
_LATER = r"(?:[\w-]+ ){1,3}(?:days?|weeks?|months?|years?) (?:later|after(?:wards?)?)"
# "Two years later I moved".
ONCE_UPON = (
    rf"(?:{_THEN}|{_LATER}|next|one day|(?:years|months|weeks) later|(?:[\w-]+ )?time later|"
    r"the (?:next|following|same) (?:week|month|year|spring|summer|autumn|fall|winter))"
)
# "I then moved", "I later moved".
TOLD_ON = rf"{_THEN}(?= {_PAST_VERB}\b)"
# Times of a life or a story: of yesterday, or of long ago.
MILESTONES = (
    rf"^(?:(?:and|so|but|well),? )?{ONCE_UPON}",
    TOLD_ON,
    rf"{_PAST_VERB} [^.!?;]{{1,80}} (?:{_THEN}|{_LATER})(?=[.!]?$)",
    rf"(?:after|before|right after|during) (?:{_STAGE}|(?:graduat|finish|marry|leav)ing)",
    r"(?:after|before|when|once) (?:i|he|she|we|they) (?:finished|graduated|left|met|married|"
    r"got married|had|was|were|started|came|became|began|went)",
    rf"for {_STAGE}",
    r"(?:before|after) (?:\w+ ){1,3}was born",
)
# For a while, or beside something else.
PASSING = (
    r"(?:(?:just|only) )?(?:for (?:now|the (?:time being|moment|present|interim|meantime))|"
    r"temporar(?:ily|y)|provisionally|in the (?:meantime|interim)|for a bit|until further notice|"
    r"for the (?:summer|winter|season|holidays|semester|term|weekend)|"
    r"this (?:week|month|summer|winter|semester|term)|"
    r"until (?:i|he|she|we|they) (?:find|get|have|move)s? [\w ]{1,30})",
    r"(?:on a )?part[- ]time(?: basis)?|half[- ]time|on the side|"
    r"as an? (?:side (?:job|gig|hustle)|stop-?gap|temp|volunteer|freelancer|consultant|favou?r|"
    r"substitute|stand-in|intern)",
    r"on (?:loan|probation|secondment|a trial basis|trial|call|and off)",
    r"(?:an?|one|two|three|four|some|a few|a couple of|\d+) (?:hours?|days?|evenings?|nights?|"
    r"mornings?|afternoons?|shifts?) (?:a|per|each|every) (?:day|week|month)",
    r"occasionally|sometimes|now and (?:then|again)|from time to time|once in a while|"
    r"every (?:now and then|once in a while|so often)|seasonally|freelanc(?:e|es|ing)",
    r"(?:help(?:s|ing|ed)? out|fill(?:s|ing|ed)? in|stand(?:s|ing)? in|cover(?:s|ing)? for|"
    r"volunteer(?:s|ing)?|temps|temping|moonlight(?:s|ing)?|interns|interning|crash(?:es|ing)?|"
    r"house-?sit(?:s|ting)?|stay(?:s|ing)? (?:with|over))",
)
ONE_OF_MANY = (
    rf"{_WHOSE} (?!(?:.+ )?{_TOLD_APART} )(?:[\w-]+ ){{0,2}}{_MANY}{_WHICH}",
    r"(?:an?|another|some|any|one|two|three|several|many|few|a few) .+",
    r".+ of (?:mine|ours|his|hers|theirs|yours)",
    r"(?:one|some|many|most|two|three|several|both|none|each) of .+",
    rf"(?:friend|colleague|brother|sister|cousin|neighbou?r|co-?worker|{_SOMEONE})s?{_WHICH}",
    r"some(?:one|body|where)(?: .+)?|(?:any|every|no)(?:one|body)(?: .+)?",
)
