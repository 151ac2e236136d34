"""Names for programs without an event loop."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.sync.loop import BackgroundLoop
from graphmem.terms import MergedTerm, SplitTerm, Term
from graphmem.tiers.terms import AsyncTerms

__all__ = ["SyncTerms"]


class SyncTerms:
    """The names of one scope: a part of `GraphMemory`.

    Every method does what the one of the same name of `AsyncTerms` does.
    """

    _inner: AsyncTerms
    _loop: BackgroundLoop

    def terms(self, *, limit: int = 100, query: str | None = None) -> list[Term]:
        """Return who and what is spoken of, the most mentioned first, with their aliases."""
        return self._loop.run(self._inner.terms(limit=limit, query=query))

    def merge_terms(
        self, name: str, alias: str, *, reason: str = "", force: bool = False
    ) -> MergedTerm:
        """Say that two names mean the same: from now on the first one stands for both."""
        return self._loop.run(self._inner.merge_terms(name, alias, reason=reason, force=force))

    def unmerge_term(self, alias: str) -> Term:
        """Let a name stand for itself again: what was said by it goes back to it."""
        return self._loop.run(self._inner.unmerge_term(alias))

    def split_term(self, name: str, *, qualifier: str, turn_ids: Iterable[str]) -> SplitTerm:
        """Tell two apart that bear one name: one of them gets a qualifier."""
        return self._loop.run(self._inner.split_term(name, qualifier=qualifier, turn_ids=turn_ids))
