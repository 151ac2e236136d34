"""What a caller asks of procedural memory, checked before anything is read or written."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.checks import check_number, check_whole
from graphmem.errors import InputError
from graphmem.graph.procedures import ProcedureDraft
from graphmem.ids import check_ids
from graphmem.text import check_text
from graphmem.tiers.requests import optional_name

__all__ = ["MAX_INSTRUCTION", "PROCEDURE_STATUSES", "check_intent", "procedure_draft"]

PROCEDURE_STATUSES = ("active", "deprecated", "forgotten")

# As long as a fact may be.
MAX_INSTRUCTION = 8192
# A description is what a question is compared with: what is longer means several things.
_MAX_INTENT = 512
_MAX_CONDITION = 2048
_MOST_PRIORITY = 1000
_MAX_TURNS = 200


def procedure_draft(
    instruction: object,
    *,
    intent: object,
    condition: object = "",
    expected_outcome: object = "",
    return_score: object = None,
    priority: object = 0,
    turn_ids: Iterable[str] = (),
    agent_id: object = None,
) -> ProcedureDraft:
    """Return a procedure that keeps the bounds.

    Raises:
        InputError: It does not; the message names the parameter.
    """
    turns = check_ids(turn_ids, "turn_ids")
    if len(turns) > _MAX_TURNS:
        raise InputError(f"turn_ids has {len(turns)} ids; at most {_MAX_TURNS} are taken")
    return ProcedureDraft(
        instruction=_bounded(instruction, "instruction", MAX_INSTRUCTION).strip(),
        intent=check_intent(intent),
        condition=_optional(condition, "condition"),
        expected_outcome=_optional(expected_outcome, "expected_outcome"),
        return_score=_return_score(return_score),
        priority=check_whole(priority, "priority", -_MOST_PRIORITY, _MOST_PRIORITY),
        turn_ids=turns,
        agent_id=optional_name(agent_id, "agent_id"),
    )


def check_intent(value: object) -> str:
    """Return the description of an Intent, in one line."""
    return " ".join(_bounded(value, "intent", _MAX_INTENT).split())


def _optional(value: object, name: str) -> str:
    if value is None or (isinstance(value, str) and not value.strip()):
        return ""
    return _bounded(value, name, _MAX_CONDITION).strip()


def _bounded(value: object, name: str, most: int) -> str:
    text = check_text(value, name)
    if len(text) > most:
        raise InputError(f"{name} has {len(text):,} characters; at most {most:,} are taken")
    return text


def _return_score(value: object) -> float | None:
    return None if value is None else check_number(value, "return_score", 0, 1)
