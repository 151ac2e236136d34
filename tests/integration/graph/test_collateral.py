"""Facts that are still so are never retired, and what was superseded is not told any more."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from random import Random
from typing import Any

from graphmem import AsyncGraphMemory
from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.graph.plan import GraphItem
from graphmem.models import Extraction, FactDraft
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, embedded, put
from tests.integration.graph.stories import Chain, Said, chains, pairs

_BATCH = 200
# Each states when it holds itself: of a turn there is nothing else to be stored.
_A_TURN = 25
SUPERSEDE = {"reason": "the newer one counts", "verdict": "supersede", "target": 1}


async def tell(db: Database, scope: str, statements: Sequence[Said]) -> None:
    """Write statements in the order in which they come, in batches with vectors."""
    for start in range(0, len(statements), _BATCH):
        together = _turns(statements[start : start + _BATCH])
        turns = [
            draft_turn("so much", scope=scope, now=AT, turn_key=f"{start}-{place}")
            for place in range(len(together))
        ]
        await capture(db, scope, turns, language="english", now=AT)
        items = [
            GraphItem(turn, Extraction(summary="x", facts=tuple(_draft(said) for said in one)))
            for turn, one in zip(turns, together, strict=True)
        ]
        await put(db, scope, *items, vectors=await embedded(db, scope, items))


def _turns(batch: Sequence[Said]) -> list[list[Said]]:
    """Return several statements a turn; what is said again is of another turn."""
    turns: list[list[Said]] = [[]]
    for said in batch:
        is_said = any(one.text == said.text or one.parts == said.parts != () for one in turns[-1])
        if is_said or len(turns[-1]) == _A_TURN:
            turns.append([])
        turns[-1].append(said)
    return turns


def _draft(said: Said) -> FactDraft:
    parts = dict(zip(("subject", "predicate", "object"), said.parts, strict=False))
    return FactDraft(text=said.text, valid_from=said.at, valid_to=said.until, **parts)


async def retired(ask: Ask, scope: str) -> list[dict[str, Any]]:
    """Return what is told no longer, with what ended it."""
    return await ask(
        """
        MATCH (f:Fact {scope: $scope}) WHERE NOT f.status IN ['active', 'pending']
        OPTIONAL MATCH (by:Fact)-[:SUPERSEDES]->(f)
        RETURN f.text AS text, f.status AS status, by.text AS by, f.retired_reason AS reason
        """,
        scope=scope,
    )


async def test_what_is_unrelated_or_merely_alike_retires_nothing(
    db: Database, scope: str, ask: Ask, store_settings: Settings
) -> None:
    """500 pairs in one scope: nothing ends; not even a judge that always says so ends one."""
    told = pairs(500)
    await tell(db, scope, [pair.before for pair in told] + [pair.after for pair in told])

    assert [] == await retired(ask, scope)

    facts = await ask("MATCH (f:Fact {scope: $scope}) RETURN count(f) AS n", scope=scope)
    assert [{"n": 1000}] == facts
    related = {pair.after.text for pair in told if not pair.is_unrelated}
    with ScriptedModel(lambda _: SUPERSEDE) as judge:
        settings = store_settings.model_copy(
            update={"scope": scope, "llm_model": "scripted", "llm_base_url": judge.base_url}
        )
        async with await AsyncGraphMemory.open(
            settings, embedder=HashedEmbedder(DIMENSIONS), clock=FrozenClock(AT)
        ) as memory:
            report = await memory.semantic.judge_pending(limit=1000)

    assert (0, 0, "") == (report.waiting, report.failed, report.error)
    assert report.refused >= 50
    assert report.superseded == len(await retired(ask, scope))
    assert [] == [one for one in await retired(ask, scope) if one["by"] not in related]


async def test_the_newest_of_a_chain_is_found_first_and_nothing_older_with_it(
    db: Database, scope: str, store_settings: Settings
) -> None:
    """1,000 chains in one scope, told in many ways, some of them in any order."""
    told = chains(1000)
    await tell(db, scope, _as_they_come(told))
    settings = store_settings.model_copy(update={"scope": scope, "record_usage": False})

    async with await AsyncGraphMemory.open(
        settings, embedder=HashedEmbedder(DIMENSIONS), clock=FrozenClock(AT)
    ) as memory:
        found = await _found(memory, told)

    first = [chain for chain, texts in found if _own(chain, texts)[:1] == [chain.said[-1].text]]
    stale = [chain for chain, texts in found if set(_own(chain, texts)) - {chain.said[-1].text}]
    assert [] == stale[10:]
    assert len(first) >= 990


async def _found(memory: AsyncGraphMemory, told: Sequence[Chain]) -> list[tuple[Chain, list[str]]]:
    """Ask about each chain; a few at once, as the server has more than one core."""
    found: list[tuple[Chain, list[str]]] = []
    waiting = iter(told)

    async def ask_on() -> None:
        for chain in waiting:
            hits = await memory.semantic.search(chain.question)
            found.append((chain, [hit.fact.text for hit in hits]))

    await asyncio.gather(*(ask_on() for _ in range(4)))
    return found


def _own(chain: Chain, texts: Sequence[str]) -> list[str]:
    said = {one.text for one in chain.said}
    return [text for text in texts if text in said]


def _as_they_come(told: Sequence[Chain]) -> list[Said]:
    """Return the statements of all chains: each of a late one at any place, others in order."""
    rng = Random(7)
    coming = [
        (rng.choice(chain.said).at if chain.is_late else said.at, said)
        for chain in told
        for said in chain.said
    ]
    return [said for _, said in sorted(coming, key=lambda one: one[0])]
