"""Turns that wait for their extraction, and turns whose extraction was refused."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from graphmem.clock import OPEN_FROM
from graphmem.models import (
    Extraction,
    ExtractionState,
    Lease,
    Message,
    QuarantinedTurn,
    Turn,
    TurnDraft,
)
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = [
    "PendingTurn",
    "claim",
    "count_failing",
    "drop_quarantined",
    "earlier_summaries",
    "list_owners",
    "list_quarantined",
    "mark_error",
    "mark_quarantined",
    "release",
    "renew",
]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PendingTurn:
    """A stored turn that waits.

    Attributes:
        given: What the caller handed in with it, to be written as it is; else None.
    """

    scope: str
    turn: Turn
    given: Extraction | None


async def claim(
    db: Database,
    scope: str,
    lease: Lease,
    *,
    now: datetime,
    limit: int,
    state: ExtractionState = ExtractionState.PENDING,
    turn_ids: Iterable[str] | None = None,
    only_given: bool = False,
) -> list[PendingTurn]:
    """Take up turns that are due, oldest first, so that no other process takes them too.

    Turns of another state than PENDING (quarantined ones to retry, local ones to redo) wait
    from then on; what is derived for them stays until it is replaced. Their `attempts` tell
    that it is not the first time.

    Args:
        db: The store.
        scope: Whose memory it is.
        lease: Who takes them, and until when.
        now: Turns that are due by then: never taken up, let go, or left by a lease that ended.
        limit: The most turns, >= 1.
        state: PENDING, QUARANTINED or LOCAL.
        turn_ids: Only these; None = all.
        only_given: Only turns that came with their extraction.
    """
    ids = None if turn_ids is None else list(turn_ids)
    if ids == []:
        return []
    rows = await db.run(
        get_query("graph/claim_turns"),
        scope=scope,
        state=state.value,
        ids=ids or [],
        only_given=only_given,
        now=now,
        owner=lease.owner,
        until=lease.until,
        limit=limit,
    )
    return [turn for row in rows if (turn := _pending_turn(scope, row)) is not None]


async def release(
    db: Database, scope: str, owner: str, *, now: datetime, turn_ids: Sequence[str] = ()
) -> int:
    """Let go of the turns that `owner` took up and has not finished; return how many.

    They are due at once. The owner "" is nobody: its turns rest after a fault.
    """
    (row,) = await db.run(
        get_query("graph/release_turns"), scope=scope, owner=owner, ids=list(turn_ids), now=now
    )
    return int(row["turns"])


async def renew(db: Database, scope: str, lease: Lease) -> int:
    """Prolong the leases of one owner in a scope; return of how many turns."""
    (row,) = await db.run(
        get_query("graph/renew_turns"), scope=scope, owner=lease.owner, until=lease.until
    )
    return int(row["turns"])


async def list_owners(db: Database, scope: str) -> list[str]:
    """Return who has taken up turns of a scope that still wait."""
    return [row["owner"] for row in await db.run(get_query("graph/list_owners"), scope=scope)]


async def count_failing(db: Database, scope: str) -> tuple[int, str]:
    """Return how many turns wait after an attempt that failed, and one of the reasons."""
    (row,) = await db.run(get_query("graph/count_failing"), scope=scope)
    return int(row["turns"]), str(row["error"])


async def earlier_summaries(
    db: Database, scope: str, turn: Turn | TurnDraft, *, limit: int
) -> list[str]:
    """Return summaries of the turns before `turn` in its session, oldest first."""
    rows = await db.run(
        get_query("extract/earlier_summaries"),
        scope=scope,
        session_id=turn.session_id,
        before=turn.at,
        limit=limit,
    )
    return [row["summary"] for row in reversed(rows)]


async def mark_error(
    db: Database,
    scope: str,
    turn_ids: Sequence[str],
    error: str,
    *,
    retry_at: datetime | None = None,
) -> None:
    """Note why an attempt failed; the turns stay pending and are let go.

    Args:
        db: The store.
        scope: Whose memory it is.
        turn_ids: The turns.
        error: Why.
        retry_at: When they are due again; None = at once.
    """
    await db.run(
        get_query("graph/note_errors"),
        scope=scope,
        ids=list(turn_ids),
        error=error,
        due_at=OPEN_FROM if retry_at is None else retry_at,
    )


async def mark_quarantined(
    db: Database,
    scope: str,
    turn_id: str,
    *,
    reason: str,
    extracted_by: str = "",
    reply_length: int = 0,
    reply_hash: str = "",
) -> bool:
    """Set a turn apart whose extraction was refused; what it says stays and is recalled.

    Args:
        db: The store.
        scope: Whose memory it is.
        turn_id: The turn.
        reason: Why, such as "truncated".
        extracted_by: The route that answered.
        reply_length: Characters of the reply, which itself is not kept.
        reply_hash: Its hash.

    Returns:
        False when the turn is gone, or was extracted meanwhile.
    """
    rows = await db.run(
        get_query("graph/quarantine_turn"),
        scope=scope,
        id=turn_id,
        reason=reason,
        extracted_by=extracted_by,
        reply_length=reply_length,
        reply_hash=reply_hash,
    )
    return bool(rows)


async def list_quarantined(db: Database, scope: str, limit: int = 100) -> list[QuarantinedTurn]:
    """Return the turns whose extraction was refused, newest first."""
    rows = await db.run(get_query("graph/list_quarantined"), scope=scope, limit=limit)
    return [QuarantinedTurn(**row) for row in rows]


async def drop_quarantined(db: Database, scope: str, turn_ids: Iterable[str] | None = None) -> int:
    """Give up the extraction of quarantined turns; return how many.

    The turns stay, are recalled by what they say, and count as LOCAL from now on.

    Args:
        db: The store.
        scope: Whose memory it is.
        turn_ids: Which; None = all.
    """
    ids = None if turn_ids is None else list(turn_ids)
    if ids == []:
        return 0
    (row,) = await db.run(get_query("graph/drop_quarantined"), scope=scope, ids=ids or [])
    return int(row["turns"])


def _pending_turn(scope: str, row: Mapping[str, Any]) -> PendingTurn | None:
    try:
        messages = tuple(Message(**message) for message in row["messages"])
        given = row["given"]
        return PendingTurn(
            scope=scope,
            turn=Turn(**row["turn"], messages=messages),
            given=None if given is None else Extraction.model_validate_json(given),
        )
    except ValidationError:
        # Made by hand, or by another version: it waits for who can read it, and keeps no other
        # out.
        logger.warning("graph.unreadable turn=%s", row["turn"]["id"])
        return None
