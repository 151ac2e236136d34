"""How the graph is kept clean."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, InstanceOf, PlainSerializer

from graphmem.settings.setting import setting
from graphmem.weights import CurveMap, value_curves

__all__ = ["MaintainSettings"]


def _plain(curves: CurveMap) -> dict[str, dict[str, float]]:
    return {name: dict(curve) for name, curve in curves.items()}


# Partial mappings become whole ones: what is not named keeps the published number.
_Curves = Annotated[InstanceOf[CurveMap], BeforeValidator(value_curves), PlainSerializer(_plain)]


class MaintainSettings(BaseModel):
    """How the graph is kept clean."""

    maintenance_interval: int = setting(
        50,
        None,
        "Turns in a scope after which the background keeps it clean; 0 = not by turns.",
        hot=True,
        unit="turns",
        ge=0,
    )
    maintenance_every_h: float = setting(
        24.0,
        None,
        "After so long it does so as well, where a memory is open; 0 = not by the clock.",
        hot=True,
        unit="h",
        ge=0,
    )
    maintenance_size: int = setting(
        0,
        None,
        "Past so many facts it does so too, at most once an hour; 0 = whatever the size.",
        hot=True,
        unit="facts",
        ge=0,
    )
    maintenance_budget_s: float = setting(
        30.0,
        None,
        "How long one tick of the background may work; the next one goes on.",
        hot=True,
        unit="s",
        gt=0,
    )
    undo_window_days: float = setting(
        7.0,
        None,
        "How long what upkeep removed can be taken back; then it is deleted for good.",
        unit="days",
        hot=True,
        ge=0,
        le=3650,
    )
    value_curves: _Curves = setting(
        value_curves(),
        None,
        "How the value of a node falls and rises, by its type (semantic, procedural, episodic); "
        "knobs that are not named keep these.",
        hot=True,
    )
    decay_enabled: bool = setting(
        True,
        None,
        "Whether upkeep moves what falls silent between tiers and deprecates it; what decay "
        "deprecated before is purged also while it is off.",
        hot=True,
    )
    decay_auto_deprecate: bool = setting(
        True, None, "Whether silent peripheral facts and procedures are deprecated.", hot=True
    )
    decay_auto_deprecate_after_days: float = setting(
        30.0, None, "How long they must be silent for that.", unit="days", hot=True, ge=0, le=36500
    )
    decay_purge_after_days: float = setting(
        60.0,
        None,
        "How long what decay deprecated is kept; 0 = for good.",
        unit="days",
        hot=True,
        ge=0,
        le=36500,
    )
    message_retention: Literal["all", "referenced", "recent"] = setting(
        "all",
        None,
        "Which raw messages retain_messages keeps: all, those of turns, or recent ones as well.",
        hot=True,
    )
    message_recent_turns: int = setting(
        0,
        None,
        "Messages of so many newest turns of a session are recent.",
        unit="turns",
        hot=True,
        ge=0,
        le=1_000_000,
    )
    message_retention_days: float = setting(
        0.0, None, "So are those of so many last days.", unit="days", hot=True, ge=0, le=36500
    )
