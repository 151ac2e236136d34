"""What a write will put into the graph, worked out before the store is asked.

Everything that can be decided without looking is decided here: which names are one Term,
which statements are one Fact, what leads to a Fact, in which order locks are taken.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem.clock import OPEN_TO, as_utc
from graphmem.ids import digest
from graphmem.models import Extraction, ExtractionState, FactDraft, Turn, TurnDraft
from graphmem.text import analyse, canonical_form, canonical_hash, term_key
from graphmem.turn_text import turn_embedding_text

__all__ = [
    "AgentPlan",
    "FactPlan",
    "GraphItem",
    "TagPlan",
    "TermPlan",
    "TurnPlan",
    "WritePlan",
    "fact_hash",
    "fact_id",
    "plan_statement",
    "plan_write",
    "qualifier_of",
]

# Which earlier state a new extraction may replace: what a model or the caller said is never
# replaced by the local extractor, and what the caller said by nobody else.
_REPLACES = {
    ExtractionState.LOCAL: ("pending", "quarantined", "local"),
    ExtractionState.DONE: ("pending", "quarantined", "local", "done"),
    ExtractionState.GIVEN: ("pending", "quarantined", "local", "done", "given"),
}
_ORIGINS = {
    ExtractionState.LOCAL: "local",
    ExtractionState.DONE: "llm",
    ExtractionState.GIVEN: "given",
}
# Scripts that are written without spaces between words.
_THAI = frozenset(chr(code) for code in range(0x0E00, 0x1100))
_FIRST_CJK = "\u2e80"
# "Ana (baker)" is another one than "Ana (pilot)", and says by what.
_QUALIFIED = re.compile(r".*\S \(([^()]*\w[^()]*)\)")


@dataclass(frozen=True, slots=True)
class GraphItem:
    """A captured turn with what was learned from it."""

    turn: Turn | TurnDraft
    extraction: Extraction

    @property
    def embedding_text(self) -> str:
        """The text whose vector stands for the turn."""
        extraction = self.extraction
        return turn_embedding_text(self.turn.text, extraction.summary, extraction.state)


@dataclass(frozen=True, slots=True)
class TermPlan:
    """A Term by its key, with the name under which it is shown (the first one given)."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class TagPlan:
    """A Tag by its key, with the label under which it is shown."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class AgentPlan:
    """Somebody who speaks, by agent id or by the key of the name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class FactPlan:
    """A statement to be decided about, with what it is to be linked to.

    Attributes:
        origin: Who says so: "local", "llm", "given" or "remembered".
        recorded_at: When what states it came into the store; None = with this write.
        subject_key: Of the Term it is about, None for a sentence alone.
        object_key: Of the Term at its other end, None for a sentence alone.
        tag_keys: At least one.
        turn_ids: The turns that state it.
        sensitivity: "public", "internal" or "secret".
        has_own_sensitivity: Whether somebody said so; else it is at least as secret as what it
            supersedes.
    """

    canonical_hash: str
    draft: FactDraft
    origin: str
    agent_id: str
    confidence: float
    valid_from: datetime
    valid_to: datetime
    recorded_at: datetime | None
    subject_key: str | None
    object_key: str | None
    tag_keys: tuple[str, ...]
    turn_ids: tuple[str, ...]
    sensitivity: str = "internal"
    has_own_sensitivity: bool = False


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """A turn with its links.

    Attributes:
        replaces: Extraction states that this write may replace.
        mentions: (Term key, weight), the greatest weight of each, sorted by key.
        fact_hashes: Of what it states.
    """

    item: GraphItem
    replaces: tuple[str, ...]
    mentions: tuple[tuple[str, float], ...]
    fact_hashes: tuple[str, ...]
    agent_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WritePlan:
    """Everything of one write, each list in the order in which its locks are taken.

    Facts are in the order of the time from which they hold: what was said last is decided last.
    """

    terms: tuple[TermPlan, ...]
    tags: tuple[TagPlan, ...]
    agents: tuple[AgentPlan, ...]
    facts: tuple[FactPlan, ...]
    turns: tuple[TurnPlan, ...]


def plan_write(items: Sequence[GraphItem]) -> WritePlan:
    """Return what `items` put into the graph.

    Args:
        items: Turns with their extractions; of a turn that stands twice the last one counts.
    """
    terms: dict[str, TermPlan] = {}
    tags: dict[str, TagPlan] = {}
    agents: dict[str, AgentPlan] = {}
    facts: list[FactPlan] = []
    turns: list[TurnPlan] = []
    for item in {item.turn.id: item for item in items}.values():
        planned = _plan_turn(item)
        for term in planned.terms:
            terms.setdefault(term.key, term)
        for tag in planned.tags:
            tags.setdefault(tag.key, tag)
        for agent in planned.agents:
            agents.setdefault(agent.id, agent)
        facts += planned.facts
        turns += planned.turns
    return WritePlan(
        terms=tuple(terms[key] for key in sorted(terms)),
        tags=tuple(tags[key] for key in sorted(tags)),
        agents=tuple(agents[key] for key in sorted(agents)),
        # Of what holds from the same instant on, the order of the conversation decides.
        facts=tuple(sorted(facts, key=lambda fact: fact.valid_from)),
        turns=tuple(sorted(turns, key=lambda turn: turn.item.turn.id)),
    )


def qualifier_of(name: str) -> str:
    """Return what tells a name from others like it: "baker" of "Ana (baker)"; "" where nothing."""
    found = _QUALIFIED.fullmatch(" ".join(name.split()))
    return "" if found is None else found[1].strip()


def fact_hash(draft: FactDraft) -> str:
    """Return what makes two statements equal.

    A triple is its subject, predicate and object: "Ada uses Vim" and "ada USES vim " are one,
    "owns" and "owns?" are two. A statement that is no triple is its text.
    """
    if not (draft.subject and draft.predicate and draft.object):
        return canonical_hash(draft.text)
    parts = (term_key(draft.subject), canonical_form(draft.predicate), term_key(draft.object))
    # With the lengths, or ("a", "b c", "d") would be ("a b", "c", "d").
    return canonical_hash(" ".join(f"{len(part)}:{part}" for part in parts))


def fact_id(scope: str, hashed: str, stretch_from: datetime | None = None) -> str:
    """Return the id of the fact of a scope that has this hash.

    Args:
        scope: Whose memory it is.
        hashed: From `fact_hash`.
        stretch_from: Of what held before, ended, and holds again: from when on; None = the
            first time.
    """
    stretch = () if stretch_from is None else (stretch_from.isoformat(),)
    return digest("fact", scope, hashed, *stretch)


def plan_statement(
    draft: FactDraft,
    *,
    now: datetime,
    agent_id: str = "",
    sensitivity: str = "internal",
    has_own_sensitivity: bool = False,
    turn_ids: Sequence[str] = (),
) -> WritePlan:
    """Return what one statement that nobody extracted puts into the graph.

    Args:
        draft: The statement.
        now: From when on it holds where it does not say so.
        agent_id: Who says it.
        sensitivity: "public", "internal" or "secret".
        has_own_sensitivity: Whether the caller said so.
        turn_ids: Turns that are its evidence.
    """
    names: dict[str, str] = {}
    labels: dict[str, str] = {}
    for end in (draft.subject, draft.object):
        _mention(names, {}, end, 1.0)
    valid_from, valid_to = _times(draft, now)
    fact = FactPlan(
        valid_from=valid_from,
        valid_to=valid_to,
        canonical_hash=fact_hash(draft),
        draft=draft,
        origin="remembered",
        agent_id=agent_id,
        confidence=draft.confidence,
        recorded_at=None,
        subject_key=term_key(draft.subject) or None,
        object_key=term_key(draft.object) or None,
        tag_keys=_tag(labels, draft, (), ()),
        turn_ids=tuple(turn_ids),
        sensitivity=sensitivity,
        has_own_sensitivity=has_own_sensitivity,
    )
    return WritePlan(
        terms=tuple(TermPlan(key, names[key]) for key in sorted(names)),
        tags=tuple(TagPlan(key, labels[key]) for key in sorted(labels)),
        agents=(),
        facts=(fact,),
        turns=(),
    )


def _plan_turn(item: GraphItem) -> WritePlan:
    turn, extraction = item.turn, item.extraction
    names: dict[str, str] = {}
    weights: dict[str, float] = {}
    for mention in extraction.mentions:
        _mention(names, weights, mention.name, mention.weight)
    # Weightiest first.
    told = [names[key] for key in sorted(weights, key=lambda key: -weights[key])]
    labels: dict[str, str] = {}
    facts: dict[str, FactPlan] = {}
    for draft in extraction.facts:
        for end in (draft.subject, draft.object):
            _mention(names, weights, end, 1.0)
        tag_keys = _tag(labels, draft, extraction.tags, told)
        fact = _plan_fact(item, draft, tag_keys)
        known = facts.get(fact.canonical_hash)
        facts[fact.canonical_hash] = fact if known is None else _merged(known, fact)
    agents = _agents(turn)
    return WritePlan(
        terms=tuple(TermPlan(key, name) for key, name in names.items()),
        tags=tuple(TagPlan(key, label) for key, label in labels.items()),
        agents=agents,
        facts=tuple(facts.values()),
        turns=(
            TurnPlan(
                item=item,
                replaces=_REPLACES[extraction.state],
                mentions=tuple(sorted(weights.items())),
                fact_hashes=tuple(sorted(facts)),
                agent_ids=tuple(agent.id for agent in agents),
            ),
        ),
    )


def _mention(names: dict[str, str], weights: dict[str, float], name: str, weight: float) -> None:
    shown = " ".join(name.split())
    key = term_key(shown)
    if key:
        names.setdefault(key, shown)
        weights[key] = max(weight, weights.get(key, 0.0))


def _plan_fact(item: GraphItem, draft: FactDraft, tag_keys: tuple[str, ...]) -> FactPlan:
    valid_from, valid_to = _times(draft, item.turn.at)
    return FactPlan(
        valid_from=valid_from,
        valid_to=valid_to,
        canonical_hash=fact_hash(draft),
        draft=draft,
        origin=_ORIGINS[item.extraction.state],
        agent_id=item.turn.agent_id,
        confidence=draft.confidence,
        recorded_at=item.turn.recorded_at,
        subject_key=term_key(draft.subject) or None,
        object_key=term_key(draft.object) or None,
        tag_keys=tag_keys,
        turn_ids=(item.turn.id,),
    )


def _times(draft: FactDraft, said_at: datetime) -> tuple[datetime, datetime]:
    start = said_at if draft.valid_from is None else as_utc(draft.valid_from, name="valid_from")
    end = OPEN_TO if draft.valid_to is None else as_utc(draft.valid_to, name="valid_to")
    # Told afterwards: what ended before it was said began before that.
    return min(start, end), end


def _merged(known: FactPlan, again: FactPlan) -> FactPlan:
    """Return one plan for a statement that stands twice: the first wording, the widest time."""
    return replace(
        known,
        confidence=max(known.confidence, again.confidence),
        valid_from=min(known.valid_from, again.valid_from),
        valid_to=max(known.valid_to, again.valid_to),
        subject_key=known.subject_key or again.subject_key,
        object_key=known.object_key or again.object_key,
        tag_keys=_distinct(known.tag_keys + again.tag_keys),
    )


def _tag(
    labels: dict[str, str], draft: FactDraft, tags: Sequence[str], mentions: Sequence[str]
) -> tuple[str, ...]:
    """Add the labels that lead to a fact, and return their keys: never none."""
    wanted = [*tags, draft.subject, draft.object, *draft.tags]
    if not (draft.subject or draft.object):
        wanted += [name for name in mentions if _contains(draft.text, name)]
    keys = _add_labels(labels, wanted)
    # Nothing was named: the weightiest Term of the turn, else the statement's longest word.
    return keys or _add_labels(labels, mentions[:1]) or _add_labels(labels, [_longest(draft.text)])


def _add_labels(labels: dict[str, str], wanted: Iterable[str]) -> tuple[str, ...]:
    keys: list[str] = []
    for label in wanted:
        shown = " ".join(label.split())
        key = term_key(shown)
        if key:
            labels.setdefault(key, shown)
            keys.append(key)
    return _distinct(keys)


def _contains(text: str, name: str) -> bool:
    """Tell whether a name stands in a text as whole words; in scripts without spaces anywhere."""
    key, within = _folded(name), _folded(text)
    if not key or key not in within:
        return False
    if any(char in _THAI or char >= _FIRST_CJK for char in key):
        return True
    # The signs are part of a name: C stands neither in C++ nor in C#.
    return re.search(rf"(?<![\w+#]){re.escape(key)}(?![\w+#])", within) is not None


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def _longest(text: str) -> str:
    words = analyse(text, "none")
    return max(words, key=len) if words else text


def _agents(turn: Turn | TurnDraft) -> tuple[AgentPlan, ...]:
    """Return who speaks: the named speakers by the key of their name, and the turn's agent."""
    found: dict[str, AgentPlan] = {}
    for message in turn.messages:
        if message.is_visible and message.name:
            key = term_key(message.name)
            found.setdefault(key, AgentPlan(key, message.name))
    for agent in (turn.agent_id, *(message.agent_id for message in turn.messages)):
        if agent:
            found.setdefault(agent, AgentPlan(agent, agent))
    return tuple(found.values())


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
