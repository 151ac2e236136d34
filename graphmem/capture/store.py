"""Commits drafts: sessions, turns and raw messages in one transaction, found by text at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.capture.intake import content_hash
from graphmem.clock import OPEN_FROM
from graphmem.errors import StoreError
from graphmem.ids import message_id, scope_token
from graphmem.models import ExtractionState, Lease, TurnDraft
from graphmem.queries import get_query
from graphmem.text import search_text
from graphmem.turn_text import asks, own_words, speaker_keys, turn_search_text

if TYPE_CHECKING:
    from graphmem.db import Database

__all__ = ["Captured", "capture"]


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of one draft.

    Attributes:
        turn_id: The draft's id.
        created: False when the turn was there already: nothing was changed then.
        seq: Its order of arrival inside the session, from 1.
        extraction: How far its extraction has come; PENDING for a new one. A turn that was
            there and still waits can be taken up again.
        is_other_content: The turn that was there says something else than the draft: its
            `turn_key` was used for two contents, and the first one stays.
        message_ids: Of its messages, in order.
    """

    turn_id: str
    created: bool
    seq: int
    extraction: ExtractionState
    is_other_content: bool
    message_ids: tuple[str, ...]


async def capture(
    db: Database,
    scope: str,
    drafts: Sequence[TurnDraft],
    *,
    language: str,
    now: datetime,
    lease: Lease | None = None,
) -> list[Captured]:
    """Commit drafts in one write transaction, whole or not at all.

    Only where the server says that they are too much for one they are committed in two.
    A draft whose turn is there already (or stands earlier in the same batch) changes nothing.

    Args:
        db: The store.
        scope: Whose memory they go into; the one that their ids were made for.
        drafts: One or many; a few hundred make a good transaction.
        language: Of stop words and stems of the full-text index.
        lease: Who will extract the new turns; None = whoever comes first.
        now: When they are recorded; aware UTC.

    Returns:
        One result a draft, in order.

    Raises:
        StoreError: The server failed; nothing was written, or of a batch that was cut a part.
    """
    try:
        return await _commit(db, scope, drafts, language=language, lease=lease, now=now)
    except StoreError as error:
        if error.kind != "transaction-too-large" or len(drafts) == 1:
            raise
    half = len(drafts) // 2
    done = await capture(db, scope, drafts[:half], language=language, lease=lease, now=now)
    return done + await capture(db, scope, drafts[half:], language=language, lease=lease, now=now)


async def _commit(
    db: Database,
    scope: str,
    drafts: Sequence[TurnDraft],
    *,
    language: str,
    lease: Lease | None,
    now: datetime,
) -> list[Captured]:
    distinct: dict[str, TurnDraft] = {}
    for draft in drafts:
        distinct.setdefault(draft.id, draft)
    if not distinct:
        return []
    token = scope_token(scope)
    sessions = _by_session(distinct.values())
    there, added, _ = await db.run_together(
        [
            (
                get_query("capture/lock_sessions"),
                {
                    "scope": scope,
                    "scope_token": token,
                    "sessions": [_session_row(name, turns) for name, turns in sessions.items()],
                },
            ),
            (
                get_query("capture/add_turns"),
                {
                    "scope": scope,
                    "scope_token": token,
                    "sessions": [
                        {
                            "id": name,
                            "token": scope_token(scope, name),
                            "turns": [_turn_row(scope, draft, language) for draft in turns],
                        }
                        for name, turns in sessions.items()
                    ],
                    "taken_by": "" if lease is None else lease.owner,
                    "due_at": OPEN_FROM if lease is None else lease.until,
                    "now": now,
                },
            ),
            (get_query("capture/link_turns"), {"scope": scope, "turn_ids": list(distinct)}),
        ]
    )
    old = {row["id"]: row for row in there}
    new = {row["id"]: row["seq"] for row in added}
    return [_captured(draft, distinct[draft.id], old.get(draft.id), new) for draft in drafts]


def _by_session(drafts: Iterable[TurnDraft]) -> dict[str, list[TurnDraft]]:
    """Return the drafts by session: sessions in the order of locking, drafts as handed in."""
    found: dict[str, list[TurnDraft]] = {}
    for draft in drafts:
        found.setdefault(draft.session_id, []).append(draft)
    return {name: found[name] for name in sorted(found)}


def _session_row(session_id: str, drafts: Sequence[TurnDraft]) -> dict[str, Any]:
    return {
        "id": session_id,
        "project": next((draft.project for draft in drafts if draft.project), ""),
        "first_at": min(draft.at for draft in drafts),
        "last_at": max(draft.at for draft in drafts),
        "turn_ids": [draft.id for draft in drafts],
    }


def _turn_row(scope: str, draft: TurnDraft, language: str) -> dict[str, Any]:
    return {
        "id": draft.id,
        "agent_id": draft.agent_id,
        "agent_token": scope_token(scope, "agent", draft.agent_id),
        "project": draft.project,
        "at": draft.at,
        "text": draft.text,
        "search_text": turn_search_text(draft.messages, language=language),
        "content_hash": content_hash(draft.messages),
        "turn_key": draft.turn_key,
        "speakers": speaker_keys(draft.messages),
        "asks": asks(draft.messages),
        # Kept until it is in the graph: the process may end before that.
        "given": None if draft.extraction is None else draft.extraction.model_dump_json(),
        "messages": [
            {
                "id": message_id(draft.id, ordinal),
                "role": message.role,
                "name": message.name,
                "content": message.content,
                "agent_id": message.agent_id,
                "at": message.at or draft.at,
                "visible": message.is_visible,
                "search_text": search_text(
                    message.name, own_words(message.content), language=language
                ),
            }
            for ordinal, message in enumerate(draft.messages)
        ],
    }


def _captured(
    draft: TurnDraft,
    stored: TurnDraft,
    old: Mapping[str, Any] | None,
    new: Mapping[str, int],
) -> Captured:
    ids = tuple(message_id(draft.id, ordinal) for ordinal in range(len(draft.messages)))
    if old is not None:
        return Captured(
            turn_id=draft.id,
            created=False,
            seq=old["seq"],
            extraction=ExtractionState(old["extraction"]),
            is_other_content=old["content_hash"] != content_hash(draft.messages),
            message_ids=ids,
        )
    # The same turn twice in one batch: the first one is stored.
    return Captured(
        turn_id=draft.id,
        created=draft is stored,
        seq=new[draft.id],
        extraction=ExtractionState.PENDING,
        is_other_content=content_hash(draft.messages) != content_hash(stored.messages),
        message_ids=ids,
    )
