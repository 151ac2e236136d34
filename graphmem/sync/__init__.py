"""The synchronous face: `GraphMemory`, the same methods as `AsyncGraphMemory`, one line each."""

from graphmem.sync.memory import GraphMemory, SyncReceipt

__all__ = ["GraphMemory", "SyncReceipt"]
