"""The conflict pipeline for those who use it by itself, or bring a language.

from graphmem.conflict import ConflictPipeline, define_locale_pack, en_locale_pack
"""

from __future__ import annotations

from graphmem.decisions import DecisionKind, Stage, Zone
from graphmem.graph.conflict.locales.english import en_locale_pack
from graphmem.graph.conflict.locales.german import de_locale_pack
from graphmem.graph.conflict.locales.pack import Family, LocalePack, Marker, define_locale_pack
from graphmem.graph.conflict.model import (
    DEFAULT_THRESHOLDS,
    Cardinality,
    Closing,
    Known,
    Neighbour,
    Statement,
    Thresholds,
    Verdict,
)
from graphmem.graph.conflict.profiles import thresholds_for
from graphmem.graph.conflict.reading.statement import Parsed
from graphmem.graph.conflict.resolve import ConflictPipeline

__all__ = [
    "DEFAULT_THRESHOLDS",
    "Cardinality",
    "Closing",
    "ConflictPipeline",
    "DecisionKind",
    "Family",
    "Known",
    "LocalePack",
    "Marker",
    "Neighbour",
    "Parsed",
    "Stage",
    "Statement",
    "Thresholds",
    "Verdict",
    "Zone",
    "de_locale_pack",
    "define_locale_pack",
    "en_locale_pack",
    "thresholds_for",
]
