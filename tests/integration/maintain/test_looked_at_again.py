"""A statement that changes what was found before looks at it again, under its lock.

Between the look and the change others write; here they have written already.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import get_query
from tests.integration.conftest import Ask

NOW = datetime(2026, 6, 1, tzinfo=UTC)
BURIED = {"ids": ["n"], "reason": "", "now": NOW, "purge_after": NOW}
REMOVED = {
    "how": "delete",
    "by": "decay",
    "statuses": ["active", "pending"],
    "now": NOW,
    "purge_after": NOW,
    "losses": [{"id": "n", "survivor_id": None, "reason": ""}],
}
MADE = "scope: $scope, id: 'n', key: 'n', status: 'active', pinned: false, tier: 'working'"
TOLD = f"""CREATE (n:Fact {{{MADE}, text: '', confidence: 1.0, valid_from: $now, valid_to: $now,
  recorded_at: $now, recall_count: 0, reward_sum: 0.0, reward_count: 0, validated_count: 1}})"""
CHAINED = "CREATE (n)-[:SUPERSEDES]->(:Fact {scope: $scope, id: 'old', status: 'superseded'})"
FOLLOWED = "CREATE (n)<-[:SUPERSEDES]-(:Fact {scope: $scope, id: 'new', status: 'active'})"
DECIDED = "CREATE (n)<-[:{}]-(:Decision {{scope: $scope, id: 'd', state: '{}'}})"
NOTHING = "SET n.id = 'n'"
ELSEWHERE = "SET n.scope = $scope + '/other'"


def _led_to(start: str, link: str, status: str = "active") -> str:
    return f"CREATE (n)<-[:{link}]-(:{start} {{scope: $scope, id: 'from', status: '{status}'}})"


@dataclass(frozen=True)
class Case:
    """A statement, the node that it was to change, and what may have come in between."""

    name: str
    params: dict[str, Any]
    node: str
    meanwhile: list[str] = field(default_factory=list)


CASES = [
    Case(
        "remove_facts",
        REMOVED,
        TOLD,
        [
            "SET n.pinned = true",
            "SET n.tier = 'core'",
            "SET n.status = 'forgotten'",
            CHAINED,
            FOLLOWED,
            *(
                DECIDED.format(link, state)
                for link in ("ABOUT", "AGAINST")
                for state in ("open", "unchecked")
            ),
        ],
    ),
    Case(
        "remove_procedures",
        REMOVED,
        f"CREATE (n:Procedure {{{MADE}, instruction: ''}})",
        ["SET n.pinned = true", "SET n.tier = 'core'", "SET n.status = 'deprecated'"],
    ),
    Case(
        "widen_facts",
        {"now": NOW, "rows": [{"id": "n", "valid_from": NOW - timedelta(days=9)}]},
        TOLD,
        [
            "SET n.status = 'forgotten'",
            "SET n.valid_from = $now - duration('P9D')",
            "SET n.valid_from = $now - duration('P10D')",
            CHAINED,
            FOLLOWED,
        ],
    ),
    Case(
        "move_tiers",
        {"kind": "Fact", "moves": [{"id": "n", "tier": "working", "next_tier": "peripheral"}]},
        TOLD,
        ["SET n.pinned = true", "SET n.tier = 'core'"],
    ),
    Case(
        "bury_tags",
        BURIED,
        f"CREATE (n:Tag {{{MADE}, label: ''}})",
        [_led_to("Fact", "TAGGED", status) for status in ("active", "pending", "superseded")],
    ),
    Case(
        "bury_terms",
        BURIED,
        f"CREATE (n:Term {{{MADE}, name: ''}})",
        [
            *(
                _led_to("Fact", link, status)
                for link in ("SUBJECT", "OBJECT")
                for status in ("active", "pending", "superseded")
            ),
            _led_to("Turn", "MENTIONS"),
            _led_to("Term", "MERGED_INTO"),
            "CREATE (n)-[:MERGED_INTO]->(:Term {scope: $scope, id: 'into', key: 'into'})",
        ],
    ),
    Case(
        "bury_intents",
        BURIED,
        f"CREATE (n:Intent {{{MADE}, description: ''}})",
        [_led_to("Procedure", "SERVES", status) for status in ("active", "pending")],
    ),
    Case(
        "bury_messages",
        BURIED,
        "CREATE (n:Message {scope: $scope, id: 'n', role: 'user', turn_id: 'from'})",
        [
            _led_to("Turn", "EVIDENCE"),
            "CREATE (:Turn {scope: $scope, id: 'from', extraction: 'pending'})",
            "CREATE (:Turn {scope: $scope, id: 'from', extraction: 'quarantined'})",
        ],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_what_changed_meanwhile_stays_as_it_is(
    db: Database, ask: Ask, scope: str, case: Case
) -> None:
    """And what did not is changed."""
    gone: dict[str, Any] = {}
    for number, meanwhile in enumerate([NOTHING, ELSEWHERE, *case.meanwhile]):
        own = f"{scope}/{number}"
        await ask(
            f"CREATE (:MaintenanceRun {{scope: $scope, id: 'r'}}) WITH 1 AS made {case.node} "
            f"WITH n {meanwhile}",
            scope=own,
            now=NOW,
        )
        before = await _state(ask, own)
        query = get_query(f"maintain/{case.name}")
        ran = {"scope": own, "run_id": "r"}
        given = {name: value for name, value in ran.items() if name in query.params} | case.params

        rows = await db.run(query, **given)

        gone[meanwhile] = (len(rows), before == await _state(ask, own))

    assert (1, False) == gone.pop(NOTHING)
    assert dict.fromkeys(gone, (0, True)) == gone


async def _state(ask: Ask, scope: str) -> list[dict[str, Any]]:
    """Return the node that was to change, in this scope or the other one."""
    return await ask(
        "MATCH (n) WHERE n.scope IN [$scope, $scope + '/other'] AND n.id = 'n' "
        "RETURN labels(n) AS labels, properties(n) AS props, COUNT { (n)--() } AS links",
        scope=scope,
    )
