"""A statement that changes what was found before waits for who writes, and looks again then."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask
from tests.integration.maintain.test_looked_at_again import BURIED, MADE, REMOVED, TOLD
from tests.integration.maintain.test_orphans import Hold, hold, wait_for_a_writer

__all__ = ["hold"]

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DUE = NOW + timedelta(minutes=2)
STAYING = TOLD.replace("(n:", "(other:").replace("id: 'n'", "id: 'other'")


@dataclass(frozen=True)
class Case:
    """A statement, the node that it is to change, and what somebody writes in the meantime."""

    name: str
    params: dict[str, Any]
    node: str
    written: str


CASES = [
    Case("remove_facts", REMOVED, TOLD, "SET n.pinned = true"),
    # What it was to go for is gone.
    Case(
        "remove_facts",
        REMOVED | {"losses": [{"id": "n", "survivor_id": "other", "reason": ""}]},
        f"{TOLD} {STAYING}",
        "MATCH (other:Fact {scope: $scope, id: 'other'}) SET other.status = 'forgotten'",
    ),
    Case(
        "remove_procedures",
        REMOVED,
        f"CREATE (n:Procedure {{{MADE}, instruction: ''}})",
        "SET n.pinned = true",
    ),
    Case(
        "widen_facts",
        {"now": NOW, "rows": [{"id": "n", "valid_from": NOW - timedelta(days=9)}]},
        TOLD,
        "SET n.status = 'forgotten'",
    ),
    Case(
        "bury_tags",
        BURIED,
        f"CREATE (n:Tag {{{MADE}, label: ''}})",
        "SET n.label = '' CREATE (n)<-[:TAGGED]-(:Fact {scope: $scope, status: 'active'})",
    ),
    Case(
        "bury_terms",
        BURIED,
        f"CREATE (n:Term {{{MADE}, name: ''}})",
        "SET n.name = '' CREATE (n)<-[:MENTIONS]-(:Turn {scope: $scope, status: 'active'})",
    ),
    Case(
        "bury_intents",
        BURIED,
        f"CREATE (n:Intent {{{MADE}, description: ''}})",
        "SET n.description = '' "
        "CREATE (n)<-[:SERVES]-(:Procedure {scope: $scope, status: 'active'})",
    ),
    Case(
        "write_summaries",
        {"rows": [{"id": "n", "revision": 1, "summary": "overtaken", "by": "local"}]},
        "CREATE (n:Community {scope: $scope, id: 'n', revision: 1, summary: '', size: 2})",
        "SET n.revision = 2",
    ),
    Case(
        "break_run",
        {"id": "n", "owner": "me", "due_at": DUE, "now": NOW},
        "CREATE (n:MaintenanceRun {scope: $scope, id: 'n', key: 'n', lock: 'held', owner: 'me', "
        "at: $now, state: 'running', due_at: $now + duration('PT2M')})",
        "SET n.due_at = $now + duration('PT9M')",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_is_written_meanwhile_is_seen(
    db: Database, ask: Ask, scope: str, hold: Hold, case: Case
) -> None:
    """What was found is another thing by then, and stays as it was written."""
    await ask(
        f"CREATE (:MaintenanceRun {{scope: $scope, id: 'r'}}) WITH 1 AS made {case.node}",
        scope=scope,
        now=NOW,
    )
    query = get_query(f"maintain/{case.name}")
    ran = {"scope": scope, "run_id": "r"}
    given = {name: value for name, value in ran.items() if name in query.params} | case.params

    async with hold() as writer:
        written = await writer.run(
            f"MATCH (n {{scope: $scope, id: 'n'}}) {case.written} RETURN n.id AS id",
            scope=scope,
            now=NOW,
        )
        await written.consume()
        work = asyncio.create_task(db.run(query, **given))
        await asyncio.wait_for(wait_for_a_writer(ask, scope), 60)
        await writer.commit()
    rows = await work

    changed = await ask(
        "MATCH (n {scope: $scope, id: 'n'}) RETURN n:Tombstone OR n.summary = 'overtaken' "
        "OR n.state = 'broken' OR COUNT { (n)<-[:CHANGED]-() } > 0 AS is_changed",
        scope=scope,
    )
    assert rows in ([], [{"changed": 0}], [{"broken": 0}])
    assert not changed[0]["is_changed"]
