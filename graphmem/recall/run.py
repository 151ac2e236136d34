"""Recall from end to end: three round trips, and pure scoring between them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from graphmem.clock import OPEN_TO
from graphmem.errors import StoreError
from graphmem.models import Fact, FactHit, Hit, ProcedureHit, Recall, Trace, WalkSeed
from graphmem.queries import get_query
from graphmem.recall.confidence import judge
from graphmem.recall.fuse import Nominees, Ranked, nominate, rank, walk_seeds
from graphmem.recall.gds import rank_by_gds
from graphmem.recall.procedures import Relevance, procedure_hits, relevant_procedures
from graphmem.recall.question import Question, take_apart
from graphmem.recall.request import RecallOptions, RecallRequest
from graphmem.recall.rerank import ReRanker, rerank
from graphmem.recall.rows import fact_of, turn_of
from graphmem.recall.seeds import Seeds, find_seeds, is_fatal
from graphmem.recall.walk import Reached, WalkSeeds, standing_alone, walk_graph
from graphmem.scoring import Usage, best_first, rrf, value_factor

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database

__all__ = ["recall_turns"]

logger = logging.getLogger(__name__)

# Turns whose place in the conversation is looked up: on LoCoMo 40 find what 400 do.
_PLACED = 30
_PLACED_A_TURN = 4
# A turn that states more facts than this is a document; its best ones come by themselves.
_STATED_FACTS = 20
# An import of old conversations may hold as many turns of a time as were stored in it.
_DEEPER_WHEN_KNOWN = 5


async def recall_turns(
    db: Database,
    request: RecallRequest,
    *,
    vector: NDArray[float32] | None,
    slot: str | None,
    options: RecallOptions,
    reranker: ReRanker | None = None,
) -> Recall:
    """Return the turns that answer a question, with their messages and the facts that hold.

    Args:
        db: The database.
        request: From `recall_request`.
        vector: Of the question, L2-normalised; None while there is no embedder, or it is down.
        slot: Where the store's vectors are, "a" or "b"; None = it has none.
        options: How to answer.
        reranker: Orders the best turns anew; None = their order is the answer's.

    Returns:
        The recall; `degraded` names "vector", "text", "graph" or "reranker" where one could not
        take part.
        An empty store, or one where nothing fits, gives an empty one.

    Raises:
        StoreError: The server cannot be reached, or neither leg can be asked.
    """
    if request.limit == 0:
        return Recall(query=request.query, scope=request.scope, confident=False)
    question = take_apart(request, options)
    has_vector = vector is not None and slot is not None
    course = _Course(
        db,
        request,
        options,
        question,
        vector if has_vector else None,
        slot if has_vector else None,
        reranker,
    )
    return await course.run()


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the third round trip brought: turns and procedures best first, facts by id.

    Attributes:
        stated: Ids of the facts that each turn states.
    """

    hits: tuple[Hit, ...]
    facts: Mapping[str, Fact]
    stated: Mapping[str, tuple[str, ...]]
    procedures: tuple[ProcedureHit, ...] = ()


@dataclass(slots=True)
class _Course:
    """One recall on its way."""

    db: Database
    request: RecallRequest
    options: RecallOptions
    question: Question
    vector: NDArray[float32] | None
    slot: str | None
    reranker: ReRanker | None
    timings_ms: dict[str, float] = field(default_factory=dict)
    round_trips: int = 0
    degraded: list[str] = field(default_factory=list)
    starts: WalkSeeds | None = None

    async def run(self) -> Recall:
        started = time.perf_counter()
        seeds = await self._seeds()
        nominees = nominate(seeds, self.question, self.options)
        reached = await self._reached(seeds, nominees)
        ranked = rank(nominees, reached, self.question, self.options)
        visible = self.request.visible
        limit = self.request.limit
        depth = limit if self.reranker is None else max(limit, self.options.rerank_depth)
        if self.request.known_at is not None:
            # Some of them may have been said by then, and stored later.
            depth *= _DEEPER_WHEN_KNOWN
        chosen = [turn for turn in ranked if turn.id not in visible][:depth]
        ways = relevant_procedures(seeds, self.question, self.options)
        evidence = await self._evidence(seeds, nominees, chosen, ways)
        turns = (await self._reranked(evidence.hits))[:limit]
        facts = () if self.request.known_at else self._facts(evidence, nominees, turns)
        confidence = judge(nominees, visible, self.options.calibration)
        if self.options.abstains and not confidence.is_confident:
            turns, facts = (), ()
        begun = _told_seeds(self.starts, seeds)
        self._passed("total", started)
        return Recall(
            query=self.request.query,
            scope=self.request.scope,
            as_of=self.request.as_of,
            known_at=self.request.known_at,
            turns=turns,
            facts=facts,
            # What is far from the question is not among them, whatever the turns are worth.
            procedures=evidence.procedures,
            degraded=tuple(self.degraded),
            confident=confidence.is_confident,
            best_rejected=confidence.best_rejected,
            trace=Trace(
                terms=tuple(seed.name for seed in begun if seed.label == "Term" and seed.name),
                seeds=begun,
                candidates={
                    "text": len(seeds.text_turns),
                    "vector": len(seeds.vector_turns),
                    "facts": len(nominees.fact_scores),
                    "graph": len(reached.masses),
                },
                engine=self.options.engine,
                round_trips=self.round_trips,
                timings_ms=self.timings_ms,
            ),
        )

    async def _seeds(self) -> Seeds:
        started = time.perf_counter()
        seeds = await find_seeds(
            self.db,
            self.request,
            self.question,
            self.options,
            vector=self.vector,
            slot=self.slot,
        )
        self.round_trips += 1
        self.degraded += seeds.degraded
        self._passed("seeds", started)
        return seeds

    async def _reached(self, seeds: Seeds, nominees: Nominees) -> Reached:
        starts = walk_seeds(seeds, nominees, self.question, self.options)
        begins = (starts.turns, starts.terms, starts.tags, starts.facts)
        if not nominees.scores and not any(begins):
            return Reached({}, (), {})
        started = time.perf_counter()
        wanted = max(_PLACED, _PLACED_A_TURN * self.request.limit) + len(self.request.visible)
        best = best_first(nominees.scores)[:wanted]
        self.starts = starts
        try:
            reached = await self._walked(self.starts, best, list(nominees.cosine))
        except StoreError as error:
            if is_fatal(error):
                raise
            logger.warning("recall.walk_failed kind=%s", error.kind)
            self.degraded.append("graph")
            reached = standing_alone(seeds)
        self._passed("graph", started)
        return reached

    async def _walked(
        self, starts: WalkSeeds, best: Sequence[str], known: Sequence[str]
    ) -> Reached:
        masses: dict[str, float] = {}
        by_gds = self.options.engine == "gds"
        if by_gds:
            self.round_trips += 3
            masses = await rank_by_gds(self.db, self.request, self.options, starts)
        self.round_trips += 1
        reached = await walk_graph(
            self.db,
            self.request,
            self.options,
            seeds=starts,
            turn_ids=[*best, *masses],
            known=known,
            vector=None if "vector" in self.degraded else self.vector,
            slot=self.slot,
        )
        return replace(reached, masses=masses) if by_gds else reached

    async def _evidence(
        self,
        seeds: Seeds,
        nominees: Nominees,
        chosen: Sequence[Ranked],
        ways: Mapping[str, Relevance],
    ) -> _Evidence:
        fact_ids = best_first(nominees.fact_scores)
        if self.request.is_filtered:
            # Facts have no session of their own: one belongs where a turn that may answer
            # states it.
            stated = {fact.id for fact in (*seeds.text_facts, *seeds.vector_facts) if fact.turn_ids}
            fact_ids = [fact_id for fact_id in fact_ids if fact_id in stated]
        if not chosen and not fact_ids and not ways:
            return _Evidence((), {}, {})
        started = time.perf_counter()
        self.round_trips += 1
        rows = await self.db.run(
            get_query("recall/get_evidence"),
            scope=self.request.scope,
            turn_ids=[turn.id for turn in chosen],
            fact_ids=fact_ids[: self.options.max_facts],
            procedure_ids=list(ways),
            known_by=self.request.known_at or OPEN_TO,
            now=self.request.held_at(self.options.now),
            fact_statuses=list(self.request.fact_statuses),
            stated=_STATED_FACTS,
        )
        entries = {entry["id"]: entry for entry in rows[0]["turns"]}
        hits = tuple(
            Hit(
                turn=turn_of(entries[turn.id]),
                score=turn.score,
                parts=dict(turn.parts),
                cosine=turn.cosine,
                value=turn.value,
            )
            for turn in chosen
            if turn.id in entries
        )
        self._passed("evidence", started)
        return _Evidence(
            hits=hits,
            facts={entry["id"]: fact_of(entry) for entry in rows[0]["facts"]},
            stated={turn_id: tuple(entry["fact_ids"]) for turn_id, entry in entries.items()},
            procedures=procedure_hits(rows[0]["procedures"], ways, self.options),
        )

    async def _reranked(self, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        if self.reranker is None or not hits:
            return hits
        started = time.perf_counter()
        depth = self.options.rerank_depth
        ordered = await rerank(
            self.reranker,
            self.request.query,
            hits[:depth],
            timeout_s=self.options.rerank_timeout_s,
        )
        self._passed("rerank", started)
        if ordered is None:
            self.degraded.append("reranker")
            return hits
        return (*ordered, *hits[depth:])

    def _facts(
        self, evidence: _Evidence, nominees: Nominees, turns: Sequence[Hit]
    ) -> tuple[FactHit, ...]:
        facts = evidence.facts
        stated = [fact_id for hit in turns for fact_id in evidence.stated[hit.turn.id]]
        fused = _fact_scores((*nominees.fact_ranks, stated), set(facts))
        values = {fact_id: self._fact_value(facts[fact_id]) for fact_id in fused}
        scores = {fact_id: score * values[fact_id] for fact_id, score in fused.items()}
        best = best_first(scores)[: self.options.max_facts]
        return tuple(
            FactHit(fact=facts[fact_id], score=scores[fact_id], value=values[fact_id])
            for fact_id in best
        )

    def _fact_value(self, fact: Fact) -> float:
        used = fact.last_accessed_at or fact.recorded_at
        if used is None or not self.options.value_weight:
            return 1.0
        idle_h = (self.options.now - used).total_seconds() / 3600
        usage = Usage(fact.recall_count, idle_h, fact.reward_sum, fact.reward_count)
        return value_factor(usage, self.options.curves.semantic, self.options.value_weight)

    def _passed(self, part: str, started: float) -> None:
        self.timings_ms[part] = round((time.perf_counter() - started) * 1000, 3)


def _told_seeds(starts: WalkSeeds | None, seeds: Seeds) -> tuple[WalkSeed, ...]:
    if starts is None:
        return ()
    named = (*seeds.terms, *seeds.tags, *seeds.part_terms, *seeds.near_terms, *seeds.near_tags)
    names = {node.id: node.name for node in named}
    return tuple(
        WalkSeed(label=label, id=node_id, weight=weights[node_id], name=names.get(node_id, ""))
        for label, weights in (
            ("Term", starts.terms),
            ("Fact", starts.facts),
            ("Tag", starts.tags),
            ("Turn", starts.turns),
        )
        for node_id in best_first(weights)
    )


def _fact_scores(rankings: Sequence[Sequence[str]], held: set[str]) -> dict[str, float]:
    """Return the facts' fusion over the most that one can have, so that it lies in (0, 1].

    The turns of the answer are a third voter beside text and vector.
    """
    most = sum(rrf([["first"]]).values()) * len(rankings)
    fused = rrf(rankings)
    return {fact_id: score / most for fact_id, score in fused.items() if fact_id in held}
