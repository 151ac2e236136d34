"""Which models extract and embed. A model is used only when it is named on purpose."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, SecretStr

from graphmem.settings.setting import setting

__all__ = ["ModelSettings"]


class ModelSettings(BaseModel):
    """Which models extract and embed. A model is used only when it is named on purpose."""

    # The extraction model. Used only when it is named on purpose.
    llm_model: str | None = setting(
        None, "GRAPHMEM_LLM_MODEL", "Chat model for extraction; unset = the local extractor."
    )
    llm_base_url: str | None = setting(
        None, "GRAPHMEM_LLM_BASE_URL", "OpenAI-compatible endpoint of that model."
    )
    llm_api_keys: tuple[SecretStr, ...] = setting(
        (), "GRAPHMEM_LLM_API_KEYS", "One key, or several separated by commas; never logged."
    )
    llm_reasoning_effort: str | None = setting(
        None, "GRAPHMEM_LLM_REASONING_EFFORT", "Sent when set: minimal, low, medium, high."
    )
    llm_max_tokens: int | None = setting(
        1024, "GRAPHMEM_LLM_MAX_TOKENS", "Limit of a reply.", unit="tokens", gt=0
    )
    llm_temperature: float | None = setting(
        None, "GRAPHMEM_LLM_TEMPERATURE", "Sent when set.", ge=0, le=2
    )
    llm_structured_output: Literal["auto", "json_schema", "tool", "json_object", "prompt"] = (
        setting(
            "auto",
            "GRAPHMEM_LLM_STRUCTURED_OUTPUT",
            "How a reply's form is asked for; auto = the strictest that the endpoint takes.",
        )
    )
    llm_timeout_s: float = setting(
        60.0, "GRAPHMEM_LLM_TIMEOUT_S", "Deadline of one extraction call.", unit="s", gt=0
    )
    llm_concurrency: int = setting(
        4, "GRAPHMEM_LLM_CONCURRENCY", "Extraction calls at once.", gt=0, le=256
    )
    # The embedder.
    embedding_model: str | None = setting(
        None,
        "GRAPHMEM_EMBEDDING_MODEL",
        "'local', 'none', or a model's name at an endpoint; unset = local where installed.",
    )
    embedding_base_url: str | None = setting(
        None, "GRAPHMEM_EMBEDDING_BASE_URL", "OpenAI-compatible endpoint of that model."
    )
    embedding_api_keys: tuple[SecretStr, ...] = setting(
        (), "GRAPHMEM_EMBEDDING_API_KEYS", "One key, or several separated by commas; never logged."
    )
    embedding_dimensions: int | None = setting(
        None,
        "GRAPHMEM_EMBEDDING_DIMENSIONS",
        "Width of its vectors.",
        unit="numbers",
        ge=1,
        le=4096,
    )
    embedding_timeout_s: float = setting(
        20.0, "GRAPHMEM_EMBEDDING_TIMEOUT_S", "Deadline of one embedding call.", unit="s", gt=0
    )
    on_embedder_mismatch: Literal["error", "text"] = setting(
        "error",
        None,
        "What opening does when the store is locked to another embedder: fail, or go on by text.",
    )
