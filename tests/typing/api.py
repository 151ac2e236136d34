"""Never run, only type-checked: the public types are under test here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import assert_type

from graphmem import (
    AsyncGraphMemory,
    AsyncRecall,
    Calibration,
    DecisionKind,
    Evidence,
    Explanation,
    Extraction,
    Fact,
    FactDraft,
    FactHit,
    Flushed,
    GraphMemory,
    Hit,
    Mention,
    MergedTerm,
    Procedural,
    Procedure,
    ProcedureHit,
    RecallTrace,
    RoutineReport,
    ScoredNode,
    Semantic,
    Settings,
    SplitTerm,
    Stats,
    SyncRecall,
    Term,
    TierReport,
)


class NearestLength:
    """A reranker of the caller's own: it need not know graphmem's class."""

    async def rerank(self, query: str, hits: Sequence[Hit]) -> list[float]:
        """Return a number a hit."""
        return [-abs(float(len(hit.turn.text) - len(query))) for hit in hits]


def sync() -> None:
    """A program without an event loop."""
    with GraphMemory.from_env(scope="acme/ana") as memory:
        assert_type(memory, GraphMemory)
        assert_type(memory.scoped("acme/ben"), GraphMemory)
        receipt = memory.add_turn(
            "q",
            "a",
            at=datetime(2026, 3, 2, tzinfo=UTC),
            extraction=Extraction(
                summary="s",
                facts=(FactDraft(text="Ana lives in Lyon."),),
                mentions=(Mention(name="Ana"),),
            ),
        )
        assert_type(receipt.turn_id, str)
        assert_type(receipt.wait(1.0).created, bool)
        memory.add_messages([{"role": "user", "content": "hi"}])
        receipts = memory.add_turns([{"question": "q"}], progress=lambda _done, _total: None)
        assert_type(receipts[0].facts, int)
        found = memory.recall("q", since=datetime(2026, 1, 1, tzinfo=UTC), visible=["id"])
        assert_type(found, SyncRecall)
        assert_type(found.turns, tuple[Hit, ...])
        assert_type(found.explain(), Explanation)
        assert_type(memory.recall_trace(found.trace_id), Explanation | None)
        assert_type(memory.recall_traces(5), list[RecallTrace])
        assert_type(memory.drop_traces(), int)
        assert_type(found.prompt(max_tokens=100), str)
        assert_type(memory.recall("q", max_tokens=700).packet().turn_ids, tuple[str, ...])
        then = memory.recall("q", as_of=datetime(2024, 1, 1, tzinfo=UTC), keep_trace=True)
        assert_type(then.as_of, datetime | None)
        assert_type((then.confident, then.best_rejected), tuple[bool, float | None])
        assert_type(memory.feedback([hit.turn.id for hit in then.turns], 1.0), int)
        assert_type(memory.calibrate(), Calibration)
        memory.set_reranker(NearestLength())
        memory.set_reranker(None)
        assert_type(memory.get_turn("id"), Evidence | None)
        assert_type(memory.stats(), Stats)
        assert_type(memory.configure(recall_enabled=False), Settings)
        assert_type(memory.flush(1.0), Flushed)
        assert_type(memory.extract_pending()[0].error, str)
        facts = memory.semantic
        assert_type(facts, Semantic)
        assert_type(facts.remember("Ana lives in Lyon.", tags=["home"]), Fact)
        done = facts.supersede("id", {"subject": "Ana", "predicate": "owns", "object": "x"}, "r")
        assert_type(done.decision.kind, DecisionKind)
        assert_type(facts.search("q", known_at=datetime(2026, 1, 1, tzinfo=UTC)), list[FactHit])
        assert_type(facts.list(status="all"), list[Fact])
        assert_type(facts.history("id").chain, tuple[Fact, ...])
        assert_type(facts.judge_pending(limit=5).judged, int)
        assert_type(memory.terms(limit=5, query="ana"), list[Term])
        assert_type(memory.merge_terms("Ana", "Annie", reason="r", force=True), MergedTerm)
        assert_type(memory.unmerge_term("Annie").aliases, tuple[str, ...])
        assert_type(memory.split_term("Ana", qualifier="baker", turn_ids=["id"]), SplitTerm)


def upkeep() -> None:
    """What is done how, what is left alone, and what helped."""
    with GraphMemory.open(Settings()) as memory:
        ways = memory.procedural
        assert_type(ways, Procedural)
        assert_type(ways.define("x", intent="y", return_score=0.5, turn_ids=["id"]), Procedure)
        assert_type(ways.list(intent="y", status="all"), list[Procedure])
        assert_type(ways.get("id"), Procedure | None)
        assert_type(ways.pin("id", pinned=False).pinned, bool)
        assert_type(memory.semantic.pin("id"), Fact)
        found = memory.recall("q")
        assert_type(found.procedures, tuple[ProcedureHit, ...])
        assert_type(memory.feedback(found, 0.5), int)
        assert_type(memory.decay_nodes(0.2, node_types=["semantic"]).deleted, int)
        assert_type(memory.decay_preview(policy="tiered", days=9).nodes, tuple[ScoredNode, ...])
        assert_type(memory.tiered_decay(dry_run=True), TierReport)
        assert_type(memory.consolidate_and_decay(mode="deprecate"), RoutineReport)


async def asynchronous() -> None:
    """An agent with an event loop."""
    async with await AsyncGraphMemory.open(Settings()) as memory:
        assert_type(memory, AsyncGraphMemory)
        receipt = await memory.add_turn("q", extraction={"facts": ["Ana lives in Lyon."]})
        assert_type((await receipt.wait()).error, str)
        found = await memory.recall("q", keep_trace=True)
        assert_type(found, AsyncRecall)
        assert_type(await found.explain(), Explanation)
        assert_type(await memory.backfill_vectors(), int)
        assert_type((await memory.merge_terms("Ana", "Annie")).term, Term)
