"""Names that are merged and parted on a real server: nothing is lost, and every way leads back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.errors import InputError
from graphmem.graph.plan import GraphItem
from graphmem.graph.terms import list_terms, merge_terms, split_term, unmerge_term
from graphmem.models import Mention
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import AT, captured, captured_all, put, triple

NODES = """
MATCH (n:Session|Message|Turn|Fact|Term|Tag|Agent|Decision {scope: $scope})
RETURN labels(n) AS labels, properties(n) AS properties ORDER BY labels(n)[0], n.id
"""
LINKS = """
MATCH (n:Session|Turn|Fact|Term|Decision {scope: $scope})-[r]->(m)
RETURN n.id AS one, type(r) AS kind, properties(r) AS properties, m.id AS other
"""
ENDS = """
CALL () {
  MATCH (t:Turn {scope: $scope})-[m:MENTIONS]->(x:Term)
  RETURN t.turn_key AS of, 'MENTIONS' AS kind, x.key AS key, m.via AS via
  UNION ALL
  MATCH (f:Fact {scope: $scope})-[e:SUBJECT|OBJECT]->(x:Term)
  RETURN f.text AS of, type(e) AS kind, x.key AS key, e.via AS via
  UNION ALL
  MATCH (f:Fact {scope: $scope})
  RETURN f.text AS of, 'keyed subject' AS kind, f.subject_key AS key, f.subject_via AS via
  UNION ALL
  MATCH (f:Fact {scope: $scope})
  RETURN f.text AS of, 'keyed object' AS kind, f.object_key AS key, f.object_via AS via
}
RETURN of, kind, key, via
"""


async def merge(db: Database, scope: str, name: str, alias: str, **more: Any) -> None:
    """Merge two names."""
    await merge_terms(db, scope, name, alias, now=AT, **more)


async def everything(ask: Ask, scope: str) -> tuple[list[Any], list[str]]:
    """Return all that is in a scope."""
    return await ask(NODES, scope=scope), sorted(map(repr, await ask(LINKS, scope=scope)))


async def ends(ask: Ask, scope: str) -> list[tuple[str, ...]]:
    """Return which Term each mention and each fact is of, and by which name it was called."""
    rows = await ask(ENDS, scope=scope)
    return sorted((row["of"], row["kind"], row["key"], row["via"] or "") for row in rows)


def mentions(*names: str) -> tuple[Mention, ...]:
    """Return mentions of names, each with another weight."""
    return tuple(Mention(name=name, weight=1.0 - n / 10) for n, name in enumerate(names))


async def story(db: Database, scope: str) -> list[GraphItem]:
    """Return turns that speak of one by three names, by two in one turn, and of another one."""
    return [
        await captured(db, scope, triple("Ana", "works at", "Ember House"), key="1"),
        await captured(
            db, scope, triple("Annie", "owns", "a kiln"), key="2", mentions=mentions("Ana")
        ),
        await captured(db, scope, triple("Ben", "knows", "Annie"), key="3"),
        await captured(db, scope, triple("Anneke", "knows", "Annie"), key="4"),
        await captured(db, scope, key="5", mentions=mentions("Ben", "Anneke")),
    ]


async def test_a_merge_moves_what_was_said_and_what_will_be(
    db: Database, scope: str, ask: Ask
) -> None:
    """Mentions, both ends of facts and their keys; each keeps the name that was said."""
    *before, after = await story(db, scope)
    await put(db, scope, *before)

    done = await merge_terms(db, scope, "Ana", " ANNIE ", reason="nickname", now=AT)
    await put(db, scope, after)
    late = await captured(db, scope, triple("Annie", "likes", "tea"), key="6")
    await put(db, scope, late)

    told = await ends(ask, scope)
    assert ("Annie", "nickname", 3, 3) == (done.alias, done.reason, done.mentions, done.facts)
    assert ("Annie",) == done.term.aliases
    assert [] == [row for row in told if row[2] == "annie"]
    assert {
        ("2", "MENTIONS", "ana", ""),
        ("2", "MENTIONS", "ana", "annie"),
        ("Annie owns a kiln", "SUBJECT", "ana", "annie"),
        ("Annie owns a kiln", "keyed subject", "ana", "annie"),
        ("Ben knows Annie", "OBJECT", "ana", "annie"),
        ("Ben knows Annie", "keyed object", "ana", "annie"),
        ("Annie likes tea", "SUBJECT", "ana", "annie"),
        ("Annie likes tea", "keyed subject", "ana", "annie"),
        ("6", "MENTIONS", "ana", "annie"),
    } <= set(told)
    (record,) = await ask(
        "MATCH (x:Term {scope: $scope})-[r:MERGED_INTO]->(y:Term) "
        "RETURN x.name AS alias, x.status AS status, y.name AS name, r.at AS at, r.reason AS why",
        scope=scope,
    )
    assert ("Annie", "deprecated", "Ana", "nickname") == (
        record["alias"],
        record["status"],
        record["name"],
        record["why"],
    )
    assert AT == record["at"].to_native()


async def test_unmerging_gives_back_exactly_what_was(db: Database, scope: str, ask: Ask) -> None:
    """Every node and link is as before, whichever way a chain of merges is taken apart."""
    await put(db, scope, *await story(db, scope))
    apart = await everything(ask, scope)
    await merge(db, scope, "Annie", "Anneke")
    one_merged = await everything(ask, scope)
    await merge(db, scope, "Ana", "Annie")
    both_merged = await everything(ask, scope)

    await unmerge_term(db, scope, "Annie", now=AT)
    back_to_one = await everything(ask, scope)
    await merge(db, scope, "Ana", "Annie")
    again = await everything(ask, scope)
    await unmerge_term(db, scope, "Anneke", now=AT)
    await unmerge_term(db, scope, "Annie", now=AT)

    assert both_merged == again
    assert one_merged == back_to_one
    assert apart == await everything(ask, scope)


async def test_what_was_said_of_an_alias_goes_back_to_it(
    db: Database, scope: str, ask: Ask
) -> None:
    """Also what was written while it was one: as if there never had been a merge."""
    plain = f"{scope}/plain"
    *before, after = await story(db, scope)
    await put(db, scope, *before)
    await put(db, plain, *await story(db, plain))

    await merge(db, scope, "Annie", "Anneke")
    await merge(db, scope, "Ana", "Annie")
    await put(db, scope, after)
    # Read again while it is an alias.
    await put(db, scope, before[1])
    await unmerge_term(db, scope, "Annie", now=AT)
    await unmerge_term(db, scope, "Anneke", now=AT)

    assert await ends(ask, plain) == await ends(ask, scope)


async def test_what_an_alias_alone_states_by_now_does_not_stay_at_the_name(
    db: Database, scope: str, ask: Ask
) -> None:
    """The turn that said it by the name was read again and no longer does."""
    await put(db, scope, await captured(db, scope, triple("Ana", "lives in", "Lyon"), key="1"))
    await put(db, scope, await captured(db, scope, triple("Annie", "owns", "a kiln"), key="2"))
    await merge(db, scope, "Ana", "Annie")
    await put(db, scope, await captured(db, scope, triple("Annie", "lives in", "Lyon"), key="3"))
    await put(db, scope, await captured(db, scope, key="1"))

    await unmerge_term(db, scope, "Annie", now=AT)

    rows = await ask(
        "MATCH (f:Fact {scope: $scope, object: 'Lyon'}) RETURN f.subject AS of, "
        "f.status AS status, f.is_withdrawn AS is_withdrawn, f.validated_count AS stated "
        "ORDER BY of",
        scope=scope,
    )
    assert [("Ana", "forgotten", True, 0), ("Annie", "active", False, 1)] == [
        tuple(row.values()) for row in rows
    ]


async def test_a_merge_stays_in_its_scope(db: Database, scope: str, ask: Ask) -> None:
    """The same names of another owner are left alone."""
    other = f"{scope}/other"
    for place in (scope, other):
        await put(db, place, *await story(db, place))
    untouched = await everything(ask, other)

    await merge(db, scope, "Ana", "Annie")

    assert untouched == await everything(ask, other)
    with pytest.raises(InputError, match="no alias"):
        await unmerge_term(db, other, "Annie", now=AT)


@pytest.fixture
async def writers(store_settings: Settings, db: Database) -> AsyncIterator[list[Database]]:
    """Eight stores, each with connections of its own."""
    async with AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(await Database.open(store_settings)) for _ in range(7)
        ]
        yield [db, *others]


async def test_writers_and_merges_at_once_lose_nothing(writers: list[Database], ask: Ask) -> None:
    """Whoever comes first: afterwards each link is where its name leads."""
    db = writers[0]
    names = ["Ana", "Annie", "Anneke"]
    for _ in range(4):
        scope, plain = f"test/{uuid4().hex}", f"test/{uuid4().hex}"
        told = [(str(n), triple(names[n % 3], "owns", f"kiln {n}")) for n in range(24)]
        items = await captured_all(db, scope, told)
        await put(db, scope, *items[:3])
        await put(db, plain, *await captured_all(db, plain, told))

        async def writes(writer: Database, mine: list[GraphItem], place: str = scope) -> None:
            for item in mine:
                await put(writer, place, item)

        async def merges(place: str = scope) -> None:
            await merge(db, place, "Annie", "Anneke")
            await merge(db, place, "Ana", "Annie")
            await unmerge_term(db, place, "Annie", now=AT)
            await merge(db, place, "Ana", "Annie")

        await asyncio.gather(
            merges(), *(writes(writer, items[n::8]) for n, writer in enumerate(writers))
        )
        astray = [row for row in await ends(ask, scope) if row[2] in ("annie", "anneke")]
        await unmerge_term(db, scope, "Annie", now=AT)
        await unmerge_term(db, scope, "Anneke", now=AT)

        assert [] == astray
        assert await ends(ask, plain) == await ends(ask, scope)


async def test_two_who_merge_two_names_into_each_other_leave_one_merge(
    writers: list[Database], ask: Ask
) -> None:
    """One comes first, the other one is told; there is no circle."""
    for _ in range(5):
        scope = f"test/{uuid4().hex}"
        await put(writers[0], scope, *await story(writers[0], scope))

        done = await asyncio.gather(
            merge(writers[0], scope, "Ana", "Annie"),
            merge(writers[1], scope, "Annie", "Ana"),
            return_exceptions=True,
        )

        assert [InputError] == [type(one) for one in done if one is not None]
        (row,) = await ask(
            "MATCH (:Term {scope: $scope})-[r:MERGED_INTO]->() RETURN count(r) AS n", scope=scope
        )
        assert 1 == row["n"]


class Plain:
    """What merging means, without a store: each name leads to one that stands for it."""

    def __init__(self, names: list[str]) -> None:
        self.into: dict[str, str | None] = dict.fromkeys(names)
        self.told: list[tuple[str, str, str]] = []

    def root(self, name: str) -> str:
        """Return what stands for a name."""
        into = self.into.get(name)
        return name if into is None else self.root(into)

    def merge(self, name: str, alias: str) -> bool:
        """Merge, and tell whether that can be."""
        can = name != alias and self.into[name] is None and self.into[alias] is None
        if can:
            self.into[alias] = name
        return can

    def unmerge(self, alias: str) -> bool:
        """Unmerge, and tell whether that can be."""
        can = self.into[alias] is not None
        self.into[alias] = None
        return can

    def ends(self) -> list[tuple[str, ...]]:
        """Return what `ends` should."""
        rows = []
        for key, subject, obj in self.told:
            text = f"{subject} owns {obj}"
            for of, kind, said in (
                (key, "MENTIONS", subject),
                (key, "MENTIONS", obj),
                (text, "SUBJECT", subject),
                (text, "OBJECT", obj),
                (text, "keyed subject", subject),
                (text, "keyed object", obj),
            ):
                at = self.root(said)
                rows.append((of, kind, at, "" if at == said else said))
        return sorted(rows)


@pytest.mark.parametrize("seed", range(4))
async def test_any_order_of_merges_is_what_a_plain_model_says(
    db: Database, scope: str, ask: Ask, seed: int
) -> None:
    """Merges, unmerges and turns in random order, of six names."""
    chance = random.Random(seed)
    names = [f"name{letter}" for letter in "abcdef"]
    plain = Plain(names)
    facts = [(str(n), chance.choice(names), f"thing{n}") for n in range(14)]
    # Each name is there.
    facts += [(name, name, f"thing {name}") for name in names]
    items = await captured_all(db, scope, [(key, triple(s, "owns", o)) for key, s, o in facts])
    await put(db, scope, *items[14:])
    plain.told = facts[14:]
    waiting = list(zip(facts[:14], items[:14], strict=True))

    for _ in range(40):
        action = chance.choice(["merge", "merge", "unmerge", "write"])
        one, other = chance.choice(names), chance.choice(names)
        if action == "write" and waiting:
            fact, item = waiting.pop()
            await put(db, scope, item)
            plain.told.append(fact)
        elif action == "merge":
            if plain.merge(one, other):
                await merge(db, scope, one, other)
            else:
                with pytest.raises(InputError):
                    await merge(db, scope, one, other)
        elif action == "unmerge":
            if plain.unmerge(one):
                await unmerge_term(db, scope, one, now=AT)
            else:
                with pytest.raises(InputError, match="no alias"):
                    await unmerge_term(db, scope, one, now=AT)

        assert plain.ends() == await ends(ask, scope)


async def test_a_merge_that_cannot_be_says_what_to_do(db: Database, scope: str, ask: Ask) -> None:
    """Nothing is written then."""
    await put(
        db, scope, await captured(db, scope, mentions=mentions("Ana", "Annie", "Ben", "Anna"))
    )
    await merge(db, scope, "Ana", "Annie")
    before = await everything(ask, scope)

    for name, alias, told in (
        ("Ana", "ana ", "one Term already"),
        ("Ana", "Zoe", "no Term 'Zoe' in scope .*terms"),
        ("Zoe", "Ana", "no Term 'Zoe'"),
        ("Annie", "Ana", r"unmerge_term\('Annie'\) first"),
        ("Annie", "Ben", "merge into 'Ana'"),
        ("Ben", "Annie", r"alias of 'Ana' already: unmerge_term\('Annie'\)"),
        ("", "Ana", "name is empty"),
        ("x" * 501, "Ana", "501 characters"),
    ):
        with pytest.raises(InputError, match=told):
            await merge(db, scope, name, alias)
    with pytest.raises(InputError, match="reason has 513"):
        await merge(db, scope, "Ana", "Ben", reason="x" * 513)

    assert before == await everything(ask, scope)


async def test_near_equal_identifiers_are_merged_on_purpose_only(db: Database, scope: str) -> None:
    """INV-1041 is not INV-1042, unless the caller insists."""
    item = await captured(db, scope, mentions=mentions("INV-1041", "INV-1042"))
    await put(db, scope, item)

    with pytest.raises(InputError, match="force=True"):
        await merge(db, scope, "INV-1041", "INV-1042")
    await merge(db, scope, "INV-1041", "INV-1042", force=True)

    assert [("INV-1041", ("INV-1042",))] == [
        (term.name, term.aliases) for term in await list_terms(db, scope, limit=5)
    ]


async def test_a_chain_ends_where_writers_would_no_longer_follow(
    db: Database, scope: str, ask: Ask
) -> None:
    """Ten merges one after the other are followed; an eleventh is refused."""
    names = [f"name{letter}" for letter in "abcdefghijkl"]
    await put(db, scope, await captured(db, scope, mentions=mentions(*names[:9])))
    await put(db, scope, await captured(db, scope, key="2", mentions=mentions(*names[9:])))
    for alias, name in pairwise(names[:11]):
        await merge(db, scope, name, alias)

    with pytest.raises(InputError, match="10 times one after the other"):
        await merge(db, scope, names[11], names[10])
    await put(db, scope, await captured(db, scope, key="3", mentions=mentions(names[0])))

    assert ("3", "MENTIONS", names[10], names[0]) in await ends(ask, scope)


async def test_two_of_one_name_are_told_apart(db: Database, scope: str, ask: Ask) -> None:
    """What some turns alone say goes to the qualified name; what others say too stays."""
    baker = await captured(
        db, scope, triple("Ana", "bakes", "bread"), triple("Ana", "lives in", "Lyon"), key="1"
    )
    pilot = await captured(
        db, scope, triple("Ana", "flies", "planes"), triple("Ana", "lives in", "Lyon"), key="2"
    )
    await put(db, scope, baker)
    await put(db, scope, pilot)

    done = await split_term(
        db, scope, "Ana", qualifier="baker", turn_ids=[baker.turn.id], language="english", now=AT
    )

    assert ("Ana (baker)", "baker", 1, 1) == (
        done.term.name,
        done.term.qualifier,
        done.term.mentions,
        done.term.facts,
    )
    assert ("Ana", "", 1, 2) == (
        done.rest.name,
        done.rest.qualifier,
        done.rest.mentions,
        done.rest.facts,
    )
    told = await ends(ask, scope)
    assert ("Ana bakes bread", "SUBJECT", "ana (baker)", "") in told
    assert ("Ana bakes bread", "keyed subject", "ana (baker)", "") in told
    assert ("Ana lives in Lyon", "SUBJECT", "ana", "") in told
    (fact,) = await ask(
        "MATCH (f:Fact {scope: $scope, id: $id}) RETURN f.subject AS subject, f.text AS text",
        scope=scope,
        id=done.fact_ids[0],
    )
    assert {"subject": "Ana (baker)", "text": "Ana bakes bread"} == fact


async def test_the_same_words_of_the_other_one_are_another_fact(
    db: Database, scope: str, ask: Ask
) -> None:
    """Told apart, they are not joined again by what they have in common."""
    first = await captured(db, scope, triple("Ana", "likes", "rye bread"), key="1")
    await put(db, scope, first)
    await split_term(
        db, scope, "Ana", qualifier="baker", turn_ids=[first.turn.id], language="english", now=AT
    )

    await put(db, scope, await captured(db, scope, triple("Ana", "likes", "rye bread"), key="2"))
    await put(
        db, scope, await captured(db, scope, triple("Ana (baker)", "likes", "rye bread"), key="3")
    )

    rows = await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.subject_key AS key, f.validated_count AS stated "
        "ORDER BY key",
        scope=scope,
    )
    assert [{"key": "ana", "stated": 1}, {"key": "ana (baker)", "stated": 2}] == rows


async def test_a_split_that_cannot_be_says_what_to_do(db: Database, scope: str, ask: Ask) -> None:
    """A turn that speaks of somebody else, a name that is no bare one; nothing is written."""
    item = await captured(db, scope, mentions=mentions("Ana", "Annie", "Ben (pilot)"))
    other = await captured(db, scope, key="2", mentions=mentions("Zoe"))
    await put(db, scope, item)
    await put(db, scope, other)
    await merge(db, scope, "Ana", "Annie")
    before = await everything(ask, scope)

    for name, qualifier, turn_ids, told in (
        ("Ana", "baker", [other.turn.id], "does not speak of 'Ana'"),
        ("Ana", "baker", [], "names no turn"),
        ("Ana", "the (good) baker", [item.turn.id], "no brackets"),
        ("Ana", " ", [item.turn.id], "qualifier is empty"),
        ("Annie", "baker", [item.turn.id], "alias of 'Ana': split that one"),
        ("Ben (pilot)", "baker", [item.turn.id], "told apart by 'pilot' already"),
        ("Xaver", "baker", [item.turn.id], "no Term 'Xaver'"),
    ):
        with pytest.raises(InputError, match=told):
            await split_term(
                db, scope, name, qualifier=qualifier, turn_ids=turn_ids, language="english", now=AT
            )

    assert before == await everything(ask, scope)


async def test_a_qualifier_is_read_off_a_name(db: Database, scope: str) -> None:
    """Both stand beside each other, and each says what it is."""
    item = await captured(db, scope, mentions=mentions("Maya (sister)", "Maya (accounts)", "C++"))

    await put(db, scope, item)

    found = {term.name: term.qualifier for term in await list_terms(db, scope, limit=9)}
    assert {"Maya (sister)": "sister", "Maya (accounts)": "accounts", "C++": ""} == found
