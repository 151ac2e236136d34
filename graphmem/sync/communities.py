"""Communities for programs without an event loop."""

from __future__ import annotations

from graphmem.communities import Community, CommunityEngine, CommunityReport, SummaryMode
from graphmem.operation import Progress
from graphmem.sync.loop import BackgroundLoop
from graphmem.tiers.communities import AsyncCommunities

__all__ = ["SyncCommunities"]


class SyncCommunities:
    """The communities of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncCommunities` does.
    """

    _inner: AsyncCommunities
    _loop: BackgroundLoop

    def communities(self, *, limit: int = 100) -> list[Community]:
        """Return which names are spoken of together, the largest communities first."""
        return self._loop.run(self._inner.communities(limit=limit))

    def update_communities(
        self,
        *,
        rebuild: bool = False,
        engine: CommunityEngine = "auto",
        summaries: SummaryMode = "local",
        progress: Progress | None = None,
    ) -> CommunityReport:
        """Put names into communities by who is spoken of together, and say what each is about."""
        return self._loop.run(
            self._inner.update_communities(
                rebuild=rebuild, engine=engine, summaries=summaries, progress=progress
            )
        )
