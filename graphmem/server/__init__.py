"""The managed server: a real Neo4j that graphmem fetches, configures and starts on loopback."""

from graphmem.server.managed import ManagedServer, managed_settings
from graphmem.server.progress import FetchProgress, Progress
from graphmem.server.status import ServerStatus

__all__ = ["FetchProgress", "ManagedServer", "Progress", "ServerStatus", "managed_settings"]
