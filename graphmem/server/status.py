"""What is known of a managed server."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

__all__ = ["ServerStatus"]


class ServerStatus(BaseModel):
    """The state of a managed server; never holds its password.

    Attributes:
        running: Whether its process is alive.
        version: Neo4j's version.
        gds_version: Graph Data Science's version.
        uri: Bolt address for drivers; None until it was started once.
        http: Address of its HTTP port, Neo4j Browser stands at `/browser/`; None as above.
        username: Who to log in as; the password is in the file `password_file`.
        password_file: Readable by its owner only.
        pid: Its process, None while it does not run.
        home: Folder of the managed server, its password and its record.
        data: Folder that holds the databases.
        size_bytes: What the data folder takes on disk.
        heap: Java heap that the next start asks for, or that the running one has.
        page_cache: As above, for the page cache.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    running: bool
    version: str
    gds_version: str
    uri: str | None = None
    http: str | None = None
    username: str = "neo4j"
    password_file: Path
    pid: int | None = None
    home: Path
    data: Path
    size_bytes: int = 0
    heap: str
    page_cache: str
