"""Which conflict pipeline holds now: by settings, embedder, and the packs that were given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from graphmem.graph.conflict.locales.pack import LocalePack
from graphmem.graph.conflict.locales.shipped import shipped_packs
from graphmem.graph.conflict.model import Thresholds
from graphmem.graph.conflict.profiles import thresholds_for
from graphmem.graph.conflict.resolve import ConflictPipeline

if TYPE_CHECKING:
    from graphmem.config import Settings
    from graphmem.live_settings import SettingsHolder

__all__ = ["Conflicts"]


class _Embedder(Protocol):
    """Who tells under which embedder the vectors of the store are."""

    @property
    def embedder_id(self) -> str: ...


class Conflicts:
    """Makes the pipeline, and makes it anew when a setting or the embedder changed."""

    def __init__(
        self, packs: Sequence[LocalePack], holder: SettingsHolder, embedder: _Embedder
    ) -> None:
        self._packs = tuple(packs)
        self._holder = holder
        self._embedder = embedder
        self._made: tuple[tuple[Settings, str], ConflictPipeline] | None = None
        # A fault of the settings comes at the start, not with the first statement.
        _ = self.pipeline

    @property
    def pipeline(self) -> ConflictPipeline:
        """The pipeline of now.

        Raises:
            ConfigError: A locale is not shipped, or a predicate is declared both ways.
        """
        settings, embedder_id = self._holder.current, self._embedder.embedder_id
        known = self._made
        if known is None or known[0][0] is not settings or known[0][1] != embedder_id:
            made = ConflictPipeline(
                (*self._packs, *shipped_packs(settings.conflict_locales)),
                mode=settings.conflict_mode,
                thresholds=_thresholds(settings.conflict_thresholds, embedder_id),
                hot=settings.conflict_hot,
                functional=settings.functional_predicates,
                multi=settings.multi_predicates,
            )
            known = self._made = ((settings, embedder_id), made)
        return known[1]


def _thresholds(declared: Mapping[str, float] | None, embedder_id: str) -> Thresholds | None:
    return thresholds_for(embedder_id) if declared is None else Thresholds(**declared)
