"""Sessions as evidence: what is read of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.scenarios import lihua, longmemeval


def _write(path: Path, name: str, *rows: dict[str, Any]) -> None:
    text = "\n".join(json.dumps(row) for row in rows)
    (path / f"{name}.jsonl").write_text(text, encoding="utf-8")


def test_each_message_of_a_chat_is_a_turn(tmp_path: Path) -> None:
    """With its sender, and a second later than the one before; the session is one text."""
    messages = [["LiHua", "Is the kiln free?"], ["Adam", "After five."]]
    _write(tmp_path, "sessions", {"id": "s1", "time": "2026-01-05T11:00", "messages": messages})
    _write(tmp_path, "questions", {"question": "When?", "type": None, "evidence": []})

    haystack = lihua.read_haystack(tmp_path)

    (session,) = haystack.sessions
    assert ("Adam", "After five.") == (session.turns[1]["name"], session.turns[1]["question"])
    assert datetime(2026, 1, 5, 11, 0, 1, tzinfo=UTC) == session.turns[1]["at"]
    assert "LiHua: Is the kiln free?\nAdam: After five." == session.text
    assert () == haystack.questions[0].evidence


def test_a_message_and_its_answer_are_one_turn(tmp_path: Path) -> None:
    """A message without an answer, or an answer without a message, is a turn by itself."""
    said = [("assistant", "Hi."), ("user", "A?"), ("user", "B?"), ("assistant", "Yes.")]
    turns = [{"role": role, "text": text} for role, text in said]
    when = "2023/05/20 (Sat) 02:21"
    _write(tmp_path, "sessions", {"qid": "q1", "id": "s1", "time": when, "turns": turns})
    _write(
        tmp_path, "questions", {"id": "q1", "question": "B?", "type": "single", "evidence": ["s1"]}
    )

    (haystack,) = longmemeval.read_haystacks(tmp_path)

    (session,) = haystack.sessions
    assert [["Hi."], ["A?"], ["B?", "Yes."]] == [
        [message["content"] for message in turn["messages"]] for turn in session.turns
    ]
    assert datetime(2023, 5, 20, 2, 21, 2, tzinfo=UTC) == session.turns[2]["at"]


def test_both_forms_of_a_time_are_read(tmp_path: Path) -> None:
    """As the data was published, and as it was written anew."""
    said = [{"role": "user", "text": "A?"}]
    for name, told in (("s1", "2023/05/20 (Sat) 02:21"), ("s2", "2023-05-20T02:21:00")):
        line = {"qid": "q1", "id": name, "time": told, "turns": said}
        folder = tmp_path / name
        folder.mkdir()
        _write(folder, "sessions", line)
        _write(folder, "questions", {"id": "q1", "question": "?", "type": "x", "evidence": [name]})

        (haystack,) = longmemeval.read_haystacks(folder)

        assert datetime(2023, 5, 20, 2, 21, tzinfo=UTC) == haystack.sessions[0].turns[0]["at"]


def test_each_question_has_the_sessions_of_its_own(tmp_path: Path) -> None:
    """What belongs to another question is not searched."""
    for_one, for_two = (
        {"qid": qid, "id": f"s-{qid}", "time": "2023/05/20 (Sat) 02:21", "turns": []}
        for qid in ("q1", "q2")
    )
    _write(tmp_path, "sessions", for_one, for_two, {**for_one, "qid": "unasked"})
    _write(
        tmp_path,
        "questions",
        *({"id": qid, "question": "?", "type": "x", "evidence": ["s"]} for qid in ("q1", "q2")),
    )

    haystacks = longmemeval.read_haystacks(tmp_path)

    assert [["s-q1"], ["s-q2"]] == [[one.id for one in hay.sessions] for hay in haystacks]
