"""Where the memory is kept: the database, and the server that graphmem brings itself."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, SecretStr

from graphmem.settings.setting import setting

__all__ = ["StoreSettings"]


class StoreSettings(BaseModel):
    """Where the memory is kept: the database, and the server that graphmem brings itself."""

    # The database.
    neo4j_uri: str | None = setting(
        None, "NEO4J_URI", "Address of a Neo4j server; unset = the managed local server."
    )
    neo4j_username: str = setting("neo4j", "NEO4J_USERNAME", "User name at that server.")
    neo4j_password: SecretStr | None = setting(
        None, "NEO4J_PASSWORD", "Password at that server; never logged."
    )
    neo4j_database: str | None = setting(
        None, "NEO4J_DATABASE", "Database at that server; unset = the user's home database."
    )
    scope: str = setting(
        "default", "GRAPHMEM_SCOPE", "Whose memory calls act in when none is named."
    )
    # The managed server.
    home: Path | None = setting(
        None, "GRAPHMEM_HOME", "Folder of the managed server; unset = the user's data folder."
    )
    server_jars: Path | None = setting(
        None, "GRAPHMEM_JARS", "Folder of the server's jars; unset = `jars` inside the home."
    )
    server_heap: str = setting(
        "1g", "GRAPHMEM_SERVER_HEAP", "Java heap of the managed server.", unit="512m, 1g …"
    )
    server_page_cache: str = setting(
        "256m", "GRAPHMEM_SERVER_PAGE_CACHE", "Page cache of the managed server.", unit="256m …"
    )
    jar_repository: str | None = setting(
        None, "GRAPHMEM_JAR_REPOSITORY", "Repository to fetch jars from instead of the default."
    )
