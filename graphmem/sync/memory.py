"""`GraphMemory`: `AsyncGraphMemory` for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from pydantic import PrivateAttr

from graphmem.config import Settings
from graphmem.errors import StoreError
from graphmem.health import DoctorReport, Stats
from graphmem.memory import AsyncGraphMemory, AsyncReceipt
from graphmem.models import (
    Calibration,
    Evidence,
    Extraction,
    Flushed,
    Message,
    QuarantinedTurn,
    Recall,
    Receipt,
    TurnDraft,
)
from graphmem.operation import Progress
from graphmem.recall.rerank import ReRanker
from graphmem.sync.loop import BackgroundLoop
from graphmem.sync.maintenance import SyncMaintenance
from graphmem.sync.procedural import Procedural
from graphmem.sync.recall import SyncRecall
from graphmem.sync.semantic import Semantic
from graphmem.sync.terms import SyncTerms
from graphmem.sync.traces import SyncTraces

if TYPE_CHECKING:
    from neo4j import AsyncDriver

    from graphmem.clock import Clock
    from graphmem.embed import Embedder
    from graphmem.graph.conflict.locales.pack import LocalePack
    from graphmem.llm import ChatModel

__all__ = ["GraphMemory", "SyncReceipt"]


class SyncReceipt(Receipt):
    """A receipt that can be waited on until the turn's extraction is done."""

    _loop: BackgroundLoop | None = PrivateAttr(default=None)
    _inner: AsyncReceipt | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, inner: AsyncReceipt, loop: BackgroundLoop) -> Self:
        """Return the same receipt for a caller without a loop."""
        receipt = cls(**inner.model_dump())
        receipt._loop, receipt._inner = loop, inner
        return receipt

    def wait(self, timeout_s: float | None = None) -> Receipt:
        """Wait until the turn is extracted, quarantined, or left pending by a fault.

        Args:
            timeout_s: The longest wait in seconds; None = as long as it takes.

        Returns:
            The receipt as it stands then; still pending when the time ran out.
        """
        if self._loop is None or self._inner is None:
            return self
        return self._loop.run(self._inner.wait(timeout_s))


class GraphMemory(SyncTerms, SyncTraces, SyncMaintenance):
    """Long-term memory in one scope of a Neo4j store.

    Open one with `GraphMemory.from_env()`, close it with `close()` or by leaving ``with``.
    `scoped()` gives further scopes on the same connection. Every method does what the one of
    the same name of `AsyncGraphMemory` does, and may be called from any thread.
    """

    def __init__(self, inner: AsyncGraphMemory, loop: BackgroundLoop) -> None:
        self._inner: AsyncGraphMemory = inner
        self._loop = loop

    # Opening and closing ------------------------------------------------------------------

    @classmethod
    def from_env(cls, **settings: Any) -> Self:
        """Open the memory that the environment describes."""
        return cls.open(Settings.from_env(**settings))

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        embedder: Embedder | None = None,
        chat_model: ChatModel | None = None,
        clock: Clock | None = None,
        driver: AsyncDriver | None = None,
        locale_packs: Sequence[LocalePack] = (),
    ) -> Self:
        """Open a memory from settings and, where given, the caller's own parts."""
        loop = BackgroundLoop()
        try:
            inner = loop.run(
                AsyncGraphMemory.open(
                    settings,
                    embedder=embedder,
                    chat_model=chat_model,
                    clock=clock,
                    driver=driver,
                    locale_packs=locale_packs,
                )
            )
        except BaseException:
            loop.stop()
            raise
        return cls(inner, loop)

    def close(self) -> None:
        """Wait for queued turns up to `close_timeout_s`, then close; the rest stays pending."""
        try:
            self._loop.run(self._inner.close())
        except StoreError as error:
            # Closed meanwhile by another thread, or not this process's to close.
            if error.kind not in ("closed", "forked"):
                raise
        finally:
            self._loop.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def scoped(self, scope: str) -> Self:
        """Return the memory of another owner on the same connection."""
        return type(self)(self._inner.scoped(scope), self._loop)

    @property
    def scope(self) -> str:
        """Whose memory this is."""
        return self._inner.scope

    @property
    def semantic(self) -> Semantic:
        """The facts of this scope: state, search, correct and forget them."""
        return Semantic(self._inner.semantic, self._loop)

    @property
    def procedural(self) -> Procedural:
        """The procedures of this scope: define, list and remove them."""
        return Procedural(self._inner.procedural, self._loop)

    @property
    def settings(self) -> Settings:
        """The settings that hold now."""
        return self._inner.settings

    def configure(self, **hot: Any) -> Settings:
        """Change hot settings at once, for every scope of this memory."""
        return self._loop.run(self._inner.configure(**hot))

    # Writing ------------------------------------------------------------------------------

    def add_turn(
        self,
        question: str,
        answer: str | None = None,
        *,
        session_id: str = "default",
        agent_id: str | None = None,
        project: str | None = None,
        at: datetime | None = None,
        turn_key: str | None = None,
        name: str | None = None,
        extraction: Extraction | Mapping[str, Any] | None = None,
        wait: bool = False,
    ) -> SyncReceipt:
        """Remember one completed turn."""
        receipt = self._loop.run(
            self._inner.add_turn(
                question,
                answer,
                session_id=session_id,
                agent_id=agent_id,
                project=project,
                at=at,
                turn_key=turn_key,
                name=name,
                extraction=extraction,
                wait=wait,
            )
        )
        return SyncReceipt.of(receipt, self._loop)

    def add_messages(
        self,
        messages: Sequence[Message | Mapping[str, Any]],
        *,
        session_id: str = "default",
        agent_id: str | None = None,
        project: str | None = None,
        at: datetime | None = None,
        turn_key: str | None = None,
        extraction: Extraction | Mapping[str, Any] | None = None,
        wait: bool = False,
    ) -> SyncReceipt:
        """Remember any list of messages as one turn."""
        receipt = self._loop.run(
            self._inner.add_messages(
                messages,
                session_id=session_id,
                agent_id=agent_id,
                project=project,
                at=at,
                turn_key=turn_key,
                extraction=extraction,
                wait=wait,
            )
        )
        return SyncReceipt.of(receipt, self._loop)

    def add_turns(
        self,
        turns: Iterable[TurnDraft | Mapping[str, Any]],
        *,
        batch_size: int = 200,
        progress: Progress | None = None,
        wait: bool = False,
    ) -> list[SyncReceipt]:
        """Remember many turns, in batches."""
        receipts = self._loop.run(
            self._inner.add_turns(turns, batch_size=batch_size, progress=progress, wait=wait)
        )
        return [SyncReceipt.of(receipt, self._loop) for receipt in receipts]

    def flush(self, timeout_s: float | None = None) -> Flushed:
        """Wait until every queued turn of this memory is extracted and in the graph."""
        return self._loop.run(self._inner.flush(timeout_s))

    # Reading ------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        max_tokens: int | None = None,
        session_id: str | None = None,
        agent_id: str | None = None,
        project: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        visible: Iterable[str] = (),
        keep_trace: bool = False,
    ) -> SyncRecall:
        """Find the turns, and the facts that still hold, that answer a question."""
        found = self._loop.run(
            self._inner.recall(
                query,
                limit=limit,
                max_tokens=max_tokens,
                session_id=session_id,
                agent_id=agent_id,
                project=project,
                since=since,
                until=until,
                as_of=as_of,
                known_at=known_at,
                visible=visible,
                keep_trace=keep_trace,
            )
        )
        return SyncRecall.of(found, self._loop)

    def set_reranker(self, reranker: ReRanker | None) -> None:
        """Let the best turns of every recall be ordered by a reranker; None = no longer."""
        self._inner.set_reranker(reranker)

    def feedback(self, recall_or_ids: Recall | Iterable[str], reward: float) -> int:
        """Say how much what was recalled helped: later answers order by it."""
        return self._loop.run(self._inner.feedback(recall_or_ids, reward))

    def get_turn(self, turn_id: str) -> Evidence | None:
        """Return a turn with its exact messages and the facts it states, or None."""
        return self._loop.run(self._inner.get_turn(turn_id))

    def stats(self) -> Stats:
        """Return the counts of this scope."""
        return self._loop.run(self._inner.stats())

    def doctor(self) -> DoctorReport:
        """Examine the server, the schema, the embedder and this scope; name faults and cures."""
        return self._loop.run(self._inner.doctor())

    # Extraction that waits, failed, or can be done better ---------------------------------

    def extract_pending(self) -> list[SyncReceipt]:
        """Take up now the turns of this scope that wait, also those that rest after a fault."""
        receipts = self._loop.run(self._inner.extract_pending())
        return [SyncReceipt.of(receipt, self._loop) for receipt in receipts]

    def quarantine(self, limit: int = 100) -> list[QuarantinedTurn]:
        """Return the turns whose extraction was refused, newest first."""
        return self._loop.run(self._inner.quarantine(limit))

    def retry_extraction(self, turn_ids: Iterable[str] | None = None) -> list[SyncReceipt]:
        """Extract quarantined turns again, with twice the limit for a reply."""
        receipts = self._loop.run(self._inner.retry_extraction(turn_ids))
        return [SyncReceipt.of(receipt, self._loop) for receipt in receipts]

    def drop_quarantined(self, turn_ids: Iterable[str] | None = None) -> int:
        """Give up the extraction of quarantined turns; the turns themselves stay."""
        return self._loop.run(self._inner.drop_quarantined(turn_ids))

    def redo_local(self, *, limit: int | None = None, progress: Progress | None = None) -> int:
        """Extract turns again that only the local extractor has seen, by the model."""
        return self._loop.run(self._inner.redo_local(limit=limit, progress=progress))

    def calibrate(self) -> Calibration:
        """Measure, on turns of this scope, from which cosine on an answer can be relied on."""
        return self._loop.run(self._inner.calibrate())

    def backfill_vectors(self, *, progress: Progress | None = None) -> int:
        """Embed what was stored while the embedder was down, and do what waited for that."""
        return self._loop.run(self._inner.backfill_vectors(progress=progress))
