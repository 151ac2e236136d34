"""What keeps statements apart: numbers, names and "not"; and what keeps a fact from retiring."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from graphmem.graph.conflict.comparing.contrast import contrast, has_other_words
from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import Statement
from graphmem.text import analyse, term_key

__all__ = [
    "contradicts",
    "difference",
    "has_other_identifier",
    "has_other_leading_name",
    "is_merely_near",
    "is_one_sided",
    "names_same",
    "opens_alike",
]

_TOKEN = re.compile(r"[$€£]?[\w@#+°%](?:[\w@#+%°'\u2019]|[.,:/\-&](?=[\w+#]))*")
_NUMBER = re.compile(r"[$€£]?(\d+(?:[.,:/\-]\d+)*)([a-z%°€$£µ]{0,3})")
_THOUSANDS = re.compile(r"(?<=\d)[,.](?=\d{3}(?:\D|$))")
# Signs that every language writes alike.
_UNIT_SIGNS = """
mg g kg t ml cl l m km cm mm mi h min s ms % usd eur gbp kb mb gb tb °c °f
"""
_UNITS = frozenset(_UNIT_SIGNS.split())
_MIDDLE = re.compile(r"[._@/#+:\d]")
# With a letter and a digit: "inv-1041", "7c"; "10 mg" is none.
_IDENTIFIER = re.compile(r"(?=[^\s\d]*\d)(?=\S*[^\W\d_])\S+")
_SENTENCE_END = re.compile(r"[.!?]\s*$")


def difference(packs: Sequence[LocalePack], one: Statement, other: Statement) -> str | None:
    """Return why two statements are not the same however near they are, None where none is seen.

    Numbers, units, days and identifiers are compared in their order, and so are names.
    """
    if one.is_negated != other.is_negated:
        return "one says it and the other denies it"
    return _texts_differ(packs, one, other) or _parts_differ(one, other)


def _texts_differ(packs: Sequence[LocalePack], one: Statement, other: Statement) -> str | None:
    if _figures(packs, one.text) != _figures(packs, other.text):
        return "a number, a date or an identifier differs"
    if _names_differ(packs, one.text, other.text, _said_otherwise(one, other)):
        return "a proper name differs"
    return contrast(packs, one.text, other.text)


def _parts_differ(one: Statement, other: Statement) -> str | None:
    if one.has_parts and other.has_parts:
        if one.subject_key != other.subject_key:
            return "they are about different subjects"
        if not is_one_sided(one.object_key, other.object_key):
            return "what they say of the subject differs"
    return None


def is_merely_near(packs: Sequence[LocalePack], one: Statement, other: Statement) -> bool:
    """Return whether two statements are near to an embedder, and nothing says that they are one.

    A judge may find that they are.
    """
    if one.has_parts and other.has_parts:
        # "Recorded by" and "written by" lie close together, and are two things.
        if not is_one_sided(one.predicate_key, other.predicate_key):
            return True
        if one.predicate_key == other.predicate_key and one.object_key == other.object_key:
            return False
    # Without capitals any word may be a name.
    return has_other_words(packs, one.text, other.text)


def is_one_sided(one: str, other: str) -> bool:
    """Return whether one object only says more than the other: "lyon" and "lyon, france"."""
    if one == other or not one or not other:
        return True
    first, second = set(analyse(one)), set(analyse(other))
    if not first or not second:
        return False
    return first <= second or second <= first


def names_same(packs: Sequence[LocalePack], one: str, other: str) -> bool:
    """Return whether two objects are the same, "a dog", "my dog" and "dog" among them."""
    if one == other:
        return True
    articles = {word for pack in packs for word in pack.articles}
    first, second = (
        [word for word in _without_indefinite(packs, key).split() if word not in articles]
        for key in (one, other)
    )
    return bool(first) and first == second


def _without_indefinite(packs: Sequence[LocalePack], key: str) -> str:
    found = [pack.indefinites.match(key) for pack in packs if pack.indefinites]
    return key[max((match.end() for match in found if match), default=0) :]


def contradicts(
    packs: Sequence[LocalePack], one: Statement, other: Statement, *, is_told: bool = False
) -> bool:
    """Return whether two objects of a predicate that has one at a time exclude each other.

    Args:
        packs: The languages.
        one: A statement.
        other: Another of the same slot.
        is_told: A marker says that something changed: a name and a description then may.
    """
    if one.object_key == other.object_key or is_one_sided(one.object_key, other.object_key):
        return False
    kinds = {_kind(packs, statement) for statement in (one, other)}
    if len(kinds) > 1:
        return False
    is_place_or_so = [
        any(pack.prepositions and pack.prepositions.match(key) for pack in packs)
        for key in (one.object_key, other.object_key)
    ]
    if is_place_or_so[0] != is_place_or_so[1]:
        # "My wife is Eva" and "My wife is from Ulm".
        return False
    shapes = {_shape(packs, statement) for statement in (one, other)}
    if is_told or len(shapes) == 1:
        return True
    is_attribute = any(
        pack.single_attributes and pack.single_attributes.fullmatch(one.predicate_key)
        for pack in packs
    )
    # "My wife is Eva" and "My wife is tired", "lives in Paris" and "lives in fear".
    return shapes == {"", "plain"} and not is_attribute


def has_other_identifier(packs: Sequence[LocalePack], one: str, other: str) -> bool:
    """Return whether each of two texts names an identifier that the other does not."""
    first, second = (
        {figure for figure in _figures(packs, text) if _IDENTIFIER.fullmatch(figure)}
        for text in (one, other)
    )
    return bool(first - second and second - first)


def has_other_leading_name(packs: Sequence[LocalePack], one: str, other: str) -> bool:
    """Return whether both texts begin with a name, and not with the same."""
    first, second = _leading_name(packs, one), _leading_name(packs, other)
    return bool(first and second and first != second)


def opens_alike(packs: Sequence[LocalePack], one: str, other: str) -> bool:
    """Return whether two texts say the same kind of thing of the same, in the same words.

    Their common beginning must go on after what they are about: "The dog sleeps in the hall"
    and "The dog sleeps in the kitchen", but not "Ines works ..." and "Ines runs ...". Where
    they go on alike after they differed, the difference may be what they are about: "The pump of
    hall 3 takes 12 litres", "The pump of hall 4 takes 15 litres".
    """
    common = 0
    is_told = False
    left, right = _tokens(one), _tokens(other)
    for place, (first, second) in enumerate(zip(left, right, strict=False)):
        word = first.casefold()
        if word != second.casefold():
            return is_told and not _is_about_another(packs, left[place:], right[place:])
        if _is_common(packs, word):
            continue
        is_told = is_told or (common > 0 and first == word)
        common += 1
    return is_told


def _is_about_another(
    packs: Sequence[LocalePack], one: Sequence[str], other: Sequence[str]
) -> bool:
    """Return whether a word of its own weight stands in both behind a first difference.

    It counts where the difference is one of names, or other words follow on it.
    """
    are_names = one[0][0].isupper() and other[0][0].isupper()
    left, right = ([token.casefold() for token in tokens] for tokens in (one, other))
    return any(
        not _is_common(packs, word)
        and word in right
        and (are_names or left[place:] != right[right.index(word) :])
        for place, word in enumerate(left)
    )


def _is_common(packs: Sequence[LocalePack], word: str) -> bool:
    return any(word in pack.common_words or word in pack.first_person for pack in packs)


def _figures(packs: Sequence[LocalePack], text: str) -> tuple[str, ...]:
    """Return numbers with their units, dates, number words and identifiers, in their order."""
    found: list[str] = []
    tokens = _tokens(text)
    for place, token in enumerate(tokens):
        word = token.casefold()
        after = tokens[place + 1].casefold() if place + 1 < len(tokens) else ""
        number = _NUMBER.fullmatch(word)
        if number:
            unit = number.group(2) or (after if _is_unit(packs, after) else "")
            found.append(_THOUSANDS.sub("", number.group(1)))
            if unit or word[0] in "$€£":
                found[-1] += f" {word[0] if word[0] in '$€£' else unit}"
        elif _MIDDLE.search(word):
            found.append(word)
        else:
            found += _written(packs, word)
    return tuple(found)


def _is_unit(packs: Sequence[LocalePack], word: str) -> bool:
    return word in _UNITS or any(word in pack.units for pack in packs)


def _written(packs: Sequence[LocalePack], word: str) -> list[str]:
    for pack in packs:
        if word in pack.numbers:
            return [pack.numbers[word]]
        if word in pack.calendar:
            return [word]
    return []


def _said_otherwise(one: Statement, other: Statement) -> set[str]:
    """Return the words of names that mean the same in both: they tell nothing apart."""
    names: list[str] = []
    if one.subject_key == other.subject_key and (one.subject_via or other.subject_via):
        names += [one.subject_key, one.subject_via, other.subject_via]
    if one.object_key == other.object_key and (one.object_via or other.object_via):
        names += [one.object_key, one.object_via, other.object_via]
    return {_bare(token) for name in names for token in _tokens(name)}


def _names_differ(
    packs: Sequence[LocalePack], one: str, other: str, aliases: Collection[str] = ()
) -> bool:
    first, second = (
        [name for name in _names(packs, text) if name not in aliases] for text in (one, other)
    )
    words = [{_bare(token) for token in _tokens(text)} for text in (one, other)]
    if any(name not in words[1] for name in first) or any(name not in words[0] for name in second):
        return True
    shared = set(first) & set(second)
    return [name for name in first if name in shared] != [name for name in second if name in shared]


def _names(packs: Sequence[LocalePack], text: str) -> list[str]:
    found: list[str] = []
    is_first = True
    for match in _TOKEN.finditer(text):
        token = match.group()
        begins = is_first or bool(
            _SENTENCE_END.search(text[max(0, match.start() - 3) : match.start()])
        )
        is_first = False
        word = _bare(token)
        if not token[0].isupper() or _is_common(packs, word):
            continue
        if begins and not _may_begin_as_name(packs, text[match.start() :], word):
            continue
        found.append(word)
    return found


def _may_begin_as_name(packs: Sequence[LocalePack], rest: str, word: str) -> bool:
    """Return whether the capital of a sentence's first word may be that of a name."""
    if any(word.endswith(pack.verb_endings) for pack in packs):
        return False
    return not any(phrase.pattern.match(rest) for pack in packs for phrase in pack.phrases)


def _leading_name(packs: Sequence[LocalePack], text: str) -> str:
    tokens = _tokens(text)
    names = _names(packs, text)
    return _bare(tokens[0]) if tokens and names and names[0] == _bare(tokens[0]) else ""


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text))


def _bare(token: str) -> str:
    return token.casefold().replace("\u2019", "'").removesuffix("'s").rstrip("'")


def _kind(packs: Sequence[LocalePack], statement: Statement) -> str:
    for pack in packs:
        for name, pattern in pack.kinds.get(statement.predicate_key, ()):
            if pattern.fullmatch(statement.object_key):
                return name
    return ""


def _shape(packs: Sequence[LocalePack], statement: Statement) -> str:
    """Return "named", "plain", or "" where the writing does not tell."""
    key = statement.object_key
    if any(pack.indefinites and pack.indefinites.match(key) for pack in packs):
        return "plain"
    tokens = _tokens(statement.text)
    within = set(key.split())
    written = [token for token in tokens if term_key(token) in within]
    # "Siena with two cats", "the old Siena".
    ends = (*written[:1], *written[-1:])
    if any(char.isdigit() for char in key) or any(token[0].isupper() for token in ends):
        return "named"
    return ""
