"""The pipeline: five stages in their order, the first that says something decides."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from graphmem.decisions import DecisionKind, Stage
from graphmem.errors import ConfigError
from graphmem.graph.conflict.comparing.comparison import Comparison
from graphmem.graph.conflict.comparing.guards import difference, is_merely_near, opens_alike
from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.model import (
    WHOLE,
    Cardinality,
    Known,
    Neighbour,
    Statement,
    Thresholds,
    Verdict,
)
from graphmem.graph.conflict.reading.statement import (
    MAX_CHARACTERS,
    Parsed,
    family_key,
    normalised,
    split,
)
from graphmem.graph.conflict.reading.times import tells_of_before
from graphmem.graph.conflict.reading.wording import is_hedged
from graphmem.graph.conflict.stages.defer import decide_deferred
from graphmem.graph.conflict.stages.embedding import decide_embedding
from graphmem.graph.conflict.stages.exact import decide_exact
from graphmem.graph.conflict.stages.heuristic import decide_heuristic
from graphmem.graph.conflict.stages.triple import decide_triple
from graphmem.text import analyse

__all__ = ["ConflictPipeline"]

logger = logging.getLogger("graphmem")

_STAGES = (decide_exact, decide_embedding, decide_heuristic, decide_triple)
# A candidate is taken apart before the store is asked and looked at again after it, which costs
# up to half a millisecond each time.
_MOST_PARSED = 4096
# Of one sentence there may be several triples.
_Key = tuple[str, str, str, str, str, bool]


class _Warned:
    """Whether this process has said that the pipeline is off."""

    is_done = False


class ConflictPipeline:
    """Says what becomes of a statement beside what is known; it reads and writes nothing.

    Args:
        packs: The languages, the likeliest first.
        mode: "off" admits everything, with one warning a process.
        thresholds: Where the embedder's zones begin; None where its cosines mean nothing.
        hot: "guarded" keeps statements apart whose numbers, names or polarity differ however
            near they are; "always" lets HOT decide, as Graphorin does.
        functional: Predicates that have one object at a time, besides the packs'.
        multi: Predicates that may have several; this counts before everything else.

    Raises:
        ConfigError: `mode` or `hot` is unknown, a pack is none, or a predicate is in both lists.
    """

    def __init__(
        self,
        packs: Sequence[LocalePack],
        *,
        mode: Literal["on", "off"] = "on",
        thresholds: Thresholds | None,
        hot: Literal["guarded", "always"] = "guarded",
        functional: Iterable[str] = (),
        multi: Iterable[str] = (),
    ) -> None:
        if mode not in ("on", "off"):
            raise ConfigError(f"the conflict pipeline's mode is 'on' or 'off', got {mode!r}")
        if hot not in ("guarded", "always"):
            raise ConfigError(f"hot is 'guarded' or 'always', got {hot!r}")
        for pack in packs:
            if not isinstance(pack, LocalePack):
                raise ConfigError(
                    f"packs must be locale packs, got {type(pack).__name__}: make one with "
                    "define_locale_pack(...)"
                )
        self._packs = tuple(packs)
        self._mode = mode
        self._thresholds = thresholds
        self._is_hot_final = hot == "always"
        self._parsed: dict[_Key, Parsed] = {}
        self._declared: dict[str, Cardinality] = {}
        one, several = ({self._key(name) for name in names} for names in (functional, multi))
        if one & several:
            raise ConfigError(
                "predicates declared both functional and multi: "
                f"{', '.join(sorted(one & several))}; name each in one of the two"
            )
        for name in one:
            self._declared[name] = "functional"
        for name in several:
            self._declared[name] = "multi"

    @property
    def is_on(self) -> bool:
        """Whether statements are compared at all."""
        return self._mode == "on"

    @property
    def thresholds(self) -> Thresholds | None:
        """Where the zones of the embedder begin, None where its cosines mean nothing."""
        return self._thresholds

    def split(self, text: str, subject: str = "", predicate: str = "", object: str = "") -> Parsed:  # noqa: A002 - a triple's third part
        """Return the parts of a statement: of the triple where it is whole, else of the text."""
        said = split(self._packs, text, subject, predicate, object)
        self._remember(_key(text, said), said)
        return said

    def cardinality(
        self, predicate_key: str, learned: Mapping[str, Cardinality] | None = None
    ) -> Cardinality:
        """Return how many objects a predicate has at a time.

        Args:
            predicate_key: From `split`.
            learned: What the store taught; a declaration counts before it.
        """
        return self._declaration(predicate_key) or (learned or {}).get(predicate_key, "unknown")

    def guards(self, candidate: Statement, target: Statement) -> str | None:
        """Return why `target` may not be retired by `candidate`, None where it may.

        This is what a judge's verdict has to pass: the same subject and predicate, or the same
        pair of ends, or two sentences that open alike.
        """
        if self._said(candidate).is_hedged:
            return "the new statement says what may be, not what is"
        is_earlier = candidate.valid_from < target.valid_from
        if is_earlier or tells_of_before(self._packs, candidate, target):
            return "the new statement is of an earlier time"
        if candidate.has_parts and target.has_parts:
            return self._other_slot(candidate, target)
        is_denied = candidate.is_whole and candidate.shares_slot(target)
        if is_denied or opens_alike(self._packs, candidate.text, target.text):
            return None
        return "nothing shows that both say the same kind of thing of the same subject"

    def differs(self, candidate: Statement, target: Statement) -> str | None:
        """Return why two statements do not say the same whatever a judge says, None where none is.

        Numbers, units, dates, identifiers, names, subject and polarity have to agree.
        """
        return difference(self._packs, candidate, target)

    def keeps_apart(self, one: Statement, other: Statement) -> str | None:
        """Return why two facts are two however near they lie, None where none is seen.

        This is what a merge that no judge looks at has to pass: more than `differs` asks.
        """
        if self._is_hedged(one) != self._is_hedged(other):
            return "only one of them says that it is so"
        if is_merely_near(self._packs, one, other):
            return "they lie near, and nothing shows that they are one"
        is_many = one.shares_slot(other) and self._declaration(one.predicate_key) == "multi"
        if is_many and set(analyse(one.object_key)) != set(analyse(other.object_key)):
            # Green tea beside tea.
            return "one says more than the other"
        return difference(self._packs, one, other)

    def resolve(self, candidate: Statement, known: Known) -> Verdict:
        """Return what becomes of `candidate` beside what is `known`.

        The same input gives the same verdict, whatever the text is.
        """
        if not self.is_on:
            return self._off()
        case = self._comparison(candidate, known)
        verdict = next((said for stage in _STAGES if (said := stage(case))), None)
        verdict = verdict or decide_deferred(case)
        return replace(verdict, zone=case.zone, similarity=case.similarity)

    def _other_slot(self, candidate: Statement, target: Statement) -> str | None:
        if candidate.subject_key != target.subject_key:
            return "they are about different subjects"
        is_pair = bool(candidate.object_key) and candidate.object_key == target.object_key
        if candidate.predicate_key != target.predicate_key:
            return None if is_pair else "they say different things of the same subject"
        said = self._said(candidate)
        is_told = said.marker is not None and said.acts_on_multi
        is_many = self._declaration(candidate.predicate_key) == "multi"
        if is_many and not is_pair and not is_told:
            return f"{candidate.predicate_key!r} may have several objects"
        return None

    def _comparison(self, candidate: Statement, known: Known) -> Comparison:
        cosines = [near.cosine for near in known.near if near.cosine is not None]
        nearest = max(cosines, default=None)
        zone = None
        if self._thresholds is not None and nearest is not None:
            zone = self._thresholds.zone(nearest)
        declared = self._declaration(candidate.predicate_key)
        return Comparison(
            candidate=candidate,
            said=self._said(candidate),
            known=replace(known, near=tuple(sorted(known.near, key=_by_cosine))),
            packs=self._packs,
            cardinality=self.cardinality(candidate.predicate_key, known.cardinality),
            is_declared=declared is not None,
            thresholds=self._thresholds,
            zone=zone,
            similarity=nearest,
            is_hot_final=self._is_hot_final,
            is_hedged=self._is_hedged,
            read=self._said,
        )

    def _said(self, statement: Statement) -> Parsed:
        """Return what a statement's text says beyond its keys; the keys are the statement's."""
        key = _key(statement.text, statement)
        found = self._parsed.get(key)
        if found is None:
            found = self._read(statement)
            self._remember(key, found)
        return found

    def _remember(self, key: _Key, said: Parsed) -> None:
        if len(self._parsed) >= _MOST_PARSED:
            self._parsed.clear()
        self._parsed[key] = said

    def _read(self, statement: Statement) -> Parsed:
        said = split(self._packs, statement.text)
        if said.predicate_key == statement.predicate_key or not statement.has_slot:
            return said
        return split(
            self._packs,
            statement.text,
            statement.subject_key,
            statement.predicate or statement.predicate_key,
            # Without one it were no triple; a pronoun is nobody's key.
            statement.object_key or "it",
        )

    def _is_hedged(self, statement: Statement) -> bool:
        return is_hedged(self._packs, statement.text[:MAX_CHARACTERS])

    def _declaration(self, predicate_key: str) -> Cardinality | None:
        if predicate_key in self._declared:
            return self._declared[predicate_key]
        for pack in self._packs:
            family = pack.families.get(predicate_key)
            if family is not None and family.cardinality != "unknown":
                return family.cardinality
            if pack.single_attributes and pack.single_attributes.fullmatch(predicate_key):
                return "functional"
            if pack.many_attributes and pack.many_attributes.fullmatch(predicate_key):
                return "multi"
        # A former time may hold any number of them.
        return "multi" if predicate_key.startswith(("was ", WHOLE)) else None

    def _key(self, predicate: str) -> str:
        if any(predicate in pack.families for pack in self._packs):
            return predicate
        said = split(self._packs, f"x {predicate} y", "x", predicate, "y")
        return said.predicate_key or family_key(self._packs, normalised(self._packs, predicate))

    @staticmethod
    def _off() -> Verdict:
        if not _Warned.is_done:
            _Warned.is_done = True
            logger.warning(
                "conflict.off facts are written as they come: none is deduplicated, none "
                "supersedes another"
            )
        return Verdict(DecisionKind.ADMIT, Stage.OFF, "the conflict pipeline is off")


def _key(text: str, said: Parsed | Statement) -> _Key:
    return (
        text,
        said.subject_key,
        said.predicate_key,
        said.object_key,
        said.predicate,
        said.is_negated,
    )


def _by_cosine(near: Neighbour) -> float:
    return 2.0 if near.cosine is None else -near.cosine
