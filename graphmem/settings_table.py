"""The table of settings that docs/settings.md and `graphmem settings` show."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.config import Settings
from graphmem.settings.setting import extra_of

__all__ = ["SettingRow", "describe_settings"]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One line of the table of settings."""

    name: str
    env: str
    default: str
    unit: str
    applies: str
    doc: str


def describe_settings() -> list[SettingRow]:
    """Return the table of settings, in the order in which they are declared."""
    rows = []
    for name, field in Settings.model_fields.items():
        extra = extra_of(field)
        default = "unset" if field.default in (None, ()) else str(field.default)
        rows.append(
            SettingRow(
                name=name,
                env=extra["env"] or "",
                default=default,
                unit=extra["unit"],
                applies="at once" if extra["hot"] else "at the next start",
                doc=field.description or "",
            )
        )
    return rows
