"""Facts that get their vectors later are decided about in batches, as they would be one by one."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import uuid4

from numpy import float32
from numpy.typing import NDArray

from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.config import Settings
from graphmem.db import Database
from graphmem.graph.plan import GraphItem
from graphmem.graph.recheck import RECHECK_BATCH, recheck
from graphmem.graph.store import write
from graphmem.graph.vectors import backfill
from graphmem.models import Extraction, FactDraft
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, EMBEDDER, EMBEDDER_ID, PIPELINE
from tests.integration.graph.stories import Said, chains, pairs

LATER = AT + timedelta(days=9)
STANDING = """
MATCH (f:Fact {scope: $scope})
RETURN f.text AS text, f.status AS status, f.valid_from AS valid_from, f.valid_to AS valid_to,
  f.stated_at AS stated_at, f.validated_count AS stated, f.is_withdrawn AS is_withdrawn,
  COLLECT { MATCH (f)-[:SUPERSEDES]->(old:Fact) RETURN old.text ORDER BY old.text } AS ended,
  COLLECT {
    MATCH (d:Decision)-[:ABOUT]->(f)
    WITH d.kind + ' ' + d.stage + ' ' + d.state AS outcome
    RETURN outcome ORDER BY outcome
  } AS decisions
ORDER BY text, valid_from, status
"""
WAITING = "MATCH (d:Decision {scope: $scope, state: 'unchecked'}) RETURN count(d) AS n"


async def embed(texts: Sequence[str]) -> Mapping[str, NDArray[float32]]:
    """Embed every text."""
    return dict(zip(texts, await EMBEDDER.embed(texts, purpose="document"), strict=True))


def told() -> list[Said]:
    """Return what was said of some people, as it comes: much of it twice, in other words."""
    said = [one for chain in chains(25) for one in chain.said]
    said += [one for pair in pairs(40) for one in (pair.before, pair.after)]
    again = [
        Said(text=f"{word}, {one.text[0].lower()}{one.text[1:]}", at=one.at + timedelta(hours=1))
        for number, one in enumerate(said[::5])
        for word in (("Yes", "Indeed")[number % 2],)
    ]
    return sorted([*said, *again], key=lambda one: one.at)


async def loaded(db: Database, scope: str, said: Sequence[Said]) -> None:
    """Write statements as a bulk load does, and embed them afterwards."""
    turns = [
        draft_turn(one.text, scope=scope, now=one.at, turn_key=str(place))
        for place, one in enumerate(said)
    ]
    await capture(db, scope, turns, language="english", now=AT)
    items = [
        GraphItem(turn, Extraction(summary="x", facts=(_draft(one),)))
        for turn, one in zip(turns, said, strict=True)
    ]
    await write(
        db, scope, items, None, PIPELINE, now=LATER, language="english", awaits_vectors=True
    )
    await backfill(db, scope, embed, slot="a", embedder_id=EMBEDDER_ID)


def _draft(said: Said) -> FactDraft:
    parts = dict(zip(("subject", "predicate", "object"), said.parts, strict=False))
    return FactDraft(text=said.text, valid_from=said.at, valid_to=said.until, **parts)


async def rechecked(db: Database, scope: str, batch: int = RECHECK_BATCH) -> int:
    """Decide about all that waits; return in how many batches."""
    batches = 0
    while await recheck(
        db, scope, PIPELINE, slot="a", embedder_id=EMBEDDER_ID, now=LATER, batch=batch
    ):
        batches += 1
    return batches


async def test_a_batch_ends_as_one_after_the_other_does(db: Database, scope: str, ask: Ask) -> None:
    """The same statuses, times, counts, chains and log, with a thirtieth of the transactions."""
    said = told()
    other = f"test/{uuid4().hex}"
    await loaded(db, scope, said)
    await loaded(db, other, said)
    (waiting,) = await ask(WAITING, scope=scope)

    many = await rechecked(db, other, batch=1)
    few = await rechecked(db, scope)

    assert (waiting["n"], -(-waiting["n"] // RECHECK_BATCH)) == (many, few)
    one_by_one = await ask(STANDING, scope=other)
    assert one_by_one == await ask(STANDING, scope=scope)
    assert {"active", "forgotten", "superseded", "pending"} == {row["status"] for row in one_by_one}
    assert [{"n": 0}] == await ask(WAITING, scope=scope)


_PROCESS = """
import asyncio, sys
from datetime import timedelta
from pydantic import SecretStr
from graphmem.config import Settings
from graphmem.db import Database
from tests.integration.graph.test_recheck import rechecked

async def main():
    uri, username, scope = sys.argv[1:]
    settings = Settings(
        neo4j_uri=uri, neo4j_username=username, neo4j_password=SecretStr(sys.stdin.readline()[:-1])
    )
    async with await Database.open(settings) as db:
        print("ready", flush=True)
        await rechecked(db, scope, batch=8)

asyncio.run(main())
"""


async def test_a_process_that_is_killed_leaves_each_fact_decided_or_waiting(
    store_settings: Settings, db: Database, scope: str, ask: Ask
) -> None:
    """At three times while it goes on; the next one ends as if none had been killed."""
    said = told()[:150]
    other = f"test/{uuid4().hex}"
    await loaded(db, scope, said)
    await loaded(db, other, said)
    assert store_settings.neo4j_uri is not None
    assert store_settings.neo4j_password is not None
    arguments = (store_settings.neo4j_uri, store_settings.neo4j_username, scope)
    password = store_settings.neo4j_password.get_secret_value().encode() + b"\n"

    for pause_s in (0.05, 0.15, 0.3):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _PROCESS, *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(password)
        assert b"ready\n" == await process.stdout.readline()
        await asyncio.sleep(pause_s)
        os.kill(process.pid, signal.SIGKILL)
        await process.communicate()
    await rechecked(db, scope)
    await rechecked(db, other)

    assert await ask(STANDING, scope=other) == await ask(STANDING, scope=scope)
    assert [{"n": 0}] == await ask(WAITING, scope=scope)
