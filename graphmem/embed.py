"""Embedders behind an endpoint, and which embedder the settings name."""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.errors import ConfigError, EmbeddingError, ModelError
from graphmem.per_loop import PerLoop
from graphmem.retry import KeyRing, RetryPolicy, endpoint_error, status_of, transport_retry
from graphmem.vectors import (
    MAX_DIMENSIONS,
    Embedder,
    Purpose,
    RowsError,
    check_vectors,
    embed_each,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from openai import AsyncOpenAI

    Vector = NDArray[np.float32]

__all__ = [
    "Embedder",
    "OpenAIEmbedder",
    "Purpose",
    "create_embedder",
    "embed_each",
]

logger = logging.getLogger(__name__)

_DEFAULT_BASE_URL = "https://api.openai.com/v1"
_BATCH_TEXTS = 64
# About 100,000 tokens of English; the common limit of one request is three times that.
_BATCH_CHARACTERS = 400_000
# A text that is too long is cut to so many characters per token that the endpoint allows:
# English first, then a script with one token a character.
_CHARACTERS_PER_TOKEN = (3, 1)
# Tried when the endpoint does not name its limit: fits 8,000 tokens, then 512.
_CLIPS = (8_000, 500)
_TOO_LONG = re.compile(
    r"context[ _]length|too long|too large|too many tokens|maximum.{0,40}(?:tokens|length)"
    r"|(?:input|sequence|tokens?).{0,60}exceed|exceed.{0,60}(?:tokens?|length|limit)",
    re.IGNORECASE,
)
# The number of tokens that are allowed is the smaller one of those that are told: the other
# is how many were sent. The status, which openai puts in front, is neither.
_STATUS_TOLD = re.compile(r"^Error code: \d+")
_TOKEN_COUNT = re.compile(r"(?<![\d.])\d{3,7}(?![\d.]\d)")
_TEXT_STATUS = frozenset({400, 413, 422})
_SERVER_FAULT = 500
_TOO_LARGE = 413


class OpenAIEmbedder:
    """An embedding model behind an endpoint that speaks OpenAI's protocol.

    Usable from several event loops, one after another or at once: each has a client of its
    own, since connections belong to the loop that opened them.

    Args:
        model: The model's name at the endpoint.
        base_url: The endpoint up to ".../v1"; OpenAI's own by default.
        api_keys: None for a server without keys; several rotate at once on any failure.
        dimensions: Width to ask for and to insist on; None = take what comes, send nothing.
        timeout_s: Seconds that one batch may take, retries included.

    Raises:
        ConfigError: `dimensions` is more than a Neo4j index takes.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_keys: Sequence[SecretStr | str] = (),
        dimensions: int | None = None,
        timeout_s: float = 20.0,
        policy: RetryPolicy | None = None,
    ) -> None:
        if dimensions is not None and not 1 <= dimensions <= MAX_DIMENSIONS:
            raise ConfigError(
                f"GRAPHMEM_EMBEDDING_DIMENSIONS is {dimensions}: a Neo4j vector index takes 1 to "
                f"{MAX_DIMENSIONS}; ask the model for fewer"
            )
        self._base_url = base_url or _DEFAULT_BASE_URL
        # Not the host: a model that moves to another machine gives the same vectors.
        self.provider: str = "openai"
        self._host = urlsplit(self._base_url).netloc.rpartition("@")[2] or self._base_url
        self.model: str = model
        self.dimensions: int | None = dimensions
        self._keys = KeyRing(api_keys)
        self._policy = policy or RetryPolicy(total_s=timeout_s)
        self._what = f"embedding by {model} at {self._host}"
        self._optional: dict[str, object] = {"encoding_format": "float"}
        if dimensions is not None:
            self._optional["dimensions"] = dimensions
        self._longest: int | None = None
        self._clients = PerLoop(self._connect, _disconnect)

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.model!r} at {self._host}, {self._keys!r})"

    async def embed(self, texts: Sequence[str], *, purpose: Purpose = "document") -> Vector:  # noqa: ARG002
        """Return one L2-normalised row a text, in the order of `texts`.

        Args:
            texts: Any number; they are sent in batches. One that is too long for the model
                is cut to what it takes.
            purpose: Makes no difference to these models.

        Raises:
            RowsError: Single texts have no vector.
            EmbeddingError: The endpoint refuses what is in the batch, or breaks over it.
            ModelError: The endpoint cannot be reached, or refuses the key or the model.
        """
        import numpy as np

        rows: list[Vector | EmbeddingError] = []
        for batch in _batches(texts):
            try:
                rows += list(await self._embed_batch(batch))
            except RowsError as error:
                rows += list(error.rows)
        if any(isinstance(row, EmbeddingError) for row in rows):
            raise RowsError(rows)
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimensions or 0)

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self._clients.close()

    async def _embed_batch(self, texts: list[str]) -> Vector:
        tries = iter(range(len(_CLIPS)))
        while True:
            sent = [text[: self._longest] for text in texts]
            try:
                answer = await self._post(sent)
            except _Refused as refused:
                if self._drop_option(refused):
                    continue
                step = next(tries, None) if refused.is_too_long else None
                if step is None:
                    raise self._embedding_error(refused) from None
                self._clip(refused, step)
                continue
            vectors = check_vectors(_vectors(answer, self._what), len(texts), self.dimensions)
            self._learn_width(vectors.shape[1])
            return vectors

    def _learn_width(self, width: int) -> None:
        if width > MAX_DIMENSIONS:
            raise EmbeddingError(
                f"{self._what}: vectors of {width} numbers; a Neo4j index takes "
                f"{MAX_DIMENSIONS}: set GRAPHMEM_EMBEDDING_DIMENSIONS to ask for fewer"
            )
        self.dimensions = width

    def _drop_option(self, refused: _Refused) -> bool:
        # Remembered for this endpoint: the parameter is not sent again. The width is still
        # held to what was asked for.
        named = [name for name in self._optional if name in refused.told]
        for name in named:
            del self._optional[name]
            logger.info("embed.drop_parameter model=%s parameter=%s", self.model, name)
        return bool(named)

    def _clip(self, refused: _Refused, step: int) -> None:
        limit = refused.token_limit
        longest = _CLIPS[step] if limit is None else limit * _CHARACTERS_PER_TOKEN[step]
        self._longest = min(self._longest or longest, longest)
        logger.warning("embed.clip model=%s longest=%d", self.model, self._longest)

    def _embedding_error(self, refused: _Refused) -> EmbeddingError:
        known = endpoint_error(
            refused.cause,
            keys=self._keys,
            what=self._what,
            advice="a text is refused, or the model is not an embedding model",
        )
        return EmbeddingError(str(known), kind="embedding-refused", retryable=known.retryable)

    async def _post(self, texts: list[str]) -> object:
        """Send one batch; raise `_Refused` for what the batch itself may be to blame for."""
        client = await self._clients.get()
        body = {"model": self.model, "input": texts, **self._optional}
        last: list[Exception] = []

        async def call(key: str) -> object:
            try:
                # The raw request: embeddings.create would ask for base64 where no format is
                # named, which some gateways answer wrongly.
                return await client.with_options(api_key=key).post(
                    "/embeddings", cast_to=object, body=body
                )
            except Exception as error:
                last.append(error)
                if len(texts) > 1 and status_of(error) == _SERVER_FAULT:
                    # More often one text that the server breaks over than a server that is
                    # down: `embed_each` halves the batch, which is a retry as well.
                    raise _Refused(error) from None
                raise

        try:
            return await transport_retry(
                call, keys=self._keys, policy=self._policy, what=self._what
            )
        except Exception as error:
            cause = last[-1] if last else error
            status = status_of(cause)
            if status in _TEXT_STATUS or (status or 0) >= _SERVER_FAULT:
                raise _Refused(cause) from None
            if isinstance(error, ModelError):
                raise
            raise endpoint_error(
                error,
                keys=self._keys,
                what=self._what,
                advice="check GRAPHMEM_EMBEDDING_MODEL, _BASE_URL and _API_KEYS",
            ) from None

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            # The key of each request is set by its attempt.
            api_key="no-key",
            base_url=self._base_url,
            timeout=self._policy.total_s,
            max_retries=0,
        )


async def _disconnect(client: AsyncOpenAI) -> None:
    await client.close()


class _Refused(Exception):  # noqa: N818 - a signal inside this module, never seen outside
    """The endpoint refused a batch, or broke over it."""

    def __init__(self, cause: Exception) -> None:
        super().__init__()
        self.cause = cause
        self.told = str(cause)

    @property
    def is_too_long(self) -> bool:
        status = status_of(self.cause)
        return status == _TOO_LARGE or (
            status in _TEXT_STATUS and _TOO_LONG.search(self.told) is not None
        )

    @property
    def token_limit(self) -> int | None:
        told = _STATUS_TOLD.sub("", self.told)
        return min((int(count) for count in _TOKEN_COUNT.findall(told)), default=None)


def create_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name, or None when there shall be none.

    Unset means the local one where its packages are installed. An endpoint is used only when
    its model is named and a base URL or a key is given.

    Raises:
        ConfigError: The settings contradict each other, or a package is not installed.
    """
    from graphmem import local_embedder

    name = (settings.embedding_model or "").strip()
    if not name:
        if settings.embedding_base_url or settings.embedding_api_keys:
            raise ConfigError(
                "an embedding endpoint or key is set, but no model: set GRAPHMEM_EMBEDDING_MODEL "
                "to the model's name there"
            )
        is_installed = local_embedder.is_local_installed()
        return local_embedder.LocalEmbedder() if is_installed else None
    if name == "none":
        return None
    if name == "local" or name.startswith("local:"):
        return local_embedder.LocalEmbedder(name.partition(":")[2] or "minilm")
    if not settings.embedding_base_url and not settings.embedding_api_keys:
        raise ConfigError(
            f"GRAPHMEM_EMBEDDING_MODEL is {name!r}, but neither GRAPHMEM_EMBEDDING_BASE_URL nor "
            "GRAPHMEM_EMBEDDING_API_KEYS is set: give one of them, or use 'local' or 'none'"
        )
    return OpenAIEmbedder(
        name,
        base_url=settings.embedding_base_url,
        api_keys=settings.embedding_api_keys,
        dimensions=settings.embedding_dimensions,
        timeout_s=settings.embedding_timeout_s,
    )


def _batches(texts: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = []
    size = 0
    for text in texts:
        size += len(text)
        if not batches or len(batches[-1]) >= _BATCH_TEXTS or size > _BATCH_CHARACTERS:
            batches.append([])
            size = len(text)
        batches[-1].append(text)
    return batches


def _vectors(answer: object, what: str) -> list[Sequence[float]]:
    """Return the vectors of an answer in the order of its indexes."""
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise EmbeddingError(f"{what}: the answer holds no list of vectors; is it an endpoint?")
    if any("index" in item for item in data):
        data = sorted(data, key=_index)
        if [_index(item) for item in data] != list(range(len(data))):
            raise EmbeddingError(f"{what}: the answer does not number each vector once")
    return [_numbers(item.get("embedding")) for item in data]


def _index(item: dict[str, Any]) -> int:
    index = item.get("index")
    return index if isinstance(index, int) else -1


def _numbers(embedding: object) -> Sequence[float]:
    import numpy as np

    if isinstance(embedding, str):
        # Some gateways answer in base64 whatever was asked for.
        try:
            raw = base64.b64decode(embedding, validate=True)
            return np.frombuffer(raw, dtype="<f4").tolist()  # type: ignore[no-any-return]
        except ValueError:
            return []
    return embedding if isinstance(embedding, list) else []
