"""Print the table of settings for docs/settings.md: `python scripts/settings_table.py`."""

from __future__ import annotations

from graphmem.settings_table import describe_settings


def table() -> str:
    """Return the table as Markdown."""
    lines = [
        "| setting | variable | default | a change applies | what it does |",
        "|---|---|---|---|---|",
    ]
    for row in describe_settings():
        variable = f"`{row.env}`" if row.env else "-"
        unit = f" ({row.unit})" if row.unit else ""
        lines.append(
            f"| `{row.name}` | {variable} | {row.default} | {row.applies} | {row.doc}{unit} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())  # noqa: T201 - printing is what it is for
