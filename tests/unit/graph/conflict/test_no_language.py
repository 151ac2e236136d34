"""With no locale pack a sentence stays a sentence."""

from __future__ import annotations

import pytest

from graphmem.graph.conflict.reading.statement import split


@pytest.mark.parametrize("text", ["Ana is tired", "0 1 2", "I no longer smoke", "", "."])
def test_without_a_pack_a_sentence_has_no_parts(text: str) -> None:
    """It is compared by its words and its meaning alone."""
    found = split([], text)

    assert ("", "", "") == (found.subject_key, found.predicate_key, found.object_key)
