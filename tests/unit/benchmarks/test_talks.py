"""Chats of two people, read from their files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.talks import read_talks, talks_digest


def _folder_of(path: Path, **files: list[dict[str, Any]]) -> Path:
    for name, rows in files.items():
        text = "\n".join(json.dumps(row) for row in rows)
        (path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return path


def _turn(talk: str, name: str, text: str, **more: str) -> dict[str, Any]:
    return {
        "conv": talk,
        "id": name,
        "session": 1,
        "pos": 0,
        "time": "2023-05-01T10:00",
        "speaker": "Ana",
        "text": text,
        **more,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two chats with everything that can be given."""
    return _folder_of(
        tmp_path,
        turns=[
            _turn("c1", "D1:1", "Look!", caption="a blue kiln"),
            _turn("c1", "D1:2", "It is hot."),
            _turn("c2", "D1:1", "Hello."),
        ],
        questions=[
            {"conv": "c1", "question": "What?", "category": 4, "evidence": ["D1:1", "D9:9"]},
            {"conv": "c1", "question": "Never?", "category": 5, "evidence": []},
        ],
        observations=[{"conv": "c1", "speaker": "Ana", "text": "A kiln.", "evidence": ["D1:2"]}],
        turn_entities_gpt35=[{"conv": "c1", "id": "D1:1", "entities": [["kiln", "What"]]}],
    )


def test_what_is_shown_belongs_to_the_text(folder: Path) -> None:
    """The caption of a picture stands behind the words, for each system alike."""
    talk = read_talks(folder)[0]

    assert ["Ana: Look! [shares a blue kiln]", "Ana: It is hot."] == talk.texts


def test_questions_without_known_evidence_are_left_out(folder: Path) -> None:
    """Evidence that names no turn is dropped, and a question that has none then."""
    talk = read_talks(folder)[0]

    assert [("What?", "4", ("D1:1",))] == [
        (one.text, one.category, one.evidence) for one in talk.questions
    ]


def test_facts_and_entities_are_read_where_they_are_given(folder: Path) -> None:
    """Each by its own name, or both; the files that are used are in the digest."""
    both = read_talks(folder, "observations+entities")[0]
    entities = read_talks(folder, "entities")[0]

    assert ["A kiln."] == [fact["text"] for fact in both.facts["D1:2"]]
    assert {"D1:1": ["kiln"]} == both.names
    assert {} == entities.facts
    assert 4 == len(
        {talks_digest(folder, name) for name in ("local", "observations", "entities")}
        | {talks_digest(folder, "observations+entities")}
    )


def test_an_unknown_conversation_is_named(folder: Path) -> None:
    """Also when others are there."""
    with pytest.raises(SystemExit, match=r"no conversation c9; there are c1, c2"):
        read_talks(folder, "local", ["c1", "c9"])
