"""Names as a write puts them into the graph: its Terms, and which of them stands for which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from graphmem.graph.plan import FactPlan, TermPlan, qualifier_of
from graphmem.ids import digest
from graphmem.text import search_text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.graph.conflict.model import Statement
    from graphmem.graph.conflict.reading.statement import Parsed

__all__ = ["end_row", "end_rows", "said_row", "term_rows", "via"]


def term_rows(
    scope: str,
    terms: Iterable[TermPlan],
    statements: Iterable[Parsed],
    vectors: Mapping[str, NDArray[float32]],
    *,
    language: str,
) -> list[dict[str, Any]]:
    """Return the rows of graph/write_terms, in the order in which their locks are taken.

    Args:
        scope: Whose memory it is.
        terms: Those that are made where they are missing.
        statements: What is stated of Terms: one that a sentence is about is not made for it, but
            another name may stand for it.
        vectors: By name, where there are any.
        language: Of stop words and stems of the full-text index.
    """
    rows: dict[str, dict[str, Any]] = {
        term.key: {
            "id": digest("term", scope, term.key),
            "key": term.key,
            "name": term.name,
            "qualifier": qualifier_of(term.name),
            "search_text": search_text(term.name, language=language),
            "vector": vectors.get(term.name),
        }
        for term in terms
    }
    for parsed in statements:
        for key in (parsed.subject_key, parsed.object_key, parsed.old_key):
            if key:
                rows.setdefault(key, {"id": None, "key": key})
    return [rows[key] for key in sorted(rows)]


def via(key: str, aliases: Mapping[str, str]) -> str | None:
    """Return the key that was said, where another Term stands for it; else None.

    Args:
        key: What was said.
        aliases: What stands for a merged Term, by key.
    """
    return key if key in aliases else None


def said_row(said: Statement, plan: FactPlan, *, search_text: str) -> dict[str, Any]:
    """Return what was said by another name than that by which it is known; else nothing.

    It is kept with the link of the turn that says so: once the name stands for itself again, it
    is a fact of its own (graph/return_statements).

    Args:
        said: As the pipeline decided about it.
        plan: As it was written.
        search_text: Of it.
    """
    if not (said.subject_via or said.object_via):
        return {}
    return {
        "said_id": said.id,
        "said_hash": plan.canonical_hash,
        "said_text": plan.draft.text,
        "said_search_text": search_text,
        "said_subject": plan.draft.subject,
        "said_predicate": plan.draft.predicate,
        "said_object": plan.draft.object,
        "said_from": said.valid_from,
        "subject_via": said.subject_via or None,
        "object_via": said.object_via or None,
    }


def end_row(key: str, aliases: Mapping[str, str]) -> dict[str, Any]:
    """Return the Term that stands for a key, and by which other name it was called."""
    return {"key": aliases.get(key, key), "via": via(key, aliases)}


def end_rows(key: str | None, aliases: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the same of one end of a statement; none where it has none."""
    return [] if key is None else [end_row(key, aliases)]
