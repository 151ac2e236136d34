"""One analysis of text for writing and asking, and the query that is built from it.

What a turn is stored under and what a question is looked up by go through the same steps:
NFKC, casefold, words cut, stop words left out, stems, accents folded. Scripts without spaces
are cut into pairs of characters. The tokens are joined by spaces and indexed by an analyser
that only splits at spaces, so that nothing is analysed a second time by the database.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Protocol

from graphmem.errors import ConfigError, InputError

__all__ = [
    "MAX_QUERY_TOKENS",
    "analyse",
    "canonical_form",
    "canonical_hash",
    "check_language",
    "check_text",
    "lucene_query",
    "search_text",
    "term_key",
]

# Lucene refuses more than 1,024 clauses; half of that is more than any question has.
MAX_QUERY_TOKENS = 512
# A token of 64 characters is at most 256 bytes; Lucene takes 32,766.
_MAX_TOKEN_LENGTH = 64
# Neo4j refuses a range-indexed value near 8 kB; scope and key together stay far below.
_MAX_KEY_LENGTH = 200
_KEY_HASH_LENGTH = 32
# From here on a text counts each further word once only: it stays findable by every word,
# and its entry in the index stays small.
_COUNTED_TOKENS = 20_000
_STEM_CACHE_SIZE = 65_536

_STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren't as at be because been
    before being below between both but by can can't could couldn't did didn't do does doesn't
    doing don't down during each few for from further get gets getting got had hadn't has hasn't
    have haven't having he he'd he'll her here hers herself him himself his how i i'd i'll i'm
    i've if in into is isn't it it'd it'll its itself just let let's me more most my myself no
    nor not of off on once only or other our ours ourselves out over own same she she'd she'll
    should shouldn't so some such than that that'll the their theirs them themselves then there
    these they they'd they'll they're they've this those through to too under until up very was
    wasn't we we'd we'll we're we've were weren't what when where which while who whom whose why
    with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
    """.split()  # noqa: SIM905 - words in running text are easier to check than a list
)
# Languages that elide a vowel before the next word: l'arbre, dell'arte.
_ELIDING = frozenset({"catalan", "french", "italian"})

# Scripts that are written without spaces between words, or (Korean) with the particle glued
# to its word: kana, bopomofo, Han, Hangul; Thai, Lao, Myanmar, Khmer.
_UNSPACED = (
    r"\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3100-\u318f\u3400-\u4dbf\u4e00-\u9fff"
    r"\uf900-\ufaff\uac00-\ud7af\u1100-\u11ff\U00020000-\U0003ffff"
    r"\u0e01-\u0e4e\u0e50-\u0edf\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17e0-\u17e9"
)
# Python's \w leaves out the marks that Indic vowels and combining accents are made of.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0489\u0900-\u0963\u0966-\u0dff\u0f18-\u0fbc\u1ab0-\u1aff\u1dc0-\u1dff"
    r"\u20d0-\u20ff\ufe20-\ufe2f"
)
_WORD = rf"(?:(?![{_UNSPACED}])[\w{_MARKS}])"
_EMOJI = r"[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
_EMOJI_TAIL = r"[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_CHUNK = re.compile(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    # c++, c#, f#: the sign is the name. It must not go on, or "a#b" would be one.
    rf"|(?P<signed>(?<![\w]){_WORD}{{1,8}}(?:\+\+|\#)(?![\w+#]))"
    rf"|(?P<word>{_WORD}+(?:(?:['.@&+\-]|(?<=\d):(?=\d)){_WORD}+)*)"
    rf"|(?P<emoji>{_EMOJI}{_EMOJI_TAIL}*(?:\u200d{_EMOJI}{_EMOJI_TAIL}*)*)"
)
_JOINT = re.compile(r"[_'.:@&+\-]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CAMEL_WORD = re.compile(r"\b[a-z][a-z0-9]*+(?:[A-Z][a-z0-9]++)++\b")
# 1,240 is 1240.
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LATIN_ACCENT = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_EMOJI_MODIFIERS = re.compile(rf"{_EMOJI_TAIL}+|\u200d.*")
# Written or left out at will: vowel points of Arabic and Hebrew, tatweel, soft hyphens,
# the joiner of Persian, the selector that only chooses an emoji's look.
_OPTIONAL = re.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    r"\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u00ad\u200c\ufe0e\ufe0f]+"
)
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\uff07": "'", "\u2010": "-"})
_LUCENE_OPERATORS = frozenset({"AND", "OR", "NOT", "TO"})


def analyse(text: str, language: str = "english", *, asking: bool = False) -> list[str]:
    """Return the tokens that `text` is stored or looked up under, in their order.

    Args:
        text: Any text; time is linear in its length.
        language: Of stop words (English) and stems (any Snowball language); "none" = neither.
            Scripts without spaces are cut into pairs whatever the language is.
        asking: Leave out the single Han, kana or Hangul characters of which pairs are there:
            they are stored so that a question of one character finds something, and would
            only blur a longer one.

    Returns:
        Tokens of at most 64 characters; a hyphenated word or an identifier gives itself
        without its joints and then its parts ("INV-1041" -> "inv1041", "inv", "1041").

    Raises:
        ConfigError: `language` is unknown.
    """
    check_language(language)
    return [token[:_MAX_TOKEN_LENGTH] for token in _tokens(text, language, asking)]


def search_text(*texts: str, language: str = "english") -> str:
    """Return what an index holds for these texts: their tokens, joined by spaces.

    Beyond 20,000 tokens each further word counts once only, so that a text of a megabyte
    stays findable by every word without filling the index.
    """
    kept: list[str] = []
    seen: set[str] = set()
    for text in texts:
        for token in analyse(text, language):
            if len(kept) >= _COUNTED_TOKENS and token in seen:
                continue
            seen.add(token)
            kept.append(token)
    return " ".join(kept)


def lucene_query(tokens: Sequence[str], filters: Mapping[str, str]) -> str | None:
    """Return a Lucene query for any of `tokens` under all of `filters`.

    A token counts once. Of more than 512 different ones the first 256 and the last 256 are
    asked: a pasted document says what it is about at its beginning, and a question that
    follows it stands at its end.

    Args:
        tokens: From `analyse`; whatever they hold, they are plain words to Lucene.
        filters: Value by field ("scope_token"); each must hold and adds nothing to the score.

    Returns:
        The query, or None when there is no token: an empty query must not be asked.
    """
    distinct = [token for token in dict.fromkeys(tokens) if token.strip()]
    if not distinct:
        return None
    if len(distinct) > MAX_QUERY_TOKENS:
        half = MAX_QUERY_TOKENS // 2
        distinct = distinct[:half] + distinct[-half:]
    parts = [f"+{name}:{_escaped(value)}^0" for name, value in filters.items()]
    words = " ".join(_escaped(token) for token in distinct)
    return " ".join([*parts, f"+search_text:({words})"])


def term_key(name: str) -> str:
    """Return the key under which a name is one Term, however it is written.

    NFKC and casefold: "Café Zoë" composed or not, full-width and plain letters, "straße" and
    "STRASSE" are one each. "C", "C++" and "C#" stay three. A key of more than 200
    characters is cut and ends in the hash of the whole.
    """
    key = " ".join(_folded(name).split())
    if len(key) <= _MAX_KEY_LENGTH:
        return key
    tail = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:_KEY_HASH_LENGTH]
    return f"{key[: _MAX_KEY_LENGTH - _KEY_HASH_LENGTH - 1]}~{tail}"


def canonical_form(text: str) -> str:
    """Return `text` in NFC, lower case, with single spaces and trimmed.

    Source: Graphorin, exact-hash stage of the conflict pipeline.
    """
    return " ".join(unicodedata.normalize("NFC", text).lower().split())


def canonical_hash(text: str) -> str:
    """Return the MD5 of the canonical form, as 32 hex digits; equal texts hash equal."""
    form = canonical_form(text).encode("utf-8", "surrogatepass")
    return hashlib.md5(form, usedforsecurity=False).hexdigest()


def check_text(value: object, name: str) -> str:
    """Return `value` when it is text that can be stored as it is.

    Args:
        value: What the caller handed in.
        name: The parameter's name, for the message.

    Raises:
        InputError: It is no text, blank, or holds a character that cannot be stored.
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {type(value).__name__}")
    if not value.strip():
        raise InputError(f"{name} is empty: there is nothing in it to remember")
    if "\0" in value:
        raise InputError(
            f"{name} holds a NUL character at position {value.index(chr(0))}: "
            "remove it, no text has one"
        )
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} holds half of a surrogate pair at position {error.start}: the text was cut "
            "in the middle of a character; use text.encode('utf-8', 'replace').decode('utf-8')"
        ) from None
    return value


def check_language(language: str) -> str:
    """Return `language` when words of it can be analysed.

    Raises:
        ConfigError: It is neither "none" nor a language that Snowball stems.
    """
    if language != "none" and language not in _languages():
        raise ConfigError(
            f"language {language!r} is not known: use 'none' or one of "
            f"{', '.join(sorted(_languages()))}"
        )
    return language


def _tokens(text: str, language: str, asking: bool) -> Iterator[str]:
    stop_words = _STOP_WORDS if language == "english" else frozenset()
    for match in _CHUNK.finditer(_prepared(text)):
        chunk = match.group()
        match match.lastgroup:
            case "unspaced":
                yield from _pairs(chunk, asking)
            case "signed":
                yield chunk
            case "emoji":
                yield from _emoji(chunk)
            case _:
                yield from _word(chunk, language, stop_words)


def _prepared(text: str) -> str:
    # userName is cut where user_name is; a name such as GitHub begins with a capital and stays.
    text = _CAMEL_WORD.sub(lambda word: _CAMEL.sub("_", word.group()), text)
    text = _THOUSANDS.sub("", text)
    if text.isascii():
        return text.lower()
    return _OPTIONAL.sub("", _folded(text.translate(_APOSTROPHES)))


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _pairs(run: str, asking: bool) -> Iterator[str]:
    if len(run) == 1 or not asking:
        yield from run
    for at in range(len(run) - 1):
        yield run[at : at + 2]


def _emoji(sequence: str) -> Iterator[str]:
    yield sequence
    plain = _EMOJI_MODIFIERS.sub("", sequence)
    if plain != sequence:
        yield plain


def _word(chunk: str, language: str, stop_words: frozenset[str]) -> Iterator[str]:
    if chunk in stop_words:
        return
    chunk = chunk.removesuffix("'s")
    if chunk.isalnum():
        if chunk not in stop_words:
            yield _stem(chunk, language)
        return
    parts = [part for part in _JOINT.split(chunk) if part]
    if "'" in chunk and len(parts) > 1 and language in _ELIDING:
        parts = parts[-1:]
    elif len(parts) > 1:
        yield _stem(_whole(chunk), language)
    is_only_apostrophes = _JOINT.sub("'", chunk) == chunk and "'" in chunk
    if is_only_apostrophes and language not in _ELIDING:
        return
    for part in parts:
        if part not in stop_words and (len(part) > 1 or len(parts) == 1):
            yield _stem(part, language)


def _whole(chunk: str) -> str:
    # Joints go (e-mail = email, GPT-4 = GPT4) but between digits they are part of the number:
    # 1.5 is not 15.
    return re.sub(r"(?<!\d)[_'.:@&+\-]+|[_'.:@&+\-]+(?!\d)", "", chunk)


@lru_cache(maxsize=_STEM_CACHE_SIZE)
def _stem(word: str, language: str) -> str:
    if language != "none" and len(word) <= _MAX_TOKEN_LENGTH and word.isalpha():
        stemmer = _stemmer(language)
        with _STEMMING:
            word = stemmer.stemWord(word)
    if word.isascii():
        return word
    folded = _LATIN_ACCENT.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", folded)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


# A Snowball stemmer keeps the word it works on in itself: one at a time.
_STEMMING = threading.Lock()


@cache
def _stemmer(language: str) -> _Stemmer:
    import snowballstemmer  # type: ignore[import-untyped]  # it brings no types

    stemmer: _Stemmer = snowballstemmer.stemmer(language)
    return stemmer


@cache
def _languages() -> frozenset[str]:
    import snowballstemmer

    return frozenset(snowballstemmer.algorithms())


def _escaped(token: str) -> str:
    if token in _LUCENE_OPERATORS:
        return f"\\{token}"
    return "".join(_escaped_characters(token))


def _escaped_characters(token: str) -> Iterable[str]:
    for char in token:
        if char.isascii() and not char.isalnum() and char != "_":
            yield f"\\{char}"
        else:
            yield char
