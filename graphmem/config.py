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
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    SecretStr,
    ValidationError,
    field_validator,
)

from graphmem.errors import ConfigError, InputError
from graphmem.weights import WeightMap, conflict_zones, field_weights, link_weights, part_weights

__all__ = [
    "Settings",
    "check_scope",
    "child_environment",
    "extra_of",
    "tokenizer_cache",
]

_MAX_SCOPE_LENGTH = 200


def _setting(
    default: Any,
    env: str | None,
    doc: str,
    *,
    hot: bool = False,
    unit: str = "",
    **bounds: Any,
) -> Any:
    return Field(
        default=default,
        description=doc,
        json_schema_extra={"env": env, "hot": hot, "unit": unit},
        **bounds,
    )


# Partial mappings become whole ones: what is not named weighs what was measured.
_PartWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(part_weights), PlainSerializer(dict)
]
_FieldWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(field_weights), PlainSerializer(dict)
]
_Zones = Annotated[InstanceOf[WeightMap], BeforeValidator(conflict_zones), PlainSerializer(dict)]
_LinkWeights = Annotated[
    InstanceOf[WeightMap], BeforeValidator(link_weights), PlainSerializer(dict)
]


class Settings(BaseModel):
    """How one memory behaves; frozen: a change makes a new value (see `SettingsHolder`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # The database.
    neo4j_uri: str | None = _setting(
        None, "NEO4J_URI", "Address of a Neo4j server; unset = the managed local server."
    )
    neo4j_username: str = _setting("neo4j", "NEO4J_USERNAME", "User name at that server.")
    neo4j_password: SecretStr | None = _setting(
        None, "NEO4J_PASSWORD", "Password at that server; never logged."
    )
    neo4j_database: str | None = _setting(
        None, "NEO4J_DATABASE", "Database at that server; unset = the user's home database."
    )
    scope: str = _setting(
        "default", "GRAPHMEM_SCOPE", "Whose memory calls act in when none is named."
    )

    # The managed server.
    home: Path | None = _setting(
        None, "GRAPHMEM_HOME", "Folder of the managed server; unset = the user's data folder."
    )
    server_jars: Path | None = _setting(
        None, "GRAPHMEM_JARS", "Folder of the server's jars; unset = `jars` inside the home."
    )
    server_heap: str = _setting(
        "1g", "GRAPHMEM_SERVER_HEAP", "Java heap of the managed server.", unit="512m, 1g …"
    )
    server_page_cache: str = _setting(
        "256m", "GRAPHMEM_SERVER_PAGE_CACHE", "Page cache of the managed server.", unit="256m …"
    )
    jar_repository: str | None = _setting(
        None, "GRAPHMEM_JAR_REPOSITORY", "Repository to fetch jars from instead of the default."
    )

    # The extraction model. Used only when it is named on purpose.
    llm_model: str | None = _setting(
        None, "GRAPHMEM_LLM_MODEL", "Chat model for extraction; unset = the local extractor."
    )
    llm_base_url: str | None = _setting(
        None, "GRAPHMEM_LLM_BASE_URL", "OpenAI-compatible endpoint of that model."
    )
    llm_api_keys: tuple[SecretStr, ...] = _setting(
        (), "GRAPHMEM_LLM_API_KEYS", "One key, or several separated by commas; never logged."
    )
    llm_reasoning_effort: str | None = _setting(
        None, "GRAPHMEM_LLM_REASONING_EFFORT", "Sent when set: minimal, low, medium, high."
    )
    llm_max_tokens: int | None = _setting(
        1024, "GRAPHMEM_LLM_MAX_TOKENS", "Limit of a reply.", unit="tokens", gt=0
    )
    llm_temperature: float | None = _setting(
        None, "GRAPHMEM_LLM_TEMPERATURE", "Sent when set.", ge=0, le=2
    )
    llm_structured_output: Literal["auto", "json_schema", "tool", "json_object", "prompt"] = (
        _setting(
            "auto",
            "GRAPHMEM_LLM_STRUCTURED_OUTPUT",
            "How a reply's form is asked for; auto = the strictest that the endpoint takes.",
        )
    )
    llm_timeout_s: float = _setting(
        60.0, "GRAPHMEM_LLM_TIMEOUT_S", "Deadline of one extraction call.", unit="s", gt=0
    )
    llm_concurrency: int = _setting(
        4, "GRAPHMEM_LLM_CONCURRENCY", "Extraction calls at once.", gt=0, le=256
    )

    # The embedder.
    embedding_model: str | None = _setting(
        None,
        "GRAPHMEM_EMBEDDING_MODEL",
        "'local', 'none', or a model's name at an endpoint; unset = local where installed.",
    )
    embedding_base_url: str | None = _setting(
        None, "GRAPHMEM_EMBEDDING_BASE_URL", "OpenAI-compatible endpoint of that model."
    )
    embedding_api_keys: tuple[SecretStr, ...] = _setting(
        (), "GRAPHMEM_EMBEDDING_API_KEYS", "One key, or several separated by commas; never logged."
    )
    embedding_dimensions: int | None = _setting(
        None,
        "GRAPHMEM_EMBEDDING_DIMENSIONS",
        "Width of its vectors.",
        unit="numbers",
        ge=1,
        le=4096,
    )
    embedding_timeout_s: float = _setting(
        20.0, "GRAPHMEM_EMBEDDING_TIMEOUT_S", "Deadline of one embedding call.", unit="s", gt=0
    )
    on_embedder_mismatch: Literal["error", "text"] = _setting(
        "error",
        None,
        "What opening does when the store is locked to another embedder: fail, or go on by text.",
    )

    # Capture, extraction and recall.
    language: str = _setting(
        "english",
        "GRAPHMEM_LANGUAGE",
        "Language of stop words and stemming ('none' = neither); CJK works beside each.",
    )
    conflict_mode: Literal["on", "off"] = _setting(
        "on",
        "GRAPHMEM_CONFLICT_MODE",
        "Whether statements are compared with what is known before they become facts.",
        hot=True,
    )
    conflict_thresholds: _Zones | None = _setting(
        None,
        None,
        "Where the zones hot, near_dup and cold begin; unset = what is known of the embedder.",
        unit="raw cosine",
        hot=True,
    )
    conflict_hot: Literal["guarded", "always"] = _setting(
        "guarded",
        None,
        "What the hot zone does: dedup unless numbers, names or polarity differ, or always.",
        hot=True,
    )
    conflict_locales: tuple[str, ...] = _setting(
        ("en", "de"), None, "Shipped locale packs, besides those given at opening.", hot=True
    )
    functional_predicates: tuple[str, ...] = _setting(
        (), None, "Predicates that have one object at a time, besides the packs'.", hot=True
    )
    multi_predicates: tuple[str, ...] = _setting(
        (), None, "Predicates that may have several objects, whatever else is known.", hot=True
    )
    extraction_enabled: bool = _setting(
        True, None, "Whether captured turns are extracted; while off they wait.", hot=True
    )
    recall_enabled: bool = _setting(
        True, None, "Whether recall answers; while off it returns nothing, and says so.", hot=True
    )
    recall_max_turns: int = _setting(
        6, None, "Turns in an answer when no limit is given.", hot=True, ge=0, le=1000
    )
    semantic_threshold: float = _setting(
        0.0,
        None,
        "Turns that only the vector leg found need at least this raw cosine.",
        hot=True,
        ge=-1,
        le=1,
    )
    recall_max_facts: int = _setting(
        12, None, "The most facts in an answer.", hot=True, ge=0, le=1000
    )
    recall_fusion: Literal["weighted", "rrf"] = _setting(
        "weighted",
        None,
        "How the parts become one order: their weighted sum, or reciprocal ranks (k = 60).",
        hot=True,
    )
    recall_weights: _PartWeights = _setting(
        part_weights(),
        None,
        "What each part of a score weighs; parts that are not named keep these.",
        hot=True,
    )
    field_weights: _FieldWeights = _setting(
        field_weights(),
        None,
        "How often a word counts in each field of a turn; fields that are not named keep these.",
        hot=True,
    )
    link_weights: _LinkWeights = _setting(
        link_weights(),
        None,
        "What each link carries in the walk; links that are not named keep these.",
        hot=True,
    )
    pagerank_engine: Literal["cypher", "gds"] = _setting(
        "cypher",
        None,
        "What runs the PageRank of a recall: Cypher, or the Graph Data Science library.",
        hot=True,
    )
    recall_narrow: bool = _setting(
        True,
        None,
        "Whether communities narrow the walk; nothing changes where there are none.",
        hot=True,
    )
    recall_value_weight: float = _setting(
        0.05,
        None,
        "How much of a score what usage says may take away: recency, frequency, rewards.",
        hot=True,
        ge=0,
        le=1,
    )
    recall_abstains: bool = _setting(
        False, None, "Whether an answer in which nothing is reliable comes empty.", hot=True
    )
    record_usage: bool = _setting(
        True, None, "Whether answers are counted on the turns and facts in them.", hot=True
    )
    rerank_depth: int = _setting(
        30, None, "Turns that a reranker orders anew, where one is set.", hot=True, ge=1, le=1000
    )
    rerank_timeout_s: float = _setting(
        5.0, None, "The longest wait for it; then the order stays.", unit="s", hot=True, gt=0
    )
    undo_window_days: float = _setting(
        7.0,
        None,
        "How long what upkeep removed can be taken back; then it is deleted for good.",
        unit="days",
        hot=True,
        ge=0,
        le=3650,
    )
    tokenizer: str = _setting(
        "auto",
        "GRAPHMEM_TOKENIZER",
        "What counts a packet's tokens: 'estimate', the name of a tiktoken encoding, or 'auto': "
        "tiktoken where its table is on this machine, else the estimate.",
        min_length=1,
    )
    strict_items: bool = _setting(
        False, None, "Quarantine a turn for a single bad item in its reply, too."
    )
    reference_summaries: int = _setting(
        0,
        None,
        "Earlier summaries of the session shown to the extractor to resolve references.",
        hot=True,
        ge=0,
        le=20,
    )
    resume_at_open: bool = _setting(
        True,
        None,
        "Whether opening takes up turns that wait in its scope; else the first use does.",
    )
    warm_up: bool = _setting(
        True, None, "Whether opening has the server plan what a recall asks, in the background."
    )
    close_timeout_s: float = _setting(
        30.0, None, "How long close() waits for turns; the rest stays pending.", unit="s", ge=0
    )

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


def extra_of(field: Any) -> dict[str, Any]:
    """Return what a field tells of itself: "env", "hot" and "unit"."""
    extra: dict[str, Any] = field.json_schema_extra
    return extra


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
