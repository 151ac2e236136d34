"""Near-duplicates become one, and nothing else is lost."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, InputError, MaintenanceBusy, RunState
from graphmem.db import Database
from graphmem.maintain.consolidation import merging
from graphmem.maintain.runs import run_in
from graphmem.testing import FrozenClock
from tests.conftest import DIMENSIONS
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_removal import MODES, WEEK, relevant
from tests.oracles.consolidation import PlainFact, consolidated

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OPEN_FROM = datetime(1, 1, 1, tzinfo=UTC)
OPEN_TO = datetime(9999, 12, 31, tzinfo=UTC)


def at(degrees: float) -> list[float]:
    """Return a unit vector in a plane: the cosine of two is that of the angle between them."""
    angle = math.radians(degrees)
    return [math.cos(angle), math.sin(angle)]


def of(key: str, degrees: float, **told: Any) -> dict[str, Any]:
    """Return a fact: the same words as all others, a direction, and the tag 'all'."""
    return {
        "id": key,
        "vector": at(degrees),
        "text": "Ana keeps bees",
        "tags": ["all"],
        "idle_h": 1.0,
        **told,
    }


async def make(
    ask: Ask, memory: AsyncGraphMemory, scope: str, facts: Iterable[Mapping[str, Any]]
) -> None:
    """Put facts with vectors of our own into a scope."""
    embedder_id = (await ask("MATCH (e:Embedder {state: 'active'}) RETURN e.id AS id"))[0]["id"]
    rows = [
        {
            "status": "active",
            "pinned": False,
            "tier": "working",
            "sensitivity": "internal",
            "valid_from": OPEN_FROM,
            "valid_to": OPEN_TO,
            "needs_vector": False,
            "needs_comparison": True,
            "recall_count": 0,
            "reward_sum": 0.0,
            "reward_count": 0,
            "subject_key": "",
            "predicate_key": "",
            "object_key": "",
            "is_negated": False,
            **fact,
            "vector": [*fact["vector"], *[0.0] * (DIMENSIONS - len(fact["vector"]))],
            "used_at": NOW - timedelta(hours=fact["idle_h"]),
        }
        for fact in facts
    ]
    await ask(
        """
        UNWIND $rows AS row
        CREATE (f:Fact {scope: $scope, scope_token: 'x', canonical_hash: row.id, predicate: '',
          embedder_id: $embedder_id, last_accessed_at: row.used_at, recorded_at: row.used_at,
          confidence: 1.0, origin: 'given', agent_id: '', validated_count: 1, importance: 0.5,
          is_withdrawn: false, retired_reason: '', search_text: row.text})
        SET f += row {.id, .text, .status, .pinned, .tier, .sensitivity, .valid_from, .valid_to,
          .needs_vector, .needs_comparison, .recall_count, .reward_sum, .reward_count,
          .subject_key, .predicate_key, .object_key, .is_negated}
        WITH f, row
        CALL (f, row) {
          UNWIND row.tags AS key
          MERGE (tag:Tag {scope: $scope, key: key})
            ON CREATE SET tag.id = 'tag ' + key, tag.label = key, tag.status = 'active'
          MERGE (f)-[:TAGGED]->(tag)
        }
        CALL db.create.setNodeVectorProperty(f, 'embedding_a', row.vector)
        """,
        rows=rows,
        scope=scope,
        embedder_id=embedder_id,
    )


async def test_the_less_valuable_one_goes(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """The report says for what, how near it was, and what both were worth."""
    await make(ask, memory, scope, [of("a", 0, idle_h=5), of("b", 10, idle_h=2), of("c", 90)])

    report = await memory.consolidate_semantics()

    (removed,) = (node for node in report.removed if node.kind == "Fact")
    assert (report.checked, report.deleted, report.skipped) == (3, 1, 0)
    assert report.deleted_ids == ("a",)
    assert (removed.id, removed.survivor_id) == ("a", "b")
    assert removed.text == removed.survivor_text == "Ana keeps bees"
    assert removed.cosine == pytest.approx(math.cos(math.radians(10)), abs=1e-6)
    assert removed.score is not None
    assert removed.survivor_score is not None
    assert removed.score < removed.survivor_score
    assert ["b", "c"] == sorted(fact.id for fact in await memory.semantic.list(status="all"))


async def test_a_chain_loses_its_middle_only(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """A > B > C, A near B, B near C, A not near C: only B goes, for the nearer of the two."""
    await make(
        ask,
        memory,
        scope,
        [of("a", 0, idle_h=1), of("b", 20, idle_h=2), of("c", 45, idle_h=3)],
    )

    report = await memory.consolidate_semantics()

    assert report.deleted_ids == ("b",)
    assert report.removed[0].survivor_id == "a"


async def test_of_equals_the_first_id_stays(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """And all others go for it: none for one that goes itself."""
    await make(ask, memory, scope, [of(key, 0) for key in "dbca"])

    report = await memory.consolidate_semantics()

    assert sorted(report.deleted_ids) == ["b", "c", "d"]
    assert {node.survivor_id for node in report.removed} == {"a"}


async def test_exactly_the_threshold_is_not_above_it(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """.85 stays, what is a little nearer goes."""
    right = math.degrees(math.acos(0.85))
    await make(ask, memory, scope, [of("a", 0), of("b", right)])

    assert (await memory.consolidate_semantics()).deleted == 0
    assert (await memory.consolidate_semantics(0.84)).deleted == 1


async def test_only_what_shares_a_tag_is_compared(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """Unless all are asked for."""
    await make(ask, memory, scope, [of("a", 0, tags=["x"]), of("b", 0, tags=["y"])])

    assert (await memory.consolidate_semantics()).deleted == 0
    # The tag that led to it goes with it, unless what stays got it.
    assert (await memory.consolidate_semantics(candidates="all")).deleted_ids == ("b",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"text": "Ana keeps 3 bees"}, {"text": "Ana keeps 4 bees"}),
        ({"text": "He told Ana about it"}, {"text": "He told Bruno about it"}),
        ({"is_negated": False}, {"is_negated": True}),
        (
            {"subject_key": "ana", "predicate_key": "keeps", "object_key": "bees"},
            {"subject_key": "bruno", "predicate_key": "keeps", "object_key": "bees"},
        ),
        (
            {"subject_key": "ana", "predicate_key": "wrote", "object_key": "x"},
            {"subject_key": "ana", "predicate_key": "recorded", "object_key": "x"},
        ),
        ({"sensitivity": "internal"}, {"sensitivity": "secret"}),
        ({"valid_to": OPEN_TO}, {"valid_to": NOW + timedelta(days=30)}),
        ({}, {"valid_from": NOW + timedelta(days=1)}),
        ({}, {"valid_to": NOW - timedelta(days=1)}),
        ({"valid_to": NOW - timedelta(days=1)}, {"valid_to": NOW - timedelta(days=1)}),
        ({}, {"status": "superseded"}),
        ({}, {"status": "forgotten"}),
        ({}, {"needs_vector": True}),
    ],
    ids=[
        "numbers",
        "names",
        "negation",
        "subjects",
        "predicates",
        "sensitivity",
        "ends",
        "later",
        "over",
        "both over",
        "superseded",
        "forgotten",
        "no vector",
    ],
)
async def test_what_differs_stays(
    memory: AsyncGraphMemory, scope: str, ask: Ask, one: dict[str, Any], other: dict[str, Any]
) -> None:
    """However near the vectors are."""
    await make(ask, memory, scope, [of("a", 0, **one), of("b", 0, **other)])

    for candidates in ("tags", "all"):
        report = await memory.consolidate_semantics(candidates=candidates)
        assert [] == [node for node in report.removed if node.kind == "Fact"]


async def test_protected_ones_stay_and_others_go_for_them(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """Those that would have gone are counted by what protects them."""
    facts = [
        of("best", 0, idle_h=0),
        of("pinned", 0, idle_h=1, pinned=True),
        of("core", 0, idle_h=2, tier="core"),
        of("pending", 0, idle_h=3, status="pending"),
        of("chain", 0, idle_h=4),
        of("asked", 0, idle_h=5),
        of("plain", 0, idle_h=6),
        of("alone", 90, pinned=True),
        of("near", 90.5, idle_h=9),
    ]
    await make(ask, memory, scope, facts)
    await ask(
        "MATCH (f:Fact {scope: $scope, id: 'chain'}) "
        "CREATE (f)-[:SUPERSEDES]->(:Fact {scope: $scope, id: 'old', status: 'superseded', "
        "text: 'x', valid_from: $open, valid_to: $open}) WITH f "
        "MATCH (g:Fact {scope: $scope, id: 'asked'}) "
        "CREATE (:Decision {scope: $scope, id: 'd', state: 'open'})-[:ABOUT]->(g)",
        scope=scope,
        open=OPEN_FROM,
    )

    report = await memory.consolidate_semantics()

    assert sorted(report.deleted_ids) == ["near", "plain"]
    assert report.protected == {"pinned": 1, "core": 1, "pending": 1, "chain": 1, "decision": 1}
    assert {node.id: node.survivor_id for node in report.removed} == {
        "plain": "best",
        "near": "alone",
    }


@MODES
async def test_a_survivor_holds_from_the_earlier_time(
    *, memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture, mode: Any
) -> None:
    """What was known to hold then is known still, and its history says since when it is."""
    early, late = NOW - timedelta(days=300), NOW - timedelta(days=30)
    await make(
        ask, memory, scope, [of("a", 0, valid_from=late), of("b", 0, idle_h=9, valid_from=early)]
    )
    before = relevant(await picture(memory))

    report = await memory.consolidate_semantics(mode=mode)

    stays = await memory.semantic.get("a")
    assert stays is not None
    assert stays.valid_from == early
    assert [late, early] == [
        version.valid_from for version in (await memory.semantic.history("a")).versions
    ]
    await memory.undo(report.run_id)
    assert before == relevant(await picture(memory))


@MODES
@pytest.mark.parametrize("order", ["abcd", "adcb", "acdb"])
async def test_batches_of_one_run_let_it_hold_from_ever_earlier_on(
    *,
    memory: AsyncGraphMemory,
    scope: str,
    ask: Ask,
    picture: Picture,
    monkeypatch: pytest.MonkeyPatch,
    mode: Any,
    order: str,
) -> None:
    """Undone, it holds as it did before all of them."""
    monkeypatch.setattr(merging, "BATCH", 1)
    since = [NOW - timedelta(days=10 * place) for place in range(1, 5)]
    facts = [
        of(key, 0, idle_h=1.0 + place, valid_from=at)
        for place, (key, at) in enumerate(zip(order, since, strict=True))
    ]
    await make(ask, memory, scope, facts)
    before = relevant(await picture(memory))

    report = await memory.consolidate_semantics(mode=mode)
    counts = (await memory.run(report.run_id)).counts
    stays = await memory.semantic.get("a")
    await memory.undo(report.run_id)

    assert stays is not None
    assert (1, since[3]) == (counts["widened"], stays.valid_from)
    assert before == relevant(await picture(memory))


async def test_a_chain_keeps_its_times(memory: AsyncGraphMemory, scope: str, ask: Ask) -> None:
    """What followed on another one cannot stand for what is older than that."""
    early, late = NOW - timedelta(days=300), NOW - timedelta(days=30)
    await make(
        ask,
        memory,
        scope,
        [
            of("new", 0, valid_from=late),
            of("older", 0, idle_h=9, valid_from=early),
            of("younger", 0, idle_h=9, valid_from=late),
        ],
    )
    await ask(
        "MATCH (f:Fact {scope: $scope, id: 'new'}) CREATE (f)-[:SUPERSEDES]->(:Fact "
        "{scope: $scope, id: 'old', status: 'superseded', text: 'x', "
        "valid_from: $early, valid_to: $late})",
        scope=scope,
        early=early,
        late=late,
    )

    report = await memory.consolidate_semantics()

    assert report.deleted_ids == ("younger",)
    assert report.removed[0].survivor_id == "new"


@MODES
async def test_undo_takes_all_of_it_back(
    *, memory: AsyncGraphMemory, scope: str, clock: FrozenClock, picture: Picture, mode: Any
) -> None:
    """Facts, evidence, tags, counts, rewards, and the routes that were cleaned up."""
    # Else the second statement would be the first one again.
    await memory.configure(conflict_mode="off")
    for session, text, tags in (
        ("s1", "Ana keeps bees at home", ["honey"]),
        ("s2", "Ana keeps bees at home now", ["garden"]),
        ("s3", "Bruno sails", ["wind"]),
    ):
        await memory.add_turn(
            text,
            session_id=session,
            extraction={"summary": text, "facts": [{"text": text, "tags": ["all", *tags]}]},
            wait=True,
        )
        clock.advance(60)
    before = relevant(await picture(memory))

    report = await memory.consolidate_semantics(0.5, mode=mode)
    changed = relevant(await picture(memory))
    await memory.undo(report.run_id)

    assert report.deleted + report.deprecated >= 1
    assert before != changed
    assert before == relevant(await picture(memory))


async def test_a_deprecated_duplicate_is_kept(
    memory: AsyncGraphMemory, scope: str, ask: Ask
) -> None:
    """It is told no longer, and says what took it out."""
    await make(ask, memory, scope, [of("a", 0), of("b", 0, idle_h=9, tags=["all", "other"])])

    report = await memory.consolidate_semantics(mode="deprecate")

    assert (report.deleted, report.deprecated, report.deleted_ids) == (0, 1, ())
    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope, id: 'b'}) RETURN f.status AS status, "
        "f.deprecated_by AS by, f.deprecated_at IS NOT NULL AS dated",
        scope=scope,
    )
    assert row == {"status": "deprecated", "by": "consolidation", "dated": True}


async def test_a_dry_run_tells_the_same_and_changes_nothing(
    memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture
) -> None:
    """With the routes that would go with them."""
    await make(ask, memory, scope, [of("a", 0), of("b", 0, idle_h=9), of("c", 90)])
    await ask(
        "MATCH (f:Fact {scope: $scope, id: 'b'}) "
        "CREATE (f)-[:SUBJECT]->(:Term {scope: $scope, id: 't', key: 'ana', name: 'Ana', "
        "status: 'active'})",
        scope=scope,
    )
    before = await picture(memory)

    told = await memory.consolidate_semantics(dry_run=True)
    after = await picture(memory)
    done = await memory.consolidate_semantics()

    assert before == after
    assert told.run_id == ""
    assert told.orphans == {"Term": 1}
    assert done.model_copy(update={"run_id": "", "is_dry_run": True}) == told
    assert (await memory.run(done.run_id)).counts["deleted"] == 2


async def test_without_an_embedder_nothing_is_compared(
    settings_with: Configure, scope: str, clock: FrozenClock
) -> None:
    """The report says how many facts were skipped."""
    settings = settings_with(embedding_model="none")
    async with await AsyncGraphMemory.open(settings, clock=clock) as memory:
        await memory.semantic.remember("Ana keeps bees")
        await memory.semantic.remember("Bruno sails")

        report = await memory.consolidate_semantics()

    assert (report.checked, report.skipped, report.deleted) == (2, 2, 0)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"threshold": 0}, "threshold"),
        ({"threshold": 1.01}, "threshold"),
        ({"threshold": float("nan")}, "threshold"),
        ({"threshold": True}, "threshold"),
        ({"threshold": "0.9"}, "threshold"),
        ({"candidates": "some"}, "candidates"),
        ({"mode": "erase"}, "mode"),
        ({"dry_run": "yes"}, "dry_run"),
    ],
)
async def test_bounds_are_kept(memory: AsyncGraphMemory, wrong: dict[str, Any], named: str) -> None:
    """A bad parameter is named, and nothing is begun."""
    with pytest.raises(InputError, match=named):
        await memory.consolidate_semantics(**wrong)

    assert [] == await memory.runs()


async def test_it_waits_for_nobody(
    memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock
) -> None:
    """Where another operation works it is refused."""
    async with run_in(db, scope, "decay", clock=clock, params={}, undo_window=WEEK):
        with pytest.raises(MaintenanceBusy):
            await memory.consolidate_semantics()
        with pytest.raises(MaintenanceBusy):
            await memory.clean_orphans()

    assert (await memory.consolidate_semantics()).deleted == 0
    assert {run.state for run in await memory.runs()} == {RunState.DONE}


async def test_past_a_size_all_pairs_are_found_by_the_index(
    memory: AsyncGraphMemory, scope: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same goes."""
    monkeypatch.setattr("graphmem.maintain.consolidation.comparing.MOST_IN_GROUP", 2)
    facts = [of(f"{number}", 30 * number, tags=[f"{number}"]) for number in range(6)]
    facts += [of(f"{number} again", 30 * number, idle_h=9) for number in range(6)]
    await make(ask, memory, scope, facts)

    report = await memory.consolidate_semantics(0.95, candidates="all")

    gone = {node.id: node.survivor_id for node in report.removed if node.kind == "Fact"}
    assert gone == {f"{number} again": f"{number}" for number in range(6)}


@pytest.mark.parametrize("seed", range(5))
async def test_it_does_what_the_plain_rule_says(
    *, memory: AsyncGraphMemory, scope: str, ask: Ask, picture: Picture, seed: int
) -> None:
    """On random graphs in three scopes: the same goes for the same, and no other scope changes."""
    generator = random.Random(seed)
    scopes = [scope, f"{scope}/other", f"{scope} other"]
    graphs = {one: some_facts(generator) for one in scopes}
    for one, facts in graphs.items():
        await make(ask, memory, one, facts)
    candidates = generator.choice(["tags", "all"])
    for one, facts in graphs.items():
        others = {other: await picture(memory.scoped(other)) for other in scopes if other != one}

        report = await memory.scoped(one).consolidate_semantics(0.9, candidates=candidates)

        expected, protected = consolidated(
            [plain(fact) for fact in facts],
            0.9,
            guard=lambda a, b: a.text != b.text,
            shares_tags=candidates == "tags",
        )
        gone = {node.id: node.survivor_id for node in report.removed if node.kind == "Fact"}
        assert gone == expected
        assert report.protected == protected
        assert others == {other: await picture(memory.scoped(other)) for other in others}


def some_facts(generator: random.Random) -> list[dict[str, Any]]:
    """Return facts in a few directions, some of them protected or of another kind."""
    return [
        of(
            f"{number:02}",
            generator.choice([0, 40, 200]) + generator.uniform(-30, 30),
            text=generator.choice(["Ana keeps 3 bees", "Ana keeps 3 bees", "Ana keeps 4 bees"]),
            tags=generator.sample(["x", "y", "z"], generator.randint(1, 2)),
            idle_h=float(generator.randint(0, 200)),
            recall_count=generator.choice([0, 0, 3, 40]),
            reward_count=generator.choice([0, 0, 1]),
            pinned=generator.random() < 0.1,
            sensitivity=generator.choice(["internal", "internal", "secret"]),
        )
        for number in range(generator.randint(5, 40))
    ]


def plain(fact: Mapping[str, Any]) -> PlainFact:
    """Return a fact as the oracle reads it, worth what the formula says."""
    recency = math.exp(-0.01 * fact["idle_h"])
    frequency = max(0.3, fact["recall_count"] / (fact["recall_count"] + 5))
    reward = 2 / (1 + math.exp(0.5)) if fact["reward_count"] else 1.0
    return PlainFact(
        id=fact["id"],
        score=recency * frequency * reward,
        vector=tuple(fact["vector"]),
        tags=frozenset(fact["tags"]),
        text=fact["text"],
        kind=fact["sensitivity"],
        protection="pinned" if fact["pinned"] else "",
    )
