"""How turns are extracted, and how their statements become facts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, InstanceOf, PlainSerializer

from graphmem.settings.setting import setting
from graphmem.weights import WeightMap, conflict_zones

__all__ = ["GraphSettings"]

# Partial mappings become whole ones: what is not named keeps what was measured.
_Zones = Annotated[InstanceOf[WeightMap], BeforeValidator(conflict_zones), PlainSerializer(dict)]


class GraphSettings(BaseModel):
    """How turns are extracted, and how their statements become facts."""

    language: str = setting(
        "english",
        "GRAPHMEM_LANGUAGE",
        "Language of stop words and stemming ('none' = neither); CJK works beside each.",
    )
    conflict_mode: Literal["on", "off"] = setting(
        "on",
        "GRAPHMEM_CONFLICT_MODE",
        "Whether statements are compared with what is known before they become facts.",
        hot=True,
    )
    conflict_thresholds: _Zones | None = setting(
        None,
        None,
        "Where the zones hot, near_dup and cold begin; unset = what is known of the embedder.",
        unit="raw cosine",
        hot=True,
    )
    conflict_hot: Literal["guarded", "always"] = setting(
        "guarded",
        None,
        "What the hot zone does: dedup unless numbers, names or polarity differ, or always.",
        hot=True,
    )
    conflict_locales: tuple[str, ...] = setting(
        ("en", "de"), None, "Shipped locale packs, besides those given at opening.", hot=True
    )
    functional_predicates: tuple[str, ...] = setting(
        (), None, "Predicates that have one object at a time, besides the packs'.", hot=True
    )
    multi_predicates: tuple[str, ...] = setting(
        (), None, "Predicates that may have several objects, whatever else is known.", hot=True
    )
    extraction_enabled: bool = setting(
        True, None, "Whether captured turns are extracted; while off they wait.", hot=True
    )
    strict_items: bool = setting(
        False, None, "Quarantine a turn for a single bad item in its reply, too."
    )
    reference_summaries: int = setting(
        0,
        None,
        "Earlier summaries of the session shown to the extractor to resolve references.",
        hot=True,
        ge=0,
        le=20,
    )
    resume_at_open: bool = setting(
        True,
        None,
        "Whether opening takes up turns that wait in its scope; else the first use does.",
    )
    close_timeout_s: float = setting(
        30.0, None, "How long close() waits for turns; the rest stays pending.", unit="s", ge=0
    )
