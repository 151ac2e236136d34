"""Raw messages: what is needed never goes, and by default nothing does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy
from graphmem.db import Database
from graphmem.maintain.runs import each, run_in
from graphmem.queries import get_query
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_removal import WEEK

NOW = datetime(2026, 6, 1, tzinfo=UTC)


async def make(memory: AsyncGraphMemory, ask: Ask, scope: str) -> None:
    """Add three turns of a session, a day apart, and messages whose turns are gone."""
    for day in (3, 2, 1):
        await memory.add_messages(
            [
                {"role": "user", "content": f"What of day {day}?"},
                {"role": "tool", "content": f"looked up day {day}"},
                {"role": "assistant", "content": f"It was day {day}."},
            ],
            session_id="s",
            at=NOW - timedelta(days=day),
            wait=True,
        )
    await ask(
        "UNWIND $rows AS row MATCH (s:Session {scope: $scope, id: 's'}) "
        "CREATE (s)-[:HAS_MESSAGE]->(:Message {scope: $scope, scope_token: 'x', id: row.id, "
        "session_id: 's', turn_id: row.turn, seq: 0, role: 'user', name: '', agent_id: '', "
        "content: 'spare ' + row.id, at: row.at, visible: true, search_text: 'spare'})",
        scope=scope,
        rows=[
            {"id": f"spare {hours}", "turn": f"gone {hours}", "at": NOW - timedelta(hours=hours)}
            for hours in (1, 30, 55, 100)
        ],
    )


async def come_back(ask: Ask, scope: str, state: str) -> None:
    """Write the turn of a message that nothing refers to, its extraction in some state."""
    await ask(
        "CREATE (:Turn {scope: $scope, id: 'gone 30', session_id: 'x', at: datetime(), seq: 1, "
        "extraction: $state})",
        scope=scope,
        state=state,
    )


def gone(report: Any) -> list[str]:
    """Return what went, by the hours of its age."""
    return sorted(report.deleted_ids, key=lambda one: int(one.split()[1]))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, []),
        ({"keep": "all"}, []),
        ({"keep": "referenced"}, ["spare 1", "spare 30", "spare 55", "spare 100"]),
        ({"keep": "recent"}, ["spare 1", "spare 30", "spare 55", "spare 100"]),
        ({"keep": "recent", "days": 2}, ["spare 55", "spare 100"]),
        ({"keep": "recent", "recent_turns": 1}, ["spare 30", "spare 55", "spare 100"]),
        ({"keep": "recent", "recent_turns": 3}, ["spare 100"]),
        ({"keep": "recent", "recent_turns": 4}, []),
        ({"keep": "recent", "recent_turns": 1, "days": 4}, ["spare 100"]),
        ({"keep": "referenced", "recent_turns": 9, "days": 9, "batch": 1}, None),
    ],
)
async def test_what_is_kept(
    memory: AsyncGraphMemory,
    ask: Ask,
    scope: str,
    asked: dict[str, Any],
    expected: list[str] | None,
) -> None:
    """Messages of turns stay, whoever asks; a dry run tells the same."""
    await make(memory, ask, scope)

    told = await memory.retain_messages(**asked, dry_run=True)
    done = await memory.retain_messages(**asked)

    everything = ["spare 1", "spare 30", "spare 55", "spare 100"]
    assert gone(done) == (everything if expected is None else expected)
    assert gone(told) == gone(done)
    assert (told.run_id, told.is_dry_run) == ("", True)
    if asked.get("keep", "all") != "all":
        assert done.checked == 13
        assert done.protected["referenced"] == 9
    session = await memory.recall("What of day 2?", limit=1)
    assert ["What of day 2?", "looked up day 2", "It was day 2."] == [
        message.content for message in session.turns[0].turn.messages
    ]


@pytest.mark.parametrize("state", ["pending", "quarantined"])
async def test_what_waits_for_extraction_stays(
    memory: AsyncGraphMemory, ask: Ask, scope: str, state: str
) -> None:
    """Also where its turn does not refer to it yet."""
    await make(memory, ask, scope)
    await come_back(ask, scope, state)

    report = await memory.retain_messages("referenced")

    assert gone(report) == ["spare 1", "spare 55", "spare 100"]
    assert report.protected["unextracted"] == 1


async def test_what_is_recent_is_so_in_its_session(
    memory: AsyncGraphMemory, ask: Ask, scope: str
) -> None:
    """Newer turns of another one let none go."""
    await make(memory, ask, scope)
    await memory.add_turn("Ahoy", "Aye", session_id="other", at=NOW, wait=True)

    report = await memory.retain_messages("recent", recent_turns=3)

    assert gone(report) == ["spare 100"]


@pytest.mark.parametrize("state", ["pending", "quarantined", "done"])
async def test_what_began_to_wait_since_it_was_looked_at_stays(
    *,
    memory: AsyncGraphMemory,
    db: Database,
    ask: Ask,
    scope: str,
    clock: FrozenClock,
    state: str,
) -> None:
    """A turn that refers to a message by its id alone may come between the look and the removal."""
    await make(memory, ask, scope)
    await come_back(ask, scope, state)

    async with run_in(db, scope, "retention", clock=clock, params={}, undo_window=WEEK) as run:
        rows = await run.write(
            get_query("maintain/bury_messages"),
            each("deleted"),
            scope=scope,
            run_id=run.id,
            ids=["spare 30", "spare 55"],
            reason="spare",
            now=run.now,
            purge_after=run.undo_until,
        )

    went = ["spare 30", "spare 55"] if state == "done" else ["spare 55"]
    assert went == [row["id"] for row in rows]


async def test_deleted_messages_come_back(
    memory: AsyncGraphMemory, ask: Ask, scope: str, picture: Picture
) -> None:
    """Undo restores them; until then no query of messages finds them."""
    await make(memory, ask, scope)
    before = await picture(memory)

    report = await memory.retain_messages("referenced", batch=2)
    left = await ask("MATCH (m:Message {scope: $scope}) RETURN count(m) AS n", scope=scope)
    undone = await memory.undo(report.run_id)

    assert left == [{"n": 9}]
    assert undone.restored == 4
    assert before == await picture(memory)


async def test_the_settings_are_the_default(memory: AsyncGraphMemory, ask: Ask, scope: str) -> None:
    """Changed while it runs, they hold at once."""
    await make(memory, ask, scope)

    kept = await memory.retain_messages()
    await memory.configure(message_retention="recent", message_retention_days=2)
    report = await memory.retain_messages()

    assert (kept.checked, kept.deleted) == (0, 0)
    assert gone(report) == ["spare 55", "spare 100"]


async def test_other_scopes_stay_as_they_are(
    memory: AsyncGraphMemory, ask: Ask, scope: str, picture: Picture
) -> None:
    """Node for node."""
    other = f"{scope}/other"
    await make(memory, ask, scope)
    await make(memory.scoped(other), ask, other)
    before = await picture(memory.scoped(other))

    await memory.retain_messages("referenced")

    assert before == await picture(memory.scoped(other))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"keep": "some"}, "keep"),
        ({"keep": "recent", "recent_turns": -1}, "recent_turns"),
        ({"keep": "recent", "recent_turns": 1.5}, "recent_turns"),
        ({"keep": "recent", "days": -1}, "days"),
        ({"keep": "recent", "days": float("nan")}, "days"),
        ({"keep": "recent", "days": True}, "days"),
        ({"batch": 0}, "batch"),
        ({"batch": 10_001}, "batch"),
        ({"dry_run": 1}, "dry_run"),
    ],
)
async def test_bounds_are_kept(memory: AsyncGraphMemory, wrong: dict[str, Any], named: str) -> None:
    """A bad parameter is named, and nothing is begun."""
    with pytest.raises(InputError, match=named):
        await memory.retain_messages(**wrong)

    assert [] == await memory.runs()


async def test_it_is_one_of_the_operations(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Where another one works it is refused."""
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK):
        with pytest.raises(MaintenanceBusy):
            await memory.retain_messages("referenced")
