"""A statement taken apart, and what its words say of its time and of its object."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.graph.conflict.locales.pack import LocalePack

__all__ = ["Parsed", "is_former", "is_loose"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement taken apart; keys are "" where that part is not known.

    Attributes:
        subject_key: Key of what it is about.
        predicate_key: The family's name, an attribute's name, or the normalised predicate.
        object_key: Key of the other end.
        predicate: As written.
        is_negated: It says that this does not hold (any more).
        is_hedged: It is wished, supposed, planned, quoted or asked; it says nothing of what is.
        marker: Name of the surest marker in it, None without one.
        marker_confidence: Of that marker, 0 without one.
        acts_on_multi: Whether that marker ends a value of what may have several.
        old_key: Key of what it names as over, "" where it names nothing.
        is_addition: It says that it comes on top of what was.
        detail: What it says besides subject, predicate and object.
        is_loose: Its phrase means the predicate of some objects only, and nothing in it shows that
            this is one of them.
    """

    subject_key: str = ""
    predicate_key: str = ""
    object_key: str = ""
    predicate: str = ""
    is_negated: bool = False
    is_hedged: bool = False
    marker: str | None = None
    marker_confidence: float = 0.0
    acts_on_multi: bool = False
    old_key: str = ""
    is_addition: bool = False
    detail: str = ""
    is_loose: bool = False

    @property
    def has_detail(self) -> bool:
        """Whether it says more than subject, predicate and object."""
        return bool(self.detail)

    @property
    def has_slot(self) -> bool:
        """Whether it is known what it is about and what it says of it."""
        return bool(self.subject_key and self.predicate_key)


def is_former(pack: LocalePack, text: str) -> bool:
    """Return whether a sentence tells of a former time, other than of its object aside."""
    if pack.formers is None:
        return False
    aside = pack.asides.search(text) if pack.asides else None
    return pack.formers.search(text[: aside.start()] if aside else text) is not None


def is_loose(pack: LocalePack, key: str, phrase: str, object_key: str, text: str) -> bool:
    """Return whether a phrase means its predicate of some objects only, and perhaps not here."""
    loose = pack.loose.get(key)
    if loose is None or not loose.phrase.fullmatch(phrase):
        return False
    examples = pack.families[key].examples
    # "Olten, Switzerland", "the centre of Bonn".
    parts = {object_key, *(part.strip() for part in object_key.split(","))}
    parts |= {part.removeprefix("the ") for part in parts}
    if any(part in examples or (loose.form and loose.form.fullmatch(part)) for part in parts):
        return False
    return loose.cue is None or loose.cue.search(text) is None
