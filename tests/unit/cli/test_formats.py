"""What each reader makes of a file, and of one that is broken."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from graphmem.cli.formats import BadLine, FoundTurn, read_jsonl, read_locomo, read_openai
from graphmem.cli.formats.locomo import parse_session_time
from graphmem.errors import InputError


def _turns(found: object) -> list[dict[str, object]]:
    pieces = list(found)  # type: ignore[call-overload]  # any reader's result
    assert [] == [piece for piece in pieces if isinstance(piece, BadLine)]
    return [dict(piece.values) for piece in pieces]


def _bad(found: object) -> list[BadLine]:
    return [piece for piece in found if isinstance(piece, BadLine)]  # type: ignore[attr-defined]  # any reader's result


def test_a_line_of_a_chat_is_one_turn() -> None:
    """Its speaker is the name, its time the session's start in UTC plus its position."""
    line = {
        "conv": "c1",
        "id": "D2:4",
        "session": 2,
        "pos": 3,
        "time": "2023-05-08T13:56",
        "speaker": "Ana",
        "text": "Look!",
        "caption": "a red boat",
    }

    (turn,) = _turns(read_jsonl([json.dumps(line)]))

    assert {
        "question": "Look! [shares a red boat]",
        "name": "Ana",
        "session_id": "c1/2",
        "turn_key": "D2:4",
        "at": datetime(2023, 5, 8, 13, 56, 3, tzinfo=UTC),
    } == turn


def test_a_line_of_graphmem_keeps_its_parameters() -> None:
    """question, answer, session and extraction go through as they stand; `at` is read."""
    line = {
        "question": "Where?",
        "answer": "In Lyon.",
        "session_id": "s1",
        "turn_key": "k",
        "at": "2026-03-02T10:12:00+01:00",
        "extraction": {"facts": ["Ana lives in Lyon."]},
    }

    (turn,) = _turns(read_jsonl([json.dumps(line)]))

    assert {**line, "at": datetime.fromisoformat("2026-03-02T10:12:00+01:00")} == turn


def test_a_line_without_a_key_gets_one_from_its_content() -> None:
    """Read again, each line has the same key; a line said twice has two."""
    lines = [json.dumps({"question": "ok"}), json.dumps({"question": "ok"}), "", "\n"]

    first = [turn["turn_key"] for turn in _turns(read_jsonl(lines))]
    second = [turn["turn_key"] for turn in _turns(read_jsonl(lines))]

    assert first == second
    assert 2 == len(set(first))


def test_a_key_does_not_depend_on_where_the_line_stands() -> None:
    """Lines put in front of it leave the key of a line as it was."""
    line = json.dumps({"question": "ok"})

    (alone,) = _turns(read_jsonl([line]))
    later = _turns(read_jsonl([json.dumps({"question": "first"}), line]))[-1]

    assert alone["turn_key"] == later["turn_key"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json", "no JSON"),
        ("[1, 2]", "a turn is a JSON object"),
        ('{"text": "hi"}', 'needs "question"'),
        ('{"question": "q", "at": "yesterday"}', "at is no time"),
        ('{"question": "q", "at": "2026-03-02T10:12:00"}', "has no zone"),
        ('{"speaker": "A", "text": "t", "pos": "x"}', "pos must be a whole number"),
        ('{"speaker": "A", "text": "t", "time": "noon"}', "time is no time"),
        ("[" * 100_000, "no JSON"),
        ('{"question": ' + "9" * 5000 + "}", "no JSON"),
        ('{"speaker": "A", "text": ["t"]}', "text must be text"),
        ('{"speaker": "A", "text": "t", "session": {"a": 1}}', "session must be text"),
        ('{"speaker": "A", "text": "t", "time": "2026-01-01", "pos": 1%s}' % ("0" * 20), "years"),
        ('{"speaker": "A", "text": "t", "time": "0001-01-01", "pos": -1}', "years"),
        ('{"question": "q", "id": {"a": 1}}', "id must be text"),
    ],
)
def test_a_bad_line_is_told_with_its_number(line: str, reason: str) -> None:
    """The lines around it are read."""
    good = json.dumps({"question": "ok"})

    found = list(read_jsonl([good, line, good]))

    (bad,) = _bad(found)
    assert "line 2" == bad.place
    assert reason in bad.reason
    assert 2 == sum(isinstance(piece, FoundTurn) for piece in found)


LOCOMO = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Happy new year!"}],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            {"speaker": "Ana", "dia_id": "D2:1", "text": "Hi Ben!"},
            {"speaker": "Ben", "dia_id": "D2:2", "text": "Look", "blip_caption": "a kite"},
        ],
    },
    "qa": [],
}


def test_locomo_makes_each_message_a_turn() -> None:
    """Sessions come by number, not by name, and each message a second after the one before."""
    turns = _turns(read_locomo([json.dumps([LOCOMO])]))

    assert ["D2:1", "D2:2", "D10:1"] == [turn["turn_key"] for turn in turns]
    assert ["conv-1/2", "conv-1/2", "conv-1/10"] == [turn["session_id"] for turn in turns]
    assert ["Ana", "Ben", "Ben"] == [turn["name"] for turn in turns]
    assert "Look [shares a kite]" == turns[1]["question"]
    assert datetime(2023, 5, 8, 13, 56, 1, tzinfo=UTC) == turns[1]["at"]
    assert datetime(2024, 1, 1, 0, 5, tzinfo=UTC) == turns[2]["at"]


def test_locomo_reads_one_sample_as_well_as_a_list() -> None:
    """A file with a single conversation is no list."""
    assert _turns(read_locomo([json.dumps([LOCOMO])])) == _turns(read_locomo([json.dumps(LOCOMO)]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:30 pm on 3 June, 2023", datetime(2023, 6, 3, 12, 30)),  # noqa: DTZ001 - the file knows no zone
        ("9:05 AM on 29 February, 2024", datetime(2024, 2, 29, 9, 5)),  # noqa: DTZ001 - as above
    ],
)
def test_a_session_time_is_read_without_the_locale(text: str, expected: datetime) -> None:
    """Months are English words, noon and midnight come out right."""
    assert expected == parse_session_time(text)


@pytest.mark.parametrize("text", ["", "soon", "1:00 pm on 31 June, 2023", "1:00 pm on 3 Mai, 2023"])
def test_a_session_time_that_is_none_is_refused(text: str) -> None:
    """The message shows what one looks like."""
    with pytest.raises(InputError, match="it looks like"):
        parse_session_time(text)


@pytest.mark.parametrize(
    "value",
    [
        "not json",
        "[3]",
        '{"qa": []}',
        '{"conversation": {"session_1": "x"}}',
        '{"conversation": {"session_1": [], "session_1_date_time": "soon"}}',
        '{"session_1_date_time": "1:00 pm on 3 June, 2023", "session_1": [{"text": "hi"}]}',
        '{"session_1_date_time": "1:00 pm on 3 June, 2023", "session_1": [{"speaker": null}]}',
        '{"session_1_date_time": "1:00 pm on 3 June, 2023", '
        '"session_1": [{"speaker": "A", "text": ["hi"]}]}',
        "9" * 5000,
    ],
)
def test_broken_locomo_is_told_and_not_thrown(value: str) -> None:
    """Each fault is a piece that is no turn."""
    assert 1 == len(_bad(read_locomo([value])))


CHAT = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "What time is it?", "name": "Ana"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"function": {"name": "clock", "arguments": '{"tz": "UTC"}'}}],
    },
    {"role": "tool", "content": "12:00"},
    {"role": "assistant", "content": [{"type": "text", "text": "Noon."}, {"type": "image_url"}]},
    {"role": "user", "content": "Thanks."},
]


def test_a_chat_is_cut_at_each_user_message() -> None:
    """A turn holds the tool traffic and the answer that follow its question."""
    first, second = _turns(read_openai([json.dumps(CHAT)]))

    assert [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What time is it?", "name": "Ana"},
        {"role": "tool", "content": 'clock({"tz": "UTC"})'},
        {"role": "tool", "content": "12:00"},
        {"role": "assistant", "content": "Noon.\n[image_url]"},
    ] == first["messages"]
    assert [{"role": "user", "content": "Thanks."}] == second["messages"]


def test_a_grown_chat_keeps_the_keys_of_its_older_turns() -> None:
    """What was imported before is known again, under the same session."""
    before = _turns(read_openai([json.dumps(CHAT[:5])]))
    after = _turns(read_openai([json.dumps(CHAT)]))

    assert before == after[:1]


def test_two_chats_under_one_name_do_not_meet() -> None:
    """Their turns have keys of their own, so that none passes for another."""
    one, other = ([{"role": "user", "content": text}] for text in ("Hello.", "Good day."))

    (first,) = _turns(read_openai([json.dumps(one)], session_id="s"))
    (second,) = _turns(read_openai([json.dumps(other)], session_id="s"))

    assert first["session_id"] == second["session_id"]
    assert first["turn_key"] != second["turn_key"]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"messages": CHAT}),
        json.dumps([CHAT]),
        json.dumps([{"messages": CHAT}]),
        "\n".join(json.dumps(message) for message in CHAT),
        json.dumps({"messages": CHAT}) + "\n\n" + json.dumps({"messages": CHAT[:2]}),
    ],
)
def test_a_chat_is_found_in_each_of_its_wrappings(text: str) -> None:
    """A list, an object, a list of either, or JSON Lines of messages or conversations."""
    lines = text.splitlines(keepends=True)

    turns = _turns(read_openai(lines))

    assert (
        ["What time is it?", "Thanks."]
        == [
            next(message["content"] for message in turn["messages"] if message["role"] == "user")  # type: ignore[attr-defined]  # a list
            for turn in turns[:2]
        ]
    )


def test_an_id_of_a_conversation_is_its_session() -> None:
    """The first of id, conversation_id and session_id counts."""
    (turn,) = _turns(read_openai([json.dumps({"id": "c-7", "messages": CHAT[5:]})]))

    assert "c-7" == turn["session_id"]


def test_times_of_messages_are_read() -> None:
    """Seconds since 1970 as OpenAI gives them, or ISO 8601; the turn's time is the earliest."""
    chat = [
        {"role": "user", "content": "a", "created_at": 1_700_000_000},
        {"role": "assistant", "content": "b", "at": "2023-11-14T22:13:21Z"},
    ]

    (turn,) = _turns(read_openai([json.dumps(chat)]))

    assert datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC) == turn["at"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('{"a": 1}', "no conversation"),
        ('[{"role": "alien", "content": "x"}]', "role must be one of"),
        ('[{"role": "user", "content": 3}]', "content must be text"),
        ('["hi"]', "a message is a JSON object"),
        ("[3]", "a message is a JSON object"),
        ("3", "no conversation"),
        ("{", "no JSON"),
        ('[{"role": "tool", "content": "x"}]', "only tool messages"),
        ('[{"role": "assistant", "tool_calls": 5}]', "tool_calls must be a list"),
        ('[{"role": "assistant", "tool_calls": {"a": 1}}]', "tool_calls must be a list"),
        ("9" * 5000, "no JSON"),
    ],
)
def test_a_broken_chat_is_told_and_not_thrown(value: str, reason: str) -> None:
    """Each fault is a piece that is no turn, with its reason."""
    (bad,) = _bad(read_openai([value]))

    assert reason in bad.reason


@pytest.mark.parametrize("function", ["clock", None, 5])
def test_a_tool_call_of_another_shape_is_passed_over(function: object) -> None:
    """What was said stays a turn."""
    chat = [{"role": "assistant", "content": "Noon.", "tool_calls": [{"function": function}]}]

    (turn,) = _turns(read_openai([json.dumps(chat)]))

    assert [{"role": "assistant", "content": "Noon."}] == turn["messages"]


def test_a_null_tells_nothing() -> None:
    """A line with a null is the line without it: its key stays, and the option holds."""
    line = json.dumps({"question": "q", "turn_key": None, "session_id": None, "at": None})

    (turn,) = _turns(read_jsonl([line], session_id="s9"))
    (again,) = _turns(read_jsonl([line], session_id="s9"))

    assert turn["turn_key"]
    assert again == turn
    assert "s9" == turn["session_id"]
    assert "at" not in turn


def test_a_null_in_a_chat_is_no_word() -> None:
    """Nobody is called None, and no session is."""
    line = json.dumps({"speaker": None, "text": "Hi", "session": None, "conv": None, "id": None})

    (turn,) = _turns(read_jsonl([line]))

    assert (None, "default") == (turn["name"], turn["session_id"])
