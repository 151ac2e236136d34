"""Settings: read once, checked at once, changed while running only where that is safe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem import ConfigError, InputError, Settings
from graphmem.config import check_scope
from graphmem.live_settings import SettingsHolder
from graphmem.settings_table import describe_settings


def test_an_empty_environment_gives_the_defaults() -> None:
    """Nothing needs to be set."""
    assert Settings() == Settings.from_env({})


def test_a_variable_is_read_and_an_override_wins() -> None:
    """What a caller names stands over the environment."""
    environ = {"GRAPHMEM_LANGUAGE": "german", "NEO4J_URI": "bolt://127.0.0.1:1"}

    settings = Settings.from_env(environ, language="none", scope=None)

    assert ("none", "bolt://127.0.0.1:1", "default") == (
        settings.language,
        settings.neo4j_uri,
        settings.scope,
    )


def test_an_empty_variable_counts_as_unset() -> None:
    """`NEO4J_URI=` in a shell means that there is none."""
    assert Settings.from_env({"NEO4J_URI": " "}).neo4j_uri is None


def test_an_empty_scope_is_an_error() -> None:
    """A scope variable that was never filled in must not mean everybody."""
    with pytest.raises(ConfigError, match="GRAPHMEM_SCOPE"):
        Settings.from_env({"GRAPHMEM_SCOPE": ""})


def test_keys_are_split_at_commas_and_trimmed() -> None:
    """Empty parts are dropped."""
    settings = Settings.from_env({"GRAPHMEM_LLM_API_KEYS": " k1 , , k2 "})

    assert ["k1", "k2"] == [key.get_secret_value() for key in settings.llm_api_keys]


def test_secrets_are_in_no_text_of_the_settings() -> None:
    """Neither repr nor a dump shows a key or a password."""
    settings = Settings.from_env(
        {"GRAPHMEM_LLM_API_KEYS": "sk-canary-1", "NEO4J_PASSWORD": "canary-2"}
    )

    told = repr(settings) + str(settings) + settings.model_dump_json()

    assert "canary" not in told


def test_a_fault_names_field_and_variable_but_not_the_value() -> None:
    """The value may be a secret that went into the wrong variable."""
    with pytest.raises(ConfigError) as caught:
        Settings.from_env({"GRAPHMEM_LLM_TIMEOUT_S": "canary"})

    assert "llm_timeout_s (GRAPHMEM_LLM_TIMEOUT_S)" in str(caught.value)
    assert "canary" not in str(caught.value)


def test_all_faults_are_told_at_once() -> None:
    """One run shows everything that is to be mended."""
    with pytest.raises(ConfigError, match=r"llm_concurrency.*; recall_max_turns"):
        Settings.from_env({"GRAPHMEM_LLM_CONCURRENCY": "0"}, recall_max_turns=-1)


def test_an_unknown_setting_is_named() -> None:
    """A misspelt one is no silent default."""
    with pytest.raises(ConfigError, match="recal_enabled is no setting"):
        Settings.from_env({}, recal_enabled=True)


def test_a_hot_setting_changes_at_once() -> None:
    """The holder's value is the one that holds from then on."""
    holder = SettingsHolder(Settings())

    holder.update(recall_max_turns=3)

    assert 3 == holder.current.recall_max_turns


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"language": "german"}, "next start"),
        ({"recall_max_turns": 1001}, "recall_max_turns"),
        ({"no_such": 1}, "no setting"),
    ],
)
def test_a_change_that_cannot_be_leaves_everything_as_it_was(
    changes: dict[str, object], told: str
) -> None:
    """Restart settings, values out of range and unknown names are refused."""
    holder = SettingsHolder(Settings())

    with pytest.raises(ConfigError, match=told):
        holder.update(recall_enabled=False, **changes)

    assert Settings() == holder.current


def test_each_setting_tells_what_it_is() -> None:
    """The table has a line for each, and each line has a text."""
    rows = describe_settings()

    assert list(Settings.model_fields) == [row.name for row in rows]
    assert all(row.doc for row in rows)


@pytest.mark.parametrize("scope", ["", " ", "a\nb", "a\x00", "x" * 201, "half \ud83d", 7, None])
def test_what_cannot_be_a_scope_is_refused(scope: object) -> None:
    """Empty, too long, control characters, no text at all."""
    with pytest.raises(InputError, match="scope"):
        check_scope(scope)  # type: ignore[arg-type]


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=200))
def test_any_other_text_is_taken_to_the_letter(scope: str) -> None:
    """No trimming, no folding: two spellings are two scopes."""
    if scope.strip():
        assert scope == check_scope(scope)


@pytest.mark.parametrize("name", ["llm_base_url", "embedding_base_url"])
def test_an_address_that_holds_a_key_is_refused(name: str) -> None:
    """Addresses are shown and logged; the error does not show this one."""
    with pytest.raises(ConfigError, match="API_KEYS") as caught:
        Settings.from_env({}, **{name: "https://ana:sk-secret@models.example/v1"})

    assert "sk-secret" not in str(caught.value)


def test_an_at_sign_in_a_path_is_no_key() -> None:
    """Some gateways name models like that."""
    url = "https://models.example/@gateway/v1"

    assert url == Settings.from_env({}, llm_base_url=url).llm_base_url
