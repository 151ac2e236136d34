"""Every setting, and the only reader of the environment.

Each field tells its unit, the environment variable it is read from, and whether a change
applies at once (hot) or at the next start (restart). `graphmem doctor` and docs/settings.md
print the same table (settings_table.py).
"""

from __future__ import annotations

import os
import tempfile
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import (
    ConfigDict,
    ValidationError,
    field_validator,
)

from graphmem.errors import ConfigError, InputError
from graphmem.settings.graph import GraphSettings
from graphmem.settings.maintain import MaintainSettings
from graphmem.settings.models import ModelSettings
from graphmem.settings.recall import RecallSettings
from graphmem.settings.setting import extra_of
from graphmem.settings.store import StoreSettings

__all__ = [
    "Settings",
    "check_scope",
    "child_environment",
    "tokenizer_cache",
]

_MAX_SCOPE_LENGTH = 200


class Settings(
    # Fields come in the order of the last one to the first.
    RecallSettings,
    MaintainSettings,
    GraphSettings,
    ModelSettings,
    StoreSettings,
):
    """How one memory behaves; frozen: a change makes a new value (see `SettingsHolder`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("scope")
    @classmethod
    def _scope_is_sound(cls, value: str) -> str:
        try:
            return check_scope(value)
        except InputError as error:
            raise ValueError(str(error)) from error

    @field_validator("llm_base_url", "embedding_base_url")
    @classmethod
    def _address_holds_no_key(cls, value: str | None) -> str | None:
        # Addresses are shown and logged.
        if value is not None and "@" in value.partition("://")[2].partition("/")[0]:
            raise ValueError(
                "it holds a user name or password; it is an address alone, and keys go into "
                "GRAPHMEM_LLM_API_KEYS and GRAPHMEM_EMBEDDING_API_KEYS"
            )
        return value

    @field_validator("llm_api_keys", "embedding_api_keys", mode="before")
    @classmethod
    def _split_keys(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> Settings:
        """Read the settings from the environment.

        Args:
            environ: Read this mapping instead of the process's environment.
            overrides: Fields by name; they win. One that is None counts as not given.

        Returns:
            The settings. An empty variable counts as unset, but an empty GRAPHMEM_SCOPE is
            an error: nobody means everybody by it.

        Raises:
            ConfigError: A value is out of range or a field is unknown; each is named.
        """
        source = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for name, field in cls.model_fields.items():
            env = extra_of(field)["env"]
            if env is None or env not in source:
                continue
            if source[env].strip() or name == "scope":
                values[name] = source[env]
        values.update({key: value for key, value in overrides.items() if value is not None})
        return cls.checked(values)

    @classmethod
    def checked(cls, values: Mapping[str, Any]) -> Settings:
        """Return settings from `values`, or raise one ConfigError that names each fault."""
        try:
            return cls(**values)
        except ValidationError as error:
            faults = "; ".join(_fault(cls, dict(entry)) for entry in error.errors())
            raise ConfigError(f"settings: {faults}") from None


def _fault(cls: type[Settings], entry: dict[str, Any]) -> str:
    # The value itself is left out: it may be a key or a password.
    name = str(entry["loc"][0]) if entry["loc"] else "?"
    field = cls.model_fields.get(name)
    if field is None:
        return f"{name} is no setting; see docs/settings.md for the list"
    env = extra_of(field)["env"]
    told = f"{name} ({env})" if env else name
    # What a check of ours says comes with pydantic's own word for it in front.
    return f"{told}: {entry['msg'].removeprefix('Value error, ')}"


def tokenizer_cache() -> Path:
    """Return the folder in which tiktoken keeps the tables that it has fetched."""
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if folder := os.environ.get(name):
            return Path(folder)
    return Path(tempfile.gettempdir()) / "data-gym-cache"


def child_environment() -> dict[str, str]:
    """Return the environment for Java: this process's, without what is not meant for it.

    Options for other Java programs would change the server, and keys are not its business.
    """
    foreign = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH"}
    private = ("NEO4J_", "GRAPHMEM_", "OPENAI_")
    return {
        name: value
        for name, value in os.environ.items()
        if name not in foreign and not name.startswith(private)
    }


def check_scope(scope: str) -> str:
    """Return `scope` when it can be one.

    Args:
        scope: The owner of a memory, such as "acme/ana": 1 to 200 characters, no control
            characters, not only blanks. It is taken to the letter: "a" and "A" are two.

    Raises:
        InputError: It cannot be a scope.
    """
    if not isinstance(scope, str):
        raise InputError(f"a scope must be text, got {type(scope).__name__}")
    if not scope.strip():
        raise InputError("a scope must not be empty: name the owner, for instance 'acme/ana'")
    if len(scope) > _MAX_SCOPE_LENGTH:
        raise InputError(f"a scope has at most {_MAX_SCOPE_LENGTH} characters, got {len(scope)}")
    if any(unicodedata.category(char) in ("Cc", "Cs") for char in scope):
        raise InputError("a scope must not contain control characters or lone surrogates")
    return scope
