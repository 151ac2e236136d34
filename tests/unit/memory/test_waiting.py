"""What a turn that waited takes along when it is taken up."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.graph.pending import PendingTurn
from graphmem.models import Extraction, Message, Turn
from graphmem.pipeline import _with_given

AT = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_turn_with_its_extraction_keeps_when_it_came() -> None:
    """A fact that was forgotten since is not stated anew by it."""
    turn = Turn(
        id="t",
        session_id="s",
        at=AT,
        seq=1,
        recorded_at=AT,
        text="user: hello",
        messages=(Message(role="user", content="hello"),),
    )

    taken = _with_given(PendingTurn(scope="a", turn=turn, given=Extraction(summary="x")))

    assert AT == taken.recorded_at
