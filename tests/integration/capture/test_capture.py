"""Capture on a real server: what is committed, in which order, and only once."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.capture.intake import draft_messages, draft_turn
from graphmem.capture.store import Captured, capture
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.ids import scope_token
from graphmem.models import Extraction, ExtractionState, Lease, TurnDraft
from tests.integration.conftest import Ask

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)

CHAIN = """
MATCH (turn:Turn {scope: $scope, session_id: $session_id})
OPTIONAL MATCH (turn)-[:NEXT]->(next:Turn)
RETURN turn.id AS id, turn.turn_key AS key, collect(next.id) AS next, turn.at AS at, turn.seq AS seq
"""


def turn(scope: str, text: str = "hello", **more: Any) -> TurnDraft:
    """Draft a turn with what a test does not care about filled in."""
    return draft_turn(text, more.pop("answer", None), scope=scope, **{"now": AT, **more})


async def store(db: Database, scope: str, *drafts: TurnDraft) -> list[Captured]:
    """Commit drafts in one transaction."""
    return await capture(db, scope, drafts, language="english", now=AT)


async def chain(ask: Ask, scope: str, session_id: str = "default") -> list[str]:
    """Walk NEXT from its beginning; return the keys, and fail unless it is one line."""
    rows = {row["id"]: row for row in await ask(CHAIN, scope=scope, session_id=session_id)}
    followed = [later for row in rows.values() for later in row["next"]]
    assert len(followed) == len(set(followed)) == max(0, len(rows) - 1)
    current = next(iter(rows.keys() - set(followed)), None)
    walked = []
    while current is not None:
        walked.append(rows[current]["key"])
        current = next(iter(rows[current]["next"]), None)
    assert len(walked) == len(rows)
    return walked


async def test_a_turn_is_stored_whole_in_one_transaction(
    db: Database, scope: str, ask: Ask
) -> None:
    """Messages, their order and what recall filters by are there when it returns."""
    draft = draft_messages(
        [
            {"role": "user", "content": "Shipped 🚀 with 👩🏽‍💻 👍🏽", "name": "Zoë"},
            {"role": "tool", "content": "exit code 0"},
            {"role": "assistant", "content": "会议改到周五", "agent_id": "bot"},
        ],
        scope=scope,
        now=AT,
        project="p",
    )
    before = db.count.copy()

    (captured,) = await store(db, scope, draft)

    assert db.count.since(before).writes == 1
    assert captured.created
    assert captured.seq == 1
    (row,) = await ask(
        """
        MATCH (session:Session {scope: $scope})-[:HAS_TURN]->(turn:Turn)-[e:EVIDENCE]->(m:Message)
        WHERE EXISTS { (session)-[:HAS_MESSAGE]->(m) }
        WITH session, turn, m ORDER BY e.ord
        RETURN turn {.*} AS turn, collect(m {.*}) AS messages, session {.*} AS session
        """,
        scope=scope,
    )
    assert [m["content"] for m in row["messages"]] == [m.content for m in draft.messages]
    assert [m["visible"] for m in row["messages"]] == [True, False, True]
    assert [m["id"] for m in row["messages"]] == list(captured.message_ids)
    assert row["turn"]["text"] == draft.text
    assert "exit" not in row["turn"]["search_text"]
    assert row["turn"]["scope_token"] == scope_token(scope)
    assert row["turn"]["session_token"] == scope_token(scope, "default")
    assert row["turn"]["agent_token"] == scope_token(scope, "agent", "bot")
    assert row["turn"]["speakers"] == ["zoë"]
    assert row["turn"]["extraction"] == "pending"
    assert row["turn"]["needs_vector"] is True
    assert row["session"]["project"] == "p"


@pytest.mark.parametrize(
    ("text", "word"), [("The kiln reaches 1240 degrees.", "kiln"), ("来週の東京タワー見学", "東京")]
)
async def test_a_turn_is_found_by_its_words_at_once(
    db: Database, scope: str, ask: Ask, text: str, word: str
) -> None:
    """No model and no background work is needed for that."""
    (captured,) = await store(db, scope, turn(scope, text))

    rows = await ask(
        "CALL db.index.fulltext.queryNodes('turn_text', $query) YIELD node RETURN node.id AS id",
        query=f"+scope_token:{scope_token(scope)} +search_text:{word}",
    )

    assert [captured.turn_id] == [row["id"] for row in rows]


async def test_the_same_turn_again_changes_nothing_and_says_so(
    db: Database, scope: str, ask: Ask
) -> None:
    """Whether by its key or by content and time."""
    drafts = [turn(scope, "a", turn_key="t-1"), turn(scope, "b", at=AT)]
    first = await store(db, scope, *drafts)
    everything = "MATCH (n {scope: $scope}) RETURN n {.*} AS n ORDER BY n.id"
    before = await ask(everything, scope=scope)

    again = await store(db, scope, *drafts)

    assert [False, False] == [row.created for row in again]
    assert [row.turn_id for row in first] == [row.turn_id for row in again]
    assert [row.seq for row in first] == [row.seq for row in again]
    assert [False, False] == [row.is_other_content for row in again]
    assert before == await ask(everything, scope=scope)


async def test_another_content_under_a_known_key_changes_nothing_and_says_so(
    db: Database, scope: str, ask: Ask
) -> None:
    """The first one stays."""
    await store(db, scope, turn(scope, "the first", turn_key="t-1"))

    (again,) = await store(db, scope, turn(scope, "the second", turn_key="t-1"))

    assert (again.created, again.is_other_content) == (False, True)
    rows = await ask("MATCH (t:Turn {scope: $scope}) RETURN t.text AS text", scope=scope)
    assert [{"text": "user: the first"}] == rows


async def test_a_turn_twice_in_one_batch_is_stored_once(db: Database, scope: str, ask: Ask) -> None:
    """The first one counts, and both have its place."""
    drafts = [turn(scope, text, turn_key="t-1") for text in ("a", "a", "b")]

    captured = await store(db, scope, *drafts)

    assert [True, False, False] == [row.created for row in captured]
    assert [False, False, True] == [row.is_other_content for row in captured]
    assert {1} == {row.seq for row in captured}
    assert ["t-1"] == await chain(ask, scope)


async def test_the_same_words_twice_are_two_turns(db: Database, scope: str) -> None:
    """Without a key and a time people may repeat themselves."""
    captured = await store(db, scope, turn(scope, "ok"), turn(scope, "ok"))

    assert [1, 2] == [row.seq for row in captured]


async def test_a_late_import_is_linked_into_its_place(db: Database, scope: str, ask: Ask) -> None:
    """At the front, in the middle and at the end; equal times in the order of arrival."""
    days = {"b": 2, "d": 4, "a": 1, "c": 3, "c2": 3, "e": 5}
    for key, day in days.items():
        await store(db, scope, turn(scope, key, turn_key=key, at=AT + timedelta(days=day)))

    assert ["a", "b", "c", "c2", "d", "e"] == await chain(ask, scope)


async def test_any_order_of_import_ends_in_the_same_line(
    db: Database, scope: str, ask: Ask
) -> None:
    """Batches of any cut, sessions mixed: NEXT follows time inside each session."""
    random.seed(7)
    drafts = [
        turn(
            scope,
            f"{n}",
            turn_key=f"{n:03}",
            session_id=f"s{n % 3}",
            at=AT + timedelta(minutes=n),
        )
        for n in range(60)
    ]
    mixed = random.sample(drafts, len(drafts))
    while mixed:
        size = random.randint(1, 12)
        await store(db, scope, *mixed[:size])
        mixed = mixed[size:]

    for session in range(3):
        expected = [f"{n:03}" for n in range(60) if n % 3 == session]
        assert expected == await chain(ask, scope, f"s{session}")


async def test_concurrent_writers_to_one_session_lose_and_double_nothing(
    store_settings: Settings, db: Database, scope: str, ask: Ask
) -> None:
    """Eight writers, each with connections of its own, half of the turns sent twice."""
    others = [await Database.open(store_settings) for _ in range(7)]

    async def writer(database: Database, number: int) -> list[Captured]:
        done = []
        for n in range(6):
            key = f"shared-{n}" if n % 2 else f"{number}-{n}"
            draft = turn(scope, key, turn_key=key, at=AT + timedelta(minutes=n))
            done += await store(database, scope, draft)
        return done

    results = await asyncio.gather(*(writer(d, n) for n, d in enumerate([db, *others])))
    for other in others:
        await other.close()

    created = [row for done in results for row in done if row.created]
    assert 8 * 3 + 3 == len(created)
    assert sorted(row.seq for row in created) == list(range(1, 28))
    assert 27 == len(await chain(ask, scope))


@pytest.mark.parametrize("unit", ["x", "語"])
@pytest.mark.parametrize("length", [8_000, 8_164, 8_165, 8_200, 200_000])
async def test_long_texts_are_stored_whole(
    db: Database, scope: str, ask: Ask, unit: str, length: int
) -> None:
    """No index holds the text itself; names that indexes hold are bounded by intake."""
    text = unit * length

    await store(db, scope, turn(scope, text, name="n" * 500, session_id="語" * 500))

    rows = await ask("MATCH (m:Message {scope: $scope}) RETURN m.content AS content", scope=scope)
    assert [{"content": text}] == rows


async def test_a_turn_takes_the_project_of_its_session(db: Database, scope: str, ask: Ask) -> None:
    """The first project that is named is the session's; a turn may name another one."""
    await store(db, scope, turn(scope, "a", project="atlas"), turn(scope, "b", project="other"))
    await store(db, scope, turn(scope, "c"))

    rows = await ask(
        "MATCH (t:Turn {scope: $scope}) RETURN t.project AS project ORDER BY t.seq", scope=scope
    )

    assert ["atlas", "other", "atlas"] == [row["project"] for row in rows]


async def test_what_was_given_and_who_works_on_it_is_kept_until_it_is_in_the_graph(
    db: Database, scope: str, ask: Ask
) -> None:
    """The process may end before the graph is written; another one goes on with the same."""
    draft = turn(scope, "a", extraction=Extraction(summary="Ana greets."))
    lease = Lease(owner="me", until=AT + timedelta(minutes=2))

    await capture(db, scope, [draft], language="english", now=AT, lease=lease)

    (row,) = await ask("MATCH (t:Turn {scope: $scope}) RETURN t {.*} AS t", scope=scope)
    assert json.loads(row["t"]["given"])["summary"] == "Ana greets."
    assert row["t"]["taken_by"] == "me"
    assert row["t"]["due_at"].to_native() == lease.until


async def test_no_drafts_ask_nothing(db: Database, scope: str) -> None:
    """An empty batch is no round trip."""
    before = db.count.copy()

    assert [] == await store(db, scope)

    assert 0 == db.count.since(before).round_trips


async def test_the_same_key_in_two_scopes_is_two_turns(db: Database, scope: str, ask: Ask) -> None:
    """A scope is a wall for sessions, too."""
    other = f"{scope}/other"
    (first,) = await store(db, scope, turn(scope, "a", turn_key="k"))
    (second,) = await store(db, other, turn(other, "a", turn_key="k"))

    assert first.created
    assert second.created
    assert second.extraction is ExtractionState.PENDING
    rows = await ask("MATCH (s:Session {scope: $scope}) RETURN s.last_seq AS seq", scope=other)
    assert [{"seq": 1}] == rows
