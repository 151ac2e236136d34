"""Works off the decisions that wait for a judge: each is settled in a transaction of its own."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from graphmem.decisions import Decision, DecisionKind, JudgeReport, Stage
from graphmem.errors import ModelError
from graphmem.graph.change import FactChange, Judged, note_failure, settle
from graphmem.graph.conflict.model import Closing, Statement, Verdict
from graphmem.graph.neighbours import statement_of
from graphmem.models import Lease
from graphmem.operation import Progress, operation
from graphmem.owner import new_owner
from graphmem.queries import get_query
from graphmem.tiers.judge import Judgement, Ruling, judge_request, read_judgement
from graphmem.tiers.reading import count_open, get_decisions

if TYPE_CHECKING:
    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.graph.conflict.resolve import ConflictPipeline
    from graphmem.llm import ChatModel

__all__ = ["Judging"]

logger = logging.getLogger(__name__)

# Of the prompt rather than of the way to the model: the next decision may fare better.
_ABOUT_THE_PROMPT = ("context-length", "content-filter", "judgement")
_MAX_ERROR = 500
# Beyond the deadline of a call, for what is read and written around it.
_MARGIN = timedelta(seconds=60)
_GONE = "what it was compared with is told no longer"
_CHANGED = "the facts changed while it was judged; it is judged again"


class Judging:
    """One pass over the decisions of a scope that wait.

    Each is taken up before the model is asked, so that of several passes at once, in any
    process, one asks about it. One that ends without settling what it took, as by a crash, is
    followed by another once the lease is over.

    Args:
        db: The store.
        scope: Whose memory it is.
        model: The judge.
        pipeline: Its guards hold for the judge's word, too.
        clock: Tells when a decision was settled.
        concurrency: Calls at once, >= 1.
        timeout_s: Deadline of a call.
        max_tokens: Limit of a reply; None = the endpoint's own.
    """

    def __init__(
        self,
        db: Database,
        scope: str,
        model: ChatModel,
        pipeline: ConflictPipeline,
        clock: Clock,
        *,
        concurrency: int,
        timeout_s: float,
        max_tokens: int | None,
    ) -> None:
        self._db = db
        self._scope = scope
        self._model = model
        self._pipeline = pipeline
        self._clock = clock
        self._concurrency = concurrency
        self._lasts = timedelta(seconds=timeout_s) + _MARGIN
        self._owner = new_owner()
        self._since = clock.now()
        self._tried: list[str] = []
        # One after the other: they would wait for the same decision.
        self._claiming = asyncio.Lock()
        self._max_tokens = max_tokens
        # One after the other: what one retires must not be retired by the next one again.
        self._settling = asyncio.Lock()
        self._counts: Counter[str] = Counter()
        self._error = ""

    async def run(self, limit: int, progress: Progress | None) -> JudgeReport:
        """Judge up to `limit` decisions, the least tried and oldest first; each is tried once."""
        total = min(limit, await count_open(self._db, self._scope))

        async def work() -> None:
            while not self._error:
                decision = await self._next(limit)
                if decision is None:
                    return
                await self._judge(decision)
                self._counts["tried"] += 1
                if progress is not None:
                    progress(self._counts["tried"], total)

        workers = [asyncio.create_task(work()) for _ in range(min(self._concurrency, total))]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            if self._tried:
                await self._release()
        counts = self._counts
        return JudgeReport(
            judged=counts["superseded"] + counts["deduped"] + counts["kept"] + counts["refused"],
            superseded=counts["superseded"],
            deduped=counts["deduped"],
            kept=counts["kept"],
            refused=counts["refused"],
            failed=counts["failed"],
            waiting=await count_open(self._db, self._scope),
            error=self._error,
        )

    async def _next(self, limit: int) -> Decision | None:
        """Take up the next decision; None where nothing is left, or enough was tried."""
        async with self._claiming:
            while len(self._tried) < limit:
                now = self._clock.now()
                lease = Lease(owner=self._owner, until=now + self._lasts)
                rows = await self._db.run(
                    get_query("tiers/claim_decision"),
                    scope=self._scope,
                    now=now,
                    since=self._since,
                    tried=self._tried,
                    owner=lease.owner,
                    until=lease.until,
                )
                if not rows:
                    return None
                # Where another one was quicker there may be more.
                for decision in await get_decisions(self._db, self._scope, rows[0]["ids"]):
                    self._tried.append(decision.id)
                    return decision
        return None

    async def _release(self) -> None:
        """Let go of what was taken up and not settled: the next run may take it up at once."""
        await self._db.run(
            get_query("tiers/release_decisions"), scope=self._scope, owner=self._owner
        )

    async def _judge(self, decision: Decision) -> None:
        with operation("semantic.judge", self._scope) as current:
            current.fields["decision"] = decision.id
            candidate, known = await self._read(decision)
            if candidate is None or not candidate.is_live or not known:
                verdict = Verdict(DecisionKind.ADMIT, Stage.DEFER, _GONE)
                current.fields["outcome"] = await self._settle(decision, verdict, "kept", by="")
                return
            judgement = await self._ask(decision, candidate, known)
            if judgement is None:
                current.fields["outcome"] = "failed"
                return
            async with self._settling:
                current.fields["outcome"] = await self._apply(decision, judgement)

    async def _read(self, decision: Decision) -> tuple[Statement | None, list[Statement]]:
        """Return the statement in question, and those that it may contradict and that stand."""
        wanted = [decision.fact_id, *decision.against]
        rows = await self._db.run(
            get_query("tiers/get_statements"), scope=self._scope, fact_ids=wanted
        )
        found = {row["fact"]["id"]: statement_of(row["fact"]) for row in rows}
        others = [found[one] for one in decision.against if one in found]
        return found.get(decision.fact_id), [one for one in others if one.is_live]

    async def _ask(
        self, decision: Decision, candidate: Statement, known: Sequence[Statement]
    ) -> Judgement | None:
        request = judge_request(decision, candidate, known, max_tokens=self._max_tokens)
        try:
            return read_judgement(await self._model.complete(request), known)
        except ModelError as error:
            if error.kind in _ABOUT_THE_PROMPT:
                await self._fail(decision, str(error))
            else:
                # The way to the model: the others would run into the same.
                self._error = str(error)
                logger.warning("semantic.judge_stopped kind=%s", error.kind)
            return None

    async def _apply(self, decision: Decision, judgement: Judgement) -> str:
        """Settle a decision as it was judged, where the facts are still as they were."""
        candidate, known = await self._read(decision)
        if candidate is None or not candidate.is_live:
            verdict = Verdict(DecisionKind.ADMIT, Stage.DEFER, judgement.reason)
            return await self._settle(decision, verdict, "kept")
        if judgement.ruling is Ruling.KEEP_BOTH:
            verdict = Verdict(DecisionKind.ADMIT, Stage.DEFER, judgement.reason)
            return await self._settle(decision, verdict, "kept")
        target = next((one for one in known if one.id == judgement.target_id), None)
        if target is None:
            await self._fail(decision, _CHANGED)
            return "failed"
        is_same = judgement.ruling is Ruling.SAME
        guard = self._pipeline.differs if is_same else self._pipeline.guards
        if (refusal := guard(candidate, target)) is not None:
            reason = f"both stand: {refusal}; the judge said: {judgement.reason}"
            return await self._settle(
                decision, Verdict(DecisionKind.ADMIT, Stage.DEFER, reason), "refused"
            )
        if is_same:
            verdict = Verdict(DecisionKind.DEDUP, Stage.DEFER, judgement.reason, same_as=target.id)
            widened = FactChange(
                id=target.id,
                valid_from=min(candidate.valid_from, target.valid_from),
                valid_to=max(candidate.valid_to, target.valid_to),
            )
            return await self._settle(decision, verdict, "deduped", beside=[widened])
        closing = Closing(target.id, min(target.valid_to, candidate.valid_from))
        verdict = Verdict(DecisionKind.SUPERSEDE, Stage.DEFER, judgement.reason, closes=(closing,))
        return await self._settle(decision, verdict, "superseded")

    async def _settle(
        self,
        decision: Decision,
        verdict: Verdict,
        outcome: str,
        *,
        by: str | None = None,
        beside: Sequence[FactChange] = (),
    ) -> str:
        is_settled = await settle(
            self._db,
            self._scope,
            decision.id,
            verdict,
            now=self._clock.now(),
            judged=Judged(self._model.route if by is None else by, verdict.reason),
            beside=beside,
        )
        if not is_settled:
            return "settled elsewhere"
        self._counts[outcome] += 1
        return outcome

    async def _fail(self, decision: Decision, error: str) -> None:
        is_noted = await note_failure(
            self._db,
            self._scope,
            decision.id,
            error[:_MAX_ERROR],
            owner=self._owner,
            now=self._clock.now(),
        )
        self._counts["failed"] += is_noted
