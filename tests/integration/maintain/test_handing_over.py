"""What facts have ends at the one that stays for all of them, once, whatever is undone when."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory
from graphmem.testing import FrozenClock
from tests.integration.conftest import Ask
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_consolidate import NOW, make, of
from tests.integration.maintain.test_removal import relevant
from tests.oracles.handing_over import Ledger, PlainHolder

# Each run lets go of more: what stayed in one of them goes in a later one.
THRESHOLDS = (0.995, 0.94, 0.7)


@pytest.mark.parametrize("seed", range(6))
async def test_all_ends_at_the_last_survivor(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    clock: FrozenClock,
    ask: Ask,
    picture: Picture,
    seed: int,
) -> None:
    """Three runs over facts that share turns, tags and a log; then undone in any order."""
    dice = random.Random(seed)
    facts = _facts(dice)
    stated = {
        f"turn {number}": dice.sample([fact["id"] for fact in facts], dice.randint(1, 3))
        for number in range(8)
    }
    await make(ask, memory, scope, facts)
    await _link(ask, scope, stated, dice)
    ledger = _ledger(facts, stated)
    before = relevant(await picture(memory))

    runs, losers = [], set()
    for number, threshold in enumerate(THRESHOLDS):
        clock.advance(60)
        mode: Any = dice.choice(["delete", "deprecate"])
        report = await memory.consolidate_semantics(threshold, mode=mode)
        pairs = [(one.id, one.survivor_id) for one in report.removed if one.survivor_id]
        # What stood for others goes in its turn.
        went_on = {survivor for _, survivor in pairs}
        losers |= {loser for loser, _ in pairs}
        ledger.merge(number, pairs)
        runs.append((number, report.run_id, went_on))
        assert ledger.told() == await _has(ask, scope)
    assert any(went_on & losers for _, _, went_on in runs)
    dice.shuffle(runs)
    for number, run_id, _ in runs:
        clock.advance(60)
        await memory.undo(run_id)
        ledger.undo(number)
        assert ledger.told() == await _has(ask, scope)

    assert before == relevant(await picture(memory))


def _facts(dice: random.Random) -> list[dict[str, Any]]:
    """Return facts in a fan: neighbours are very near, those further off still near."""
    facts = []
    for number in range(12):
        rated = dice.choice([0, 0, 1, 2])
        facts.append(
            of(
                f"{number:02}",
                number // 3 * 14 + number % 3 * 2,
                tags=["all", *dice.sample(["x", "y", "z"], dice.randint(0, 2))],
                idle_h=float(dice.randint(0, 100)),
                recall_count=dice.choice([0, 1, 7]),
                reward_count=rated,
                reward_sum=rated * 0.25,
                # What stays holds from the earliest of them on.
                valid_from=NOW - timedelta(days=dice.randint(1, 300)),
            )
        )
    return facts


async def _link(
    ask: Ask, scope: str, stated: Mapping[str, Sequence[str]], dice: random.Random
) -> None:
    """Let turns state facts, and a settled decision and a kept answer lead to two of them."""
    one, other = dice.sample([f"{number:02}" for number in range(12)], 2)
    await ask(
        """
        CALL () {
          UNWIND $rows AS row
          CREATE (turn:Turn {scope: $scope, id: row.turn, extraction: 'given', status: 'active'})
          WITH turn, row
          UNWIND row.facts AS id
          MATCH (f:Fact {scope: $scope, id: id})
          CREATE (turn)-[:STATES]->(f)
          WITH f, count(*) AS turns
          // Each was stated once without a turn.
          SET f.validated_count = 1 + turns
        }
        MATCH (a:Fact {scope: $scope, id: $one}), (b:Fact {scope: $scope, id: $other})
        CREATE (d:Decision {scope: $scope, id: 'd', state: 'settled', kind: 'admit'}),
          (d)-[:ABOUT]->(a), (d)-[:AGAINST {ord: 0}]->(b),
          (t:RecallTrace {scope: $scope, id: 't'}),
          (t)-[:RECALLED {rank: 1}]->(a), (t)-[:RECALLED {rank: 2}]->(b)
        """,
        scope=scope,
        rows=[{"turn": turn, "facts": ids} for turn, ids in stated.items()],
        one=one,
        other=other,
    )


def _ledger(facts: Sequence[Mapping[str, Any]], stated: Mapping[str, Sequence[str]]) -> Ledger:
    return Ledger(
        {
            fact["id"]: PlainHolder(
                turns=frozenset(turn for turn, ids in stated.items() if fact["id"] in ids),
                tags=frozenset(fact["tags"]),
                unturned=1,
                recalled=fact["recall_count"],
                reward_sum=fact["reward_sum"],
                reward_count=fact["reward_count"],
            )
            for fact in facts
        }
    )


async def _has(ask: Ask, scope: str) -> dict[str, PlainHolder]:
    """Return what each fact has that is told; nothing leads to one twice."""
    rows = await ask(
        "MATCH (f:Fact {scope: $scope, status: 'active'}) RETURN f.id AS id, "
        "COLLECT { MATCH (f)<-[:STATES]-(t:Turn) RETURN t.id } AS turns, "
        "COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.key } AS tags, "
        "f.validated_count AS validated, f.recall_count AS recalled, "
        "f.reward_sum AS reward_sum, f.reward_count AS reward_count",
        scope=scope,
    )
    for row in rows:
        assert len(set(row["turns"])) == len(row["turns"])
        assert len(set(row["tags"])) == len(row["tags"])
    return {
        row["id"]: PlainHolder(
            frozenset(row["turns"]),
            frozenset(row["tags"]),
            row["validated"] - len(row["turns"]),
            row["recalled"],
            row["reward_sum"],
            row["reward_count"],
        )
        for row in rows
    }
