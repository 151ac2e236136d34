"""Procedural memory: ways of doing something, and what each is good for."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphmem.checks import check_flag, check_word
from graphmem.errors import InputError
from graphmem.graph.procedures import intent_key
from graphmem.models import Procedure
from graphmem.operation import operation
from graphmem.queries import get_query
from graphmem.tiers.procedure_request import PROCEDURE_STATUSES, check_intent, procedure_draft
from graphmem.tiers.requests import (
    check_id,
    check_limit,
    check_reason,
    optional_name,
)

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.engine import Engine

__all__ = ["AsyncProcedural", "no_such_procedure"]

# Rows of one read: an instruction may have thousands of characters.
_READ_AT_ONCE = 500


class AsyncProcedural:
    """The procedures of one scope: reached as `memory.procedural`.

    A procedure says what to do, and serves one Intent: what it is good for. A recall finds it
    by its Intent.
    """

    def __init__(self, engine: Engine, scope: str) -> None:
        self._engine = engine
        self._scope = scope

    async def define(
        self,
        instruction: str,
        *,
        intent: str,
        condition: str = "",
        expected_outcome: str = "",
        return_score: float | None = None,
        priority: int = 0,
        turn_ids: Iterable[str] = (),
        agent_id: str | None = None,
    ) -> Procedure:
        """Define how something is done, and return the procedure that it is now.

        Defined again with the same instruction and Intent, it counts once more
        (`validated_count`) and stays as it is; `turn_ids` are added. One that was removed begins
        anew, with what is said now.

        Args:
            instruction: What to do, 1 to 8,192 characters.
            intent: What it is good for, in a few words, up to 512 characters: what a question
                is compared with. One that means the same is reused (raw cosine from .95).
            condition: When it applies, up to 2,048 characters.
            expected_outcome: What comes of it, up to 2,048 characters.
            return_score: How well it worked where it was learned, from 0 to 1: its first reward.
            priority: Of procedures that are as relevant the highest comes first; -1,000 to
                1,000.
            turn_ids: Turns of this scope that it was learned from, up to 200.
            agent_id: Which agent defines it.

        Raises:
            InputError: It is out of bounds, or a turn is not there; nothing was written.
            StoreError: The server failed; nothing was written.
        """
        with operation("procedural.define", self._scope) as current:
            draft = procedure_draft(
                instruction,
                intent=intent,
                condition=condition,
                expected_outcome=expected_outcome,
                return_score=return_score,
                priority=priority,
                turn_ids=turn_ids,
                agent_id=agent_id,
            )
            found = await self._one(await self._engine.pipeline.define(self._scope, draft))
            current.fields["validated"] = found.validated_count
            return found

    async def list(
        self,
        *,
        limit: int = 100,
        intent: str | None = None,
        status: str | None = None,
        agent_id: str | None = None,
    ) -> builtins.list[Procedure]:
        """Return procedures, the latest defined first.

        Args:
            limit: The most procedures.
            intent: Only those that serve this Intent: its description, in any case.
            status: "active", "deprecated" or "forgotten"; "all" for every procedure; None =
                those that are told.
            agent_id: Only procedures that this agent defined.

        Raises:
            InputError: Something is out of bounds.
            StoreError: The server cannot be reached.
        """
        with operation("procedural.list", self._scope) as current:
            words = (*PROCEDURE_STATUSES, "all")
            chosen = "active" if status is None else check_word(status, "status", words)
            rows = await self._engine.db.run(
                get_query("tiers/list_procedures"),
                scope=self._scope,
                statuses=list(PROCEDURE_STATUSES) if chosen == "all" else [chosen],
                intent_key="" if intent is None else intent_key(check_intent(intent)),
                agent_id=optional_name(agent_id, "agent_id"),
                k=check_limit(limit),
            )
            found = await _get(self._engine.db, self._scope, [row["id"] for row in rows])
            current.fields["procedures"] = len(found)
            return found

    async def get(self, procedure_id: str) -> Procedure | None:
        """Return a procedure, whatever its status, or None.

        Raises:
            InputError: That is no id.
            StoreError: The server cannot be reached.
        """
        with operation("procedural.get", self._scope):
            checked = check_id(procedure_id, "procedure_id")
            found = await _get(self._engine.db, self._scope, [checked])
            return found[0] if found else None

    async def remove(self, procedure_id: str, reason: str) -> Procedure:
        """Tell a procedure no longer; it stays in the store, and defined anew it is back.

        Args:
            procedure_id: The procedure.
            reason: Why, up to 512 characters.

        Returns:
            The procedure as it is now.

        Raises:
            InputError: There is no such procedure, or the reason is out of bounds.
            StoreError: The server failed.
        """
        with operation("procedural.remove", self._scope):
            checked, why = check_id(procedure_id, "procedure_id"), check_reason(reason)
            await self._engine.db.run(
                get_query("tiers/remove_procedure"),
                scope=self._scope,
                procedure_id=checked,
                reason=why,
                now=self._engine.clock.now(),
            )
            return await self._one(checked)

    async def pin(self, procedure_id: str, pinned: bool = True) -> Procedure:
        """Keep upkeep from a procedure, or let it at it again.

        Args:
            procedure_id: The procedure.
            pinned: Whether upkeep leaves it alone.

        Returns:
            The procedure as it is now.

        Raises:
            InputError: There is no such procedure.
            StoreError: The server failed.
        """
        with operation("procedural.pin", self._scope):
            checked = check_id(procedure_id, "procedure_id")
            await self._engine.db.run(
                get_query("tiers/pin_procedure"),
                scope=self._scope,
                id=checked,
                pinned=check_flag(pinned, "pinned"),
            )
            return await self._one(checked)

    async def _one(self, procedure_id: str) -> Procedure:
        found = await _get(self._engine.db, self._scope, [procedure_id])
        if not found:
            raise no_such_procedure(procedure_id, self._scope)
        return found[0]


def no_such_procedure(procedure_id: str, scope: str) -> InputError:
    """Return the error that says that a procedure is not there."""
    return InputError(
        f"there is no procedure {procedure_id!r} in scope {scope!r}: list(status='all') and "
        "`graphmem procedures list --status all` show the ids of those that are",
        kind="procedure-not-found",
        ids=[procedure_id],
    )


async def _get(db: Database, scope: str, ids: Sequence[str]) -> list[Procedure]:
    """Return the procedures with these ids that are there, in the order of the ids."""
    found: dict[str, Procedure] = {}
    for start in range(0, len(ids), _READ_AT_ONCE):
        rows = await db.run(
            get_query("tiers/get_procedures"),
            scope=scope,
            procedure_ids=list(ids[start : start + _READ_AT_ONCE]),
        )
        found |= {row["procedure"]["id"]: _procedure(row["procedure"]) for row in rows}
    return [found[one] for one in ids if one in found]


def _procedure(entry: Mapping[str, Any]) -> Procedure:
    # A node that lacks a property has its default: one that was made by hand, for instance.
    known = {name: value for name, value in entry.items() if value is not None}
    intents = known.pop("intents")
    intent_id, intent = intents[0] if intents else ("", "")
    return Procedure(
        **{**known, "turn_ids": tuple(known["turn_ids"]), "intent_id": intent_id, "intent": intent}
    )
