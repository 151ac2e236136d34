"""Which embedder the settings name."""

from __future__ import annotations

import pytest

from graphmem import local_embedder
from graphmem.config import Settings
from graphmem.embed import OpenAIEmbedder, create_embedder
from graphmem.errors import ConfigError
from graphmem.local_embedder import LocalEmbedder


@pytest.mark.parametrize("model", [None, "local", "local:minilm"])
def test_the_local_one_is_the_default(model: str | None) -> None:
    """Unset and 'local' are the same where its packages are installed."""
    assert isinstance(create_embedder(Settings(embedding_model=model)), LocalEmbedder)


def test_unset_means_none_where_local_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base installation works by text alone."""
    monkeypatch.setattr(local_embedder, "is_local_installed", lambda: False)

    assert create_embedder(Settings()) is None


def test_none_is_a_setting() -> None:
    """No vectors, on purpose."""
    assert create_embedder(Settings(embedding_model="none")) is None


@pytest.mark.parametrize(
    "given", [{"embedding_base_url": "http://localhost:1/v1"}, {"embedding_api_keys": "sk-a,sk-b"}]
)
def test_a_named_model_with_a_key_or_an_endpoint_is_used(given: dict[str, str]) -> None:
    """A local server needs no key, the default endpoint no address."""
    embedder = create_embedder(Settings.from_env({}, embedding_model="m", **given))

    assert isinstance(embedder, OpenAIEmbedder)
    assert ("openai", "m", None) == (embedder.provider, embedder.model, embedder.dimensions)


def test_a_named_model_alone_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that lies about in the environment switches nothing on."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-lying-about")

    with pytest.raises(ConfigError, match="GRAPHMEM_EMBEDDING_BASE_URL"):
        create_embedder(Settings.from_env(embedding_model="text-embedding-3-small"))


def test_an_endpoint_without_a_model_is_an_error() -> None:
    """Half a setting is told, not ignored."""
    with pytest.raises(ConfigError, match="GRAPHMEM_EMBEDDING_MODEL"):
        create_embedder(Settings(embedding_base_url="http://localhost:1/v1"))
