"""The rule by which a batch that the server refuses as too large is cut."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from graphmem.capture.intake import draft_turn
from graphmem.capture.store import capture
from graphmem.db import Database
from graphmem.errors import StoreError

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class TightStore:
    """Takes so many turns in one transaction, and refuses more as a server short of memory does."""

    def __init__(self, most: int, kind: str = "transaction-too-large") -> None:
        self.batches: list[int] = []
        self._most = most
        self._kind = kind

    async def run_together(self, statements: Any) -> list[list[dict[str, Any]]]:
        """Note how many turns were taken."""
        ids = statements[-1][1]["turn_ids"]
        if len(ids) > self._most:
            raise StoreError("too much", kind=self._kind)
        self.batches.append(len(ids))
        return [[], [{"id": turn_id, "seq": 1} for turn_id in ids], []]


async def commit(store: TightStore, count: int) -> list[str]:
    """Capture so many turns and return the keys' order by their ids."""
    drafts = [draft_turn("x", scope="s", now=NOW, turn_key=str(n)) for n in range(count)]
    captured = await capture(cast("Database", store), "s", drafts, language="english", now=NOW)
    assert [draft.id for draft in drafts] == [row.turn_id for row in captured]
    return [row.turn_id for row in captured]


async def test_a_batch_that_is_too_much_is_cut_in_halves() -> None:
    """Until it fits; results keep their order."""
    store = TightStore(most=3)

    await commit(store, 10)

    assert [2, 3, 2, 3] == store.batches


async def test_a_turn_that_is_too_much_alone_is_told() -> None:
    """It cannot be cut."""
    store = TightStore(most=0)

    with pytest.raises(StoreError):
        await commit(store, 1)


async def test_other_faults_are_not_tried_in_pieces() -> None:
    """They would fail as well."""
    store = TightStore(most=3, kind="unreachable")

    with pytest.raises(StoreError):
        await commit(store, 10)

    assert [] == store.batches
