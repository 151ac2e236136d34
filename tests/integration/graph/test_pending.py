"""Turns that wait or were refused: who takes them up, and what becomes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import timedelta

from graphmem.capture.intake import draft_messages, draft_turn
from graphmem.capture.store import capture
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.graph.pending import (
    PendingTurn,
    claim,
    drop_quarantined,
    list_quarantined,
    mark_error,
    mark_quarantined,
    release,
)
from graphmem.models import Extraction, ExtractionState, FactDraft, Lease, TurnDraft
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, captured, put, triple

HOUR = timedelta(hours=1)
MINE = Lease(owner="me", until=AT + HOUR)


async def wait(db: Database, scope: str, *days: int, lease: Lease | None = None) -> list[TurnDraft]:
    """Capture turns of these days, which wait from then on."""
    drafts = [
        draft_turn(f"day {day}", scope=scope, now=AT + timedelta(days=day), turn_key=f"{day}")
        for day in days
    ]
    await capture(db, scope, drafts, language="english", now=AT, lease=lease)
    return drafts


async def take(
    db: Database,
    scope: str,
    *,
    limit: int = 9,
    state: ExtractionState = ExtractionState.PENDING,
    turn_ids: Sequence[str] | None = None,
) -> list[PendingTurn]:
    """Take up turns that nobody has taken."""
    return await claim(db, scope, MINE, now=AT, limit=limit, state=state, turn_ids=turn_ids)


async def states(ask: Ask, scope: str) -> dict[str, str]:
    """Return the extraction state of each turn by its key."""
    rows = await ask(
        "MATCH (t:Turn {scope: $scope}) RETURN t.turn_key AS key, t.extraction AS state",
        scope=scope,
    )
    return {row["key"]: row["state"] for row in rows}


async def test_waiting_turns_come_back_whole_and_oldest_first(db: Database, scope: str) -> None:
    """With their exact messages and what the caller gave."""
    given = Extraction(
        summary="Ana lives in Lyon.",
        facts=(FactDraft(text="Ana lives in Lyon.", valid_from=AT),),
    )
    draft = draft_messages(
        [
            {"role": "user", "content": "a", "name": "Ana", "at": AT},
            {"role": "tool", "content": "b"},
            {"role": "assistant", "content": "c", "agent_id": "bot"},
        ],
        scope=scope,
        now=AT,
        project="p",
        extraction=given,
    )
    await capture(db, scope, [draft], language="english", now=AT)
    await wait(db, scope, 5, -5)

    early, own, late = await take(db, scope)

    assert ["user: day -5", "user: day 5"] == [early.turn.text, late.turn.text]
    assert own.given == given
    assert early.given is None
    assert (own.turn.id, own.turn.session_id, own.turn.project) == (draft.id, "default", "p")
    assert [m.model_copy(update={"at": None}) for m in draft.messages] == [
        m.model_copy(update={"at": None}) for m in own.turn.messages
    ]
    assert own.turn.at == AT
    assert json.dumps(own.turn.model_dump(mode="json"))


async def test_waiting_turns_are_taken_up_piece_by_piece(db: Database, scope: str) -> None:
    """Each once, although some share a time."""
    await capture(
        db,
        scope,
        [draft_turn(f"{n}", scope=scope, now=AT + HOUR * (n // 3)) for n in range(10)],
        language="english",
        now=AT,
    )

    taken: list[str] = []
    while piece := await take(db, scope, limit=4):
        taken += [row.turn.text for row in piece]

    assert [f"user: {n}" for n in range(10)] == taken


async def test_named_turns_are_taken_up_alone(db: Database, scope: str) -> None:
    """An unknown id is passed over, and no id takes nothing."""
    drafts = await wait(db, scope, 1, 2, 3)

    nothing = await take(db, scope, turn_ids=[])
    some = await take(db, scope, turn_ids=[drafts[1].id, "unknown"])

    assert [] == nothing
    assert [drafts[1].id] == [row.turn.id for row in some]


async def test_a_turn_is_taken_up_by_one_process_only(
    store_settings: Settings, db: Database, scope: str
) -> None:
    """Four ask at once until nothing is left."""
    drafts = await wait(db, scope, *range(40))

    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(await Database.open(store_settings)) for _ in range(3)
        ]

        async def taker(database: Database, name: str) -> list[str]:
            lease = Lease(owner=name, until=AT + HOUR)
            taken: list[str] = []
            for _ in range(10):
                found = await claim(database, scope, lease, now=AT, limit=7)
                taken += [row.turn.id for row in found]
            return taken

        taken = await asyncio.gather(*(taker(d, str(n)) for n, d in enumerate([db, *others])))

    everything = [turn for each in taken for turn in each]
    assert sorted(everything) == sorted(draft.id for draft in drafts)


async def test_a_lease_keeps_others_away_until_it_ends_or_is_let_go(
    db: Database, scope: str
) -> None:
    """A crash costs the rest of the lease, an orderly end nothing."""
    (draft,) = await wait(db, scope, 1, lease=MINE)
    yours = Lease(owner="you", until=AT + 3 * HOUR)

    during = await claim(db, scope, yours, now=AT, limit=9)
    after = await claim(db, scope, yours, now=AT + 2 * HOUR, limit=9)
    let_go = await release(db, scope, "you", now=AT)
    again = await claim(db, scope, MINE, now=AT, limit=9)

    assert [] == during
    assert [draft.id] == [row.turn.id for row in after]
    assert 1 == let_go
    assert [draft.id] == [row.turn.id for row in again]


async def test_a_turn_that_failed_stays_pending_and_rests(db: Database, scope: str) -> None:
    """With its reason, until it is due again."""
    (draft,) = await wait(db, scope, 1, lease=MINE)

    await mark_error(db, scope, [draft.id], "429", retry_at=AT + HOUR)

    assert [] == await take(db, scope)
    (row,) = await claim(db, scope, MINE, now=AT + HOUR, limit=9)
    assert (row.turn.error, row.turn.attempts) == ("429", 1)


async def test_only_what_was_given_can_be_asked_for(db: Database, scope: str) -> None:
    """While extraction is off, turns that came with theirs go on."""
    await wait(db, scope, 1)
    given = draft_turn("x", scope=scope, now=AT, extraction=Extraction(summary="x"))
    await capture(db, scope, [given], language="english", now=AT)

    found = await claim(db, scope, MINE, now=AT, limit=9, only_given=True)

    assert [given.id] == [row.turn.id for row in found]


async def test_a_refused_turn_is_set_apart_with_its_measure(db: Database, scope: str) -> None:
    """The reply itself is not kept; what the turn says is."""
    (draft,) = await wait(db, scope, 1)

    is_marked = await mark_quarantined(
        db, scope, draft.id, reason="truncated", reply_length=7, reply_hash="abc"
    )

    (row,) = await list_quarantined(db, scope)
    assert is_marked
    assert (row.turn_id, row.reason, row.attempts) == (draft.id, "truncated", 1)
    assert (row.reply_length, row.reply_hash, row.text) == (7, "abc", "user: day 1")
    assert row.at == draft.at
    assert [] == await take(db, scope)


async def test_a_turn_that_was_extracted_meanwhile_is_not_set_apart(
    db: Database, scope: str, ask: Ask
) -> None:
    """A late refusal changes nothing."""
    item = await captured(db, scope, triple("a", "b", "c"))
    await put(db, scope, item)

    assert not await mark_quarantined(db, scope, item.turn.id, reason="truncated")

    assert {"1": "given"} == await states(ask, scope)


async def test_quarantined_turns_are_retried_or_given_up(
    db: Database, scope: str, ask: Ask
) -> None:
    """Some or all; one that is given up counts as local, and its reply's measure is gone."""
    drafts = await wait(db, scope, 1, 2, 3, 4)
    for draft in drafts:
        await mark_quarantined(db, scope, draft.id, reason="refused", reply_length=7)

    (retried,) = await take(
        db, scope, state=ExtractionState.QUARANTINED, turn_ids=[drafts[1].id, "unknown"]
    )
    nothing = await drop_quarantined(db, scope, [])
    one = await drop_quarantined(db, scope, [drafts[0].id, drafts[1].id])
    rest = await drop_quarantined(db, scope)

    assert (0, 1, 2) == (nothing, one, rest)
    assert {"1": "local", "2": "pending", "3": "local", "4": "local"} == await states(ask, scope)
    # Its attempts tell that it is not the first time.
    assert (drafts[1].id, 1, ExtractionState.PENDING) == (
        retried.turn.id,
        retried.turn.attempts,
        retried.turn.extraction,
    )
    assert [] == await list_quarantined(db, scope)
    kept = await ask(
        "MATCH (t:Turn {scope: $scope}) WHERE t.reply_length IS NOT NULL RETURN t.id", scope=scope
    )
    assert [] == kept


async def test_local_turns_are_taken_up_again_and_keep_what_they_have(
    db: Database, scope: str, ask: Ask
) -> None:
    """Their mentions stay until a model's extraction replaces them."""
    for key in ("a", "b", "c"):
        item = await captured(
            db, scope, triple("Ada", "uses", key), key=key, state=ExtractionState.LOCAL
        )
        await put(db, scope, item)

    taken = await take(db, scope, limit=2, state=ExtractionState.LOCAL)

    assert 2 == len(taken)
    assert sorted((await states(ask, scope)).values()) == ["local", "pending", "pending"]
    rows = await ask(
        "MATCH (:Turn {scope: $scope})-[m:MENTIONS]->() RETURN count(m) AS n", scope=scope
    )
    assert [{"n": 6}] == rows
