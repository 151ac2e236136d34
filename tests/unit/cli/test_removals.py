"""What is told of what a command took out of a scope."""

from __future__ import annotations

import pytest

from graphmem.cli.removals import tell_more, tell_orphans, tell_protected, tell_undo


def test_the_way_back_acts_in_the_same_scope(capsys: pytest.CaptureFixture[str]) -> None:
    """Named where it was named, in the words of a shell; nothing is said where nothing went."""
    tell_undo("r1", 2, None)
    tell_undo("r1", 2, "acme/ana's")
    tell_undo("r1", 0, None)
    tell_undo("", 2, None)

    assert capsys.readouterr().out.splitlines() == [
        "to take it back: graphmem runs undo r1",
        "to take it back: graphmem runs undo r1 --scope 'acme/ana'\"'\"'s'",
    ]


def test_numbers_are_told_with_their_nouns(capsys: pytest.CaptureFixture[str]) -> None:
    """One, or several."""
    tell_orphans({"Tag": 1, "Community": 2, "Term": 1200}, is_dry_run=False)
    tell_orphans({"Intent": 2}, is_dry_run=True)
    tell_orphans({}, is_dry_run=True)

    assert capsys.readouterr().out.splitlines() == [
        "1 Tag, 2 Communities, 1,200 Terms that led nowhere deleted",
        "2 Intents that led nowhere would be deleted",
    ]


def test_what_is_not_shown_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows beyond those that a person reads; and what is protected, by what."""
    tell_more(20)
    tell_more(1021)
    tell_protected({})
    tell_protected({"pinned": 2, "chain": 1})

    assert capsys.readouterr().out.splitlines() == [
        "and 1,001 more; --json has up to a thousand",
        "protected: 1 chain, 2 pinned",
    ]
