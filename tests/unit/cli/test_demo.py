"""The conversation that the demo plays."""

from __future__ import annotations

from graphmem.cli.formats import BadLine, read_jsonl
from graphmem.cli.import_file import drafts_of
from graphmem.demo import QUESTIONS, read_conversation


def test_the_conversation_can_be_stored() -> None:
    """26 turns in four sessions, each with a summary, and no note of a bad date."""
    bad: list[BadLine] = []

    drafts = list(drafts_of(read_jsonl(read_conversation()), "demo", bad, is_strict=True))

    assert 26 == len(drafts)
    assert 4 == len({draft.session_id for draft in drafts})
    for draft in drafts:
        assert draft.extraction is not None
        assert draft.extraction.summary
        assert () == draft.extraction.dropped


def test_the_conversation_is_told_in_order() -> None:
    """Each turn comes after the one before."""
    times = [
        draft.at for draft in drafts_of(read_jsonl(read_conversation()), "s", [], is_strict=True)
    ]

    assert sorted(times) == times
    assert len(set(times)) == len(times)


def test_every_question_has_its_evidence_in_the_conversation() -> None:
    """The keys of the evidence name turns."""
    turns = [piece for piece in read_jsonl(read_conversation()) if not isinstance(piece, BadLine)]
    keys = {turn.values["turn_key"] for turn in turns}

    assert 4 == len(QUESTIONS)
    assert set() == {key for question in QUESTIONS for key in question.evidence} - keys
