"""`graphmem settings`: what can be set, and what is."""

from __future__ import annotations

import re
from dataclasses import asdict

from graphmem.cli.console import JsonFlag, print_json, stdout, table, visible
from graphmem.config import Settings
from graphmem.settings_table import describe_settings

__all__ = ["settings"]

_LOGIN = re.compile(r"//[^/\s]*@")


def settings(*, as_json: JsonFlag = False) -> None:
    """Show every setting: its variable, and what holds now."""
    current = Settings.from_env()
    rows = []
    for row in describe_settings():
        value = getattr(current, row.name)
        # Keys and the password print as asterisks: they are secrets by type.
        now = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        # An address may hold a password where it must not.
        now = _LOGIN.sub("//***@", now)
        rows.append((row, "unset" if value in (None, ()) else now))
    if as_json:
        print_json([{**asdict(row), "now": now} for row, now in rows])
        return
    shown = table("settings", "setting, variable", "now", "a change applies, what it does")
    # A name that is broken into two lines cannot be copied.
    shown.columns[0].no_wrap = True
    for row, now in rows:
        unit = f" ({row.unit})" if row.unit else ""
        names = f"{row.name}\n{row.env}" if row.env else row.name
        shown.add_row(names, visible(now), f"{row.applies}\n{row.doc}{unit}")
    stdout().print(shown)
