"""The write of a turn on a real server: what is in the graph afterwards, and only once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.errors import StoreError
from graphmem.graph.change import FactChange, change_facts
from graphmem.graph.store import texts_to_embed
from graphmem.graph.writing import EmbeddedTexts
from graphmem.models import ExtractionState, FactDraft, Mention
from tests.integration.conftest import Ask
from tests.integration.graph.conftest import (
    AT,
    EMBEDDER_ID,
    captured,
    embedded,
    put,
    triple,
)

GRAPH = """
MATCH (n {scope: $scope}) WHERE NOT n:Session AND NOT n:Message AND NOT n:Decision
OPTIONAL MATCH (n)-[r]->(m) WHERE NOT m:Message
WITH n, r, m ORDER BY type(r), m.id
RETURN labels(n)[0] AS label, n {.*, embedding_a: size(n.embedding_a)} AS node,
       collect([type(r), r.weight, m.id]) AS links
ORDER BY label, node.id
"""


async def facts_of(ask: Ask, scope: str) -> list[dict[str, Any]]:
    """Return the live facts of a scope."""
    rows = await ask(
        "MATCH (f:Fact {scope: $scope, status: 'active'}) RETURN f {.*} AS f ORDER BY f.text",
        scope=scope,
    )
    return [row["f"] for row in rows]


async def test_a_turn_is_written_in_one_transaction(db: Database, scope: str, ask: Ask) -> None:
    """With its capture that makes two, and one read of what has a vector already."""
    before = db.count.copy()

    item = await captured(
        db,
        scope,
        triple("Ana", "lives in", "Lyon"),
        mentions=(Mention(name="bakery", weight=0.5),),
        tags=("home",),
    )
    (counts,) = await put(db, scope, item, vectors=await embedded(db, scope, [item]))

    asked = db.count.since(before)
    assert (asked.writes, asked.reads) == (2, 1)
    assert (counts.is_written, counts.facts, counts.mentions) == (True, 1, 3)
    (row,) = await ask(
        """
        MATCH (turn:Turn {scope: $scope})-[:STATES]->(fact:Fact)
        MATCH (fact)-[:SUBJECT]->(subject:Term), (fact)-[:OBJECT]->(object:Term)
        RETURN turn {.*} AS turn, fact {.*} AS fact, subject.name AS subject, object.name AS object,
          COLLECT { MATCH (fact)-[:TAGGED]->(t:Tag) RETURN t.key ORDER BY t.key } AS tags,
          COLLECT { MATCH (turn)-[m:MENTIONS]->(t:Term) RETURN [t.key, m.weight] ORDER BY t.key }
            AS mentions,
          COLLECT { MATCH (turn)-[:SPOKEN_BY]->(a:Agent) RETURN a.id ORDER BY a.id } AS agents
        """,
        scope=scope,
    )
    assert (row["subject"], row["object"]) == ("Ana", "Lyon")
    assert row["tags"] == ["ana", "home", "lyon"]
    assert row["mentions"] == [["ana", 1.0], ["bakery", 0.5], ["lyon", 1.0]]
    assert row["agents"] == ["ana", "bot"]
    turn, fact = row["turn"], row["fact"]
    assert (turn["extraction"], turn["summary"]) == ("given", "Summary of 1.")
    assert "summari" in turn["search_text"]
    assert (turn["embedder_id"], turn["needs_vector"]) == (EMBEDDER_ID, False)
    assert len(turn["embedding_a"]) == 384
    assert not {"write_id", "given", "taken_by", "due_at"} & turn.keys()
    assert (fact["predicate"], fact["origin"], fact["validated_count"]) == ("lives in", "given", 1)
    assert fact["valid_from"].to_native() == AT
    assert fact["valid_to"].year == 9999
    assert (fact["embedder_id"], fact["needs_vector"]) == (EMBEDDER_ID, False)


async def test_the_same_triple_in_one_reply_and_again_is_one_fact(
    db: Database, scope: str, ask: Ask
) -> None:
    """Written twice it counts once; stated by another turn it counts twice."""
    said = (triple("Ada", "uses", "Vim"), triple("ada", "USES", "vim "))
    item = await captured(db, scope, *said)
    await put(db, scope, item)
    once = await ask(GRAPH, scope=scope)

    await put(db, scope, item)

    assert once == await ask(GRAPH, scope=scope)
    assert [("Ada uses Vim", 1)] == [
        (f["text"], f["validated_count"]) for f in await facts_of(ask, scope)
    ]
    other = await captured(db, scope, said[1], key="2", at=AT - timedelta(days=3))
    await put(db, scope, other)
    (fact,) = await facts_of(ask, scope)
    assert fact["validated_count"] == 2
    assert fact["valid_from"].to_native() == AT - timedelta(days=3)


async def test_known_names_and_facts_are_not_embedded_again(db: Database, scope: str) -> None:
    """Only the turn itself is new."""
    first = await captured(db, scope, triple("Ada", "uses", "Vim"))
    await put(db, scope, first, vectors=await embedded(db, scope, [first]))
    again = await captured(db, scope, triple("Ada", "uses", "Vim"), key="2")

    texts = await texts_to_embed(db, scope, [again], embedder_id=EMBEDDER_ID)
    texts_of_another = await texts_to_embed(db, scope, [again], embedder_id="other:x@384")

    assert ["Summary of 2."] == texts
    assert ["Summary of 2.", "Ada", "Vim", "Ada uses Vim"] == texts_of_another


async def test_without_an_embedder_the_nodes_wait_for_a_vector(
    db: Database, scope: str, ask: Ask
) -> None:
    """Nothing else is missing."""
    item = await captured(db, scope, triple("Ada", "uses", "Vim"))

    (counts,) = await put(db, scope, item)

    assert counts.facts == 1
    rows = await ask(
        "MATCH (n:Turn|Fact|Term|Tag {scope: $scope, needs_vector: true}) RETURN n.id", scope=scope
    )
    assert len(rows) == 6


async def test_one_name_is_one_term_whatever_its_vectors(
    db: Database, scope: str, ask: Ask
) -> None:
    """The key decides; the name is shown as it was first written."""
    for number, name in enumerate(("KVLT", "kvlt", "Kvlt", "ＫＶＬＴ")):  # noqa: RUF001 - full width
        item = await captured(db, scope, mentions=(Mention(name=name),), key=str(number))
        await put(db, scope, item, vectors=await embedded(db, scope, [item]))

    rows = await ask(
        "MATCH (t:Term {scope: $scope})<-[m:MENTIONS]-() RETURN t.name AS name, count(m) AS n",
        scope=scope,
    )

    assert [{"name": "KVLT", "n": 4}] == rows


async def test_predicates_are_data(db: Database, scope: str, ask: Ask) -> None:
    """Any text is one, comes back to the letter, and makes no relationship type of its own."""
    odd = ["step-parent of", "分为...几类", "règle_les-litiges", "24/7 on call", "has %", "MATCH"]
    similar = ["owns", "owns?", "owns (formerly)"]
    item = await captured(db, scope, triple("a", "is", "b"))
    await put(db, scope, item)
    schema = (
        "CALL db.relationshipTypes() YIELD relationshipType WITH count(*) AS types "
        "CALL db.labels() YIELD label RETURN types, count(*) AS labels"
    )
    before = await ask(schema)
    many = [triple("Kim", f"relation {n}", "boat") for n in range(500)]

    item = await captured(
        db, scope, *(triple("Kim", p, "boat") for p in odd + similar), *many, key="2"
    )
    (counts,) = await put(db, scope, item)

    assert counts.facts == 509
    stored = {fact["predicate"] for fact in await facts_of(ask, scope)}
    assert stored >= {*odd, *similar}
    assert before == await ask(schema)


async def test_a_sentence_alone_is_a_fact(db: Database, scope: str, ask: Ask) -> None:
    """It has no Terms of its own, and a Tag that leads to it."""
    item = await captured(
        db, scope, FactDraft(text="Ana likes kilns."), mentions=(Mention(name="Ana"),)
    )

    await put(db, scope, item)

    rows = await ask(
        """
        MATCH (f:Fact {scope: $scope})
        RETURN f.text AS text, f.subject AS subject,
          COUNT { (f)-[:SUBJECT|OBJECT]->() } AS ends,
          COLLECT { MATCH (f)-[:TAGGED]->(t:Tag) RETURN t.label } AS tags
        """,
        scope=scope,
    )
    assert [{"text": "Ana likes kilns.", "subject": "", "ends": 0, "tags": ["Ana"]}] == rows


async def test_a_better_extraction_replaces_a_local_one_whole(
    db: Database, scope: str, ask: Ask
) -> None:
    """The end state is that of a scope in which the local one never was."""
    local = await captured(
        db, scope, mentions=(Mention(name="noise"),), state=ExtractionState.LOCAL
    )
    await put(db, scope, local)
    done = await captured(db, scope, triple("Ada", "uses", "Vim"), state=ExtractionState.DONE)

    (counts,) = await put(db, scope, done)

    assert (counts.is_written, counts.facts) == (True, 1)
    rows = await ask(
        "MATCH (t:Turn {scope: $scope})-[:MENTIONS]->(term:Term) RETURN term.key AS key, "
        "t.extraction AS state, t.attempts AS attempts ORDER BY key",
        scope=scope,
    )
    assert rows == [
        {"key": "ada", "state": "done", "attempts": 2},
        {"key": "vim", "state": "done", "attempts": 2},
    ]


async def test_the_local_extractor_never_replaces_what_a_model_said(
    db: Database, scope: str, ask: Ask
) -> None:
    """A worker that comes late changes nothing, not even by halves."""
    done = await captured(db, scope, triple("Ada", "uses", "Vim"), state=ExtractionState.DONE)
    await put(db, scope, done)
    before = await ask(
        "MATCH (n:Turn|Fact {scope: $scope}) RETURN n {.*} AS n ORDER BY n.id", scope=scope
    )
    late = await captured(db, scope, triple("Ada", "owns", "boat"), state=ExtractionState.LOCAL)

    (counts,) = await put(db, scope, late)

    assert not counts.is_written
    assert before == await ask(
        "MATCH (n:Turn|Fact {scope: $scope}) RETURN n {.*} AS n ORDER BY n.id", scope=scope
    )


async def test_a_fact_that_no_turn_states_any_more_is_withdrawn_and_can_come_back(
    db: Database, scope: str, ask: Ask
) -> None:
    """One that another turn states stays."""
    shared, own = triple("Ada", "uses", "Vim"), triple("Ada", "owns", "boat")
    other = await captured(db, scope, shared, key="other")
    first = await captured(db, scope, shared, own)
    await put(db, scope, other, first)

    await put(db, scope, await captured(db, scope))
    withdrawn = await facts_of(ask, scope)
    await put(db, scope, await captured(db, scope, own))
    back = await facts_of(ask, scope)

    assert [("Ada uses Vim", 1)] == [(f["text"], f["validated_count"]) for f in withdrawn]
    assert [("Ada owns boat", 1), ("Ada uses Vim", 1)] == [
        (f["text"], f["validated_count"]) for f in back
    ]
    assert all("retired_at" not in fact for fact in back)


async def test_what_was_forgotten_does_not_go_on_when_its_successor_is_withdrawn(
    db: Database, scope: str, ask: Ask
) -> None:
    """Only what the successor alone had ended is told again."""
    old = await captured(db, scope, triple("Ada", "lives in", "Bergen"), key="old", at=AT)
    later = AT + timedelta(days=9)
    new = await captured(db, scope, triple("Ada", "lives in", "Tromso"), at=later)
    await put(db, scope, old, new)
    (row,) = await ask(
        "MATCH (f:Fact {scope: $scope, object: 'Bergen'}) RETURN f.id AS id", scope=scope
    )
    await change_facts(db, scope, [FactChange(id=row["id"], status="forgotten")], now=later)

    await put(db, scope, await captured(db, scope, at=later))

    assert [{"status": "forgotten"}] * 2 == await ask(
        "MATCH (f:Fact {scope: $scope}) RETURN f.status AS status", scope=scope
    )


async def test_a_fault_at_the_last_step_leaves_nothing_behind(
    db: Database, scope: str, ask: Ask
) -> None:
    """The turn is pending as before, and the repeated write ends as a clean one does."""
    item = await captured(db, scope, triple("Ada", "uses", "Vim"))
    before = await ask(GRAPH, scope=scope)
    good = await embedded(db, scope, [item])
    broken: Any = {**good.vectors, item.embedding_text: "not a vector"}

    with pytest.raises(StoreError):
        await put(db, scope, item, vectors=EmbeddedTexts("a", EMBEDDER_ID, broken))

    assert before == await ask(GRAPH, scope=scope)
    (counts,) = await put(db, scope, item, vectors=good)
    assert counts.facts == 1


async def test_a_vector_that_is_missing_takes_nobody_else_with_it(
    db: Database, scope: str, ask: Ask
) -> None:
    """The node without one waits for it."""
    item = await captured(db, scope, triple("Ada", "uses", "Vim"))
    good = await embedded(db, scope, [item])
    some = {text: vector for text, vector in good.vectors.items() if text != "Vim"}

    await put(db, scope, item, vectors=EmbeddedTexts("a", EMBEDDER_ID, some))

    rows = await ask(
        "MATCH (n:Turn|Fact|Term|Tag {scope: $scope}) WHERE n.needs_vector "
        "RETURN labels(n)[0] AS label, n.key AS key ORDER BY label",
        scope=scope,
    )
    assert [{"label": "Tag", "key": "vim"}, {"label": "Term", "key": "vim"}] == rows


async def test_two_scopes_share_nothing(db: Database, scope: str, ask: Ask) -> None:
    """The same names and statements are nodes of their own."""
    other = f"{scope}/other"
    for place in (scope, other):
        await put(db, place, await captured(db, place, triple("Wim", "keeps", "bees")))

    crossing = await ask(
        "MATCH (a {scope: $scope})-[r]-(b) WHERE b.scope <> $scope RETURN count(r) AS n",
        scope=scope,
    )
    rows = await ask("MATCH (n:Fact {scope: $scope}) RETURN count(n) AS n", scope=other)

    assert [{"n": 0}] == crossing
    assert [{"n": 1}] == rows


async def test_a_batch_ends_as_its_turns_one_by_one_do(db: Database, scope: str, ask: Ask) -> None:
    """But for the ids, which hold the scope."""
    other = f"{scope}/other"
    facts = [triple("Ada", "uses", "Vim"), triple("Vim", "is", "old"), triple("ada", "uses", "vim")]
    batch = [await captured(db, scope, fact, key=str(n)) for n, fact in enumerate(facts)]
    single = [await captured(db, other, fact, key=str(n)) for n, fact in enumerate(facts)]
    shape = """
        MATCH (t:Turn {scope: $scope})-[:STATES]->(f:Fact)
        RETURN t.turn_key AS turn, f.text AS fact, f.validated_count AS n,
          COLLECT { MATCH (t)-[:MENTIONS]->(e:Term) RETURN e.name ORDER BY e.name } AS terms
        ORDER BY turn
        """

    await put(db, scope, *batch)
    for item in single:
        await put(db, other, item)

    assert await ask(shape, scope=scope) == await ask(shape, scope=other)


async def test_a_turn_that_is_gone_is_told_as_not_written(db: Database, scope: str) -> None:
    """It was erased while its extraction was under way."""
    here = await captured(db, scope, triple("a", "b", "c"))

    (counts,) = await put(db, f"{scope}/elsewhere", here)

    assert not counts.is_written
