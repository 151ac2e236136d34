"""The plan of a write: one node a name, one fact a statement, tags never none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.capture.intake import draft_messages, draft_turn
from graphmem.clock import OPEN_TO
from graphmem.graph.plan import FactPlan, GraphItem, WritePlan, fact_hash, plan_write
from graphmem.models import Extraction, ExtractionState, FactDraft, Mention

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def triple(subject: str, predicate: str, obj: str, **more) -> FactDraft:
    """Return a triple as the extract stage makes it."""
    text = f"{subject} {predicate} {obj}"
    return FactDraft(text=text, subject=subject, predicate=predicate, object=obj, **more)


def item(*facts: FactDraft, key: str = "1", at: datetime = AT, **more) -> GraphItem:
    """Return a turn with what was learned from it."""
    turn = draft_turn("hello", scope="s", now=at, turn_key=key, agent_id=more.pop("agent", None))
    return GraphItem(turn, Extraction(summary="x", facts=facts, **more))


def only_fact(plan: WritePlan) -> FactPlan:
    """Return the one fact of a plan."""
    (fact,) = plan.facts
    return fact


def test_the_same_triple_in_other_letters_is_one_fact() -> None:
    """Case and blanks do not count."""
    plan = plan_write(
        [
            item(
                triple("Ada", "uses", "Vim"),
                triple("ada", "USES", "vim "),
                triple("Ada", "uses", "Vim"),
            )
        ],
    )

    assert only_fact(plan).draft.text == "Ada uses Vim"
    assert [("ada", "Ada"), ("vim", "Vim")] == [(t.key, t.name) for t in plan.terms]
    assert (("ada", 1.0), ("vim", 1.0)) == plan.turns[0].mentions


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (triple("a", "owns", "b"), triple("a", "owns?", "b")),
        (triple("a", "owns", "b"), triple("a", "owns (formerly)", "b")),
        (triple("a b", "c", "d"), triple("a", "b c", "d")),
        (triple("C", "is", "x"), triple("C++", "is", "x")),
        (triple("C#", "is", "x"), triple("C++", "is", "x")),
        (triple("a", "owns", "b"), triple("b", "owns", "a")),
        (FactDraft(text="Ada owns a boat."), FactDraft(text="Ada owns a boat")),
    ],
)
def test_statements_that_differ_are_two_facts(one: FactDraft, other: FactDraft) -> None:
    """Nothing of a predicate or a name is folded away but case, blanks and Unicode forms."""
    assert fact_hash(one) != fact_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (triple("Café", "is", "x"), triple("Cafe\u0301", "is", "x")),
        (triple("\uff2e\uff45\uff4f\uff14\uff4a", "is", "x"), triple("Neo4j", "is", "x")),
        (triple("straße", "is", "x"), triple("STRASSE", "is", "x")),
        (FactDraft(text="Ada  owns a boat."), FactDraft(text=" ada owns a BOAT. ")),
    ],
)
def test_statements_that_differ_in_writing_only_are_one_fact(
    one: FactDraft, other: FactDraft
) -> None:
    """The ends of a triple are the same where their Terms are the same."""
    assert fact_hash(one) == fact_hash(other)


def test_a_triple_is_told_by_its_parts_whatever_its_sentence() -> None:
    """Two wordings of one given triple are one fact; the first wording is shown."""
    first = FactDraft(text="Ada moved to Lyon.", subject="Ada", predicate="lives in", object="Lyon")
    again = FactDraft(
        text="Ada is in Lyon now.", subject="Ada", predicate="lives in", object="Lyon"
    )

    plan = plan_write([item(first, again)])

    assert only_fact(plan).draft.text == "Ada moved to Lyon."
    assert only_fact(plan).turn_ids == (plan.turns[0].item.turn.id,)


def test_what_two_turns_state_is_decided_about_twice() -> None:
    """In the order of the time from which it holds, whatever the order of the turns."""
    first, again = triple("a", "b", "c", valid_from=AT), triple("A", "b", "c")
    later = AT + timedelta(days=1)

    plan = plan_write([item(again, key="2", at=later), item(first, key="1", at=later)])

    assert [AT, later] == [fact.valid_from for fact in plan.facts]
    assert 1 == len({fact.canonical_hash for fact in plan.facts})


def test_a_fact_is_tagged_by_the_reply_its_ends_and_its_own_tags() -> None:
    """Each label once."""
    fact = triple("Ada", "uses", "Vim", tags=("editors", "ada"))

    plan = plan_write([item(fact, tags=("Tools",))])

    assert ("tools", "ada", "vim", "editors") == only_fact(plan).tag_keys
    assert {"ada": "Ada", "editors": "editors", "tools": "Tools", "vim": "Vim"} == {
        tag.key: tag.label for tag in plan.tags
    }


@pytest.mark.parametrize(
    ("text", "mentions", "tags"),
    [
        ("Ana likes the kiln.", ("kiln", "Ana", "sand"), ("kiln", "ana")),
        ("He moved to C++ at last.", ("C", "C++"), ("c++",)),
        ("会议在北京大学东门", ("北京大学", "上海"), ("北京大学",)),
        ("It was annual.", ("Ana", "Bo"), ("ana",)),
        ("It was a lighthouse.", (), ("lighthouse",)),
        ("!?", (), ("!?",)),
    ],
)
def test_a_sentence_alone_has_a_tag_too(
    text: str, mentions: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    """The mentions it contains, else the turn's weightiest, else its longest word."""
    told = tuple(Mention(name=name, weight=1 - place / 10) for place, name in enumerate(mentions))

    plan = plan_write([item(FactDraft(text=text), mentions=told)])

    assert tags == only_fact(plan).tag_keys
    assert only_fact(plan).subject_key is None


def test_a_mention_has_its_greatest_weight() -> None:
    """And the ends of facts weigh 1."""
    plan = plan_write(
        [
            item(
                triple("Ada", "uses", "Vim"),
                mentions=(
                    Mention(name="Lyon", weight=0.2),
                    Mention(name="lyon", weight=0.6),
                    Mention(name="Ada", weight=0.1),
                ),
            )
        ],
    )

    assert (("ada", 1.0), ("lyon", 0.6), ("vim", 1.0)) == plan.turns[0].mentions


def test_a_fact_holds_from_the_turn_on_unless_it_says_otherwise() -> None:
    """An open end is the sentinel, since an index finds no null."""
    fact = only_fact(plan_write([item(triple("a", "b", "c"))]))

    assert (AT, OPEN_TO) == (fact.valid_from, fact.valid_to)


def test_a_fact_stated_twice_holds_for_the_widest_time() -> None:
    """Whichever comes first."""
    early, late = AT - timedelta(days=9), AT + timedelta(days=9)
    said = [
        triple("a", "b", "c", valid_from=AT, valid_to=AT, confidence=0.4),
        triple("a", "b", "c", valid_from=early, valid_to=late, confidence=0.8),
    ]

    there, back = (only_fact(plan_write([item(*facts)])) for facts in (said, said[::-1]))

    assert (early, late, 0.8) == (there.valid_from, there.valid_to, there.confidence)
    assert (early, late, 0.8) == (back.valid_from, back.valid_to, back.confidence)


def test_what_ended_before_it_was_told_does_not_begin_after_its_end() -> None:
    """A validity range is never turned round."""
    end = AT - timedelta(days=30)

    fact = only_fact(plan_write([item(triple("a", "b", "c", valid_to=end))]))

    assert (end, end) == (fact.valid_from, fact.valid_to)


def test_locks_are_taken_in_the_order_of_keys() -> None:
    """Whatever the order of the items."""
    names = ["zoe", "ana", "mia", "bo"]
    items = [item(triple(name, "knows", "x"), key=name, agent=name) for name in names]

    plan = plan_write(items)

    for keys in (
        [term.key for term in plan.terms],
        [tag.key for tag in plan.tags],
        [agent.id for agent in plan.agents],
        [turn.item.turn.id for turn in plan.turns],
    ):
        assert sorted(keys) == keys
        assert len(keys) >= 4


def test_agents_are_the_named_speakers_and_the_agent_ids() -> None:
    """A speaker by the key of the name, an agent by its id to the letter."""
    turn = draft_messages(
        [
            {"role": "user", "content": "a", "name": "Zoë"},
            {"role": "tool", "content": "b", "name": "shell"},
            {"role": "assistant", "content": "c", "agent_id": "Bot-1"},
        ],
        scope="s",
        now=AT,
    )

    plan = plan_write([GraphItem(turn, Extraction(summary="x"))])

    assert [("Bot-1", "Bot-1"), ("zoë", "Zoë")] == [(a.id, a.name) for a in plan.agents]


@pytest.mark.parametrize(
    ("state", "kept"),
    [
        (ExtractionState.LOCAL, {"done", "given"}),
        (ExtractionState.DONE, {"given"}),
        (ExtractionState.GIVEN, set()),
    ],
)
def test_who_knows_better_is_not_replaced(state: ExtractionState, kept: set[str]) -> None:
    """What the caller gave, then what a model said, then what the local extractor found."""
    plan = plan_write([item(state=state)])

    every = {value.value for value in ExtractionState}
    assert kept == every - set(plan.turns[0].replaces)


def test_a_long_name_has_a_bounded_key_and_is_shown_whole() -> None:
    """An index takes no value of more than about 8 kB."""
    name = "語" * 10_000

    plan = plan_write([item(triple(name, "is", "x"))])

    term = max(plan.terms, key=lambda term: len(term.name))
    assert term.name == name
    assert len(term.key.encode()) <= 800
    assert len(only_fact(plan).tag_keys[0].encode()) <= 800


def test_a_turn_that_waited_states_its_facts_when_it_came() -> None:
    """Also where it came with its extraction: what was forgotten since is not stated anew."""
    came = AT + timedelta(hours=1)
    waited = item(triple("a", "b", "c"))
    again = GraphItem(waited.turn.model_copy(update={"recorded_at": came}), waited.extraction)

    assert came == only_fact(plan_write([again])).recorded_at
    assert only_fact(plan_write([waited])).recorded_at is None
