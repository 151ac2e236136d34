"""What may be asked of procedural memory, and what is refused before anything is touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InputError
from graphmem.graph.procedures import intent_key, procedure_id
from graphmem.tiers.procedure_request import procedure_draft


def test_a_procedure_at_its_bounds_is_taken() -> None:
    """8,192 characters, an Intent of 512, 2,048 each for when and what for, 200 turns."""
    draft = procedure_draft(
        "x" * 8192,
        intent="y" * 512,
        condition="c" * 2048,
        expected_outcome="o" * 2048,
        return_score=0,
        priority=-1000,
        turn_ids=[str(n) for n in range(200)],
    )

    assert (8192, 512, 0.0, -1000, 200) == (
        len(draft.instruction),
        len(draft.intent),
        draft.return_score,
        draft.priority,
        len(draft.turn_ids),
    )


def test_what_is_not_told_is_empty() -> None:
    """Blank conditions and outcomes are none."""
    draft = procedure_draft("x", intent="y", condition=" \n", expected_outcome=None)

    assert ("", "", None, 0, ()) == (
        draft.condition,
        draft.expected_outcome,
        draft.return_score,
        draft.priority,
        draft.turn_ids,
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"instruction": ""}, "instruction is empty"),
        ({"instruction": " \n\t"}, "instruction is empty"),
        ({"instruction": "x" * 8193}, "instruction has 8,193 characters; at most 8,192"),
        ({"instruction": "x" * 10_000}, "instruction has 10,000 characters"),
        ({"instruction": "a\0b"}, "instruction holds a NUL character"),
        ({"instruction": "a\ud800"}, "instruction holds half of a surrogate pair"),
        ({"instruction": None}, "instruction must be text, got NoneType"),
        ({"instruction": ["x"]}, "instruction must be text, got list"),
        ({"intent": ""}, "intent is empty"),
        ({"intent": None}, "intent must be text"),
        ({"intent": "y" * 513}, "intent has 513 characters; at most 512"),
        ({"intent": "a\0b"}, "intent holds a NUL character"),
        ({"condition": "c" * 2049}, "condition has 2,049 characters; at most 2,048"),
        ({"condition": 3}, "condition must be text, got int"),
        ({"expected_outcome": "\udfff"}, "expected_outcome holds half of a surrogate pair"),
        ({"return_score": 1.01}, "return_score must be a number from 0 to 1, got 1.01"),
        ({"return_score": float("nan")}, "return_score must be a number"),
        ({"return_score": True}, "return_score must be a number"),
        ({"return_score": "1"}, "return_score must be a number"),
        ({"priority": 1001}, "priority must be a whole number from -1,000 to 1,000, got 1001"),
        ({"priority": 1.5}, "priority must be a whole number"),
        ({"priority": True}, "priority must be a whole number"),
        ({"turn_ids": "abc"}, "turn_ids must be a list of ids, got str"),
        ({"turn_ids": [3]}, "turn_ids must hold ids, got int"),
        ({"turn_ids": [str(n) for n in range(201)]}, "turn_ids has 201 ids; at most 200"),
        ({"agent_id": "a\nb\x07"}, "agent_id must not contain control characters"),
        ({"agent_id": ""}, "agent_id is empty"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_name(values: dict[str, Any], told: str) -> None:
    """The message names the parameter and the bound."""
    usual: dict[str, Any] = {"instruction": "x", "intent": "y", **values}

    with pytest.raises(InputError, match=told.replace("(", r"\(")):
        procedure_draft(usual.pop("instruction"), **usual)


words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)


@given(instruction=words, description=words, scope=words)
def test_the_same_words_have_the_same_id(instruction: str, description: str, scope: str) -> None:
    """Blanks at the ends of an instruction aside, and case and blanks of the Intent."""
    key = intent_key(description)

    assert key == intent_key(f"  {description}\n")
    assert procedure_id(scope, key, instruction) == procedure_id(scope, key, f" {instruction}\n")


@given(one=words, other=words, key=words, scope=words)
def test_other_words_have_another_id(one: str, other: str, key: str, scope: str) -> None:
    """Of another scope, of another Intent, of another instruction."""
    ids = {
        procedure_id(scope, key, one),
        procedure_id(f"{scope}x", key, one),
        procedure_id(scope, f"{key}x", one),
        procedure_id(scope, key, f"{one}x{other}"),
    }

    assert 4 == len(ids)
