"""Weights: partial changes over what was measured, and nothing that is no weight."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem import ConfigError, Settings
from graphmem.live_settings import SettingsHolder
from graphmem.weights import LINK_WEIGHTS, VALUE_KNOBS, WeightMap, Weights


def test_what_is_not_named_keeps_its_measured_weight() -> None:
    """A change of one part says nothing of the others, and so with links."""
    settings = Settings(recall_weights={"graph": 0}, link_weights={"NEXT": 2})

    assert Weights(graph=0.0) == Weights(**settings.recall_weights)
    assert {**LINK_WEIGHTS, "NEXT": 2.0} == settings.link_weights


def test_a_change_starts_from_what_was_measured_and_not_from_the_last_one() -> None:
    """An ablation that switches one part off after another has one off at a time."""
    holder = SettingsHolder(Settings())
    holder.update(recall_weights={"graph": 0})

    holder.update(recall_weights={"text": 0})

    assert Weights(text=0.0) == Weights(**holder.current.recall_weights)


@pytest.mark.parametrize("name", ["recall_weights", "link_weights", "field_weights"])
@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"no_such": 1.0}, "no_such"),
        ({"KNOWN": -0.1}, "0 to 1,000"),
        ({"KNOWN": float("nan")}, "0 to 1,000"),
        ({"KNOWN": float("inf")}, "0 to 1,000"),
        ({"KNOWN": 10**400}, "0 to 1,000"),
        ({"KNOWN": True}, "bool"),
        ({"KNOWN": "1"}, "str"),
        ([("KNOWN", 1)], "mapping"),
    ],
)
def test_what_is_no_weight_is_refused(name: str, weights: Any, told: str) -> None:
    """Unknown names, no numbers, and numbers that no score survives; the setting is named."""
    known = {"recall_weights": "graph", "link_weights": "NEXT", "field_weights": "answer"}[name]
    if isinstance(weights, dict):
        weights = {key.replace("KNOWN", known): value for key, value in weights.items()}

    with pytest.raises(ConfigError, match=told) as caught:
        Settings.checked({name: weights})

    assert str(caught.value).startswith(f"settings: {name}")


def test_settings_with_weights_stay_values() -> None:
    """Equal ones have one hash, and nobody can change theirs."""
    one, other = (Settings(recall_weights={"graph": weight}) for weight in (0, 0.0))

    assert one == other
    assert hash(one) == hash(other)
    assert Settings() != one
    with pytest.raises(TypeError):
        one.recall_weights["graph"] = 1.0  # type: ignore[index]


def test_weights_are_told_by_name() -> None:
    """So they stand in the table of settings, and as a mapping in JSON."""
    told = WeightMap({"text": 1.0, "graph": 0.25})

    assert "text 1, graph 0.25" == repr(told)
    assert LINK_WEIGHTS == Settings().model_dump(mode="json")["link_weights"]


def test_a_curve_that_is_named_in_part_keeps_the_rest() -> None:
    """Of types and of knobs that nobody names."""
    settings = Settings(value_curves={"semantic": {"floor": 0.5}})

    assert {**VALUE_KNOBS, "floor": 0.5} == settings.value_curves["semantic"]
    assert VALUE_KNOBS == settings.value_curves["procedural"]
    assert hash(settings) != hash(Settings())
    assert settings.model_dump(mode="json")["value_curves"]["semantic"]["floor"] == 0.5


@pytest.mark.parametrize(
    ("curves", "told"),
    [
        ({"tag": {}}, "no type of node"),
        ({"semantic": {"lambda": 1}}, "no knob"),
        ({"semantic": {"half_uses": 0}}, "above 0"),
        ({"semantic": {"rate_per_h": -1}}, "0 to 1,000"),
        ({"semantic": {"slope": float("nan")}}, "0 to 1,000"),
        ({"procedural": {"floor": 1.1}}, "0 to 1"),
        ({"semantic": 3}, "mapping"),
        ("semantic", "mapping"),
    ],
)
def test_what_is_no_curve_is_refused(curves: Any, told: str) -> None:
    """A knob that divides by zero, or lets value grow with idleness, is none."""
    with pytest.raises(ConfigError, match=told) as caught:
        Settings.checked({"value_curves": curves})

    assert str(caught.value).startswith("settings: value_curves")
