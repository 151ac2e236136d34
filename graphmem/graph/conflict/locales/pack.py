"""What the pipeline knows of a language: its markers, its predicates, its words for "not"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import get_args

from graphmem.errors import ConfigError
from graphmem.graph.conflict.model import Cardinality

__all__ = ["Family", "LocalePack", "Loose", "Marker", "Phrase", "define_locale_pack"]

Rewrite = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Marker:
    """Words that say that something changed, or that it does not hold.

    Attributes:
        name: What the conflict log calls it.
        pattern: A regular expression, matched on whole words whatever their case. A group
            `old` names what was before ("instead of (?P<old>tea)").
        confidence: How surely it says so, 0..1; of several the surest counts.
        acts_on_multi: Whether it says so too of what may have several values at once: "now
            speaks" does not, "switched to" does.
    """

    name: str
    pattern: str
    confidence: float = 0.8
    acts_on_multi: bool = False


@dataclass(frozen=True, slots=True)
class Family:
    """Ways to say one predicate.

    Attributes:
        name: Key of the predicate, the same in every language.
        phrases: Regular expressions of what stands between subject and object. With groups
            `subject` and `object` they may stand elsewhere.
        opposites: Such that say the contrary ("hates").
        past: Such that tell of a former time and say nothing of now ("lived in").
        alone: Such of the former that need no object ("is married").
        attributes: Nouns that mean it ("wife" in "Ana's wife is Bea"), as patterns.
        cardinality: Whether a subject has one object at a time or several.
        kinds: Pattern of the object by kind. Objects of two kinds do not exclude each other:
            somebody lives in a city, in a country and in a flat.
        loose: Such of its phrases that mean it only of some objects: who "moved to Oslo" lives
            there, who "moved to Vim" does not.
        examples: Objects of which these mean it, as keys.
        forms: Patterns of such objects.
        cues: Patterns of what shows it elsewhere in the sentence.
        evidence: Keys of predicates whose objects are such, besides its own.
        is_timeless: A date in it is no time from when on it holds: who was born in 1990 is born
            then for ever.
        of_kinds: It is said of kinds of things, too: "a ticket costs $10".
    """

    name: str
    phrases: tuple[str, ...] = ()
    opposites: tuple[str, ...] = ()
    past: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    cardinality: Cardinality = "unknown"
    kinds: tuple[tuple[str, str], ...] = ()
    loose: tuple[str, ...] = ()
    examples: frozenset[str] = frozenset()
    forms: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    evidence: frozenset[str] = frozenset()
    is_timeless: bool = False
    of_kinds: bool = False


@dataclass(frozen=True, slots=True)
class Loose:
    """When a loose phrase means its predicate, compiled; see `Family`."""

    phrase: re.Pattern[str]
    form: re.Pattern[str] | None
    cue: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Phrase:
    """One compiled way to say a predicate; `sense` is "holds", "alone", "contrary" or "past"."""

    key: str
    sense: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, eq=False)
class LocalePack:
    """A language, compiled by `define_locale_pack`; see there for the parts."""

    id: str
    families: Mapping[str, Family]
    markers: tuple[tuple[Marker, re.Pattern[str]], ...]
    negations: tuple[tuple[Marker, re.Pattern[str]], ...]
    phrases: tuple[Phrase, ...]
    attributes: tuple[tuple[str, re.Pattern[str]], ...]
    kinds: Mapping[str, tuple[tuple[str, re.Pattern[str]], ...]]
    normalisers: tuple[tuple[re.Pattern[str], str], ...]
    predicate_normalisers: tuple[tuple[re.Pattern[str], str], ...]
    attribute_forms: tuple[re.Pattern[str], ...]
    single_attributes: re.Pattern[str] | None
    many_attributes: re.Pattern[str] | None
    hedges: re.Pattern[str] | None
    additions: re.Pattern[str] | None
    fillers: re.Pattern[str] | None
    leads: re.Pattern[str] | None
    tails: re.Pattern[str] | None
    cuts: re.Pattern[str] | None
    breaks: re.Pattern[str] | None
    determiners: re.Pattern[str] | None
    indefinites: re.Pattern[str] | None
    generic_objects: re.Pattern[str] | None
    formers: re.Pattern[str] | None
    asides: re.Pattern[str] | None
    one_of_many: re.Pattern[str] | None
    since: re.Pattern[str] | None
    until: re.Pattern[str] | None
    months: tuple[re.Pattern[str], ...]
    agos: tuple[tuple[str, re.Pattern[str]], ...]
    loose: Mapping[str, Loose]
    first_person: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    clause_words: frozenset[str] = frozenset()
    common_words: frozenset[str] = frozenset()
    calendar: frozenset[str] = frozenset()
    numbers: Mapping[str, str] = field(default_factory=dict)
    contrasts: tuple[tuple[str, str], ...] = ()
    contrary_prefixes: tuple[str, ...] = ()
    conjunctions: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    auxiliaries: Mapping[str, str] = field(default_factory=dict)
    milestones: re.Pattern[str] | None = None
    passing: re.Pattern[str] | None = None
    limits: re.Pattern[str] | None = None
    prepositions: re.Pattern[str] | None = None
    before_dates: frozenset[str] = frozenset()
    decade_endings: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    verb_endings: tuple[str, ...] = ()


def define_locale_pack(
    id: str,  # noqa: A002 - the name that Graphorin's packs have
    *,
    markers: Iterable[Marker] = (),
    negations: Iterable[Marker] = (),
    families: Iterable[Family] = (),
    normalisers: Iterable[Rewrite] = (),
    predicate_normalisers: Iterable[Rewrite] = (),
    attribute_forms: Iterable[str] = (),
    single_attributes: str = "",
    many_attributes: str = "",
    hedges: Iterable[str] = (),
    additions: Iterable[str] = (),
    fillers: Iterable[str] = (),
    leads: Iterable[str] = (),
    tails: Iterable[str] = (),
    cuts: Iterable[str] = (),
    breaks: Iterable[str] = (),
    determiners: Iterable[str] = (),
    indefinites: Iterable[str] = (),
    generic_objects: Iterable[str] = (),
    formers: Iterable[str] = (),
    asides: Iterable[str] = (),
    one_of_many: Iterable[str] = (),
    since: Iterable[str] = (),
    until: Iterable[str] = (),
    months: Iterable[str] = (),
    agos: Iterable[tuple[str, str]] = (),
    first_person: Iterable[str] = (),
    pronouns: Iterable[str] = (),
    clause_words: Iterable[str] = (),
    common_words: Iterable[str] = (),
    calendar: Iterable[str] = (),
    numbers: Mapping[str, str] | None = None,
    contrasts: Iterable[tuple[str, str]] = (),
    contrary_prefixes: Iterable[str] = (),
    conjunctions: Iterable[str] = (),
    speakers: Iterable[str] = (),
    articles: Iterable[str] = (),
    auxiliaries: Mapping[str, str] | None = None,
    milestones: Iterable[str] = (),
    passing: Iterable[str] = (),
    limits: Iterable[str] = (),
    prepositions: Iterable[str] = (),
    before_dates: Iterable[str] = (),
    decade_endings: Iterable[str] = (),
    units: Iterable[str] = (),
    abbreviations: Iterable[str] = (),
    verb_endings: Iterable[str] = (),
) -> LocalePack:
    """Return a checked and compiled locale pack.

    Patterns are regular expressions; they match whole words whatever their case, in the first
    600 characters of a statement. Keep repeats bounded: a pattern that backtracks without end
    holds up every write.

    Args:
        id: Short name of the language, such as "en".
        markers: Words that say that something changed.
        negations: Words that say that it does not hold (any more).
        families: The predicates, each with the ways to say it.
        normalisers: (pattern, replacement) for the sentence: contractions, idioms.
        predicate_normalisers: The same for a predicate that is of no family.
        attribute_forms: Whole sentences with groups `name`, `object` and maybe `subject`, which
            is the first person where it is missing ("my (?P<name>...) is (?P<object>...)").
        single_attributes: Pattern of attribute names of which there is one at a time.
        many_attributes: Pattern of those of which there may be several.
        hedges: What shows that a statement is wished, supposed, quoted or asked.
        additions: What shows that it comes on top of what was ("also").
        fillers: Words that may stand anywhere and change nothing ("currently").
        leads: What may stand before the subject ("Since May,").
        tails: What may stand after the object and tells nothing but the time ("these days").
        cuts: Where an object ends and further detail begins ("because").
        breaks: Where a second statement begins.
        determiners: What is left out before a name ("the").
        indefinites: Beginnings that show that an object is no name ("a", "my").
        generic_objects: Objects that name nothing ("my job").
        formers: What shows that a statement tells of a former time ("as a child").
        asides: What begins a clause that tells more of the object ("where she").
        one_of_many: Subjects of whom there may be several, keys as a whole ("my friend").
        since: What stands before a time from when on something goes on ("since").
        until: What stands after that time and says until when ("to", of "from 2010 to 2012").
        months: The twelve, as they stand before a year, in their order.
        agos: (what, pattern) of times counted back; what is "last year", "last month", "month",
            "year" or "decade", the latter three with a group `count`.
        first_person: Words for who speaks.
        pronouns: Words for somebody who is not named.
        clause_words: Words that no plain subject holds ("who", "said").
        common_words: Words that begin sentences with a capital and are no names.
        calendar: Days and months.
        numbers: Digits by number word.
        contrasts: Pairs of words that say the opposite of each other ("open", "closed").
        contrary_prefixes: What makes a word its opposite ("un").
        conjunctions: Words of a list, around which its parts may change places ("and").
        speakers: The words for who speaks that stand before a verb ("I").
        articles: Words that stand before a thing and name none of several ("a", "any").
        auxiliaries: The plainest form of "be" and "have" by every present form.
        milestones: Times of a life or a story that may have been long ago ("after school", "then").
        passing: What shows that it may hold for a while, or beside something else ("for now").
        limits: Beginnings of a detail that says of what part something is so ("with my boss").
        prepositions: Beginnings of an object that is no name ("from", of "is from Ulm").
        before_dates: Words behind which a year in an object is a date and no part of a name
            ("in"), besides the months.
        decade_endings: What makes a year its decade ("s", of "1990s").
        units: Words and letters that are one with the number before them ("hours").
        abbreviations: Words whose full stop ends no sentence, written as they are ("Dr").
        verb_endings: Endings of words that begin a sentence and are no names ("ing").

    Raises:
        ConfigError: A name is missing or twice there, a pattern is broken or matches nothing
            at all, or a confidence is not in 0..1; the message says which.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,34}", id):
        raise ConfigError(f"a locale pack needs a short id such as 'en', got {id!r}")
    families, markers, negations = tuple(families), tuple(markers), tuple(negations)
    _check_names(id, "family", [family.name for family in families])
    _check_names(id, "marker", [marker.name for marker in chain(markers, negations)])
    for family in families:
        if family.cardinality not in get_args(Cardinality):
            raise ConfigError(
                f"family {family.name!r} of locale pack {id!r} has cardinality "
                f"{family.cardinality!r}: use one of {', '.join(get_args(Cardinality))}"
            )
    part = _Parts(id)
    return LocalePack(
        id=id,
        families={family.name: family for family in families},
        markers=part.markers(markers),
        negations=part.markers(negations),
        phrases=tuple(chain.from_iterable(part.phrases(family) for family in families)),
        attributes=tuple(
            (family.name, part.words(f"attributes of {family.name}", family.attributes))
            for family in families
            if family.attributes
        ),
        kinds={
            family.name: tuple(
                (name, part.words(f"kind {name} of {family.name}", [pattern]))
                for name, pattern in family.kinds
            )
            for family in families
            if family.kinds
        },
        normalisers=part.rewrites("normalisers", normalisers),
        predicate_normalisers=part.rewrites(
            "predicate_normalisers", predicate_normalisers, is_whole=False
        ),
        attribute_forms=tuple(part.form(pattern) for pattern in attribute_forms),
        single_attributes=part.optional("single_attributes", filter(None, [single_attributes])),
        many_attributes=part.optional("many_attributes", filter(None, [many_attributes])),
        hedges=part.optional("hedges", hedges),
        additions=part.optional("additions", additions),
        fillers=part.optional("fillers", fillers),
        leads=part.optional("leads", leads, is_whole=False),
        tails=part.optional("tails", tails),
        cuts=part.optional("cuts", cuts, is_whole=False),
        breaks=part.optional("breaks", breaks, is_whole=False),
        determiners=part.optional("determiners", determiners),
        indefinites=part.optional("indefinites", indefinites),
        generic_objects=part.optional("generic_objects", generic_objects),
        formers=part.optional("formers", formers),
        asides=part.optional("asides", asides),
        one_of_many=part.optional("one_of_many", one_of_many),
        since=part.optional("since", since),
        until=part.optional("until", until),
        months=tuple(part.words("months", [month]) for month in months),
        agos=tuple((name, part.words(f"agos of {name}", [pattern])) for name, pattern in agos),
        loose={
            family.name: Loose(
                part.words(f"loose of {family.name}", family.loose),
                part.optional(f"forms of {family.name}", family.forms),
                part.optional(f"cues of {family.name}", family.cues),
            )
            for family in families
            if family.loose
        },
        first_person=_folded(first_person),
        pronouns=_folded(pronouns),
        clause_words=_folded(clause_words),
        common_words=_folded(common_words),
        calendar=_folded(calendar),
        numbers={word.casefold(): digits for word, digits in (numbers or {}).items()},
        contrasts=tuple((one.casefold(), other.casefold()) for one, other in contrasts),
        contrary_prefixes=tuple(prefix.casefold() for prefix in contrary_prefixes),
        conjunctions=_folded(conjunctions),
        speakers=_folded(speakers),
        articles=_folded(articles),
        auxiliaries=dict(auxiliaries or {}),
        milestones=part.optional("milestones", milestones),
        passing=part.optional("passing", passing),
        limits=part.optional("limits", limits),
        prepositions=part.optional("prepositions", prepositions),
        before_dates=_folded(before_dates),
        decade_endings=frozenset(decade_endings),
        units=_folded(units),
        abbreviations=frozenset(abbreviations),
        verb_endings=tuple(ending.casefold() for ending in verb_endings),
    )


class _Parts:
    """Compiles the parts of one pack, and names the part in what it raises."""

    def __init__(self, pack: str) -> None:
        self._pack = pack

    def words(
        self, where: str, patterns: Iterable[str], *, is_whole: bool = True
    ) -> re.Pattern[str]:
        patterns = tuple(patterns)
        for pattern in patterns:
            self._check(where, pattern)
        joined = "|".join(f"(?:{pattern})" for pattern in patterns)
        return re.compile(rf"(?<!\w)(?:{joined})(?!\w)" if is_whole else joined, re.IGNORECASE)

    def optional(
        self, where: str, patterns: Iterable[str], *, is_whole: bool = True
    ) -> re.Pattern[str] | None:
        patterns = tuple(patterns)
        return self.words(where, patterns, is_whole=is_whole) if patterns else None

    def markers(self, markers: Iterable[Marker]) -> tuple[tuple[Marker, re.Pattern[str]], ...]:
        compiled = []
        for marker in markers:
            if not 0 <= marker.confidence <= 1:
                raise ConfigError(
                    f"marker {marker.name!r} of locale pack {self._pack!r} has confidence "
                    f"{marker.confidence}: it must be in 0..1"
                )
            compiled.append((marker, self.words(f"marker {marker.name}", [marker.pattern])))
        return tuple(compiled)

    def phrases(self, family: Family) -> Iterable[Phrase]:
        senses = (
            ("holds", family.phrases),
            ("alone", family.alone),
            ("contrary", family.opposites),
            ("past", family.past),
        )
        for sense, patterns in senses:
            where = f"family {family.name}"
            # A group's name may stand once in a pattern.
            plain = [pattern for pattern in patterns if "(?P<" not in pattern]
            if plain:
                yield Phrase(family.name, sense, self.words(where, plain))
            for pattern in patterns:
                if "(?P<" in pattern:
                    yield Phrase(family.name, sense, self.words(where, [pattern]))

    def rewrites(
        self, where: str, pairs: Iterable[Rewrite], *, is_whole: bool = True
    ) -> tuple[tuple[re.Pattern[str], str], ...]:
        return tuple(
            (self.words(where, [pattern], is_whole=is_whole), said) for pattern, said in pairs
        )

    def form(self, pattern: str) -> re.Pattern[str]:
        compiled = self.words("attribute_forms", [pattern])
        if not {"name", "object"} <= set(compiled.groupindex):
            raise ConfigError(
                f"attribute_forms of locale pack {self._pack!r} holds {pattern!r}: it needs the "
                "groups (?P<name>...) and (?P<object>...)"
            )
        return compiled

    def _check(self, where: str, pattern: str) -> None:
        try:
            matches_nothing = re.compile(pattern).fullmatch("") is not None
        except re.error as error:
            raise ConfigError(
                f"{where} of locale pack {self._pack!r} holds {pattern!r}, which is no regular "
                f"expression: {error}"
            ) from None
        if matches_nothing:
            raise ConfigError(
                f"{where} of locale pack {self._pack!r} holds {pattern!r}, which matches the "
                "empty text and so everywhere: name at least one word"
            )


def _check_names(pack: str, what: str, names: list[str]) -> None:
    for name in names:
        if not name.strip():
            raise ConfigError(f"a {what} of locale pack {pack!r} has no name")
        if names.count(name) > 1:
            raise ConfigError(f"locale pack {pack!r} has two of {what} {name!r}: name each once")


def _folded(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
