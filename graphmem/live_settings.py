"""The settings that hold now: hot ones change while a memory runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphmem.config import Settings
from graphmem.errors import ConfigError
from graphmem.settings.setting import extra_of

__all__ = ["SettingsHolder"]


@dataclass(slots=True)
class SettingsHolder:
    """The live settings of one memory: hot ones can be changed while it runs."""

    current: Settings

    def update(self, **changes: Any) -> Settings:
        """Change hot settings at once.

        Args:
            changes: Hot fields by name.

        Returns:
            The settings that hold from now on.

        Raises:
            ConfigError: A field is unknown, out of range, or needs a restart.
        """
        for name in changes:
            field = Settings.model_fields.get(name)
            if field is None:
                raise ConfigError(f"{name} is no setting; see docs/settings.md for the list")
            if not extra_of(field)["hot"]:
                raise ConfigError(
                    f"{name} takes effect at the next start only: close this memory and open "
                    f"one with {name} set"
                )
        values = {name: getattr(self.current, name) for name in Settings.model_fields}
        self.current = Settings.checked({**values, **changes})
        return self.current
