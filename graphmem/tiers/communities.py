"""Which names belong together, and what those groups are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from graphmem.checks import check_word
from graphmem.communities import Community, CommunityEngine, CommunityReport, SummaryMode
from graphmem.maintain.communities.update import list_communities, update_communities
from graphmem.operation import Progress, operation
from graphmem.tiers.requests import check_limit

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["AsyncCommunities"]


class AsyncCommunities:
    """The communities of one scope: a part of `AsyncMaintenance`."""

    _engine: Engine
    _scope: str

    async def communities(self, *, limit: int = 100) -> list[Community]:
        """Return which names are spoken of together, the largest communities first.

        There are none until `update_communities`, or the upkeep that runs by itself, has found
        some.

        Args:
            limit: The most to return.

        Raises:
            InputError: A parameter is out of bounds.
            StoreError: The server failed.
        """
        check_limit(limit)
        with operation("maintain.list_communities", self._scope):
            return await list_communities(self._engine.db, self._scope, limit=limit)

    async def update_communities(
        self,
        *,
        rebuild: bool = False,
        engine: CommunityEngine = "auto",
        summaries: SummaryMode = "local",
        progress: Progress | None = None,
    ) -> CommunityReport:
        """Put names into communities by who is spoken of together, and say what each is about.

        Only what changed since the last time is looked at, unless that is more than a third of
        the names. A community keeps its key and its summary while its members and the facts
        about them stay as they are.

        Args:
            rebuild: Find all of them anew.
            engine: What finds all of them: "gds", the library of that name in the server;
                "python", which needs none; "auto" takes the library where it is there.
            summaries: "llm" asks the configured model for one line a community; "local" puts it
                together from names and facts.
            progress: Called with the names and summaries done, and of how many.

        Raises:
            ConfigError: The library or a model was asked for, and there is none.
            InputError: A parameter is none of its choices.
            MaintenanceBusy: Another operation works in this scope.
            StoreError: The server failed.
        """
        check_word(engine, "engine", get_args(CommunityEngine))
        check_word(summaries, "summaries", get_args(SummaryMode))
        inner = self._engine
        with operation("maintain.communities", self._scope) as current:
            report = await update_communities(
                inner.db,
                self._scope,
                clock=inner.clock,
                undo_window=inner.undo_window,
                rebuild=rebuild,
                engine=engine,
                summaries=summaries,
                chat_model=inner.chat_model,
                progress=progress,
            )
            # Their vectors follow, as those of all that is written in bulk.
            inner.backlog.owe_vectors(self._scope)
            current.fields |= {
                "engine": report.engine,
                "communities": report.communities,
                "moved": report.moved,
            }
            return report
