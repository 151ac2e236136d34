"""Intake: what is refused, what is kept, and when two turns are the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.capture.intake import draft_any, draft_messages, draft_turn
from graphmem.errors import InputError
from graphmem.models import Message, TurnDraft

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AT = datetime(2025, 3, 30, 1, 30, tzinfo=timezone(timedelta(hours=2)))


def draft(question: str = "Where is the kiln?", answer: str | None = None, **more) -> TurnDraft:
    """Draft a turn with what a test does not care about filled in."""
    return draft_turn(question, answer, **{"scope": "s", "now": NOW, **more})


def test_a_turn_is_its_question_and_its_answer() -> None:
    """The text names who speaks, by name where one is known, else by role."""
    turn = draft("Where is it?", "In Lyon.", name="Ana", agent_id="bot")

    assert turn.text == "Ana: Where is it?\nassistant: In Lyon."
    assert [m.role for m in turn.messages] == ["user", "assistant"]
    assert turn.messages[1].agent_id == "bot"
    assert turn.agent_id == "bot"


def test_a_turn_without_an_answer_is_a_turn() -> None:
    """A question alone can be remembered."""
    turn = draft("I moved to Lyon.")

    assert turn.text == "user: I moved to Lyon."


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("a\0b", "NUL"),
        ("half \ud83d", "surrogate"),
        (None, "NoneType"),
        (b"bytes", "bytes"),
    ],
)
def test_text_that_cannot_be_stored_is_refused_with_its_reason(bad: object, told: str) -> None:
    """Nothing is cut silently, and no driver error reaches the caller."""
    with pytest.raises(InputError, match=told) as caught:
        draft(bad)  # type: ignore[arg-type]  # what callers do

    assert "question" in str(caught.value)


@pytest.mark.parametrize("text", ["🚀 👩🏽‍💻 👍🏽", "مرحبا بكم", "会议改到周五", "x" * 1_000_000])
def test_any_script_and_a_megabyte_are_kept_to_the_letter(text: str) -> None:
    """The content of a message is what was handed in."""
    turn = draft(text)

    assert turn.messages[0].content == text


def test_a_turn_too_long_for_one_transaction_is_refused() -> None:
    """The limit is told, and what to do."""
    with pytest.raises(InputError, match="several turns") as caught:
        draft("x" * 6_000_000, "y" * 6_000_000)

    assert caught.value.kind == "turn-too-long"


def test_a_naive_time_is_refused() -> None:
    """A naive time names no instant; the message says how to mend it."""
    with pytest.raises(InputError, match=r"at\.replace\(tzinfo"):
        draft(at=datetime(2025, 3, 30, 1, 30))  # noqa: DTZ001 - what is tested


def test_times_are_kept_in_utc() -> None:
    """01:30 at +02:00 is 23:30 of the day before."""
    turn = draft(at=AT)

    assert turn.at == datetime(2025, 3, 29, 23, 30, tzinfo=UTC)
    assert turn.at.tzinfo is UTC


def test_the_time_of_a_turn_without_one_is_now() -> None:
    """Now comes from the caller's clock."""
    assert draft().at == NOW


def test_the_same_key_in_a_session_is_the_same_turn() -> None:
    """Whatever else differs."""
    first, again = draft("a", turn_key="t-1"), draft("b", turn_key="t-1", at=AT)

    assert first.id == again.id
    assert first.turn_key == "t-1"


@pytest.mark.parametrize("other", [{"scope": "z"}, {"session_id": "z"}, {"turn_key": "z"}])
def test_a_key_names_a_turn_inside_its_session_and_scope(other: dict[str, str]) -> None:
    """Elsewhere the same key is another turn."""
    assert draft(turn_key="t-1").id != draft(**{"turn_key": "t-1", **other}).id


def test_the_same_content_at_the_same_time_is_the_same_turn() -> None:
    """An import without keys can be repeated."""
    assert draft("a", "b", at=AT).id == draft("a", "b", at=AT.astimezone(UTC)).id
    assert draft("a", "b", at=AT).id != draft("a", "c", at=AT).id
    assert draft("a", "b", at=AT).id != draft("a", "b", at=AT + timedelta(seconds=1)).id


def test_the_same_words_without_key_and_time_are_a_new_turn() -> None:
    """People repeat themselves."""
    assert draft("ok").id != draft("ok").id


@pytest.mark.parametrize("field", ["session_id", "agent_id", "project", "name"])
@pytest.mark.parametrize("bad", ["", "  ", ["a"], 7, "a\nb", "x" * 501, "\ud83d"])
def test_a_name_that_cannot_be_one_is_refused(field: str, bad: object) -> None:
    """An empty one never means everybody."""
    with pytest.raises(InputError, match=field):
        draft(**{field: bad})


def test_no_session_is_no_session_by_accident() -> None:
    """None for the session is an error, for agent and project it is 'not told'."""
    turn = draft(agent_id=None, project=None)

    assert (turn.agent_id, turn.project) == ("", "")
    with pytest.raises(InputError, match="session_id"):
        draft(session_id=None)


def test_tool_and_reasoning_messages_are_kept_out_of_the_text() -> None:
    """They are in the log, in their place."""
    turn = draft_messages(
        [
            {"role": "user", "content": "How warm?", "name": "Ana"},
            {"role": "reasoning", "content": "ask the sensor"},
            {"role": "tool", "content": '{"celsius": 1240}'},
            {"role": "assistant", "content": "1240 degrees.", "agent_id": "bot"},
        ],
        scope="s",
        now=NOW,
    )

    assert turn.text == "Ana: How warm?\nassistant: 1240 degrees."
    assert len(turn.messages) == 4
    assert turn.agent_id == "bot"


def test_a_turn_takes_the_first_time_that_its_messages_tell() -> None:
    """It makes the turn repeatable, as `at` does."""
    messages = [
        {"role": "user", "content": "a", "at": AT},
        {"role": "assistant", "content": "b", "at": AT + timedelta(minutes=1)},
    ]

    first, again = (draft_messages(messages, scope="s", now=NOW) for _ in range(2))

    assert first.at == AT
    assert first.id == again.id


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([], "no visible message"),
        ([{"role": "tool", "content": "x"}], "no visible message"),
        ("hello", "list of messages"),
        ([{"role": "wizard", "content": "x"}], r"messages\[0\].role"),
        ([{"role": "user"}], r"messages\[0\].content"),
        ([{"role": "user", "content": "x", "metadata": {"a": {"b": 1}}}], "metadata"),
        (
            [
                {"role": "user", "content": "x"},
                {"role": "user", "content": "x", "at": datetime(2025, 1, 1)},  # noqa: DTZ001
            ],
            r"messages\[1\].at",
        ),
        ([7], r"messages\[0\]"),
    ],
)
def test_messages_that_cannot_be_stored_are_refused(messages: object, told: str) -> None:
    """The message tells which one and why."""
    with pytest.raises(InputError, match=told):
        draft_messages(messages, scope="s", now=NOW)  # type: ignore[arg-type]  # what callers do


def test_a_message_may_be_a_value() -> None:
    """What recall gives back can be handed in."""
    turn = draft_messages([Message(role="user", content="x", name="Ana")], scope="s", now=NOW)

    assert turn.messages[0].name == "Ana"


def test_an_item_of_a_batch_has_the_parameters_of_a_turn() -> None:
    """By either form; a null is not told."""
    by_turn = draft_any({"question": "a", "answer": None, "turn_key": "k"}, scope="s", now=NOW)
    by_messages = draft_any(
        {"messages": [{"role": "user", "content": "a"}], "turn_key": "k"}, scope="s", now=NOW
    )

    assert by_turn == by_messages
    assert draft_any(by_turn, scope="s", now=NOW) is by_turn


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({"question": "a", "metadata": {"src": {"page": 3}}}, "'metadata'"),
        ({"answer": "a"}, "question"),
        ({"messages": [], "question": "a"}, "'question'"),
        ("a", "mapping"),
        ({"question": None}, "question"),
    ],
)
def test_an_item_that_is_no_turn_is_refused(item: object, told: str) -> None:
    """A field too many is never dropped silently."""
    with pytest.raises(InputError, match=told):
        draft_any(item, scope="s", now=NOW)  # type: ignore[arg-type]  # what callers do


def test_a_given_extraction_that_is_none_is_refused() -> None:
    """Without the reader of the extract stage the value's own rules hold."""
    with pytest.raises(InputError, match=r"extraction\.outcome"):
        draft(extraction={"summary": "x", "outcome": "splendid"})
