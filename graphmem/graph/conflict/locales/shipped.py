"""The locale packs that graphmem ships, by id."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.errors import ConfigError
from graphmem.graph.conflict.locales.english import en_locale_pack
from graphmem.graph.conflict.locales.german import de_locale_pack
from graphmem.graph.conflict.locales.pack import LocalePack

__all__ = ["shipped_packs"]

_SHIPPED = {pack.id: pack for pack in (en_locale_pack, de_locale_pack)}


def shipped_packs(ids: Sequence[str]) -> tuple[LocalePack, ...]:
    """Return the shipped packs of these ids, in their order.

    Raises:
        ConfigError: There is none of that id.
    """
    if unknown := [name for name in ids if name not in _SHIPPED]:
        raise ConfigError(
            f"no locale pack {', '.join(unknown)} is shipped (there are {', '.join(_SHIPPED)}); "
            "hand one made with define_locale_pack(...) to open(locale_packs=[...])"
        )
    return tuple(_SHIPPED[name] for name in ids)
