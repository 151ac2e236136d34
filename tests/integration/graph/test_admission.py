"""What a write decides about its statements, and what of it stands in the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.graph.change import FactChange, change_facts
from graphmem.graph.pending import claim
from graphmem.graph.plan import GraphItem, fact_hash, fact_id
from graphmem.models import Extraction, ExtractionState, FactDraft, Lease
from graphmem.queries import get_query
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, captured, embedded, put, triple

FACTS = """
MATCH (f:Fact {scope: $scope})
RETURN f {.*} AS fact, COLLECT { MATCH (by:Fact)-[:SUPERSEDES]->(f) RETURN by.object } AS by
ORDER BY f.valid_from, f.text
"""
LOG = """
MATCH (d:Decision {scope: $scope})-[:ABOUT]->(f:Fact)
RETURN d.kind AS kind, d.stage AS stage, d.state AS state, f.text AS text,
  COLLECT { MATCH (d)-[a:AGAINST]->(o:Fact) RETURN o.text ORDER BY a.ord } AS against,
  COLLECT { MATCH (d)-[a:AGAINST]->(o:Fact) RETURN a.ord ORDER BY a.ord } AS places
ORDER BY d.at, f.valid_from, d.id
"""

REASONS = "MATCH (d:Decision {scope: $scope}) RETURN d.reason AS reason ORDER BY d.at"


def year(number: int) -> datetime:
    """Return the first of March of a year; AT is in that of 2026."""
    return AT.replace(year=number)


def lives(city: str) -> FactDraft:
    """Return that Ada lives in a city."""
    return triple("Ada", "lives in", city)


def id_of(scope: str, draft: FactDraft, since: datetime | None = None) -> str:
    """Return the id of a statement's fact, or of a later stretch of it."""
    return fact_id(scope, fact_hash(draft), since)


async def tell(db: Database, scope: str, *told: tuple[int, FactDraft], at: datetime = AT) -> None:
    """Write statements, a turn of its year each, one transaction after the other."""
    for number, draft in told:
        item = await captured(db, scope, draft, key=f"{number} {draft.text}", at=year(number))
        await put(db, scope, item, at=at)


async def story(ask: Ask, scope: str) -> list[tuple[Any, ...]]:
    """Return (object, status, year of begin, year of end, what superseded it) of each fact."""
    return [
        (
            row["fact"]["object"],
            row["fact"]["status"],
            row["fact"]["valid_from"].year,
            row["fact"]["valid_to"].year,
            *row["by"],
        )
        for row in await ask(FACTS, scope=scope)
    ]


CHAIN = [
    ("Rome", "superseded", 2021, 2023, "Oslo"),
    ("Oslo", "superseded", 2023, 2025, "Bergen"),
    ("Bergen", "active", 2025, 9999),
]


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_what_contradicts_within_one_batch_follows_on_by_time(
    db: Database, scope: str, ask: Ask, order: Sequence[int]
) -> None:
    """Three turns of one import end as three that came one by one, in any order of the list."""
    told = [(2021, "Rome"), (2023, "Oslo"), (2025, "Bergen")]
    items = [await captured(db, scope, lives(city), key=city, at=year(at)) for at, city in told]

    await put(db, scope, *(items[place] for place in order))

    assert CHAIN == await story(ask, scope)


@pytest.mark.parametrize("order", list(permutations(range(3))))
async def test_what_comes_late_takes_its_place_in_time(
    db: Database, scope: str, ask: Ask, order: Sequence[int]
) -> None:
    """One after the other in any order: what comes between two is linked to both of them."""
    told = [(2021, lives("Rome")), (2023, lives("Oslo")), (2025, lives("Bergen"))]

    await tell(db, scope, *(told[place] for place in order))

    assert CHAIN == await story(ask, scope)


async def test_the_same_again_after_something_else_is_a_second_stretch(
    db: Database, scope: str, ask: Ask
) -> None:
    """Both stand, each with its own id and time."""
    await tell(db, scope, (2021, lives("Rome")), (2023, lives("Oslo")), (2025, lives("Rome")))

    rows = await ask(FACTS, scope=scope)

    assert [
        ("Rome", "superseded", 2021, 2023, "Oslo"),
        ("Oslo", "superseded", 2023, 2025, "Rome"),
        ("Rome", "active", 2025, 9999),
    ] == await story(ask, scope)
    assert id_of(scope, lives("Rome")) == rows[0]["fact"]["id"]
    assert id_of(scope, lives("Rome"), year(2025)) == rows[2]["fact"]["id"]


async def test_what_was_said_again_later_goes_on(db: Database, scope: str, ask: Ask) -> None:
    """Another value of a time in between, told last, held in between and ends nothing."""
    home, other = lives("Rome"), lives("Oslo")
    await tell(db, scope, (2021, home), (2025, home))

    await tell(db, scope, (2023, other))

    assert [
        ("Rome", "active", 2021, 9999),
        ("Oslo", "superseded", 2023, 2025, "Rome"),
    ] == await story(ask, scope)


async def test_what_follows_the_last_time_it_was_said_ends_it(
    db: Database, scope: str, ask: Ask
) -> None:
    """However often it was said before."""
    await tell(db, scope, (2021, lives("Rome")), (2023, lives("Rome")), (2025, lives("Oslo")))

    assert [
        ("Rome", "superseded", 2021, 2025, "Oslo"),
        ("Oslo", "active", 2025, 9999),
    ] == await story(ask, scope)


async def test_a_late_mention_of_a_closed_stretch_opens_nothing(
    db: Database, scope: str, ask: Ask
) -> None:
    """It is more evidence for what was so."""
    await tell(db, scope, (2021, lives("Rome")), (2023, lives("Oslo")), (2022, lives("Rome")))

    assert [
        ("Rome", "superseded", 2021, 2023, "Oslo"),
        ("Oslo", "active", 2023, 9999),
    ] == await story(ask, scope)
    rows = await ask(FACTS, scope=scope)
    assert [2, 1] == [row["fact"]["validated_count"] for row in rows]


async def test_what_will_be_so_ends_what_is_so_only_then(
    db: Database, scope: str, ask: Ask
) -> None:
    """Told in 2026 of 2027: today's home holds until then, and is live."""
    coming = triple("Ada", "lives in", "Oslo", valid_from=year(2027))
    await tell(db, scope, (2021, lives("Rome")), (2026, coming))

    assert [
        ("Rome", "active", 2021, 2027, "Oslo"),
        ("Oslo", "active", 2027, 9999),
    ] == await story(ask, scope)


async def test_each_change_of_a_fact_is_kept_as_a_version(
    db: Database, scope: str, ask: Ask
) -> None:
    """The first entry is the fact as it was recorded; one that never changed has none."""
    await tell(db, scope, (2022, lives("Rome")), at=year(2022))
    await tell(db, scope, (2021, lives("Rome")), at=year(2023))
    await tell(db, scope, (2024, lives("Oslo")), at=year(2024))

    rome, oslo = [row["fact"] for row in await ask(FACTS, scope=scope)]

    assert [2022, 2023, 2024] == [at.year for at in rome["version_at"]]
    assert ["active", "active", "superseded"] == rome["version_status"]
    assert [2022, 2021, 2021] == [at.year for at in rome["version_valid_from"]]
    assert [9999, 9999, 2024] == [at.year for at in rome["version_valid_to"]]
    assert "version_at" not in oslo


async def test_one_decision_is_logged_a_statement(db: Database, scope: str, ask: Ask) -> None:
    """New, said again, superseding and pending, each against what it was compared with."""
    await tell(
        db,
        scope,
        (2021, lives("Rome")),
        (2022, lives("Rome")),
        (2023, lives("Oslo")),
        (2024, triple("Ada", "grows", "figs")),
        (2025, triple("Ada", "grows", "quinces")),
        (2026, FactDraft(text="Ada uses Vim.")),
    )

    log = {row["text"]: row for row in await ask(LOG, scope=scope) if row["kind"] != "dedup"}

    kinds = [row["kind"] for row in await ask(LOG, scope=scope)]
    assert ["admit", "admit", "admit", "dedup", "pending", "supersede"] == sorted(kinds)
    assert ["Ada lives in Rome"] == log["Ada lives in Oslo"]["against"]
    assert ["Ada grows figs"] == log["Ada grows quinces"]["against"]
    assert "open" == log["Ada grows quinces"]["state"]


async def test_what_a_statement_was_compared_with_is_kept_in_order(
    db: Database, scope: str, ask: Ask
) -> None:
    """Two values may be meant: both are named, in the order in which they came."""
    for tool in ("Vim", "Emacs"):
        await put(db, scope, await captured(db, scope, triple("Ada", "uses", tool), key=tool))

    await tell(db, scope, (2027, FactDraft(text="Ada uses Helix instead.")))

    (row,) = [row for row in await ask(LOG, scope=scope) if "Helix" in row["text"]]
    assert ("pending", [0, 1]) == (row["kind"], row["places"])
    assert {"Ada uses Vim", "Ada uses Emacs"} == set(row["against"])


async def test_what_a_withdrawn_fact_had_ended_goes_on(db: Database, scope: str, ask: Ask) -> None:
    """A turn that is read anew and says something else takes its supersede back."""
    await tell(db, scope, (2021, lives("Rome")))
    turn = await captured(db, scope, lives("Oslo"), key="second", at=year(2023))
    await put(db, scope, turn)

    await put(db, scope, await captured(db, scope, key="second", at=year(2023)))

    rows = await ask(FACTS, scope=scope)
    assert [("Rome", "active", 2021, 9999), ("Oslo", "forgotten", 2023, 9999)] == await story(
        ask, scope
    )
    assert rows[1]["fact"]["is_withdrawn"]


async def test_what_had_ended_goes_too_where_no_turn_states_it_any_more(
    db: Database, scope: str, ask: Ask
) -> None:
    """It is withdrawn; what it had ended holds until what followed on it begins."""
    said = await captured(db, scope, lives("Oslo"), key="second", at=year(2023))
    await tell(db, scope, (2021, lives("Rome")))
    await put(db, scope, said)
    await tell(db, scope, (2025, lives("Bergen")))
    assert CHAIN == await story(ask, scope)

    await put(db, scope, await captured(db, scope, key="second", at=year(2023)))

    without = await story(ask, scope)
    await put(db, scope, said)
    assert [
        ("Rome", "superseded", 2021, 2025, "Bergen"),
        ("Bergen", "active", 2025, 9999),
    ] == [row for row in without if row[0] != "Oslo"]
    assert ("Oslo", "forgotten") == next(row[:2] for row in without if row[0] == "Oslo")
    assert CHAIN == await story(ask, scope)


async def test_two_in_a_row_that_are_withdrawn_leave_no_gap(
    db: Database, scope: str, ask: Ask
) -> None:
    """One turn stated both: what held before them holds until what follows."""
    drafts = [
        lives(city).model_copy(update={"valid_from": year(at)})
        for city, at in (("Oslo", 2022), ("Lyon", 2023))
    ]
    await tell(db, scope, (2021, lives("Rome")))
    await put(db, scope, await captured(db, scope, *drafts, key="second", at=year(2023)))
    await tell(db, scope, (2025, lives("Bergen")))

    await put(db, scope, await captured(db, scope, key="second", at=year(2023)))

    assert {
        ("Rome", "superseded", 2021, 2025, "Bergen"),
        ("Bergen", "active", 2025, 9999),
    } == {row for row in await story(ask, scope) if row[1] != "forgotten"}


async def test_what_had_ended_and_somebody_stated_stays(db: Database, scope: str, ask: Ask) -> None:
    """An agent said so itself: the turn was not its only evidence."""
    said = await captured(db, scope, lives("Oslo"), key="second", at=year(2023))
    await put(db, scope, said)
    await tell(db, scope, (2025, lives("Bergen")))
    await db.run(
        get_query("graph/state_fact"),
        scope=scope,
        fact_id=id_of(scope, lives("Oslo")),
        turn_ids=[],
        told={},
    )

    await put(db, scope, await captured(db, scope, key="second", at=year(2023)))

    assert [
        ("Oslo", "superseded", 2023, 2025, "Bergen"),
        ("Bergen", "active", 2025, 9999),
    ] == await story(ask, scope)


async def test_a_withdrawn_fact_that_is_said_again_is_that_fact(
    db: Database, scope: str, ask: Ask
) -> None:
    """It has its id, and supersedes again."""
    await tell(db, scope, (2021, lives("Rome")))
    said = await captured(db, scope, lives("Oslo"), key="second", at=year(2023))
    await put(db, scope, said)
    await put(db, scope, await captured(db, scope, key="second", at=year(2023)))

    await put(db, scope, said)

    rows = await ask(FACTS, scope=scope)
    assert [
        ("Rome", "superseded", 2021, 2023, "Oslo"),
        ("Oslo", "active", 2023, 9999),
    ] == await story(ask, scope)
    assert id_of(scope, lives("Oslo")) == rows[1]["fact"]["id"]
    assert not rows[1]["fact"]["is_withdrawn"]


async def forget(db: Database, scope: str, draft: FactDraft, *, at: datetime) -> None:
    """Forget a fact as a person does."""
    change = FactChange(id=id_of(scope, draft), status="forgotten", reason="a wish")
    await change_facts(db, scope, [change], now=at)


async def test_a_forgotten_fact_is_not_learned_again_from_a_turn_that_is_kept(
    db: Database, scope: str, ask: Ask
) -> None:
    """The turn is read anew, by a model, and says so: the fact stays forgotten."""
    item = await captured(db, scope, lives("Rome"), state=ExtractionState.LOCAL)
    await put(db, scope, item)
    await forget(db, scope, lives("Rome"), at=AT + timedelta(days=1))
    later = AT + timedelta(days=2)
    (kept,) = await claim(
        db,
        scope,
        Lease(owner="a test", until=later + timedelta(days=1)),
        now=later,
        limit=5,
        state=ExtractionState.LOCAL,
    )
    read = Extraction(summary="x", facts=(lives("Rome"),), state=ExtractionState.DONE)

    await put(db, scope, GraphItem(kept.turn, read), at=later)

    (row,) = await ask(FACTS, scope=scope)
    assert "forgotten" == row["fact"]["status"]
    assert "a wish" == row["fact"]["retired_reason"]
    assert "dedup" == (await ask(LOG, scope=scope))[-1]["kind"]


async def test_a_double_does_not_bring_back_what_was_forgotten(
    db: Database, scope: str, ask: Ask
) -> None:
    """Two said the same by a judge's word; the turn of the double is read anew, and is too old."""
    kept, double = triple("Ada", "likes", "tea"), triple("Ada", "enjoys", "a cup of tea")
    await tell(db, scope, (2024, kept))
    state = ExtractionState.LOCAL
    await put(db, scope, await captured(db, scope, double, key="double", state=state))
    ids = [id_of(scope, draft) for draft in (kept, double)]
    await db.run(get_query("graph/hand_over"), scope=scope, from_id=ids[1], to_id=ids[0])
    withdrawn = FactChange(id=ids[1], status="forgotten", is_withdrawn=True)
    await change_facts(db, scope, [withdrawn], now=AT)
    await forget(db, scope, kept, at=AT + timedelta(days=1))
    later = AT + timedelta(days=2)
    lease = Lease(owner="a test", until=later + timedelta(days=1))
    (said,) = await claim(db, scope, lease, now=later, limit=5, state=state)
    read = Extraction(summary="x", facts=(double,), state=ExtractionState.DONE)

    await put(db, scope, GraphItem(said.turn, read), at=later)

    rows = await ask(FACTS, scope=scope)
    assert ["forgotten", "forgotten"] == [row["fact"]["status"] for row in rows]
    assert "it was forgotten on purpose" in (await ask(REASONS, scope=scope))[-1]["reason"]


async def test_a_forgotten_fact_is_learned_from_a_turn_that_comes_later(
    db: Database, scope: str, ask: Ask
) -> None:
    """It is stated anew: the same fact is told again."""
    await tell(db, scope, (2025, lives("Rome")))
    await forget(db, scope, lives("Rome"), at=AT + timedelta(days=1))

    await tell(db, scope, (2026, lives("Rome")), at=AT + timedelta(days=2))

    (row,) = await ask(FACTS, scope=scope)
    assert "active" == row["fact"]["status"]
    assert ["active", "forgotten", "active"] == row["fact"]["version_status"]


async def test_the_pipeline_asks_once_and_writes_its_log(db: Database, scope: str) -> None:
    """One transaction; one read beside the statements, one write of the log, one of changes."""
    first = await captured(db, scope, lives("Rome"), key="1", at=year(2024))
    vectors = await embedded(db, scope, [first])
    before = db.count.copy()
    await put(db, scope, first, vectors=vectors)
    admitted = db.count.since(before)
    second = await captured(db, scope, lives("Oslo"), key="2", at=year(2025))
    vectors = await embedded(db, scope, [second])
    before = db.count.copy()

    await put(db, scope, second, vectors=vectors)

    superseded = db.count.since(before)
    assert (1, 0) == (admitted.writes, admitted.reads)
    assert (1, 0) == (superseded.writes, superseded.reads)
    # Locks, Terms, Tags, Agents, facts, turns: what a turn took without it.
    assert 6 + 2 == admitted.write_statements
    assert 6 + 3 == superseded.write_statements


async def test_a_batch_takes_as_many_statements_as_a_turn(db: Database, scope: str) -> None:
    """However many statements are decided together."""
    items = []
    for n in range(12):
        facts = (lives(f"Town{n}"), triple(f"P{n}", "likes", "tea"))
        items.append(await captured(db, scope, *facts, key=str(n), at=AT + timedelta(days=n)))
    before = db.count.copy()

    await put(db, scope, *items, vectors=await embedded(db, scope, items))

    assert (1, 9) == (db.count.since(before).writes, db.count.since(before).write_statements)


async def test_stays_with_an_end_that_share_no_day_both_stand(
    db: Database, scope: str, ask: Ask
) -> None:
    """Neither supersedes the other, though the later one is told first."""
    first = triple("Ada", "lives in", "Rome", valid_from=year(2019), valid_to=year(2020))
    second = triple("Ada", "lives in", "Oslo", valid_from=year(2021), valid_to=year(2022))

    await tell(db, scope, (2025, second), (2026, first))

    assert [("Rome", "active", 2019, 2020), ("Oslo", "active", 2021, 2022)] == await story(
        ask, scope
    )
