"""An answer for programs without an event loop."""

from __future__ import annotations

from typing import Self

from pydantic import PrivateAttr

from graphmem.explanation import Asking, AsyncRecall, Explanation, reasons_of
from graphmem.models import Recall
from graphmem.sync.loop import BackgroundLoop

__all__ = ["SyncRecall"]


class SyncRecall(Recall):
    """A recall that can be asked why each turn came."""

    _explain: Asking[Explanation] | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, inner: AsyncRecall, loop: BackgroundLoop) -> Self:
        """Return the same recall for a caller without a loop."""
        recall = cls(**dict(inner))
        recall._render = inner._render  # noqa: SLF001 - of the class above both
        recall._explain = Asking(lambda _: loop.run(inner.explain()))
        return recall

    def explain(self) -> Explanation:
        """Return why each turn came: its factors, and the paths in the graph that lead to it."""
        if self._explain is None:
            return reasons_of(self)
        return self._explain(self)
