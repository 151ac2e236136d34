"""Procedures and their Intents: made under the ids that their words give them, once each."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.errors import InputError
from graphmem.graph.conflict.profiles import thresholds_for
from graphmem.graph.overtaken import overtaken, transact
from graphmem.graph.writing import EmbeddedTexts
from graphmem.ids import digest, scope_token
from graphmem.queries import get_query
from graphmem.text import search_text, term_key

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.db import Database
    from graphmem.db.database import Transaction

__all__ = ["INTENT_IDENTITY", "ProcedureDraft", "intent_key", "procedure_id", "write_procedure"]

# Mnemosyne, "intent identity": raw cosine from which two descriptions are one Intent.
INTENT_IDENTITY = 0.95
_NUMBER = re.compile(r"\d+")
# The query of a slot must be named even where no vector is at hand; it writes none then.
_ANY_SLOT = "a"
_ORIGIN = "defined"


@dataclass(frozen=True, slots=True)
class ProcedureDraft:
    """A procedure before it is in the graph.

    Attributes:
        instruction: What to do.
        intent: What it is good for.
        condition: When it applies; "" = whenever the Intent does.
        expected_outcome: What comes of it; "" when not told.
        return_score: How well it worked, 0..1; None = not told.
        priority: Of ways that are as relevant, the highest comes first.
        turn_ids: Turns that it was learned from.
        agent_id: Who defines it, "" when not told.
    """

    instruction: str
    intent: str
    condition: str = ""
    expected_outcome: str = ""
    return_score: float | None = None
    priority: int = 0
    turn_ids: tuple[str, ...] = ()
    agent_id: str = ""

    @property
    def texts(self) -> tuple[str, str]:
        """What vectors are made of: the description of its Intent, and the instruction."""
        return self.intent, self.instruction


def intent_key(description: str) -> str:
    """Return what the descriptions of one Intent have in common: case, blanks, forms aside."""
    return term_key(description)


def procedure_id(scope: str, key: str, instruction: str) -> str:
    """Return the id of the procedure that an instruction is under an Intent.

    Blanks at the ends and Unicode forms aside it is taken to the letter: in a command or a
    program, case and blanks say something.

    Args:
        scope: Whose memory it is.
        key: Of the Intent.
        instruction: What to do.
    """
    return digest("procedure", scope, key, unicodedata.normalize("NFC", instruction).strip())


async def write_procedure(
    db: Database,
    scope: str,
    draft: ProcedureDraft,
    embedded: EmbeddedTexts | None,
    *,
    now: datetime,
    language: str,
) -> str:
    """Put a procedure and its Intent into the graph, or count that it was defined again.

    One of the same key is its Intent, else the nearest one from `INTENT_IDENTITY` on that names
    the same numbers, else a new one.

    Args:
        db: The store.
        scope: Whose memory it is.
        draft: What is defined.
        embedded: Vectors of `draft.texts`, as far as they are there; None when no embedder can
            be had.
        now: When it is recorded; aware UTC.
        language: Of stop words and stems of the full-text index.

    Returns:
        The id of the procedure.

    Raises:
        InputError: A turn that it was learned from is not there; nothing was written.
        StoreError: The server failed; nothing was written.
    """
    vectors = {} if embedded is None else embedded.vectors
    description = " ".join(draft.intent.split())
    key, vector = intent_key(description), vectors.get(draft.intent)
    if embedded is not None and vector is not None:
        near = await _near_intent(db, scope, key, vector, embedded)
        if near is not None and near != (key, description):
            # What is embedded are the words of the one that is there.
            (key, description), vector = near, vector if near[0] == key else None
    found = procedure_id(scope, key, draft.instruction)
    params: dict[str, Any] = {
        "scope": scope,
        "scope_token": scope_token(scope),
        "embedder_id": "" if embedded is None else embedded.embedder_id,
        "now": now,
        "intent": {
            "id": digest("intent", scope, key),
            "key": key,
            "description": description,
            "vector": vector,
        },
        "procedure": _row(found, draft, description, language)
        | {"vector": vectors.get(draft.instruction)},
        "turn_ids": sorted(draft.turn_ids),
    }
    query = get_query("graph/write_procedure", _ANY_SLOT if embedded is None else embedded.slot)

    async def work(transaction: Transaction) -> None:
        (row,) = await transaction.run(query, **params)
        if missing := sorted(set(draft.turn_ids) - set(row["turns"])):
            raise InputError(
                f"there is no turn {', '.join(missing)} in this scope: a procedure is learned "
                "from turns that are stored",
                ids=missing,
            )
        if row["is_gone"]:
            raise overtaken(f"the intent {key!r} of scope {scope!r} went as nothing served it")

    await transact(db, work)
    return found


async def _near_intent(
    db: Database, scope: str, key: str, vector: NDArray[float32], embedded: EmbeddedTexts
) -> tuple[str, str] | None:
    """Return key and description of the Intent that is the same, or as good as that."""
    if thresholds_for(embedded.embedder_id) is None:
        # Under an embedder that nobody knows, labels that have nothing in common may be as near.
        return None
    rows = await db.run(
        get_query("graph/find_near_intent", embedded.slot),
        scope=scope,
        key=key,
        vector=vector,
        embedder_id=embedded.embedder_id,
        identity=INTENT_IDENTITY,
    )
    numbers = _NUMBER.findall(key)
    same = (row for row in rows if _NUMBER.findall(row["key"]) == numbers)
    return next(((row["key"], row["description"]) for row in same), None)


def _row(found: str, draft: ProcedureDraft, description: str, language: str) -> dict[str, Any]:
    score = draft.return_score
    return {
        "id": found,
        "instruction": draft.instruction,
        "search_text": search_text(
            description, draft.instruction, draft.condition, language=language
        ),
        "condition": draft.condition,
        "expected_outcome": draft.expected_outcome,
        "return_score": score,
        "priority": draft.priority,
        "origin": _ORIGIN,
        "agent_id": draft.agent_id,
        # How well it worked where it was learned is its first reward (Mnemosyne).
        "reward_sum": 0.0 if score is None else score,
        "reward_count": 0 if score is None else 1,
    }
