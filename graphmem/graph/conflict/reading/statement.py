"""Takes a statement apart: what it is about, what it says of it, and whether it says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphmem.graph.conflict.locales.pack import LocalePack, Marker, Phrase
from graphmem.graph.conflict.reading.parsed import Parsed, is_former, is_loose
from graphmem.graph.conflict.reading.whole import whole_key
from graphmem.graph.conflict.reading.wording import (
    collapsed,
    goes_on_in_another,
    is_hedged,
    is_negated,
    rewritten,
    without_negations,
)
from graphmem.text import term_key

__all__ = [
    "MAX_CHARACTERS",
    "Parsed",
    "family_key",
    "normalised",
    "split",
]

# A plain statement is a sentence; this bounds the time of every pattern.
MAX_CHARACTERS = 600
_MAX_SUBJECT_WORDS = 6
_MAX_OBJECT_WORDS = 12

_QUOTES = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u2018": "'", "\u201d": '"', "\u201c": '"'})
_QUOTED = re.compile(
    r'"[^"]{1,300}"|\u201e[^"\u201c\u201d]{1,300}["\u201c\u201d]|\u00ab[^\u00bb]{1,300}\u00bb'
)
_JOINTS = re.compile(r"[_\s]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EDGES = " \t\r\n.,;:!?\"'()[]-\u2013\u2014"


def split(
    packs: Sequence[LocalePack],
    text: str,
    subject: str | None = None,
    predicate: str | None = None,
    object: str | None = None,  # noqa: A002 - a triple's third part
) -> Parsed:
    """Return a statement's parts: of the triple where it is given, else of its sentence.

    Args:
        packs: The languages, tried in order; the first that finds its way counts.
        text: The sentence; beyond 600 characters it is read as a text and not split.
        subject: Of a given triple, with the two that follow; None or "" = not given.
        predicate: As above.
        object: As above.
    """
    sentence = text.strip().translate(_QUOTES)
    if subject and predicate and object:
        return _triple(packs, sentence[:MAX_CHARACTERS], subject, predicate, object)
    if len(sentence) <= MAX_CHARACTERS:
        for pack in packs:
            found = _sentence(pack, sentence)
            if found is not None:
                return found
        found = _whole(packs, sentence)
        if found is not None:
            return found
    start = sentence[:MAX_CHARACTERS]
    found = _with_marker(packs, start, Parsed(is_negated=is_negated(packs, start)))
    return replace(found, is_hedged=is_hedged(packs, start))


def normalised(packs: Sequence[LocalePack], predicate: str) -> str:
    """Return a predicate's key where no family knows it: "Has_Used" and "has used" are one."""
    words = term_key(_plain(predicate))
    for pack in packs:
        for pattern, said in pack.predicate_normalisers:
            words = pattern.sub(said, words).strip() or words
    return words


def family_key(packs: Sequence[LocalePack], attribute: str) -> str:
    """Return the key of an attribute ("wife", "desk"): its family's name, else its own."""
    words = term_key(_plain(attribute))
    for pack in packs:
        for name, pattern in pack.attributes:
            if pattern.fullmatch(words):
                return name
    return words


def _triple(
    packs: Sequence[LocalePack], text: str, subject: str, predicate: str, object_: str
) -> Parsed:
    key, sense, is_not = _predicate(packs, predicate, object_)
    is_negated = is_not != (sense == "contrary")
    if any(is_former(pack, text) for pack in packs):
        # That something was not so once says nothing of what was.
        key, sense = ("", "holds") if is_negated else (key, "past")
    parsed = Parsed(
        subject_key=_subject_key(packs, subject),
        predicate_key=key if sense != "past" else f"was {key}",
        object_key=term_key(object_),
        predicate=predicate,
        is_negated=is_negated,
        is_loose=any(
            is_loose(pack, key, _plain(predicate), term_key(object_), text) for pack in packs
        ),
        is_hedged=is_hedged(packs, text),
        is_addition=any(pack.additions.search(text) for pack in packs if pack.additions),
    )
    return _with_marker(packs, text, parsed)


def _predicate(packs: Sequence[LocalePack], written: str, object_: str) -> tuple[str, str, bool]:
    """Return key and sense of a triple's predicate, and whether it is denied."""
    plain = _plain(written)
    for pack in packs:
        words = rewritten(pack, plain)
        if pack.fillers:
            words = collapsed(pack.fillers.sub(" ", words))
        words, at = without_negations(pack, words)
        for phrase in pack.phrases:
            match = phrase.pattern.match(f"{words} {object_}")
            if match and match.end() == len(words) and "object" not in match.groupdict():
                return phrase.key, phrase.sense, bool(at)
        if words.casefold() in {name.replace("_", " ") for name in pack.families}:
            return words.casefold().replace(" ", "_"), "holds", bool(at)
        if at:
            return _key_of(packs, words), "holds", True
    return _key_of(packs, plain), "holds", False


def _key_of(packs: Sequence[LocalePack], words: str) -> str:
    key = normalised(packs, words)
    family = family_key(packs, key)
    return family or key


def _sentence(pack: LocalePack, sentence: str) -> Parsed | None:
    """Return the parts that `pack` finds, None where it finds none; hedges have no keys."""
    full = rewritten(pack, sentence)
    plain = pack.passing.sub(" ", full) if pack.passing else full
    plain = pack.fillers.sub(" ", plain) if pack.fillers else plain
    plain, negations = without_negations(pack, collapsed(plain))
    if pack.leads:
        lead = pack.leads.match(plain)
        if lead:
            negations = [at - lead.end() for at in negations]
            plain = plain[lead.end() :]
    found = _attribute(pack, plain, negations) or _clause(pack, plain, negations)
    if found is None:
        return None
    if found.predicate_key and is_former(pack, full):
        found = _placed_before(found)
    if is_hedged((pack,), sentence) or _is_quoted(sentence, found.predicate):
        found = Parsed(is_negated=found.is_negated, is_hedged=True)
    elif pack.additions and pack.additions.search(full):
        found = replace(found, is_addition=True)
    return _with_marker((pack,), full, found, is_rewritten=True)


def _attribute(pack: LocalePack, text: str, negations: list[int]) -> Parsed | None:
    for form in pack.attribute_forms:
        match = form.match(text)
        if match is None:
            continue
        _, phrase = _best_phrase(pack, text)
        if phrase and phrase.start() < match.start("object") < phrase.end():
            # "My sister is married to …" says something of her, not who she is.
            continue
        groups = match.groupdict()
        subject = groups.get("subject") or next(iter(sorted(pack.first_person)), "")
        said = _object(pack, groups["object"] + text[match.end() :])
        subject_key = _subject(pack, subject)
        if said is None or not subject_key or not said[0]:
            return None
        is_not = any(at <= match.start("object") for at in negations)
        return Parsed(
            subject_key=subject_key,
            predicate_key=family_key((pack,), groups["name"]),
            object_key=said[0],
            predicate=groups["name"],
            is_negated=is_not,
            detail=said[1],
        )
    return None


def _clause(pack: LocalePack, text: str, negations: list[int]) -> Parsed | None:
    phrase, match = _best_phrase(pack, text)
    if phrase is None or match is None:
        return None
    groups = match.groupdict()
    if groups.get("object"):
        said = _object(pack, groups["object"], rest=text[match.end() :])
    else:
        # "lives in Berlin, not in Munich": what is denied there is no part of the object.
        end = next((at for at in negations if at > match.end() + 1), len(text))
        said = _object(pack, text[match.end() : end], rest=text[end:])
    start = match.start("subject") if groups.get("subject") else match.start()
    subject_key = _subject(pack, groups.get("subject") or text[: match.start()])
    # "Lives in Rome no longer" denies all of it.
    last = len(text.rstrip(_EDGES))
    is_not = [at for at in negations if start <= at <= match.end() + 1 or at >= last]
    before = [at for at in negations if at < start]
    if said is None or not subject_key or before:
        return None
    is_contrary = phrase.sense == "contrary"
    if is_not and (is_contrary or phrase.sense == "past"):
        # "Does not hate" is no love.
        return None
    if not said[0] and not (is_not or is_contrary or phrase.sense == "alone"):
        return None
    return Parsed(
        subject_key=subject_key,
        predicate_key=phrase.key if phrase.sense != "past" else f"was {phrase.key}",
        object_key=said[0],
        predicate=match.group().strip(),
        is_negated=bool(is_not) or is_contrary,
        detail=said[1],
        is_loose=is_loose(pack, phrase.key, match.group().strip(), said[0], text),
    )


def _placed_before(found: Parsed) -> Parsed:
    """Return a statement of a former time as what it says of that; a denial says nothing of it."""
    if found.is_negated:
        return Parsed(is_negated=True)
    if found.predicate_key.startswith("was "):
        return found
    return replace(found, predicate_key=f"was {found.predicate_key}")


def _whole(packs: Sequence[LocalePack], sentence: str) -> Parsed | None:
    """Return a statement that no family knows as one key, None where it is not plain."""
    full = sentence
    for pack in packs:
        full = rewritten(pack, full)
    text, count, detail = full, 0, ""
    for pack in packs:
        text = collapsed(pack.fillers.sub(" ", text) if pack.fillers else text)
        text, at = without_negations(pack, text)
        count += len(at)
    for pack in packs:
        if pack.breaks and pack.breaks.search(text):
            return None
        lead = pack.leads.match(text) if pack.leads else None
        text = text[lead.end() :] if lead else text
        cut = pack.cuts.search(text) if pack.cuts else None
        detail = f"{text[cut.start() :]} {detail}".strip(_EDGES) if cut else detail
        text = _without_tails(pack, text[: cut.start()] if cut else text)
    if goes_on_in_another(packs, text):
        return None
    subject, said = whole_key(packs, text)
    is_open = is_hedged(packs, sentence) or _QUOTED.search(sentence)
    if is_open or any(is_former(pack, full) for pack in packs):
        return None
    subject_keys = [_subject(pack, subject) for pack in packs]
    # Without a pack there is no language to read it in.
    if not said or not subject_keys or not all(subject_keys):
        return None
    return _with_marker(
        packs,
        full,
        Parsed(
            subject_key="i" if "i" in subject_keys else subject_keys[0],
            predicate_key=said,
            is_negated=count % 2 == 1,
            detail=detail,
        ),
        is_rewritten=True,
    )


def _best_phrase(pack: LocalePack, text: str) -> tuple[Phrase | None, re.Match[str] | None]:
    """Return the first phrase in the text, of several there the longest."""
    best: tuple[Phrase | None, re.Match[str] | None] = (None, None)
    rank = (len(text) + 1, 0)
    for phrase in pack.phrases:
        match = phrase.pattern.search(text)
        if match and (match.start(), -len(match.group())) < rank:
            rank = (match.start(), -len(match.group()))
            best = (phrase, match)
    return best


def _subject(pack: LocalePack, written: str) -> str:
    """Return the key of a subject, "" where the words are no plain subject."""
    words = written.strip().removesuffix("'s").strip()
    words = _without_determiner(pack, words)
    parts = [part.casefold() for part in words.split()]
    if not 0 < len(parts) <= _MAX_SUBJECT_WORDS or re.search(r"[,;:!?()\"]", words):
        return ""
    if any(part in pack.clause_words for part in parts):
        return ""
    return _subject_key((pack,), words)


def _subject_key(packs: Sequence[LocalePack], written: str) -> str:
    key = term_key(written)
    for pack in packs:
        if key in pack.pronouns:
            return ""
        if key in pack.first_person:
            return "i"
    return key


def _object(pack: LocalePack, written: str, rest: str = "") -> tuple[str, str] | None:
    """Return an object's key and what more is said, None where there is a second statement.

    Args:
        pack: The language.
        written: The object and, where it stands at the end, what follows it.
        rest: What follows it where the two are told apart by the phrase.
    """
    whole = f"{written} {rest}"
    if goes_on_in_another((pack,), whole) or (pack.breaks and pack.breaks.search(whole)):
        return None
    words, detail = written, rest
    cut = pack.cuts.search(written) if pack.cuts else None
    if cut:
        words, detail = written[: cut.start()], f"{written[cut.start() :]} {rest}"
    words, detail = _without_tails(pack, words), _without_tails(pack, detail)
    words = _without_determiner(pack, words)
    key = term_key(words.strip(_EDGES) if not words.rstrip().endswith(("+", "#")) else words)
    if len(key.split()) > _MAX_OBJECT_WORDS or key in pack.pronouns | pack.first_person:
        return None
    if pack.generic_objects and pack.generic_objects.fullmatch(key):
        key = ""
    return key, detail


def _without_determiner(pack: LocalePack, words: str) -> str:
    match = pack.determiners.match(words) if pack.determiners else None
    return words[match.end() :].strip() if match else words


def _without_tails(pack: LocalePack, words: str) -> str:
    words = words.strip(_EDGES)
    while pack.tails and words:
        for tail in pack.tails.finditer(words):
            if tail.end() == len(words):
                words = words[: tail.start()].strip(_EDGES)
                break
        else:
            break
    return words


def _with_marker(
    packs: Sequence[LocalePack], text: str, parsed: Parsed, *, is_rewritten: bool = False
) -> Parsed:
    """Return `parsed` with the surest marker of its sentence."""
    best: tuple[Marker, re.Match[str]] | None = None
    for pack in packs:
        full = text if is_rewritten else rewritten(pack, text)
        known = pack.negations if parsed.is_negated else pack.markers
        for marker, pattern in (*known, *pack.markers):
            match = pattern.search(full)
            if match and (best is None or marker.confidence > best[0].confidence):
                best = (marker, match)
    if best is None:
        return parsed
    marker, match = best
    old = match.groupdict().get("old") or ""
    return replace(
        parsed,
        marker=marker.name,
        marker_confidence=marker.confidence,
        acts_on_multi=marker.acts_on_multi,
        old_key=term_key(old.strip(_EDGES)),
    )


def _is_quoted(sentence: str, predicate: str) -> bool:
    return any(predicate.casefold() in quote.casefold() for quote in _QUOTED.findall(sentence))


def _plain(predicate: str) -> str:
    return collapsed(_JOINTS.sub(" ", _CAMEL.sub(" ", predicate.translate(_QUOTES))))
