"""Who and what is spoken of: names, and which of them mean the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphmem.graph.terms import list_terms, merge_terms, split_term, unmerge_term
from graphmem.ids import check_ids
from graphmem.operation import operation
from graphmem.terms import MergedTerm, SplitTerm, Term
from graphmem.tiers.requests import check_limit

if TYPE_CHECKING:
    from graphmem.engine import Engine

__all__ = ["AsyncTerms"]


class AsyncTerms:
    """The names of one scope: a part of `AsyncGraphMemory`."""

    _engine: Engine
    _scope: str

    async def terms(self, *, limit: int = 100, query: str | None = None) -> list[Term]:
        """Return who and what is spoken of, the most mentioned first, with their aliases.

        Args:
            limit: The most to return.
            query: Only those of which a name or an alias contains it.

        Raises:
            InputError: A parameter is out of bounds.
            StoreError: The server failed.
        """
        check_limit(limit)
        with operation("graph.list_terms", self._scope):
            return await list_terms(self._engine.db, self._scope, limit=limit, query=query)

    async def merge_terms(
        self, name: str, alias: str, *, reason: str = "", force: bool = False
    ) -> MergedTerm:
        """Say that two names mean the same: from now on the first one stands for both.

        What was said by the alias counts as said by the name, and so does what will be;
        `unmerge_term` takes that back.

        Args:
            name: What stands for both.
            alias: What leads to it; it must be in the store.
            reason: Why, up to 512 characters; it is kept.
            force: Also where they differ in a number alone, as INV-1041 and INV-1042 do.

        Raises:
            InputError: One is not there, or they cannot be merged; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        with operation("graph.merge_terms", self._scope) as current:
            merged = await merge_terms(
                self._engine.db,
                self._scope,
                name,
                alias,
                reason=reason,
                force=force,
                now=self._engine.clock.now(),
            )
            current.fields |= {"mentions": merged.mentions, "facts": merged.facts}
            return merged

    async def unmerge_term(self, alias: str) -> Term:
        """Let a name stand for itself again: what was said by it goes back to it.

        Args:
            alias: A name that was merged.

        Raises:
            InputError: It is not there, or no alias; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        with operation("graph.unmerge_term", self._scope):
            return await unmerge_term(
                self._engine.db, self._scope, alias, now=self._engine.clock.now()
            )

    async def split_term(self, name: str, *, qualifier: str, turn_ids: Iterable[str]) -> SplitTerm:
        """Tell two apart that bear one name: one of them gets a qualifier.

        What these turns, and no others, say of the name goes to "name (qualifier)".

        Args:
            name: What both are called.
            qualifier: What the one is, such as "baker"; up to 100 characters.
            turn_ids: Turns that speak of that one.

        Raises:
            InputError: It is not there, or a turn does not speak of it; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        checked = check_ids(turn_ids, "turn_ids")
        with operation("graph.split_term", self._scope, turns=len(checked)):
            return await split_term(
                self._engine.db,
                self._scope,
                name,
                qualifier=qualifier,
                turn_ids=checked,
                language=self._engine.settings.language,
                now=self._engine.clock.now(),
            )
