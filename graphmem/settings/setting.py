"""What each setting tells of itself: its variable, its unit, and when a change applies."""

from __future__ import annotations

from typing import Any

from pydantic import Field

__all__ = ["extra_of", "setting"]


def setting(
    default: Any,
    env: str | None,
    doc: str,
    *,
    hot: bool = False,
    unit: str = "",
    **bounds: Any,
) -> Any:
    """Return a field of the settings.

    Args:
        default: What holds where nobody says otherwise.
        env: The environment variable that it is read from, None = it has none.
        doc: What it does, in one sentence.
        hot: Whether a change applies at once; else at the next start.
        unit: Of its value, "" = it has none.
        bounds: As pydantic's `Field` takes them.
    """
    return Field(
        default=default,
        description=doc,
        json_schema_extra={"env": env, "hot": hot, "unit": unit},
        **bounds,
    )


def extra_of(field: Any) -> dict[str, Any]:
    """Return what a field tells of itself: "env", "hot" and "unit"."""
    extra: dict[str, Any] = field.json_schema_extra
    return extra
