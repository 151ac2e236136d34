"""Why each turn came: the values that `explain()` returns, and how a person reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from graphmem.models import FactHit, Hit, ProcedureHit, Recall, Trace, Turn
from graphmem.text import analyse

__all__ = [
    "Asking",
    "AsyncRecall",
    "Explanation",
    "FactReason",
    "PathStep",
    "ProcedureReason",
    "RecallTrace",
    "TurnReason",
    "reasons_of",
]

T = TypeVar("T")

# Of a text in what a person reads; the whole is in the answer itself.
_SHOWN_TEXT = 160
_SHOWN_NAME = 80
# What a word of the question is written with, and is no part of it.
_PUNCTUATION = (
    ".,;:!?\"'()[]{}<>`\u00ab\u00bb\u201c\u201d\u2018\u2019\u2026\u3001\u3002\uff1f\uff01"
)


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PathStep(_Told):
    """A node on the way from the question to a turn, and the link that leads to it.

    Attributes:
        link: Type of the link from the node before; "" at the first one, to which the
            question itself leads.
        is_forward: Whether that link points to this node, rather than back.
        label: "Term", "Fact", "Tag", "Turn" or "Session".
        name: As shown: a name, a statement, the beginning of a turn; "" once it is gone.
    """

    link: str = ""
    is_forward: bool = True
    label: str
    id: str
    name: str = ""


class TurnReason(_Told):
    """Why a turn is in an answer.

    Attributes:
        rank: Its place, from 1.
        text: Of the turn.
        score: As in its `Hit`, and so are parts, cosine, value and rerank_score.
        words: Words of the question, as asked, that stand in the turn or its summary.
        paths: Ways from the question through the graph, the strongest first; each begins at a
            node where the walk began and ends at the turn. None for a turn that only its own
            words or its meaning brought.
    """

    rank: int
    turn_id: str
    session_id: str
    at: datetime
    text: str
    score: float
    parts: dict[str, float] = Field(default_factory=dict)
    cosine: float | None = None
    value: float = 1.0
    rerank_score: float | None = None
    words: tuple[str, ...] = ()
    paths: tuple[tuple[PathStep, ...], ...] = ()


class FactReason(_Told):
    """Why a fact is in an answer.

    Attributes:
        rank: Its place, from 1.
        value: As in its `FactHit`, and so is the score.
        words: Words of the question, as asked, that stand in the fact.
        turn_ids: The turns that state it, newest first.
    """

    rank: int
    fact_id: str
    text: str
    score: float
    value: float = 1.0
    words: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()


class ProcedureReason(_Told):
    """Why a procedure is in an answer.

    Attributes:
        rank: Its place, from 1.
        intent: The Intent by which it was found.
        score: As in its `ProcedureHit`, and so are cosine and value.
        words: Words of the question, as asked, that stand in the Intent, the instruction or the
            condition.
    """

    rank: int
    procedure_id: str
    instruction: str
    intent: str = ""
    score: float
    cosine: float | None = None
    value: float = 1.0
    words: tuple[str, ...] = ()


class RecallTrace(_Told):
    """A kept answer, as listed: what was asked, when, and how much came.

    Attributes:
        turns: How many turns the answer had.
        facts: How many facts.
        procedures: How many procedures.
    """

    id: str
    query: str
    at: datetime
    turns: int
    facts: int
    procedures: int = 0


class Explanation(_Told):
    """Why an answer is what it is.

    Attributes:
        at: When it was asked; None = not known.
        as_of: As in the `Recall`: the instant at which the facts held; None = `at`.
        trace_id: Of the kept answer that this was read from, or was kept as; else "".
        turns: A reason for each turn, best first.
        facts: The same for each fact.
        procedures: The same for each procedure.
        confident: As in the `Recall`, and so is best_rejected.
        degraded: As in the `Recall`; and "paths" where the server could not be asked for them.
        trace: How the answer arose.
        gone: Turns, facts and procedures of a kept answer that are not told any longer.
        cypher: A statement for Neo4j Browser that draws this answer: its turns and facts, and
            what lies on the paths; "" when there is nothing to draw.
    """

    query: str
    scope: str
    at: datetime | None = None
    as_of: datetime | None = None
    trace_id: str = ""
    turns: tuple[TurnReason, ...] = ()
    facts: tuple[FactReason, ...] = ()
    procedures: tuple[ProcedureReason, ...] = ()
    confident: bool = True
    best_rejected: float | None = None
    degraded: tuple[str, ...] = ()
    trace: Trace = Trace()
    gone: int = 0
    cypher: str = ""

    def to_text(self) -> str:
        """Return it as a person reads it."""
        ranks = {turn.turn_id: turn.rank for turn in self.turns}
        lines = list(_heading(self))
        for turn in self.turns:
            lines += ["", *_turn_lines(turn, ranks)]
        if self.facts:
            held = "" if self.as_of is None else f" that held at {self.as_of:%Y-%m-%d %H:%M} UTC"
            lines += ["", f"facts{held}"]
            lines += [_fact_line(fact, ranks) for fact in self.facts]
        if self.procedures:
            lines += ["", "procedures", *map(_procedure_line, self.procedures)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that json.dumps takes."""
        return self.model_dump(mode="json")


class Asking(Generic[T]):
    """What a recall asks its server by: a copy shares it, and a pickled one goes without."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[Recall], T]) -> None:
        self._ask = ask

    def __call__(self, found: Recall) -> T:
        """Return what is told about a recall."""
        return self._ask(found)

    def __deepcopy__(self, _: object) -> Self:
        return self

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        # Connections and loops stay where they are: None takes its place.
        return type(None), ()


class AsyncRecall(Recall):
    """A recall that can be asked why each turn came."""

    _explain: Asking[Awaitable[Explanation]] | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, found: Recall, explain: Callable[[Recall], Awaitable[Explanation]]) -> Self:
        """Return the same recall with what `explain` asks."""
        recall = cls(**dict(found))
        recall._render = found._render  # noqa: SLF001 - of the class above
        recall._explain = Asking(explain)
        return recall

    async def explain(self) -> Explanation:
        """Return why each turn came: its factors, and the paths in the graph that lead to it.

        It asks the server once more. One that was built by hand or unpickled, or whose server
        cannot answer now, is explained by what it carries: the factors, without paths.

        Raises:
            StoreError: The memory that it came from is closed, or of another event loop.
        """
        if self._explain is None:
            return reasons_of(self)
        return await self._explain(self)


def reasons_of(
    found: Recall, *, language: str = "english", at: datetime | None = None
) -> Explanation:
    """Return what a recall tells by itself: the factors of each turn, without paths.

    Args:
        found: The recall; also one that was built by hand.
        language: Of stop words and stems, as in the store.
        at: When it was asked.
    """
    asked = _asked_words(found.query, language)
    return Explanation(
        query=found.query,
        scope=found.scope,
        at=at,
        as_of=found.as_of,
        trace_id=found.trace_id,
        turns=tuple(
            _turn_reason(rank, hit, _held(asked, _texts_of(hit.turn), language))
            for rank, hit in enumerate(found.turns, start=1)
        ),
        facts=tuple(
            _fact_reason(rank, hit, _held(asked, [hit.fact.text], language))
            for rank, hit in enumerate(found.facts, start=1)
        ),
        procedures=tuple(
            _procedure_reason(rank, hit, _held(asked, _texts_of_procedure(hit), language))
            for rank, hit in enumerate(found.procedures, start=1)
        ),
        confident=found.confident,
        best_rejected=found.best_rejected,
        degraded=found.degraded,
        trace=found.trace,
    )


def _turn_reason(rank: int, hit: Hit, words: tuple[str, ...]) -> TurnReason:
    return TurnReason(
        rank=rank,
        turn_id=hit.turn.id,
        session_id=hit.turn.session_id,
        at=hit.turn.at,
        text=hit.turn.text,
        score=hit.score,
        parts=dict(hit.parts),
        cosine=hit.cosine,
        value=hit.value,
        rerank_score=hit.rerank_score,
        words=words,
    )


def _fact_reason(rank: int, hit: FactHit, words: tuple[str, ...]) -> FactReason:
    return FactReason(
        rank=rank,
        fact_id=hit.fact.id,
        text=hit.fact.text,
        score=hit.score,
        value=hit.value,
        words=words,
        turn_ids=hit.fact.turn_ids,
    )


def _procedure_reason(rank: int, hit: ProcedureHit, words: tuple[str, ...]) -> ProcedureReason:
    return ProcedureReason(
        rank=rank,
        procedure_id=hit.procedure.id,
        instruction=hit.procedure.instruction,
        intent=hit.procedure.intent,
        score=hit.score,
        cosine=hit.cosine,
        value=hit.value,
        words=words,
    )


def _texts_of_procedure(hit: ProcedureHit) -> list[str]:
    return [hit.procedure.intent, hit.procedure.instruction, hit.procedure.condition]


def _asked_words(query: str, language: str) -> dict[str, str]:
    """Return how the question writes each of its tokens."""
    written: dict[str, str] = {}
    for chunk in query.split():
        tokens = analyse(chunk, language, asking=True)
        for token in tokens:
            # Of one that is cut further (a text without spaces, a hyphenated word) the token.
            word = chunk.strip(_PUNCTUATION) if len(tokens) == 1 else token
            written.setdefault(token, word or token)
    return written


def _texts_of(turn: Turn) -> list[str]:
    said = [
        text
        for message in turn.messages
        if message.is_visible
        for text in (message.name, message.content)
    ]
    return [*(said or [turn.text]), turn.summary, turn.intent]


def _held(asked: Mapping[str, str], texts: list[str], language: str) -> tuple[str, ...]:
    held = {token for text in texts for token in analyse(text, language)}
    return tuple(dict.fromkeys(word for token, word in asked.items() if token in held))


def _heading(told: Explanation) -> Iterator[str]:
    yield f'"{_short(told.query, _SHOWN_TEXT)}" in {told.scope}'
    if told.at is not None:
        kept = f", kept as {told.trace_id}" if told.trace_id else ""
        yield f"asked {told.at:%Y-%m-%d %H:%M} UTC{kept}"
    if told.trace.terms:
        terms = ", ".join(_short(name, _SHOWN_NAME) for name in told.trace.terms)
        yield f"linked to: {terms}"
    found = ", ".join(f"{leg} {number}" for leg, number in told.trace.candidates.items())
    if found:
        yield f"candidates: {found}"
    if told.trace.round_trips:
        parts = ", ".join(
            f"{part} {ms:.1f}" for part, ms in told.trace.timings_ms.items() if part != "total"
        )
        total = told.trace.timings_ms.get("total", 0.0)
        yield (
            f"took {total:.1f} ms ({parts}), {told.trace.round_trips} round trips, "
            f"PageRank by {told.trace.engine}"
        )
    if told.degraded:
        yield f"could not take part: {', '.join(told.degraded)}"
    if not told.confident and (told.turns or told.best_rejected is not None):
        best = told.best_rejected
        nearest = "" if best is None else f"; the likeness of the nearest turn is {best:.3f} of 1"
        yield f"nothing reliable was found{nearest}"
    if told.gone:
        yield f"no longer told: {told.gone} of its turns, facts and procedures"
    if not told.turns and not told.facts and not told.procedures:
        yield "nothing was recalled"


def _turn_lines(turn: TurnReason, ranks: Mapping[str, int]) -> Iterator[str]:
    yield (
        f"{turn.rank}. score {turn.score:.3f}, {turn.at:%Y-%m-%d %H:%M}, session "
        f"{_short(turn.session_id, _SHOWN_NAME)}, {turn.turn_id}"
    )
    yield f"   {_short(turn.text, _SHOWN_TEXT)}"
    parts = sorted(turn.parts.items(), key=lambda part: (-abs(part[1]), part[0]))
    if parts:
        made_of = ", ".join(f"{name} {part:.3f}" for name, part in parts)
        if turn.value != 1:
            made_of += f"; times value {turn.value:.3f}"
        if turn.rerank_score is not None:
            made_of += f"; reranked {turn.rerank_score:.3f}"
        yield f"   made of: {made_of}"
    if turn.words:
        yield f"   its own words: {', '.join(turn.words)}"
    if turn.cosine is not None:
        yield f"   its meaning: cosine {turn.cosine:.3f} to the question"
    for path in turn.paths:
        yield f"   path: {_path(path, turn.turn_id, ranks)}"


def _path(path: tuple[PathStep, ...], turn_id: str, ranks: Mapping[str, int]) -> str:
    told = "question"
    for step in path:
        if not step.link:
            told += " -> "
        elif step.is_forward:
            told += f" -[{step.link}]-> "
        else:
            told += f" <-[{step.link}]- "
        told += _node(step, turn_id, ranks)
    return told


def _node(step: PathStep, turn_id: str, ranks: Mapping[str, int]) -> str:
    if step.id == turn_id:
        return "this turn"
    if step.id in ranks:
        return f"turn {ranks[step.id]}"
    name = f'"{_short(step.name, _SHOWN_NAME)}"' if step.name else f"{step.id} (gone)"
    return f"{step.label} {name}"


def _fact_line(fact: FactReason, ranks: Mapping[str, int]) -> str:
    stating = [str(ranks[turn_id]) for turn_id in fact.turn_ids if turn_id in ranks]
    told = f"{fact.rank}. score {fact.score:.3f}, {_short(fact.text, _SHOWN_TEXT)}"
    if fact.words:
        told += f"; words: {', '.join(fact.words)}"
    if stating:
        told += f"; stated by turn {', '.join(stating)}"
    return told


def _procedure_line(way: ProcedureReason) -> str:
    told = f"{way.rank}. score {way.score:.3f}, {_short(way.instruction, _SHOWN_TEXT)}"
    told += f'; by Intent "{_short(way.intent, _SHOWN_NAME)}"'
    if way.cosine is not None:
        told += f", cosine {way.cosine:.3f} to the question"
    if way.words:
        told += f"; words: {', '.join(way.words)}"
    return told


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}\u2026"
