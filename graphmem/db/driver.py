"""How the driver is made, and which server answers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from graphmem.config import Settings
from graphmem.errors import ConfigError

if TYPE_CHECKING:
    from neo4j import AsyncDriver, Driver

__all__ = [
    "MIN_VERSION",
    "ServerVersion",
    "dotted",
    "make_blocking_driver",
    "make_driver",
    "numbers",
]

MIN_VERSION = (2026, 2)

T = TypeVar("T")

# A server on the same continent answers a connection within a second; five mean that it is
# not there, and a caller should hear so while still waiting.
_CONNECT_TIMEOUT_S = 5.0
# All connections of the pool busy for that long: the caller does too much at once.
_ACQUIRE_TIMEOUT_S = 30.0
# A connection idle for longer is tried out before it is trusted: firewalls cut idle ones.
_LIVENESS_AFTER_S = 60.0
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """Which server answers.

    Attributes:
        text: As the server tells it, such as "2026.08.1".
        gds: Version of the Graph Data Science library, None when there is none.
    """

    text: str
    gds: str | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The version's leading numbers."""
        return numbers(self.text)

    @property
    def is_fit(self) -> bool:
        """Whether it is new enough; a hosted Aura always is, whatever number it gives."""
        return self.text.endswith("-aura") or self.numbers >= MIN_VERSION


def make_driver(settings: Settings) -> AsyncDriver:
    """Return a driver for the configured server; nothing is connected yet.

    Raises:
        ConfigError: No address is set, or it is none.
    """
    from neo4j import AsyncGraphDatabase

    return _made(settings, AsyncGraphDatabase.driver)


def make_blocking_driver(settings: Settings) -> Driver:
    """Return a driver for a library that knows no event loop; else as `make_driver`."""
    from neo4j import GraphDatabase

    return _made(settings, GraphDatabase.driver)


def _made(settings: Settings, make: Callable[..., T]) -> T:
    if settings.neo4j_uri is None:
        raise ConfigError(
            "no address of a Neo4j server is set; set NEO4J_URI, for instance bolt://127.0.0.1:7687"
        )
    if "@" in settings.neo4j_uri:
        # Not shown: it may hold the password.
        raise ConfigError(
            "NEO4J_URI holds a user name or password; it is host and port alone, and those go "
            "into NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    scheme = settings.neo4j_uri.partition("://")[0]
    if scheme not in _SCHEMES:
        raise ConfigError(
            f"NEO4J_URI is {settings.neo4j_uri!r}; it begins with one of "
            f"{', '.join(f'{name}://' for name in _SCHEMES)}"
        )
    from neo4j import NotificationMinimumSeverity, basic_auth
    from neo4j.exceptions import DriverError

    # Without any handler Python prints the driver's warnings (each retry) to stderr; a program
    # that has set up logging gets them as before.
    driver_log = logging.getLogger("neo4j")
    if not driver_log.handlers:
        driver_log.addHandler(logging.NullHandler())
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    auth = basic_auth(settings.neo4j_username, password) if password is not None else None
    try:
        return make(
            settings.neo4j_uri,
            auth=auth,
            connection_timeout=_CONNECT_TIMEOUT_S,
            connection_acquisition_timeout=_ACQUIRE_TIMEOUT_S,
            liveness_check_timeout=_LIVENESS_AFTER_S,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
            telemetry_disabled=True,
        )
    except (DriverError, ValueError) as error:
        raise ConfigError(
            f"NEO4J_URI is {settings.neo4j_uri!r}, which is no address of a Neo4j server "
            f"({error}); it is such as bolt://127.0.0.1:7687 or neo4j+s://name.example"
        ) from None


def numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version."""
    found: list[int] = []
    for part in version.split("."):
        digits = part.split("-")[0].split("+")[0]
        if not digits.isdigit():
            break
        found.append(int(digits))
    return tuple(found)


def dotted(version: tuple[int, ...]) -> str:
    """Return a version as its makers write it: the month of a year has two digits."""
    first, *rest = version
    is_calendar = first > 2000  # noqa: PLR2004 - Neo4j counts by years since 2025
    return ".".join(
        [str(first), *(f"{n:02}" if is_calendar and not i else str(n) for i, n in enumerate(rest))]
    )
