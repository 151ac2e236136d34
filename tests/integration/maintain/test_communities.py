"""Names that belong together are found, on both engines, and what is told of them is kept right."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from graphmem import AsyncGraphMemory, ConfigError, Fact, InputError, MaintenanceBusy
from graphmem.communities import CommunityEngine
from graphmem.db import Database
from graphmem.errors import StoreError
from graphmem.maintain.communities import follow, membership_writing, rebuild, summaries, update
from graphmem.maintain.communities.membership import key_of
from graphmem.maintain.removal import Loss
from graphmem.maintain.runs import BudgetOver, Run, run_in
from graphmem.queries import get_query
from graphmem.testing import FrozenClock, HashedEmbedder, ScriptedModel
from graphmem.tiers import tick as tick_module
from tests.conftest import ServerAddress
from tests.integration.conftest import Ask, Configure
from tests.integration.maintain.conftest import Picture
from tests.integration.maintain.test_removal import drop
from tests.oracles.label_propagation import Links, nmi, planted, undirected

ENGINES = pytest.mark.parametrize("engine", ["python", "gds"])
CANARY = "zircon-77"


async def tell(memory: AsyncGraphMemory, *groups: str, times: int = 2) -> None:
    """Add turns that each mention the names of one group, given as one text with blanks."""
    await memory.add_turns(
        [
            {
                "question": f"{group} {number}",
                "session_id": group,
                "turn_key": str(number),
                "extraction": {"mentions": group.split()},
            }
            for group in groups
            for number in range(times)
        ],
        wait=True,
    )


async def say(
    memory: AsyncGraphMemory,
    subject: str,
    predicate: str,
    object_: str,
    sensitivity: str | None = None,
) -> Fact:
    """Remember one statement."""
    return await memory.semantic.remember(
        f"{subject} {predicate} {object_}",
        subject=subject,
        predicate=predicate,
        object=object_,
        sensitivity=sensitivity,
    )


async def partition(ask: Ask, scope: str) -> dict[str, str]:
    """Return the id of the community of each live name."""
    rows = await ask(
        "MATCH (t:Term {scope: $scope, status: 'active'})-[:IN_COMMUNITY]->(c:Community) "
        "RETURN t.key AS key, c.id AS id",
        scope=scope,
    )
    return {row["key"]: row["id"] for row in rows}


async def plant(ask: Ask, scope: str, links: Links) -> None:
    """Write names and a turn for each link between two."""
    await ask(
        "UNWIND $keys AS key CREATE (:Term {scope: $scope, id: key, key: key, name: key, "
        "status: 'active', needs_community: true, needs_vector: false})",
        scope=scope,
        keys=sorted(links),
    )
    pairs = [[one, other] for one in links for other in links[one] if one < other]
    await ask(
        "UNWIND range(0, size($pairs) - 1) AS i WITH i, $pairs[i] AS pair "
        "MATCH (a:Term {scope: $scope, key: pair[0]}) MATCH (b:Term {scope: $scope, key: pair[1]}) "
        "CREATE (t:Turn {scope: $scope, id: toString(i), status: 'active', extraction: 'done', "
        "needs_vector: false}) "
        "CREATE (t)-[:MENTIONS {weight: 1.0}]->(a) CREATE (t)-[:MENTIONS {weight: 1.0}]->(b)",
        scope=scope,
        pairs=pairs,
    )


@ENGINES
async def test_names_that_are_spoken_of_together_are_one_community(
    memory: AsyncGraphMemory, ask: Ask, engine: CommunityEngine
) -> None:
    """Two groups that never meet are two communities, and a name alone has one of its own."""
    await tell(memory, "Ana Bo Cy", "Dov Eli Fay", "Gil")

    report = await memory.update_communities(engine=engine)

    found = await partition(ask, memory.scope)
    assert (engine, True, 7, 3) == (
        report.engine,
        report.is_rebuild,
        report.terms,
        report.communities,
    )
    assert found["ana"] == found["bo"] == found["cy"]
    assert found["dov"] == found["eli"] == found["fay"]
    assert 3 == len(set(found.values()))
    assert report.converged


@ENGINES
async def test_planted_communities_are_found(
    memory: AsyncGraphMemory, ask: Ask, engine: CommunityEngine
) -> None:
    """What was planted comes out again, by the library and without it."""
    links, group = planted(3, groups=6, size=16)
    await plant(ask, memory.scope, links)

    await memory.update_communities(engine=engine)

    assert nmi(await partition(ask, memory.scope), group) >= 0.95


_GROUPS = planted(5, groups=6, size=16, outside=0.03)[0]
# What goes out of the middle comes back: its ranks still swing when the last round is done.
_STAR = undirected({("middle", f"ray {number:02}"): 1.0 for number in range(12)})


@pytest.mark.parametrize("links", [_GROUPS, _STAR], ids=["groups", "star"])
async def test_both_engines_agree(memory: AsyncGraphMemory, ask: Ask, links: Links) -> None:
    """The library and Python part the same graph alike, and rank it alike."""
    await plant(ask, memory.scope, links)
    ranks = "MATCH (t:Term {scope: $scope}) RETURN t.key AS key, t.rank AS rank ORDER BY key"

    await memory.update_communities(engine="python")
    by_python = await partition(ask, memory.scope)
    ranks_of_python = await ask(ranks, scope=memory.scope)
    # One that hardly moved would stay as it is.
    await ask("MATCH (t:Term {scope: $scope}) REMOVE t.rank", scope=memory.scope)
    await memory.update_communities(engine="gds", rebuild=True)

    ranks_of_gds = await ask(ranks, scope=memory.scope)
    assert nmi(by_python, await partition(ask, memory.scope)) >= 0.95
    assert [row["rank"] for row in ranks_of_python] == pytest.approx(
        [row["rank"] for row in ranks_of_gds], abs=1e-9
    )
    assert 1.0 == max(row["rank"] for row in ranks_of_gds)


@ENGINES
async def test_the_same_graph_gives_the_same_communities(
    memory: AsyncGraphMemory, ask: Ask, engine: CommunityEngine
) -> None:
    """Done again from the start, every name is where it was, under the same key."""
    links, _ = planted(7, groups=4, size=12, outside=0.05)
    await plant(ask, memory.scope, links)
    await memory.update_communities(engine=engine)
    before, keys = await partition(ask, memory.scope), await memory.communities()

    report = await memory.update_communities(engine=engine, rebuild=True)

    assert before == await partition(ask, memory.scope)
    assert keys == await memory.communities()
    assert (0, 0, 0) == (report.moved, report.created, report.changed)
    assert 0 == report.summaries


async def test_a_name_of_every_turn_swallows_nothing(memory: AsyncGraphMemory, ask: Ask) -> None:
    """Who is named in each turn does not draw the groups together."""
    groups = ("Zoe Ana Bo Cy", "Zoe Dov Eli Fay", "Zoe Gil Hal Ivo", "Zoe Jan Kai Lea")
    await tell(memory, *groups, times=3)

    await memory.update_communities(engine="python")

    found = await partition(ask, memory.scope)
    assert 4 == len(set(found.values()))


async def test_a_fact_links_what_it_is_about(memory: AsyncGraphMemory, ask: Ask) -> None:
    """Two names that only a fact links are one community."""
    await say(memory, "Nils", "owns", "Kestrel")
    await tell(memory, "Ana Bo")

    await memory.update_communities(engine="python")

    found = await partition(ask, memory.scope)
    assert found["nils"] == found["kestrel"]
    assert found["nils"] != found["ana"]


async def test_only_what_changed_is_put_anew(memory: AsyncGraphMemory, ask: Ask) -> None:
    """A new name joins its group; all others keep community, key and summary."""
    groups = [f"A{i} B{i} C{i} D{i}" for i in range(6)]
    await tell(memory, *groups)
    await memory.update_communities(engine="python")
    before = {one.id: one for one in await memory.communities()}
    await memory.add_turn("A0 B0 N0", extraction={"mentions": ["A0", "B0", "N0"]}, wait=True)

    report = await memory.update_communities()

    found = await partition(ask, memory.scope)
    after = {one.id: one for one in await memory.communities()}
    assert found["n0"] == found["a0"]
    assert (False, "python", 1, 0, 1) == (
        report.is_rebuild,
        report.engine,
        report.moved,
        report.created,
        report.changed,
    )
    assert {found["a0"]} == {id_ for id_, one in after.items() if one != before[id_]}
    assert 1 == report.summaries


async def test_what_a_cut_run_took_up_is_put_by_the_next(
    memory: AsyncGraphMemory, clock: FrozenClock, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick whose time was over after names were taken up, before they were put anywhere."""
    await tell(memory, *[f"A{i} B{i} C{i} D{i}" for i in range(6)])
    await memory.update_communities(engine="python")
    clock.advance(60)
    await memory.add_turn("A0 B0 N0", extraction={"mentions": ["A0", "B0", "N0"]}, wait=True)

    async def is_over(*_: object) -> None:
        raise BudgetOver

    with monkeypatch.context() as cut:
        cut.setattr(follow, "_vote", is_over)
        with pytest.raises(BudgetOver):
            await memory.update_communities()
    clock.advance(60)
    await memory.update_communities()

    found = await partition(ask, memory.scope)
    assert found["n0"] == found["a0"]


async def test_a_run_that_is_cut_behind_placing_leads_to_no_rebuild(
    memory: AsyncGraphMemory, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tick whose time was over before it wrote summaries: the next run writes those alone."""
    await tell(memory, "Ana Bo Cy", "Dov Eli Fay")

    async def is_over(*_: object, **__: object) -> None:
        raise BudgetOver

    with monkeypatch.context() as cut:
        cut.setattr(update, "summarise", is_over)
        with pytest.raises(BudgetOver):
            await memory.update_communities(engine="python")
    clock.advance(60)

    report = await memory.update_communities()

    assert (False, 0, 2) == (report.is_rebuild, report.moved, report.summaries)


async def test_a_rebuild_comes_to_its_end_when_the_time_of_its_tick_is_over(
    memory: AsyncGraphMemory, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a scope that takes longer than a tick would have none; what follows is cut."""
    await tell(memory, "Ana Bo Cy", "Dov Eli Fay")
    real = tick_module.update_communities

    async def late(*args: Any, **kwargs: Any) -> object:
        kwargs["part_of"].deadline = 0.0
        return await real(*args, **kwargs)

    monkeypatch.setattr(tick_module, "update_communities", late)

    report = await memory.maintain(budget_s=600, steps=["communities"])

    assert ["cut"] == [step.state for step in report.steps]
    assert 2 == len(set((await partition(ask, memory.scope)).values()))


async def test_nothing_new_changes_nothing(memory: AsyncGraphMemory, picture: Picture) -> None:
    """Where nothing was told since, nothing is written."""
    await tell(memory, "Ana Bo Cy", "Dov Eli Fay")
    await memory.update_communities(engine="python")
    before = await picture(memory)

    report = await memory.update_communities()

    assert before == await picture(memory)
    assert ("", 0, 2) == (report.engine, report.moved, report.kept)


async def test_a_new_group_gets_a_community_of_its_own(memory: AsyncGraphMemory, ask: Ask) -> None:
    """Names that came together and know nobody else are one community."""
    await tell(memory, *[f"A{i} B{i} C{i} D{i}" for i in range(4)])
    await memory.update_communities(engine="python")
    await memory.add_turn("X Y Z", extraction={"mentions": ["Xan", "Yul", "Zed"]}, wait=True)

    report = await memory.update_communities()

    found = await partition(ask, memory.scope)
    assert (False, 1) == (report.is_rebuild, report.created)
    assert found["xan"] == found["yul"] == found["zed"]
    assert 5 == len(set(found.values()))


async def test_much_that_is_new_lets_all_vote(memory: AsyncGraphMemory) -> None:
    """Where more than a third changed, all are found anew."""
    await tell(memory, "Ana Bo Cy")
    await memory.update_communities(engine="python")
    await tell(memory, "Dov Eli Fay")

    report = await memory.update_communities(engine="python")

    assert report.is_rebuild


async def test_a_run_that_broke_off_lets_all_vote(
    memory: AsyncGraphMemory, clock: FrozenClock, db: Database
) -> None:
    """After a run that did not come to its end, the next one looks at everything."""
    await tell(memory, "Ana Bo Cy", "Dov Eli Fay")
    await memory.update_communities(engine="python")

    clock.advance(timedelta(minutes=1))

    async def break_off() -> None:
        async with run_in(
            db,
            memory.scope,
            "communities",
            clock=clock,
            params={},
            undo_window=timedelta(days=1),
        ):
            raise RuntimeError("the process ends here")

    with pytest.raises(RuntimeError):
        await break_off()

    clock.advance(timedelta(minutes=1))
    assert (await memory.update_communities(engine="python")).is_rebuild
    clock.advance(timedelta(minutes=1))
    assert not (await memory.update_communities(engine="python")).is_rebuild


@pytest.mark.parametrize("rebuild", [False, True])
async def test_a_merged_name_takes_no_part(
    memory: AsyncGraphMemory, ask: Ask, rebuild: bool
) -> None:
    """An alias leaves its community, whose key follows from the members that are left."""
    await tell(memory, "Ana Bo Cy", *[f"A{i} B{i} C{i}" for i in range(4)])
    await memory.update_communities(engine="python")
    before = {one.id: one for one in await memory.communities()}
    await memory.merge_terms("Ana", "Bo")

    report = await memory.update_communities(rebuild=rebuild)

    found = await partition(ask, memory.scope)
    after = {one.id: one for one in await memory.communities()}
    assert rebuild == report.is_rebuild
    assert "bo" not in found
    assert 2 == after[found["ana"]].size
    assert before[found["ana"]].key != after[found["ana"]].key
    assert [] == await ask(
        "MATCH (t:Term {scope: $scope, key: 'bo'})-[:IN_COMMUNITY]->(c:Community) RETURN c.id AS c",
        scope=memory.scope,
    )


async def test_empty_communities_go(memory: AsyncGraphMemory, ask: Ask) -> None:
    """A community of which no member is left is dropped."""
    await tell(memory, "Ana Bo", *[f"A{i} B{i} C{i}" for i in range(4)])
    await memory.update_communities(engine="python")
    await ask(
        "MATCH (t:Term {scope: $scope}) WHERE t.key IN ['ana', 'bo'] DETACH DELETE t",
        scope=memory.scope,
    )

    report = await memory.update_communities()

    assert (1, 4) == (report.dropped, report.communities)


async def test_an_empty_community_keeps_no_key_from_another(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """One that lost its members, as where a run broke off, has their key no longer."""
    await tell(memory, "Ana Bo Cy")
    await ask(
        "CREATE (:Community {scope: $scope, id: 'left', key: $key, size: 3, ordinal: 1, "
        "status: 'active', summary: '', summary_by: '', revision: 1, needs_summary: false, "
        "needs_vector: false})",
        scope=memory.scope,
        key=key_of(["ana", "bo", "cy"]),
    )

    report = await memory.update_communities(engine="python", rebuild=True)

    assert (1, 1, 1) == (report.created, report.dropped, report.communities)


@ENGINES
async def test_a_large_community_is_written_in_several_batches(
    memory: AsyncGraphMemory, ask: Ask, monkeypatch: pytest.MonkeyPatch, engine: CommunityEngine
) -> None:
    """Nobody of it is left out, or in the one that it was in before."""
    monkeypatch.setattr(membership_writing, "_BATCH", 2)
    await tell(memory, "Ana Bo", "Cy Dov", "Eli")
    await memory.update_communities(engine=engine)
    await tell(memory, "Ana Bo Cy Dov Eli", times=8)

    report = await memory.update_communities(engine=engine, rebuild=True)

    found = await partition(ask, memory.scope)
    assert 1 == len(set(found.values()))
    assert [(5, key_of(found))] == [(one.size, one.key) for one in await memory.communities()]
    assert (5, 1, 2) == (report.terms, report.communities, report.dropped)


async def test_another_scope_is_left_node_for_node(
    memory: AsyncGraphMemory, picture: Picture
) -> None:
    """Rebuilding the communities of one scope does not touch those of another one."""
    other = memory.scoped(f"{memory.scope}/birch")
    await tell(memory, "Ana Bo Cy")
    await tell(other, "Ana Bo Cy", "Dov Eli")
    await other.update_communities(engine="python")
    before = await picture(other)

    for engine in ("python", "gds"):
        await memory.update_communities(rebuild=True, engine=engine)  # type: ignore[arg-type]
    await memory.add_turn("Ana Bo", extraction={"mentions": ["Ana", "Bo"]}, wait=True)
    await memory.update_communities()

    assert before == await picture(other)
    assert 1 == len(await memory.communities())


# What summaries tell ------------------------------------------------------------------------


async def test_a_summary_names_members_and_facts(memory: AsyncGraphMemory) -> None:
    """It is put together of first names and a fact, within a hundred characters."""
    await say(memory, "Dana", "lives in", "Lund")
    await memory.update_communities(engine="python")

    (found,) = await memory.communities()

    assert "Dana lives in Lund" in found.summary
    assert len(found.summary) <= 100
    assert ("local", 2, {"Dana", "Lund"}) == (
        found.summary_by,
        found.size,
        {term.name for term in found.terms},
    )


async def raw(ask: Ask, scope: str, label: str) -> str:
    """Return all that the nodes of a label say."""
    rows = await ask(
        f"MATCH (n:{label}) WHERE n.scope = $scope RETURN properties(n) AS props", scope=scope
    )
    return json.dumps(rows, default=str)


async def test_a_forgotten_fact_leaves_the_summary_at_once(
    memory: AsyncGraphMemory, ask: Ask
) -> None:
    """What is told no longer stands in no summary: not before the next update, nor after it."""
    await say(memory, "Dana", "lives in", "Lund")
    fact = await say(memory, "Dana", "has the code word", CANARY)
    await memory.update_communities(engine="python")
    before = await raw(ask, memory.scope, "Community")

    await memory.semantic.forget(fact.id, reason="private")
    forgotten = await raw(ask, memory.scope, "Community")
    await memory.update_communities(engine="python", rebuild=True)

    assert CANARY in before
    assert CANARY not in forgotten
    assert CANARY not in await raw(ask, memory.scope, "Community")
    found = await memory.communities()
    assert CANARY not in json.dumps([one.model_dump(mode="json") for one in found])
    assert any("Lund" in one.summary for one in found)


async def test_a_secret_fact_is_in_no_summary(memory: AsyncGraphMemory, ask: Ask) -> None:
    """A secret is not told, and one that becomes a secret leaves the summary at once."""
    await say(memory, "Dana", "lives in", "Lund")
    await say(memory, "Dana", "has the code word", CANARY)
    await memory.update_communities(engine="python")
    before = await raw(ask, memory.scope, "Community")

    await say(memory, "Dana", "has the code word", CANARY, sensitivity="secret")
    told = await raw(ask, memory.scope, "Community")
    await memory.update_communities(engine="python", rebuild=True)

    assert CANARY in before
    assert CANARY not in told
    assert CANARY not in await raw(ask, memory.scope, "Community")


async def test_a_summary_that_is_overtaken_is_not_written(
    memory: AsyncGraphMemory, ask: Ask, db: Database
) -> None:
    """Sources that were read before something was forgotten make no summary any more."""
    await say(memory, "Dana", "lives in", "Lund")
    await memory.update_communities(engine="python")
    (found,) = await memory.communities()

    await ask(
        "MATCH (c:Community {scope: $scope}) SET c.revision = c.revision + 1, c.summary = '', "
        "c.needs_summary = true",
        scope=memory.scope,
    )
    (row,) = await db.run(
        get_query("maintain/write_summaries"),
        scope=memory.scope,
        rows=[{"id": found.id, "revision": 1, "summary": "old words", "by": "local"}],
    )

    assert 0 == row["changed"]
    assert [""] == [one.summary for one in await memory.communities()]


async def test_summaries_get_a_vector(memory: AsyncGraphMemory, ask: Ask) -> None:
    """They are embedded as other nodes are, in the background."""
    await tell(memory, "Ana Bo Cy")
    await memory.update_communities(engine="python")

    await memory.flush()

    (row,) = await ask(
        "MATCH (c:Community {scope: $scope}) RETURN c.needs_vector AS due, "
        "size(c.embedding_a) AS width",
        scope=memory.scope,
    )
    assert (False, True) == (row["due"], row["width"] > 0)


async def test_a_model_is_asked_only_when_wanted(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """With summaries='llm' it writes one line a community, counted apart; unchanged ones stay."""
    with ScriptedModel(lambda _: {"summary": "friends of the harbour"}) as server:
        settings = settings_with(llm_model="scripted", llm_base_url=server.base_url)
        async with await AsyncGraphMemory.open(settings, embedder=embedder, clock=clock) as memory:
            await tell(memory, "Ana Bo Cy", "Dov Eli Fay")
            await memory.update_communities(engine="python")
            asked = len(server.chat_requests)

            first = await memory.update_communities(summaries="llm")
            again = await memory.update_communities(summaries="llm")

            told = [one.summary for one in await memory.communities()]
    assert 0 == asked
    assert (2, 2, 0) == (first.llm_summaries, first.llm_calls, first.summaries)
    assert (0, 0) == (again.llm_summaries, again.llm_calls)
    assert ["friends of the harbour"] * 2 == told


async def test_a_run_holds_its_scope_while_it_asks_a_model(
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Renewed before each few calls: else another process would take over a run that lives."""
    renewed = []
    real = Run.renew

    async def renew(run: Run) -> None:
        renewed.append(clock.now())
        await real(run)

    def answer(_: object) -> dict[str, str]:
        clock.advance(100)
        return {"summary": "friends of the harbour"}

    with ScriptedModel(answer) as server:
        settings = settings_with(llm_model="scripted", llm_base_url=server.base_url)
        async with await AsyncGraphMemory.open(settings, embedder=embedder, clock=clock) as memory:
            await tell(memory, "Ana Bo", "Dov Eli", "Gil Hal")
            monkeypatch.setattr(summaries, "_AT_ONCE", 1)
            monkeypatch.setattr(Run, "renew", renew)

            report = await memory.update_communities(engine="python", summaries="llm")

    assert 3 == report.llm_summaries
    gaps = [after - before for before, after in pairwise([*renewed, clock.now()])]
    assert timedelta(seconds=100) == max(gaps)


# Bounds and faults --------------------------------------------------------------------------


async def test_what_is_missing_is_said(memory: AsyncGraphMemory) -> None:
    """A model that is not configured, and choices that there are not, are errors."""
    with pytest.raises(ConfigError, match="GRAPHMEM_LLM_MODEL"):
        await memory.update_communities(summaries="llm")
    with pytest.raises(InputError, match="engine"):
        await memory.update_communities(engine="spark")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="limit"):
        await memory.communities(limit=-1)


@pytest.mark.parametrize("engine", ["auto", "python"])
async def test_who_may_not_drop_copies_gets_communities(
    memory: AsyncGraphMemory, monkeypatch: pytest.MonkeyPatch, engine: CommunityEngine
) -> None:
    """Where the server refuses to list them it is noted; they are not what is asked for."""
    await tell(memory, "Ana Bo Cy")

    async def refuse(*_: object) -> None:
        raise StoreError("listing is not allowed", kind="query")

    monkeypatch.setattr(rebuild, "drop_copies", refuse)

    report = await memory.update_communities(engine=engine)

    assert (1, ("gds: query: listing is not allowed",)) == (report.communities, report.errors)
    assert report.errors == (await memory.run(report.run_id)).errors


async def test_an_empty_scope_has_none(memory: AsyncGraphMemory) -> None:
    """Without names there is nothing to do, with either engine."""
    for engine in ("python", "gds"):
        report = await memory.update_communities(engine=engine)  # type: ignore[arg-type]

        assert (0, 0) == (report.terms, report.communities)
    assert [] == await memory.communities()


async def test_two_at_once_do_not_work_in_one_scope(memory: AsyncGraphMemory) -> None:
    """One of two updates at once is told that the other one works."""
    await tell(memory, "Ana Bo Cy")

    done = await asyncio.gather(
        *(memory.update_communities(engine="python", rebuild=True) for _ in range(2)),
        return_exceptions=True,
    )

    assert {True, False} == {isinstance(one, MaintenanceBusy) for one in done}


async def test_a_borrowed_driver_is_done_without_the_library(
    settings_with: Configure,
    embedder: HashedEmbedder,
    clock: FrozenClock,
    neo4j_server: ServerAddress,
) -> None:
    """How the caller's driver connects is not known, so that Python does it."""
    auth = (neo4j_server.username, neo4j_server.password)
    async with (
        AsyncGraphDatabase.driver(neo4j_server.uri, auth=auth) as driver,
        await AsyncGraphMemory.open(
            settings_with(), embedder=embedder, clock=clock, driver=driver
        ) as memory,
    ):
        await tell(memory, "Ana Bo Cy")

        report = await memory.update_communities()

        assert "python" == report.engine
        with pytest.raises(ConfigError, match="engine='python'"):
            await memory.update_communities(engine="gds")


async def test_a_key_tells_of_the_names_that_are_there(
    *, memory: AsyncGraphMemory, db: Database, scope: str, clock: FrozenClock, ask: Ask
) -> None:
    """Also where one name came back while another went, so that there are as many as before."""
    await tell(memory, "Ana Bo", "Gil Hal Ida Jon Kim Lea Mia Ned Ola Pia")
    back = await say(memory, "Ana", "knows", "Dov")
    gone = await say(memory, "Ana", "hires", "Eli")
    await memory.update_communities()
    run_id, _ = await drop(db, scope, clock, "delete", Loss(back.id, "it is of no use"))
    orphans = await memory.clean_orphans()
    await memory.update_communities()
    await memory.semantic.forget(gone.id, "said in error")
    await memory.clean_orphans()
    await memory.undo(orphans.run_id)
    await memory.undo(run_id)

    report = await memory.update_communities()

    found = await ask(
        "MATCH (:Term {scope: $scope, key: 'ana'})-[:IN_COMMUNITY]->(c:Community) "
        "RETURN c.key AS key, COLLECT { MATCH (c)<-[:IN_COMMUNITY]-(t:Term) "
        "RETURN t.key ORDER BY t.key } AS names",
        scope=scope,
    )
    assert not report.is_rebuild
    assert [{"key": key_of(["ana", "bo", "dov"]), "names": ["ana", "bo", "dov"]}] == found
