"""Texts to vectors in the store's active slot; knows when the embedder is down, and asks again."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from graphmem.embed import embed_each
from graphmem.embedder_lock import EmbedderInfo, register_embedder
from graphmem.errors import EmbeddingError, ModelError
from graphmem.schema import prepare

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from graphmem.clock import Clock
    from graphmem.db import Database
    from graphmem.embed import Embedder
    from graphmem.models import Calibration

__all__ = ["Vectoriser"]

logger = logging.getLogger(__name__)

State = Literal["ready", "down", "none", "mismatch"]

# After a failure the embedder is left alone for so long: each recall in between answers by
# text at once instead of waiting for the same time-out.
_REST_S = 30.0
# Names repeat from turn to turn: as many short texts as fit in about 12 MB of 384 floats.
_CACHE_ENTRIES = 8192
_CACHED_LENGTH = 80


class Vectoriser:
    """The embedder of a store: registered, and remembered to be down while it is.

    Attributes:
        slot: "a" or "b", where its vectors live; None until it is registered.
        embedder_id: "provider:model@dimensions"; "" until it is registered.
        state: "ready", "down" (asked again after 30 s), "none", or "mismatch" (the store is
            locked to another one and `on_mismatch` is "text").
        calibration: What its cosines mean, None until that was measured.
    """

    def __init__(
        self,
        db: Database,
        embedder: Embedder | None,
        *,
        on_mismatch: Literal["error", "text"],
        clock: Clock,
    ) -> None:
        self._db = db
        self._embedder = embedder
        self._clock = clock
        self._on_mismatch: Literal["error", "text"] = on_mismatch
        self._down_until = 0.0
        self._registering = asyncio.Lock()
        self._cache: OrderedDict[str, NDArray[float32]] = OrderedDict()
        self.slot: str | None = None
        self.embedder_id = ""
        self.calibration: Calibration | None = None
        self.state: State = "none" if embedder is None else "down"

    @property
    def embedder(self) -> Embedder | None:
        """The embedder itself, None when the setting says none."""
        return self._embedder

    async def open(self) -> None:
        """Make the schema, and register the embedder when its width is known or can be asked.

        Raises:
            EmbedderRegistrationError: The store is locked to another embedder.
            SchemaError: A constraint or an index cannot be as graphmem needs it.
        """
        await prepare(self._db, None)
        if self._embedder is not None:
            await self._register(EmbedderInfo.of(self._embedder))
            if self.slot is None and self.state != "mismatch":
                await self._ask_width()

    async def is_up(self) -> bool:
        """Return whether the embedder may be asked now, registering it where that is due."""
        if self._embedder is None or self.state == "mismatch":
            return False
        if self.state == "down" and time.monotonic() < self._down_until:
            return False
        if self.slot is None:
            await self._ask_width()
        return self.slot is not None

    async def query(self, text: str) -> NDArray[float32] | None:
        """Return the vector of a question, or None when the vector leg cannot take part."""
        found = await self._embed([text], "query")
        return found.get(text)

    async def queries(self, texts: Sequence[str]) -> dict[str, NDArray[float32]]:
        """Return vectors of questions by text; one that could not be embedded is not there."""
        return await self._embed(list(dict.fromkeys(texts)), "query")

    async def documents(self, texts: Sequence[str]) -> dict[str, NDArray[float32]]:
        """Return vectors by text; a text that could not be embedded is not among them."""
        wanted = dict.fromkeys(texts)
        known = {text: self._cache[text] for text in wanted if text in self._cache}
        missing = [text for text in wanted if text not in known]
        fresh = await self._embed(missing, "document") if missing else {}
        for text, vector in fresh.items():
            if len(text) <= _CACHED_LENGTH:
                self._cache[text] = vector
        while len(self._cache) > _CACHE_ENTRIES:
            self._cache.popitem(last=False)
        return {**known, **fresh}

    async def close(self) -> None:
        """Let go of the embedder's connections."""
        if self._embedder is not None:
            await self._embedder.close()

    async def _embed(
        self, texts: Sequence[str], purpose: Literal["document", "query"]
    ) -> dict[str, NDArray[float32]]:
        if self._embedder is None or not await self.is_up():
            return {}
        try:
            rows = await embed_each(self._embedder, texts, purpose=purpose)
        except ModelError as error:
            self._rest(error)
            return {}
        self.state = "ready"
        good: dict[str, NDArray[float32]] = {}
        for text, row in zip(texts, rows, strict=True):
            if isinstance(row, EmbeddingError):
                logger.warning("embed.refuse kind=%s length=%d", row.kind, len(text))
            else:
                good[text] = row
        return good

    async def _ask_width(self) -> None:
        """Learn the width from one call, then register; leave the embedder resting otherwise."""
        assert self._embedder is not None  # noqa: S101 - callers checked
        async with self._registering:
            if self.slot is not None:
                return
            try:
                (row,) = await embed_each(self._embedder, ["width"])
            except ModelError as error:
                self._rest(error)
                return
            if isinstance(row, EmbeddingError):
                self._rest(row)
                return
            width = len(row)
            embedder = self._embedder
            await self._register(EmbedderInfo(embedder.provider, embedder.model, width))

    async def _register(self, info: EmbedderInfo) -> None:
        active = await register_embedder(self._db, info, self._on_mismatch, clock=self._clock)
        if not active.embedder_id:
            return
        self.embedder_id = active.embedder_id
        if not active.is_usable:
            self.state = "mismatch"
            return
        width = EmbedderInfo(info.provider, info.model, active.dimensions)
        await prepare(self._db, width, slot=active.slot)
        self.slot, self.state = active.slot, "ready"
        self.calibration = active.calibration
        logger.info("embed.register embedder=%s slot=%s", self.embedder_id, self.slot)

    def _rest(self, error: ModelError) -> None:
        if self.state != "down":
            logger.warning("embed.down kind=%s rest_s=%d", error.kind, _REST_S)
        self.state = "down"
        self._down_until = time.monotonic() + _REST_S
