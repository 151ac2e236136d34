"""How the graph is kept clean."""

from __future__ import annotations

from pydantic import BaseModel

from graphmem.settings.setting import setting

__all__ = ["MaintainSettings"]


class MaintainSettings(BaseModel):
    """How the graph is kept clean."""

    undo_window_days: float = setting(
        7.0,
        None,
        "How long what upkeep removed can be taken back; then it is deleted for good.",
        unit="days",
        hot=True,
        ge=0,
        le=3650,
    )
