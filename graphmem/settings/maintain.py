"""How the graph is kept clean."""

from __future__ import annotations

from pydantic import BaseModel

from graphmem.settings.setting import setting

__all__ = ["MaintainSettings"]


class MaintainSettings(BaseModel):
    """How the graph is kept clean."""

    maintenance_interval: int = setting(
        50,
        None,
        "Turns in a scope after which the background keeps it clean; 0 = never by itself.",
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
