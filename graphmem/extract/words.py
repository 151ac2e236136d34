"""Which words name something: the small lists and rules behind the local extractor."""

from __future__ import annotations

import re
from functools import lru_cache

from graphmem.text import analyse

__all__ = ["COMMON_WORDS", "is_common", "singular", "spaceless_phrases"]

# Words that begin sentences, cheer, hedge or glue, and so stand capitalised or between stop
# words without naming anything. English chat is full of them; other languages have their
# stop words from text.py.
COMMON_WORDS = frozenset(
    """
    absolutely actually ago agree ah aha ahead almost alright already also always amazing amen
    anyway anyways anything anyone apparently appreciate around ask asked asking aw awesome aww
    away awful back bad basically beautiful become becoming began believe best bet better big
    bit bless bring brings brought bye call called came can't cannot care certainly cheers check
    clearly come comes coming congrats congratulations cool could couldn't course crazy currently
    cute damn dang day days dear definitely different done dude easy either else end enjoy enjoyed
    enjoying enough especially even ever every everybody everyone everything exactly exciting
    excited fantastic far feel feeling feels felt fine finally find finding first folks fortunately
    found friday full fun funny gave generally gets give given gives giving glad go goes going gone
    gonna good goodbye gotcha gotta great guess guys ha haha hah hang happen happened happens happy
    hard hear heard hello help helped helps hey hi hmm hmmm honestly hope hopefully hoping however
    huge huh imagine important incredible indeed inspiring instead interesting interested it'd
    keep keeps kept kind kinda knew know knows last lately later least leave left less let lets
    like liked likes little lol long look looked looking looks lot lots love loved lovely loves
    lucky made main make makes making many may maybe mean means meant met might mind mine mm mmm
    moment monday month months morning much must name near nearly need needed needs neat never
    nevertheless new next nice night nobody none nope nothing now obviously often oh ok okay old
    omg one ones oops oof others ouch overall part people perfect perhaps person place plan please
    plus point possible possibly pretty previously probably proud put quick quite rather read ready
    real really recent recently regarding remember right roughly said saturday saw say saying says
    second see seeing seem seems seen sent seriously set several shall share shared show sigh
    similarly simply since small somebody someone something sometimes somewhere soon sorry sort
    sounds specifically spent start started still stuff such sunday super sure surely take taken
    takes taking talk talked talking tell telling tend thank thanks thing things think thinking
    thought thursday thus time times today together told tomorrow tonight too took totally tough
    tried true truly try trying tuesday turn twice two three understand unfortunately us use used
    useful uses using usually via wait walk want wanted wants way ways wednesday week weekend weeks
    weird welcome well went whatever whenever wherever whether whoa whole wish within without
    woah wonder wonderful wondering word words work worked working works world worry worse worst
    worth would wow wowza yay yea yeah year years yep yes yesterday yet you'll yup
    january february march april june july august september october november december
    """.split()  # noqa: SIM905 - words in running text are easier to check than a list
)

# Where a run of Chinese, and the kana between Japanese words, can be cut. No dictionary: the
# phrases are coarse, but the same ones come back.
_CUTS = re.compile(
    r"[\u3041-\u309f]+"
    r"|(?:因为|所以|但是|如果|我们|你们|他们|她们|这个|那个|什么|怎么|已经|可以|没有|就是|还是|以及)"
    r"|[的了在是到和与或也都很就不我你他她它这那吗呢吧啊把被让]"
)
_KOREAN_PARTICLE = re.compile(
    r"(?<=[\uac00-\ud7af]{2})(?:에서|에게|으로|까지|부터|처럼|보다|입니다|은|는|이|가|을|를|에|의|로|와|과|도|만)$"
)
_HANGUL = re.compile(r"[\uac00-\ud7af]+")
_MIN_PHRASE = 2
_MAX_PHRASE = 12
_SHORTEST_PLURAL = 4


@lru_cache(maxsize=65_536)
def is_common(word: str, language: str) -> bool:
    """Return whether a word names nothing: a stop word, or one of the common words."""
    folded = word.casefold().replace("\u2019", "'")
    return folded in COMMON_WORDS or not analyse(folded, language)


def singular(word: str) -> str:
    """Return an English plural without its ending, other words as they are."""
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ss", "us", "is", "ous", "'s")):
        return word
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1]


def spaceless_phrases(run: str) -> list[str]:
    """Return the phrases of a run of Chinese, Japanese or Korean characters, in order."""
    phrases = []
    for piece in _CUTS.split(run):
        phrase = _KOREAN_PARTICLE.sub("", piece) if _HANGUL.search(piece) else piece
        if _MIN_PHRASE <= len(phrase) <= _MAX_PHRASE:
            phrases.append(phrase)
    return phrases
