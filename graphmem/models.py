"""The frozen values that the stages hand each other and that callers get back.

In the order of the way of the data: Message and TurnDraft (capture), Extraction (extract),
Turn and Fact (graph), Hit and Recall (recall, render), and the receipts of writing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

__all__ = [
    "LIVE",
    "TOLD",
    "Calibration",
    "Evidence",
    "Extraction",
    "ExtractionState",
    "Fact",
    "FactDraft",
    "FactHit",
    "Flushed",
    "Hit",
    "Lease",
    "Mention",
    "Message",
    "Outcome",
    "Packet",
    "Procedure",
    "ProcedureHit",
    "QuarantinedTurn",
    "Recall",
    "Receipt",
    "Trace",
    "Turn",
    "TurnDraft",
    "Value",
    "WalkSeed",
]


# Statuses of what default answers may tell, and of facts that are told where they held: what was
# superseded holds until its end, which may be to come.
LIVE = ("active", "pending")
TOLD = (*LIVE, "superseded")
# Of a packet for which no limit is told.
_PACKET_TOKENS = 2000


class Value(BaseModel):
    """Frozen, and of nothing but its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(Value):
    """One entry of the raw event log.

    Attributes:
        role: "user", "assistant", "system", "tool" or "reasoning".
        content: The text exactly as it was handed in.
        name: Who speaks, as shown ("Ana"); "" when not told.
        agent_id: Which agent produced it; "" when not told.
        at: When it was said (aware, UTC); None = the turn's time.
    """

    role: str
    content: str
    name: str = ""
    agent_id: str = ""
    at: datetime | None = None

    @property
    def is_visible(self) -> bool:
        """Whether a reader of the conversation saw it: tool and reasoning messages are not."""
        return self.role in ("user", "assistant", "system")


class TurnDraft(Value):
    """A turn as capture commits it: validated, with its id, before any model is called.

    Attributes:
        id: 32 hex digits; the same content at the same place has the same id.
        text: "name: content" lines of the visible messages.
        turn_key: The caller's own name for it, "" when none was given.
        extraction: Given by the caller instead of a model, or None.
        recorded_at: When it came into the store, where it has been there already.
    """

    id: str
    session_id: str
    agent_id: str = ""
    project: str = ""
    at: datetime
    text: str
    turn_key: str = ""
    messages: tuple[Message, ...]
    extraction: Extraction | None = None
    recorded_at: datetime | None = None


class Lease(Value):
    """Who works on a turn that waits: until then nobody else takes it up.

    Attributes:
        owner: Of one process: a random id.
        until: When it ends by itself (UTC), as after a crash.
    """

    owner: str
    until: datetime


class Outcome(StrEnum):
    """How a turn ended (Graph Memory's five outcomes)."""

    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    INFORMATIONAL = "informational"
    UNKNOWN = "unknown"


class ExtractionState(StrEnum):
    """How far the extraction of a turn has come."""

    PENDING = "pending"
    DONE = "done"
    LOCAL = "local"
    GIVEN = "given"
    QUARANTINED = "quarantined"


class FactDraft(Value):
    """A statement before it is in the graph: a triple, or a sentence alone.

    Attributes:
        text: The statement as a sentence; of a triple "subject predicate object".
        subject: Name of the Term it is about, "" for a sentence alone.
        predicate: As written; data, never an identifier.
        object: Name of the Term at its other end, "" for a sentence alone.
        confidence: 0..1.
        valid_from: From when it holds (UTC); None = the time of the turn.
        valid_to: Until when it holds (UTC); None = still.
        tags: Labels that lead to it, besides its subject and object.
    """

    text: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0, allow_inf_nan=False)
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    tags: tuple[str, ...] = ()


class Mention(Value):
    """A Term that a turn speaks of, with its weight (0..1] in that turn."""

    name: str
    weight: float = Field(default=1.0, gt=0.0, le=1.0, allow_inf_nan=False)


class Extraction(Value):
    """What was learned from a turn.

    Attributes:
        summary: One self-contained sentence or two; never blank for state DONE.
        outcome: How the turn ended.
        facts: Triples and sentences, in the order of the reply, without repeats.
        tags: Labels for the facts of the whole turn.
        intent: What the user wanted, "" when none is told.
        mentions: Terms of the turn; the ends of its facts are added by the graph stage.
        state: DONE (a model), LOCAL (the local extractor) or GIVEN (by the caller).
        extracted_by: The route: "local", "given" or "<model>@<host>".
        dropped: Bad items left out, each as a short reason.
        is_partial: The turn was longer than the model takes, and was clipped.
        prompt_tokens: As the endpoint reports; 0 without a model.
        completion_tokens: As above.
    """

    summary: str
    outcome: Outcome = Outcome.UNKNOWN
    facts: tuple[FactDraft, ...] = ()
    tags: tuple[str, ...] = ()
    intent: str = ""
    mentions: tuple[Mention, ...] = ()
    state: ExtractionState = ExtractionState.GIVEN
    extracted_by: str = "given"
    dropped: tuple[str, ...] = ()
    is_partial: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0


class Turn(Value):
    """A stored turn with its exact messages.

    Attributes:
        seq: Order of arrival inside the session, from 1.
        recorded_at: When it came into the store; None of one from before that was noted.
        summary: "" until extracted.
        extraction: How far its extraction has come.
        extracted_by: The route that extracted it, "" while pending.
        error: Why it is quarantined or still pending, else "".
        is_partial: The extractor saw only a part of it; the source is whole.
        recall_count: How often it was in an answer.
        last_accessed_at: When it was last in one; None = never.
        validated_count: How often it was stated again.
        reward_sum: Sum of the rewards that feedback gave it, each 0..1.
        reward_count: How many these were.
        importance: 0..1.
        pinned: Whether upkeep leaves it alone.
        tier: "core", "working" or "peripheral".
    """

    id: str
    session_id: str
    agent_id: str = ""
    project: str = ""
    at: datetime
    seq: int
    recorded_at: datetime | None = None
    text: str
    summary: str = ""
    outcome: Outcome = Outcome.UNKNOWN
    intent: str = ""
    extraction: ExtractionState = ExtractionState.PENDING
    extracted_by: str = ""
    attempts: int = 0
    error: str = ""
    is_partial: bool = False
    status: str = "active"
    messages: tuple[Message, ...] = ()
    recall_count: int = 0
    last_accessed_at: datetime | None = None
    validated_count: int = 0
    reward_sum: float = 0.0
    reward_count: int = 0
    importance: float = 0.5
    pinned: bool = False
    tier: str = "working"


class Fact(Value):
    """A stored statement that may hold for a time.

    Attributes:
        origin: Who says so: "local", "llm", "given" or "remembered".
        agent_id: Which agent learned it, "" when not told.
        sensitivity: "public", "internal" or "secret"; secret facts are found by asking for
            facts, and never ride along in a recall.
        valid_from: From when it holds; None = open.
        valid_to: Until when, exclusive; None = still holds.
        recorded_at: When graphmem learned it.
        retired_at: When graphmem stopped telling it (superseded or forgotten); None = it does.
        retired_reason: Why, "" while it is told.
        status: "active"; "pending" (told, and waiting for a judge); "superseded";
            "deprecated"; "forgotten".
        validated_count: How often it was stated: by turns, and by `remember`.
        tags: Labels that lead to it.
        turn_ids: The turns that state it, newest first.
        recall_count: As in `Turn`, and so are the others.
        last_accessed_at: As in `Turn`.
        reward_sum: As in `Turn`.
        reward_count: As in `Turn`.
        importance: As in `Turn`.
        pinned: As in `Turn`.
        tier: As in `Turn`.
    """

    id: str
    text: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    confidence: float = 1.0
    origin: str = ""
    agent_id: str = ""
    sensitivity: str = "internal"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_at: datetime | None = None
    retired_at: datetime | None = None
    retired_reason: str = ""
    status: str = "active"
    validated_count: int = 1
    tags: tuple[str, ...] = ()
    turn_ids: tuple[str, ...] = ()
    recall_count: int = 0
    last_accessed_at: datetime | None = None
    reward_sum: float = 0.0
    reward_count: int = 0
    importance: float = 0.5
    pinned: bool = False
    tier: str = "working"


class Procedure(Value):
    """How something is done, and when: a way that serves an Intent.

    Attributes:
        instruction: What to do, exactly as it was handed in.
        intent: What it is good for: the description of the Intent that it serves.
        intent_id: Id of that Intent.
        condition: When it applies; "" = whenever the Intent does.
        expected_outcome: What comes of it; "" when not told.
        return_score: How well it worked where it was learned, 0..1; None = not told.
        priority: Of ways that are as relevant, the highest comes first.
        activation: What brings it up: "intent".
        origin: Who says so: "defined".
        agent_id: Which agent defined it, "" when not told.
        status: "active", "deprecated" or "forgotten".
        recorded_at: When it was defined first.
        retired_at: When it was removed; None = it was not.
        retired_reason: Why, "" while it is told.
        deprecated_at: When upkeep took it out of answers; None = it did not.
        deprecated_by: What did: "decay" or "user"; "" = nothing.
        turn_ids: The turns that it was learned from, newest first.
        recall_count: As in `Turn`, and so are the others.
        last_accessed_at: As in `Turn`.
        validated_count: How often it was defined.
        reward_sum: As in `Turn`; a `return_score` is its first reward.
        reward_count: As in `Turn`.
        importance: As in `Turn`.
        pinned: As in `Turn`.
        tier: As in `Turn`.
    """

    id: str
    instruction: str
    intent: str = ""
    intent_id: str = ""
    condition: str = ""
    expected_outcome: str = ""
    return_score: float | None = None
    priority: int = 0
    activation: str = "intent"
    origin: str = "defined"
    agent_id: str = ""
    status: str = "active"
    recorded_at: datetime | None = None
    retired_at: datetime | None = None
    retired_reason: str = ""
    deprecated_at: datetime | None = None
    deprecated_by: str = ""
    turn_ids: tuple[str, ...] = ()
    recall_count: int = 0
    last_accessed_at: datetime | None = None
    validated_count: int = 1
    reward_sum: float = 0.0
    reward_count: int = 0
    importance: float = 0.5
    pinned: bool = False
    tier: str = "working"


class Hit(Value):
    """A recalled turn.

    Attributes:
        turn: The turn with its exact messages.
        score: What it was ordered by; comparable inside one recall only.
        parts: What the score is made of: the weighted contribution of each part, such as
            "text" or "coverage" (the fields of `Weights`). Their sum times `value` is `score`.
        cosine: Raw cosine to the query in [-1, 1]; None where no vector was compared.
        value: What that sum was multiplied by for the turn's usage; 1 = by nothing.
        rerank_score: What the reranker gave it, which is its order then; None without one.
    """

    turn: Turn
    score: float
    parts: dict[str, float] = Field(default_factory=dict)
    cosine: float | None = None
    value: float = 1.0
    rerank_score: float | None = None


class FactHit(Value):
    """A fact that holds, now or at the answer's `as_of`, and belongs to it.

    Attributes:
        fact: The fact.
        score: What it was ordered by, in [0, 1].
        value: What its fusion of ranks was multiplied by for its usage; 1 = by nothing.
        rerank_score: What a reranker of facts gave it, which is its order then; None without one.
    """

    fact: Fact
    score: float
    value: float = 1.0
    rerank_score: float | None = None


class ProcedureHit(Value):
    """A procedure that serves what was asked.

    Attributes:
        procedure: The procedure; its `intent` is the way by which it was found.
        score: What it was ordered by, in [0, 1]: relevance times value.
        cosine: Raw cosine of the question to its Intent, in [-1, 1]; None where no vector was
            compared.
        value: What its relevance was multiplied by for its usage; 1 = by nothing.
    """

    procedure: Procedure
    score: float
    cosine: float | None = None
    value: float = 1.0


class WalkSeed(Value):
    """A node where the walk through the graph began.

    Attributes:
        label: "Term" (the question is linked to it), "Fact", "Turn" (one of the best by words
            and vector) or "Tag".
        weight: The share of the start that it got.
        name: As shown, where it was known without asking; else "".
    """

    label: str
    id: str
    weight: float
    name: str = ""


class Trace(Value):
    """How an answer arose.

    Attributes:
        terms: Names of the Terms that the question was linked to.
        seeds: Where the walk through the graph began, by label, the heaviest first.
        candidates: How many turns each leg nominated, by leg.
        engine: What ran the PageRank: "cypher", or "gds".
        round_trips: How often the recall waited for the server; what is asked at once counts once.
        timings_ms: Milliseconds by part: "embed", "seeds", "graph", "evidence", "total".
    """

    terms: tuple[str, ...] = ()
    seeds: tuple[WalkSeed, ...] = ()
    candidates: dict[str, int] = Field(default_factory=dict)
    engine: str = "cypher"
    round_trips: int = 0
    timings_ms: dict[str, float] = Field(default_factory=dict)


class Packet(Value):
    """The block of history for a prompt, and what is in it.

    Attributes:
        text: To be put before the user's message; "" when nothing was recalled or nothing fits.
        tokens: That it takes, by `counted_by`.
        counted_by: "estimate", or "tiktoken:" and the encoding.
        turn_ids: Turns that are in it, by rank.
        cut_turn_ids: Those of them of which a part is left out.
        fact_ids: Facts that are in it, by rank.
        procedure_ids: Procedures that are in it, by rank.
    """

    text: str = ""
    tokens: int = 0
    counted_by: str = "estimate"
    turn_ids: tuple[str, ...] = ()
    cut_turn_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    procedure_ids: tuple[str, ...] = ()


class Calibration(Value):
    """What cosines mean under one embedder, measured on turns of a store.

    Attributes:
        same_median: Cosine of half a turn and the whole, the middle one.
        different_median: Cosine of half a turn and another turn, the middle one.
        different_p90: The same, exceeded by a tenth.
        threshold: Raw cosine from which a turn counts as near to a question.
        sample: Turns that were measured.
        at: When.
    """

    same_median: float
    different_median: float
    different_p90: float
    threshold: float
    sample: int
    at: datetime


class Recall(Value):
    """The answer to a question: exact source turns and the facts that still hold.

    Attributes:
        turns: Best first.
        facts: Best first; only such as hold now.
        procedures: Best first: ways of doing what was asked.
        as_of: The instant at which the facts held, where one was asked for; None = now.
        known_at: The instant at which the memory said so, where one was asked for; None = now.
        degraded: What could not take part: "vector", "text", "graph", "reranker", or
            "disabled". Empty when all did.
        confident: Whether what was found can be relied on; False where nothing was.
        best_rejected: Where it cannot: the best raw cosine, or the share of the question's words
            that a turn holds where no vector was compared; None where there was no turn.
        max_tokens: The budget of a packet that it was asked for; None = none was told.
        trace_id: Under which it was kept (`recall_trace` opens it again); "" = it was not.
    """

    query: str
    scope: str
    as_of: datetime | None = None
    known_at: datetime | None = None
    turns: tuple[Hit, ...] = ()
    facts: tuple[FactHit, ...] = ()
    procedures: tuple[ProcedureHit, ...] = ()
    degraded: tuple[str, ...] = ()
    confident: bool = True
    best_rejected: float | None = None
    trace: Trace = Trace()
    max_tokens: int | None = None
    trace_id: str = ""
    _render: Callable[[Recall, int], Packet] | None = PrivateAttr(default=None)

    def rendered_by(self, render: Callable[[Recall, int], Packet]) -> Self:
        """Return this recall with the stage that `prompt` asks (models know no stage)."""
        bound = self.model_copy()
        bound._render = render  # noqa: SLF001 - the same class
        return bound

    def prompt(self, max_tokens: int | None = None) -> str:
        """Return the block of history for a prompt: escaped, marked, within the budget.

        Args:
            max_tokens: The most tokens the block may take, > 0; None = what was recalled for,
                else 2,000.

        Returns:
            Text to put before the user's message; "" when nothing was recalled.

        Raises:
            InputError: `max_tokens` is not positive.
        """
        return self.packet(max_tokens).text

    def packet(self, max_tokens: int | None = None) -> Packet:
        """Return what `prompt` returns, with the tokens that it takes and what is in it.

        Args:
            max_tokens: As in `prompt`.

        Raises:
            InputError: `max_tokens` is not positive.
        """
        if self._render is None:
            raise RuntimeError("this Recall was built by hand: call rendered_by() first")
        if max_tokens is None:
            max_tokens = self.max_tokens or _PACKET_TOKENS
        return self._render(self, max_tokens)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that json.dumps takes."""
        return self.model_dump(mode="json")


class Receipt(Value):
    """What a write did.

    Attributes:
        turn_id: The turn's id.
        session_id: Its session.
        message_ids: Ids of its messages, in order.
        created: False when the same turn was there already: nothing was changed then.
        is_other_content: Whether the turn that was there under this `turn_key` says something
            else: the first one stays.
        extraction: State at the time of the receipt.
        extracted_by: The route, "" while pending.
        error: Why it is pending or quarantined, else "".
        facts: Facts linked to the turn so far.
        dropped: Bad items of the reply that were left out, each as a short reason.
        prompt_tokens: Of the one extraction call; 0 without one.
        completion_tokens: As above.
        duration_ms: From the call to the receipt.
    """

    turn_id: str
    session_id: str
    message_ids: tuple[str, ...] = ()
    created: bool = True
    is_other_content: bool = False
    extraction: ExtractionState = ExtractionState.PENDING
    extracted_by: str = ""
    error: str = ""
    facts: int = 0
    dropped: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    duration_ms: float = 0.0


class Flushed(Value):
    """What `flush` has waited for, and what waits still.

    As a condition it is true where nothing more can be done now: `if memory.flush(10): ...`.

    Attributes:
        is_idle: Whether nothing is being worked on any more; False where the time was over before.
        without_vector: Nodes that wait for a vector: of an embedder that is down, resting after a
            fault, or absent; or because the time was over.
        unlinked: Terms that are linked to similar ones when they have their vector.
        unchecked: Facts that are decided about anew when they have their vector.
    """

    is_idle: bool
    without_vector: int = 0
    unlinked: int = 0
    unchecked: int = 0

    def __bool__(self) -> bool:
        return self.is_idle


class Evidence(Value):
    """What the store holds under one turn id: the turn, and the facts that it states."""

    turn: Turn
    facts: tuple[Fact, ...] = ()


class QuarantinedTurn(Value):
    """A turn whose extraction was refused: the reason, and what the reply measured."""

    turn_id: str
    session_id: str
    at: datetime
    reason: str
    attempts: int
    reply_length: int = 0
    reply_hash: str = ""
    text: str = ""
